#pragma once

#include <Eigen/Core>
#include <complex>
#include <type_traits>
#include <utility>

#include "weft/tensor.h"

// Dispatch from a DType at run time to the C++ type to compute with. Only for the .cpp files of op families, because it includes Eigen.
namespace weft {

/// The type that a kernel computes with: Eigen's 16-bit floats instead of the bare bits.
template <typename T>
T* elementsOf(Tensor& t) {
  return static_cast<T*>(t.mutableRaw());
}
template <typename T>
const T* elementsOf(const Tensor& t) {
  return static_cast<const T*>(t.raw());
}

/// Calls f(std::type_identity<T>()) with the type of a float DType and returns true; false for other types.
template <typename F>
bool withFloat(DType t, F&& f) {
  switch (t) {
    case DType::Float: f(std::type_identity<float>()); return true;
    case DType::Double: f(std::type_identity<double>()); return true;
    case DType::Half: f(std::type_identity<Eigen::half>()); return true;
    case DType::BFloat16: f(std::type_identity<Eigen::bfloat16>()); return true;
    default: return false;
  }
}

/// As withFloat(), for floats and integers.
template <typename F>
bool withReal(DType t, F&& f) {
  switch (t) {
    case DType::Int8: f(std::type_identity<int8_t>()); return true;
    case DType::Int16: f(std::type_identity<int16_t>()); return true;
    case DType::Int32: f(std::type_identity<int32_t>()); return true;
    case DType::Int64: f(std::type_identity<int64_t>()); return true;
    case DType::UInt8: f(std::type_identity<uint8_t>()); return true;
    case DType::UInt16: f(std::type_identity<uint16_t>()); return true;
    default: return withFloat(t, std::forward<F>(f));
  }
}

/// As withReal(), and complex numbers.
template <typename F>
bool withNumber(DType t, F&& f) {
  switch (t) {
    case DType::Complex64: f(std::type_identity<std::complex<float>>()); return true;
    case DType::Complex128: f(std::type_identity<std::complex<double>>()); return true;
    default: return withReal(t, std::forward<F>(f));
  }
}

namespace types {
/// Dtypes of TensorFlow 1.15's CPU kernels that update variables.
inline const std::vector<DType> kCpuReal = {DType::Float, DType::Double, DType::Half,  DType::BFloat16, DType::Int8,
                                            DType::Int16, DType::Int32,  DType::Int64, DType::UInt8,    DType::UInt16};
inline const std::vector<DType> kCpuNumber = {DType::Float, DType::Double, DType::Half,  DType::BFloat16, DType::Int8,      DType::Int16,
                                              DType::Int32, DType::Int64,  DType::UInt8, DType::UInt16,   DType::Complex64, DType::Complex128};
inline const std::vector<DType> kCpuFloats = {DType::Float, DType::Double, DType::Half, DType::BFloat16};
/// Dtypes of TensorFlow 1.15's CPU kernels for mathematical functions: often the IEEE 754 formats only, without bfloat16.
inline const std::vector<DType> kIeeeFloats = {DType::Half, DType::Float, DType::Double};
inline const std::vector<DType> kIeeeFloatsComplex = {DType::Half, DType::Float, DType::Double, DType::Complex64, DType::Complex128};
inline const std::vector<DType> kFloatsComplex = {DType::BFloat16, DType::Half, DType::Float, DType::Double, DType::Complex64, DType::Complex128};
}  // namespace types

/// Copies `count` elements. REQUIRES: equal dtypes, and ranges inside both tensors. Works for objects (strings, handles, variants) too.
void copyElements(Tensor& to, int64_t toBegin, const Tensor& from, int64_t fromBegin, int64_t count);

}  // namespace weft
