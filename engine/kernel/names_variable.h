#pragma once

#include <memory>

#include "tensor/variable.h"

namespace weft {

/// A kernel that does nothing but give a reference to a variable that it has known since it was made: plans remember it instead of asking
/// again in every step.
class NamesVariable {
 public:
  virtual ~NamesVariable() = default;
  virtual const std::shared_ptr<Variable>& named() const = 0;
};

}  // namespace weft
