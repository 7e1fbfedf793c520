#pragma once

#include <map>
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

  bool has(const std::string& name) const { return parameters.count(name) > 0; }
  /// All values of a repeated parameter.
  std::vector<std::string> all(const std::string& name) const;
  /// INVALID_ARGUMENT if the parameter was given more than once, or its value is not of the type.
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

/// A Const node; numbers are raw bytes, as TensorFlow's C++ writes them.
Result<NodeDef> constNode(const std::string& name, const Tensor& value);
/// The value of a Const node. INVALID_ARGUMENT names the node if it has none or it is not valid.
Result<Tensor> constValue(const NodeDef& node);
Result<Tensor> floatValue(const NodeDef& node);  ///< As constValue(), INVALID_ARGUMENT unless it holds floats.

}  // namespace weft::transforms
