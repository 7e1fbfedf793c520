#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "weft/error.h"

namespace weft {

enum class LogLevel { Debug, Info, Warning, Error };

/// Receives the engine's log messages; called from any thread, one call at a time. Default: warnings and errors go to stderr.
using LogSink = std::function<void(LogLevel, std::string_view)>;
WEFT_API void setLogSink(LogSink sink);
/// Messages below this level are dropped before they are formatted. Default: Warning.
WEFT_API void setLogLevel(LogLevel level);
WEFT_API LogLevel logLevel();
WEFT_API void logText(LogLevel level, std::string_view text);

template <typename... Parts>
void logMessage(LogLevel level, const Parts&... parts) {
  if (level >= logLevel()) logText(level, concat(parts...));
}

}  // namespace weft
