#include "ops/registry.h"

// The primitives of version 1 control flow. The dataflow executor (engine/runtime) handles frames, iterations and dead values; here each op only passes a value
// on. Gradients through loops and conditionals need their contexts and are built by engine/autodiff; the gradient functions here are for primitives outside any
// context.
namespace weft {
namespace {

Status switchValue(KernelContext& c) {
  const Tensor& pred = c.input(1);
  if (!pred.shape().isScalar()) return invalidArgument("The second input must be a scalar, but it has shape ", pred.shape().toString());
  const int live = pred.at<bool>(0) ? 1 : 0;
  if (c.isRefInput(0)) c.forwardRef(0, live);
  else c.setOutput(live, c.input(0));
  c.setOutputDead(1 - live);
  return {};
}

Status mergeValue(KernelContext& c) {
  const int live = c.liveInput();
  if (live < 0) return internalError("Merge node ", c.node().name, " has no valid input.");
  if (c.isRefInput(live)) c.forwardRef(live, 0);
  else c.setOutput(0, c.input(live));
  if (c.outputWanted(1)) c.setOutput(1, Tensor::scalar(int32_t(live)));
  else c.setOutput(1, Tensor::zeros(DType::Int32, {}));
  return {};
}

Status pass(KernelContext& c) {
  if (c.isRefInput(0)) c.forwardRef(0, 0);
  else c.setOutput(0, c.input(0));
  return {};
}

class PassKernel final : public Kernel {
 public:
  PassKernel(Status (*f)(KernelContext&)) : f_(f) {}
  Status compute(KernelContext& c) override { return f_(c); }
  bool isCheap() const override { return true; }

 private:
  Status (*f_)(KernelContext&);
};

KernelFactory cheap(Status (*f)(KernelContext&)) {
  return [f](KernelInit&) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<PassKernel>(f)); };
}

Status switchShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, c.input(0));
  c.setOutput(1, c.input(0));
  return {};
}

/// Dims that differ between the inputs are unknown; if ranks differ or one is unknown, so is the result's rank.
Status mergeShape(ShapeContext& c) {
  Shape out = c.input(0);
  for (int i = 1; i < c.inputCount() && out.hasRank(); ++i) {
    const Shape& in = c.input(i);
    if (in.rank() != out.rank()) {
      out = Shape::unknown();
      break;
    }
    for (int d = 0; d < out.rank(); ++d)
      if (in.dim(d) != out.dim(d)) out.setDim(d, Shape::kUnknownDim);
  }
  c.setOutput(0, out);
  c.setOutput(1, {});
  return {};
}

Status scalarUnchanged(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  c.setOutput(0, {});
  return {};
}

using Gradients = Result<std::vector<Output>>;

Gradients switchGradient(GradContext& g) {
  GraphBuilder& b = g.b();
  const int onFalse = b.node("Switch", {g.grad(0), g.input(1)});
  const int onTrue = b.node("Switch", {g.grad(1), g.input(1)});
  return std::vector<Output>{b.op("Merge", {Output{onFalse, 0}, Output{onTrue, 1}}), Output()};
}

Gradients mergeGradient(GradContext& g) {
  GraphBuilder& b = g.b();
  std::vector<Output> taken, grads;
  for (int i = 0; i < g.inputCount(); ++i) taken.push_back(b.op("Equal", {g.output(1), b.scalar<int32_t>(i, "Equal/y")}));
  for (const Output& t : taken) grads.push_back(Output{b.node("Switch", {g.grad(0), t}), 1});
  return grads;
}

OpRecord& passing(OpRegistry& ops, const std::string& name, bool ref, const char* summary) {
  return ops.add(name)
      .category("Control flow")
      .summary(summary)
      .input(ref ? "data: Ref(T)" : "data: T", "The value to pass through.")
      .output(ref ? "output: Ref(T)" : "output: T", "The input, unchanged.")
      .attr("T: type")
      .cpu({}, cheap(pass));
}

}  // namespace

void registerControlFlow(OpRegistry& ops) {
  for (const bool ref : {false, true}) {
    const std::string prefix = ref ? "Ref" : "";
    OpRecord& sw = ops.add(prefix + "Switch")
                       .category("Control flow")
                       .summary("Forwards its input to one of two outputs; the other output is dead in this step.")
                       .input(ref ? "data: Ref(T)" : "data: T", "The value to pass through.")
                       .input("pred: bool", "Selects the output; a scalar.")
                       .output(ref ? "output_false: Ref(T)" : "output_false: T", "Live if `pred` is false.")
                       .output(ref ? "output_true: Ref(T)" : "output_true: T", "Live if `pred` is true.")
                       .attr("T: type")
                       .shape(switchShape)
                       .gradient(switchGradient)
                       .cpu({}, cheap(switchValue));
    if (ref) sw.uninitializedInput();
    ops.add(prefix + "Merge")
        .category("Control flow")
        .summary("Forwards whichever of its inputs is live.")
        .input(ref ? "inputs: Ref(N * T)" : "inputs: N * T", "The inputs; at most one is live.")
        .output(ref ? "output: Ref(T)" : "output: T", "The live input.")
        .output("value_index: int32", "Index of the live input; a scalar.")
        .attr("T: type")
        .attr("N: int >= 1")
        .shape(mergeShape)
        .gradient(mergeGradient)
        .cpu({}, cheap(mergeValue));
    passing(ops, prefix + "Enter", ref, "Passes a value into a frame (the context in which a loop's iterations run).")
        .attr("frame_name: string", "Name of the frame.")
        .attr("is_constant: bool = false", "Whether the value is loop-invariant: the same in every iteration.")
        .attr("parallel_iterations: int = 10", "Maximum number of iterations that may run in parallel.")
        .shape(shapes::unchanged)
        .gradient(passGradient);
    passing(ops, prefix + "Exit", ref, "Passes a value out of its frame when the loop ends.").shape(shapes::unchanged).gradient(passGradient);
    passing(ops, prefix + "NextIteration", ref, "Passes a value to the next iteration of its frame.").shape(shapes::unchanged).gradient(passGradient);
  }
  ops.add("LoopCond")
      .category("Control flow")
      .summary("Marks a loop's condition, which controls the loop's Switch ops.")
      .input("input: bool", "A scalar.")
      .output("output: bool", "The input, unchanged.")
      .shape(scalarUnchanged)
      .noGradient("A loop's condition is not differentiable.")
      .cpu({}, cheap(pass));
  state(ops, OpRole::Switch, Effect::None, "RefSwitch Switch");
  state(ops, OpRole::Merge, Effect::None, "Merge RefMerge");
  state(ops, OpRole::Enter, Effect::None, "Enter RefEnter");
  state(ops, OpRole::Exit, Effect::None, "Exit RefExit");
  state(ops, OpRole::NextIteration, Effect::None, "NextIteration RefNextIteration");
  state(ops, OpRole::LoopCond, Effect::None, "LoopCond");
  passHandles(ops, "Enter Exit Merge NextIteration RefEnter RefExit RefMerge RefNextIteration RefSwitch Switch");
}

}  // namespace weft
