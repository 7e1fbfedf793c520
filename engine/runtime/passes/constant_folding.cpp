#include <algorithm>
#include <map>
#include <utility>

#include "graph/graph_shapes.h"
#include "graph/shape_context.h"
#include "kernel/session_state.h"
#include "kernel/step_state.h"
#include "runtime/executor.h"
#include "runtime/native_loop.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

constexpr size_t kMaxFoldedBytes = size_t(10) << 20;  // TensorFlow's limit; larger results are computed at run time

/// Collects the outputs of one kernel call on the heap.
class FoldSink final : public OutputSink {
 public:
  explicit FoldSink(const Node& node) : node_(node), outputs(node.outputTypes.size()) {}
  Result<Tensor*> allocate(int k, const Shape& shape) override {
    WEFT_LET(outputs[k], Tensor::allocate(baseType(node_.outputTypes[k]), shape));
    return &outputs[k];
  }
  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int>) override { return allocate(k, shape); }
  void set(int k, Tensor value) override { outputs[k] = std::move(value); }
  void setRef(int, const std::shared_ptr<Variable>&) override { usable = false; }
  void setDead(int) override { usable = false; }
  bool wanted(int) const override { return true; }
  Result<Tensor> scratch(DType dtype, const Shape& shape) override { return Tensor::allocate(dtype, shape); }
  const std::shared_ptr<Variable>* ref(int) const override { return nullptr; }
  void dropRead(int) override {}
  bool cancelled() const override { return false; }

  const Node& node_;
  std::vector<Tensor> outputs;
  bool usable = true;
};

/// Ops whose value depends only on their input's shape.
bool isShapeOp(const Node& n) { return roleOf(n) == OpRole::ShapeOf; }

std::vector<Tensor> shapeOpValues(const PlanNode& p, const PlanGraph& plan) {
  std::vector<Tensor> out;
  const DType type = baseType(p.node->outputTypes[0]);
  const auto make = [&](const std::vector<int64_t>& v, bool scalar) {
    const Shape shape = scalar ? Shape() : Shape{int64_t(v.size())};
    if (type == DType::Int64) return Tensor::of(v, shape);
    return Tensor::of(std::vector<int32_t>(v.begin(), v.end()), shape);
  };
  for (const Output& in : p.inputs) {
    const Shape& s = plan.nodes[in.node].shapes[in.index];
    if (p.node->op == "Rank") {
      if (!s.hasRank()) return {};
      out.push_back(make({s.rank()}, true));
      continue;
    }
    if (!s.isFullyKnown()) return {};
    if (p.node->op == "Size") {
      const int64_t n = s.elements();
      if (n < 0 || (type == DType::Int32 && n > INT32_MAX)) return {};
      out.push_back(make({n}, true));
    } else {
      if (type == DType::Int32 && std::any_of(s.dims().begin(), s.dims().end(), [](int64_t d) { return d > INT32_MAX; })) return {};
      out.push_back(make(s.toVector(), false));
    }
  }
  return out;
}

/// Whether the node reads a variable. A read fails if the variable has no value, even if the value is not used.
bool isRead(const PlanGraph& plan, int node) {
  const PlanNode& p = plan.nodes[size_t(node)];
  if (!p.node || p.isConstant()) return false;
  return roleOf(*p.node) == OpRole::ReadVariable ||
         (roleOf(*p.node) == OpRole::Identity && isRef(plan.nodes[size_t(p.inputs[0].node)].types[size_t(p.inputs[0].index)]));
}

bool mayFold(const PlanNode& p) {
  const Node& n = *p.node;
  // A function may not terminate.
  if (!isPure(n) || flowRole(n) != FlowRole::None || n.outputTypes.empty()) return false;
  for (DType t : n.outputTypes) {
    if (isRef(t) || t == DType::Resource || t == DType::Variant) return false;
  }
  return true;
}

/// A control edge from a Switch does not express which of its two outputs is alive, so Identities of single outputs serve as sources of control
/// edges. Their ids are assigned at once, but they are created at the end, so that the vector of nodes does not change meanwhile.
class BranchAnchors {
 public:
  explicit BranchAnchors(const PlanGraph& plan) : first_(int(plan.nodes.size())) {}
  /// The source of a control edge that replaces a data edge from `in`.
  int of(const PlanGraph& plan, const Output& in) {
    const Node* from = plan.nodes[size_t(in.node)].node;
    if (!from || flowRole(*from) != FlowRole::Switch) return in.node;
    const auto [it, fresh] = numbers_.try_emplace({in.node, in.index}, first_ + int(outputs_.size()));
    if (fresh) outputs_.push_back(in);
    return it->second;
  }
  void make(PlanGraph& plan) const {
    for (const Output& in : outputs_) {
      const PlanNode& from = plan.nodes[size_t(in.node)];
      Node& node = plan.made.emplace_back();
      node.name = from.node->name + "/_branch_" + std::to_string(in.index);
      node.op = "Identity";
      node.record = OpRegistry::instance().find(node.op);
      node.attrs.set("T", Attr(baseType(from.types[size_t(in.index)])));
      node.inputTypes = node.outputTypes = {baseType(from.types[size_t(in.index)])};
      node.outputShapes = {from.shapes[size_t(in.index)]};
      PlanNode p;
      p.node = &node;
      p.origin = from.origin;
      p.inputs = {in};
      p.types = node.outputTypes;
      p.shapes = node.outputShapes;
      p.device = from.device;
      plan.nodes.push_back(std::move(p));
    }
  }

 private:
  const int first_;
  std::map<std::pair<int, int>, int> numbers_;
  std::vector<Output> outputs_;
};

/// Whether the node has an effect or checks something, so that it must run if the user's graph requires it. Variables and reads do neither.
bool hasEffectOrCheck(const PlanNode& p) {
  const Node& n = *p.node;
  switch (roleOf(n)) {
    case OpRole::Variable:
    case OpRole::ReadVariable:
    case OpRole::ProbeVariable:
    case OpRole::Placeholder: return false;
    default: break;
  }
  // A stateless function need not run for nothing: only the op's own effects count.
  return n.record && (any(n.record->opEffects) || std::any_of(n.inputTypes.begin(), n.inputTypes.end(), [](DType t) { return isRef(t); }));
}

/// Removes ops that only a folded op needed (the shape of a variable read after an update). Effects among them were required and stay, as do `doomed`
/// ops, which will fail for the shapes of these feeds.
void keepEffects(PlanGraph& plan, const std::vector<uint8_t>& doomed) {
  std::vector<int> before;
  for (size_t i = 0; i < plan.nodes.size(); ++i)
    if (plan.nodes[i].alive && plan.nodes[i].node && (hasEffectOrCheck(plan.nodes[i]) || (i < doomed.size() && doomed[i]))) before.push_back(int(i));
  removeUnused(plan);
  // In reverse, because restoring an op also restores everything that it depends on.
  for (auto i = before.rbegin(); i != before.rend(); ++i) {
    if (plan.nodes[size_t(*i)].alive) continue;
    plan.targets.push_back(*i);
    std::vector<int> open{*i};
    while (!open.empty()) {
      PlanNode& p = plan.nodes[size_t(open.back())];
      open.pop_back();
      if (std::exchange(p.alive, true)) continue;
      if (!p.isConstant())
        for (const Output& in : p.inputs) open.push_back(in.node);
      open.insert(open.end(), p.controls.begin(), p.controls.end());
    }
  }
}

}  // namespace

// RULE constant_folding.shapes
//   pattern      an op whose result's shape is not known
//   condition    it is no Merge of a loop; its shape function accepts the shapes of its inputs, and constants among them; its result agrees with the known
//                shape
//   replacement  the same op, of that shape
// RULE constant_folding.shape_op
//   pattern      Shape, ShapeN, Size, Rank of x
//   condition    the shape of x (Rank: its rank) is known and fits the result's type
//   replacement  a constant. In a plan with control flow it waits for x (for an Identity of x if x is an output of a Switch), so that it is dead if x is;
//                in a plan without, it waits for x if x is a read of a variable, which fails if there is no value
// RULE constant_folding.of_constants
//   pattern      f(c1, .., cn), all ci constants
//   condition    f has no state, no function as attribute, no reference, resource or variant as result, is no placeholder, no control flow, no PreventGradient,
//                has a kernel for the CPU, does not fail, and gives at most 10 MiB
//   replacement  the kernel's result, computed once, with denormals flushed as in a run; inherits the control inputs of f and the ci
// RULE constant_folding.effects_stay
//   pattern      an effect or check that only folded ops needed
//   condition    no control flow
//   replacement  it is a target
/// Shapes first: with the feeds' shapes known, shape functions determine most shapes of the plan, so Shape, BroadcastGradientArgs and their
/// consumers become constants. Then every pure op whose inputs are all constant runs once, now. An op that fails is left to fail at run time.
/// A folded node keeps its control inputs and inherits those of its constant inputs, because they carry deadness and order.
Status foldConstants(PlanGraph& plan, PassContext& context) {
  StepState step;
  const FlushDenormals flush;  // as during a run
  int folded = 0;
  BranchAnchors anchors(plan);
  static const std::unique_ptr<Device> host = makeCpuDevice(0);
  // news: nodes whose shapes are now known better than in the graph. doomed: ops that do not fit the shapes now known, so the graph's shapes of their
  // results are wrong.
  std::vector<uint8_t> news(plan.nodes.size(), 0), doomed(plan.nodes.size(), 0);
  for (int i : plan.order()) {
    PlanNode& p = plan.nodes[i];
    if (!p.node) {
      if (context.feedShapes && p.feed >= 0) {
        news[size_t(i)] = !(p.shapes[0] == (*context.feedShapes)[p.feed]);
        p.shapes[0] = (*context.feedShapes)[p.feed];
      }
      continue;
    }
    if (p.loop) {
      WEFT_TRY(compileLoopNode(plan, i, context));
      continue;
    }
    const Node& n = *p.node;
    const bool loopMerge = flowRole(n) == FlowRole::Merge && plan.hasControlFlow;
    if (!loopMerge && n.record->shapeFunction && !n.inputs.empty()) {  // shapes of sources are complete in the graph
      const bool known = std::all_of(p.shapes.begin(), p.shapes.end(), [](const Shape& s) { return s.isFullyKnown(); });
      const bool heard = std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return news[size_t(in.node)]; });
      if (!known || heard) {
        std::vector<Shape> inputs;
        inputs.reserve(p.inputs.size());
        for (const Output& in : p.inputs) inputs.push_back(plan.nodes[in.node].shapes[in.index]);
        auto inferred = inferShapes(n, inputs, [&](int k) -> const Tensor* {
          const PlanNode& from = plan.nodes[p.inputs[k].node];
          return from.isConstant() ? &from.constants[p.inputs[k].index] : nullptr;
        });
        if (inferred.ok() && inferred->size() == p.shapes.size()) {
          for (size_t k = 0; k < p.shapes.size(); ++k) {
            if (misstatesShape(n, int(k), inputs.empty() ? Shape::unknown() : inputs[0])) continue;
            auto merged = p.shapes[k].mergedWith((*inferred)[k]);
            if (!merged.ok()) {
              doomed[size_t(i)] = heard;
            } else if (!(*merged == p.shapes[k])) {
              p.shapes[k] = std::move(*merged);
              news[size_t(i)] = 1;
            }
          }
        } else {
          doomed[size_t(i)] = heard && !inferred.ok();
        }
      }
    }
    if (p.isConstant() || doomed[size_t(i)] || !mayFold(p)) continue;

    std::vector<Tensor> values;
    if (isShapeOp(n)) {
      values = shapeOpValues(p, plan);
    } else if (std::all_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return plan.nodes[in.node].isConstant(); })) {
      if (!findKernel(n, "CPU")) continue;
      size_t bytes = 0;
      for (size_t k = 0; k < p.shapes.size(); ++k) {
        if (p.shapes[k].isFullyKnown()) bytes += size_t(std::max<int64_t>(p.shapes[k].elements(), 0)) * std::max<size_t>(sizeOf(p.types[k]), 1);
      }
      if (bytes > kMaxFoldedBytes && !isConstant(n)) continue;
      auto kernel = makeKernel(n, *host, context.session);
      if (!kernel.ok()) continue;
      std::vector<const Tensor*> inputs;
      for (const Output& in : p.inputs) inputs.push_back(&plan.nodes[in.node].constants[in.index]);
      FoldSink sink(n);
      KernelContext c;
      ExecutorAccess::bind(c, step, context.session, sink);
      ExecutorAccess::bindNode(c, n, inputs.data(), int(inputs.size()), int(n.outputTypes.size()), *host);
      if (!invokeKernel(**kernel, c).ok() || !sink.usable) continue;
      values = std::move(sink.outputs);
    }
    if (values.empty() || std::any_of(values.begin(), values.end(), [](const Tensor& t) { return !t.hasValue(); })) continue;
    // Non-constant inputs (Shape of a computed tensor) are no longer needed. The node stays tied to them by control edges only if control flow could make
    // them dead, or if they are reads that may fail.
    if (plan.hasControlFlow && isShapeOp(n) && !p.inputs.empty()) {
      bool tied = false;
      for (const Output& in : p.inputs) tied |= !plan.nodes[in.node].isConstant() && plan.nodes[in.node].feed < 0;
      if (tied) {
        for (const Output& in : p.inputs) p.controls.push_back(anchors.of(plan, in));
      }
    }
    if (!plan.hasControlFlow && isShapeOp(n)) {
      for (const Output& in : p.inputs) {
        if (isRead(plan, in.node)) p.controls.push_back(in.node);
      }
    }
    for (const Output& in : p.inputs) {
      const PlanNode& from = plan.nodes[in.node];
      if (from.isConstant()) p.controls.insert(p.controls.end(), from.controls.begin(), from.controls.end());
    }
    std::sort(p.controls.begin(), p.controls.end());
    p.controls.erase(std::unique(p.controls.begin(), p.controls.end()), p.controls.end());
    p.inputs.clear();
    for (size_t k = 0; k < values.size(); ++k) p.shapes[k] = values[k].shape();
    p.constants = std::move(values);
    folded += !isConstant(n);
  }
  anchors.make(plan);
  // With control flow, folded nodes stay tied to their former inputs.
  if (plan.hasControlFlow) removeUnused(plan);
  else keepEffects(plan, doomed);
  if (folded) plan.applied.push_back("constant_folding: " + std::to_string(folded) + " nodes");
  return {};
}

}  // namespace weft
