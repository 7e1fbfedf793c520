#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "device/cpu/hot.h"
#include "weft/dtype.h"
#include "weft/error.h"

namespace weft::cpu {

/// An element-wise op for one element type: what its kernel runs, and what the fusion pass interprets tile by tile.
struct ElementwiseEntry {
  std::string_view op;
  DType in = DType::Invalid;  ///< Type of the inputs (of Select: of its values; its condition is bool).
  DType out = DType::Invalid;
  int arity = 1;
  float nanoseconds = 1;      ///< Rough cost of one element.
  SpanFunction fn = nullptr;  ///< fn(inputs, isScalar, out, n); `out` may be an input, and 16-bit floats are rounded after each op.
  /// What to check in the inputs before running: what divides must not be zero, a whole exponent not negative.
  enum class Check : uint8_t { None, ZeroDivisor, NegativeExponent } check = Check::None;
};

/// The entry of `op` for inputs of `dtype`; null if there is none. The same at every call; thread-safe.
WEFT_API const ElementwiseEntry* findElementwise(std::string_view op, DType dtype);

/// Entries outside the hot tables, for all element types (compiled for the baseline instruction set).
std::span<const ElementwiseEntry> baselineUnary();
std::span<const ElementwiseEntry> baselineBinary();
std::span<const ElementwiseEntry> baselineCompare();
std::span<const ElementwiseEntry> baselineSpecial();

/// Elements per thread from which a second one pays: 3 µs of work, ten times what a fork of the pool costs between others.
inline int64_t grainFor(float nanosecondsPerElement) { return nanosecondsPerElement > 0 ? int64_t(3000 / nanosecondsPerElement) + 1 : 65536; }

}  // namespace weft::cpu
