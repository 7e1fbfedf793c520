#pragma once

#include <functional>

#include "case.h"

namespace weft::generated {

/// Makes a case smaller as long as `fails` holds of it: fewer steps, fewer fetches, values fed in place of what computes them (delta debugging
/// over tensors), fewer control edges, simpler numbers. `fails` is called some hundred times at most.
Case shrink(const Case& one, const std::function<bool(const Case&)>& fails);

}  // namespace weft::generated
