#pragma once

#include "graph/shape_context.h"
#include "kernel/kernel.h"
#include "weft/builder.h"
#include "weft/op.h"

// The header for op families: records, shape functions, gradients, kernels.
namespace weft {

/// Type lists with the names of TensorFlow's op definitions.
namespace types {
inline const std::vector<DType> kFloat = {DType::Float};
inline const std::vector<DType> kFloats = {DType::Half, DType::Float, DType::Double};
inline const std::vector<DType> kFloatsBf = {DType::BFloat16, DType::Half, DType::Float, DType::Double};
inline const std::vector<DType> kIndex = {DType::Int32, DType::Int64};
inline const std::vector<DType> kComplex = {DType::Complex64, DType::Complex128};
}  // namespace types

/// States role and effects of ops; `names` are separated by blanks. REQUIRES: all of them are registered (the same holds for the functions below).
void state(OpRegistry& ops, OpRole role, Effect effects, std::string_view names);
/// These ops may keep tensors beyond a call (OpRecord::retainsTensors).
void retain(OpRegistry& ops, std::string_view names);
/// The outputs of these ops never share memory with their inputs.
void makeFresh(OpRegistry& ops, std::string_view names);
/// The first output of these ops stands for their first input, be it a handle or what a gradient is taken of.
void passHandles(OpRegistry& ops, std::string_view names);
/// TensorFlow's shape functions of these ops, which are ours, are wrong about the outputs after the first `right`.
void misstateShapes(OpRegistry& ops, int right, std::string_view names);
/// FLOPs for each element of the largest input or output.
void countFlops(OpRegistry& ops, double perElement, std::string_view names);
void passNan(OpRegistry& ops, NanPath path, std::string_view names);

/// Gradient of a pass-through op: the gradient of its output.
inline Result<std::vector<Output>> passGradient(GradContext& c) { return std::vector<Output>{c.grad()}; }

}  // namespace weft
