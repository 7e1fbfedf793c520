#include "device/cuda/registration.h"

// Ops that pass buffers on or return shapes: their CPU kernels touch no elements.
namespace weft::cuda {

void registerViewsGpu(OpRegistry& ops) {
  const std::vector<DType> numbers = {DType::Half,  DType::BFloat16, DType::Float, DType::Double, DType::Int8,      DType::UInt8,
                                      DType::Int16, DType::UInt16,   DType::Int64, DType::Bool,   DType::Complex64, DType::Complex128};
  const std::vector<DType> passed = {DType::Half,  DType::BFloat16, DType::Float, DType::Double,    DType::Int8,       DType::UInt8,
                                     DType::Int16, DType::UInt16,   DType::Int64, DType::Complex64, DType::Complex128, DType::Variant};
  const std::vector<DType> onHost = {DType::Int32, DType::Bool, DType::Resource, DType::String};
  std::vector<DType> measured = numbers;
  measured.push_back(DType::Variant);
  for (const char* op : {"NoOp", "ControlTrigger", "Placeholder", "PlaceholderV2", "IdentityN", "Bitcast"}) shareWithCpu(ops, op);
  for (const char* op : {"VariableV2", "Variable"}) shareWithCpu(ops, op, {}, {DType::Half, DType::Float, DType::Double, DType::Int64}, "dtype");
  shareWithCpu(ops, "Assign", {}, {DType::Half, DType::Float, DType::Double, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128});
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "EnsureShape"}) shareWithCpu(ops, op, {}, passed);
  for (const char* op : {"Identity", "StopGradient", "EnsureShape"}) keepOnHost(ops, op, onHost);
  shareWithCpu(ops, "PlaceholderWithDefault", {}, passed, "dtype");
  keepOnHost(ops, "PlaceholderWithDefault", onHost, "dtype");
  shareWithCpu(ops, "Reshape", {"shape"}, numbers);
  shareWithCpu(ops, "ExpandDims", {"dim"}, numbers);
  shareWithCpu(ops, "Squeeze", {}, numbers);
  shareWithCpu(ops, "Shape", {"output"}, measured);
  shareWithCpu(ops, "ShapeN", {"output"}, numbers);
  shareWithCpu(ops, "Size", {"output"}, measured);
  shareWithCpu(ops, "Rank", {"output"}, passed);
  for (const char* op : {"Reshape", "ExpandDims", "Squeeze", "Shape", "ShapeN", "Size"}) keepOnHost(ops, op);
  keepOnHost(ops, "Rank", {DType::Int32, DType::Bool});
  // Constants belong to the plan and stay in host memory; plans copy them where they are used.
  shareWithCpu(ops, "Const", {"output"}, {DType::Half,       DType::BFloat16, DType::Float,  DType::Double, DType::Int8,    DType::UInt8,  DType::Int16,
                                          DType::UInt16,     DType::UInt32,   DType::Int32,  DType::Int64,  DType::UInt64,  DType::Bool,   DType::Complex64,
                                          DType::Complex128, DType::QInt16,   DType::QInt32, DType::QInt8,  DType::QUInt16, DType::Variant},
               "dtype");
  // Arithmetic with shapes.
  for (const char* op : {"BroadcastArgs", "BroadcastGradientArgs", "InvertPermutation"}) keepOnHost(ops, op, {DType::Int32, DType::Int64});
  keepOnHost(ops, "ConcatOffset", {});
  keepOnHost(ops, "Range", {DType::Float, DType::Double, DType::Int32, DType::Int64}, "Tidx");
  keepOnHost(ops, "LinSpace", {DType::Float, DType::Double});
}

}  // namespace weft::cuda
