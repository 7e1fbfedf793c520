#include "kernel/kernel.h"

#include <immintrin.h>

#include <algorithm>
#include <new>

#include "kernel/device.h"
#include "kernel/session_state.h"
#include "runtime/executor.h"
#include "runtime/moved_reads.h"
#include "weft/debug.h"

namespace weft {
namespace {

class FunctionKernel final : public Kernel {
 public:
  explicit FunctionKernel(KernelFunction f) : f_(std::move(f)) {}
  Status compute(KernelContext& c) override { return f_(c); }

 private:
  KernelFunction f_;
};

class PlainKernel final : public Kernel {
 public:
  explicit PlainKernel(Status (*f)(KernelContext&)) : f_(f) {}
  Status compute(KernelContext& c) override { return f_(c); }

 private:
  Status (*f_)(KernelContext&);
};

class Init final : public KernelInit {
 public:
  Init(const Node& node, Device& device, SessionState& session) : node_(node), device_(device), session_(session) {}
  const Node& node() const override { return node_; }
  Device& device() override { return device_; }
  SessionState& session() override { return session_; }

 protected:
  std::shared_ptr<NodeState> nodeState(const std::function<std::shared_ptr<NodeState>()>& make) override { return session_.nodeState(node_.name, make); }

 private:
  const Node& node_;
  Device& device_;
  SessionState& session_;
};

}  // namespace

std::unique_ptr<Kernel> functionKernel(KernelFunction f) { return std::make_unique<FunctionKernel>(std::move(f)); }

KernelFactory simpleKernel(Status (*f)(KernelContext&)) {
  return [f](KernelInit&) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<PlainKernel>(f)); };
}

bool KernelContext::outputWanted(int k) const { return sink_->wanted(k); }
Result<Tensor*> KernelContext::allocate(int k, const Shape& shape) { return sink_->allocate(k, shape); }
Result<Tensor*> KernelContext::allocateOrForward(int k, const Shape& shape, std::initializer_list<int> candidates) {
  return sink_->forward(k, shape, candidates);
}
void KernelContext::setOutput(int k, Tensor value) { sink_->set(k, std::move(value)); }
void KernelContext::setOutputRef(int k, const std::shared_ptr<Variable>& variable) { sink_->setRef(k, variable); }
void KernelContext::setOutputDead(int k) { sink_->setDead(k); }
Result<Tensor> KernelContext::scratch(DType dtype, const Shape& shape) { return sink_->scratch(dtype, shape); }
bool KernelContext::isRefInput(int i) const { return sink_->ref(i) != nullptr; }
bool KernelContext::cancelled() const { return sink_->cancelled(); }
std::string_view KernelContext::frameName() const { return sink_->frameName(); }
int64_t KernelContext::iteration() const { return sink_->iteration(); }
std::vector<LoopPlace> KernelContext::loops() const { return sink_->loops(); }

std::vector<LoopPlace> OutputSink::loops() const { return {}; }

Result<std::shared_ptr<Variable>> KernelContext::variable(int i) {
  if (const auto* ref = sink_->ref(i)) return *ref;
  const Tensor& t = input(i);
  if (t.dtype() != DType::Resource || t.elements() < 1) {
    return invalidArgument("Input ", i, " of ", node_->name, " is ", dtypeName(t.dtype()), "; expected a variable");
  }
  const auto& handle = *static_cast<const ResourceHandle*>(t.raw());
  auto variable = std::dynamic_pointer_cast<Variable>(handle.resource);
  if (!variable) return notFound("Resource ", handle.container, "/", handle.name, "/N10tensorflow3VarE does not exist.");
  return variable;
}

Error uninitializedValue(const Variable& v) { return failedPrecondition("Attempting to use uninitialized value ", v.name); }

Result<std::vector<VariableUpdate>> KernelContext::update(std::initializer_list<int> inputs) {
  std::vector<std::shared_ptr<Variable>> variables;
  for (int i : inputs) {
    WEFT_LET(auto v, variable(i));
    variables.push_back(std::move(v));
    sink_->dropRead(i);
  }
  // All steps lock in the same order, which prevents deadlock. A variable that is passed twice is locked once.
  std::vector<Variable*> order;
  for (auto& v : variables) order.push_back(v.get());
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::vector<std::pair<Variable*, MovableLock>> locks;
  for (Variable* v : order) locks.emplace_back(v, MovableLock(v->mutex));

  std::vector<VariableUpdate> out;
  size_t k = 0;
  for (int i : inputs) {
    Variable* v = variables[k++].get();
    v->mutex.assertHeld();
    if (!v->value.hasValue()) {
      if (isRefInput(i)) return uninitializedValue(*v);
      return failedPrecondition("Error while reading resource variable ", v->name,
                                " from Container: localhost. This could mean that the variable was uninitialized. Not found: Resource localhost/", v->name,
                                "/N10tensorflow3VarE does not exist.");
    }
    const bool readsMoveAlong = isRefInput(i) && session_->activeRuns.load() <= 1 && !v->value.buffer()->isPublished();
    if (!v->value.ownsBufferAlone() && !readsMoveAlong) {
      // The old value has other readers, who keep it; the update goes to a copy. Reads of references follow between two ops.
      if (isRefInput(i)) MovedReads::moved(v->value, variables[k - 1]);
      if (v->value.place() == 0) {
        WEFT_LET(v->value, v->value.clone());
      } else {
        WEFT_LET(Tensor copy, device_->copy(v->value));
        v->value = std::move(copy);
      }
    }
    VariableUpdate u;
    u.variable_ = v;
    for (auto& [variable, lock] : locks) {
      if (variable == v && lock.owns_lock()) u.lock_ = std::move(lock);
    }
    out.push_back(std::move(u));
  }
  return out;
}

Status KernelContext::assign(Variable& variable, const Tensor& value) {
  const MutexLock lock(variable.mutex);
  Tensor& v = variable.value;
  if (variable.disproves(value.shape())) session_->disproved.fetch_add(1);
  const bool fits = v.hasValue() && v.dtype() == value.dtype() && v.place() == value.place() && v.elements() == value.elements();
  const bool ours = v.hasValue() && (v.ownsBufferAlone() || (isRefInput(0) && session_->activeRuns.load() <= 1 && v.buffer() && !v.buffer()->isPublished()));
  const auto* ref = sink_->ref(0);
  if (fits && v.raw() == value.raw()) {
    v = v.reshaped(value.shape());  // the variable's own value
    return {};
  }
  const bool inPlace = fits && ours && !v.sharesBufferWith(value);
  if (ref && ref->get() == &variable && fits && !inPlace && !v.ownsBufferAlone()) MovedReads::moved(v, *ref);
  if (inPlace) {
    if (value.place() == 0) copyElements(value, v);
    else WEFT_TRY(device_->copyInto(value, v));
    v = v.reshaped(value.shape());
  } else if (value.place() != 0) {
    WEFT_LET(v, device_->copy(value));
  } else {
    WEFT_LET(v, value.clone());
  }
  return {};
}

void KernelContext::forwardRef(int i, int k) {
  if (const auto* ref = sink_->ref(i)) sink_->setRef(k, *ref);
}

Status invokeKernel(Kernel& kernel, KernelContext& c) noexcept {
  try {
    Status s = kernel.compute(c);
    if (!s.ok()) s.error().atNode(c.node().name);
    return s;
  } catch (const std::bad_alloc&) {
    return resourceExhausted("OOM when running ", c.node().op).atNode(c.node().name);
  } catch (const std::exception& e) {
    return internalError(c.node().op, " failed: ", e.what()).atNode(c.node().name);
  } catch (...) {
    return internalError(c.node().op, " failed for an unknown reason").atNode(c.node().name);
  }
}

const KernelRecord* findKernel(const Node& node, std::string_view type) {
  if (!node.record) return nullptr;
  physicalDevices();  // device libraries register kernels when loaded; after that the lists do not change
  for (const KernelRecord& k : node.record->kernels) {
    if (k.device != type) continue;
    const bool fits = std::all_of(k.constraints.begin(), k.constraints.end(), [&](const KernelConstraint& c) {
      const Attr* a = node.attrs.find(c.attr);
      if (!a) return false;
      const auto allowed = [&](DType t) { return std::find(c.types.begin(), c.types.end(), baseType(t)) != c.types.end(); };
      if (const DType* t = a->get<DType>()) return allowed(*t);
      if (const auto* list = a->get<std::vector<DType>>()) return std::all_of(list->begin(), list->end(), allowed);
      return false;
    });
    if (fits) return &k;
  }
  return nullptr;
}

Result<std::unique_ptr<Kernel>> makeKernel(const Node& node, Device& device, SessionState& session) {
  const KernelRecord* record = findKernel(node, device.type());
  if (!record) {
    std::string registered;
    if (node.record) {
      for (const KernelRecord& k : node.record->kernels) {
        registered += "  device='" + k.device + "'";
        for (const KernelConstraint& c : k.constraints) {
          registered += "; " + c.attr + " in [";
          for (size_t i = 0; i < c.types.size(); ++i) registered += (i ? ", " : "") + dtypeEnumName(c.types[i]);
          registered += "]";
        }
        registered += "\n";
      }
    }
    std::string attrs;
    for (const auto& [name, value] : node.attrs) {
      if (name[0] != '_') attrs += (attrs.empty() ? "" : ", ") + name + "=" + value.toString();
    }
    return invalidArgument("No OpKernel was registered to support Op '", node.op, "' used by {{node ", node.name, "}} with these attrs: [", attrs,
                           "]\nRegistered devices: [", device.type(), "]\nRegistered kernels:\n",
                           registered.empty() ? "  <no registered kernels>\n" : registered)
        .atNode(node.name);
  }
  Init init(node, device, session);
  try {
    auto kernel = record->create(init);
    if (!kernel.ok()) kernel.error().atNode(node.name);
    return kernel;
  } catch (const std::exception& e) {
    return internalError(node.op, " cannot be set up: ", e.what()).atNode(node.name);
  }
}

namespace {
constexpr unsigned kFtzDaz = 0x8040;
}

FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | kFtzDaz); }
FlushDenormals::~FlushDenormals() { _mm_setcsr(saved_); }

}  // namespace weft
