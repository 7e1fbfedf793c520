// Loops and branches, found as TensorFlow's executor finds its frames: a frame begins at Enter and ends at Exit; a branch begins at an output of a
// Switch and ends at a Merge. Nested nodes belong to the innermost one.
#include "weft/loops.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "weft/graph.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

FlowOp flowOpOf(const Node& n) {
  switch (roleOf(n)) {
    case OpRole::Enter: return FlowOp::Enter;
    case OpRole::Merge: return FlowOp::Merge;
    case OpRole::Switch: return FlowOp::Switch;
    case OpRole::LoopCond: return FlowOp::LoopCond;
    case OpRole::NextIteration: return FlowOp::NextIteration;
    case OpRole::Exit: return FlowOp::Exit;
    default: return FlowOp::None;
  }
}

/// The forward op of a gradient node, by TensorFlow's names: SCOPE/gradients/a/b_grad/… belongs to a/b.
int forwardOf(const Graph& graph, std::string_view name) {
  size_t at = name.starts_with("gradients") ? 0 : name.find("/gradients");
  if (at == name.npos) return -1;
  at = name.find('/', at + 1);
  if (at == name.npos) return -1;
  const std::string_view rest = name.substr(at + 1);
  for (size_t end = rest.find("_grad"); end != rest.npos; end = rest.find("_grad", end + 1)) {
    const size_t behind = end + 5;
    if (behind < rest.size() && rest[behind] != '/' && rest[behind] != '_') continue;
    if (const Node* n = graph.find(rest.substr(0, end))) return n->id;
  }
  return -1;
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph) {}

  ControlFlow run() {
    out_.nodes.resize(size_t(graph_.size()));
    const auto order = graph_.topologicalOrder();
    if (!order.ok()) return std::move(out_);
    bool any = false;
    for (const int id : *order) {
      const Node& n = *graph_.node(id);
      place(id).op = flowOpOf(n);
      any = any || place(id).op != FlowOp::None;
      place(id).forward = forwardOf(graph_, n.name);
    }
    for (const int id : *order) readLoss(*graph_.node(id));
    std::sort(out_.losses.begin(), out_.losses.end());
    out_.losses.erase(std::unique(out_.losses.begin(), out_.losses.end()), out_.losses.end());
    if (!any) return std::move(out_);
    for (const int id : *order) visit(*graph_.node(id));
    for (const int id : *order) readOutputs(*graph_.node(id));
    return std::move(out_);
  }

 private:
  using Place = ControlFlow::Place;
  Place& place(int id) { return out_.nodes[size_t(id)]; }

  /// Gradients begin with `grad_ys_0`, or a Fill of it.
  bool isBegin(const Node* n) const {
    if (!n) return false;
    const std::string_view name = n->name;
    if (name.substr(name.rfind('/') + 1).starts_with("grad_ys_")) return true;
    return roleOf(*n) == OpRole::Fill && n->inputs.size() > 1 && graph_.node(n->inputs[1].node) != n && isBegin(graph_.node(n->inputs[1].node));
  }
  void readLoss(const Node& n) {
    if (place(n.id).forward < 0) return;
    for (const Output& in : n.inputs)
      if (isBegin(graph_.node(in.node))) out_.losses.push_back(place(n.id).forward);
  }

  int depthOfLoop(int loop) const { return loop < 0 ? 0 : loopDepth_[size_t(loop)]; }
  int depthOfBranch(int branch) const { return branch < 0 ? 0 : branchDepth_[size_t(branch)]; }

  /// The loop in which a node's consumers run.
  int loopBehind(int id) {
    const Place& p = place(id);
    return p.op == FlowOp::Exit && p.loop >= 0 ? out_.loops[size_t(p.loop)].parent : p.loop;
  }
  int branchBehind(Output from) {
    const Place& p = place(from.node);
    return p.op == FlowOp::Switch && p.conditional >= 0 ? branchOf(p.branch, p.conditional, from.index == 1) : p.branch;
  }

  int loopNamed(int parent, const std::string& frame) {
    const auto [it, isNew] = loopIds_.try_emplace({parent, frame}, int(out_.loops.size()));
    if (isNew) {
      loopDepth_.push_back(depthOfLoop(parent) + 1);
      out_.loops.push_back({parent, frame});
    }
    return it->second;
  }
  int branchOf(int parent, int conditional, bool whenTrue) {
    const auto [it, isNew] = branchIds_.try_emplace({parent, conditional * 2 + int(whenTrue)}, int(out_.branches.size()));
    if (isNew) {
      branchDepth_.push_back(depthOfBranch(parent) + 1);
      out_.branches.push_back({parent, conditional, whenTrue});
    }
    return it->second;
  }

  Output behindIdentities(Output o) const {
    for (const Node* n = graph_.node(o.node); n && isIdentity(*n) && !n->inputs.empty(); n = graph_.node(o.node)) o = n->inputs[0];
    return o;
  }

  void visit(const Node& n) {
    Place& p = place(n.id);
    const auto comesFrom = [&](int id, Output output) {
      if (!graph_.node(id) || (p.op == FlowOp::Merge && place(id).op == FlowOp::NextIteration)) return;
      if (const int loop = loopBehind(id); depthOfLoop(loop) > depthOfLoop(p.loop)) p.loop = loop;
      if (const int branch = branchBehind(output); depthOfBranch(branch) > depthOfBranch(p.branch)) p.branch = branch;
    };
    for (const Output& in : n.inputs) comesFrom(in.node, in);
    for (const int c : n.controls) comesFrom(c, {c, -1});
    if (p.op == FlowOp::Enter) {
      p.loop = loopNamed(p.loop, n.attrs.text("frame_name"));
      p.source = sourceOf(n);
    } else if (p.op == FlowOp::Switch && n.inputs.size() > 1) {
      const Output predicate = behindIdentities(n.inputs[1]);
      const bool ofLoop = graph_.node(predicate.node) && place(predicate.node).op == FlowOp::LoopCond;
      if (!ofLoop) p.conditional = conditionals_.try_emplace({p.branch, predicate}, int(conditionals_.size())).first->second;
    } else if (p.op == FlowOp::Merge && p.branch >= 0 && !isOfLoop(n)) {
      const ControlFlow::Branch& branch = out_.branches[size_t(p.branch)];
      p.conditional = branch.conditional;
      p.branch = branch.parent;
    }
  }

  bool isOfLoop(const Node& merge) {
    return std::any_of(merge.inputs.begin(), merge.inputs.end(),
                       [this](Output in) { return graph_.node(in.node) && place(in.node).op == FlowOp::NextIteration; });
  }

  /// The source of an Enter outside all enclosing loops, whose variables pass through Enter, Merge, Switch and Identity.
  int sourceOf(const Node& enter) {
    const Node* n = &enter;
    for (int step = 0; step < 64 && !n->inputs.empty(); ++step) {
      const Node* before = graph_.node(n->inputs[0].node);
      if (!before) break;
      const FlowOp op = place(before->id).op;
      const bool passes = (op == FlowOp::Enter || op == FlowOp::Merge || op == FlowOp::Switch || isIdentity(*before)) && place(before->id).loop >= 0;
      n = before;
      if (!passes) break;
    }
    return n == &enter ? -1 : n->id;
  }

  void readOutputs(const Node& n) {
    for (const Output& in : n.inputs)
      if (graph_.node(in.node) && place(in.node).conditional >= 0 && place(in.node).op == FlowOp::Switch)
        place(in.node).outputs |= std::uint8_t(in.index == 1 ? 2 : 1);
  }

  const Graph& graph_;
  ControlFlow out_;
  std::vector<int> loopDepth_, branchDepth_;
  std::map<std::pair<int, std::string>, int> loopIds_;
  std::map<std::pair<int, int>, int> branchIds_;
  std::map<std::pair<int, Output>, int> conditionals_;
};

}  // namespace

ControlFlow controlFlowOf(const Graph& graph) { return Finder(graph).run(); }

}  // namespace weft
