#pragma once

#include <string>

#include "case.h"

namespace weft::generated {

/// What became of one comparison of a derivative with differences.
struct DerivativeCheck {
  bool judged = false;  ///< Whether differences say anything: the graph is smooth where it was asked, and its numbers are many enough.
  std::string wrong;    ///< Empty if they agree.
};

/// Compares the derivatives that a case states, each along one direction, with central differences of four steps, in double precision. How far they may lie apart follows
/// from how well the four agree. Nothing is said of tensors from which a way leads through ops without a derivative, or with another one than the function's own.
DerivativeCheck checkDerivatives(const Case& one);

}  // namespace weft::generated
