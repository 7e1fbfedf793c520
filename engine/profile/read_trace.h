#pragma once

#include <string>
#include <string_view>

#include "weft/profile.h"

namespace weft {

/// A trace in Chrome's format: an object with `traceEvents`, or the bare list; the list may lack its end.
Result<Trace> readChromeTrace(std::string_view json);
/// Serialized RunMetadata; of a truncated one, the complete parts.
Result<Trace> readRunMetadata(std::string_view bytes);
/// RunMetadata as text.
Result<Trace> readRunMetadataText(std::string_view text);
/// tfprof's ProfileProto, over several steps and with lines of code.
Result<Trace> readTfprof(std::string_view bytes);
/// A trace of TensorFlow 2's profiler (XSpace); of a truncated one, the complete parts.
Result<Trace> readXSpace(std::string_view bytes);

/// Marks tracks that only repeat others; call before finish(). These are a GPU as a whole beside its streams, and the host tracer's `/host:CPU`, which lists
/// the devices' ops once more as `node:Op`. Slices of the latter get the node's name and op.
void markRepeats(Trace& trace);

}  // namespace weft
