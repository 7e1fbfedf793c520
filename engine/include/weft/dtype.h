#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/export.h"

namespace weft {

/// Element types with TensorFlow's DataType numbers. A reference type is its base type + 100.
enum class DType : int32_t {
  Invalid = 0,
  Float = 1,
  Double = 2,
  Int32 = 3,
  UInt8 = 4,
  Int16 = 5,
  Int8 = 6,
  String = 7,
  Complex64 = 8,
  Int64 = 9,
  Bool = 10,
  QInt8 = 11,
  QUInt8 = 12,
  QInt32 = 13,
  BFloat16 = 14,
  QInt16 = 15,
  QUInt16 = 16,
  UInt16 = 17,
  Complex128 = 18,
  Half = 19,
  Resource = 20,
  Variant = 21,
  UInt32 = 22,
  UInt64 = 23,
};

inline bool isRef(DType t) { return static_cast<int32_t>(t) > 100; }
inline DType baseType(DType t) { return isRef(t) ? static_cast<DType>(static_cast<int32_t>(t) - 100) : t; }
inline DType refType(DType t) { return isRef(t) ? t : static_cast<DType>(static_cast<int32_t>(t) + 100); }

/// Bytes of one element; 0 for String, Resource, Variant and Invalid, whose elements are objects.
WEFT_API size_t sizeOf(DType t);
/// "float32": the name used by Python, `weft` and case files. References: "float32_ref".
WEFT_API std::string dtypeName(DType t);
/// "float", "int64", "bool", "float_ref": TensorFlow's DataTypeString, which its messages use.
WEFT_API std::string dtypeShortName(DType t);
/// "DT_FLOAT", "DT_FLOAT_REF": the enumerator in text protos.
WEFT_API std::string dtypeEnumName(DType t);
/// Parses any of the three spellings; Invalid for anything else.
WEFT_API DType dtypeFromName(std::string_view name);
/// Whether TensorFlow has the base type `t`.
WEFT_API bool isKnown(DType t);

WEFT_API bool isFloating(DType t);  ///< half, bfloat16, float, double
WEFT_API bool isInteger(DType t);   ///< signed and unsigned, without quantised types
WEFT_API bool isComplex(DType t);
inline bool isNumeric(DType t) { return isFloating(t) || isInteger(t) || isComplex(t); }

/// Bit patterns of the two 16-bit float types. Kernels compute with Eigen's types, which have the same layout.
struct HalfBits {
  uint16_t bits;
};
struct BFloat16Bits {
  uint16_t bits;
};
WEFT_API float toFloat(HalfBits h);
WEFT_API float toFloat(BFloat16Bits b);
WEFT_API HalfBits halfFromFloat(float f);          ///< Round to nearest even.
WEFT_API BFloat16Bits bfloat16FromFloat(float f);  ///< Round to nearest even.

struct ResourceHandle;  // tensor/variable.h
struct VariantValue;    // tensor/variant.h

/// The DType of a C++ element type.
template <typename T>
struct DTypeOf;
#define WEFT_DTYPE_OF(type, dtype)               \
  template <>                                    \
  struct DTypeOf<type> {                         \
    static constexpr DType value = DType::dtype; \
  };
WEFT_DTYPE_OF(float, Float)
WEFT_DTYPE_OF(double, Double)
WEFT_DTYPE_OF(int32_t, Int32)
WEFT_DTYPE_OF(uint8_t, UInt8)
WEFT_DTYPE_OF(int16_t, Int16)
WEFT_DTYPE_OF(int8_t, Int8)
WEFT_DTYPE_OF(std::string, String)
WEFT_DTYPE_OF(std::complex<float>, Complex64)
WEFT_DTYPE_OF(int64_t, Int64)
WEFT_DTYPE_OF(bool, Bool)
WEFT_DTYPE_OF(BFloat16Bits, BFloat16)
WEFT_DTYPE_OF(uint16_t, UInt16)
WEFT_DTYPE_OF(std::complex<double>, Complex128)
WEFT_DTYPE_OF(HalfBits, Half)
WEFT_DTYPE_OF(uint32_t, UInt32)
WEFT_DTYPE_OF(uint64_t, UInt64)
#undef WEFT_DTYPE_OF

}  // namespace weft
