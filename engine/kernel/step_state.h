#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

#include "tensor/variable.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/mutex.h"

namespace weft {

/// What lives as long as one Session::run: tensor arrays, stacks, and whatever else ops name for the step.
///
/// Ops reach an object through the ResourceHandle that its maker handed out (which owns a share of it); the names exist so that a second op can
/// find or refuse one ("gradients" of a tensor array). All methods are safe to call from several threads.
class WEFT_API StepState {
 public:
  explicit StepState(int64_t id = 0) : id_(id) {}
  StepState(const StepState&) = delete;
  StepState& operator=(const StepState&) = delete;

  /// Number of this run; unique in the process if the session numbers its runs so.
  int64_t id() const { return id_; }

  /// A number that no other call in this step got: suffix of names of tensor arrays and stacks.
  int64_t nextNumber() {
    const MutexLock lock(mutex_);
    return next_++;
  }

  /// ALREADY_EXISTS if a T of this name is there.
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

  /// The T of this name; if there is none, the one that `make` (() -> Result<std::shared_ptr<T>>) gives. `make` is called under the lock.
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

  /// Forgets the T of this name, if there is one.
  template <typename T>
  void erase(const std::string& name) {
    std::shared_ptr<SessionResource> dying;
    const MutexLock lock(mutex_);
    if (const auto it = objects_.find(Key(typeid(T), name)); it != objects_.end()) {
      dying = std::move(it->second);
      objects_.erase(it);
    }
  }

  /// Forgets every object; the step has ended.
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
};

}  // namespace weft
