#include "runtime/step_graph.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>

#include "weft/op.h"

namespace weft {
namespace {

/// "x" is the tensor "x:0".
std::string tensorNameOf(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

/// The node and output of "x:1"; null for an unknown node.
struct Endpoint {
  const Node* node = nullptr;
  int index = 0;
  Endpoint(const Graph& graph, const std::string& tensor) {
    const size_t colon = tensor.rfind(':');
    node = graph.find(std::string_view(tensor).substr(0, colon));
    const auto r = std::from_chars(tensor.data() + colon + 1, tensor.data() + tensor.size(), index);
    if (r.ec != std::errc() || r.ptr != tensor.data() + tensor.size()) node = nullptr;
  }
  bool isThere() const { return index >= 0 && index < int(node->outputTypes.size()); }
};

/// The checks of TensorFlow's master, with its words.
Status checkStep(const Graph& graph, const Signature& s) {
  if (s.fetches.empty() && s.targets.empty()) return invalidArgument("Must specify at least one target to fetch or execute.");
  std::set<std::string> fed;
  for (const std::string& name : s.feeds) {
    if (!fed.insert(name).second) return invalidArgument("Endpoint \"", name, "\" fed more than once.");
  }
  for (const std::string& name : s.fetches) {
    if (fed.count(name)) return invalidArgument(name, " is both fed and fetched.");
  }
  for (const std::string& name : s.feeds) {
    const Endpoint e(graph, name);
    if (!e.node) return notFound("FeedInputs: unable to find feed output ", name);
    if (!e.isThere()) return invalidArgument("FeedInputs: ", name, " should have output index < ", e.node->outputTypes.size());
  }
  for (const std::string& name : s.fetches) {
    const Endpoint e(graph, name);
    if (!e.node) return notFound("FetchOutputs node ", name, ": not found");
    if (e.node->outputTypes.empty()) {
      return invalidArgument("Tried to fetch data for '", name, "', which produces no output.  To run to a node but not fetch any data, pass '", name,
                             "' as an argument to the 'target_node_names' argument of the Session::Run API.");
    }
    if (!e.isThere()) return invalidArgument("FetchOutputs ", name, ": output index too large, must be < ", e.node->outputTypes.size());
  }
  std::string missing;
  for (const std::string& name : s.targets) {
    if (!graph.find(std::string_view(name).substr(0, name.find(':')))) missing += name + " ";
  }
  return missing.empty() ? Status() : Status(notFound("PruneForTargets: Some target nodes not found: ", missing));
}

/// "x:0" -> "_recv_x_0"
std::string endpointNodeName(const char* prefix, std::string tensor) {
  std::replace(tensor.begin(), tensor.end(), ':', '_');
  return prefix + tensor;
}

}  // namespace

std::string AddedNames::next(const std::string& stem, const Graph& graph) {
  for (;;) {
    std::string name = stem + "_S" + std::to_string(next_++);
    if (!graph.find(name)) return name;
  }
}

Result<Node> addedNode(std::string name, const char* op, AttrMap attrs) {
  Node node;
  node.name = std::move(name);
  node.op = op;
  node.record = OpRegistry::instance().find(op);
  if (!node.record) return internalError("The op ", op, " is not registered");
  node.attrs = std::move(attrs);
  WEFT_LET(NodeSignature signature, resolveSignature(*node.record, node.attrs));
  node.inputTypes = std::move(signature.inputTypes);
  node.outputTypes = std::move(signature.outputTypes);
  node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
  return node;
}

AttrMap transferAttrs(const std::string& tensorName, const ClusterDevice& from, const ClusterDevice& to, bool clientTerminated) {
  return {{"client_terminated", clientTerminated},
          {"recv_device", to.name},
          {"send_device", from.name},
          {"send_device_incarnation", int64_t(from.incarnation)},
          {"tensor_name", tensorName}};
}

std::string rendezvousKey(const ClusterDevice& from, const ClusterDevice& to, const std::string& tensorName) {
  char incarnation[17];
  std::snprintf(incarnation, sizeof incarnation, "%016llx", static_cast<unsigned long long>(from.incarnation));
  return from.name + ";" + incarnation + ";" + to.name + ";" + tensorName + ";0:0";
}

Result<int> StepGraph::add(std::string name, const char* op, AttrMap attrs, int device, std::vector<Output> inputs) {
  WEFT_LET(Node made, addedNode(std::move(name), op, std::move(attrs)));
  PlanNode p;
  p.node = &plan.made.emplace_back(std::move(made));
  p.inputs = std::move(inputs);
  p.types = p.node->outputTypes;
  plan.nodes.push_back(std::move(p));
  devices.push_back(device);
  return int(plan.nodes.size()) - 1;
}

Result<StepGraph> stepGraph(const Graph& graph, std::span<const int> placement, std::span<const ClusterDevice> cluster, int client, const Signature& signature,
                            AddedNames& names) {
  Signature wanted = signature;
  for (std::vector<std::string>* list : {&wanted.feeds, &wanted.fetches}) {
    std::transform(list->begin(), list->end(), list->begin(), tensorNameOf);
  }
  WEFT_TRY(checkStep(graph, wanted));
  StepGraph step(graph, cluster, names);
  PlanGraph& plan = step.plan;
  WEFT_LET(plan, pruneGraph(graph, wanted));
  removeUnused(plan);

  const ClusterDevice& master = cluster[size_t(client)];
  for (size_t i = 0; i < wanted.feeds.size(); ++i) {
    int& feed = step.feeds.emplace_back(plan.feedNodes[i]);
    if (feed >= 0 && !plan.nodes[size_t(feed)].alive) feed = -1;
    if (feed < 0) continue;
    PlanNode& p = plan.nodes[size_t(feed)];
    AttrMap attrs = transferAttrs(wanted.feeds[i], master, master, true);
    attrs.set("tensor_type", p.types[0]);
    WEFT_LET(Node receive, addedNode(endpointNodeName("_recv_", wanted.feeds[i]), "_Recv", std::move(attrs)));
    p.node = &plan.made.emplace_back(std::move(receive));
    p.feed = -1;
  }
  plan.feedNodes.clear();
  for (const PlanNode& p : plan.nodes) {
    const bool fromGraph = p.node && p.origin >= 0 && p.node == graph.node(p.origin);
    const int device = fromGraph && size_t(p.origin) < placement.size() ? placement[size_t(p.origin)] : client;
    if (device < 0 || device >= int(cluster.size())) return internalError("Node '", p.node->name, "' has no device").atNode(p.node->name);
    step.devices.push_back(device);
  }
  std::map<std::string, int> sends;
  for (size_t i = 0; i < wanted.fetches.size(); ++i) {
    const auto [send, fresh] = sends.try_emplace(wanted.fetches[i], -1);
    if (fresh) {
      const Output from = plan.fetches[i];
      AttrMap attrs = transferAttrs(wanted.fetches[i], master, master, true);
      attrs.set("T", baseType(plan.nodes[size_t(from.node)].types[size_t(from.index)]));
      WEFT_LET(send->second, step.add(endpointNodeName("_send_", wanted.fetches[i]), "_Send", std::move(attrs), client, {from}));
      plan.targets.push_back(send->second);
    }
    step.fetches.push_back(send->second);
  }
  plan.fetches.clear();
  step.loopControls.assign(plan.nodes.size(), -1);
  return step;
}

}  // namespace weft
