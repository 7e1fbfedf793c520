#include <algorithm>

#include "device/cpu/fused_products.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

/// The columns [first, second) that `p` keeps if it is a Slice of all rows of a matrix of shape `whole`; else nullopt.
std::pair<int64_t, int64_t> columnsOf(const PlanGraph& plan, const PlanNode& p, const Shape& whole) {
  if (!isFloatOpOnCpu(p) || p.node->op != "Slice" || !p.shapes[0].isFullyKnown() || p.shapes[0].rank() != 2) return {};
  const PlanNode& begin = plan.nodes[size_t(p.inputs[1].node)];
  if (!begin.isConstant()) return {};
  const Tensor& at = begin.constants[size_t(p.inputs[1].index)];
  if (at.elements() != 2 || at.asInt(0) != 0 || at.asInt(1) < 0) return {};
  const int64_t from = at.asInt(1), to = from + p.shapes[0].dim(1);
  if (p.shapes[0].dim(0) != whole.dim(0) || to > whole.dim(1)) return {};
  return {from, to};
}

}  // namespace

// RULE product_slicing.columns
//   pattern      Slice(MatMul(a, b, transpose_b), [0, c], [.., k]), for all readers of the product
//   condition    no control flow; float32 on the CPU; the product's shape known and not empty, a and b no references; begin a constant; all rows; within the
//                columns;
//                at most seven eighths of the columns in total; no fetch, target or control edge uses the product
//   replacement  a times rows [c, c + k) of b, each with the product's control edges; rounding may differ, because products of another size are blocked
//                differently
/// Replaces a MatMul(a, b, transpose_b) of which only column slices are read by one product per slice, with the corresponding rows of b. The gradient
/// of concat([x, h])·W is such a product, and the part for x is often not needed.
Status sliceProducts(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const size_t n = plan.nodes.size();
  const std::vector<int> order = plan.order();
  std::vector<uint8_t> pinned(n, 0);
  std::vector<std::vector<int>> consumers(n);
  for (const Output& f : plan.fetches) pinned[size_t(f.node)] = 1;
  for (int t : plan.targets) pinned[size_t(t)] = 1;
  for (int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    for (int c : p.controls) pinned[size_t(c)] = 1;
    if (p.isConstant()) continue;
    for (const Output& in : p.inputs) consumers[size_t(in.node)].push_back(i);
  }
  int sliced = 0;
  for (int i : order) {
    PlanNode& product = plan.nodes[size_t(i)];
    if (!isFloatOpOnCpu(product) || product.node->op != "MatMul" || pinned[size_t(i)] || consumers[size_t(i)].empty()) continue;
    if (product.node->attrs.flag("transpose_a") || !product.node->attrs.flag("transpose_b")) continue;
    const Shape whole = product.shapes[0];
    if (!whole.isFullyKnown() || whole.elements() <= 0) continue;
    int64_t wanted = 0;
    bool all = true;
    for (int c : consumers[size_t(i)]) {
      const auto [from, to] = columnsOf(plan, plan.nodes[size_t(c)], whole);
      all &= to > from && plan.nodes[size_t(c)].inputs[0].node == i;
      wanted += to - from;
    }
    // Computing all columns in pieces costs more than one product.
    if (!all || wanted * 8 > whole.dim(1) * 7) continue;
    const std::vector<Output> operands = product.inputs;
    if (std::any_of(operands.begin(), operands.end(), [&](const Output& o) { return isRef(plan.nodes[size_t(o.node)].types[size_t(o.index)]); })) continue;
    for (int c : consumers[size_t(i)]) {
      PlanNode& p = plan.nodes[size_t(c)];
      const auto [from, to] = columnsOf(plan, p, whole);
      Node made = *p.node;
      made.inputTypes.assign(2, DType::Float);
      plan.made.push_back(std::move(made));
      p.node = &plan.made.back();
      p.inputs = operands;
      p.controls.insert(p.controls.end(), product.controls.begin(), product.controls.end());
      p.merged.push_back(product.origin);
      p.kernel = makeSlicedProduct(whole, from, to - from);
    }
    product.alive = false;
    ++sliced;
  }
  if (sliced) {
    removeUnused(plan);
    plan.applied.push_back("product_slicing: " + std::to_string(sliced) + (sliced == 1 ? " product" : " products"));
  }
  return {};
}

}  // namespace weft
