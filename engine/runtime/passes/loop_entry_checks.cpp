#include <algorithm>

#include "runtime/passes/loop_extraction.h"

// Whether the loop as one node can be told from its frame by what enters and what leaves.
namespace weft {

// RULE native_loops.enters_together
//   pattern      a frame; the op runs when all that enters is there, while the frame begins with the first value that comes
//   condition    nothing that enters comes after what leaves, by data or control edges
//   replacement  one op: it cannot wait for itself
// RULE native_loops.late_counter
//   pattern      Enter(c), c a Const that only it reads and that waits for what comes after the loop: tf.gradients counts the rounds of a loop from
//                such a constant, which waits for whatever tf.control_dependencies names around the gradients
//   condition    the frame lies in none; neither the condition nor an effect depends on c, within any number of rounds
//   replacement  c enters at once; who reads what the loop makes of it waits for what c waited for, and that is a target
bool LoopExtraction::entersTogether() {
  const Liveness live = livenessOf(g_);
  const std::vector<uint8_t> after = runsAfter(g_, exits_);
  if (!diesTogether(live)) return false;
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
//   pattern      a frame; E: what is needed for everything that enters to be alive; C: for the condition; N(v): for a variable's next value; W(i): for op i
//   condition    C = E or each that enters needs E;  E <= N(v) <= E + {the loop goes on}, for all v;  E <= W(i), for all i with effects
//   replacement  one op, which is alive exactly if E holds
// If E holds, nothing in the frame is dead but what a branch within the body leaves out, and every exit lives. If it does not, no exit lives, though
// something else may have entered alive: an exit may live though its variable came in dead (the body makes its next value of others), effects may
// happen though an exit is dead, and a body may let a variable die. Those loops stay frames.
bool LoopExtraction::diesTogether(const Liveness& live) const {
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

/// All variables that depend on what enters late. False if whether the loop goes on, or an effect, does too: those would have come later.
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

/// Lets what enters late enter at once, and those wait that read what became of it.
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
  // Who fetches a late value, or nobody: what was waited for runs all the same.
  for (const int c : waits_)
    if (std::find(g_.targets.begin(), g_.targets.end(), c) == g_.targets.end()) g_.targets.push_back(c);
}

}  // namespace weft
