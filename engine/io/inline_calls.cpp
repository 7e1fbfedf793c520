#include "io/inline_calls.h"

#include <deque>
#include <map>

#include "graph/function_library.h"
#include "proto/graph.pb.h"
#include "proto/text.h"
#include "weft/op.h"
#include "weft/op_traits.h"

// Functions are called by nodes with an attribute f. A call is replaced by the nodes of the body under the call's name; arguments become the call's inputs, and
// the call itself an identity of the results, which also waits for everything that the function runs for its effects.
namespace weft {
namespace {

namespace tf = ::tensorflow;

constexpr int kMostNodes = 1000000;

bool isCall(const tf::NodeDef& node) {
  return (node.op() == "PartitionedCall" || node.op() == "StatefulPartitionedCall") && node.attr().contains("f") && node.attr().at("f").has_func();
}

std::string tensorName(const std::string& node, int index) { return index == 0 ? node : concat(node, ":", index); }

class CallInliner {
 public:
  CallInliner(tf::GraphDef* graph, const std::set<std::string>& needed)
      : graph_(graph), needed_(needed), library_(std::make_shared<FunctionLibrary>(graph->library().SerializeAsString())) {
    for (const tf::NodeDef& node : graph->node()) names_.insert(node.name());
  }

  Status inlineAll() {
    std::deque<tf::NodeDef> waiting(graph_->node().begin(), graph_->node().end());
    graph_->clear_node();
    while (!waiting.empty()) {
      tf::NodeDef node = std::move(waiting.front());
      waiting.pop_front();
      if (!isCall(node) || !(needed_.contains(node.name()) || inlined_.contains(node.name()))) {
        graph_->add_node()->Swap(&node);
        continue;
      }
      auto body = bodyOf(node);
      if (!body.ok()) return body.error().atNode(node.name());
      WEFT_TRY(replace(node, **body, waiting));
      if (graph_->node_size() + int(waiting.size()) > kMostNodes) return invalidArgument("the calls make a graph of more than ", kMostNodes, " nodes");
    }
    return {};
  }

 private:
  Result<std::shared_ptr<const FunctionBody>> bodyOf(const tf::NodeDef& call) const {
    const tf::NameAttrList& f = call.attr().at("f").func();
    AttrMap attrs;
    if (f.attr_size() > 0) return unimplemented("the call of ", f.name(), " sets attributes of the function, which cannot be inlined");
    WEFT_LET(auto body, library_->instantiate(f.name(), attrs));
    int inputs = 0;
    for (const std::string& input : call.input()) inputs += input[0] != '^';
    if (size_t(inputs) != body->args.size())
      return invalidArgument("the call of ", f.name(), " has ", inputs, " arguments, the function takes ", body->args.size()).ofKind("invalid_graph");
    return body;
  }

  /// A prefix under which no node of the graph lies.
  std::string freePrefix(const std::string& name) const {
    for (std::string prefix = name;; prefix += "_inlined") {
      const auto at = names_.lower_bound(prefix + "/");
      if (at == names_.end() || at->compare(0, prefix.size() + 1, prefix + "/") != 0) return prefix;
    }
  }

  Status replace(const tf::NodeDef& call, const FunctionBody& body, std::deque<tf::NodeDef>& waiting) {
    MetaGraph meta;
    meta.graph = body.graph;
    meta.graph.functions = nullptr;
    WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
    tf::GraphDef nodes;
    WEFT_TRY(parseWire(bytes, &nodes));
    const std::string prefix = freePrefix(call.name()) + "/";
    std::map<std::string, std::string> given;  // argument -> input of the call
    for (size_t i = 0; i < body.args.size(); ++i) given[body.graph.node(body.args[i].node)->name] = call.input(int(i));
    std::vector<std::string> controls;
    for (const std::string& input : call.input())
      if (input[0] == '^') controls.push_back(input);
    const auto renamed = [&](const std::string& input) {
      const bool control = input[0] == '^';
      const std::string name = input.substr(control, input.find(':') - control);
      const auto at = given.find(name);
      if (at == given.end()) return control ? "^" + prefix + input.substr(1) : prefix + input;
      return control ? "^" + at->second.substr(0, at->second.find(':')) : at->second;
    };
    for (tf::NodeDef& node : *nodes.mutable_node()) {
      if (given.contains(node.name())) continue;
      node.set_name(prefix + node.name());
      for (std::string& input : *node.mutable_input()) input = renamed(input);
      if (node.input_size() == 0 || isStatefulOp(node.op()))
        for (const std::string& control : controls) node.add_input(control);
      node.mutable_attr()->erase("_class");
      if (node.device().empty()) node.set_device(call.device());
      names_.insert(node.name());
      inlined_.insert(node.name());
      waiting.push_back(std::move(node));
    }
    tf::NodeDef* out = graph_->add_node();
    out->set_name(call.name());
    out->set_device(call.device());
    out->set_op(body.results.empty() ? "NoOp" : body.results.size() == 1 ? "Identity" : "IdentityN");
    for (const Output& result : body.results) {
      const Node& node = *body.graph.node(result.node);
      const DType dtype = baseType(node.outputTypes[size_t(result.index)]);
      out->add_input(renamed(tensorName(node.name, result.index)));
      if (body.results.size() == 1) (*out->mutable_attr())["T"].set_type(tf::DataType(dtype));
      else (*out->mutable_attr())["T"].mutable_list()->add_type(tf::DataType(dtype));
    }
    for (const std::string& target : body.targets)
      if (!isRead(*body.graph.find(target))) out->add_input(renamed("^" + target));
    for (const std::string& control : controls) out->add_input(control);
    return {};
  }

  /// Reads count as stateful, but nothing has to wait for them.
  static bool isRead(const Node& node) {
    const OpRole role = roleOf(node);
    return role == OpRole::ReadVariable || role == OpRole::GatherVariable || role == OpRole::Variable;
  }

  static bool isStatefulOp(const std::string& op) {
    const OpRecord* record = OpRegistry::instance().find(op);
    return record && record->isStateful;
  }

  tf::GraphDef* graph_;
  const std::set<std::string>& needed_;
  std::shared_ptr<FunctionLibrary> library_;
  std::set<std::string> names_, inlined_;
};

}  // namespace

Status inlineCalls(tf::GraphDef* graph, const std::set<std::string>& needed) {
  if (graph->library().function_size() == 0) return {};
  return CallInliner(graph, needed).inlineAll();
}

}  // namespace weft
