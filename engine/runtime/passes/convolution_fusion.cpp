#include "device/cpu/conv2d_kernel.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

bool isChannelsLast(const PlanNode& p) { return p.node->attrs.text("data_format", "NHWC") == "NHWC"; }

}  // namespace

// RULE convolution_fusion.bias
//   pattern      BiasAdd(Conv2D(x, w), b)
//   condition    no control flow; float32, NHWC, on one CPU; the shapes of w and of the result are known and not empty; b is no reference; only BiasAdd reads
//                the
//                convolution, and no fetch, target or control edge uses it
//   replacement  one op of x, w and b, with the control edges of both; it checks the bias as BiasAdd does
// RULE convolution_fusion.relu
//   pattern      Relu(BiasAdd(Conv2D(x, w), b))
//   condition    the same of BiasAdd
//   replacement  Relu after the primitive, over its result; NaN stays NaN
/// Conv2D, BiasAdd and Relu in one kernel if nothing else uses the intermediate results. Biases are added while the results are still in registers.
/// Shapes must be known, so that the kernel can only fail if a variable changed its shape.
Status fuseConvolutions(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const int n = int(plan.nodes.size());
  const std::vector<int> order = plan.order();
  std::vector<char> pinned(size_t(n), 0);
  std::vector<std::vector<int>> consumers(static_cast<size_t>(n));
  for (const Output& f : plan.fetches) pinned[size_t(f.node)] = 1;
  for (int t : plan.targets) pinned[size_t(t)] = 1;
  for (int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    for (int c : p.controls) pinned[size_t(c)] = 1;
    for (const Output& in : p.inputs) consumers[size_t(in.node)].push_back(i);
  }
  // The only consumer of this node's result, or -1.
  const auto follower = [&](int i, std::string_view op) {
    if (pinned[size_t(i)] || consumers[size_t(i)].size() != 1) return -1;
    const int next = consumers[size_t(i)][0];
    const PlanNode& p = plan.nodes[size_t(next)];
    return isFloatOnCpu(p) && p.node->op == op && p.inputs[0].node == i && p.device == plan.nodes[size_t(i)].device ? next : -1;
  };
  int fused = 0;
  for (int i : order) {
    PlanNode& conv = plan.nodes[size_t(i)];
    if (!isFloatOnCpu(conv) || conv.node->op != "Conv2D" || !isChannelsLast(conv)) continue;
    if (conv.shapes.empty() || !conv.shapes[0].isFullyKnown() || conv.shapes[0].elements() <= 0) continue;
    const PlanNode& filter = plan.nodes[size_t(conv.inputs[1].node)];
    const Shape& filterShape = filter.shapes[size_t(conv.inputs[1].index)];
    if (!filterShape.isFullyKnown() || filterShape.elements() <= 0) continue;
    const int biasAdd = follower(i, "BiasAdd");
    if (biasAdd < 0 || !isChannelsLast(plan.nodes[size_t(biasAdd)])) continue;
    const Output bias = plan.nodes[size_t(biasAdd)].inputs[1];
    if (isRef(plan.nodes[size_t(bias.node)].types[size_t(bias.index)])) continue;
    const int relu = follower(biasAdd, "Relu");
    const int root = relu >= 0 ? relu : biasAdd;
    PlanNode& r = plan.nodes[size_t(root)];
    // The kernel gets a new node with the last op's name and output, the convolution's inputs and the bias.
    Node made = *r.node;
    made.inputTypes.assign(3, DType::Float);
    plan.made.push_back(std::move(made));
    r.node = &plan.made.back();
    for (int member : {i, biasAdd}) {
      if (member == root) continue;
      PlanNode& p = plan.nodes[size_t(member)];
      p.alive = false;
      r.merged.push_back(p.origin);
      r.controls.insert(r.controls.end(), p.controls.begin(), p.controls.end());
    }
    r.inputs = {conv.inputs[0], conv.inputs[1], bias};
    r.kernel = makeBiasedConvolution(conv.node->attrs, relu >= 0);
    ++fused;
  }
  if (fused) plan.applied.push_back("convolution_fusion: " + std::to_string(fused) + " convolutions");
  return {};
}

}  // namespace weft
