#pragma once

#include <string>

#include "case.h"

namespace weft::generated {

/// The result of comparing one derivative with differences.
struct DerivativeCheck {
  bool judged = false;  ///< Whether differences say anything: the graph is smooth where it was asked, and its numbers are many enough.
  std::string wrong;    ///< Empty if they agree.
};

/// Compares the directional derivatives of a case with central differences of four step sizes in double precision. The tolerance follows from how well the four
/// agree. Tensors with a path through ops without a derivative, or with a gradient that is not the derivative, are skipped.
DerivativeCheck checkDerivatives(const Case& one);

}  // namespace weft::generated
