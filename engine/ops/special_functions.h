#pragma once

#include "kernel/kernel.h"

namespace weft {

/// The shape of Betainc's result: that of those inputs that are not scalars.
WEFT_API Result<Shape> betaincShapeOf(KernelContext& c);

}  // namespace weft
