#include "device/cuda/registration.h"

// Ops that pass buffers on, return shapes, or hold variables: their CPU kernels touch no elements.
namespace weft::cuda {

void registerViewsGpu(OpRegistry& ops) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "NoOp", "ControlTrigger", "VariableV2", "Assign", "Placeholder"}) shareWithCpu(ops, op);
  shareWithCpu(ops, "Reshape", {"shape"});
  shareWithCpu(ops, "ExpandDims", {"dim"});
  shareWithCpu(ops, "Squeeze");
  shareWithCpu(ops, "Shape", {"output"});
  shareWithCpu(ops, "ShapeN", {"output"});
  shareWithCpu(ops, "Size", {"output"});
  shareWithCpu(ops, "Rank", {"output"});
}

}  // namespace weft::cuda
