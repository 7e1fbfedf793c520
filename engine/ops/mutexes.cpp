#include <deque>

#include "kernel/async_kernel.h"
#include "ops/session_objects.h"
#include "tensor/variant.h"
#include "weft/mutex.h"

// Session mutexes, as used by tf.CriticalSection: a lock is a Variant that ops wait for, hold and release.
namespace weft {
namespace {

class MutexResource final : public SessionResource, public std::enable_shared_from_this<MutexResource> {
 public:
  static constexpr const char* kTypeName = "N10tensorflow5MutexE";
  std::string kind() const override { return "mutex"; }

  /// Passes a lock to `done`, now or when its turn comes.
  AsyncKernel::Cancel lock(AsyncKernel::Done done);
  void unlock();

 private:
  static Tensor lockOf(const std::shared_ptr<MutexResource>& mutex);

  Mutex mutex_;
  bool taken_ WEFT_GUARDED_BY(mutex_) = false;
  int64_t next_ WEFT_GUARDED_BY(mutex_) = 0;
  std::deque<std::pair<int64_t, AsyncKernel::Done>> queue_ WEFT_GUARDED_BY(mutex_);  // waiting ops, by number
};

/// Releases its mutex when consumed or destroyed.
struct Lock final : VariantObject {
  explicit Lock(std::shared_ptr<MutexResource> m) : mutex(std::move(m)) {}
  ~Lock() override { release(); }
  void release() const {
    if (!released.exchange(true)) mutex->unlock();
  }
  const std::shared_ptr<MutexResource> mutex;
  mutable std::atomic<bool> released{false};
};

Tensor MutexResource::lockOf(const std::shared_ptr<MutexResource>& mutex) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  t.mutableData<VariantValue>()->object = std::make_shared<Lock>(mutex);
  return t;
}

AsyncKernel::Cancel MutexResource::lock(AsyncKernel::Done done) {
  int64_t number = -1;
  {
    const MutexLock guard(mutex_);
    if (taken_) {
      number = next_++;
      queue_.emplace_back(number, std::move(done));
    } else {
      taken_ = true;
    }
  }
  if (number < 0) {
    done(AsyncKernel::Outputs{lockOf(shared_from_this())});
    return {};
  }
  return [self = shared_from_this(), number] {
    AsyncKernel::Done waiting;
    {
      const MutexLock guard(self->mutex_);
      for (auto it = self->queue_.begin(); it != self->queue_.end(); ++it) {
        if (it->first != number) continue;
        waiting = std::move(it->second);
        self->queue_.erase(it);
        break;
      }
    }
    if (waiting) waiting(cancelledError("Lock acquisition cancelled."));
  };
}

void MutexResource::unlock() {
  AsyncKernel::Done waiting;
  {
    const MutexLock guard(mutex_);
    if (queue_.empty()) {
      taken_ = false;
      return;
    }
    waiting = std::move(queue_.front().second);
    queue_.pop_front();
  }
  waiting(AsyncKernel::Outputs{lockOf(shared_from_this())});
}

Result<ObjectMaker<MutexResource>> prepareMutex(const Node&) {
  return ObjectMaker<MutexResource>{
      ObjectNaming::AfterNode,
      [](KernelContext&, const std::string&) -> Result<std::shared_ptr<MutexResource>> { return std::make_shared<MutexResource>(); },
      {}};
}

Result<AsyncKernel::Cancel> beginLock(KernelContext& c, const AsyncKernel::Done& done) {
  WEFT_LET(const auto mutex, objectAt<MutexResource>(c));
  return mutex->lock(done);
}

Status consume(KernelContext& c) {
  const Tensor& t = c.input(0);
  if (!t.shape().isScalar()) return invalidArgument("Expected input to be a scalar variant, but saw input with shape: ", t.shape().toString());
  const auto* lock = dynamic_cast<const Lock*>(t.data<VariantValue>()->object.get());
  if (!lock) return invalidArgument("Expected input to be a SharedLockReleaser object, but saw another variant");
  lock->release();
  return {};
}

}  // namespace

void registerMutexes(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name)
        .category("State")
        .keywords("critical section lock")
        .summary(summary)
        .stateful()
        .shape(shapes::scalar)
        .noGradient("A lock carries no value.");
  };
  add("MutexV2", "Creates a mutex, which has at most one holder at a time.")
      .output("resource: resource", "Handle of the mutex.")
      .attr("container: string = ''", "Resource container.")
      .attr("shared_name: string = ''", "Ops with the same name share the mutex; empty: the node's name.")
      .cpu({}, objectKernel<MutexResource>(prepareMutex));
  add("MutexLock", "Acquires a mutex; waits until it is free.")
      .input("mutex: resource", "Handle of the mutex.")
      .output("mutex_lock: variant", "The lock; the mutex is released when the lock is destroyed.")
      .cpu({}, asyncKernel(beginLock));
  add("ConsumeMutexLock", "Releases a mutex.").input("mutex_lock: variant", "The lock.").shape(shapes::none).cpu({}, simpleKernel(consume));
  state(ops, OpRole::Compute, Effect::Makes, "MutexV2");
  state(ops, OpRole::Compute, Effect::Object, "ConsumeMutexLock MutexLock");
}

}  // namespace weft
