#pragma once

#include <string>

#include "case.h"

namespace weft::generated {

/// The result of comparing one derivative with differences.
struct DerivativeCheck {
  bool judged = false;  ///< Whether differences gave a verdict: the graph is smooth at the point, and precise enough.
  std::string wrong;    ///< Empty if they agree.
};

/// Compares the derivatives of a case, each along one direction, with central differences of four steps, in double precision. The tolerance follows
/// from how well the four agree. Gives no verdict for tensors with a path through ops without a derivative, or whose gradient is not the derivative.
DerivativeCheck checkDerivatives(const Case& one);

}  // namespace weft::generated
