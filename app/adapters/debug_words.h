#pragma once

#include "adapters/debug_job.h"
#include "weft/debugger.h"

namespace weft::app {

/// An autopsy in the IDE's terms.
DebugAutopsy debugAutopsy(const Autopsy& autopsy);

/// Why a value cannot be read, in the user's language; an unknown message of the engine is returned unchanged.
QString whyNoValue(const QString& said);

/// A tensor's shape and values in a few words.
DebugOrigin debugValue(const Tensor& tensor);

}  // namespace weft::app
