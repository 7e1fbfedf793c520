// How a while loop runs on several devices.
//
// A loop's condition is computed on one device, which leads. A device that receives something within the loop has to do so once per iteration, so it gets a
// control loop: Enter, Merge, Switch and NextIteration that carry an empty tensor round after round for as long as the leader's LoopCond, sent to it like
// any other value, is true. Its Merge fires at the start of each iteration, and the receives wait for it. In nested loops, the Enter of the inner control loop
// starts from the Merge of the outer one, so each outer iteration begins a new inner loop.
//
// This is done per device, not per task: a worker with several devices cuts its part once more and relies on these nodes (it knows them by their names).
#include <map>
#include <utility>

#include "runtime/frames.h"
#include "runtime/step_graph.h"

namespace weft {
namespace {

using Edges = std::vector<std::vector<int>>;  // successors by node; one entry per edge

/// Successors in the order of TensorFlow's edges: by reader, data before control, back edges of loops last.
Edges readersInOrder(const PlanGraph& plan) {
  Edges out(plan.nodes.size());
  std::vector<std::pair<int, int>> back;
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive) continue;
    const bool merges = flowRole(*p.node) == FlowRole::Merge;
    for (const Output& in : p.inputs) {
      if (merges && flowRole(*plan.nodes[size_t(in.node)].node) == FlowRole::NextIteration) {
        back.emplace_back(in.node, int(i));
      } else {
        out[size_t(in.node)].push_back(int(i));
      }
    }
    for (const int c : p.controls) out[size_t(c)].push_back(int(i));
  }
  for (const auto& [from, to] : back) out[size_t(from)].push_back(to);
  return out;
}

/// Moves control flow ops next to their data, which saves transfers: a Switch and an Exit to their input, an Enter and a NextIteration to their reader. The
/// order of the moves is that of TensorFlow (depth first), so that the same ops end up on the same devices.
void placeNearData(StepGraph& step) {
  PlanGraph& plan = step.plan;
  const Edges readers = readersInOrder(plan);
  const auto firstDataReader = [&](int i) {
    for (const int r : readers[size_t(i)]) {
      for (const Output& in : plan.nodes[size_t(r)].inputs) {
        if (in.node == i) return r;
      }
    }
    return -1;
  };
  const auto move = [&](int i) {
    const PlanNode& p = plan.nodes[size_t(i)];
    const FlowRole role = flowRole(*p.node);
    if (role == FlowRole::Switch || role == FlowRole::Exit) {
      step.devices[size_t(i)] = step.devices[size_t(p.inputs[0].node)];
    } else if ((role == FlowRole::Enter && !isRef(p.node->inputTypes[0])) || role == FlowRole::NextIteration) {
      if (const int reader = firstDataReader(i); reader >= 0) step.devices[size_t(i)] = step.devices[size_t(reader)];
    }
  };
  std::vector<char> seen(plan.nodes.size(), 0);
  std::vector<int> stack;
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    const PlanNode& p = plan.nodes[i];
    if (p.alive && p.inputs.empty() && p.controls.empty()) stack.push_back(int(i));
  }
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (std::exchange(seen[size_t(i)], 1)) continue;
    move(i);
    for (const int r : readers[size_t(i)]) {
      if (!seen[size_t(r)]) stack.push_back(r);
    }
  }
}

class ControlLoops {
 public:
  explicit ControlLoops(StepGraph& step) : step_(step), plan_(step.plan) {}

  Status add() {
    WEFT_TRY(frames_.find(plan_, Frames::Anywhere::Nothing));
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      const PlanNode& p = plan_.nodes[i];
      if (p.alive && flowRole(*p.node) == FlowRole::LoopCond && frames_.inside[i] >= 0) conditions_[frames_.inside[i]] = int(i);
    }
    const size_t given = plan_.nodes.size();  // loops add nodes at the end, so the nodes are looked up anew for each edge
    for (size_t i = 0; i < given; ++i) {
      for (size_t k = 0; k < plan_.nodes[i].inputs.size(); ++k) WEFT_TRY(forEdge(plan_.nodes[i].inputs[k].node, int(i)));
      for (size_t k = 0; k < plan_.nodes[i].controls.size(); ++k) WEFT_TRY(forEdge(plan_.nodes[i].controls[k], int(i)));
    }
    step_.loopControls.resize(plan_.nodes.size(), -1);
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      for (const Output& in : plan_.nodes[i].inputs) mark(in.node, int(i));
      for (const int c : plan_.nodes[i].controls) mark(c, int(i));
    }
    return {};
  }

 private:
  struct Loop {
    int enter = -1, merge = -1;
  };

  /// The frame in which a value goes from one device to another; 0 if it does not, or not within a loop.
  int crossing(int from, int to) const {
    if (!plan_.nodes[size_t(from)].alive || !plan_.nodes[size_t(to)].alive || step_.devices[size_t(from)] == step_.devices[size_t(to)]) return 0;
    const int frame = frames_.outside[size_t(from)];
    return frame > 0 && frame == frames_.inside[size_t(to)] ? frame : 0;
  }
  Status forEdge(int from, int to) {
    const int frame = crossing(from, to);
    return frame > 0 ? loop(frame, step_.devices[size_t(to)], plan_.nodes[size_t(to)].node->name).status() : Status();
  }
  void mark(int from, int to) {
    const int frame = crossing(from, to);
    if (frame > 0) step_.loopControls[size_t(to)] = loops_.at({frame, step_.devices[size_t(to)]}).merge;
  }
  Result<int> node(const std::string& name, const char* op, AttrMap attrs, int device, std::vector<Output> inputs, int inside, int outside) {
    WEFT_LET(const int added, step_.add(name, op, std::move(attrs), device, std::move(inputs)));
    frames_.inside.push_back(inside);
    frames_.outside.push_back(outside);
    return added;
  }

  /// The control loop of a frame on a device, made if it is not there. `stem`: start of the nodes' names.
  Result<Loop> loop(int frame, int device, const std::string& stem) {
    if (const auto known = loops_.find({frame, device}); known != loops_.end()) return known->second;
    const auto condition = conditions_.find(frame);
    if (condition == conditions_.end()) return invalidArgument("A cross-device loop must have a pivot predicate: ", frames_.names[size_t(frame)]);
    const auto name = [&] { return "_cloop" + step_.names.next(stem, step_.graph); };
    const AttrMap type{{"T", DType::Float}};
    AttrMap enterAttrs = type, mergeAttrs = type;
    enterAttrs.set("frame_name", frames_.names[size_t(frame)]);
    enterAttrs.set("parallel_iterations", frames_.parallelIterations[size_t(frame)]);
    mergeAttrs.set("N", 2);
    const int outer = frames_.parent[size_t(frame)];
    Loop made;
    WEFT_LET(made.enter, node(name(), "Enter", std::move(enterAttrs), device, {}, outer, frame));
    WEFT_LET(made.merge, node(name(), "Merge", std::move(mergeAttrs), device, {{made.enter, 0}}, frame, frame));
    WEFT_LET(const int again, node(name(), "Switch", type, device, {{made.merge, 0}, {condition->second, 0}}, frame, frame));
    WEFT_LET(const int next, node(name(), "NextIteration", type, device, {{again, 1}}, frame, frame));
    plan_.nodes[size_t(made.merge)].inputs.push_back({next, 0});
    loops_[{frame, device}] = made;
    if (outer == 0) {
      const AttrMap empty{{"dtype", DType::Float}, {"value", Tensor::zeros(DType::Float, Shape{0})}};
      WEFT_LET(const int start, node(step_.names.next(stem, step_.graph), "Const", empty, device, {}, 0, 0));
      plan_.nodes[size_t(made.enter)].inputs = {{start, 0}};
    } else {
      WEFT_LET(const Loop around, loop(outer, device, stem));
      plan_.nodes[size_t(made.enter)].inputs = {{around.merge, 0}};
    }
    return made;
  }

  StepGraph& step_;
  PlanGraph& plan_;
  Frames frames_;
  std::map<int, int> conditions_;              // frame -> its LoopCond
  std::map<std::pair<int, int>, Loop> loops_;  // by frame and device
};

}  // namespace

Status addControlLoops(StepGraph& step) {
  if (!step.plan.hasControlFlow) return {};
  placeNearData(step);
  return ControlLoops(step).add();
}

}  // namespace weft
