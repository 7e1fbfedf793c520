#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensor/variable.h"
#include "weft/attr.h"
#include "weft/graph.h"
#include "weft/op.h"

namespace weft {

class Device;
class StepState;
class SessionState;
struct LoopPlace;  // weft/debug.h

/// State of one stateful op in a session, shared by all plans that contain it (random streams, counters).
class NodeState {
 public:
  virtual ~NodeState() = default;
  /// The position to save beside a checkpoint, and its restoration. Empty: nothing worth saving.
  virtual std::string save() const { return {}; }
  virtual void restore(const std::string&) {}
};

/// The node as a kernel factory sees it, once, before it runs.
class WEFT_API KernelInit {
 public:
  virtual ~KernelInit() = default;
  virtual const Node& node() const = 0;
  const AttrMap& attrs() const { return node().attrs; }
  DType inputType(int i) const { return baseType(node().inputTypes[i]); }
  DType outputType(int i) const { return baseType(node().outputTypes[i]); }
  virtual Device& device() = 0;
  virtual SessionState& session() = 0;
  /// The state of this node in the session; created on first use.
  template <typename S>
  std::shared_ptr<S> state(const std::function<std::shared_ptr<S>()>& make) {
    return std::static_pointer_cast<S>(nodeState([&]() -> std::shared_ptr<NodeState> { return make(); }));
  }

 protected:
  virtual std::shared_ptr<NodeState> nodeState(const std::function<std::shared_ptr<NodeState>()>& make) = 0;
};

/// Exclusive write access to a variable's value. Holds the variable's mutex while it lives.
class WEFT_API VariableUpdate {
 public:
  VariableUpdate() = default;
  VariableUpdate(VariableUpdate&&) = default;
  VariableUpdate& operator=(VariableUpdate&&) = default;
  /// The value, safe to write: in place, or a private copy that becomes the value.
  Tensor& value() {
    variable_->mutex.assertHeld();
    return variable_->value;
  }
  const Shape& shape() const {
    variable_->mutex.assertHeld();
    return variable_->value.shape();
  }
  template <typename T>
  T* data() {
    return value().mutableData<T>();
  }
  Variable& variable() { return *variable_; }

 private:
  friend class KernelContext;
  Variable* variable_ = nullptr;
  MovableLock lock_;
};

/// One execution of a node as its kernel sees it. Tensors are borrowed for the duration of the call.
class WEFT_API KernelContext {
 public:
  int inputCount() const { return inputCount_; }
  /// The value of input `i`. For a reference input: the variable's current value, which is empty if the op allows uninitialised variables.
  const Tensor& input(int i) const { return *inputs_[i]; }
  int outputCount() const { return outputCount_; }
  /// Whether output `k` is used in this step. A kernel may skip the work for an unused output but must still set it.
  bool outputWanted(int k) const;

  /// Uninitialised memory for output `k`, with the node's dtype and the given shape. The reference is valid until the kernel returns.
  Result<Tensor*> allocate(int k, const Shape& shape);
  /// As allocate(), but reuses the buffer of the first candidate input that has the same size in bytes and no other user. Output and input are then the same
  /// memory, which element-wise kernels must allow for.
  Result<Tensor*> allocateOrForward(int k, const Shape& shape, std::initializer_list<int> candidates);
  /// Outputs an existing tensor (a reshaped input, a constant) without copying.
  void setOutput(int k, Tensor value);
  /// Output `k` refers to the variable itself (VariableV2, and ops that pass a reference on).
  void setOutputRef(int k, const std::shared_ptr<Variable>& variable);
  /// Output `k` is dead (Switch).
  void setOutputDead(int k);
  /// Scratch memory of this call.
  Result<Tensor> scratch(DType dtype, const Shape& shape);

  /// The variable behind reference input or Resource input `i`. Resource: NOT_FOUND/FAILED_PRECONDITION if it does not exist.
  Result<std::shared_ptr<Variable>> variable(int i);
  bool isRefInput(int i) const;
  /// Locks the variables behind the given inputs for writing, in a global order. Reference variables are written in place: reads of this run that alias the
  /// buffer (Identity of a variable) see the update, as in TensorFlow 1.x. For resource variables, and while other runs of the session are active, the update
  /// goes to a copy, and holders of the old value keep it. FAILED_PRECONDITION "Attempting to use uninitialized value NAME" for a reference; for a resource,
  /// TensorFlow's wording of that op family.
  Result<std::vector<VariableUpdate>> update(std::initializer_list<int> inputs);
  /// Sets the variable to a copy of `value`, in place under the same conditions as update(). REQUIRES: the variable is input 0's.
  Status assign(Variable& variable, const Tensor& value);
  /// For reference ops: passes the reference of input `i` on to output `k`.
  void forwardRef(int i, int k);

  const Node& node() const { return *node_; }
  StepState& step() { return *step_; }           ///< Tensor arrays, stacks, rendezvous of this run (kernel/step_state.h).
  SessionState& session() { return *session_; }  ///< Variables and resources (kernel/session_state.h).
  Device& device() { return *device_; }
  bool cancelled() const;
  /// Frame and iteration of a node in a loop; "" and 0 outside.
  std::string_view frameName() const;
  int64_t iteration() const;
  /// The loops around the node that run as frames, outermost first.
  std::vector<LoopPlace> loops() const;
  /// Which input of a Merge is alive; -1 for other ops.
  int liveInput() const { return liveInput_; }
  bool inputAlive(int i) const { return inputs_[i] != nullptr; }

 private:
  friend class Executor;
  friend class StaticExecutor;
  friend class DataflowExecutor;
  friend struct ExecutorAccess;
  const Node* node_ = nullptr;
  const Tensor* const* inputs_ = nullptr;
  int inputCount_ = 0, outputCount_ = 0;
  int liveInput_ = -1;
  StepState* step_ = nullptr;
  SessionState* session_ = nullptr;
  Device* device_ = nullptr;
  class OutputSink* sink_ = nullptr;
};

/// The implementation of an op on a device, for one node of one plan. Called by one thread at a time unless several runs execute the node concurrently, so
/// mutable members must be guarded or, better, avoided. Exceptions are caught at the call and become INTERNAL.
class WEFT_API Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Status compute(KernelContext& c) = 0;
  /// So cheap that it is never worth another thread.
  virtual bool isCheap() const { return false; }
};

/// A kernel that is a plain function.
using KernelFunction = std::function<Status(KernelContext&)>;
WEFT_API std::unique_ptr<Kernel> functionKernel(KernelFunction f);
/// A factory for a kernel without state: `simpleKernel([](KernelContext& c) { … })`.
WEFT_API KernelFactory simpleKernel(Status (*f)(KernelContext&));
template <typename K>
KernelFactory kernelOf() {
  return [](KernelInit& init) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<K>(init)); };
}

}  // namespace weft
