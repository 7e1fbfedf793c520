#include <vector>

#include "kernel/device.h"
#include "kernel/step_state.h"
#include "ops/session_objects.h"
#include "ops/state_ops.h"
#include "weft/eager.h"
#include "weft/mutex.h"

// Stacks of tensors that live in one step. Gradients of loops save forward values in them.
namespace weft {
namespace {

class Stack final : public SessionResource {
 public:
  Stack(std::string name, DType type, int64_t maxSize) : name_(std::move(name)), type_(type), maxSize_(maxSize) {}
  std::string kind() const override { return "stack"; }
  DType type() const { return type_; }

  Status push(Tensor value) {
    const MutexLock lock(mutex_);
    WEFT_TRY(checkOpen());
    if (maxSize_ >= 0 && int64_t(elements_.size()) >= maxSize_) return invalidArgument("Stack[", name_, "] overflowed its max_size (", maxSize_, ")");
    elements_.push_back(std::move(value));
    return {};
  }

  Result<Tensor> pop() {
    const MutexLock lock(mutex_);
    WEFT_TRY(checkOpen());
    if (elements_.empty()) return invalidArgument("Stack[", name_, "] is empty when calling Pop().");
    Tensor last = std::move(elements_.back());
    elements_.pop_back();
    return last;
  }

  void close() {
    std::vector<Tensor> dying;
    const MutexLock lock(mutex_);
    dying.swap(elements_);
    closed_ = true;
  }

  /// Another stack with the same elements.
  std::shared_ptr<Stack> copy() {
    auto made = std::make_shared<Stack>(name_, type_, maxSize_);
    const MutexLock lock(mutex_);
    const MutexLock its(made->mutex_);
    made->elements_ = elements_;
    made->closed_ = closed_;
    return made;
  }

 private:
  Status checkOpen() const WEFT_REQUIRES(mutex_) {
    if (closed_) return invalidArgument("Stack[", name_, "] has already been closed.");
    return {};
  }

  const std::string name_;
  const DType type_;
  const int64_t maxSize_;
  Mutex mutex_;
  std::vector<Tensor> elements_ WEFT_GUARDED_BY(mutex_);
  bool closed_ WEFT_GUARDED_BY(mutex_) = false;
};

/// The stack for a handle, or for a reference to [container, name] (first version).
Result<std::shared_ptr<Stack>> stackOf(KernelContext& c) {
  if (const Tensor& name = c.input(0); name.dtype() == DType::String) {
    if (name.elements() != 2) return invalidArgument("Stack handle must have two elements, but had shape: ", name.shape().toString());
    auto found = c.step().find<Stack>(name.data<std::string>()[1]);
    if (!found) return notFound("Resource ", name.data<std::string>()[0], "/", name.data<std::string>()[1], " does not exist in this step");
    return found;
  }
  auto stack = std::dynamic_pointer_cast<Stack>(handleOf(c, 0).resource);
  if (!stack) return notFound("Resource ", handleOf(c, 0).container, "/", handleOf(c, 0).name, " is not a stack");
  return stack;
}

Status makeStack(KernelContext& c) {
  const Tensor& maxSize = c.input(0);
  if (!maxSize.shape().isScalar()) return invalidArgument("Stack size must be a scalar, but has shape: ", maxSize.shape().toString());
  const AttrMap& attrs = c.node().attrs;
  const std::string given = attrs.text("stack_name");
  ResourceHandle handle;
  handle.container = "_stacks";
  handle.name = concat(given.empty() ? c.node().name : given, "_", c.step().nextNumber());
  handle.dtype = attrs.type("elem_type");
  handle.resource = std::make_shared<Stack>(given.empty() ? c.node().name : given, handle.dtype, maxSize.asInt(0));
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  *out->mutableData<ResourceHandle>() = std::move(handle);
  return {};
}

/// The first version: no limit, and a reference to [container, name].
Status makeStackByName(KernelContext& c) {
  const std::string given = c.node().attrs.text("stack_name");
  const std::string label = given.empty() ? c.node().name : given, name = concat(label, "_", c.step().nextNumber());
  WEFT_TRY(c.step().create<Stack>(name, std::make_shared<Stack>(label, c.node().attrs.type("elem_type"), -1)));
  auto reference = std::make_shared<Variable>();
  reference->dtype = DType::String;
  reference->shape = Shape{2};
  reference->name = c.node().name;
  reference->set(Tensor::vector<std::string>({"_stacks", name}));
  c.setOutputRef(0, reference);
  return {};
}

Status push(KernelContext& c) {
  WEFT_LET(auto stack, stackOf(c));
  const Tensor& value = c.input(1);
  if (stack->type() != value.dtype()) return invalidArgument("Must have type ", dtypeShortName(stack->type()), " but got ", dtypeShortName(value.dtype()));
  WEFT_TRY(stack->push(value));
  c.setOutput(0, value);
  return {};
}

Status pop(KernelContext& c) {
  WEFT_LET(auto stack, stackOf(c));
  const DType wanted = c.node().outputTypes[0];
  if (stack->type() != wanted) return invalidArgument("Must have type ", dtypeShortName(stack->type()), " but got ", dtypeShortName(wanted));
  WEFT_LET(Tensor value, stack->pop());
  // Small integers and truth values are in host memory on every device, as in TensorFlow.
  if (wanted != DType::Int32 && wanted != DType::Bool) {
    WEFT_LET(value, tensorAt(c.device(), value));
  }
  c.setOutput(0, std::move(value));
  return {};
}

Status closeStack(KernelContext& c) {
  WEFT_LET(auto stack, stackOf(c));
  stack->close();
  return {};
}

}  // namespace

Tensor EagerRuntime::withOwnStack(const Tensor& handle) {
  if (handle.dtype() != DType::Resource || handle.elements() != 1) return handle;
  ResourceHandle own = *static_cast<const ResourceHandle*>(handle.raw());
  const auto stack = std::dynamic_pointer_cast<Stack>(own.resource);
  if (!stack) return handle;
  own.resource = stack->copy();
  auto made = Tensor::allocate(DType::Resource, handle.shape());
  if (!made.ok()) return handle;
  *made->mutableData<ResourceHandle>() = std::move(own);
  return std::move(made).value();
}

void registerStacks(OpRegistry& ops) {
  constexpr const char* kNoGradient = "A stack carries values of the forward pass; no gradient flows through it.";
  ops.add("StackV2")
      .category("Control flow")
      .summary("Creates a stack of tensors that lives for one run.")
      .input("max_size: int32", "Maximum number of elements, a scalar; negative: unlimited.")
      .output("handle: resource", "Handle of the stack.")
      .attr("elem_type: type", "Type of the elements.")
      .attr("stack_name: string = ''", "Name used in error messages; empty: the node's name.")
      .stateful()
      .shape(shapes::pairOfTexts)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(makeStack));
  ops.add("Stack")
      .category("Control flow")
      .summary("Creates a stack of tensors that lives for one run (first version).")
      .output("handle: Ref(string)", "The stack.")
      .attr("elem_type: type", "Type of the elements.")
      .attr("stack_name: string = ''", "Name used in error messages; empty: the node's name.")
      .stateful()
      .shape(shapes::pairOfTexts)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(makeStackByName));
  for (const char* suffix : {"", "V2"}) {
    const char* handle = *suffix ? "handle: resource" : "handle: Ref(string)";
    OpRecord& pushOp = ops.add(std::string("StackPush") + suffix)
                           .category("Control flow")
                           .summary("Pushes a tensor onto a stack.")
                           .input(handle, "Handle of the stack.")
                           .input("elem: T", "The tensor.")
                           .output("output: T", "The pushed tensor.")
                           .attr("T: type")
                           .attr("swap_memory: bool = false", "Allow the element to be moved to host memory.")
                           .shape([](ShapeContext& c) -> Status {
                             c.setOutput(0, c.input(1));
                             return {};
                           })
                           .noGradient(kNoGradient)
                           .cpu({}, simpleKernel(push));
    OpRecord& popOp = ops.add(std::string("StackPop") + suffix)
                          .category("Control flow")
                          .summary("Pops the top tensor of a stack.")
                          .input(handle, "Handle of the stack.")
                          .output("elem: elem_type", "The popped tensor.")
                          .attr("elem_type: type")
                          .shape(shapes::unknown)
                          .noGradient(kNoGradient)
                          .cpu({}, simpleKernel(pop));
    OpRecord& closeOp = ops.add(std::string("StackClose") + suffix)
                            .category("Control flow")
                            .summary("Closes a stack and frees its elements.")
                            .input(handle, "Handle of the stack.")
                            .shape(shapes::none)
                            .noGradient(kNoGradient)
                            .cpu({}, simpleKernel(closeStack));
    if (*suffix) {
      for (OpRecord* op : {&pushOp, &popOp, &closeOp}) op->stateful();
    }
  }
  state(ops, OpRole::StackMaker, Effect::Step, "Stack StackV2");
  state(ops, OpRole::StackPush, Effect::Step, "StackPush StackPushV2");
  state(ops, OpRole::StackPop, Effect::Step, "StackPop StackPopV2");
  state(ops, OpRole::StackClose, Effect::Step, "StackClose StackCloseV2");
  retain(ops, "Stack StackClose StackCloseV2 StackPop StackPopV2 StackPush StackPushV2 StackV2");
}

}  // namespace weft
