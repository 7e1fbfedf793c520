#pragma once

#include <initializer_list>
#include <memory>

#include "kernel/async_kernel.h"

namespace weft {

struct RunState;

/// Receives a kernel's outputs. Implemented by the executors.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual Result<Tensor*> allocate(int k, const Shape& shape) = 0;
  virtual Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int> candidates) = 0;
  virtual void set(int k, Tensor value) = 0;
  virtual void setRef(int k, const std::shared_ptr<Variable>& variable) = 0;
  virtual void setDead(int k) = 0;
  virtual bool wanted(int k) const = 0;
  virtual Result<Tensor> scratch(DType dtype, const Shape& shape) = 0;
  /// The variable behind reference input `i`; null if the input is no reference.
  virtual const std::shared_ptr<Variable>* ref(int i) const = 0;
  /// Drops the value that was read from reference input `i`, so that an update of the variable finds it unshared.
  virtual void dropRead(int i) = 0;
  virtual bool cancelled() const = 0;
  virtual std::string_view frameName() const { return {}; }
  virtual int64_t iteration() const { return 0; }
  virtual std::vector<LoopPlace> loops() const;
  /// The current run; null during constant folding.
  virtual const RunState* run() const { return nullptr; }
};

/// Fills KernelContexts.
struct ExecutorAccess {
  static void bind(KernelContext& c, StepState& step, SessionState& session, OutputSink& sink) {
    c.step_ = &step;
    c.session_ = &session;
    c.sink_ = &sink;
  }
  static void bindNode(KernelContext& c, const Node& node, const Tensor* const* inputs, int inputCount, int outputCount, Device& device) {
    c.node_ = &node;
    c.inputs_ = inputs;
    c.inputCount_ = inputCount;
    c.outputCount_ = outputCount;
    c.device_ = &device;
  }
  static const OutputSink& sinkOf(const KernelContext& c) { return *c.sink_; }
  static void setLiveInput(KernelContext& c, int i) { c.liveInput_ = i; }
};

/// Calls a kernel. Exceptions become errors with the node's name.
Status invokeKernel(Kernel& kernel, KernelContext& c) noexcept;
/// Starts an asynchronous kernel. Exceptions are passed to `done` as errors.
AsyncKernel::Cancel startKernel(AsyncKernel& kernel, KernelContext& c, const AsyncKernel::Done& done) noexcept;

/// The kernel of `node` on a device, or why there is none, in TensorFlow's words.
Result<std::unique_ptr<Kernel>> makeKernel(const Node& node, Device& device, SessionState& session);
/// Whether a kernel for this node is registered for devices of `type`.
const KernelRecord* findKernel(const Node& node, std::string_view type);

/// "FAILED_PRECONDITION: Attempting to use uninitialized value NAME".
Error uninitializedValue(const Variable& v);

/// Flushes denormals to zero on this thread during its lifetime, as TensorFlow's op threads do. Pool workers inherit the caller's floating-point mode.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();

 private:
  unsigned saved_;
};

}  // namespace weft
