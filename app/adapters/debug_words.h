#pragma once

#include "adapters/debug_job.h"
#include "weft/debugger.h"

namespace weft::app {

/// An autopsy as the IDE tells it.
DebugAutopsy debugAutopsy(const Autopsy& autopsy);

/// Why a value cannot be read, in the language of the user; what the engine said if it is nothing that is told here.
QString whyNoValue(const QString& said);

/// Shape and values of a tensor in a few words.
DebugOrigin debugValue(const Tensor& tensor);

}  // namespace weft::app
