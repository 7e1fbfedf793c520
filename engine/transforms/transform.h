#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proto/graph.pb.h"
#include "weft/graph_transforms.h"
#include "weft/tensor.h"

namespace weft::transforms {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

/// What a transform is given beside the graph.
struct Context {
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::vector<std::string>> parameters;
  std::vector<std::string>* warnings = nullptr;  ///< Where warn() puts them.

  /// Says that a part of the graph stays as it is. The same warning is kept once.
  void warn(std::string text) const;
  /// Names of the nodes that are fed or fetched, without output numbers. Their names and values must not change.
  std::set<std::string> ends() const;

  bool has(const std::string& name) const { return parameters.count(name) > 0; }
  /// All values of a repeated parameter.
  std::vector<std::string> all(const std::string& name) const;
  /// The value of a single parameter. INVALID_ARGUMENT if it is not of the type.
  Result<std::string> text(const std::string& name, std::string otherwise) const;
  Result<int64_t> integer(const std::string& name, int64_t otherwise) const;
  Result<float> number(const std::string& name, float otherwise) const;
  Result<bool> boolean(const std::string& name, bool otherwise) const;
};

using Function = Status (*)(const GraphDef& in, const Context& context, GraphDef* out);

/// A transform's public record with its function.
struct Entry {
  GraphTransform record;
  Function apply;
};

/// Each file with transforms has such a list; transform_list.cpp joins them.
std::vector<Entry> attributeTransforms();
std::vector<Entry> nodeTransforms();
std::vector<Entry> weightTransforms();
std::vector<Entry> batchNormTransforms();
std::vector<Entry> convolutionTransforms();
std::vector<Entry> loggingTransforms();
std::vector<Entry> backportTransforms();
std::vector<Entry> foldingTransforms();
std::vector<Entry> gatherTransforms();

/// Reads a GraphDef or MetaGraphDef in either form.
Status readGraph(std::string_view bytes, GraphDef* graph);

/// INVALID_ARGUMENT lists names that several nodes have. `after`: the transform that made the graph, or nothing.
Status checkNames(const GraphDef& graph, std::string_view after);
/// Why a convolution cannot be fused with the padding or resizing (or null) before it: the fused ops lack something that it has. Empty if it can.
std::string whyNotFused(const NodeDef& conv, const NodeDef* resize);
/// A convolution fused with mirror padding and resizing before it, at most one of them null; `paddings` is the input with the sizes of the padding.
Result<NodeDef> fusedConvolution(const NodeDef& conv, const NodeDef* pad, const NodeDef* resize, const std::string& paddings);

/// A Const node; numbers are raw bytes, as TensorFlow's C++ writes them.
Result<NodeDef> constNode(const std::string& name, const Tensor& value);
/// The value of a Const node. INVALID_ARGUMENT names the node if it has none or it is not valid.
Result<Tensor> constValue(const NodeDef& node);
Result<Tensor> realValue(const NodeDef& node);  ///< As constValue(), INVALID_ARGUMENT unless it holds half, bfloat16, float or double.

}  // namespace weft::transforms
