#include "device/cuda/registration.h"

// Concat and Pack: the CPU kernels, which move elements in the memory of their tensors.
namespace weft::cuda {

void registerJoiningGpu(OpRegistry& ops) {
  const std::vector<DType> joined = {DType::Half,  DType::BFloat16, DType::Float,     DType::Double,    DType::UInt8,
                                     DType::Int64, DType::Bool,     DType::Complex64, DType::Complex128};
  shareWithCpu(ops, "Concat", {"concat_dim"}, joined);
  shareWithCpu(ops, "ConcatV2", {"axis"}, joined);
  shareWithCpu(ops, "Pack", {}, {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Int16, DType::Int64, DType::Bool});
  for (const char* op : {"Concat", "ConcatV2", "Pack"}) keepOnHost(ops, op);
}

}  // namespace weft::cuda
