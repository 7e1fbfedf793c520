// Writes nodes of a frozen graph as operators of a TensorFlow Lite model.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "graph/constant_folding.h"
#include "io/tflite/model.h"
#include "weft/graph.h"
#include "weft/model_import.h"

namespace weft::tflite {

/// What follows a layer and can be merged into it: y = activation(scale * x + shift), per channel.
struct Tail {
  Output end;                       ///< The tensor that the layer then computes.
  std::vector<float> scale, shift;  ///< Empty: 1 and 0.
  tfl::Activation activation = tfl::Activation::NONE;
};

/// A graph while it is written. Tensors of the model are known by their indices.
class Exporter {
 public:
  explicit Exporter(const MetaGraph& meta) : meta_(meta), graph_(meta.graph), folder_(meta.graph) {}
  Result<std::string> run(const ModelExport& what);

  flatbuffers::FlatBufferBuilder& fbb() { return fbb_; }
  const Graph& graph() const { return graph_; }
  /// The model's tensor for a node's output; constants are added on first use.
  Result<int> tensorOf(Output o);
  /// The tensor that a node's output is written to.
  Result<int> define(Output o);
  /// A tensor between two operators of one node.
  Result<int> temporary(const std::string& name, DType type, const Shape& shape);
  Result<int> constantTensor(const Tensor& value, const std::string& name);
  /// The value of an output that does not depend on inputs, if it can be computed here.
  std::optional<Tensor> constant(Output o);
  /// The shape that a Reshape gives, with -1 for a dimension that its size decides; none for other ops, and where the shape has to be computed: several
  /// dimensions are open, or it depends on an input of the model.
  std::optional<std::vector<int32_t>> statedShape(const Node& node) const;
  /// A constant's integers; FAILED_PRECONDITION if it is computed.
  Result<std::vector<int64_t>> integers(const Node& node, int input);
  /// A constant input as int32, which TensorFlow Lite wants for shapes and axes; computed ones must be int32.
  Result<int> int32Tensor(const Node& node, int input);
  template <typename T>
  void add(Op op, const std::vector<int>& inputs, const std::vector<int>& outputs, flatbuffers::Offset<T> options, int version = 1) {
    addOperator(op, inputs, outputs, tfl::BuiltinOptionsTraits<T>::enum_value, options.Union(), version);
  }
  void add(Op op, const std::vector<int>& inputs, const std::vector<int>& outputs, int version = 1) {
    addOperator(op, inputs, outputs, tfl::BuiltinOptions::NONE, 0, version);
  }
  /// Follows the only readers of `o`. `channels`: of its last dimension; 0: activations only. Merged nodes are not written again.
  Tail tailOf(Output o, int64_t channels, bool canScale);

 private:
  Status chooseEnds(const ModelExport& what);
  Status findNeeded();
  Status write(const Node& node);
  void findAfterFed(const std::vector<std::vector<int>>& readers);
  const Node* onlyReader(Output o) const;
  std::optional<Tensor> computeConstant(const Node& node, Output o, int depth);
  bool mergeInto(Tail& tail, const Node& reader, int64_t channels, bool canScale);
  void addOperator(Op op, const std::vector<int>& inputs, const std::vector<int>& outputs, tfl::BuiltinOptions type, flatbuffers::Offset<void> options,
                   int version);
  std::string finish();

  const MetaGraph& meta_;
  const Graph& graph_;
  ConstantFolder folder_;
  flatbuffers::FlatBufferBuilder fbb_{1 << 16};
  std::vector<std::pair<std::string, Output>> inputs_, outputs_;  ///< with their names in signatures
  std::set<Output> fed_, fetched_;
  std::set<int> afterFed_;  ///< Nodes behind fed tensors whose values the graph states too: those values are not the model's.
  std::vector<int> order_;
  std::map<Output, std::vector<int>> readers_;
  std::set<int> needed_, merged_;
  std::map<Output, int> tensors_;
  std::map<Output, std::optional<Tensor>> constants_;
  std::vector<flatbuffers::Offset<tfl::Tensor>> tensorTables_;
  std::vector<flatbuffers::Offset<tfl::Operator>> operatorTables_;
  std::vector<flatbuffers::Offset<tfl::Buffer>> bufferTables_;
  std::vector<std::pair<Op, int>> codes_;
  std::set<std::string> names_;
  uint64_t constantBytes_ = 0;
};

/// Writes a node, given that its inputs are written.
using WriteNode = Status (*)(Exporter& e, const Node& node);
struct NodeRule {
  const char* op;
  WriteNode write;
};
std::span<const NodeRule> layerWriters();
std::span<const NodeRule> opWriters();

/// UNIMPLEMENTED, naming the node and its op.
Error noCounterpart(const Node& node, std::string_view why = {});
inline bool isOneOf(std::string_view op, std::initializer_list<std::string_view> all) { return std::find(all.begin(), all.end(), op) != all.end(); }
/// Whether the outputs are the inputs.
bool passesFirstInput(const Node& node);

}  // namespace weft::tflite
