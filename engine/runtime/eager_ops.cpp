#include "weft/eager.h"

#include <atomic>
#include <functional>
#include <unordered_map>

#include "kernel/async_kernel.h"
#include "kernel/device.h"
#include "kernel/functions.h"
#include "kernel/session_state.h"
#include "kernel/step_state.h"
#include "runtime/executor.h"
#include "weft/mutex.h"

// Ops that run as soon as they are called. A prepared op is a node without a graph, with its kernel.
namespace weft {

class EagerOp {
 public:
  Node node;
  std::unique_ptr<SessionState> state;  // of its random stream
  std::unique_ptr<Kernel> kernel;
  Device* device = nullptr;
  bool waits = false;
};

namespace {

constexpr size_t kMaxPrepared = 4096;

/// Keeps the outputs of one call.
class EagerSink final : public OutputSink {
 public:
  EagerSink(const Node& node, std::vector<Tensor>& outputs) : node_(node), outputs_(outputs) {}
  Result<Tensor*> allocate(int k, const Shape& shape) override {
    WEFT_LET(outputs_[size_t(k)], Tensor::allocate(baseType(node_.outputTypes[size_t(k)]), shape));
    return &outputs_[size_t(k)];
  }
  // The program holds the inputs, so none of them can be overwritten.
  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int>) override { return allocate(k, shape); }
  void set(int k, Tensor value) override { outputs_[size_t(k)] = std::move(value); }
  void setRef(int, const std::shared_ptr<Variable>&) override {}
  void setDead(int) override {}
  bool wanted(int) const override { return true; }
  Result<Tensor> scratch(DType dtype, const Shape& shape) override { return Tensor::allocate(dtype, shape); }
  const std::shared_ptr<Variable>* ref(int) const override { return nullptr; }
  void dropRead(int) override {}
  bool cancelled() const override { return false; }

 private:
  const Node& node_;
  std::vector<Tensor>& outputs_;
};

/// Tensor arrays and stacks of the calling thread.
StepState& currentStep() {
  thread_local StepState step;
  return step;
}

size_t mix(size_t a, size_t b) { return a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2)); }

/// Equal attributes have equal hashes; tensors and lists of other things count by their kind alone.
size_t hashOf(const Attr& a) {
  return std::visit(
      [](const auto& v) -> size_t {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, int64_t> || std::is_same_v<T, float> || std::is_same_v<T, bool>)
          return std::hash<T>()(v);
        else if constexpr (std::is_same_v<T, DType>) return size_t(v);
        else if constexpr (std::is_same_v<T, FuncAttr>) return std::hash<std::string>()(v.name);
        else return 1;
      },
      a.value);
}

bool takesFunctions(const AttrMap& attrs) {
  for (const auto& [name, value] : attrs) {
    if (value.get<FuncAttr>() || value.get<std::vector<FuncAttr>>()) return true;
  }
  return false;
}

}  // namespace

struct EagerRuntime::Impl {
  Device* device = physicalDevices().front();
  SessionState session;
  Mutex mutex;
  std::unordered_multimap<size_t, std::shared_ptr<EagerOp>> prepared WEFT_GUARDED_BY(mutex);
  std::shared_ptr<const FunctionLibrary> functions WEFT_GUARDED_BY(mutex);
  std::atomic<int64_t> count{0};
};

EagerRuntime::EagerRuntime() : impl_(std::make_unique<Impl>()) {}
EagerRuntime::~EagerRuntime() = default;

Result<std::shared_ptr<EagerOp>> EagerRuntime::prepare(const OpRecord& record, const AttrMap& given) {
  AttrMap attrs;
  size_t hash = std::hash<const void*>()(&record);
  for (const auto& [name, value] : given) {
    if (name[0] == '_') continue;
    attrs.set(name, value);
  }
  WEFT_LET(NodeSignature signature, resolveSignature(record, attrs));
  for (const auto& [name, value] : attrs) hash = mix(hash, hashOf(value));
  {
    const MutexLock lock(impl_->mutex);
    const auto [from, to] = impl_->prepared.equal_range(hash);
    for (auto it = from; it != to; ++it) {
      if (it->second->node.record == &record && it->second->node.attrs == attrs) return it->second;
    }
  }
  for (const ArgSpec& a : record.inputs) {
    if (a.isRef) return unimplemented(record.name, " op does not support eager execution. Arg ", a.name, " is a ref.");
  }
  for (const ArgSpec& a : record.outputs) {
    if (a.isRef) return unimplemented(record.name, " op does not support eager execution. Arg ", a.name, " is a ref.");
  }
  auto op = std::make_shared<EagerOp>();
  Node& node = op->node;
  node.op = record.name;
  node.name = record.name + "_" + std::to_string(impl_->count.fetch_add(1));
  node.record = &record;
  node.inputTypes = std::move(signature.inputTypes);
  node.outputTypes = std::move(signature.outputTypes);
  node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
  node.attrs = std::move(attrs);
  op->device = impl_->device;
  SessionState* state = &impl_->session;
  if (record.isStateful && !takesFunctions(node.attrs)) {
    // Functions keep the session they were bound in; all others keep their state beside the op.
    op->state = std::make_unique<SessionState>(impl_->session, std::string(), true);
    state = op->state.get();
  }
  WEFT_LET(op->kernel, makeKernel(node, *op->device, *state));
  op->waits = record.isStateful || takesFunctions(node.attrs) || dynamic_cast<AsyncKernel*>(op->kernel.get());
  if (namesResource(*op)) return op;
  const MutexLock lock(impl_->mutex);
  if (impl_->prepared.size() >= kMaxPrepared) impl_->prepared.clear();
  impl_->prepared.emplace(hash, op);
  return op;
}

const Node& EagerRuntime::nodeOf(const EagerOp& op) { return op.node; }
bool EagerRuntime::mayWait(const EagerOp& op) { return op.waits; }

bool EagerRuntime::namesResource(const EagerOp& op) {
  const Attr* const name = op.node.attrs.find("shared_name");
  const std::string* const text = name ? name->get<std::string>() : nullptr;
  return text && !text->empty();
}

Status EagerRuntime::run(EagerOp& op, std::span<const Tensor* const> inputs, std::vector<Tensor>& outputs, int liveInput) {
  outputs.clear();
  outputs.resize(op.node.outputTypes.size());
  EagerSink sink(op.node, outputs);
  KernelContext c;
  ExecutorAccess::bind(c, currentStep(), op.state ? *op.state : impl_->session, sink);
  ExecutorAccess::bindNode(c, op.node, inputs.data(), int(inputs.size()), int(outputs.size()), *op.device);
  ExecutorAccess::setLiveInput(c, liveInput);
  const FlushDenormals flush;
  return invokeKernel(*op.kernel, c);
}

void EagerRuntime::setFunctions(std::shared_ptr<const FunctionLibrary> functions) {
  {
    const MutexLock lock(impl_->mutex);
    if (!functions || functions == impl_->functions) return;  // functions stay known
    impl_->functions = functions;
    // Ops with functions were bound to the old library.
    std::erase_if(impl_->prepared, [](const auto& entry) { return takesFunctions(entry.second->node.attrs); });
  }
  impl_->session.setFunctions(functions ? std::make_shared<FunctionRuntime>(functions, std::vector<Device*>{impl_->device}, SessionOptions{}) : nullptr);
}

void EagerRuntime::forget() {
  const MutexLock lock(impl_->mutex);
  impl_->prepared.clear();
}

void EagerRuntime::clearStep() { currentStep().clear(); }

}  // namespace weft
