// The range of values that a heat map's colours represent.
#pragma once

namespace weft::widgets {

class TensorSource;

/// From `low` to `high`; values beyond take the end's colour. Symmetric around 0 if there are values of both signs.
struct ValueRange {
  double low = 0, high = 1;
  bool diverging = false;
  bool clipped = false;  ///< some values lie beyond
  /// 0 at `low`, 1 at `high`.
  double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

/// All values, unless a few are so extreme that the others would share one colour: then the 1st to 99th percentile. Samples some thousand values, spread over
/// the tensor.
ValueRange colorRange(const TensorSource& source);

}  // namespace weft::widgets
