#include "base/log.h"

#include <atomic>
#include <cstdio>

#include "weft/mutex.h"

namespace weft {
namespace {

std::atomic<LogLevel> level{LogLevel::Warning};

struct Sink {
  Mutex mutex;
  LogSink sink WEFT_GUARDED_BY(mutex);
};

Sink& theSink() {
  static Sink* const sink = new Sink;  // never destroyed: other statics may still log at exit
  return *sink;
}

}  // namespace

void setLogSink(LogSink sink) {
  Sink& s = theSink();
  const MutexLock lock(s.mutex);
  s.sink = std::move(sink);
}

void setLogLevel(LogLevel l) { level = l; }

LogLevel logLevel() { return level; }

void logText(LogLevel l, std::string_view text) {
  if (l < level) return;
  Sink& s = theSink();
  const MutexLock lock(s.mutex);
  if (s.sink) {
    s.sink(l, text);
    return;
  }
  static constexpr const char* kNames[] = {"debug", "info", "warning", "error"};
  std::fprintf(stderr, "weft: %s: %.*s\n", kNames[int(l)], int(text.size()), text.data());
}

}  // namespace weft
