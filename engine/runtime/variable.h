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
  Tensor value;               ///< Guarded by mutex. No value: not initialised.
  DType dtype = DType::Invalid;
  Shape shape = Shape::unknown();
  std::string name;
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
