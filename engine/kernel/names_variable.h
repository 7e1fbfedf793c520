#pragma once

#include <memory>

#include "tensor/variable.h"

namespace weft {

/// A kernel that only gives a reference to a variable known since construction. Plans cache it instead of asking in every step.
class NamesVariable {
 public:
  virtual ~NamesVariable() = default;
  virtual const std::shared_ptr<Variable>& named() const = 0;
};

}  // namespace weft
