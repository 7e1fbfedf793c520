#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weft/tensor.h"

namespace weft {

/// Statistics of a tensor's values. Moments and limits are those of the finite values.
struct TensorStatistics {
  bool isNumeric =
      false;  ///< False for strings, handles and variants, which have only `elements` and `bytes`. bool counts as 0 and 1, complex by its real part.
  int64_t elements = 0, bytes = 0;
  int64_t nans = 0, positiveInfinities = 0, negativeInfinities = 0;
  int64_t zeros = 0, negatives = 0;
  double min = 0, max = 0;   ///< 0 if no value is finite.
  double mean = 0, std = 0;  ///< std: the population's.
  double sum = 0, norm = 0;  ///< norm: root of the sum of squares.

  int64_t infinities() const { return positiveInfinities + negativeInfinities; }
  int64_t finite() const { return elements - nans - infinities(); }
  double absMax() const { return std::max(std::abs(min), std::abs(max)); }
};

/// One or two passes over the values; sums in double precision.
WEFT_API TensorStatistics statisticsOf(const Tensor& tensor);

/// The number of finite values in each of `bins` equal parts of [statistics.min, statistics.max]. REQUIRES: bins >= 1.
WEFT_API std::vector<int64_t> histogramOf(const Tensor& tensor, const TensorStatistics& statistics, int bins);

/// The non-finite values that a tensor holds.
enum class NonFinite : uint8_t { None = 0, Nan = 1, Infinity = 2, Both = 3 };
/// Which non-finite values a floating-point or complex tensor holds. Scans at memory speed, on the compute pool if the tensor is large.
WEFT_API NonFinite nonFiniteIn(const Tensor& tensor);
/// Whether it holds a NaN; faster than nonFiniteIn() where infinities are common.
WEFT_API bool hasNan(const Tensor& tensor);
/// Flat positions of the first NaNs and infinities, at most `limit`.
WEFT_API std::vector<int64_t> nonFinitePositions(const Tensor& tensor, size_t limit);

}  // namespace weft
