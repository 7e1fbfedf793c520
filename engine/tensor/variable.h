#pragma once

#include <memory>
#include <mutex>
#include <string>

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
  std::mutex mutex;
  Tensor value;  ///< Guarded by mutex. No value: not initialised.
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();  ///< As declared by the node that created the variable.
  bool disproved =
      false;  ///< Guarded by mutex. The variable once got a value that does not fit `shape`, which TensorFlow allows; from then on `shape` is ignored.
  std::string name;

  /// Records that a value contradicts `shape`; returns whether it is the first such value. REQUIRES: `mutex` is held.
  bool disproves(const Shape& ofValue) { return !disproved && !shape.compatibleWith(ofValue) && (disproved = true); }
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
