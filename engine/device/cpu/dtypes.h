#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "tensor/variable.h"
#include "tensor/variant.h"
#include "weft/dtype.h"

// The C++ types with which kernels compute, and dispatch from a DType to them.
namespace weft::cpu {

/// IEEE half precision. Arithmetic happens in float; each stored result is rounded to nearest even.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float f) {
    const uint32_t x = std::bit_cast<uint32_t>(f), sign = (x >> 16) & 0x8000u, mag = x & 0x7fffffffu;
    if (mag >= 0x47800000u) {  // too large, infinite or NaN
      bits = uint16_t(sign | (mag > 0x7f800000u ? 0x7e00u : 0x7c00u));
    } else if (mag < 0x38800000u) {  // subnormal: adding 0.5 puts the rounded mantissa into the lowest bits
      bits = uint16_t(sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(mag) + 0.5f) - 0x3f000000u));
    } else {
      bits = uint16_t(sign | ((mag - 0x38000000u + 0xfffu + ((mag >> 13) & 1u)) >> 13));
    }
  }
  operator float() const {
    const uint32_t sign = uint32_t(bits & 0x8000u) << 16, mag = bits & 0x7fffu;
    if (mag >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (mag & 0x3ffu) << 13);
    if (mag < 0x400u) {  // subnormal: mag * 2^-24
      return std::bit_cast<float>(std::bit_cast<uint32_t>(float(mag) * 5.9604644775390625e-8f) | sign);
    }
    return std::bit_cast<float>(sign | ((mag << 13) + 0x38000000u));
  }
};

/// The upper half of a float, rounded to nearest even.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float f) {
    const uint32_t x = std::bit_cast<uint32_t>(f);
    bits = (x & 0x7fffffffu) > 0x7f800000u ? uint16_t(0x7fc0u) : uint16_t((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

template <typename T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T>
inline constexpr bool kIsComplex = std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>;
template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsSmallFloat<T>;

/// The type used to compute with T: float for the 16-bit floats, else T itself.
template <typename T>
using Compute = std::conditional_t<kIsSmallFloat<T>, float, T>;

template <typename T>
T lowestOf() {
  if constexpr (kIsSmallFloat<T>) {
    return T(-std::numeric_limits<float>::infinity());
  } else if constexpr (std::is_floating_point_v<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::lowest();
  }
}
template <typename T>
T highestOf() {
  if constexpr (kIsSmallFloat<T>) {
    return T(std::numeric_limits<float>::infinity());
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::max();
  }
}

template <typename T>
struct TypeTag {
  using type = T;
};

/// Calls f(TypeTag<T>()) with the C++ type of a numeric dtype (quantised types are their integers); false for other dtypes.
template <typename F>
bool withNumber(DType t, F&& f) {
  switch (t) {
    case DType::Float: f(TypeTag<float>()); return true;
    case DType::Double: f(TypeTag<double>()); return true;
    case DType::Half: f(TypeTag<Half>()); return true;
    case DType::BFloat16: f(TypeTag<BFloat16>()); return true;
    case DType::Int8:
    case DType::QInt8: f(TypeTag<int8_t>()); return true;
    case DType::UInt8:
    case DType::QUInt8: f(TypeTag<uint8_t>()); return true;
    case DType::Int16:
    case DType::QInt16: f(TypeTag<int16_t>()); return true;
    case DType::UInt16:
    case DType::QUInt16: f(TypeTag<uint16_t>()); return true;
    case DType::Int32:
    case DType::QInt32: f(TypeTag<int32_t>()); return true;
    case DType::UInt32: f(TypeTag<uint32_t>()); return true;
    case DType::Int64: f(TypeTag<int64_t>()); return true;
    case DType::UInt64: f(TypeTag<uint64_t>()); return true;
    case DType::Complex64: f(TypeTag<Complex64>()); return true;
    case DType::Complex128: f(TypeTag<Complex128>()); return true;
    default: return false;
  }
}

/// Sixteen bytes, for moves only.
struct alignas(8) Bytes16 {
  uint64_t a, b;
};

/// Calls f(TypeTag<S>()) with a copyable type of the same size: an unsigned integer, or the element's object type.
template <typename F>
bool withStorage(DType t, F&& f) {
  switch (t) {
    case DType::String: f(TypeTag<std::string>()); return true;
    case DType::Resource: f(TypeTag<ResourceHandle>()); return true;
    case DType::Variant: f(TypeTag<VariantValue>()); return true;
    default: break;
  }
  switch (sizeOf(t)) {
    case 1: f(TypeTag<uint8_t>()); return true;
    case 2: f(TypeTag<uint16_t>()); return true;
    case 4: f(TypeTag<uint32_t>()); return true;
    case 8: f(TypeTag<uint64_t>()); return true;
    case 16: f(TypeTag<Bytes16>()); return true;
    default: return false;
  }
}

/// Bytes of one element in memory, objects included.
inline size_t storageSize(DType t) {
  switch (t) {
    case DType::String: return sizeof(std::string);
    case DType::Resource: return sizeof(ResourceHandle);
    case DType::Variant: return sizeof(VariantValue);
    default: return sizeOf(t);
  }
}

/// Whether elements may be copied as bytes.
inline bool isPlain(DType t) { return sizeOf(t) != 0; }

}  // namespace weft::cpu
