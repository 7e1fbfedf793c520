// Which values the ends of a heat map's colours stand for.
#pragma once

namespace weft::widgets {

class TensorSource;

/// From `low` to `high`; values beyond take the colour of the end. Symmetric around 0 where there are values of both signs.
struct ValueRange {
  double low = 0, high = 1;
  bool diverging = false;
  bool clipped = false;  ///< some values lie beyond
  /// 0 at `low`, 1 at `high`.
  double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

/// All values, unless a few lie so far away that the others would share one colour: then those between the 1st and the 99th percentile. Looks at some
/// thousand values, spread over the tensor.
ValueRange colorRange(const TensorSource& source);

}  // namespace weft::widgets
