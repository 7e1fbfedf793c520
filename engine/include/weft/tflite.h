#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/model_import.h"

namespace weft {

/// Rebuilds a TensorFlow Lite model as a TensorFlow 1.x graph, one group of nodes per operator, named after its output tensor. Quantised activations
/// become float32 values that FakeQuant nodes round to the tensor's grid; integer inputs and outputs keep their types. Nodes have these attributes where
/// the file has them: _quantization_scale, _quantization_zero_point, _quantization_axis, and _tflite_tensor, the tensor's index in the file.
/// Operators without a counterpart are kept as nodes of their own name, with a warning. INVALID_ARGUMENT for bytes that are not such a model.
WEFT_API Result<ImportedModel> tfliteToGraph(std::string_view bytes);

/// Writes the part of a frozen graph (GraphDef or MetaGraphDef, either form) that computes the outputs as a TensorFlow Lite model of float operators.
/// Biases, activations and batch normalisation of convolutions are merged into them. Errors name the node: INVALID_ARGUMENT for tensors that are not in the
/// graph, FAILED_PRECONDITION for variables, UNIMPLEMENTED for ops without a counterpart.
WEFT_API Result<std::string> graphToTflite(std::string_view metaGraph, const ModelExport& what);

/// A tensor as a model's file lists it.
struct TfliteTensor {
  std::string name;
  DType dtype = DType::Invalid;  ///< As stored.
  std::vector<int64_t> shape;
  std::vector<float> scale;  ///< real = scale * (integer - zeroPoint); several: one per slice of `axis`; empty: not quantised.
  std::vector<int64_t> zeroPoint;
  int axis = 0;
};
struct TfliteTensors {
  std::vector<TfliteTensor> tensors;
  std::vector<int> inputs, outputs;  ///< Positions in `tensors`.
};
/// The tensors of the model's first subgraph. INVALID_ARGUMENT for bytes that are not a model.
WEFT_API Result<TfliteTensors> readTfliteTensors(std::string_view bytes);

}  // namespace weft
