#include <string_view>
#include <unordered_map>

#include "device/cpu/fused_convolution.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

using cpu::Activation;

bool isChannelsLast(const PlanNode& p) { return p.node->attrs.text("data_format", "NHWC") == "NHWC"; }

/// What an op is to a chain.
enum class Link { None, Convolution, Depthwise, Norm, Bias, Product, Sum, Relu, Relu6 };

Link linkOf(const PlanNode& p) {
  static const std::unordered_map<std::string_view, Link> kLinks = {// by op
                                                                    {"Conv2D", Link::Convolution},
                                                                    {"DepthwiseConv2dNative", Link::Depthwise},
                                                                    {"FusedBatchNorm", Link::Norm},
                                                                    {"FusedBatchNormV2", Link::Norm},
                                                                    {"FusedBatchNormV3", Link::Norm},
                                                                    {"BiasAdd", Link::Bias},
                                                                    {"Mul", Link::Product},
                                                                    {"Add", Link::Sum},
                                                                    {"AddV2", Link::Sum},
                                                                    {"Relu", Link::Relu},
                                                                    {"Relu6", Link::Relu6}};
  const auto found = p.node ? kLinks.find(p.node->op) : kLinks.end();
  return found == kLinks.end() ? Link::None : found->second;
}

bool isInferenceNorm(const PlanNode& p) { return !p.node->attrs.flag("is_training", true) && p.inputs.size() == 5 && baseType(p.types[0]) == DType::Float; }

/// Grows a chain of ops behind a convolution, one after another, each the only reader of the one before.
class ConvolutionChain {
 public:
  ConvolutionChain(PlanGraph& plan, const std::vector<std::vector<int>>& readers, const std::vector<char>& pinned, int convolution)
      : plan_(plan), readers_(readers), pinned_(pinned), members_{convolution}, inputs_(at(convolution).inputs), shape_(at(convolution).shapes[0]) {
    while (const int next = follower()) {
      if (!take(next)) break;
      members_.push_back(next);
    }
  }

  bool isPlain() const { return members_.size() == 1; }

  /// The last op becomes the whole chain.
  void fuse() {
    PlanNode &convolution = plan_.nodes[size_t(members_.front())], &root = plan_.nodes[size_t(members_.back())];
    std::vector<Tensor> constants;
    for (const Output& in : inputs_) {
      const PlanNode& from = plan_.nodes[size_t(in.node)];
      constants.push_back(from.isConstant() ? from.constants[size_t(in.index)] : Tensor());
    }
    tail_.inputs = int(inputs_.size());
    root.kernel = makeFusedConvolution(*convolution.node, tail_, std::move(constants));
    // The kernel gets a new node with the last op's name and output, and all operands.
    Node made = *root.node;
    made.inputTypes.assign(inputs_.size(), DType::Float);
    // Nothing reads the statistics of a normalisation.
    made.outputTypes.resize(1);
    root.types.resize(1);
    root.shapes.resize(1);
    plan_.made.push_back(std::move(made));
    root.node = &plan_.made.back();
    for (const int member : members_) {
      if (member == members_.back()) continue;
      PlanNode& p = plan_.nodes[size_t(member)];
      p.alive = false;
      root.merged.push_back(p.origin);
      root.controls.insert(root.controls.end(), p.controls.begin(), p.controls.end());
    }
    root.inputs = inputs_;
  }

 private:
  const PlanNode& at(int i) const { return plan_.nodes[size_t(i)]; }
  const Shape& shapeOf(const Output& o) const { return at(o.node).shapes[size_t(o.index)]; }

  /// The only reader of the chain's result; 0 if there are others or none (node 0 has no inputs, or reads nothing of ours).
  int follower() const {
    const int last = members_.back();
    if (pinned_[size_t(last)] || readers_[size_t(last)].size() != 1) return 0;
    const int next = readers_[size_t(last)][0];
    return next > 0 && at(next).device == at(last).device ? next : 0;
  }

  /// Whether a value per channel: the last dimension is the channels, the others are 1.
  bool isPerChannel(const Output& o) const {
    const Shape& s = shapeOf(o);
    const int64_t channels = shape_.dim(3);
    return isUsable(o) && s.rank() >= 1 && s.rank() <= 4 && s.dim(s.rank() - 1) == channels && s.elements() == channels;
  }
  bool isUsable(const Output& o) const { return at(o.node).types[size_t(o.index)] == DType::Float && shapeOf(o).isFullyKnown(); }

  int input(const Output& o) {
    inputs_.push_back(o);
    return int(inputs_.size()) - 1;
  }

  enum Stage { Sums, Scaled, Moved, Bent, Added, Done };

  /// Adds the op to the tail if it may come next.
  bool take(int next) {
    const PlanNode& p = at(next);
    if (!p.node || !p.alive || p.isConstant() || p.kernel || p.loop) return false;
    const Link link = linkOf(p);
    if (link == Link::Norm) return isInferenceNorm(p) && takeNorm(p);
    if (!isFloatOnCpu(p) || p.shapes.empty() || !(p.shapes[0] == shape_)) return false;
    if (link == Link::Relu || link == Link::Relu6) {
      if (stage_ == Done) return false;
      (stage_ < Bent ? tail_.first : tail_.second) = link == Link::Relu ? Activation::Relu : Activation::Relu6;
      stage_ = stage_ < Bent ? Bent : Done;
      return true;
    }
    if (p.inputs.size() != 2) return false;
    const Output other = p.inputs[p.inputs[0].node == members_.back() ? 1 : 0];
    if (link == Link::Bias) {
      if (stage_ >= Moved || !isChannelsLast(p) || p.inputs[0].node != members_.back() || isRef(at(other.node).types[size_t(other.index)])) return false;
      tail_.offset = input(other);
      stage_ = Moved;
      return true;
    }
    if (link == Link::Product && stage_ < Scaled && isPerChannel(other)) {
      tail_.factor = input(other);
      stage_ = Scaled;
      return true;
    }
    if (link != Link::Sum) return false;
    if (stage_ < Moved && isPerChannel(other)) {
      tail_.offset = input(other);
      stage_ = Moved;
      return true;
    }
    if (stage_ < Added && isUsable(other) && shapeOf(other) == shape_) {
      tail_.added = input(other);
      stage_ = Added;
      return true;
    }
    return false;
  }

  bool takeNorm(const PlanNode& p) {
    if (stage_ != Sums || !isChannelsLast(p) || p.inputs[0].node != members_.back() || !p.device || p.device->type() != "CPU") return false;
    for (int i = 1; i < 5; ++i) {
      const Output& o = p.inputs[size_t(i)];
      if (!isUsable(o) || shapeOf(o).rank() != 1 || shapeOf(o).elements() != shape_.dim(3)) return false;
    }
    // Its reader may want the statistics.
    const auto& readers = readers_[size_t(&p - plan_.nodes.data())];
    for (const int r : readers) {
      for (const Output& in : at(r).inputs)
        if (&at(in.node) == &p && in.index != 0) return false;
    }
    if (pinned_[size_t(&p - plan_.nodes.data())]) return false;
    tail_.batchNorm = int(inputs_.size());
    for (int i = 1; i < 5; ++i) inputs_.push_back(p.inputs[size_t(i)]);
    tail_.epsilon = float(p.node->attrs.number("epsilon", 1e-4f));
    stage_ = Moved;
    return true;
  }

  PlanGraph& plan_;
  const std::vector<std::vector<int>>& readers_;
  const std::vector<char>& pinned_;
  std::vector<int> members_;
  std::vector<Output> inputs_;
  const Shape shape_;
  ConvolutionTail tail_;
  int stage_ = Sums;
};

}  // namespace

// RULE convolution_fusion.bias
//   pattern      BiasAdd(c, b), where c is Conv2D(x, w) or DepthwiseConv2dNative(x, w) with one output channel for each input channel
//   condition    no control flow; float32, NHWC, on one CPU; the shapes of x, w and of the result are known and not empty; b is no reference; only BiasAdd reads c,
//                and no fetch, target or control edge uses it
//   replacement  one op of x, w and b, with the control edges of both; it checks the bias as BiasAdd does
// RULE convolution_fusion.affine
//   pattern      Mul(c, f), Add(c, b), AddV2(c, b) or Add(Mul(c, f), b), operands in any order
//   condition    as for the bias; the shapes of f and b are known, and are the number of channels behind dimensions of size 1
//   replacement  one op that multiplies each sum and then adds
// RULE convolution_fusion.batch_norm
//   pattern      FusedBatchNorm(c, scale, offset, mean, variance), also V2 and V3
//   condition    as for the bias; is_training is false; the vectors' shapes are known and fit; only the normalised images are read
//   replacement  one op that computes (sum - mean) * (scale / sqrt(variance + epsilon)) + offset
// RULE convolution_fusion.relu
//   pattern      Relu or Relu6 of one of the above, or of the convolution
//   condition    the same of what comes before
//   replacement  the same function of each value before it is written; NaN stays NaN
// RULE convolution_fusion.added
//   pattern      Add(y, z), Add(z, y) or AddV2, then possibly Relu or Relu6, where y is one of the above
//   condition    the same; the shape of z is known and is that of y
//   replacement  one op with the input z
// RULE convolution_fusion.packed
//   pattern      c, w a constant
//   condition    float32, NHWC, on the CPU, shapes known and not empty
//   replacement  the same convolution, whose filter is packed once instead of in each step
/// Convolutions with what is done to each of their results, in one kernel. Shapes must be known, so that the kernel can only fail if a variable changed its
/// shape.
Status fuseConvolutions(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const int n = int(plan.nodes.size());
  const std::vector<int> order = plan.order();
  std::vector<char> pinned(size_t(n), 0);
  std::vector<std::vector<int>> readers(static_cast<size_t>(n));
  for (const Output& f : plan.fetches) pinned[size_t(f.node)] = 1;
  for (int t : plan.targets) pinned[size_t(t)] = 1;
  for (int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    for (int c : p.controls) pinned[size_t(c)] = 1;
    for (const Output& in : p.inputs) readers[size_t(in.node)].push_back(i);
  }
  int fused = 0, packed = 0;
  for (int i : order) {
    const PlanNode& conv = plan.nodes[size_t(i)];
    if (!isFloatOnCpu(conv) || !isChannelsLast(conv)) continue;
    const bool depthwise = linkOf(conv) == Link::Depthwise;
    if (!depthwise && linkOf(conv) != Link::Convolution) continue;
    if (conv.shapes.empty() || !conv.shapes[0].isFullyKnown() || conv.shapes[0].elements() <= 0) continue;
    const PlanNode& filter = plan.nodes[size_t(conv.inputs[1].node)];
    const Shape& filterShape = filter.shapes[size_t(conv.inputs[1].index)];
    if (!filterShape.isFullyKnown() || filterShape.elements() <= 0) continue;
    const Shape& images = plan.nodes[size_t(conv.inputs[0].node)].shapes[size_t(conv.inputs[0].index)];
    if (!images.isFullyKnown() || images.elements() <= 0) continue;  // padding alone may make a result
    if (depthwise && filterShape.dim(3) != 1) continue;
    ConvolutionChain chain(plan, readers, pinned, i);
    if (chain.isPlain()) {
      if (!filter.isConstant() || depthwise) continue;
      ++packed;
    } else {
      ++fused;
    }
    chain.fuse();
  }
  if (fused) plan.applied.push_back("convolution_fusion: " + std::to_string(fused) + " convolutions");
  if (packed) plan.applied.push_back("convolution_fusion: filters of " + std::to_string(packed) + " other convolutions packed before the run");
  return {};
}

}  // namespace weft
