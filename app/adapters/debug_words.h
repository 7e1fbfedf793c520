#pragma once

#include "adapters/debug_job.h"
#include "weft/debugger.h"

namespace weft::app {

/// An autopsy as the IDE tells it.
DebugAutopsy debugAutopsy(const Autopsy& autopsy);

/// Shape and values of a tensor in a few words.
DebugOrigin debugValue(const Tensor& tensor);

}  // namespace weft::app
