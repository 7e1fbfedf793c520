#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "graph/constant_folding.h"
#include "proto/onnx.pb.h"
#include "weft/graph.h"
#include "weft/model_import.h"

namespace weft::onnx_io {

/// An attribute of an ONNX node.
::onnx::AttributeProto intAttr(const std::string& name, int64_t value);
::onnx::AttributeProto realAttr(const std::string& name, double value);
::onnx::AttributeProto textAttr(const std::string& name, const std::string& value);
::onnx::AttributeProto intsAttr(const std::string& name, const std::vector<int64_t>& values);

/// Names of a tensor in the ONNX graph: as TensorFlow has it, and with channels first (second dimension instead of last).
struct ExportedValue {
  std::string plain, first;
};

/// Writes a graph as an ONNX model, node by node.
class Exporter {
 public:
  Exporter(const Graph& graph, int opset) : graph_(graph), folder_(graph), opset_(opset) {}
  /// `inputs` and `outputs`: names in the model, and tensors.
  using Ends = std::vector<std::pair<std::string, Output>>;
  Result<std::string> write(const Ends& inputs, const Ends& outputs);

 private:
  friend class ExportNode;
  Status addInput(const std::string& name, Output tensor);
  Status addNode(const Node& node);
  Status addOutput(const std::string& name, Output tensor);
  std::string uniqueName(const std::string& wanted);
  std::string nameOf(Output o) const;
  Result<std::string> initializer(const Tensor& value, const std::string& wanted);
  void rename(int mark, const std::string& from, const std::string& to);
  Status describe(const std::string& name, Output tensor, ::onnx::ValueInfoProto* info) const;

  const Graph& graph_;
  ConstantFolder folder_;
  const int opset_;
  ::onnx::ModelProto model_;
  std::map<Output, ExportedValue> values_;
  std::set<std::string> names_;
  std::map<std::string, std::string> constants_;  ///< Initializers of small integers, by their values.
};

/// A node of TensorFlow's while it is translated.
class ExportNode {
 public:
  ExportNode(Exporter& exporter, const Node& from) : node(from), opset(exporter.opset_), exporter_(exporter) {}

  const Node& node;
  const int opset;

  int inputs() const { return int(node.inputs.size()); }
  std::string in(int i);      ///< As TensorFlow has it.
  std::string first(int i);   ///< With channels first.
  bool isFirst(int i) const;  ///< Whether the tensor exists with channels first only.
  Shape shape(int i) const { return exporter_.graph_.shape(node.inputs[size_t(i)]); }
  int rank(int i) const { return shape(i).rank(); }
  DType dtype(int i) const { return baseType(exporter_.graph_.dtype(node.inputs[size_t(i)])); }
  Shape outShape(int k = 0) const { return node.outputShapes[size_t(k)]; }
  DType outType(int k = 0) const { return baseType(node.outputTypes[size_t(k)]); }
  std::optional<Tensor> value(int i) const;  ///< If it can be computed now.
  Result<std::vector<int64_t>> ints(int i) const;

  using Attrs = std::vector<::onnx::AttributeProto>;
  std::string emit(std::string_view op, const std::vector<std::string>& inputs, const Attrs& attrs = {}) { return emitAll(op, inputs, 1, attrs)[0]; }
  std::vector<std::string> emitAll(std::string_view op, const std::vector<std::string>& inputs, int outputs, const Attrs& attrs = {});
  std::string constant(const Tensor& value);
  std::string longs(const std::vector<int64_t>& values);  ///< An int64 vector.
  std::string number(DType type, double value);           ///< A scalar.
  std::string cast(const std::string& x, DType to);
  std::string asLongs(int i);  ///< The input as int64.
  std::string transpose(const std::string& x, const std::vector<int64_t>& perm);
  std::string reshape(const std::string& x, const std::vector<int64_t>& shape) { return emit("Reshape", {x, longs(shape)}); }

  void give(const std::string& name, int output = 0);       ///< The output is this tensor.
  void giveFirst(const std::string& name, int output = 0);  ///< The same with channels first.
  Error cannot(std::string_view why) const;                 ///< An error that names node and op.

 private:
  friend class Exporter;
  ExportedValue written(int i);  ///< The names of an input; an error if it has none.
  Exporter& exporter_;
  Status status_;
};

using Export = Status (*)(ExportNode&);
/// How to write the nodes of one op; null: not at all.
Export exportRule(std::string_view op);

struct ExportRule {
  std::string_view op;
  Export write;
};
// One list for each family, each in a source of its own.
std::vector<ExportRule> elementwiseExports();
std::vector<ExportRule> arrayExports();
std::vector<ExportRule> indexExports();
std::vector<ExportRule> windowExports();
std::vector<ExportRule> mathExports();

}  // namespace weft::onnx_io
