// Variables that a program fills by ops of its own: sums of gradients over several batches, and copies of networks.
#include <algorithm>

#include "doctor/program_story.h"
#include "weft/op.h"

namespace weft::doctor {
namespace {

constexpr int64_t kStepsWithoutCopy = 200;
constexpr int kAppliedSums = 3;
constexpr size_t kMostOps = 64;  // of the value of a copy

/// The variable whose value an optimizer takes for a gradient, maybe scaled; null: the gradient is computed.
const Node* sumBehind(const Graph& g, Output o) {
  for (int steps = 0; steps < 16; ++steps) {
    const Node* n = g.node(o.node);
    if (!n || isVariable(*n)) return n;
    const OpRole r = roleOf(*n);
    if (isScaling(*n) && n->inputs.size() == 2) o = isConstant(*g.node(n->inputs[0].node)) ? n->inputs[1] : n->inputs[0];
    else if ((r == OpRole::Identity || r == OpRole::ReadVariable || r == OpRole::Cast || r == OpRole::Reshape) && !n->inputs.empty()) o = n->inputs[0];
    else return nullptr;
  }
  return nullptr;
}

int gradientInput(const Node& n) {
  if (!n.record || roleOf(n) != OpRole::ApplyGradient) return -1;
  for (size_t i = 0; i < n.record->inputs.size() && i < n.inputs.size(); ++i)
    if (n.record->inputs[i].name == "grad" || n.record->inputs[i].name == "delta") return int(i);
  return -1;
}

/// Whether an op adds something to a variable that is not computed from it. A running mean is.
bool adds(const Graph& g, const Node& n, const Node& variable) {
  if (!isKind(&n, {OpKind::Addition}) || n.inputs.size() < 2) return false;
  std::vector<int> work{n.inputs.back().node};
  for (size_t i = 0; i < work.size() && i < kMostOps; ++i) {
    if (work[i] == variable.id) return false;
    const Node& from = *g.node(work[i]);
    if (!isVariable(from))
      for (const Output in : from.inputs) work.push_back(in.node);
  }
  return true;
}

}  // namespace

void findSums(const Graph& g, const std::vector<char>& computed, RunKind& kind) {
  std::set<const Node*> sums;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    const int at = n ? gradientInput(*n) : -1;
    const Node* sum = at < 0 ? nullptr : sumBehind(g, n->inputs[size_t(at)]);
    if (!sum) continue;
    sums.insert(sum);
    if (computed[size_t(id)]) kind.applies.insert(sum->name);
  }
  if (sums.empty()) return;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = computed[size_t(id)] ? g.node(id) : nullptr;
    const Node* v = n ? changedVariable(g, *n) : nullptr;
    if (!v || !sums.contains(v)) continue;
    (adds(g, *n, *v) ? kind.adds : kind.clears).insert(v->name);
  }
}

void GradientSums::ran(const RunKind& kind, const std::function<void(DoctorFinding)>& report) {
  for (const std::string& v : kind.clears) sums_.erase(v);
  for (const std::string& v : kind.adds) sums_[v].added = true;
  for (const std::string& v : kind.applies) {
    const auto s = sums_.find(v);
    if (s == sums_.end() || !std::exchange(s->second.added, false) || ++s->second.applied != kAppliedSums) continue;
    if (!std::exchange(told_, true)) report(finding("gradients-add-up", v, {v, number(kAppliedSums)}));
  }
}

void Story::copiesNotMade(const MetaGraph& meta, const std::vector<char>& computed, const Report& report) const {
  if (steps_ < kStepsWithoutCopy) return;
  const Graph& g = meta.graph;
  const Node* first = nullptr;
  int count = 0;
  std::set<std::string> made;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    const bool sets = n && (roleOf(*n) == OpRole::Assign || isKind(n, {OpKind::Addition})) && n->inputs.size() > 1;
    const Node* v = sets ? changedVariable(g, *n) : nullptr;
    if (!v || n->name == v->name + "/Assign" || trained_.contains(v->name) || changed_.contains(v->name)) continue;
    if (!stepsRead_.contains(v->name) && !averagesRead_.contains(v->name)) continue;
    // The value of a variable that is trained, or a mean of both.
    std::vector<int> work{n->inputs[1].node};
    bool copies = false;
    for (size_t i = 0; i < work.size() && i < kMostOps && !copies; ++i) {
      const Node& from = *g.node(work[i]);
      copies = isVariable(from) && trained_.contains(from.name);
      const OpRole r = roleOf(from);
      const bool passes = isScaling(from) || isKind(&from, {OpKind::Subtraction}) || r == OpRole::Sum || r == OpRole::Identity || r == OpRole::ReadVariable;
      if (passes)
        for (const Output in : from.inputs) work.push_back(in.node);
    }
    if (!copies) continue;
    if (computed[size_t(id)]) {
      made.insert(v->name);
    } else {
      if (!first) first = n;
      ++count;
    }
  }
  if (first && made.empty()) report(finding("copy-not-run", first->name, {first->name, changedVariable(g, *first)->name, number(count)}));
}

}  // namespace weft::doctor
