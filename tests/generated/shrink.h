#pragma once

#include <functional>

#include "case.h"

namespace weft::generated {

/// Shrinks a case while `fails` holds: fewer steps, fewer fetches, computed values replaced by feeds (delta debugging over tensors), fewer control edges,
/// simpler numbers. `fails` is called some hundred times at most.
Case shrink(const Case& one, const std::function<bool(const Case&)>& fails);

}  // namespace weft::generated
