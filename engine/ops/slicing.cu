#include "device/cuda/registration.h"

// Slices, their gradient, and assignments to slices: the CPU kernels, which move elements in the memory of their tensors.
namespace weft::cuda {

void registerSlicingGpu(OpRegistry& ops) {
  const std::vector<DType> strided = {DType::Half, DType::Float, DType::Double, DType::Int8, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128};
  shareWithCpu(ops, "Slice", {"begin", "size"},
               {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Int8, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128});
  shareWithCpu(ops, "StridedSlice", {"begin", "end", "strides"}, strided);
  shareWithCpu(ops, "StridedSliceGrad", {"shape", "begin", "end", "strides"}, strided);
  shareWithCpu(ops, "StridedSliceAssign", {"begin", "end", "strides"}, strided);
  shareWithCpu(ops, "TensorStridedSliceUpdate", {"begin", "end", "strides"}, strided);
  shareWithCpu(ops, "ResourceStridedSliceAssign", {"ref", "begin", "end", "strides"},
               {DType::Half, DType::Float, DType::Double, DType::Int8, DType::Int32, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128});
  for (const char* op : {"Slice", "StridedSlice", "StridedSliceGrad", "StridedSliceAssign", "TensorStridedSliceUpdate"}) keepOnHost(ops, op);
}

}  // namespace weft::cuda
