#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// The sum of two tensors, for what adds outside of kernels: gradients that meet in a TensorArray.
namespace weft::cuda {
namespace {

template <typename T>
Status add(CudaDevice& d, const Tensor& a, const Tensor& b, Tensor& out) {
  const T *x = dataOf<T>(a), *y = dataOf<T>(b);
  T* to = mutableDataOf<T>(out);
  return forEach(d, a.elements(), [=] __device__(int64_t i) { to[i] = T(Wide<T>(x[i]) + Wide<T>(y[i])); });
}

}  // namespace

Status addTensors(CudaDevice& d, const Tensor& a, const Tensor& b, Tensor& out) {
  switch (a.dtype()) {
    case DType::Half: return add<Half>(d, a, b, out);
    case DType::BFloat16: return add<BFloat16>(d, a, b, out);
    case DType::Float: return add<float>(d, a, b, out);
    case DType::Double: return add<double>(d, a, b, out);
    case DType::Int32: return add<int32_t>(d, a, b, out);
    case DType::Int64: return add<int64_t>(d, a, b, out);
    case DType::Complex64: return add<Complex64>(d, a, b, out);
    case DType::Complex128: return add<Complex128>(d, a, b, out);
    default: return unimplemented("values of type ", dtypeShortName(a.dtype()), " cannot be added on a GPU");
  }
}

}  // namespace weft::cuda
