#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

#include "kernel/rendezvous.h"
#include "tensor/variable.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/mutex.h"

namespace weft {

/// State that lives as long as one Session::run: tensor arrays, stacks, and other objects that ops create for the step.
/// Ops reach an object through the ResourceHandle returned by its creator, which shares ownership. The names exist so that a second op can find or reject one
/// ("gradients" of a tensor array). Thread-safe.
class WEFT_API StepState {
 public:
  explicit StepState(int64_t id = 0) : id_(id) {}
  StepState(const StepState&) = delete;
  StepState& operator=(const StepState&) = delete;

  /// Number of this run; unique in the process if the session assigns unique numbers.
  int64_t id() const { return id_; }

  /// Where the step's `_Send` and `_Recv` meet; null if the step is not one of several tasks. Set before the step runs.
  Rendezvous* rendezvous() const { return rendezvous_.get(); }
  FrameIds frameIds() const { return frameIds_; }
  void meetAt(std::shared_ptr<Rendezvous> rendezvous, FrameIds ids) {
    rendezvous_ = std::move(rendezvous);
    frameIds_ = ids;
  }

  /// A number unique in this step, used as suffix of the names of tensor arrays and stacks.
  int64_t nextNumber() {
    const MutexLock lock(mutex_);
    return next_++;
  }

  /// ALREADY_EXISTS if there is a T of this name.
  template <typename T>
  Status create(const std::string& name, std::shared_ptr<T> object) {
    const MutexLock lock(mutex_);
    if (!objects_.try_emplace(Key(typeid(T), name), std::move(object)).second)
      return alreadyExists("Resource ", name, " of kind ", typeid(T).name(), " exists already in this step");
    return {};
  }

  /// The T of this name, or null.
  template <typename T>
  std::shared_ptr<T> find(const std::string& name) const {
    const MutexLock lock(mutex_);
    const auto it = objects_.find(Key(typeid(T), name));
    return it == objects_.end() ? nullptr : std::static_pointer_cast<T>(it->second);
  }

  /// The T of this name, created by `make` (() -> Result<std::shared_ptr<T>>) if there is none. `make` is called under the lock.
  template <typename T, typename Make>
  Result<std::shared_ptr<T>> findOrCreate(const std::string& name, Make&& make) {
    const MutexLock lock(mutex_);
    auto& slot = objects_[Key(typeid(T), name)];
    if (!slot) {
      Result<std::shared_ptr<T>> made = make();
      if (!made.ok()) {
        objects_.erase(Key(typeid(T), name));
        return made.error();
      }
      slot = std::move(made).value();
    }
    return std::static_pointer_cast<T>(slot);
  }

  /// Removes the T of this name, if there is one.
  template <typename T>
  void erase(const std::string& name) {
    std::shared_ptr<SessionResource> dying;
    const MutexLock lock(mutex_);
    if (const auto it = objects_.find(Key(typeid(T), name)); it != objects_.end()) {
      dying = std::move(it->second);
      objects_.erase(it);
    }
  }

  /// Removes every object at the end of the step.
  void clear() {
    std::map<Key, std::shared_ptr<SessionResource>> dying;
    const MutexLock lock(mutex_);
    dying.swap(objects_);
    next_ = 0;
  }

 private:
  using Key = std::pair<std::type_index, std::string>;
  const int64_t id_;
  mutable Mutex mutex_;
  int64_t next_ WEFT_GUARDED_BY(mutex_) = 0;
  std::map<Key, std::shared_ptr<SessionResource>> objects_ WEFT_GUARDED_BY(mutex_);
  std::shared_ptr<Rendezvous> rendezvous_;
  FrameIds frameIds_ = FrameIds::OfNames;
};

}  // namespace weft
