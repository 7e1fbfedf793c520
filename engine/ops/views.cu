#include "device/cuda/registration.h"

// Ops that pass buffers on or return shapes: their CPU kernels touch no elements.
namespace weft::cuda {

void registerViewsGpu(OpRegistry& ops) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "NoOp", "ControlTrigger", "Placeholder"}) shareWithCpu(ops, op);
  for (const char* op : {"VariableV2", "Variable"}) shareWithCpu(ops, op, {}, {DType::Half, DType::Float, DType::Double, DType::Int64}, "dtype");
  shareWithCpu(ops, "Assign", {}, {DType::Half, DType::Float, DType::Double, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128});
  shareWithCpu(ops, "Reshape", {"shape"});
  shareWithCpu(ops, "ExpandDims", {"dim"});
  shareWithCpu(ops, "Squeeze");
  shareWithCpu(ops, "Shape", {"output"});
  shareWithCpu(ops, "ShapeN", {"output"});
  shareWithCpu(ops, "Size", {"output"});
  shareWithCpu(ops, "Rank", {"output"});
}

}  // namespace weft::cuda
