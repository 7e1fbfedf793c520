// sparsify_gather: rows of a mostly zero [N, 1] constant are looked up in a hash table.
#include <cmath>

#include "transforms/node_names.h"
#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

struct SparseColumn {
  std::vector<int64_t> indices;
  std::vector<float> values;
};

Result<SparseColumn> sparseColumn(const NodeDef& node) {
  if (node.op() != "Const") return unimplemented("sparsify_gather: weights from variables are not supported; freeze the graph first").atNode(node.name());
  WEFT_LET(const Tensor value, constValue(node));
  if (value.dtype() != DType::Float)
    return failedPrecondition("Transform only applicable to subgraph with 'Const','Variable', or 'VariableV2' of dtype 'DT_FLOAT'. Found '", node.op(),
                              "' with name '", node.name(), "' and dtype '", int(value.dtype()), "'.");
  if (value.rank() != 2 || value.dim(1) != 1)
    return failedPrecondition("Transform only applicable to subgraph with 'Const' with tensor of shape [N, 1]. But instead get shape ",
                              value.shape().toString(), ".");
  SparseColumn out;
  for (int64_t i = 0; i < value.elements(); ++i) {
    if (!(std::abs(value.at<float>(i)) >= 1.0e-5)) continue;
    out.indices.push_back(i);
    out.values.push_back(value.at<float>(i));
  }
  // A table cannot be filled with nothing.
  if (out.indices.empty()) {
    out.indices.push_back(0);
    out.values.push_back(0);
  }
  return out;
}

NodeDef nodeOf(const std::string& op, const std::string& name, std::initializer_list<std::pair<const char*, tensorflow::DataType>> types,
               std::initializer_list<std::string> inputs) {
  NodeDef out;
  out.set_op(op);
  out.set_name(name);
  for (const auto& [attr, type] : types) (*out.mutable_attr())[attr].set_type(type);
  for (const std::string& input : inputs) out.add_input(input);
  return out;
}

/// What a round of replacements leaves to do.
struct Round {
  std::vector<std::string> tables;   ///< ops that fill tables
  std::vector<std::string> removed;  ///< nodes that are no longer read
};

/// `filled`: names of the weights that have a table already, shared by the lookups of all rounds.
Status replaceGather(const Match& match, std::set<std::string>* filled, Round* round, std::vector<NodeDef>* made) {
  constexpr auto kFloat = tensorflow::DT_FLOAT;
  constexpr auto kLong = tensorflow::DT_INT64;
  const NodeDef &gather = *match.node, &identity = *match.inputs[0].node, &weights = *match.inputs[0].inputs[0].node;
  if (gather.op() == "GatherV2") {
    WEFT_LET(const Tensor axis, constValue(*match.inputs[2].node));
    if ((axis.dtype() != DType::Int32 && axis.dtype() != DType::Int64) || axis.elements() != 1)
      return failedPrecondition("Gather axis was not int32 or int64.");
    if (axis.asInt(0) != 0) return failedPrecondition("Transform only applicable to subgraph with GatherV2 over axis 0. Found axis ", axis.asInt(0), ".");
  }
  WEFT_LET(const SparseColumn column, sparseColumn(weights));
  round->removed.push_back(weights.name());
  round->removed.push_back(identity.name());
  WEFT_LET(NodeDef indices, constNode(weights.name() + "/indices", Tensor::vector(column.indices)));
  WEFT_LET(NodeDef values, constNode(weights.name() + "/values", Tensor::vector(column.values)));
  WEFT_LET(NodeDef zero, constNode(gather.name() + "/Const", Tensor::scalar(0.0F)));
  WEFT_LET(NodeDef axis, constNode(gather.name() + "/ExpandDims/Const", Tensor::scalar(int32_t(-1))));
  // TensorFlow writes this one as a typed value.
  (*axis.mutable_attr())["value"].mutable_tensor()->clear_tensor_content();
  (*axis.mutable_attr())["value"].mutable_tensor()->add_int_val(-1);
  NodeDef table = nodeOf("HashTable", weights.name() + "/HashTable", {{"key_dtype", kLong}, {"value_dtype", kFloat}}, {});
  NodeDef fill =
      nodeOf("InitializeTable", weights.name() + "/InitializeTable", {{"Tkey", kLong}, {"Tval", kFloat}}, {table.name(), indices.name(), values.name()});
  NodeDef find =
      nodeOf("LookupTableFind", gather.name() + "/LookupTableFind", {{"Tin", kLong}, {"Tout", kFloat}}, {table.name(), gather.input(1), zero.name()});
  NodeDef expand = nodeOf("ExpandDims", gather.name(), {{"T", kFloat}}, {find.name(), axis.name()});
  made->push_back(*match.inputs[1].node);
  if (filled->insert(weights.name()).second) {
    round->tables.push_back(fill.name());
    for (NodeDef* node : {&indices, &values, &table, &fill}) made->push_back(std::move(*node));
  }
  for (NodeDef* node : {&find, &zero, &axis, &expand}) made->push_back(std::move(*node));
  // Other nodes may read the weights; removeUnread() drops them otherwise.
  made->push_back(identity);
  made->push_back(weights);
  return {};
}

/// Removes nodes that nothing reads any more, beginning with the candidates.
void removeUnread(GraphDef* graph, std::vector<std::string> candidates, const std::set<std::string>& required) {
  std::map<std::string, int> reads;
  std::map<std::string, const NodeDef*> nodes;
  for (const NodeDef& node : graph->node()) {
    nodes[node.name()] = &node;
    for (const std::string& input : node.input()) ++reads[nodeNameOf(input)];
  }
  std::set<std::string> gone;
  while (!candidates.empty()) {
    const std::string name = std::move(candidates.back());
    candidates.pop_back();
    const auto node = nodes.find(name);
    if (node == nodes.end() || reads[name] > 0 || required.count(name) || !gone.insert(name).second) continue;
    for (const std::string& input : node->second->input()) {
      --reads[nodeNameOf(input)];
      candidates.push_back(nodeNameOf(input));
    }
  }
  GraphDef left;
  for (NodeDef& node : *graph->mutable_node())
    if (!gone.count(node.name())) left.add_node()->Swap(&node);
  graph->Swap(&left);
}

Status sparsify(GraphDef* graph, const Context& context, const Pattern& pattern, const std::string& group, std::set<std::string>* filled) {
  std::set<std::string> required = context.ends();
  required.insert(group);
  for (int count = 1; count > 0;) {
    Round round;
    GraphDef replaced;
    const auto replace = [&](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) {
      return replaceGather(match, filled, &round, made);
    };
    WEFT_LET(count, replaceMatches(*graph, context, pattern, replace, true, &replaced));
    NodeDef* init = nullptr;
    for (NodeDef& node : *replaced.mutable_node())
      if (!init && node.name() == group && node.op() == "NoOp") init = &node;
    if (!init) {
      init = replaced.add_node();
      init->set_op("NoOp");
      init->set_name(group);
    }
    for (const std::string& table : round.tables) init->add_input("^" + table);
    removeUnread(&replaced, round.removed, required);
    graph->Swap(&replaced);
  }
  return {};
}

Status sparsifyGather(const GraphDef& in, const Context& context, GraphDef* out) {
  if (context.has("input_checkpoint")) return unimplemented("sparsify_gather: input_checkpoint is not supported; freeze the graph first");
  WEFT_LET(const std::string group, context.text("group_init_node", "group_deps"));
  for (const NodeDef& node : in.node()) {
    *out->add_node() = node;
    out->mutable_node(out->node_size() - 1)->mutable_attr()->erase("_output_shapes");
  }
  const Pattern any{"*", {}}, weights{"Identity", {{"Const|Variable|VariableV2", {}}}};
  std::set<std::string> filled;
  WEFT_TRY(sparsify(out, context, {"Gather", {weights, any}}, group, &filled));
  return sparsify(out, context, {"GatherV2", {weights, any, {"Const", {}}}}, group, &filled);
}

}  // namespace

std::vector<Entry> gatherTransforms() {
  return {
      {{"sparsify_gather",
        "Replaces rows gathered from a constant of shape [N, 1] with mostly zeros by lookups in a table.",
        {{"group_init_node", "the op that fills the tables (default group_deps)"}, {"input_checkpoint", "not supported: an error"}}},
       sparsifyGather},
  };
}

}  // namespace weft::transforms
