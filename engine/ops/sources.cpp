#include "ops/registry.h"

// Constants and placeholders; also ops that only order others.
namespace weft {
namespace {

Status constShape(ShapeContext& c) {
  const Attr* value = c.attrs().find("value");
  const Tensor* t = value ? value->get<Tensor>() : nullptr;
  if (!t) return invalidArgument("Const needs the attribute 'value'");
  if (t->dtype() != c.attrs().type("dtype")) {
    return invalidArgument("Inconsistent values for attr 'dtype' ", dtypeEnumName(t->dtype()), " vs. ", dtypeEnumName(c.attrs().type("dtype")),
                           " while building NodeDef '", c.node().name, "'");
  }
  c.setOutput(0, t->shape());
  return {};
}

/// Outputs the attribute's tensor without copying it.
class ConstKernel final : public Kernel {
 public:
  explicit ConstKernel(Tensor value) : value_(std::move(value)) {}
  Status compute(KernelContext& c) override {
    c.setOutput(0, value_);
    return {};
  }
  bool isCheap() const override { return true; }

 private:
  Tensor value_;
};

Result<std::unique_ptr<Kernel>> makeConst(KernelInit& init) {
  const Attr* value = init.attrs().find("value");
  const Tensor* t = value ? value->get<Tensor>() : nullptr;
  if (!t) return invalidArgument("Const needs the attribute 'value'");
  if (t->dtype() != init.attrs().type("dtype")) {
    return invalidArgument("Type mismatch between value (", dtypeShortName(t->dtype()), ") and dtype (", dtypeShortName(init.attrs().type("dtype")), ")");
  }
  return std::unique_ptr<Kernel>(std::make_unique<ConstKernel>(*t));
}

Status placeholderShape(ShapeContext& c) {
  // Old graphs wrote unknown shapes as scalar shapes, so a shape of rank 0 is ignored in graphs before producer 24. Newer graphs write unknown_rank. The loader
  // passes on the file's contents.
  c.setOutput(0, c.attrs().shape("shape"));
  return {};
}

Status runPlaceholder(KernelContext& c) {
  const Shape shape = c.node().attrs.shape("shape");
  std::string text = "You must feed a value for placeholder tensor '" + c.node().name + "' with dtype " + dtypeShortName(c.node().attrs.type("dtype"));
  if (shape.hasRank() && shape.rank() > 0) text += " and shape " + shape.toString();
  return invalidArgument(text);
}

Status placeholderWithDefaultShape(ShapeContext& c) {
  const Shape shape = c.attrs().shape("shape");
  // The default must fit the declared shape; so must fed values.
  auto merged = c.merge(c.input(0), shape);
  if (!merged.ok()) return std::move(merged.error());
  c.setOutput(0, shape);
  return {};
}

Status runPassThrough(KernelContext& c) {
  c.setOutput(0, c.input(0));
  return {};
}

Status runNothing(KernelContext&) { return {}; }

}  // namespace

void registerSources(OpRegistry& ops) {
  ops.add("Const")
      .category("Inputs")
      .summary("A value that is part of the graph.")
      .keywords("constant literal number")
      .output("output: dtype", "The value.")
      .attr("value: tensor", "The tensor that the node stands for.")
      .attr("dtype: type", "Type of its elements.")
      .shape(constShape)
      .noGradient("It has no inputs.")
      .cpu({}, makeConst);

  ops.add("Placeholder")
      .category("Inputs")
      .summary("A tensor that every run must be given.")
      .keywords("input feed")
      .output("output: dtype", "What was fed.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape = { unknown_rank: true }", "What the fed tensor's shape must fit; unknown dims fit any size.")
      .shape(placeholderShape)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runPlaceholder));

  ops.add("PlaceholderV2")
      .category("Inputs")
      .summary("A tensor that every run must be given (old form).")
      .output("output: dtype", "What was fed.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape", "What the fed tensor's shape must fit.")
      .deprecated(23, "Placeholder now behaves the same as PlaceholderV2.")
      .shape(placeholderShape)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runPlaceholder));

  ops.add("PlaceholderWithDefault")
      .category("Inputs")
      .summary("A tensor that a run may be given; else it is the input.")
      .keywords("input feed default")
      .input("input: dtype", "The value if nothing is fed.")
      .output("output: dtype", "What was fed, or the input.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape", "What a fed tensor's shape must fit.")
      .shape(placeholderWithDefaultShape)
      .gradient(passGradient)
      .cpu({}, simpleKernel(runPassThrough));

  ops.add("NoOp")
      .category("Control flow")
      .summary("Does nothing; others wait for it, and it waits for others.")
      .keywords("group barrier")
      .shape(shapes::none)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runNothing));

  ops.add("ControlTrigger")
      .category("Control flow")
      .summary("Does nothing, but lives even where its control inputs are dead: used where a loop's control flow meets.")
      .shape(shapes::none)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runNothing));
  state(ops, OpRole::Constant, Effect::None, "Const");
  state(ops, OpRole::Placeholder, Effect::Feed, "Placeholder PlaceholderV2");
  state(ops, OpRole::DefaultedPlaceholder, Effect::None, "PlaceholderWithDefault");
  state(ops, OpRole::Group, Effect::None, "NoOp");
  state(ops, OpRole::ControlTrigger, Effect::None, "ControlTrigger");
}

}  // namespace weft
