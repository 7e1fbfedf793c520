#include <algorithm>
#include <iterator>

#include "runtime/passes/loop_extraction.h"

// Whether the loop as one node can be told from its frame by what enters and what leaves.
namespace weft {

/// The node runs when all that enters is there, while the frame begins with the first value that comes. So nothing that enters may wait for
/// what leaves, and where anything that enters is dead all that leaves must be dead too. One exception to the first: tf.gradients counts the rounds of a loop from a constant that waits for
/// whatever tf.control_dependencies names around the gradients, which may well be what comes after the loop. Such a constant enters at once;
/// who uses what the loop makes of it waits instead.
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
        if (!at(from).node || at(from).node->op != "Const" || !isReadOnlyBy(from, e)) return false;
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

/// In the frame a variable leaves alive if it came in alive and so did all that the condition reads; as a node, if all came in alive.
bool LoopExtraction::diesTogether(const Liveness& live) const {
  const auto unite = [](LiveWhen& to, const LiveWhen& more) {
    LiveWhen both;
    std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(both));
    to = std::move(both);
  };
  LiveWhen all, tested;
  std::set<int> read;
  const auto reads = [&](int i) {
    for (const Output& in : at(i).inputs) read.insert(in.node);
    read.insert(at(i).controls.begin(), at(i).controls.end());
  };
  reads(loopCond_);
  for (const int i : condition_) reads(i);
  for (const int i : read)
    for (const auto& [output, r] : registerOf_)
      if (output.node == i) unite(tested, live.when[size_t(enterOf(r))]);
  for (int r = 0; r < int(entering_.size() + constantEnters_.size()); ++r) {
    if (!live.known[size_t(enterOf(r))]) return false;
    unite(all, live.when[size_t(enterOf(r))]);
  }
  for (const int r : exitRegisters_) {
    LiveWhen leaves = live.when[size_t(enterOf(r))];
    unite(leaves, tested);
    if (leaves != all) return false;
  }
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
    std::erase_if(g_.nodes[size_t(at(e).inputs[0].node)].controls, [&](int c) { return at(at(e).inputs[0].node).node->op == "Const" && waited(c); });
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
