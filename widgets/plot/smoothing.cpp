#include "plot/smoothing.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft::widgets {
namespace {

constexpr double kReach = 4;   // standard deviations; the weight beyond is below 1e-4
constexpr double kBlocks = 8;  // blocks of samples per standard deviation

const QStringList& names() {
  static const QStringList list{QStringLiteral("ema"), QStringLiteral("time-ema"), QStringLiteral("average"), QStringLiteral("gaussian")};
  return list;
}

}  // namespace

bool smoothingKind(const QString& name, Smoothing::Kind* kind) {
  const qsizetype at = names().indexOf(name);
  if (at >= 0) *kind = static_cast<Smoothing::Kind>(at);
  return at >= 0;
}

QString smoothingName(Smoothing::Kind kind) { return names()[static_cast<qsizetype>(kind)]; }

// An exponential average leaves (1 - w) / (1 + w) of the variance of white noise, a mean of n samples 1/n, a Gaussian 1 / (2σ√π).
std::size_t Smoothing::window() const {
  const double samples = (1 + strength) / (1 - strength);
  return 1 + 2 * static_cast<std::size_t>(std::lround((samples - 1) / 2));
}

double Smoothing::sigma() const { return (1 + strength) / (1 - strength) / (2 * std::sqrt(std::numbers::pi)); }

void SmoothedCurve::set(const Smoothing& smoothing) {
  if (how_ == smoothing) return;
  how_ = smoothing;
  clear();
}

void SmoothedCurve::clear() {
  values_.clear();
  version_ = 0;
  last_ = before_ = interval_ = 0;
  power_ = 1;
  taken_ = 0;
  constant_ = true;
}

const std::vector<double>& SmoothedCurve::update(const SeriesStore& store) {
  const std::size_t size = store.size(), had = values_.size();
  if (version_ == store.version() && had == size) return values_;
  // Each append increments the version by one: any other difference means that samples were replaced.
  const bool grown = had <= size && store.version() - version_ == size - had;
  std::size_t from = had;
  if (!grown) {
    clear();
    from = 0;
  }
  const std::size_t checked = from;
  version_ = store.version();
  if (constant_) {
    for (std::size_t i = std::max<std::size_t>(checked, 1); i < size && constant_; ++i) constant_ = store[i].value == store[0].value;
    // Until now the series was constant and passed through.
    if (!constant_) {
      from = 0;
      last_ = 0;
      power_ = 1;
      taken_ = 0;
    }
  }
  values_.resize(size);
  if (constant_ || !how_.isOn()) {
    for (std::size_t i = from; i < size; ++i) values_[i] = store[i].value;
    return values_;
  }
  switch (how_.kind) {
    case Smoothing::Kind::Ema:
    case Smoothing::Kind::TimeEma: exponential(store, from); break;
    case Smoothing::Kind::Average: average(store, from > how_.window() / 2 ? from - how_.window() / 2 : 0); break;
    case Smoothing::Kind::Gaussian: {
      const auto reach = static_cast<std::size_t>(std::ceil(kReach * how_.sigma() * (1 + 1 / kBlocks))) + 1;
      gaussian(store, from > reach ? from - reach : 0);
      break;
    }
  }
  return values_;
}

void SmoothedCurve::exponential(const SeriesStore& store, std::size_t from) {
  const bool byTime = how_.kind == Smoothing::Kind::TimeEma;
  for (std::size_t i = from; i < store.size(); ++i) {
    const Sample& s = store[i];
    if (!std::isfinite(s.value)) {
      values_[i] = s.value;
      continue;
    }
    double keep = how_.strength;
    if (byTime && taken_ > 0) {
      const double gap = std::max(0.0, s.wall - before_);
      interval_ += (gap - interval_) / static_cast<double>(taken_);
      keep = interval_ > 0 ? std::pow(how_.strength, gap / interval_) : how_.strength;
    }
    before_ = s.wall;
    ++taken_;
    last_ = last_ * keep + (1 - keep) * s.value;
    power_ *= keep;
    // After a time gap of zero, the average is unchanged.
    values_[i] = power_ < 1 ? last_ / (1 - power_) : s.value;
  }
}

void SmoothedCurve::average(const SeriesStore& store, std::size_t from) {
  const std::size_t half = how_.window() / 2, size = store.size();
  // Sums of offsets from one of the values: exact enough for a small spread far from 0.
  double base = 0;
  for (std::size_t i = from; i < size; ++i)
    if (std::isfinite(store[i].value)) {
      base = store[i].value;
      break;
    }
  double sum = 0;
  std::size_t count = 0;
  const auto add = [&](std::size_t i, int sign) {
    const double v = store[i].value;
    if (!std::isfinite(v)) return;
    sum += sign * (v - base);
    count += static_cast<std::size_t>(sign);
  };
  std::size_t begin = from > half ? from - half : 0, end = begin;
  for (std::size_t i = from; i < size; ++i) {
    while (end < std::min(size, i + half + 1)) add(end++, 1);
    while (begin + half < i) add(begin++, -1);
    values_[i] = std::isfinite(store[i].value) && count > 0 ? base + sum / static_cast<double>(count) : store[i].value;
  }
}

// Wide Gaussians are summed over blocks of an eighth of their standard deviation.
void SmoothedCurve::gaussian(const SeriesStore& store, std::size_t from) {
  const std::size_t size = store.size();
  const double sigma = how_.sigma();
  const auto block = std::max<std::size_t>(1, static_cast<std::size_t>(sigma / kBlocks));
  const std::size_t blocks = (size + block - 1) / block;
  const std::size_t firstBlock = from / block;
  const auto reach = static_cast<std::size_t>(std::ceil(kReach * sigma / static_cast<double>(block)));
  const std::size_t begin = firstBlock > reach ? firstBlock - reach : 0;
  std::vector<double> sums(blocks - begin), counts(blocks - begin);
  for (std::size_t b = begin; b < blocks; ++b)
    for (std::size_t i = b * block; i < std::min(size, (b + 1) * block); ++i) {
      if (!std::isfinite(store[i].value)) continue;
      sums[b - begin] += store[i].value;
      counts[b - begin] += 1;
    }
  // Weights by twice the distance from a block's middle.
  std::vector<double> weights((reach + 1) * block * 2 + block + 2);
  for (std::size_t d = 0; d < weights.size(); ++d) weights[d] = std::exp(-0.125 * (static_cast<double>(d) / sigma) * (static_cast<double>(d) / sigma));
  for (std::size_t i = from; i < size; ++i) {
    if (!std::isfinite(store[i].value)) {
      values_[i] = store[i].value;
      continue;
    }
    const std::size_t own = i / block;
    double sum = 0, all = 0;
    for (std::size_t b = std::max(begin, own > reach ? own - reach : 0); b < std::min(blocks, own + reach + 1); ++b) {
      const auto twice = static_cast<std::ptrdiff_t>(2 * b * block + block - 1) - static_cast<std::ptrdiff_t>(2 * i);
      const double w = weights[static_cast<std::size_t>(std::abs(twice))];
      sum += w * sums[b - begin];
      all += w * counts[b - begin];
    }
    values_[i] = all > 0 ? sum / all : store[i].value;
  }
}

std::vector<double> smoothed(const SeriesStore& store, const Smoothing& smoothing) {
  SmoothedCurve curve;
  curve.set(smoothing);
  return curve.update(store);
}

}  // namespace weft::widgets
