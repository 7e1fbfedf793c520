#pragma once

#include <memory>

#include "tensor/variable.h"

namespace weft {

/// A kernel that only outputs a reference to a variable known at construction. Plans cache the variable instead of asking in every step.
class NamesVariable {
 public:
  virtual ~NamesVariable() = default;
  virtual const std::shared_ptr<Variable>& named() const = 0;
};

}  // namespace weft
