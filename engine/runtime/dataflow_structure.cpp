#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/dataflow_plan.h"
#include "runtime/frames.h"

namespace weft::dataflow {
namespace {

/// Gives every node its frame.
Status assignFrames(Structure& s) {
  Frames frames;
  WEFT_TRY(frames.find(s.graph, Frames::Anywhere::Constants));
  for (size_t f = 0; f < frames.parent.size(); ++f) {
    s.frames.emplace_back();
    s.frames[f].parent = frames.parent[f];
    s.frames[f].name = frames.names[f];
    s.frames[f].parallelIterations = frames.parallelIterations[f];
  }
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    const PlanNode& p = s.graph.nodes[i];
    s.nodes[i].frame = std::max(frames.inside[i], 0);
    s.nodes[i].outputFrame = std::max(frames.outside[i], 0);
    if (p.node && flowRole(*p.node) == FlowRole::Enter && frames.outside[i] >= 0) s.nodes[i].frameId = frames.outside[i];
  }
  return {};
}

/// Whether the node only signals that a branch is taken: a Switch whose predicate depends on its data input, or an Identity of such a Switch.
/// A consumer with another input from that branch then already waits, through the predicate, for everything that this node waits for. Any other
/// Identity may represent an update.
bool onlySignalsBranch(const PlanGraph& g, int node) {
  const PlanNode* p = &g.nodes[size_t(node)];
  if (!p->node || p->isConstant() || !p->controls.empty()) return false;
  if (roleOf(*p->node) == OpRole::Identity) p = &g.nodes[size_t(p->inputs[0].node)];
  if (!p->node || p->isConstant() || !p->controls.empty() || flowRole(*p->node) != FlowRole::Switch) return false;
  const PlanNode& data = g.nodes[size_t(p->inputs[0].node)];
  if (!data.node || (data.isConstant() && data.controls.empty())) return true;  // a feed, or a constant without control inputs
  // A loop's predicate is computed from the loop variables; tf.cond's predicate switches itself.
  constexpr size_t kFar = 64;
  std::vector<int> seen{p->inputs[1].node};
  for (size_t k = 0; k < seen.size() && seen.size() < kFar; ++k) {
    if (seen[k] == p->inputs[0].node) return true;
    const PlanNode& from = g.nodes[size_t(seen[k])];
    if (from.isConstant() || (from.node && flowRole(*from.node) == FlowRole::Merge)) continue;  // a Merge waits for only one of its inputs
    for (const Output& in : from.inputs)
      if (std::find(seen.begin(), seen.end(), in.node) == seen.end()) seen.push_back(in.node);
  }
  return false;
}

/// Moves the control inputs of constants to their consumers. A control input that only signals a branch is left out if another input of the
/// consumer implies it.
void moveControlsToConsumers(Structure& s) {
  PlanGraph& g = s.graph;
  if (std::none_of(g.nodes.begin(), g.nodes.end(), [](const PlanNode& p) { return p.alive && p.isConstant() && !p.controls.empty(); })) return;
  // For each node, the branches that are taken if it is alive, as 2·(predicate's node) + side.
  using Branches = std::vector<int>;
  std::vector<Branches> taken(g.nodes.size());
  const auto branchesOf = [&](Output o) {
    Branches b = taken[o.node];
    const PlanNode& p = g.nodes[o.node];
    if (p.node && !p.isConstant() && flowRole(*p.node) == FlowRole::Switch) {
      b.push_back(2 * p.inputs[1].node + o.index);
      std::sort(b.begin(), b.end());
    }
    return b;
  };
  const auto unite = [](Branches& to, const Branches& more) {
    Branches all;
    std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
    to = std::move(all);
  };
  for (const int i : g.order()) {
    PlanNode& p = g.nodes[i];
    Branches& mine = taken[i];
    for (const int c : p.controls) unite(mine, taken[c]);
    if (p.isConstant()) continue;
    if (p.node && flowRole(*p.node) == FlowRole::Merge) {
      // A Merge is alive if any input is, so only branches common to all inputs count. Inputs from the previous iteration are ignored.
      bool first = true;
      Branches common;
      for (const Output& in : p.inputs) {
        const PlanNode& from = g.nodes[in.node];
        if (from.node && flowRole(*from.node) == FlowRole::NextIteration) continue;
        const Branches b = branchesOf(in);
        Branches both;
        std::set_intersection(common.begin(), common.end(), b.begin(), b.end(), std::back_inserter(both));
        common = first ? b : both;
        first = false;
      }
      unite(mine, common);
      continue;
    }
    for (const Output& in : p.inputs)
      if (!g.nodes[in.node].isConstant()) unite(mine, branchesOf(in));
    std::vector<int> more;
    for (const Output& in : p.inputs) {
      const PlanNode& constant = g.nodes[in.node];
      if (!constant.isConstant()) continue;
      for (const int c : constant.controls) {
        if (s.nodes[c].outputFrame != s.nodes[i].frame) continue;
        if (taken[c].empty() || !onlySignalsBranch(g, c) || !std::includes(mine.begin(), mine.end(), taken[c].begin(), taken[c].end())) more.push_back(c);
      }
    }
    for (const int c : more) {
      if (std::find(p.controls.begin(), p.controls.end(), c) == p.controls.end()) p.controls.push_back(c);
      unite(mine, taken[c]);
    }
  }
}

/// Whether the op has to know which of its inputs are alive.
bool asksForLife(const Node& node) { return flowRole(node) == FlowRole::Merge || roleOf(node) == OpRole::Send; }

/// Nodes (by id) whose arrival matters: sources of control edges, inputs of Merge and Send, fetches, targets, and the control inputs of such constants. A
/// constant not among them needs no node.
std::vector<char> waitedFor(const PlanGraph& g) {
  std::vector<char> is(g.nodes.size(), 0);
  std::vector<int> open;
  const auto ask = [&](int node) {
    if (!std::exchange(is[size_t(node)], char(1)) && g.nodes[size_t(node)].isConstant()) open.push_back(node);
  };
  for (const PlanNode& p : g.nodes) {
    if (!p.alive || p.isConstant()) continue;
    for (const int c : p.controls) ask(c);
    if (!p.node || !asksForLife(*p.node)) continue;
    for (const Output& in : p.inputs) ask(in.node);
  }
  for (const Output& f : g.fetches) ask(f.node);
  for (const int t : g.targets) ask(t);
  while (!open.empty()) {
    const PlanNode& constant = g.nodes[size_t(open.back())];
    open.pop_back();
    for (const int c : constant.controls) ask(c);
  }
  return is;
}

}  // namespace

Status buildStructure(PlanGraph graph, SessionState& session, Structure& s) {
  s.graph = std::move(graph);
  PlanGraph& g = s.graph;
  const int n = int(g.nodes.size());
  s.nodes.resize(n);
  WEFT_TRY(assignFrames(s));

  // A constant needs no node as a rule: its control inputs (order and deadness) move to its consumers. Merge and Send have to know which of their inputs
  // are alive, so a constant that they read must be a node.
  moveControlsToConsumers(s);
  const std::vector<char> usedAsNode = waitedFor(g);

  for (int i = 0; i < n; ++i) {
    PlanNode& p = g.nodes[i];
    DataNode& d = s.nodes[i];
    if (!p.alive || (p.isConstant() && !usedAsNode[i])) continue;
    d.plan = &p;
    d.role = p.node ? flowRole(*p.node) : FlowRole::None;
    d.outputCount = int(p.types.size());
    d.ignoresDead = p.node && roleOf(*p.node) == OpRole::ControlTrigger;
    d.transfers = p.node && (roleOf(*p.node) == OpRole::Send || roleOf(*p.node) == OpRole::Receive);
    d.allowsUninitialized = p.node && p.node->record->allowsUninitializedInput;
    d.isConstantValue = p.isConstant();
    FrameInfo& home = s.frames[d.frame];
    d.local = home.nodeCount++;
    home.nodes.push_back(i);
    d.consumers.resize(d.outputCount);
    if (d.role == FlowRole::Enter) {
      d.invariant = p.node->attrs.flag("is_constant");
      ++s.frames[d.frameId].enterCount;
    }
    FrameInfo& out = s.frames[d.outputFrame];
    if (d.invariant) {
      d.firstSlot = out.invariantCount;
      out.invariantCount += d.outputCount;
    } else {
      d.firstSlot = out.slotCount;
      out.slotCount += d.outputCount;
    }
  }
  const std::vector<uint8_t> watched = watchedNodes(g);
  for (FrameInfo& f : s.frames) {
    f.pendingTemplate.assign(f.nodeCount, 0);
    f.usesTemplate.assign(f.slotCount, 0);
  }
  for (int i = 0; i < n; ++i) {
    DataNode& d = s.nodes[i];
    if (!d.plan) continue;
    const PlanNode& p = *d.plan;
    if (!d.isConstantValue) {
      for (size_t k = 0; k < p.inputs.size(); ++k) {
        const Output in = p.inputs[k];
        DataNode& from = s.nodes[in.node];
        if (g.nodes[in.node].isConstant() && (!from.plan || !p.node || !asksForLife(*p.node))) {
          d.inputs.push_back({InputSource::Kind::Constant, int(s.constants.size()), false});
          s.constants.push_back(&g.nodes[in.node].constants[in.index]);
          continue;
        }
        const bool ref = isRef(from.plan->types[in.index]);
        d.inputs.push_back({from.invariant ? InputSource::Kind::Invariant : InputSource::Kind::Slot, from.firstSlot + in.index, ref});
        from.consumers[in.index].push_back({i, int(k)});
        ++d.dataInputs;
        if (!from.invariant) ++s.frames[from.outputFrame].usesTemplate[from.firstSlot + in.index];
      }
    }
    int controls = 0;
    for (int c : p.controls) {
      if (!s.nodes[c].plan) continue;
      s.nodes[c].controlConsumers.push_back({i, -1});
      ++controls;
    }
    d.pending = d.role == FlowRole::Merge ? controls : controls + d.dataInputs;
    s.frames[d.frame].pendingTemplate[d.local] = d.pending;
    if (controls + d.dataInputs == 0) s.roots.push_back(i);
    d.cheapForward = p.node && roleOf(*p.node) == OpRole::Identity && !p.isConstant();
    const bool forwards = d.role != FlowRole::None || d.cheapForward;
    d.watched = watched[size_t(i)] && !forwards && !p.loop;
    if (p.node && !p.isConstant() && !forwards) {
      d.kernel = p.kernel;
      if (!d.kernel) {
        WEFT_LET(d.kernel, makeKernel(*p.node, *p.device, session));
      }
      d.waits = dynamic_cast<AsyncKernel*>(d.kernel.get());
    }
  }
  return {};
}

}  // namespace weft::dataflow
