#include "weft/dtype.h"

#include <array>
#include <bit>
#include <cctype>

namespace weft {
namespace {

struct Info {
  const char* name;       // Python
  const char* shortName;  // DataTypeString
  const char* enumName;   // protos, without DT_
  size_t size;
};

constexpr Info kInfo[] = {
    {"invalid", "INVALID", "INVALID", 0},
    {"float32", "float", "FLOAT", 4},
    {"float64", "double", "DOUBLE", 8},
    {"int32", "int32", "INT32", 4},
    {"uint8", "uint8", "UINT8", 1},
    {"int16", "int16", "INT16", 2},
    {"int8", "int8", "INT8", 1},
    {"string", "string", "STRING", 0},
    {"complex64", "complex64", "COMPLEX64", 8},
    {"int64", "int64", "INT64", 8},
    {"bool", "bool", "BOOL", 1},
    {"qint8", "qint8", "QINT8", 1},
    {"quint8", "quint8", "QUINT8", 1},
    {"qint32", "qint32", "QINT32", 4},
    {"bfloat16", "bfloat16", "BFLOAT16", 2},
    {"qint16", "qint16", "QINT16", 2},
    {"quint16", "quint16", "QUINT16", 2},
    {"uint16", "uint16", "UINT16", 2},
    {"complex128", "complex128", "COMPLEX128", 16},
    {"float16", "half", "HALF", 2},
    {"resource", "resource", "RESOURCE", 0},
    {"variant", "variant", "VARIANT", 0},
    {"uint32", "uint32", "UINT32", 4},
    {"uint64", "uint64", "UINT64", 8},
};

const Info* infoOf(DType t) {
  const auto i = static_cast<size_t>(baseType(t));
  return i < std::size(kInfo) ? &kInfo[i] : nullptr;
}

std::string unknownName(DType t) { return "unknown_" + std::to_string(static_cast<int>(t)); }

}  // namespace

bool isKnown(DType t) { return infoOf(t) != nullptr && t != DType::Invalid; }

size_t sizeOf(DType t) {
  const Info* info = infoOf(t);
  return info ? info->size : 0;
}

std::string dtypeName(DType t) {
  const Info* info = infoOf(t);
  if (!info) return unknownName(t);
  return isRef(t) ? std::string(info->name) + "_ref" : info->name;
}

std::string dtypeShortName(DType t) {
  const Info* info = infoOf(t);
  if (!info) return unknownName(t);
  return isRef(t) ? std::string(info->shortName) + "_ref" : info->shortName;
}

std::string dtypeEnumName(DType t) {
  const Info* info = infoOf(t);
  if (!info) return std::to_string(static_cast<int>(t));
  return std::string("DT_") + info->enumName + (isRef(t) ? "_REF" : "");
}

DType dtypeFromName(std::string_view name) {
  std::string_view base = name;
  bool ref = false;
  for (std::string_view suffix : {"_ref", "_REF"}) {
    if (base.size() > suffix.size() && base.ends_with(suffix)) {
      base.remove_suffix(suffix.size());
      ref = true;
      break;
    }
  }
  if (base.starts_with("DT_")) base.remove_prefix(3);
  for (size_t i = 1; i < std::size(kInfo); ++i) {
    if (base == kInfo[i].name || base == kInfo[i].shortName || base == kInfo[i].enumName) {
      const auto t = static_cast<DType>(i);
      return ref ? refType(t) : t;
    }
  }
  return DType::Invalid;
}

bool isFloating(DType t) {
  t = baseType(t);
  return t == DType::Float || t == DType::Double || t == DType::Half || t == DType::BFloat16;
}

bool isInteger(DType t) {
  switch (baseType(t)) {
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64: return true;
    default: return false;
  }
}

bool isComplex(DType t) {
  t = baseType(t);
  return t == DType::Complex64 || t == DType::Complex128;
}

float toFloat(BFloat16Bits b) { return std::bit_cast<float>(uint32_t(b.bits) << 16); }

BFloat16Bits bfloat16FromFloat(float f) {
  const auto u = std::bit_cast<uint32_t>(f);
  if (f != f) return {uint16_t((u >> 16) | 0x40)};
  return {uint16_t((u + 0x7fff + ((u >> 16) & 1)) >> 16)};
}

float toFloat(HalfBits h) {
  const uint32_t sign = uint32_t(h.bits & 0x8000) << 16;
  const uint32_t exponent = (h.bits >> 10) & 0x1f;
  uint32_t mantissa = h.bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
  if (exponent) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float value = float(mantissa) * 0x1p-24f;  // subnormal or zero: exact in float
  return sign ? -value : value;
}

HalfBits halfFromFloat(float f) {
  const auto u = std::bit_cast<uint32_t>(f);
  const auto sign = uint16_t((u >> 16) & 0x8000);
  const uint32_t a = u & 0x7fffffff;
  if (a > 0x7f800000) return {uint16_t(sign | 0x7e00)};
  if (a >= 0x477ff000) return {uint16_t(sign | 0x7c00)};  // rounds to infinity
  if (a < 0x38800000) {                                   // subnormal: let float addition round
    const float shifted = std::bit_cast<float>(a) + 0.5f;
    return {uint16_t(sign | (std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(0.5f)))};
  }
  const uint32_t rounded = a + 0xfff + ((a >> 13) & 1);
  return {uint16_t(sign | ((rounded - 0x38000000) >> 13))};
}

}  // namespace weft
