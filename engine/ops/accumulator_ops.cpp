#include "ops/accumulator.h"
#include "ops/session_objects.h"

// Dense and sparse gradient accumulators, and their ops.
namespace weft {
namespace {

using Done = AsyncKernel::Done;
using Cancel = AsyncKernel::Cancel;

template <std::shared_ptr<Accumulator> (*kMake)(DType, const Shape&, bool)>
Result<ObjectMaker<Accumulator>> makerOf(const Node& node) {
  const DType dtype = node.attrs.type("dtype");
  const Shape shape = node.attrs.shape("shape");
  const bool mean = node.attrs.text("reduction_type", "MEAN") != "SUM";
  ObjectMaker<Accumulator> m;
  m.make = [=](KernelContext&, const std::string&) -> Result<std::shared_ptr<Accumulator>> { return kMake(dtype, shape, mean); };
  return m;
}

Result<std::shared_ptr<Accumulator>> accumulatorAt(KernelContext& c, bool sparse, DType dtype) {
  WEFT_LET(auto a, objectAt<Accumulator>(c));
  if (a->isSparse() != sparse)
    return invalidArgument(c.node().op, " needs ", sparse ? "a sparse" : "a dense", " accumulator, but got ", sparse ? "a dense" : "a sparse", " one");
  if (a->dtype() != dtype)
    return invalidArgument("Signature mismatch: the accumulator holds ", dtypeShortName(a->dtype()), ", but the op has ", dtypeShortName(dtype));
  return a;
}

Result<int64_t> scalarAt(KernelContext& c, int i, const char* what) {
  if (c.input(i).elements() != 1) return invalidArgument(what, " must be a scalar, but has shape ", c.input(i).shape().toString());
  return c.input(i).asInt(0);
}

template <bool kSparse>
Status apply(KernelContext& c) {
  WEFT_LET(auto a, accumulatorAt(c, kSparse, c.node().attrs.type("dtype")));
  WEFT_LET(const int64_t step, scalarAt(c, 1, "local_step"));
  std::vector<Tensor> gradient;
  const int last = kSparse && !c.node().attrs.flag("has_known_shape") ? 4 : c.inputCount();
  for (int i = 2; i < last; ++i) gradient.push_back(c.input(i));
  return a->apply(step, gradient);
}

template <bool kSparse>
Result<Cancel> take(KernelContext& c, const Done& done) {
  WEFT_LET(auto a, accumulatorAt(c, kSparse, c.node().attrs.type("dtype")));
  WEFT_LET(const int64_t required, scalarAt(c, 1, "num_required"));
  if (required <= 0) return invalidArgument("Argument num_required must be positive, but was ", required);
  return a->take(required, done);
}

Status setStep(KernelContext& c) {
  WEFT_LET(auto a, objectAt<Accumulator>(c));
  WEFT_LET(const int64_t step, scalarAt(c, 1, "new_global_step"));
  a->setStep(step);
  return {};
}

Status count(KernelContext& c) {
  WEFT_LET(auto a, objectAt<Accumulator>(c));
  c.setOutput(0, Tensor::scalar(int32_t(a->count())));
  return {};
}

constexpr const char* kDType = "dtype: numbertype";
constexpr const char* kNoGradient = "Accumulated gradients come from other runs; no gradient flows through the accumulator.";

OpRecord& makerOp(OpRegistry& ops, const char* name, const char* type, const char* summary) {
  return withSharedName(ops.add(name).category("Accumulators").summary(summary).output(concat("handle: ", type), "The accumulator."))
      .attr(kDType, "Type of the gradients.")
      .attr("shape: shape", "Shape of the gradients, as far as it is known statically.")
      .attr("reduction_type: {'MEAN','SUM'} = 'MEAN'", "How the gradients are combined: their mean or their sum.")
      .shape(shapes::pairOfTexts)
      .noGradient("Handles are not differentiable.");
}

OpRecord& userOp(OpRegistry& ops, const std::string& name, const char* type, const char* summary) {
  OpRecord& op = ops.add(name).category("Accumulators").summary(summary).input(concat("handle: ", type), "The accumulator.").noGradient(kNoGradient);
  if (std::string_view(type) == "resource") op.stateful();
  return op;
}

}  // namespace

void registerAccumulators(OpRegistry& ops) {
  const std::vector<KernelConstraint> floats = {{"dtype", types::kFloats}};
  for (const char* prefix : {"", "Resource"}) {
    const char* type = *prefix ? "resource" : "Ref(string)";
    const std::string p = prefix;
    makerOp(ops, (p + "ConditionalAccumulator").c_str(), type,
            "Creates an accumulator that gathers gradients and returns their mean or sum once enough have arrived.")
        .cpu(floats, objectKernel<Accumulator>(makerOf<makeDenseAccumulator>));
    userOp(ops, p + "AccumulatorApplyGradient", type,
           "Adds a gradient to an accumulator; the gradient is dropped if its local_step is older than the accumulator's step.")
        .input("local_step: int64", "Global step at which the gradient was computed; a scalar.")
        .input("gradient: dtype", "The gradient.")
        .attr(kDType)
        .shape(shapes::unknownOfObject)
        .cpu({}, simpleKernel(apply<false>));
    userOp(ops, p + "AccumulatorTakeGradient", type,
           "Waits until num_required gradients have arrived, then returns their mean or sum and resets the accumulator.")
        .input("num_required: int32", "Number of gradients to wait for; a scalar.")
        .output("average: dtype", "Mean or sum of the gradients.")
        .attr(kDType)
        .shape(shapes::unknownOfObject)
        .cpu({}, asyncKernel(take<false>));
    userOp(ops, p + "AccumulatorSetGlobalStep", type, "Sets the accumulator's global step; gradients computed at an earlier step are dropped from then on.")
        .input("new_global_step: int64", "The step; a scalar.")
        .shape(shapes::unknownOfObject)
        .cpu({}, simpleKernel(setStep));
    userOp(ops, p + "AccumulatorNumAccumulated", type, "Number of gradients accumulated since the last take.")
        .output("num_accumulated: int32", "A scalar.")
        .shape(shapes::scalarsOfObject)
        .cpu({}, simpleKernel(count));
  }
  makerOp(ops, "SparseConditionalAccumulator", "Ref(string)",
          "Creates an accumulator for sparse gradients; each row is averaged over the gradients that contain it.")
      .cpu(floats, objectKernel<Accumulator>(makerOf<makeSparseAccumulator>));
  userOp(ops, "SparseAccumulatorApplyGradient", "Ref(string)",
         "Adds a sparse gradient to an accumulator; the gradient is dropped if its local_step is older than the accumulator's step.")
      .input("local_step: int64", "Global step at which the gradient was computed; a scalar.")
      .input("gradient_indices: int64", "Row indices of the gradient, ascending; a vector.")
      .input("gradient_values: dtype", "The corresponding values.")
      .input("gradient_shape: int64", "Dense shape of the gradient.")
      .attr(kDType)
      .attr("has_known_shape: bool", "Whether gradient_shape is valid.")
      .shape(shapes::unknownOfObject)
      .cpu({}, simpleKernel(apply<true>));
  userOp(ops, "SparseAccumulatorTakeGradient", "Ref(string)",
         "Waits until num_required sparse gradients have arrived, then returns their mean or sum and resets the accumulator.")
      .input("num_required: int32", "Number of gradients to wait for; a scalar.")
      .output("indices: int64", "Row indices; a vector.")
      .output("values: dtype", "Mean or sum of the gradients.")
      .output("shape: int64", "Dense shape.")
      .attr(kDType)
      .shape(shapes::unknownOfObject)
      .cpu({}, asyncKernel(take<true>));
  state(ops, OpRole::Accumulator, Effect::Makes, "ConditionalAccumulator ResourceConditionalAccumulator SparseConditionalAccumulator");
  state(
      ops, OpRole::Compute, Effect::Queue,
      "AccumulatorApplyGradient AccumulatorSetGlobalStep AccumulatorTakeGradient ResourceAccumulatorApplyGradient ResourceAccumulatorSetGlobalStep ResourceAccumulatorTakeGradient SparseAccumulatorApplyGradient SparseAccumulatorTakeGradient");
  state(ops, OpRole::Compute, Effect::Reads, "AccumulatorNumAccumulated ResourceAccumulatorNumAccumulated");
  retain(
      ops,
      "AccumulatorApplyGradient AccumulatorTakeGradient ResourceAccumulatorApplyGradient ResourceAccumulatorTakeGradient SparseAccumulatorApplyGradient SparseAccumulatorTakeGradient");
}

}  // namespace weft
