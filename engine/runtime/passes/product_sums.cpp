#include <algorithm>

#include "device/cpu/fused_products.h"
#include "runtime/plan_graph.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// Whether `p` is a matrix product or a bias gradient (sums over rows).
bool isTerm(const PlanNode& p) {
  if (!isFloatOpOnCpu(p)) return false;
  return p.node->op == "MatMul" || (p.node->op == "BiasAddGrad" && p.node->attrs.text("data_format", "NHWC") == "NHWC");
}

}  // namespace

// RULE product_sums.terms
//   pattern      AddN(t1, .., tn), Add(t1, t2) or AddV2(t1, t2)
//   condition    no control flow; float32 on the CPU; all terms of the sum's shape, which is known and not empty, none a reference; at least one is a MatMul or
//                a
//                BiasAddGrad (NHWC) without reference inputs that only the sum reads, once, and no fetch, target or control edge uses
//   replacement  the products in the order of the plan, each added to the partial sum; the last one replaces the sum, adds the other terms, and has the control
//                edges
//                of both. Changes rounding
/// Fuses sums of products (AddN, Add of equal shapes), such as gradients of values used in many places: every product adds to the partial sum, in the
/// order of computation, and the last one replaces the sum. Changes rounding, because terms are added in another order.
Status addProducts(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const size_t n = plan.nodes.size();
  const std::vector<int> order = plan.order();
  std::vector<uint8_t> pinned(n, 0);
  std::vector<int> readers(n, 0), place(n, 0);
  for (const Output& f : plan.fetches) pinned[size_t(f.node)] = 1;
  for (int t : plan.targets) pinned[size_t(t)] = 1;
  for (size_t k = 0; k < order.size(); ++k) {
    const PlanNode& p = plan.nodes[size_t(order[k])];
    place[size_t(order[k])] = int(k);
    for (int c : p.controls) pinned[size_t(c)] = 1;
    for (const Output& in : p.inputs) ++readers[size_t(in.node)];
  }
  const auto isVariable = [&](const Output& o) { return isRef(plan.nodes[size_t(o.node)].types[size_t(o.index)]); };
  int sums = 0, terms = 0;
  for (int i : order) {
    PlanNode& sum = plan.nodes[size_t(i)];
    if (!isFloatOpOnCpu(sum) || roleOf(*sum.node) != OpRole::Sum) continue;
    const Shape shape = sum.shapes[0];
    if (!shape.isFullyKnown() || shape.elements() <= 0 || sum.inputs.size() < 2) continue;
    std::vector<int> products;
    std::vector<Output> others;
    bool fits = true;
    for (const Output& in : sum.inputs) {
      const PlanNode& p = plan.nodes[size_t(in.node)];
      fits &= p.shapes[size_t(in.index)] == shape && !isVariable(in);
      const bool term = isTerm(p) && !pinned[size_t(in.node)] && readers[size_t(in.node)] == 1 && std::none_of(p.inputs.begin(), p.inputs.end(), isVariable);
      if (term) products.push_back(in.node);
      else others.push_back(in);
    }
    if (!fits || products.empty()) continue;
    std::sort(products.begin(), products.end(), [&](int a, int b) { return place[size_t(a)] < place[size_t(b)]; });
    // The first product begins the sum; the last one completes it with the terms that are not products.
    Output so_far;
    for (size_t k = 0; k < products.size(); ++k) {
      const bool last = k + 1 == products.size();
      PlanNode& p = plan.nodes[size_t(products[k])];
      if (!last && k == 0) {
        so_far = {products[0], 0};
        continue;
      }
      const std::vector<Output> operands = p.inputs;
      const SumTerm term{p.node->op == "MatMul", p.node->attrs.flag("transpose_a"), p.node->attrs.flag("transpose_b")};
      PlanNode& to = last ? sum : p;
      std::vector<Output> inputs;
      if (so_far.valid()) inputs.push_back(so_far);
      if (last) inputs.insert(inputs.end(), others.begin(), others.end());
      const int count = int(inputs.size());
      inputs.insert(inputs.end(), operands.begin(), operands.end());
      Node made = *to.node;
      made.inputTypes.assign(inputs.size(), DType::Float);
      plan.made.push_back(std::move(made));
      if (last) {
        to.controls.insert(to.controls.end(), p.controls.begin(), p.controls.end());
        to.merged.push_back(p.origin);
        p.alive = false;
      }
      to.node = &plan.made.back();
      to.inputs = std::move(inputs);
      to.kernel = makeProductSum(count, term);
      so_far = {products[k], 0};
      ++terms;
    }
    ++sums;
  }
  if (sums) plan.applied.push_back("product_sums: " + std::to_string(terms) + " products added to " + std::to_string(sums) + (sums == 1 ? " sum" : " sums"));
  return {};
}

}  // namespace weft
