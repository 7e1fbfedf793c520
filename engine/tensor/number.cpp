#include "tensor/number.h"

#include <complex>

namespace weft {

Result<Tensor> numberOf(DType type, double value) {
  if (!isNumeric(type) && type != DType::Bool) return invalidArgument("There is no number of type ", dtypeName(type));
  Tensor t = Tensor::zeros(type, {});
  switch (type) {
    case DType::Float: *t.mutableData<float>() = float(value); break;
    case DType::Double: *t.mutableData<double>() = value; break;
    case DType::Half: *t.mutableData<HalfBits>() = halfFromFloat(float(value)); break;
    case DType::BFloat16: *t.mutableData<BFloat16Bits>() = bfloat16FromFloat(float(value)); break;
    case DType::Int32: *t.mutableData<int32_t>() = int32_t(value); break;
    case DType::Int64: *t.mutableData<int64_t>() = int64_t(value); break;
    case DType::UInt8: *t.mutableData<uint8_t>() = uint8_t(value); break;
    case DType::Int8: *t.mutableData<int8_t>() = int8_t(value); break;
    case DType::Int16: *t.mutableData<int16_t>() = int16_t(value); break;
    case DType::UInt16: *t.mutableData<uint16_t>() = uint16_t(value); break;
    case DType::UInt32: *t.mutableData<uint32_t>() = uint32_t(value); break;
    case DType::UInt64: *t.mutableData<uint64_t>() = uint64_t(value); break;
    case DType::Bool: *t.mutableData<bool>() = value != 0; break;
    case DType::Complex64: *t.mutableData<std::complex<float>>() = std::complex<float>(float(value)); break;
    case DType::Complex128: *t.mutableData<std::complex<double>>() = std::complex<double>(value); break;
    default: return invalidArgument("There is no number of type ", dtypeName(type));
  }
  return t;
}

}  // namespace weft
