#include "device/cuda/registration.h"

// Diag and DiagPart: the CPU kernels, which move elements in the memory of their tensors.
namespace weft::cuda {

void registerTensorDiagonalsGpu(OpRegistry& ops) {
  for (const char* op : {"Diag", "DiagPart"}) {
    shareWithCpu(ops, op, {}, {DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128});
  }
}

}  // namespace weft::cuda
