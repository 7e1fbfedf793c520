#pragma once

#include "adapters/debug_job.h"
#include "weft/debugger.h"

namespace weft::app {

/// An autopsy in the IDE's terms. `tensor`: what was asked about; empty: the whole run.
DebugAutopsy debugAutopsy(const Autopsy& autopsy, const QString& tensor = {});

/// Why a debugger has no value of `tensor`, in the user's language (see no_value in weft/debug_control.h); other errors as errorText() says them.
QString whyNoValue(const Error& error, const QString& tensor);

/// A tensor's shape and values in a few words.
DebugOrigin debugValue(const Tensor& tensor);

}  // namespace weft::app
