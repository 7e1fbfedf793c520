#pragma once

#include <string>
#include <string_view>

#include "weft/export.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/model_import.h"

namespace weft {

/// Rebuilds an ONNX model as a TensorFlow graph. Tensors keep the model's order of dimensions (channels first) at its inputs and outputs; in between, convolutions
/// and pools work with channels last. A node without a counterpart stays, as an op of its own name that no session can run, and `warnings` says so.
/// `folder` is the model's: tensors in files of their own are read from there and from nowhere else. DATA_LOSS and INVALID_ARGUMENT name the tensor or node concerned.
WEFT_API Result<ImportedModel> onnxToGraph(std::string_view bytes, const std::string& folder, FileSystem* files = nullptr);

inline constexpr int kOldestOnnxExport = 13;
inline constexpr int kNewestOnnxExport = 21;

/// Writes a frozen graph (GraphDef or MetaGraphDef, in either form) as an ONNX model of that version of the operator set. UNIMPLEMENTED names the node and op that
/// ONNX has no counterpart for; INVALID_ARGUMENT: the graph, a tensor that `what` names, or the version.
WEFT_API Result<std::string> graphToOnnx(std::string_view graph, const ModelExport& what, int opset = kOldestOnnxExport);

/// Whether the bytes are an ONNX model, or the beginning of one: an IR version, then fields of a model, among them a graph or operator sets.
WEFT_API bool looksLikeOnnx(std::string_view bytes);
WEFT_API bool isOnnxFile(const std::string& path, FileSystem* files = nullptr);
/// onnxToGraph() for a file and its folder. Errors name the file.
WEFT_API Result<ImportedModel> onnxFileToGraph(const std::string& path, FileSystem* files = nullptr);
/// An ONNX file as a graph that can be shown and run; `problems` ends with the warnings of the import.
WEFT_API Result<LoadedGraph> openOnnxFile(const std::string& path, FileSystem* files = nullptr);

}  // namespace weft
