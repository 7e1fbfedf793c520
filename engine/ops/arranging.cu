#include "device/cuda/registration.h"

// Transposes, reversals, repetitions: the CPU kernels, which move elements in the memory of their tensors.
namespace weft::cuda {

void registerArrangingGpu(OpRegistry& ops) {
  const std::vector<DType> transposed = {DType::Half,   DType::BFloat16, DType::Float, DType::Double, DType::Int8,      DType::UInt8,     DType::Int16,
                                         DType::UInt16, DType::Int32,    DType::Int64, DType::Bool,   DType::Complex64, DType::Complex128};
  shareWithCpu(ops, "Transpose", {"perm"}, transposed);
  shareWithCpu(ops, "ConjugateTranspose", {"perm"}, transposed);
  shareWithCpu(ops, "Tile", {"multiples"},
               {DType::Half, DType::Float, DType::Double, DType::Int16, DType::Int32, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128});
  shareWithCpu(ops, "BroadcastTo", {"shape"}, {DType::Half, DType::Float, DType::Double, DType::Bool, DType::Complex64, DType::Complex128});
  const std::vector<DType> reversed = {DType::Half, DType::Float, DType::Double, DType::Int8, DType::UInt8, DType::Bool, DType::Complex64, DType::Complex128};
  shareWithCpu(ops, "Reverse", {"dims"}, reversed);
  shareWithCpu(ops, "ReverseV2", {"axis"}, reversed);
  for (const char* op : {"BroadcastTo", "Reverse", "ReverseV2"}) keepOnHost(ops, op);
}

}  // namespace weft::cuda
