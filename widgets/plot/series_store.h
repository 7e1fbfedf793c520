// Complete scalar series over steps, with a pyramid so that any range is drawn from at most a few thousand numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/growing_array.h"

namespace weft::widgets {

/// One logged value.
struct Sample {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  double value = 0;
};

/// Summary of consecutive samples. NaN and infinite values are counted but excluded from min, max and mean.
struct Block {
  double x0 = 0, x1 = 0;  ///< of the first and the last sample, on the chosen axis
  double min = 0, max = 0, sum = 0;
  std::int64_t count = 0, finite = 0;
  std::size_t first = 0;  ///< index of the first sample
  double mean() const { return finite > 0 ? sum / static_cast<double>(finite) : 0; }
};

/// An append-only list of samples with min/max/sum per 8, 64, 512 … samples. A plain value: a copy is a snapshot; not synchronized. Appending takes amortized
/// constant time, a query O(blocks returned · log samples). A sample with a smaller step (a resumed run) first removes those that it replaces, as TensorBoard
/// does.
class SeriesStore {
 public:
  enum class X { Step, Relative, Wall };

  void append(const Sample& sample);
  void append(std::span<const Sample> samples);
  void clear();
  /// Removes the samples of that step and all later ones.
  void eraseFrom(double step);

  std::size_t size() const { return samples_.size(); }
  bool empty() const { return samples_.empty(); }
  const Sample& operator[](std::size_t i) const { return samples_[i]; }
  std::span<const Sample> samples() const { return {samples_.data(), samples_.size()}; }
  /// Increases whenever the contents change.
  std::uint64_t version() const { return version_; }

  double x(std::size_t i, X axis) const;
  /// Index of the first sample at or after `x`; size() if there is none.
  std::size_t lowerBound(double x, X axis) const;
  /// Index of the sample nearest to `x`. REQUIRES: not empty.
  std::size_t nearest(double x, X axis) const;
  /// Minimum, maximum and sum over samples [first, last), from the pyramid.
  Block summary(std::size_t first, std::size_t last) const;
  /// At most `maxBlocks` (>= 1) blocks that cover the samples between `x0` and `x1` and one neighbour on either side. If there are few enough samples, each
  /// block is one sample.
  std::vector<Block> blocks(double x0, double x1, X axis, std::size_t maxBlocks) const;

 private:
  static constexpr std::size_t kFan = 8, kLevels = 9;
  void truncate(std::size_t size);

  GrowingArray<Sample> samples_;
  std::array<GrowingArray<Block>, kLevels> levels_;  // levels_[k][i] covers kFan^(k+1) samples; the last block of a level may be partial
  std::uint64_t version_ = 0;
};

}  // namespace weft::widgets
