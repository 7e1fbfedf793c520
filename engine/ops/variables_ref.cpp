#include "base/parallel.h"
#include "kernel/device.h"
#include "kernel/names_variable.h"
#include "kernel/session_state.h"
#include "kernel/step_state.h"
#include "ops/state_ops.h"
#include "tensor/allocator.h"
#include "tensor/element_types.h"

// Variables by reference (VariableV2 and the ops that write to it). The output is a reference to the variable itself. Assign and similar ops pass it on, so
// that `a = assign(v); b = assign_add(a)` orders the two writes.
namespace weft {
namespace {

std::string resourceName(const Node& node) {
  const std::string shared = node.attrs.text("shared_name");
  return shared.empty() ? node.name : shared;
}

class VariableKernel final : public Kernel, public NamesVariable {
 public:
  explicit VariableKernel(std::shared_ptr<Variable> variable) : variable_(std::move(variable)) {}
  Status compute(KernelContext& c) override {
    c.setOutputRef(0, variable_);
    return {};
  }
  bool isCheap() const override { return true; }
  const std::shared_ptr<Variable>& named() const override { return variable_; }

 private:
  std::shared_ptr<Variable> variable_;
};

Result<std::unique_ptr<Kernel>> makeVariable(KernelInit& init) {
  const Node& node = init.node();
  const DType dtype = node.attrs.type("dtype");
  const Shape shape = node.attrs.shape("shape");
  WEFT_LET(auto variable, init.session().lookupOrCreate<Variable>(node.attrs.text("container"), resourceName(node),
                                                                  [&]() -> Result<std::shared_ptr<Variable>> {
                                                                    auto made = std::make_shared<Variable>();
                                                                    made->dtype = dtype;
                                                                    made->shape = shape;
                                                                    made->name = resourceName(node);
                                                                    return made;
                                                                  }));
  if (variable->dtype != dtype)
    return invalidArgument("Trying to share variable ", variable->name, " of type ", dtypeShortName(variable->dtype), " as ", dtypeShortName(dtype));
  return std::unique_ptr<Kernel>(std::make_unique<VariableKernel>(std::move(variable)));
}

Status variableShape(ShapeContext& c) {
  const Shape shape = c.attrs().shape("shape");
  // In the first version, a scalar in the attribute means "unknown".
  c.setOutput(0, c.node().op == "Variable" && shape.isScalar() ? Shape::unknown() : shape);
  return {};
}

// The name of a variable that lives in one step; from `var_name`. DestroyTemporaryVariable takes its value.
std::string temporaryName(const Node& node) {
  const std::string name = node.attrs.text("var_name");
  return name.empty() ? node.name : name;
}

Status makeTemporary(KernelContext& c) {
  auto variable = std::make_shared<Variable>();
  variable->dtype = c.node().attrs.type("dtype");
  variable->shape = c.node().attrs.shape("shape");
  variable->name = temporaryName(c.node());
  WEFT_LET(Tensor value, c.device().place() ? allocateTensor(c.device().allocator(), variable->dtype, variable->shape)
                                            : Tensor::allocate(variable->dtype, variable->shape));
  variable->set(std::move(value));
  WEFT_TRY(c.step().create<Variable>(variable->name, variable));
  c.setOutputRef(0, variable);
  return {};
}

Status destroyTemporary(KernelContext& c) {
  const std::string name = temporaryName(c.node());
  const auto variable = c.step().find<Variable>(name);
  if (!variable) return notFound("Resource __per_step_", c.step().id(), "/", name, "/N10tensorflow19TemporaryVariableOp6TmpVarE does not exist.");
  c.step().erase<Variable>(name);
  WEFT_LET(const auto referred, c.variable(0));
  const MutexLock lock(referred->mutex);
  c.setOutput(0, referred->value);  // other references may still read and update it, as in TensorFlow
  return {};
}

class AssignKernel final : public Kernel {
 public:
  explicit AssignKernel(KernelInit& init) : validateShape_(init.attrs().flag("validate_shape", true)) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(auto variable, c.variable(0));
    const Tensor& value = c.input(1);
    if (validateShape_) {
      Shape old = variable->shape;
      {
        const MutexLock lock(variable->mutex);
        if (variable->value.hasValue()) old = variable->value.shape();
      }
      if (old.isFullyKnown() && !(old == value.shape()))
        return invalidArgument("Assign requires shapes of both tensors to match. lhs shape= ", old.toString(), " rhs shape= ", value.shape().toString());
    }
    WEFT_TRY(c.assign(*variable, value));
    c.forwardRef(0, 0);
    return {};
  }

 private:
  bool validateShape_;
};

Status assignReferenceShape(ShapeContext& c) {
  if (c.attrs().flag("validate_shape", true)) {
    WEFT_LET(Shape merged, c.merge(c.input(0), c.input(1)));
    c.setOutput(0, merged);
  } else {
    c.setOutput(0, c.input(1));
  }
  return {};
}

Status updateShape(ShapeContext& c) {
  WEFT_LET(Shape merged, c.merge(c.input(0), c.input(1)));
  c.setOutput(0, merged);
  return {};
}

template <bool kAdd>
Status updateReference(KernelContext& c) {
  WEFT_LET(auto updates, lockForDelta(c));
  addInPlace(updates[0].value(), c.input(1), kAdd);
  c.forwardRef(0, 0);
  return {};
}

Status isReferenceInitialized(KernelContext& c) {
  WEFT_LET(auto variable, c.variable(0));
  const MutexLock lock(variable->mutex);
  c.setOutput(0, Tensor::scalar(variable->value.hasValue()));
  return {};
}

class CountUpToKernel final : public Kernel {
 public:
  explicit CountUpToKernel(KernelInit& init) : limit_(init.attrs().integer("limit")) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(auto updates, c.update({0}));
    Tensor& value = updates[0].value();
    if (!value.shape().isScalar()) return invalidArgument("input is not a scalar: ", value.shape().toString());
    if (value.asInt(0) >= limit_) return outOfRange("Reached limit of ", limit_);
    if (value.dtype() == DType::Int32) c.setOutput(0, Tensor::scalar(value.mutableData<int32_t>()[0]++));
    else c.setOutput(0, Tensor::scalar(value.mutableData<int64_t>()[0]++));
    return {};
  }

 private:
  int64_t limit_;
};

Status refIdentity(KernelContext& c) {
  c.forwardRef(0, 0);
  return {};
}

Status refSelect(KernelContext& c) {
  const Tensor& index = c.input(0);
  if (!index.shape().isScalar()) return invalidArgument("Index must be a scalar, but it has shape ", index.shape().toString());
  const int64_t i = index.asInt(0);
  if (i < 0 || i + 1 >= c.inputCount()) return invalidArgument("Index must be in the range [0, ", c.inputCount() - 1, ") but got ", i);
  c.forwardRef(int(i) + 1, 0);
  return {};
}

}  // namespace

void registerVariablesByReference(OpRegistry& ops) {
  constexpr const char* kCategory = "Variables";
  for (const char* name : {"Variable", "VariableV2"})
    ops.add(name)
        .category(kCategory)
        .summary("Creates a variable: a tensor that keeps its value between runs and can be updated in place.")
        .output("ref: Ref(dtype)", "Reference to the variable.")
        .attr("shape: shape", "Shape of the value.")
        .attr("dtype: type", "Element type.")
        .attr("container: string = ''", "Resource container of the variable; empty: the session's default container.")
        .attr("shared_name: string = ''", "Nodes with the same shared name share the variable; empty: the node's name.")
        .stateful()
        .shape(variableShape)
        .noGradient("A variable has no inputs.")
        .cpu({}, makeVariable);
  ops.add("TemporaryVariable")
      .category(kCategory)
      .summary("Creates a variable that lives for one run.")
      .output("ref: Ref(dtype)", "Reference to the variable.")
      .attr("shape: shape", "Shape of the value.")
      .attr("dtype: type", "Element type.")
      .attr("var_name: string = ''", "Name by which DestroyTemporaryVariable finds it; empty: the node's name.")
      .stateful()
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, c.attrs().shape("shape"));
        return {};
      })
      .noGradient("A variable has no inputs.")
      .cpu({}, simpleKernel(makeTemporary));
  ops.add("DestroyTemporaryVariable")
      .category(kCategory)
      .summary("Destroys a temporary variable and returns its value.")
      .input("ref: Ref(T)", "The temporary variable.")
      .output("value: T", "The final value.")
      .attr("T: type")
      .attr("var_name: string", "Name of the temporary variable.")
      .shape(shapes::unchanged)
      .noGradient("Variable updates are not differentiable.")
      .cpu({}, simpleKernel(destroyTemporary));
  ops.add("Assign")
      .category(kCategory)
      .summary("Assigns a value to a variable.")
      .keywords("set store write initialize")
      .input("ref: Ref(T)", "The variable; it need not be initialized.")
      .input("value: T", "The value to assign.")
      .output("output_ref: Ref(T)", "The updated variable.")
      .attr("T: type")
      .attr("validate_shape: bool = true", "Fail if the value's shape differs from the variable's.")
      .attr("use_locking: bool = true", "Hold the variable's lock during the update.")
      .uninitializedInput()
      .shape(assignReferenceShape)
      .noGradient("Variable updates are not differentiable.")
      .cpu({}, kernelOf<AssignKernel>());
  for (const bool add : {true, false})
    ops.add(add ? "AssignAdd" : "AssignSub")
        .category(kCategory)
        .summary(add ? "Adds a value to a variable." : "Subtracts a value from a variable.")
        .input("ref: Ref(T)", "The variable.")
        .input("value: T", "Value to add or subtract, in the variable's shape.")
        .output("output_ref: Ref(T)", "The updated variable.")
        .attr("T: numbertype")
        .attr("use_locking: bool = false", "Hold the variable's lock during the update.")
        .shape(updateShape)
        .noGradient("Variable updates are not differentiable.")
        .cpu({{"T", types::kCpuNumber}}, simpleKernel(add ? updateReference<true> : updateReference<false>));
  ops.add("IsVariableInitialized")
      .category(kCategory)
      .summary("Whether a variable is initialized.")
      .input("ref: Ref(dtype)", "The variable.")
      .output("is_initialized: bool", "A scalar.")
      .attr("dtype: type")
      .uninitializedInput()
      .shape(shapes::scalar)
      .noGradient("The result is boolean.")
      .cpu({}, simpleKernel(isReferenceInitialized));
  ops.add("CountUpTo")
      .category(kCategory)
      .summary("Increments a scalar variable until it reaches a limit.")
      .input("ref: Ref(T)", "The counter.")
      .output("output: T", "The value before the increment.")
      .attr("limit: int", "The op fails with OUT_OF_RANGE once the counter has reached this value.")
      .attr("T: {int32, int64}")
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, {});
        return c.requireRank(c.input(0), 0);
      })
      .noGradient("Variable updates are not differentiable.")
      .cpu({{"T", types::kIndex}}, kernelOf<CountUpToKernel>());
  ops.add("RefIdentity")
      .category(kCategory)
      .summary("Forwards a reference.")
      .input("input: Ref(T)", "The variable.")
      .output("output: Ref(T)", "The same variable.")
      .attr("T: type")
      .uninitializedInput()
      .shape(shapes::unchanged)
      .gradient([](GradContext& g) -> Result<std::vector<Output>> { return std::vector<Output>{g.grad()}; })
      .cpu({}, simpleKernel(refIdentity));
  ops.add("RefSelect")
      .category(kCategory)
      .summary("Forwards one of several references, selected by index.")
      .input("index: int32", "Index of the reference; a scalar.")
      .input("inputs: Ref(N * T)", "The variables.")
      .output("output: Ref(T)", "The selected variable.")
      .attr("T: type")
      .attr("N: int >= 1")
      .shape([](ShapeContext& c) -> Status {
        Shape common = c.input(1);
        for (int i = 2; i < c.inputCount(); ++i)
          if (!common.isFullyKnown() || !(common == c.input(i))) common = Shape::unknown();
        c.setOutput(0, common);
        return c.requireRank(c.input(0), 0);
      })
      .noGradient("Selection by index is not differentiable.")
      .cpu({}, simpleKernel(refSelect));
  state(ops, OpRole::Variable, Effect::Makes, "Variable VariableV2");
  state(ops, OpRole::ScratchVariable, Effect::Step, "TemporaryVariable");
  state(ops, OpRole::Compute, Effect::Step, "DestroyTemporaryVariable");
  state(ops, OpRole::Assign, Effect::Variable, "Assign");
  state(ops, OpRole::Update, Effect::Variable, "AssignAdd AssignSub CountUpTo");
  state(ops, OpRole::ProbeVariable, Effect::Reads, "IsVariableInitialized");
  state(ops, OpRole::RefIdentity, Effect::None, "RefIdentity");
  passHandles(ops, "RefIdentity");
  countFlops(ops, 1, "AssignAdd AssignSub");
}

}  // namespace weft
