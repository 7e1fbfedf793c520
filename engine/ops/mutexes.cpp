#include <deque>

#include "kernel/async_kernel.h"
#include "ops/session_objects.h"
#include "tensor/variant.h"

// Session mutexes, as used by tf.CriticalSection: a lock is a Variant that ops wait for, hold and release.
namespace weft {
namespace {

class Mutex final : public SessionResource, public std::enable_shared_from_this<Mutex> {
 public:
  static constexpr const char* kTypeName = "N10tensorflow5MutexE";
  std::string kind() const override { return "mutex"; }

  /// Passes a lock to `done`, now or when its turn comes.
  AsyncKernel::Cancel lock(AsyncKernel::Done done);
  void unlock();

 private:
  static Tensor lockOf(const std::shared_ptr<Mutex>& mutex);

  std::mutex mutex_;
  bool taken_ = false;                                       // guarded by mutex_
  int64_t next_ = 0;                                         // guarded by mutex_
  std::deque<std::pair<int64_t, AsyncKernel::Done>> queue_;  // guarded by mutex_; waiting ops, by number
};

/// Releases its mutex when consumed or destroyed.
struct Lock final : VariantObject {
  explicit Lock(std::shared_ptr<Mutex> m) : mutex(std::move(m)) {}
  ~Lock() override { release(); }
  void release() const {
    if (!released.exchange(true)) mutex->unlock();
  }
  const std::shared_ptr<Mutex> mutex;
  mutable std::atomic<bool> released{false};
};

Tensor Mutex::lockOf(const std::shared_ptr<Mutex>& mutex) {
  Tensor t = Tensor::zeros(DType::Variant, {});
  t.mutableData<VariantValue>()->object = std::make_shared<Lock>(mutex);
  return t;
}

AsyncKernel::Cancel Mutex::lock(AsyncKernel::Done done) {
  int64_t number = -1;
  {
    const std::lock_guard guard(mutex_);
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
      const std::lock_guard guard(self->mutex_);
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

void Mutex::unlock() {
  AsyncKernel::Done waiting;
  {
    const std::lock_guard guard(mutex_);
    if (queue_.empty()) {
      taken_ = false;
      return;
    }
    waiting = std::move(queue_.front().second);
    queue_.pop_front();
  }
  waiting(AsyncKernel::Outputs{lockOf(shared_from_this())});
}

Result<ObjectMaker<Mutex>> prepareMutex(const Node&) {
  return ObjectMaker<Mutex>{
      ObjectNaming::AfterNode, [](KernelContext&, const std::string&) -> Result<std::shared_ptr<Mutex>> { return std::make_shared<Mutex>(); }, {}};
}

Result<AsyncKernel::Cancel> beginLock(KernelContext& c, const AsyncKernel::Done& done) {
  WEFT_LET(const auto mutex, objectAt<Mutex>(c));
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
        .noGradient("A lock has no value.");
  };
  add("MutexV2", "A mutex, which one at a time can hold.")
      .output("resource: resource", "Handle of the mutex.")
      .attr("container: string = ''", "Where it is kept.")
      .attr("shared_name: string = ''", "Ops with the same name share a mutex; empty: the node's name.")
      .cpu({}, objectKernel<Mutex>(prepareMutex));
  add("MutexLock", "Waits for a mutex and takes it.")
      .input("mutex: resource", "Handle of the mutex.")
      .output("mutex_lock: variant", "The lock; the mutex is free again when it is gone.")
      .cpu({}, asyncKernel(beginLock));
  add("ConsumeMutexLock", "Lets go of a mutex.").input("mutex_lock: variant", "The lock.").shape(shapes::none).cpu({}, simpleKernel(consume));
  state(ops, OpRole::Compute, Effect::Makes, "MutexV2");
  state(ops, OpRole::Compute, Effect::Object, "ConsumeMutexLock MutexLock");
}

}  // namespace weft
