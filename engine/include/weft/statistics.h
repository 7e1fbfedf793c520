#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/tensor.h"

namespace weft {

/// Called with the completed share of a job (0…1) on the thread that does it. Return false to stop the job with CANCELLED.
using Progress = std::function<bool(double done)>;

/// A summary of a tensor's numbers. Complex numbers count by magnitude, bools as 0 and 1, quantised types as their stored integers.
struct ValueSummary {
  bool numeric = false;  ///< Strings, resources and variants have only `count`.
  int64_t count = 0, nan = 0, positiveInf = 0, negativeInf = 0, zeros = 0;
  /// Over the finite values; NaN if there are none. `std` is the population's.
  double min = 0, max = 0, mean = 0, std = 0;
  /// Finite values in equal bins from `low` to `high`. The last bin includes its right edge. If all values are equal, there is one bin around them.
  double low = 0, high = 0;
  std::vector<int64_t> histogram;
  int64_t finite() const { return count - nan - positiveInf - negativeInf; }
};

/// Two passes over the values. CANCELLED if `progress` returns false.
WEFT_API Result<ValueSummary> summaryOf(const Tensor& tensor, int bins = 48, const Progress& progress = {});
/// Counts the finite values of `tensor` in equal bins from `low` to `high`. Values outside are ignored.
WEFT_API std::vector<int64_t> histogramBetween(const Tensor& tensor, double low, double high, int bins);

/// The difference of two tensors of one shape. Numbers are compared as doubles; integers over 2^53 are compared by bits, only for `differing`.
struct TensorDifference {
  int64_t count = 0, differing = 0;       ///< NaN at the same place in both counts as equal.
  double maxAbsolute = 0;                 ///< Largest |a−b| of finite pairs; infinite if only one of a pair is finite.
  double maxRelative = 0;                 ///< Largest |a−b| / max(|a|,|b|).
  int64_t worst = -1;                     ///< Flat index of maxAbsolute; -1 if nothing differs.
  double norm = 0, normA = 0, normB = 0;  ///< ‖a−b‖, ‖a‖, ‖b‖ over finite pairs.
  double cosine = 1;                      ///< Cosine of the angle between them; NaN if only one of them is zero.
  WEFT_API double relative() const;       ///< ‖a−b‖ / ‖a‖; infinite if a is zero and b is not.
};
/// INVALID_ARGUMENT unless shapes and dtypes agree. Strings: only `differing` and `worst`.
WEFT_API Result<TensorDifference> differenceOf(const Tensor& a, const Tensor& b, const Progress& progress = {});

}  // namespace weft
