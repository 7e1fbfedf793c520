#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft {

/// A model of another format (TensorFlow Lite, ONNX, Keras), rebuilt as a graph.
struct ImportedModel {
  MetaGraph meta;                     ///< Its signature `serving_default` names the model's inputs and outputs.
  std::vector<std::string> warnings;  ///< What the graph does not say or computes otherwise, one sentence each; empty: nothing.
  /// A MetaGraphDef.
  Result<std::string> serialized() const { return serializeGraph(meta, GraphFormat::MetaBinary); }
};

/// How the warning begins that says why the training of a compiled model is left out.
inline constexpr const char* kTrainingLeftOut = "the training is not taken over: ";

/// What to export from a graph.
struct ModelExport {
  std::vector<std::string> inputs;   ///< Tensors ("x:0") that are fed; empty: those of the signature `serving_default`, else the placeholders.
  std::vector<std::string> outputs;  ///< Tensors; empty: those of the signature, else the outputs that nothing reads.
  int version = 0;                   ///< Of the format, where it has several (ONNX: of the operator set); 0: the usual one.
  /// Values of variables by name, for formats that keep them; empty: the constants that variables start with.
  std::function<Result<Tensor>(const std::string& variable)> values = {};
  std::vector<std::string>* warnings = nullptr;  ///< Gets what the graph says and the file does not, one sentence each; may be null.
};

}  // namespace weft
