#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/model_import.h"
#include "weft/tensor.h"

namespace weft {

/// Shapes of tensors, by their positions in the file.
using TfliteShapes = std::map<int, std::vector<int64_t>>;

/// Rebuilds a TensorFlow Lite model as a TensorFlow 1.x graph, one group of nodes per operator, named after its output tensor. Quantised activations
/// become float32 values that FakeQuant nodes round to the tensor's grid; integer inputs and outputs keep their types. Nodes have these attributes where
/// the file has them: _quantization_scale, _quantization_zero_point, _quantization_axis, and _tflite_tensor, the tensor's index in the file.
/// Operators without a counterpart are kept as nodes of their own name, with a warning. INVALID_ARGUMENT for bytes that are not such a model,
/// RESOURCE_EXHAUSTED if its constants and states need far more memory than the file has bytes. `inputShapes` replaces the file's shapes of inputs.
WEFT_API Result<ImportedModel> tfliteToGraph(std::string_view bytes, const TfliteShapes& inputShapes = {});

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

/// The value that the file has for a tensor, as stored: integers where it is quantised, in the file's order of dimensions. NOT_FOUND for tensors that are
/// computed, INVALID_ARGUMENT if there is no such tensor or its bytes do not fit its shape and type.
WEFT_API Result<Tensor> readTfliteValue(std::string_view bytes, int tensor);

}  // namespace weft
