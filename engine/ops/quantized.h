#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/registry.h"

// Conversions between numbers and small integers with a range, as in TensorFlow's quantized ops. There are two: per number in double precision (QuantizedRange)
// and per array in single precision (QuantizedSteps). They round differently, and each op uses the one that TensorFlow uses.
namespace weft::quantized {

inline constexpr const char* kAnyType = "{qint8, quint8, qint32, qint16, quint16}";

/// Converts a double to an integer like x86: the lowest one if it does not fit.
inline int64_t toInteger(double x) { return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? int64_t(x) : std::numeric_limits<int64_t>::min(); }
template <typename T>
int64_t lowest() {
  return toInteger(double(std::numeric_limits<T>::lowest()));
}
template <typename T>
int64_t highest() {
  return std::is_floating_point_v<T> ? lowest<T>() : int64_t(std::numeric_limits<T>::max());
}
template <typename T>
constexpr double steps() {
  return double(int64_t(1) << (sizeof(T) * 8));
}

/// The numbers that the lowest and the highest integer represent.
struct Range {
  float min = 0, max = 0;

  template <typename T>
  int64_t unclamped(float x) const {
    if (min == max) return lowest<T>();
    const double range = double(max - min) * (steps<T>() / (steps<T>() - 1.0)), scale = steps<T>() / range;
    return int64_t(uint64_t(toInteger(std::round(double(x) * scale) - std::round(double(min) * scale))) + uint64_t(lowest<T>()));
  }
  template <typename T>
  T integer(float x) const {
    return T(int32_t(std::min(std::max(unclamped<T>(x), lowest<T>()), highest<T>())));
  }
  template <typename T>
  float number(T q) const {
    if (min == max) return min;
    const double range = double(max - min) * (steps<T>() / (steps<T>() - 1.0)), scale = range / steps<T>();
    const float from = std::round(min / float(scale)) * float(scale);               // in single precision, as in TensorFlow
    return float(double(from) + (double(float(q)) - double(lowest<T>())) * scale);  // 32-bit integers are converted to float as well
  }
  /// The distance between the numbers of neighbouring integers.
  template <typename T>
  float level() const {
    return (max - min) / float(highest<T>() - lowest<T>());
  }
};

/// From integers of T to numbers, with the conversion for arrays.
template <typename T>
struct FromSteps {
  float scale, start;
  explicit FromSteps(Range r) : scale(float(double(r.max - r.min) / (steps<T>() - 1.0))) {
    const float first = r.max == r.min ? r.min : std::round(r.min / scale) * scale;
    start = first - float(std::numeric_limits<T>::lowest()) * scale;
  }
  float operator()(T q) const { return start + float(q) * scale; }
};

/// From numbers to integers of T, with the conversion for arrays.
template <typename T>
struct ToSteps {
  float scale, shift;
  explicit ToSteps(Range r) : scale(r.max == r.min ? 0.0f : float((steps<T>() - 1.0) / double(r.max - r.min))) {
    shift = std::round(r.min * scale) - float(std::numeric_limits<T>::lowest());
  }
  T operator()(float x) const {
    // The highest 32-bit integer is not representable as a float; clamp to the value below it.
    const float low = float(std::numeric_limits<T>::lowest()), high = std::min(float(std::numeric_limits<T>::max()), 2147483520.0f);
    const float q = std::round(x * scale) - shift, above = q < low ? low : q, within = above > high ? high : above;
    return std::isnan(within) ? T(std::numeric_limits<int32_t>::min()) : T(int32_t(within));
  }
};

/// Range of the 32-bit product of an A and a B.
template <typename A, typename B>
Range productRange(Range a, Range b) {
  const float level = a.level<A>() * b.level<B>();
  return {level * float(lowest<int32_t>()), level * float(highest<int32_t>())};
}

/// Calls f(T()) with the integer type behind a quantized one (float for float); false for others.
template <typename F>
bool withQuantized(DType t, F&& f) {
  switch (t) {
    case DType::QInt8: f(int8_t()); return true;
    case DType::QUInt8: f(uint8_t()); return true;
    case DType::QInt16: f(int16_t()); return true;
    case DType::QUInt16: f(uint16_t()); return true;
    case DType::QInt32: f(int32_t()); return true;
    case DType::Float: f(float()); return true;
    default: return false;
  }
}

template <typename T>
const T* data(const Tensor& t) {
  return static_cast<const T*>(t.raw());
}
template <typename T>
T* data(Tensor& t) {
  return static_cast<T*>(t.mutableRaw());
}

/// The range in inputs `i` and `i+1` of a kernel: their first elements. INVALID_ARGUMENT for empty tensors.
inline Result<Range> rangeAt(KernelContext& c, int i) {
  if (c.input(i).elements() < 1 || c.input(i + 1).elements() < 1) return invalidArgument("The range of ", c.node().name, " must be two numbers");
  return Range{c.input(i).at<float>(0), c.input(i + 1).at<float>(0)};
}
inline Status setRange(KernelContext& c, Range r, int first = 1) {
  c.setOutput(first, Tensor::scalar(r.min));
  c.setOutput(first + 1, Tensor::scalar(r.max));
  return {};
}

/// A shape function: that of `inner` for output 0; requires scalars at inputs [from, to); the other outputs are scalars.
inline ShapeFunction withRanges(ShapeFunction inner, int from, int to) {
  return [=](ShapeContext& c) -> Status {
    WEFT_TRY(inner(c));
    for (int i = from; i < to; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
    for (int k = 1; k < c.outputCount(); ++k) c.setOutput(k, Shape());
    return {};
  };
}
/// Uses the shape function of a registered op: output 0 of a quantized op has the shape of the plain op's output.
inline ShapeFunction shapeOf(OpRegistry& ops, const char* sister) { return ops.find(sister)->shapeFunction; }

inline constexpr const char* kNotTrained = "Quantized integers are not differentiable.";
/// Adds the common parts of the records of quantized ops.
inline OpRecord& described(OpRecord& r, const char* summary) {
  return r.category("Quantized").keywords("quantization int8 mobile inference").summary(summary).noGradient(kNotTrained);
}

}  // namespace weft::quantized
