#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "io/onnx/computed_constants.h"
#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"
#include "proto/onnx.pb.h"
#include "weft/model_import.h"

namespace weft::onnx_io {

/// A tensor of the model: in its own order of dimensions, with channels last, or in both. An op that wants the missing one makes it.
struct ImportedValue {
  Output plain, last;
};

/// Rebuilds a model as a graph, node by node in the model's order.
class Importer {
 public:
  /// Bytes that constants which the model does not hold may have in all, beyond twice those that it does: a small model must not become a huge graph.
  static constexpr int64_t kMostMade = int64_t(128) << 20;

  Importer(const ::onnx::ModelProto& model, TensorReader reader) : model_(model), reader_(std::move(reader)) {}
  Result<ImportedModel> import();

  // For translations.
  const TensorReader& reader() const { return reader_; }
  Output plain(const std::string& name);
  Output last(const std::string& name);
  const ImportedValue* find(const std::string& name) const;
  const Tensor* constant(Output o) { return folder_->value(o); }
  Shape shapeValue(Output o) { return folder_->asShape(o); }
  /// Types and shapes of a subgraph's outputs, found by translating it once and taking that back.
  Result<std::vector<std::pair<DType, Shape>>> typesOf(const ::onnx::GraphProto& graph, const Outputs& arguments);
  /// Translates a subgraph in the current control-flow construct. `arguments` stand for its inputs.
  Result<Outputs> subgraph(const ::onnx::GraphProto& graph, const Outputs& arguments);
  /// The model holds a constant of so many bytes, in the message `holder`; that counts once, however often the constant is made.
  void grant(const void* holder, int64_t bytes);
  /// Takes bytes from what made constants may have; false: too few are left.
  bool spend(int64_t bytes);
  /// The attribute of the call that a function's parameter stands for.
  const ::onnx::AttributeProto* argumentOf(const std::string& parameter) const;

 private:
  struct Scope {
    Scope* outer;
    std::unordered_map<std::string, ImportedValue> values;
    const std::unordered_map<std::string, const ::onnx::AttributeProto*>* arguments = nullptr;  ///< Of a function's parameters.
  };
  /// What there is at some moment: nodes, changes of values, and bytes of made constants.
  struct Mark {
    int nodes;
    size_t changes;
    int64_t made;
  };
  using Opsets = std::unordered_map<std::string, int>;

  Status readOpsets();
  Status addInputs();
  Status addInitializers(const ::onnx::GraphProto& graph);
  Status addNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes);
  Status addNode(const ::onnx::NodeProto& node);
  /// Translates a node; undoes what was made if that fails.
  Translation translated(const ::onnx::NodeProto& node, bool* channelsLast);
  Translation callFunction(const ::onnx::FunctionProto& function, const ::onnx::NodeProto& node);
  /// The node under its own op, named like the scope that its translation would have had.
  Status keepForeign(const ::onnx::NodeProto& node, const std::string& scope, const std::string& why);
  void bind(const ::onnx::NodeProto& node, const Outputs& outputs, bool channelsLast);
  /// A stand-in for a tensor whose type a graph cannot hold.
  Status addUnheld(const std::string& name, const char* op, const std::string& why);
  Mark mark() const { return {meta_.graph.size(), changed_.size(), made_}; }
  /// Takes back nodes, values and collections. REQUIRES: no subgraph is open that was not open then.
  void undoSince(const Mark& mark);
  void setValue(const std::string& name, ImportedValue value);
  void nameAfterScope(int mark, const std::string& scope);
  Result<std::vector<std::pair<std::string, Output>>> addOutputs();
  void removeUnreadConstants(const std::vector<std::pair<std::string, Output>>& outputs);
  const ::onnx::ValueInfoProto* infoOf(const std::string& name) const;

  const ::onnx::ModelProto& model_;
  TensorReader reader_;
  MetaGraph meta_;
  std::unique_ptr<GraphBuilder> builder_ = std::make_unique<GraphBuilder>(meta_);
  std::unique_ptr<ComputedConstants> folder_ = std::make_unique<ComputedConstants>(meta_.graph);
  Scope top_{nullptr, {}, nullptr};
  Scope* scope_ = &top_;
  Opsets opsets_;
  int depth_ = 0;                            ///< Of functions and subgraphs.
  int controlDepth_ = 0;                     ///< Of subgraphs.
  int64_t made_ = 0, mostMade_ = kMostMade;  ///< Bytes of made constants.
  std::unordered_set<const void*> granted_;  ///< Constants that the model holds, counted in mostMade_.
  std::vector<std::string> changed_;         ///< Names whose values changed, in order.
  int64_t translated_ = 0;                   ///< Nodes so far; functions that call each other twice would not end.
  std::vector<std::pair<std::string, Output>> inputs_;
  std::vector<std::string> warnings_;
  std::unordered_map<std::string, const ::onnx::ValueInfoProto*> infos_;
};

}  // namespace weft::onnx_io
