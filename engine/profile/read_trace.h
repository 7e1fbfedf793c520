#pragma once

#include <string>
#include <string_view>

#include "weft/profile.h"

namespace weft {

/// A trace in Chrome's format: an object with `traceEvents`, or the bare list; the list may lack its end.
Result<Trace> readChromeTrace(std::string_view json);
/// Serialised RunMetadata; what is whole of a truncated one.
Result<Trace> readRunMetadata(std::string_view bytes);
/// RunMetadata as text.
Result<Trace> readRunMetadataText(std::string_view text);
/// tfprof's ProfileProto, over several steps and with lines of code.
Result<Trace> readTfprof(std::string_view bytes);

}  // namespace weft
