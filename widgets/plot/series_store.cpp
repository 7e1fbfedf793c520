#include "plot/series_store.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {
namespace {

constexpr size_t kFew = 32;  // up to this many samples are added to each level one by one

void addTo(Block& block, double value) {
  ++block.count;
  if (!std::isfinite(value)) return;
  block.min = block.finite == 0 ? value : std::min(block.min, value);
  block.max = block.finite == 0 ? value : std::max(block.max, value);
  block.sum += value;
  ++block.finite;
}

void addTo(Block& block, const Block& other) {
  block.count += other.count;
  if (other.finite == 0) return;
  block.min = block.finite == 0 ? other.min : std::min(block.min, other.min);
  block.max = block.finite == 0 ? other.max : std::max(block.max, other.max);
  block.sum += other.sum;
  block.finite += other.finite;
}

/// Updates the levels of a pyramid with the samples from `from` on. Each new sample is read once, and in each level one block more than the new ones.
template <std::size_t kFan, std::size_t kLevels>
void summarize(const GrowingArray<Sample>& samples, std::array<GrowingArray<Block>, kLevels>& levels, size_t from) {
  for (size_t i = from; i < samples.size(); ++i) {
    if (i / kFan == levels[0].size()) levels[0].push_back({});
    addTo(levels[0][i / kFan], samples[i].value);
  }
  for (size_t level = 1; level < kLevels; ++level) {
    from /= kFan;
    const auto& below = levels[level - 1];
    auto& blocks = levels[level];
    blocks.resize((below.size() + kFan - 1) / kFan);
    for (size_t b = from / kFan; b < blocks.size(); ++b) {
      blocks[b] = {};
      for (size_t i = b * kFan; i < std::min(below.size(), (b + 1) * kFan); ++i) addTo(blocks[b], below[i]);
    }
  }
}

}  // namespace

void SeriesStore::append(const Sample& sample) {
  ++version_;
  if (!samples_.empty() && sample.step < samples_.back().step) eraseFrom(sample.step);
  samples_.push_back(sample);
  size_t index = samples_.size() - 1;
  for (auto& blocks : levels_) {
    index /= kFan;
    if (index == blocks.size()) blocks.push_back({});
    addTo(blocks[index], sample.value);
  }
}

void SeriesStore::append(std::span<const Sample> samples) {
  if (samples.size() < kFew) {
    for (const Sample& sample : samples) append(sample);
    return;
  }
  for (size_t at = 0; at < samples.size();) {
    if (!samples_.empty() && samples[at].step < samples_.back().step) eraseFrom(samples[at].step);
    size_t end = at + 1;  // end of the rising steps
    while (end < samples.size() && !(samples[end].step < samples[end - 1].step)) ++end;
    const size_t before = samples_.size();
    samples_.append(samples.subspan(at, end - at));
    version_ += end - at;
    summarize<kFan>(samples_, levels_, before);
    at = end;
  }
}

void SeriesStore::eraseFrom(double step) {
  const auto keep = std::lower_bound(samples_.begin(), samples_.end(), step, [](const Sample& s, double at) { return s.step < at; });
  if (keep == samples_.end()) return;
  ++version_;
  truncate(static_cast<size_t>(keep - samples_.begin()));
}

void SeriesStore::clear() {
  ++version_;
  samples_.clear();
  for (auto& blocks : levels_) blocks.clear();
}

void SeriesStore::truncate(size_t size) {
  samples_.resize(size);
  size_t blocks = size;
  for (size_t level = 0; level < kLevels; ++level) {
    const size_t below = blocks;
    blocks = (blocks + kFan - 1) / kFan;
    auto& list = levels_[level];
    list.resize(blocks);
    if (blocks == 0) continue;
    Block last;
    for (size_t i = (blocks - 1) * kFan; i < below; ++i) {
      if (level == 0) addTo(last, samples_[i].value);
      else addTo(last, levels_[level - 1][i]);
    }
    list.back() = last;
  }
}

double SeriesStore::x(size_t i, X axis) const {
  if (axis == X::Step) return samples_[i].step;
  return axis == X::Wall ? samples_[i].wall : samples_[i].wall - samples_.front().wall;
}

size_t SeriesStore::lowerBound(double value, X axis) const {
  size_t low = 0, high = samples_.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (x(middle, axis) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

size_t SeriesStore::nearest(double value, X axis) const {
  const size_t at = lowerBound(value, axis);
  if (at == samples_.size()) return at - 1;
  if (at == 0) return 0;
  return value - x(at - 1, axis) <= x(at, axis) - value ? at - 1 : at;
}

Block SeriesStore::summary(size_t first, size_t last) const {
  Block result;
  last = std::min(last, samples_.size());
  while (first < last) {
    // The largest block that starts here and does not exceed the end.
    size_t size = 1, level = 0;
    while (level < kLevels && first % (size * kFan) == 0 && first + size * kFan <= last) {
      size *= kFan;
      ++level;
    }
    if (level == 0) addTo(result, samples_[first].value);
    else addTo(result, levels_[level - 1][first / size]);
    first += size;
  }
  return result;
}

std::vector<Block> SeriesStore::blocks(double x0, double x1, X axis, size_t maxBlocks) const {
  std::vector<Block> result;
  if (samples_.empty() || x1 < x0) return result;
  maxBlocks = std::max<size_t>(maxBlocks, 1);
  size_t first = lowerBound(x0, axis), last = lowerBound(x1, axis);
  while (last < samples_.size() && x(last, axis) <= x1) ++last;
  first -= first > 0 ? 1 : 0;
  last += last < samples_.size() ? 1 : 0;
  // Blocks start at multiples of their size, so that they stay the same while the series grows or scrolls.
  size_t size = 1;
  while ((last - first) / size + 2 > maxBlocks && size < last - first) size += 1 + size / 16;
  result.reserve((last - first) / size + 2);
  for (size_t at = first; at < last;) {
    const size_t end = std::min(last, (at / size + 1) * size);
    Block block = summary(at, end);
    block.first = at;
    block.x0 = x(at, axis);
    block.x1 = x(end - 1, axis);
    result.push_back(block);
    at = end;
  }
  return result;
}

}  // namespace weft::widgets
