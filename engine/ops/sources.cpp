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
      .summary("A constant tensor stored in the graph.")
      .keywords("constant literal number")
      .output("output: dtype", "The tensor.")
      .attr("value: tensor", "Value of the constant.")
      .attr("dtype: type", "Type of its elements.")
      .shape(constShape)
      .noGradient("It has no inputs.")
      .cpu({}, makeConst);

  ops.add("Placeholder")
      .category("Inputs")
      .summary("An input that must be fed in every run.")
      .keywords("input feed")
      .output("output: dtype", "The fed tensor.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape = { unknown_rank: true }", "Shape that fed tensors must match; unknown dimensions match any size.")
      .shape(placeholderShape)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runPlaceholder));

  ops.add("PlaceholderV2")
      .category("Inputs")
      .summary("An input that must be fed in every run (older form).")
      .output("output: dtype", "The fed tensor.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape", "Shape that fed tensors must match.")
      .deprecated(23, "Placeholder now behaves the same as PlaceholderV2.")
      .shape(placeholderShape)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runPlaceholder));

  ops.add("PlaceholderWithDefault")
      .category("Inputs")
      .summary("An input that may be fed; otherwise it passes on its default.")
      .keywords("input feed default")
      .input("input: dtype", "Default value, used if nothing is fed.")
      .output("output: dtype", "The fed tensor, or the default.")
      .attr("dtype: type", "Type of its elements.")
      .attr("shape: shape", "Shape that fed tensors must match.")
      .shape(placeholderWithDefaultShape)
      .gradient(passGradient)
      .cpu({}, simpleKernel(runPassThrough));

  ops.add("NoOp")
      .category("Control flow")
      .summary("Does nothing; serves to group control dependencies.")
      .keywords("group barrier")
      .shape(shapes::none)
      .noGradient("It has no inputs.")
      .cpu({}, simpleKernel(runNothing));

  ops.add("ControlTrigger")
      .category("Control flow")
      .summary("Does nothing, but stays live even if its control inputs are dead; used where the control flow of a loop meets.")
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
