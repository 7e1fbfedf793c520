#include "device/cuda/registration.h"

// Split, SplitV and Unpack: the CPU kernels, which move elements in the memory of their tensors.
namespace weft::cuda {

void registerSplittingGpu(OpRegistry& ops) {
  const std::vector<DType> split = {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Complex64, DType::Complex128};
  shareWithCpu(ops, "Split", {"split_dim"}, split);
  shareWithCpu(ops, "SplitV", {"size_splits", "split_dim"}, split);
  shareWithCpu(ops, "Unpack", {}, {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::UInt8, DType::Bool});
  keepOnHost(ops, "SplitV");
  keepOnHost(ops, "Unpack", {DType::Int32, DType::Int64});
}

}  // namespace weft::cuda
