#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/tensor.h"

namespace weft {

/// Told how much of a job is done (0…1) from the thread that does it; false stops the job, which then fails with CANCELLED.
using Progress = std::function<bool(double done)>;

/// What a tensor's numbers look like. Complex numbers count by their magnitude, bools as 0 and 1; quantised types as the integers stored.
struct ValueSummary {
  bool numeric = false;  ///< Strings, resources and variants have only `count`.
  int64_t count = 0, nan = 0, positiveInf = 0, negativeInf = 0, zeros = 0;
  /// Of the finite values; NaN if there are none. `std` is that of the whole population.
  double min = 0, max = 0, mean = 0, std = 0;
  /// Finite values in equal bins from `low` to `high`; the last bin holds its right edge, too. All values equal: one bin around them.
  double low = 0, high = 0;
  std::vector<int64_t> histogram;
  int64_t finite() const { return count - nan - positiveInf - negativeInf; }
};

/// Two passes over the values. CANCELLED if `progress` says so.
WEFT_API Result<ValueSummary> summaryOf(const Tensor& tensor, int bins = 48, const Progress& progress = {});
/// Counts the finite values of `tensor` in equal bins from `low` to `high`; what lies outside is left out.
WEFT_API std::vector<int64_t> histogramBetween(const Tensor& tensor, double low, double high, int bins);

/// How far two tensors of one shape are apart. Numbers as doubles; integers over 2^53 are compared by their bits for `differing` only.
struct TensorDifference {
  int64_t count = 0, differing = 0;       ///< NaN at the same place in both is no difference.
  double maxAbsolute = 0;                 ///< Largest |a−b| of finite pairs; infinite if only one of a pair is finite.
  double maxRelative = 0;                 ///< Largest |a−b| / max(|a|,|b|).
  int64_t worst = -1;                     ///< Flat index of maxAbsolute; -1 if nothing differs.
  double norm = 0, normA = 0, normB = 0;  ///< ‖a−b‖, ‖a‖, ‖b‖ over finite pairs.
  double cosine = 1;                      ///< Of the angle between them; NaN if one of them is zero and the other is not.
  WEFT_API double relative() const;       ///< ‖a−b‖ / ‖a‖; infinite if a is zero and b is not.
};
/// INVALID_ARGUMENT unless shapes and dtypes agree. Strings: only `differing` and `worst`.
WEFT_API Result<TensorDifference> differenceOf(const Tensor& a, const Tensor& b, const Progress& progress = {});

}  // namespace weft
