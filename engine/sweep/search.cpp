#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sweep/gaussian_process.h"
#include "sweep/space.h"

// The points that a sweep tries.
namespace weft {
namespace {

constexpr int kBits = 52;

/// Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008), file new-joe-kuo-6: degree, coefficients and initial
/// direction numbers of the dimensions after the first.
struct SobolDim {
  int degree;
  unsigned coefficients;
  std::array<unsigned, 7> initial;
};
constexpr SobolDim kSobol[kMostSobolDims - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/// Direction numbers of a dimension: v[i] has its i+1 leading bits in the highest bits of kBits.
std::array<uint64_t, kBits> directions(int dim) {
  std::array<uint64_t, kBits> v{};
  if (dim == 0) {
    for (int i = 0; i < kBits; ++i) v[size_t(i)] = uint64_t(1) << (kBits - 1 - i);
    return v;
  }
  const SobolDim& s = kSobol[dim - 1];
  for (int i = 0; i < kBits; ++i) {
    if (i < s.degree) {
      v[size_t(i)] = uint64_t(s.initial[size_t(i)]) << (kBits - 1 - i);
      continue;
    }
    uint64_t next = v[size_t(i - s.degree)] ^ (v[size_t(i - s.degree)] >> s.degree);
    for (int k = 1; k < s.degree; ++k)
      if ((s.coefficients >> (s.degree - 1 - k)) & 1) next ^= v[size_t(i - k)];
    v[size_t(i)] = next;
  }
  return v;
}

std::vector<double> sobolPoint(int dims, int64_t index, uint64_t seed) {
  std::vector<double> out;
  for (int d = 0; d < dims; ++d) {
    const auto v = directions(d);
    uint64_t bits = seed == 0 ? 0 : sweep::mixed(sweep::mixed(seed) + uint64_t(d)) >> (64 - kBits);  // a digital shift keeps the net
    const uint64_t gray = uint64_t(index) ^ (uint64_t(index) >> 1);
    for (int i = 0; i < kBits; ++i)
      if ((gray >> i) & 1) bits ^= v[size_t(i)];
    out.push_back(std::ldexp(double(bits), -kBits));
  }
  return out;
}

std::vector<double> randomPlaces(size_t dims, uint64_t seed, uint64_t index) {
  std::vector<double> places(dims);
  for (size_t d = 0; d < dims; ++d) places[d] = sweep::randomPlace(seed, index, d);
  return places;
}

SweepPoint gridPoint(const SweepPlan& plan, int64_t index) {
  SweepPoint point(plan.parameters.size());
  for (size_t d = plan.parameters.size(); d-- > 0;) {
    const auto values = plan.parameters[d].grid();
    point[d] = {plan.parameters[d].name, values[size_t(index) % values.size()]};
    index /= int64_t(values.size());
  }
  return point;
}

constexpr size_t kMostFitted = 200;
constexpr int kCandidates = 1500;

double expectedImprovement(const sweep::GaussianProcess::Prediction& p, double best) {
  const double z = (best - p.mean) / p.deviation;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi), below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return p.deviation * (z * below + density);
}

/// Minimizes: values of a metric to maximize are negated before.
std::vector<double> bayesianPlaces(const SweepPlan& plan, uint64_t index, const std::vector<SweepResult>& results) {
  const size_t dims = plan.parameters.size();
  std::vector<std::vector<double>> known, pending, failed;
  std::vector<double> values;
  for (const SweepResult& r : results) {
    auto places = sweep::placesOf(plan.parameters, r.point);
    if (!places) continue;
    if (r.value && std::isfinite(*r.value)) {
      known.push_back(std::move(*places));
      values.push_back(plan.maximize ? -*r.value : *r.value);
    } else {
      (r.failed || r.value ? failed : pending).push_back(std::move(*places));
    }
  }
  const size_t first = std::clamp(2 * dims + 1, size_t(4), size_t(16));
  if (values.size() < 2 || known.size() + failed.size() < std::min(first, size_t(runsOf(plan)) / 2 + 1)) return randomPlaces(dims, plan.seed, index);
  const double worst = *std::max_element(values.begin(), values.end());
  for (auto& places : failed) known.push_back(std::move(places)), values.push_back(worst);
  if (known.size() > kMostFitted) {  // the newest: the search has concentrated since
    known.erase(known.begin(), known.end() - kMostFitted);
    values.erase(values.begin(), values.end() - kMostFitted);
  }
  sweep::GaussianProcess model(plan.parameters, known, values);
  if (!pending.empty()) {
    std::vector<double> believed;
    for (const auto& places : pending) believed.push_back(model.at(places).mean);
    model.add(pending, believed);
  }
  const size_t bestKnown = size_t(std::min_element(values.begin(), values.end()) - values.begin());
  const double best = values[bestKnown];
  std::vector<double> chosen = randomPlaces(dims, plan.seed, index);
  double most = -1;
  const uint64_t stream = sweep::mixed(plan.seed ^ (index << 20));
  for (int c = 0; c < kCandidates; ++c) {
    std::vector<double> places = randomPlaces(dims, stream, uint64_t(c));
    if (c % 3 != 0) {  // two in three lie near the best point, ever closer
      const double radius = std::pow(10.0, -0.5 - 2 * sweep::randomPlace(stream, uint64_t(c), dims));
      for (size_t d = 0; d < dims; ++d) {
        const bool moves = plan.parameters[d].kind != SweepParameter::Kind::Choice || places[d] < 0.2;
        if (!moves) places[d] = known[bestKnown][d];
        else if (plan.parameters[d].kind != SweepParameter::Kind::Choice) places[d] = std::clamp(known[bestKnown][d] + radius * (2 * places[d] - 1), 0.0, 1.0);
        else places[d] = places[d] / 0.2;
      }
    }
    const double gain = expectedImprovement(model.at(places), best);
    if (gain > most) most = gain, chosen = places;
  }
  return chosen;
}

}  // namespace

std::vector<std::vector<double>> sobolPoints(int dims, int64_t count, uint64_t seed) {
  std::vector<std::vector<double>> points;
  for (int64_t i = 0; i < count; ++i) points.push_back(sobolPoint(dims, i, seed));
  return points;
}

SweepPoint suggestPoint(const SweepPlan& plan, int64_t index, const std::vector<SweepResult>& results) {
  switch (plan.method) {
    case SweepMethod::Grid: return gridPoint(plan, index);
    case SweepMethod::Sobol: return sweep::pointAt(plan.parameters, sobolPoint(int(plan.parameters.size()), index, plan.seed));
    case SweepMethod::Bayesian: return sweep::pointAt(plan.parameters, bayesianPlaces(plan, uint64_t(index), results));
    case SweepMethod::Random: break;
  }
  return sweep::pointAt(plan.parameters, randomPlaces(plan.parameters.size(), plan.seed, uint64_t(index)));
}

std::vector<Importance> importanceOf(const std::vector<SweepParameter>& parameters, const std::vector<SweepResult>& results) {
  constexpr size_t kMostRuns = 300, kShuffles = 5;
  std::vector<std::vector<double>> places;
  std::vector<double> values;
  for (const SweepResult& r : results) {
    auto at = r.value && std::isfinite(*r.value) ? sweep::placesOf(parameters, r.point) : std::nullopt;
    if (!at) continue;
    places.push_back(std::move(*at));
    values.push_back(*r.value);
  }
  if (values.size() > kMostRuns) {
    std::vector<std::vector<double>> some;
    std::vector<double> theirs;
    for (size_t i = 0; i < kMostRuns; ++i) {
      const size_t k = i * values.size() / kMostRuns;
      some.push_back(places[k]);
      theirs.push_back(values[k]);
    }
    places = std::move(some);
    values = std::move(theirs);
  }
  const size_t n = values.size();
  std::vector<Importance> out;
  for (const SweepParameter& p : parameters) out.push_back({p.name, 0, 0});
  if (n < 4 || *std::min_element(values.begin(), values.end()) == *std::max_element(values.begin(), values.end())) return out;

  const auto ranksOf = [n](const std::vector<double>& of) {
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return of[a] < of[b]; });
    std::vector<double> ranks(n);
    for (size_t i = 0; i < n;) {
      size_t end = i;
      while (end < n && of[order[end]] == of[order[i]]) ++end;
      for (size_t k = i; k < end; ++k) ranks[order[k]] = 0.5 * double(i + end - 1);
      i = end;
    }
    return ranks;
  };
  // A metric such as a loss may span decades, where one diverged run would be all of the variance: ranks are compared.
  const std::vector<double> ranks = ranksOf(values);
  const sweep::GaussianProcess model(parameters, places, ranks);
  const auto errorOf = [&](const std::vector<std::vector<double>>& at) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += std::pow(model.at(at[i]).mean - ranks[i], 2);
    return sum / double(n);
  };
  const double base = errorOf(places);
  double total = 0;
  for (size_t d = 0; d < parameters.size(); ++d) {
    for (size_t s = 0; s < kShuffles; ++s) {
      auto shuffled = places;
      for (size_t i = n - 1; i > 0; --i) std::swap(shuffled[i][d], shuffled[size_t(sweep::randomPlace(s + 1, i, d) * double(i + 1))][d]);
      out[d].share += std::max(errorOf(shuffled) - base, 0.0) / kShuffles;
    }
    total += out[d].share;
    if (parameters[d].kind == SweepParameter::Kind::Choice) continue;
    std::vector<double> own(n);
    for (size_t i = 0; i < n; ++i) own[i] = places[i][d];
    const std::vector<double> ownRanks = ranksOf(own);
    const double middle = 0.5 * double(n - 1);
    double both = 0, a = 0, b = 0;
    for (size_t i = 0; i < n; ++i) {
      both += (ownRanks[i] - middle) * (ranks[i] - middle);
      a += std::pow(ownRanks[i] - middle, 2);
      b += std::pow(ranks[i] - middle, 2);
    }
    out[d].correlation = a > 0 && b > 0 ? both / std::sqrt(a * b) : 0;
  }
  if (total > 0)
    for (Importance& i : out) i.share /= total;
  std::stable_sort(out.begin(), out.end(), [](const Importance& a, const Importance& b) { return a.share > b.share; });
  return out;
}

}  // namespace weft
