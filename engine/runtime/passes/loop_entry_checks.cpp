#include <algorithm>

#include "runtime/passes/loop_extraction.h"

// Whether replacing a frame by one node can be observed through its inputs and outputs.
namespace weft {

// RULE native_loops.enters_together
//   pattern      a frame; the op runs when all inputs have arrived, while the frame begins with the first input
//   condition    no input depends on an output, by data or control edges
//   replacement  one op: it cannot wait for itself
// RULE native_loops.late_counter
//   pattern      Enter(c), c a Const that only it reads and that waits for nodes after the loop: tf.gradients starts its count of iterations from such a
//                constant, which waits for the nodes that tf.control_dependencies names around the gradients
//   condition    the frame is not nested; neither the condition nor an effect depends on c, in any number of iterations
//   replacement  c enters at once; readers of exits that depend on c wait for the control inputs of c instead, which become targets
bool LoopExtraction::canEnterTogether() {
  const Liveness live = livenessOf(g_);
  const std::vector<uint8_t> after = runsAfter(g_, exits_);
  if (!isDeadOrAliveAsWhole(live)) return false;
  for (const std::vector<int>* list : {&entering_, &constantEnters_}) {
    for (const int e : *list) {
      const int from = at(e).inputs[0].node;
      const auto late = [&](int i) {
        for (const int c : at(i).controls)
          if (after[size_t(c)]) waits_.push_back(c);
      };
      const size_t before = waits_.size();
      late(e);
      if (after[size_t(from)]) {
        if (!at(from).node || !isConstant(*at(from).node) || !isReadOnlyBy(from, e)) return false;
        late(from);
      }
      if (waits_.size() == before) continue;
      lateEnters_.push_back(e);
      lateRegisters_.insert(registerOf_.at(list == &entering_ ? Output{merges_[size_t(variableOf(e))], 0} : Output{e, 0}));
    }
  }
  std::sort(waits_.begin(), waits_.end());
  waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
  return waits_.empty() || (frames_.parent[size_t(frame_)] == 0 && findLate());
}

// RULE native_loops.dies_together
//   pattern      a frame; E: the conditions for all inputs to be alive; C: for the loop condition; N(v): for the next value of variable v; W(i): for op i
//   condition    C = E or each input has E;  E <= N(v) <= E + {the loop continues}, for all v;  E <= W(i), for all i with effects
//   replacement  one op, which is alive exactly if E holds
// If E holds, only branches within the body can be dead, and every exit is alive. If not, no exit is alive, though some inputs may be. Loops for which
// this does not hold stay frames: those with an exit that is alive although its variable entered dead (the body computes its next value from others),
// with effects that happen although an exit is dead, or with a body that lets a variable die.
bool LoopExtraction::isDeadOrAliveAsWhole(const Liveness& live) const {
  const auto within = [](const LiveWhen& some, const LiveWhen& of) { return std::includes(of.begin(), of.end(), some.begin(), some.end()); };
  const auto knows = [&](int i) { return live.known[size_t(i)] != 0; };
  LiveWhen all;
  const int entering = int(entering_.size() + constantEnters_.size());
  for (int r = 0; r < entering; ++r) {
    if (!knows(enterOf(r))) return false;
    unite(all, live.when[size_t(enterOf(r))]);
  }
  bool same = true;
  for (int r = 0; r < entering; ++r) same &= live.when[size_t(enterOf(r))] == all;
  if (!knows(loopCond_) || (!same && live.when[size_t(loopCond_)] != all)) return false;
  LiveWhen round = all;
  unite(round, {takenBranch({loopCond_, 0}, 1)});
  for (const int n : returning_)
    if (!knows(n) || !within(all, live.when[size_t(n)]) || !within(live.when[size_t(n)], round)) return false;
  for (const std::vector<int>* list : {&condition_, &body_})
    for (const int i : *list)
      if (!isPure(at(i)) && (!knows(i) || !within(all, live.when[size_t(i)]))) return false;
  return true;
}

bool LoopExtraction::isReadOnlyBy(int constant, int enter) const {
  for (const Output& f : g_.fetches)
    if (f.node == constant) return false;
  if (std::find(g_.targets.begin(), g_.targets.end(), constant) != g_.targets.end()) return false;
  for (int i = 0; i < int(g_.nodes.size()); ++i) {
    const PlanNode& p = at(i);
    if (!p.alive) continue;
    if (std::find(p.controls.begin(), p.controls.end(), constant) != p.controls.end()) return false;
    if (i != enter && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return in.node == constant; })) return false;
  }
  return true;
}

/// Finds all variables that depend on a late input. False if the loop condition or an effect depends on one too, because these would then happen
/// earlier than in the graph.
bool LoopExtraction::findLate() {
  std::set<int> nodes;
  const auto isLate = [&](int node) {
    if (nodes.count(node)) return true;
    for (const auto& [output, r] : registerOf_)
      if (output.node == node && lateRegisters_.count(r)) return true;
    return false;
  };
  const auto waitsForLate = [&](int i) {
    const PlanNode& p = at(i);
    return std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isLate(in.node); }) ||
           std::any_of(p.controls.begin(), p.controls.end(), isLate);
  };
  for (size_t known = 0, attempt = 0; attempt == 0 || known != lateRegisters_.size() + nodes.size(); ++attempt) {
    known = lateRegisters_.size() + nodes.size();
    for (const std::vector<int>* list : {&condition_, &hoisted_, &body_}) {
      for (const int i : *list) {
        if (nodes.count(i) || !waitsForLate(i)) continue;
        if (list == &condition_ || !isPure(at(i))) return false;
        nodes.insert(i);
      }
    }
    for (size_t v = 0; v < returning_.size(); ++v)
      if (waitsForLate(returning_[v])) lateRegisters_.insert(int(v));
  }
  return !waitsForLate(loopCond_);
}

/// Lets late inputs enter at once and moves their waits to the readers of the exits that depend on them.
void LoopExtraction::moveWaits(int loop) {
  const auto isLate = [&](int exit) {
    const auto k = std::find(exits_.begin(), exits_.end(), exit);
    return k != exits_.end() && lateRegisters_.count(exitRegisters_[size_t(k - exits_.begin())]) > 0;
  };
  const auto waited = [&](int c) { return std::binary_search(waits_.begin(), waits_.end(), c); };
  for (const int e : lateEnters_) {
    std::erase_if(g_.nodes[size_t(e)].controls, waited);
    std::erase_if(g_.nodes[size_t(at(e).inputs[0].node)].controls, [&](int c) { return isConstant(*at(at(e).inputs[0].node).node) && waited(c); });
  }
  for (int i = 0; i < int(g_.nodes.size()); ++i) {
    PlanNode& p = g_.nodes[size_t(i)];
    if (!p.alive || kind(i) != Kind::Outside || i == loop) continue;
    const bool reads = std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isLate(in.node); }) ||
                       std::any_of(p.controls.begin(), p.controls.end(), isLate);
    if (!reads) continue;
    p.controls.insert(p.controls.end(), waits_.begin(), waits_.end());
    std::sort(p.controls.begin(), p.controls.end());
    p.controls.erase(std::unique(p.controls.begin(), p.controls.end()), p.controls.end());
  }
  // The awaited nodes must run even if no reader is left, or a late value is only fetched.
  for (const int c : waits_)
    if (std::find(g_.targets.begin(), g_.targets.end(), c) == g_.targets.end()) g_.targets.push_back(c);
}

}  // namespace weft
