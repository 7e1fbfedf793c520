#include "runtime/partition.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "runtime/host_sides.h"
#include "weft/op.h"

namespace weft {
namespace {

/// A node of some task's graph: a node of the step, or one that transfers a value. Inputs and controls are numbers of pieces.
struct Piece {
  int step = -1;  ///< Node of the step; -1: `made`.
  Node made;
  std::vector<Output> inputs;
  std::vector<int> controls;
  int near = 0;  ///< The node of the step beside which it stands in the task's graph: senders behind their source, receivers in front of their reader.
  int side = 0;  ///< -1: before it; 0: the node itself; 1: behind it.
  int task = 0;
};

/// What a value arrives as in another task: the piece that readers use, and the receive.
struct Arrival {
  int value = -1, receive = -1;
};

/// One transfer serves all readers of an output (slot -1: all that wait for a node) in a task and in one kind of memory.
struct Route {
  int from, slot, task;
  bool onHost;
  bool operator==(const Route&) const = default;
};
struct RouteHash {
  size_t operator()(const Route& r) const { return (size_t(r.from) * 31 + size_t(r.slot + 1)) * 1021 + size_t(r.task) * 2 + (r.onHost ? 1 : 0); }
};

class Partitioner {
 public:
  explicit Partitioner(StepGraph& step) : step_(step), plan_(step.plan) {}

  Result<std::vector<StepPartition>> cut(const Signature& signature);

 private:
  const PlanNode& planNode(int i) const { return plan_.nodes[size_t(i)]; }
  const ClusterDevice& device(int i) const { return step_.cluster[size_t(step_.devices[size_t(i)])]; }
  int taskOf(int i) const { return taskByDevice_[size_t(step_.devices[size_t(i)])]; }
  bool outputOnHost(int i, int slot) const;
  bool inputOnHost(int i, int slot) const;
  Status connect(int reader);
  Result<Arrival> arrival(int from, int slot, int reader, int input, bool* fresh);
  Result<Arrival> transfer(int from, int slot, int reader, DType type, bool toHost);
  Result<int> addPiece(const char* op, AttrMap attrs, const std::string& stem, int near, int side, std::vector<Output> inputs, std::vector<int> controls);
  Status build(std::vector<StepPartition>& out);

  StepGraph& step_;
  const PlanGraph& plan_;
  std::vector<std::string> tasks_;
  std::vector<int> taskByDevice_;
  std::vector<Piece> pieces_;
  std::vector<int> pieceOf_;  // by node of the step
  std::unordered_map<Route, Arrival, RouteHash> arrivals_;
  int64_t edges_ = 0;
};

bool alwaysOnHost(DType type) { return baseType(type) == DType::String || baseType(type) == DType::Resource; }

bool Partitioner::outputOnHost(int i, int slot) const {
  if (alwaysOnHost(planNode(i).types[size_t(slot)])) return true;
  return device(i).type != "CPU" && hostSides(planNode(i), device(i).type).outputs[size_t(slot)] != 0;
}

bool Partitioner::inputOnHost(int i, int slot) const {
  if (alwaysOnHost(planNode(i).node->inputTypes[size_t(slot)])) return true;
  return device(i).type != "CPU" && hostSides(planNode(i), device(i).type).inputs[size_t(slot)] != 0;
}

Result<int> Partitioner::addPiece(const char* op, AttrMap attrs, const std::string& stem, int near, int side, std::vector<Output> inputs,
                                  std::vector<int> controls) {
  Piece piece;
  WEFT_LET(piece.made, addedNode(step_.names.next(stem, step_.graph), op, std::move(attrs)));
  piece.made.device = device(near).name;
  piece.inputs = std::move(inputs);
  piece.controls = std::move(controls);
  piece.near = near;
  piece.side = side;
  piece.task = taskOf(near);
  pieces_.push_back(std::move(piece));
  return int(pieces_.size()) - 1;
}

/// Sends an output (slot -1: the fact that the node has run) to the task of `reader`.
Result<Arrival> Partitioner::transfer(int from, int slot, int reader, DType type, bool toHost) {
  const std::string& stem = planNode(from).node->name;
  Output sent{pieceOf_[size_t(from)], slot};
  if (slot < 0) {
    const AttrMap empty{{"dtype", DType::Float}, {"value", Tensor::zeros(DType::Float, Shape{0})}};
    WEFT_LET(const int signal, addPiece("Const", empty, stem, from, 1, {}, {sent.node}));
    sent = {signal, 0};
  }
  AttrMap attrs = transferAttrs("edge_" + std::to_string(edges_) + "_" + stem, device(from), device(reader), false);
  AttrMap sendAttrs = attrs;
  sendAttrs.set("T", type);
  attrs.set("tensor_type", type);
  const bool fromHost = slot >= 0 && outputOnHost(from, slot);
  WEFT_TRY(addPiece(fromHost ? "_HostSend" : "_Send", std::move(sendAttrs), stem, from, 1, {sent}, {}).status());
  Arrival arrival;
  WEFT_LET(arrival.receive, addPiece(slot >= 0 && toHost ? "_HostRecv" : "_Recv", std::move(attrs), stem, reader, -1, {}, {}));
  arrival.value = arrival.receive;
  if (slot < 0) {
    WEFT_LET(arrival.value, addPiece("Identity", AttrMap{{"T", type}}, stem, reader, -1, {{arrival.receive, 0}}, {}));
  }
  return arrival;
}

/// The arrival of a value in the task of `reader`, which reads it as input `input` (-1: only waits for the node).
Result<Arrival> Partitioner::arrival(int from, int slot, int reader, int input, bool* fresh) {
  const bool isReference = slot >= 0 && isRef(planNode(from).types[size_t(slot)]);
  if (isReference && isRef(planNode(reader).node->inputTypes[size_t(input)])) {
    const std::string& name = planNode(reader).node->name;
    return invalidArgument("{{node ", name, "}} on ", device(reader).name, " takes a reference to {{node ", planNode(from).node->name, "}} on ",
                           device(from).name, "; a reference cannot leave its task")
        .atNode(name);
  }
  const bool toHost = input >= 0 && inputOnHost(reader, input);
  const Route route{from, slot, taskOf(reader), toHost || device(reader).type == "CPU"};
  const auto known = arrivals_.find(route);
  *fresh = isReference || known == arrivals_.end();
  if (!*fresh) return known->second;
  const DType type = slot < 0 ? DType::Float : baseType(planNode(from).types[size_t(slot)]);
  WEFT_LET(const Arrival made, transfer(from, slot, reader, type, toHost));
  if (!isReference) arrivals_.emplace(route, made);
  return made;
}

/// Connects a node of the step to its inputs, through transfers where they come from another task.
Status Partitioner::connect(int reader) {
  const PlanNode& p = planNode(reader);
  const int self = pieceOf_[size_t(reader)], loopControl = step_.loopControls[size_t(reader)];
  int crossings = 0;                    // between devices, without a receive here that waits for the control loop
  std::vector<int> references, others;  // receives of references; all other inputs
  const auto connectOne = [&](int from, int slot, int input) -> Status {
    ++edges_;
    if (step_.devices[size_t(from)] != step_.devices[size_t(reader)]) ++crossings;
    const bool isReference = slot >= 0 && isRef(planNode(from).types[size_t(slot)]);
    Output value{pieceOf_[size_t(from)], slot};
    if (taskOf(from) == taskOf(reader)) {
      if (!isReference) others.push_back(value.node);
    } else {
      bool fresh = false;
      WEFT_LET(const Arrival at, arrival(from, slot, reader, input, &fresh));
      if (fresh && loopControl >= 0) {
        --crossings;
        pieces_[size_t(at.receive)].controls.push_back(pieceOf_[size_t(loopControl)]);
      }
      (isReference ? references : others).push_back(isReference ? at.receive : at.value);
      value = {at.value, 0};
    }
    Piece& piece = pieces_[size_t(self)];
    if (input >= 0) {
      piece.inputs.push_back(value);
    } else {
      piece.controls.push_back(value.node);
    }
    return {};
  };
  for (size_t k = 0; k < p.inputs.size(); ++k) WEFT_TRY(connectOne(p.inputs[k].node, p.inputs[k].index, int(k)));
  for (const int c : p.controls) WEFT_TRY(connectOne(c, -1, -1));
  for (const int r : references) pieces_[size_t(r)].controls.insert(pieces_[size_t(r)].controls.end(), others.begin(), others.end());
  if (loopControl >= 0 && crossings > 0) pieces_[size_t(self)].controls.push_back(pieceOf_[size_t(loopControl)]);
  return {};
}

/// Makes the graphs. Their nodes are in the order of the session's graph, which workers may go by: readers of a variable before its updates.
Status Partitioner::build(std::vector<StepPartition>& out) {
  std::vector<int> order(pieces_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Piece &x = pieces_[size_t(a)], &y = pieces_[size_t(b)];
    return std::tie(x.near, x.side, a) < std::tie(y.near, y.side, b);
  });
  std::vector<int> ids(pieces_.size()), count(tasks_.size(), 0);
  for (const int i : order) ids[size_t(i)] = count[size_t(pieces_[size_t(i)].task)]++;
  for (const int i : order) {
    Piece& piece = pieces_[size_t(i)];
    Node node = piece.step >= 0 ? *planNode(piece.step).node : std::move(piece.made);
    if (piece.step >= 0) node.device = device(piece.step).name;
    node.raw = nullptr;
    node.defaulted.clear();  // all attributes are stated: workers of other versions may have no defaults for them
    node.inputs = std::move(piece.inputs);
    node.controls = std::move(piece.controls);
    for (Output& in : node.inputs) in.node = ids[size_t(in.node)];
    for (int& c : node.controls) c = ids[size_t(c)];
    std::sort(node.controls.begin(), node.controls.end());
    node.controls.erase(std::unique(node.controls.begin(), node.controls.end()), node.controls.end());
    StepPartition& part = out[size_t(piece.task)];
    part.hasControlFlow |= flowRole(node) != FlowRole::None;
    WEFT_TRY(part.graph.add(std::move(node)).status());
  }
  return {};
}

Result<std::vector<StepPartition>> Partitioner::cut(const Signature& signature) {
  for (const ClusterDevice& d : step_.cluster) {
    const auto at = std::find(tasks_.begin(), tasks_.end(), taskOfDevice(d.name));
    taskByDevice_.push_back(int(at - tasks_.begin()));
    if (at == tasks_.end()) tasks_.emplace_back(taskOfDevice(d.name));
  }
  const int n = int(plan_.nodes.size());
  pieceOf_.assign(size_t(n), -1);
  pieces_.reserve(size_t(n) + size_t(n) / 4);
  for (int i = 0; i < n; ++i) {
    if (!planNode(i).alive) continue;
    pieceOf_[size_t(i)] = int(pieces_.size());
    Piece& piece = pieces_.emplace_back();
    piece.step = piece.near = i;
    piece.task = taskOf(i);
  }
  for (int i = 0; i < n; ++i) {
    if (planNode(i).alive) WEFT_TRY(connect(i));
  }
  std::vector<StepPartition> out(tasks_.size());
  for (size_t t = 0; t < tasks_.size(); ++t) {
    out[t].task = tasks_[t];
    out[t].graph.versions = step_.graph.versions;
    out[t].graph.functions = step_.graph.functions;
  }
  WEFT_TRY(build(out));
  const auto list = [&](const std::vector<std::string>& names, const std::vector<int>& nodes,
                        std::vector<std::pair<std::string, std::string>> StepPartition::*to) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] < 0) continue;
      const ClusterDevice& d = device(nodes[i]);
      (out[size_t(taskOf(nodes[i]))].*to).emplace_back(names[i], rendezvousKey(d, d, planNode(nodes[i]).node->attrs.text("tensor_name")));
    }
  };
  list(signature.feeds, step_.feeds, &StepPartition::feeds);
  list(signature.fetches, step_.fetches, &StepPartition::fetches);
  std::erase_if(out, [](const StepPartition& p) { return p.graph.nodeCount() == 0; });
  return out;
}

}  // namespace

Result<std::vector<StepPartition>> partitionStep(const Graph& graph, std::span<const int> placement, std::span<const ClusterDevice> cluster, int client,
                                                 const Signature& signature, AddedNames& names) {
  if (client < 0 || client >= int(cluster.size())) return internalError("The master's device is not among the ", cluster.size(), " devices of the cluster");
  WEFT_LET(StepGraph step, stepGraph(graph, placement, cluster, client, signature, names));
  WEFT_TRY(addControlLoops(step));
  return Partitioner(step).cut(signature);
}

}  // namespace weft
