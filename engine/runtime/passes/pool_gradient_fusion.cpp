#include "device/cpu/pooling.h"
#include "runtime/plan_graph.h"

namespace weft {
// RULE pool_gradient_fusion.relu
//   pattern      ReluGrad(MaxPoolGrad(x, y, dy), x)
//   condition    no control flow; float32 on one CPU; the same x; only ReluGrad reads the pool's gradient, and no fetch, target or control edge uses it
//   replacement  MaxPoolGrad that adds to an element only if x > 0 there: the same bits, NaN included
/// ReluGrad of MaxPoolGrad, both of the same features (the backward pass of conv - Relu - MaxPool): gradients of non-positive maxima are dropped as
/// they are distributed, which saves another pass over the image.
Status fusePoolGradients(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const size_t n = plan.nodes.size();
  const std::vector<int> order = plan.order();
  std::vector<int> uses(n, 0);
  for (const Output& f : plan.fetches) uses[size_t(f.node)] += 2;
  for (int t : plan.targets) uses[size_t(t)] += 2;
  for (int i : order) {
    for (int c : plan.nodes[size_t(i)].controls) uses[size_t(c)] += 2;
    for (const Output& in : plan.nodes[size_t(i)].inputs) ++uses[size_t(in.node)];
  }
  int fused = 0;
  for (int i : order) {
    PlanNode& relu = plan.nodes[size_t(i)];
    if (!isFloatOnCpu(relu) || relu.node->op != "ReluGrad") continue;
    const int poolId = relu.inputs[0].node;
    PlanNode& pool = plan.nodes[size_t(poolId)];
    if (!isFloatOnCpu(pool) || pool.node->op != "MaxPoolGrad" || uses[size_t(poolId)] != 1 || pool.device != relu.device) continue;
    if (!(pool.inputs[0] == relu.inputs[1])) continue;
    // The kernel gets a new node with ReluGrad's name and output and MaxPoolGrad's inputs.
    Node made = *relu.node;
    made.inputTypes.assign(3, DType::Float);
    plan.made.push_back(std::move(made));
    relu.node = &plan.made.back();
    relu.inputs = pool.inputs;
    relu.controls.insert(relu.controls.end(), pool.controls.begin(), pool.controls.end());
    relu.kernel = makeReluMaxPoolGrad(pool.node->attrs);
    relu.merged.push_back(pool.origin);
    pool.alive = false;
    ++fused;
  }
  if (fused) plan.applied.push_back("pool_gradient_fusion: " + std::to_string(fused) + " pools");
  return {};
}

}  // namespace weft
