#include "values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::generated {
namespace {

template <typename T>
T clamped(double v) {
  if (std::isnan(v)) return T(0);
  const double low = double(std::numeric_limits<T>::min()), high = double(std::numeric_limits<T>::max());
  if (v <= low) return std::numeric_limits<T>::min();
  if (v >= high) return std::numeric_limits<T>::max();
  return T(v);
}

/// Calls f(pointer to elements, conversion from double) for a type with numbers.
template <typename F>
bool withNumbers(Tensor& t, F&& f) {
  switch (t.dtype()) {
    case DType::Float: f(t.mutableData<float>(), [](double v) { return float(v); }); return true;
    case DType::Double: f(t.mutableData<double>(), [](double v) { return v; }); return true;
    case DType::Half: f(t.mutableData<HalfBits>(), [](double v) { return halfFromFloat(float(v)); }); return true;
    case DType::BFloat16: f(t.mutableData<BFloat16Bits>(), [](double v) { return bfloat16FromFloat(float(v)); }); return true;
    case DType::Int8: f(t.mutableData<int8_t>(), clamped<int8_t>); return true;
    case DType::Int16: f(t.mutableData<int16_t>(), clamped<int16_t>); return true;
    case DType::Int32: f(t.mutableData<int32_t>(), clamped<int32_t>); return true;
    case DType::Int64: f(t.mutableData<int64_t>(), clamped<int64_t>); return true;
    case DType::UInt8: f(t.mutableData<uint8_t>(), clamped<uint8_t>); return true;
    case DType::UInt16: f(t.mutableData<uint16_t>(), clamped<uint16_t>); return true;
    case DType::UInt32: f(t.mutableData<uint32_t>(), clamped<uint32_t>); return true;
    case DType::UInt64: f(t.mutableData<uint64_t>(), clamped<uint64_t>); return true;
    case DType::Bool: f(t.mutableData<bool>(), [](double v) { return v != 0; }); return true;
    case DType::Complex64: f(t.mutableData<std::complex<float>>(), [](double v) { return std::complex<float>(float(v), float(v * 0.5 - 0.25)); }); return true;
    case DType::Complex128: f(t.mutableData<std::complex<double>>(), [](double v) { return std::complex<double>(v, v * 0.5 - 0.25); }); return true;
    default: return false;
  }
}

}  // namespace

bool hasNumbers(DType type) { return isNumeric(type) || type == DType::Bool; }

double epsilonOf(DType type) {
  switch (baseType(type)) {
    case DType::Float:
    case DType::Complex64: return 0x1p-23;
    case DType::Double:
    case DType::Complex128: return 0x1p-52;
    case DType::Half: return 0x1p-10;
    case DType::BFloat16: return 0x1p-7;
    default: return 0;
  }
}

Tensor filled(DType type, const Shape& shape, const std::function<double(int64_t)>& value) {
  Tensor t = Tensor::zeros(type, shape);
  const int64_t n = t.elements();
  withNumbers(t, [&](auto* out, auto&& from) {
    for (int64_t i = 0; i < n; ++i) out[i] = from(value(i));
  });
  return t;
}

Tensor randomBetween(Random& random, DType type, const Shape& shape, double low, double high) {
  const bool whole = isInteger(type);
  return filled(type, shape, [&](int64_t) { return whole ? double(random.between(int64_t(low), int64_t(high))) : low + (high - low) * random.uniform(); });
}

Tensor converted(const Tensor& from, DType type) {
  return filled(type, from.shape(), [&](int64_t i) { return from.asDouble(i); });
}

Tensor integers(DType type, const std::vector<int64_t>& values) {
  return filled(type, {int64_t(values.size())}, [&](int64_t i) { return double(values[size_t(i)]); });
}

Tensor randomTensor(Random& random, DType type, const Shape& shape) {
  if (type == DType::String) {
    static const std::vector<std::string> kWords = {"", "a", "bc", "weft", "zero\0byte", "1.5", "-7", "two words", "\xe6\xbc\xa2\xe5\xad\x97", "x,y"};
    Tensor t = Tensor::zeros(type, shape);
    for (int64_t i = 0; i < t.elements(); ++i) t.mutableData<std::string>()[i] = random.pick(kWords);
    return t;
  }
  if (type == DType::Bool) return filled(type, shape, [&](int64_t) { return double(random.below(2)); });
  if (isInteger(type)) {
    if (random.chance(0.03)) {
      static const std::vector<double> kEnds = {0, 1, -1, 127, 128, 255, 65535, 2147483647.0, -2147483648.0, 9.2e18, -9.3e18};
      return filled(type, shape, [&](int64_t) { return random.pick(kEnds); });
    }
    const double low = random.chance(0.5) ? 0 : -4;
    return randomBetween(random, type, shape, low, 9);
  }
  const int64_t style = random.below(40);
  if (style == 0) {
    static const std::vector<double> kSpecial = {0, -0.0, 1, -1, 0.5, INFINITY, -INFINITY, NAN, 1e-30, 1e30, 65504, 1e-7};
    return filled(type, shape, [&](int64_t) { return random.pick(kSpecial); });
  }
  if (style < 6) return filled(type, shape, [&](int64_t) { return double(random.between(-3, 3)); });
  if (style < 20) return randomBetween(random, type, shape, 0.1, 2);
  return filled(type, shape, [&](int64_t) { return random.normal(); });
}

}  // namespace weft::generated
