#include <algorithm>
#include <cstdint>

#include "device/cpu/elementwise.h"
#include "runtime/passes/operand_shapes.h"
#include "runtime/plan_graph.h"

// In a plan without branches, control edges only order observable ops: effects, reads of variables that are written in place, and checks, which
// must fail before the ops after them do. For each such op ("event") the pass keeps a bit set of the events that precede it in the graph, and
// retains only the control edges needed to preserve that order. All other control edges are removed, and with them the NoOps and Identities
// that tf.gradients, tf.tuple and tf.group insert.
namespace weft {
namespace {

constexpr size_t kMostBits = size_t(1) << 29;

bool isCheck(const PlanNode& p) { return p.node && weft::isCheck(*p.node); }

/// Whether the op may have an effect beyond its results.
bool mayHaveEffect(const PlanNode& p) {
  if (p.loop) return true;
  return p.node && !p.isConstant() && (!isPure(*p.node) || touchesHandles(*p.node));
}

/// Whether the op's results never share memory with an input. Then they do not change with a variable that the op read.
bool computesAnew(const PlanNode& p) {
  if (p.types.size() == 1 && !p.node->inputTypes.empty() && cpu::findElementwise(p.node->op, baseType(p.node->inputTypes.back()))) return true;
  return p.node->record && p.node->record->makesFresh;
}

/// Ops that cannot fail: no check needs to come before them.
bool cannotFail(const PlanGraph& plan, const PlanNode& p) {
  if (!p.node || p.isConstant() || roleOf(*p.node) == OpRole::Group || (roleOf(*p.node) == OpRole::Identity && isPure(*p.node))) return true;
  if (p.types.size() != 1 || !p.shapes[0].isFullyKnown()) return false;
  const auto* entry = p.node->inputTypes.empty() ? nullptr : cpu::findElementwise(p.node->op, baseType(p.node->inputTypes.back()));
  // Known shapes may be incompatible.
  return entry && entry->check == cpu::ElementwiseEntry::Check::None && elementwiseShape(plan, p).has_value();
}

class Bits {
 public:
  Bits(size_t rows, size_t columns) : words_((columns + 63) / 64), bits_(rows * words_) {}
  uint64_t* row(int i) { return bits_.data() + size_t(i) * words_; }
  void add(int to, int from) {
    for (size_t w = 0; w < words_; ++w) row(to)[w] |= row(from)[w];
  }
  void set(int i, int column) { row(i)[column / 64] |= uint64_t(1) << (column % 64); }
  size_t words() const { return words_; }

 private:
  size_t words_;
  std::vector<uint64_t> bits_;
};

}  // namespace

// RULE control_simplification.edges
//   pattern      all control edges of a plan
//   condition    no control flow
//   replacement  for each op that has an effect, is a target, or reads a variable or memory that may be a variable's: edges from such ops that precede it on
//                any path and would not through the remaining edges; for each other op that may fail: edges from the checks that precede it; no others
// RULE control_simplification.effects_are_targets
//   pattern      an effect that no fetch or target needs any more
//   condition    it was needed
//   replacement  it is a target
/// Removes the control edges whose absence cannot be observed.
Status simplifyControlEdges(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};  // there, control edges carry deadness
  const size_t n = plan.nodes.size();
  const std::vector<int> order = plan.order();
  if (std::none_of(order.begin(), order.end(), [&](int i) { return !plan.nodes[size_t(i)].controls.empty(); })) return {};

  std::vector<int> eventOf(n, -1), events;
  std::vector<uint8_t> shows(n, 0), isTarget(n, 0), effect(n, 0);
  for (int t : plan.targets) isTarget[size_t(t)] = 1;
  for (int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    // Reads a variable, or a view of a variable's buffer.
    const bool reads = !p.isConstant() && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) {
      return shows[size_t(in.node)] || isRef(plan.nodes[size_t(in.node)].types[size_t(in.index)]);
    });
    shows[size_t(i)] = reads && p.node && !computesAnew(p);
    // Reading a variable without a value fails, even if the result is unused.
    effect[size_t(i)] =
        mayHaveEffect(p) ||
        (reads && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isRef(plan.nodes[size_t(in.node)].types[size_t(in.index)]); }));
    if (!reads && !effect[size_t(i)] && !isTarget[size_t(i)]) continue;
    eventOf[size_t(i)] = int(events.size());
    events.push_back(i);
  }
  if (n * events.size() > kMostBits) return {};

  // For each node, the events that precede it (itself included): through all edges, and through the kept ones.
  Bits before(n, events.size()), kept(n, events.size());
  std::vector<uint64_t> checks(before.words(), 0);
  for (size_t e = 0; e < events.size(); ++e) {
    if (isCheck(plan.nodes[size_t(events[e])])) checks[e / 64] |= uint64_t(1) << (e % 64);
  }
  size_t edges = 0, left = 0;
  for (int i : order) {
    PlanNode& p = plan.nodes[size_t(i)];
    const int event = eventOf[size_t(i)];
    for (const Output& in : p.inputs) {
      before.add(i, in.node);
      kept.add(i, in.node);
    }
    for (int c : p.controls) before.add(i, c);
    edges += p.controls.size();
    p.controls.clear();
    const bool all = event >= 0, some = all || !cannotFail(plan, p);
    for (size_t w = before.words(); some && w-- > 0;) {
      // From last to first, because an edge from an event also covers the events before it.
      while (uint64_t missing = (before.row(i)[w] & ~kept.row(i)[w]) & (all ? ~uint64_t(0) : checks[w])) {
        const int e = int(w * 64) + 63 - __builtin_clzll(missing);
        p.controls.push_back(events[size_t(e)]);
        kept.add(i, events[size_t(e)]);
        ++left;
      }
    }
    std::reverse(p.controls.begin(), p.controls.end());
    if (event < 0) continue;
    before.set(i, event);
    kept.set(i, event);
  }
  // Effects that only pure ops waited for still run.
  std::vector<uint8_t> needed(n, 0);
  std::vector<int> stack;
  const auto need = [&](int i) {
    if (!needed[size_t(i)]) {
      needed[size_t(i)] = 1;
      stack.push_back(i);
    }
    while (!stack.empty()) {
      const PlanNode& p = plan.nodes[size_t(stack.back())];
      stack.pop_back();
      const auto reach = [&](int k) {
        if (!needed[size_t(k)]) {
          needed[size_t(k)] = 1;
          stack.push_back(k);
        }
      };
      if (!p.isConstant()) {
        for (const Output& in : p.inputs) reach(in.node);
      }
      for (int c : p.controls) reach(c);
    }
  };
  for (const Output& f : plan.fetches) need(f.node);
  for (int t : plan.targets) need(t);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (!effect[size_t(*it)] || needed[size_t(*it)]) continue;
    plan.targets.push_back(*it);
    need(*it);
  }
  size_t gone = 0;
  for (int i : order) {
    if (needed[size_t(i)]) continue;
    plan.nodes[size_t(i)].alive = false;
    ++gone;
  }
  if (left < edges || gone) {
    plan.applied.push_back("control_simplification: " + std::to_string(edges - std::min(edges, left)) + " edges and " + std::to_string(gone) + " nodes less");
  }
  return {};
}

}  // namespace weft
