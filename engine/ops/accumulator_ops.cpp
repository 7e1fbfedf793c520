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
constexpr const char* kNoGradient = "What an accumulator holds came from other runs; gradients do not flow through it.";

OpRecord& makerOp(OpRegistry& ops, const char* name, const char* type, const char* summary) {
  return withSharedName(ops.add(name).category("Accumulators").summary(summary).output(concat("handle: ", type), "The accumulator."))
      .attr(kDType, "Type of the gradients.")
      .attr("shape: shape", "Shape of the gradients, as far as it is known.")
      .attr("reduction_type: {'MEAN','SUM'} = 'MEAN'", "What is given of several gradients.")
      .shape(shapes::pairOfTexts)
      .noGradient("A handle is no number.");
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
    makerOp(ops, (p + "ConditionalAccumulator").c_str(), type, "An accumulator that gives the mean or sum of gradients when there are enough of them.")
        .cpu(floats, objectKernel<Accumulator>(makerOf<makeDenseAccumulator>));
    userOp(ops, p + "AccumulatorApplyGradient", type, "Adds a gradient to an accumulator, unless its step is over.")
        .input("local_step: int64", "Step that the gradient was computed for.")
        .input("gradient: dtype", "The gradient.")
        .attr(kDType)
        .shape(shapes::unknownOfObject)
        .cpu({}, simpleKernel(apply<false>));
    userOp(ops, p + "AccumulatorTakeGradient", type, "The mean or sum of the gathered gradients; waits until there are enough.")
        .input("num_required: int32", "How many gradients it takes.")
        .output("average: dtype", "Their mean or sum.")
        .attr(kDType)
        .shape(shapes::unknownOfObject)
        .cpu({}, asyncKernel(take<false>));
    userOp(ops, p + "AccumulatorSetGlobalStep", type, "Tells an accumulator which step it is; gradients of earlier ones are dropped.")
        .input("new_global_step: int64", "The step.")
        .shape(shapes::unknownOfObject)
        .cpu({}, simpleKernel(setStep));
    userOp(ops, p + "AccumulatorNumAccumulated", type, "How many gradients an accumulator has gathered.")
        .output("num_accumulated: int32", "A scalar.")
        .shape(shapes::scalarsOfObject)
        .cpu({}, simpleKernel(count));
  }
  makerOp(ops, "SparseConditionalAccumulator", "Ref(string)", "An accumulator of sparse gradients; each row's mean is over the gradients that have it.")
      .cpu(floats, objectKernel<Accumulator>(makerOf<makeSparseAccumulator>));
  userOp(ops, "SparseAccumulatorApplyGradient", "Ref(string)", "Adds a sparse gradient to an accumulator, unless its step is over.")
      .input("local_step: int64", "Step that the gradient was computed for.")
      .input("gradient_indices: int64", "Rows of the gradient, ascending.")
      .input("gradient_values: dtype", "Their values.")
      .input("gradient_shape: int64", "Shape of the whole gradient.")
      .attr(kDType)
      .attr("has_known_shape: bool", "Whether gradient_shape means anything.")
      .shape(shapes::unknownOfObject)
      .cpu({}, simpleKernel(apply<true>));
  userOp(ops, "SparseAccumulatorTakeGradient", "Ref(string)", "The mean or sum of the gathered sparse gradients; waits until there are enough.")
      .input("num_required: int32", "How many gradients it takes.")
      .output("indices: int64", "Rows.")
      .output("values: dtype", "Their mean or sum.")
      .output("shape: int64", "Shape of the whole.")
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
