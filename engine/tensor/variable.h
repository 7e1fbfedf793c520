#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "weft/tensor.h"

namespace weft {

/// Anything that lives in a session's resource manager beyond one step: variables, tables, queues.
class SessionResource {
 public:
  virtual ~SessionResource() = default;
  virtual std::string kind() const = 0;
};

/// The value of a variable: one buffer, replaced or updated in place under `mutex`; KernelContext::update says when which.
class Variable final : public SessionResource {
 public:
  std::string kind() const override { return "variable"; }
  std::mutex mutex;
  Tensor value;  ///< Guarded by mutex. No value: not initialised.
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();  ///< As the node states it that made the variable.
  bool disproved =
      false;  ///< Guarded by mutex. Whether it was ever given a value that does not fit `shape`: TensorFlow lets it, and nobody believes `shape` then.
  std::string name;

  /// Notes under the mutex what a value says of `shape`; whether that is news.
  bool disproves(const Shape& ofValue) { return !disproved && !shape.compatibleWith(ofValue) && (disproved = true); }
};

/// Element of a Resource tensor.
struct ResourceHandle {
  std::string container, name, device;
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();
  std::shared_ptr<SessionResource> resource;  ///< Set by the op that made the handle; the object it names.
};

template <>
struct DTypeOf<ResourceHandle> {
  static constexpr DType value = DType::Resource;
};

}  // namespace weft
