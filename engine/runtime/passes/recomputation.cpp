#include <algorithm>
#include <utility>

#include "kernel/session_state.h"
#include "runtime/passes/recomputation_choice.h"
#include "runtime/plan_graph.h"

// Fits a step into a memory limit: values that its second half needs from its first are computed again instead of being kept. Which ones is chosen in
// recomputation_choice.cpp; here the plan is rewritten, or refused.

namespace weft {
namespace {

constexpr size_t kMostPredicted = 4096;

size_t heldBytes(const PlanGraph& plan, const StepModel& model, const PassContext& context) {
  size_t held = model.constantBytes;
  for (const auto& v : context.session.variables()) {
    // A run in flight may be updating it; its size is that of the last time then.
    const MutexLock lock(v->mutex);
    if (v->value.hasValue() && v->value.place() == 0) held += v->value.bytes();
  }
  for (size_t i = 0; context.feedShapes && i < context.feedShapes->size() && i < plan.feedNodes.size(); ++i) {
    const int node = plan.feedNodes[i];
    const int64_t n = (*context.feedShapes)[i].elements();
    if (node >= 0 && n > 0) held += size_t(n) * sizeOf(plan.nodes[size_t(node)].types[0]);
  }
  return held;
}

/// Whether a node is one that the user marked: TensorFlow's attribute for memory_optimization = MANUAL.
bool isHinted(const PlanNode& p) { return p.node->attrs.find("_recompute_hint") != nullptr; }

std::string tensorName(const PlanGraph& plan, const StepModel& model, int value) {
  const StepModel::Value& v = model.values[size_t(value)];
  const StepModel::Node& n = model.nodes[size_t(v.node)];
  const PlanNode& p = plan.nodes[size_t(n.plan)];
  const int k = value - n.firstOutput;
  return concat(p.node->name, ":", k, " ", p.shapes[size_t(k)].toString(), " ", dtypeShortName(p.types[size_t(k)]), " ", memoryText(v.bytes));
}

/// The refusal of a step that cannot be made small enough.
Error tooLarge(const PlanGraph& plan, const StepModel& model, const RecomputationChoice& least, size_t keptBytes, size_t limit, size_t held) {
  std::vector<MemoryBlock> blocks;
  std::vector<int> values;
  peakOf(model, least.sequence, &blocks, &values);
  std::vector<size_t> there;
  for (size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].first <= least.peak.at && least.peak.at <= blocks[b].last) there.push_back(b);
  std::stable_sort(there.begin(), there.end(), [&](size_t a, size_t b) { return blocks[a].bytes > blocks[b].bytes; });
  std::string largest;
  for (size_t k = 0; k < std::min<size_t>(there.size(), 3); ++k)
    largest += (k ? ", " : "") + tensorName(plan, model, least.sequence.valueOf[size_t(values[there[k]])]);
  Error e = resourceExhausted("The step needs at least ", memoryText(held + least.bytes), ", more than the memory limit of ", memoryText(limit), "; ",
                              memoryText(held), " of it are variables, constants and fed values",
                              largest.empty() ? std::string() : ", and the largest tensors at its peak are " + largest, " (", memoryText(held + keptBytes),
                              " if nothing is computed again)");
  return e.atNode(plan.nodes[size_t(model.nodes[size_t(least.sequence.calls[size_t(least.peak.at)].node)].plan)].node->name);
}

/// The plan with the calls of `sequence`. Nodes get ids in the order in which they run, so PlanGraph::order() is that order.
void rewrite(PlanGraph& plan, const StepModel& model, const StepSequence& sequence) {
  std::vector<int> nodeOf(plan.nodes.size(), -1);  // in the model
  for (size_t n = 0; n < model.nodes.size(); ++n) nodeOf[size_t(model.nodes[n].plan)] = int(n);
  std::vector<PlanNode> nodes;
  std::vector<int> idOf(plan.nodes.size(), -1);
  std::vector<Output> outputOf(sequence.valueOf.size());
  size_t call = 0;
  const std::vector<int> order = plan.order();
  nodes.reserve(order.size() + size_t(sequence.again));
  const auto add = [&](const StepSequence::Call& c) {
    PlanNode& from = plan.nodes[size_t(model.nodes[size_t(c.node)].plan)];
    const int id = int(nodes.size());
    const StepModel::Node& n = model.nodes[size_t(c.node)];
    PlanNode p;
    if (c.again) {
      const PlanNode& source = nodes[size_t(idOf[size_t(n.plan)])];
      Node made = *source.node;
      made.name += "/recomputed";
      plan.made.push_back(std::move(made));
      p.node = &plan.made.back();
      p.origin = source.origin;
      p.types = source.types;
      p.shapes = source.shapes;
      p.device = source.device;
      p.kernel = source.kernel;
      p.merged = source.merged;
      p.again = true;
      p.inputs = source.inputs;
    } else {
      idOf[size_t(n.plan)] = id;
      p = std::move(from);
      for (Output& in : p.inputs) in.node = idOf[size_t(in.node)];
      for (int& control : p.controls) control = idOf[size_t(control)];
    }
    for (int k = 0; k < n.inputCount; ++k)
      if (const int in = sequence.inputs[size_t(c.firstInput + k)]; in >= 0) p.inputs[size_t(k)] = outputOf[size_t(in)];
    for (int k = 0; k < n.outputCount; ++k) outputOf[size_t(c.firstOutput + k)] = {id, k};
    nodes.push_back(std::move(p));
  };
  for (const int i : order) {
    if (nodeOf[size_t(i)] >= 0) {
      while (sequence.calls[call].again) add(sequence.calls[call++]);
      add(sequence.calls[call++]);
      continue;
    }
    idOf[size_t(i)] = int(nodes.size());
    PlanNode p = std::move(plan.nodes[size_t(i)]);
    if (p.isConstant()) p.inputs.clear();  // they may have been left out
    for (Output& in : p.inputs) in.node = idOf[size_t(in.node)];
    for (int& control : p.controls) control = idOf[size_t(control)];
    nodes.push_back(std::move(p));
  }
  for (Output& f : plan.fetches) f.node = idOf[size_t(f.node)];
  for (int& t : plan.targets) t = idOf[size_t(t)];
  for (int& f : plan.feedNodes)
    if (f >= 0) f = idOf[size_t(f)];
  plan.nodes = std::move(nodes);
}

}  // namespace

// RULE recomputation.copies
//   pattern      op v that runs before op t, and readers of v behind t
//   condition    no control flow; all on the host; v has outputs, no effect, reads no state, takes and gives no reference, handle or object, calls no function, keeps no tensor
//                beyond its call, and its sizes are known; between v and the first such reader nothing may write a reference variable whose memory v's inputs may be
//   replacement  a copy of v, with the inputs of v or copies of them, runs directly before that reader; the readers behind t read the copy; all other ops keep their order
/// Predicts the step's memory, and fits it into the limit.
Status recomputeToFit(PlanGraph& plan, PassContext& context) {
  const bool always = context.recomputation == Recomputation::Hinted || context.recomputation == Recomputation::Cheap;
  const bool wholeStep = context.recomputation != Recomputation::Never || context.memoryLimit > 0;
  if (!wholeStep || plan.hasControlFlow) return {};
  // Without a limit the prediction is only for people, and not worth the time for a very large plan.
  if (context.memoryLimit == 0 && !always && plan.nodes.size() > kMostPredicted) return {};
  for (const PlanNode& p : plan.nodes)
    if (p.alive && p.device && p.device->type() != "CPU") return {};
  const StepModel model = StepModel::of(plan);
  PlannedMemory& memory = plan.memory;
  const RecomputationChoice kept = keepAll(model);
  memory.known = true;
  memory.limit = context.memoryLimit;
  memory.held = heldBytes(plan, model, context);
  memory.keptBytes = memory.bytes = memory.held + kept.bytes;
  memory.unknown = model.unknown;
  const bool over = context.memoryLimit > 0 && memory.bytes > context.memoryLimit;
  if (!over && !always) return {};
  std::vector<uint8_t> allowed(model.nodes.size(), context.recomputation != Recomputation::Never);
  for (size_t n = 0; n < allowed.size(); ++n) {
    if (context.recomputation == Recomputation::Hinted) allowed[n] = isHinted(plan.nodes[size_t(model.nodes[n].plan)]);
    if (context.recomputation == Recomputation::Cheap) allowed[n] = model.nodes[n].cheap;
  }
  const size_t room = context.memoryLimit > memory.held ? context.memoryLimit - memory.held : 0;
  RecomputationChoice choice = over ? chooseRecomputation(model, allowed, room) : recomputeAll(model, allowed);
  if (over && choice.bytes > kept.bytes) choice = kept;
  if (over && choice.bytes > room) return tooLarge(plan, model, choice, kept.bytes, context.memoryLimit, memory.held);
  memory.bytes = memory.held + choice.bytes;
  memory.again = choice.sequence.again;
  memory.againNs = choice.sequence.againNs;
  if (memory.again == 0) return {};
  rewrite(plan, model, choice.sequence);
  plan.applied.push_back(concat("recomputation: ", memory.again, memory.again == 1 ? " node" : " nodes", " computed again"));
  return {};
}

}  // namespace weft
