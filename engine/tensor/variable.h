#pragma once

#include <memory>
#include <string>

#include "weft/mutex.h"
#include "weft/tensor.h"

namespace weft {

/// Any object in a session's resource manager that outlives a step: variables, tables, queues.
class SessionResource {
 public:
  virtual ~SessionResource() = default;
  virtual std::string kind() const = 0;
};

/// The value of a variable: one buffer, replaced or updated in place under `mutex`. KernelContext::update says which of the two and when.
class Variable final : public SessionResource {
 public:
  std::string kind() const override { return "variable"; }
  Mutex mutex;
  Tensor value WEFT_GUARDED_BY(mutex);  ///< No value: not initialised.
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();  ///< As the node states it that made the variable.
  /// Whether it was ever given a value that does not fit `shape`: TensorFlow lets it, and nobody believes `shape` then.
  bool disproved WEFT_GUARDED_BY(mutex) = false;
  std::string name;

  bool isInitialized() WEFT_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    return value.hasValue();
  }
  void set(Tensor v) WEFT_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    value = std::move(v);
  }
  /// Notes what a value says of `shape`; whether that is news.
  bool disproves(const Shape& ofValue) WEFT_REQUIRES(mutex) { return !disproved && !shape.compatibleWith(ofValue) && (disproved = true); }
};

/// Element of a Resource tensor.
struct ResourceHandle {
  std::string container, name, device;
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();
  std::shared_ptr<SessionResource> resource;  ///< The object it names; set by the op that made the handle.
};

template <>
struct DTypeOf<ResourceHandle> {
  static constexpr DType value = DType::Resource;
};

}  // namespace weft
