#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "device/cpu/hot.h"
#include "weft/dtype.h"
#include "weft/error.h"

namespace weft::cpu {

/// An element-wise op for one element type; kernels run it and the fusion pass interprets it tile by tile.
struct ElementwiseEntry {
  std::string_view op;
  DType in = DType::Invalid;  ///< Dtype of the inputs (for Select: of the values; the condition is bool).
  DType out = DType::Invalid;
  int arity = 1;
  float nanoseconds = 1;      ///< Rough cost of one element.
  SpanFunction fn = nullptr;  ///< fn(inputs, isScalar, out, n); `out` may be an input, and 16-bit floats are rounded after each op.
  /// The check of the inputs before running: no zero divisors, or no negative integer exponents.
  enum class Check : uint8_t { None, ZeroDivisor, NegativeExponent } check = Check::None;
};

/// The entry of `op` for inputs of `dtype`, always the same one; null if there is none. Thread-safe.
WEFT_API const ElementwiseEntry* findElementwise(std::string_view op, DType dtype);

/// Entries outside the hot tables, for all element types (compiled for the baseline instruction set).
std::span<const ElementwiseEntry> baselineUnary();
std::span<const ElementwiseEntry> baselineBinary();
std::span<const ElementwiseEntry> baselineCompare();
std::span<const ElementwiseEntry> baselineSpecial();

/// Entries of half and bfloat16 made from those of float in `table`, which must stay alive. REQUIRES: called once, before any of them runs.
std::vector<ElementwiseEntry> halfEntries(const std::map<std::pair<std::string_view, DType>, ElementwiseEntry>& table);

/// Minimum number of elements per thread: 3 µs of work, ten times the cost of a fork of the pool when forks follow closely.
inline int64_t grainFor(float nanosecondsPerElement) { return nanosecondsPerElement > 0 ? int64_t(3000 / nanosecondsPerElement) + 1 : 65536; }

}  // namespace weft::cpu
