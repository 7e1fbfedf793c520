#include <algorithm>
#include <optional>
#include <unordered_map>

#include "device/cpu/elementwise.h"
#include "runtime/executor.h"
#include "runtime/fused_kernel.h"
#include "runtime/passes/operand_shapes.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

constexpr size_t kMostSummands = 8;

const cpu::ElementwiseEntry* entryOf(const PlanNode& p) {
  if (!p.node || p.isConstant() || p.kernel || p.types.size() != 1 || p.inputs.empty() || isRef(p.types[0])) return nullptr;
  if (p.inputs.size() > kMostSummands) return nullptr;
  if (!isPure(*p.node) || !p.device || p.device->type() != "CPU") return nullptr;
  std::string_view op = p.node->op;
  if (op == "BiasAdd" && p.node->attrs.text("data_format", "NHWC") == "NHWC") op = "Add";
  // Select's first input is the condition; its values determine the type.
  const size_t typed = op == "Select" ? 1 : 0;
  const auto* e = cpu::findElementwise(op, baseType(p.node->inputTypes[typed]));
  const bool isSum = !e && roleOf(*p.node) == OpRole::Sum && p.inputs.size() >= 2;  // of any number
  if (isSum) e = cpu::findElementwise("Add", baseType(p.node->inputTypes[0]));
  if (!e || e->check != cpu::ElementwiseEntry::Check::None || (!isSum && e->arity != int(p.inputs.size())) || e->out != baseType(p.types[0])) return nullptr;
  // Fused code supports more types than the single kernels; ops that TensorFlow rejects are not fused, so that they still fail.
  if (!findKernel(*p.node, "CPU")) return nullptr;
  return e;
}

// RULE elementwise_fusion.spread
//   pattern      an operand of shape s of an op whose result has shape w
//   condition    both known, no size 0; s has as many elements as w and no higher rank; or one element; or, right-aligned, s is 1 up to some dimension
//                and then w, or w up to some dimension and then 1
//   replacement  element i of the result reads, in the same order: element i; 0; i modulo the elements of s; i divided by the elements of w after that
//                dimension
/// How an operand of shape `s` is broadcast over `whole` (both fully known); nullopt if it is none of the simple patterns.
std::optional<Spread> spreadOver(const Shape& s, const Shape& whole) {
  const int64_t n = whole.elements();
  if (s.elements() == n && s.rank() <= whole.rank()) return Spread::Full;
  if (s.elements() == 1) return Spread::Scalar;
  if (s.rank() > whole.rank() || n == 0) return {};
  const auto dimAt = [&](int i) { return i < whole.rank() - s.rank() ? int64_t(1) : s.dim(i - (whole.rank() - s.rank())); };
  int firstFull = 0;  // leading 1s, then equal dims: a row
  while (firstFull < whole.rank() && dimAt(firstFull) == 1 && whole.dim(firstFull) != 1) ++firstFull;
  bool row = true, column = true;
  for (int i = firstFull; i < whole.rank(); ++i) row &= dimAt(i) == whole.dim(i);
  int lastFull = whole.rank();
  while (lastFull > 0 && dimAt(lastFull - 1) == 1) --lastFull;
  for (int i = 0; i < lastFull; ++i) column &= dimAt(i) == whole.dim(i);
  if (row) return Spread::Row;
  if (column) return Spread::Column;
  return {};
}

/// Whether, for these operand shapes, the op computes each element from the corresponding elements. False if the op would reject the shapes, and for a
/// Select whose condition is a vector that chooses rows.
bool isElementwise(const PlanGraph& plan, const PlanNode& p) {
  if (p.node->op == "Select") {
    const Output &condition = p.inputs[0], &value = p.inputs[1];
    if (plan.nodes[size_t(condition.node)].shapes[size_t(condition.index)].rank() == 1 &&
        plan.nodes[size_t(value.node)].shapes[size_t(value.index)].rank() != 1)
      return false;
  }
  const auto shape = elementwiseShape(plan, p);
  return shape && *shape == p.shapes[0];
}

bool fits(const PlanGraph& plan, const PlanNode& p) {
  if (p.shapes.empty() || !p.shapes[0].isFullyKnown() || p.shapes[0].elements() <= 0) return false;
  for (const Output& in : p.inputs) {
    const PlanNode& from = plan.nodes[in.node];
    const Shape& s = from.shapes[in.index];
    // A variable's shape is only declared; Assign with validate_shape=false may have changed it.
    if (isRef(from.types[in.index]) || !s.isFullyKnown() || s.elements() <= 0 || !spreadOver(s, p.shapes[0])) return false;
  }
  return isElementwise(plan, p);
}

/// Builds the program of one group, members in order of execution, the root last.
void fuse(PlanGraph& plan, const std::vector<int>& members, const std::vector<const cpu::ElementwiseEntry*>& entries) {
  const int root = members.back();
  FusedProgram program;
  program.shape = plan.nodes[root].shapes[0];
  program.nanoseconds = 0;
  std::vector<Output> inputs;
  std::vector<int> lastUse(members.size(), 0);
  std::unordered_map<int, int> position;
  for (size_t m = 0; m < members.size(); ++m) position[members[m]] = int(m);
  const auto memberIndex = [&](int node) {
    const auto it = position.find(node);
    return it == position.end() ? -1 : it->second;
  };
  for (size_t m = 0; m < members.size(); ++m) {
    for (const Output& in : plan.nodes[members[m]].inputs) {
      const int from = memberIndex(in.node);
      if (from >= 0) lastUse[from] = int(m);
    }
  }
  std::vector<int> temporary(members.size(), -1), freeOnes;
  std::vector<int> controls;
  for (size_t m = 0; m < members.size(); ++m) {
    PlanNode& p = plan.nodes[members[m]];
    FusedProgram::Instruction instruction;
    instruction.entry = entries[members[m]];
    program.nanoseconds += instruction.entry->nanoseconds;
    program.temporarySize = std::max(program.temporarySize, sizeOf(instruction.entry->out));
    std::vector<int> finished, finishedOfOtherSize;
    for (const Output& in : p.inputs) {
      const int from = memberIndex(in.node);
      if (from >= 0) {
        instruction.operands.push_back({true, temporary[from]});
        const bool same = sizeOf(entries[members[size_t(from)]]->out) == sizeOf(instruction.entry->out);
        if (lastUse[from] == int(m)) (same ? finished : finishedOfOtherSize).push_back(temporary[from]);
        continue;
      }
      const auto at = std::find(inputs.begin(), inputs.end(), in);
      instruction.operands.push_back({false, int(at - inputs.begin())});
      if (at == inputs.end()) {
        inputs.push_back(in);
        const PlanNode& source = plan.nodes[in.node];
        const Shape& s = source.shapes[in.index];
        program.inputs.push_back({*spreadOver(s, program.shape), s.elements(), sizeOf(baseType(source.types[in.index]))});
        program.temporarySize = std::max(program.temporarySize, program.inputs.back().elementSize);
      }
    }
    // Results may overwrite operands of the same element size that are not used again (never a Select's condition).
    for (auto* ends : {&finished, &finishedOfOtherSize}) {
      std::sort(ends->begin(), ends->end());
      ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
    }
    // A sum of several is built up in memory of its own, for its later operands are read after its first parts are written.
    if (int(instruction.operands.size()) > instruction.entry->arity) {
      int sum = program.temporaries;
      if (freeOnes.empty()) {
        ++program.temporaries;
      } else {
        sum = freeOnes.back();
        freeOnes.pop_back();
      }
      const std::vector<FusedProgram::Operand> summands = std::move(instruction.operands);
      for (size_t k = 1; k < summands.size(); ++k) {
        instruction.operands = {k == 1 ? summands[0] : FusedProgram::Operand{true, sum}, summands[k]};
        instruction.result = k + 1 == summands.size() && members[m] == root ? -1 : sum;
        program.instructions.push_back(instruction);
        if (k > 1) program.nanoseconds += instruction.entry->nanoseconds;
      }
      temporary[m] = sum;
      for (const auto* ends : {&finished, &finishedOfOtherSize}) freeOnes.insert(freeOnes.end(), ends->begin(), ends->end());
      controls.insert(controls.end(), p.controls.begin(), p.controls.end());
      continue;
    }
    freeOnes.insert(freeOnes.end(), finished.begin(), finished.end());
    if (members[m] == root) {
      instruction.result = -1;
    } else if (!freeOnes.empty()) {
      instruction.result = temporary[m] = freeOnes.back();
      freeOnes.pop_back();
    } else {
      instruction.result = temporary[m] = program.temporaries++;
    }
    freeOnes.insert(freeOnes.end(), finishedOfOtherSize.begin(), finishedOfOtherSize.end());
    program.instructions.push_back(std::move(instruction));
    controls.insert(controls.end(), p.controls.begin(), p.controls.end());
  }
  PlanNode& r = plan.nodes[root];
  for (size_t m = 0; m + 1 < members.size(); ++m) {
    PlanNode& p = plan.nodes[members[m]];
    p.alive = false;
    r.merged.push_back(p.origin);
  }
  std::sort(controls.begin(), controls.end());
  controls.erase(std::unique(controls.begin(), controls.end()), controls.end());
  r.controls = std::move(controls);
  // The kernel gets a new node with the root's name and output and the group's inputs.
  Node made = *r.node;
  made.inputTypes.clear();
  for (const Output& in : inputs) made.inputTypes.push_back(baseType(plan.nodes[in.node].types[in.index]));
  plan.made.push_back(std::move(made));
  r.node = &plan.made.back();
  r.inputs = std::move(inputs);
  r.kernel = makeFusedKernel(std::move(program));
}

}  // namespace

// RULE elementwise_fusion.group
//   pattern      ops f(.., g(..), ..) of one result shape, with element-wise functions that cannot fail
//   condition    no control flow; float, integer or bool on the CPU, not a constant, no state, no reference read; kernels exist for the ops' types; all
//                shapes known, and the op's own shape function accepts them; a Select's condition has the shape of its values, or one element; all readers of g
//                are in the group, and no fetch, target or control edge uses it
//   replacement  one op with the operands from outside the group and the control edges of all its ops; the group's ops precede the readers of its root, so no
//                cycle arises
// RULE elementwise_fusion.same_function
//   pattern      an op of a group
//   condition    as in the group
//   replacement  the function that its kernel calls, over tiles instead of the whole tensor: the same bits; NaNs may differ in sign and payload
// RULE elementwise_fusion.sums
//   pattern      AddN of two to eight tensors in a group
//   condition    as in the group
//   replacement  Add of the first two, then of that and the third, and so on, as AddN's kernel adds: the same bits
// RULE elementwise_fusion.temporaries
//   pattern      a result that only the group reads
//   condition    its last reader has begun
//   replacement  its memory is reused for the next result: by the reader itself if both have the same size, otherwise after the reader
// RULE elementwise_fusion.chains
//   pattern      float32 results r1 = f1(a, ..), r2 = f2(r1, ..), .. (runtime/fused_chains.cpp)
//   condition    each is read only by the next one, as one operand
//   replacement  one loop that keeps the running value in a register; if it is the second operand, the function with its operands exchanged
/// Groups element-wise ops of one shape into single passes over memory. An op joins the group of its consumers if all of them are in one group
/// and nothing else (a fetch, a control edge) uses it, so no cycle can arise.
Status fuseElementwise(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const int n = int(plan.nodes.size());
  const std::vector<int> order = plan.order();
  std::vector<const cpu::ElementwiseEntry*> entries(n, nullptr);
  std::vector<char> pinned(n, 0);
  std::vector<std::vector<int>> consumers(n);
  for (const Output& f : plan.fetches) pinned[f.node] = 1;
  for (int t : plan.targets) pinned[t] = 1;
  for (int i : order) {
    const PlanNode& p = plan.nodes[i];
    for (int c : p.controls) pinned[c] = 1;
    for (const Output& in : p.inputs) consumers[in.node].push_back(i);
    if (const auto* e = entryOf(p); e && fits(plan, p)) entries[i] = e;
  }
  std::vector<int> group(n, -1);  // root of the group
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const int i = *it;
    if (!entries[i]) continue;
    group[i] = i;
    if (pinned[i] || consumers[i].empty()) continue;
    int root = -2;
    for (int c : consumers[i]) {
      const int g = entries[c] ? group[c] : -1;
      if (root == -2) root = g;
      if (g != root) root = -1;
    }
    if (root >= 0 && plan.nodes[root].shapes[0] == plan.nodes[i].shapes[0]) group[i] = root;
  }
  std::vector<std::vector<int>> members(n);
  for (int i : order) {
    if (group[i] >= 0) members[group[i]].push_back(i);
  }
  int groups = 0, nodes = 0;
  for (int root = 0; root < n; ++root) {
    if (members[root].size() < 2) continue;
    fuse(plan, members[root], entries);
    ++groups;
    nodes += int(members[root].size());
  }
  if (groups) plan.applied.push_back("elementwise_fusion: " + std::to_string(nodes) + " nodes in " + std::to_string(groups) + " groups");
  return {};
}

}  // namespace weft
