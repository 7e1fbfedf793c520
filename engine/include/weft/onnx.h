#pragma once

#include <string>
#include <string_view>

#include "weft/export.h"
#include "weft/file_system.h"
#include "weft/model_import.h"

namespace weft {

/// Rebuilds an ONNX model as a TensorFlow graph. Tensors keep the model's order of dimensions (channels first) at its inputs and outputs; in between, convolutions
/// and pools work with channels last. A node without a counterpart stays, as an op of its own name that no session can run, and `warnings` says so.
/// `folder` is the model's: tensors in files of their own are read from there and from nowhere else. DATA_LOSS and INVALID_ARGUMENT name the tensor or node concerned.
WEFT_API Result<ImportedModel> onnxToGraph(std::string_view bytes, const std::string& folder, FileSystem* files = nullptr);

/// The newest operator set whose ops are read as they are meant; of a newer one a warning says so.
inline constexpr int kNewestOnnxImport = 28;

/// Operator sets that are written.
inline constexpr int kOldestOnnxExport = 13, kUsualOnnxExport = 17, kNewestOnnxExport = 21;

/// Writes a frozen graph (GraphDef or MetaGraphDef, in either form) as an ONNX model; `what.version` is the operator set. UNIMPLEMENTED names the node and op that
/// ONNX has no counterpart for; INVALID_ARGUMENT: the graph, a tensor that `what` names, or the version. An input or output may be "NAME=TENSOR".
WEFT_API Result<std::string> graphToOnnx(std::string_view graph, const ModelExport& what);

/// Whether the bytes are an ONNX model, or the beginning of one: an IR version, then fields of a model, among them a graph or operator sets.
WEFT_API bool looksLikeOnnx(std::string_view bytes);

}  // namespace weft
