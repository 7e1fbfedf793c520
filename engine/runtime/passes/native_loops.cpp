#include <algorithm>

#include "runtime/loop_products.h"
#include "runtime/passes/loop_extraction.h"

// Finds while loops as tf.while_loop and tf.gradients build them: for each variable Enter -> Merge -> Switch -> (Exit | body -> NextIteration ->
// Merge), and one LoopCond for all. Nodes that depend on a Switch's true side are the body; nodes that LoopCond depends on are the condition.
// Loops with anything else (references, fetches from inside, asynchronous ops, other devices, edges that leave a frame without Exit) stay with
// the dataflow executor.
namespace weft {

bool isFreeConstant(const PlanNode& p) { return p.node && isConstant(*p.node) && p.controls.empty(); }

bool passesOn(const PlanGraph& g, const PlanNode& p) {
  return p.node && roleOf(*p.node) == OpRole::Identity && isPure(*p.node) && p.inputs.size() == 1 &&
         !isRef(g.nodes[size_t(p.inputs[0].node)].types[size_t(p.inputs[0].index)]);
}

bool LoopExtraction::run() {
  if (!collect() || !findVariables() || !findCondition() || !divide() || !mayRun() || !canEnterTogether()) return false;
  auto loop = std::make_shared<NativeLoop>();
  if (!build(*loop)) return false;
  for (NativeLoop::Part* part : {&loop->condition, &loop->hoisted, &loop->body}) simplifyControls(part->graph);
  if (!isOff("loop_products")) deferProducts(*loop);
  replace(std::move(loop));
  return true;
}

bool LoopExtraction::isOff(std::string_view part) const {
  return context_.disabled && std::find(context_.disabled->begin(), context_.disabled->end(), part) != context_.disabled->end();
}

// RULE native_loops.loop
//   pattern      a frame: for each variable Enter -> Merge -> Switch -> (Exit | body -> NextIteration -> Merge), one LoopCond for all
//   condition    the rules native_loops.form, enters_together and dies_together hold; on the CPU; no stepping; the plan receives nothing from other
//                devices, which would be another source of dead values
//   replacement  one op whose inputs are those of the Enters and whose outputs are those of the Exits; it runs the body while the condition holds
/// Replaces each while loop by one node, innermost first, so that all other rewrites see the graph and the bodies without frames.
Status nativeLoops(PlanGraph& plan, PassContext& context) {
  if (!plan.hasControlFlow || !OpRegistry::instance().find("While")) return {};
  const auto receives = [](const PlanNode& p) { return p.alive && p.node && roleOf(*p.node) == OpRole::Receive; };
  if (std::any_of(plan.nodes.begin(), plan.nodes.end(), receives)) return {};
  Frames frames;
  if (!frames.find(plan, Frames::Anywhere::Consts).ok()) return {};  // the executor reports the error
  const int count = int(frames.parent.size());
  int made = 0;
  for (int f = count - 1; f > 0; --f) made += LoopExtraction(plan, frames, f, context).run();  // enclosing frames have smaller numbers
  if (!made) return {};
  plan.hasControlFlow =
      std::any_of(plan.nodes.begin(), plan.nodes.end(), [](const PlanNode& p) { return p.alive && p.node && flowRole(*p.node) != FlowRole::None; });
  return {};
}

}  // namespace weft
