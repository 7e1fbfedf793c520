#include <cstdint>
#include <string_view>

#include "weft/profile.h"
#include "weft/profile_views.h"

/// All that is asked of a trace when a profile is opened: a file may give any time, size and name, and inputs that go in circles.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto trace = weft::readTraceBytes({reinterpret_cast<const char*>(data), size}, "t");
  if (!trace.ok()) return 0;
  for (const auto view : {weft::ProfileView::Scope, weft::ProfileView::Graph, weft::ProfileView::Op, weft::ProfileView::Code}) {
    weft::ProfileOptions options;
    options.view = view;
    (void)weft::profileTable(*trace, options);
  }
  for (int step = 0; step < int(trace->steps.size()) && step < 4; ++step) (void)weft::criticalPath(*trace, step);
  (void)weft::memoryTimelines(*trace);
  (void)weft::advise(*trace);
  (void)weft::compareTraces(*trace, *trace, false);
  const std::string chrome = weft::toChromeJson(*trace), metadata = weft::toRunMetadata(*trace);
  (void)weft::readTraceBytes(chrome, "t");
  (void)weft::readTraceBytes(metadata, "t");
  return 0;
}
