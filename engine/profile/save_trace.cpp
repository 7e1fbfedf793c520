#include <algorithm>

#include "weft/file_system.h"
#include "weft/profile.h"

namespace weft {
namespace {

/// The step of median length. RunMetadata describes one run; several steps in it would look like one that does everything several times.
int medianStep(const Trace& trace) {
  std::vector<std::pair<int64_t, int>> lengths;
  for (size_t i = 0; i < trace.steps.size(); ++i) lengths.emplace_back(trace.steps[i].endNs - trace.steps[i].startNs, int(i));
  std::sort(lengths.begin(), lengths.end());
  return lengths.empty() ? -1 : lengths[(lengths.size() - 1) / 2].second;
}

}  // namespace

Status saveTrace(const Trace& trace, const std::string& path) {
  std::string lower = path;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  const auto ends = [&](std::string_view ending) { return lower.ends_with(ending); };
  std::string bytes;
  if (ends(".json")) {
    bytes = toChromeJson(trace);
  } else if (ends(".pb.gz") || ends(".pprof")) {
    auto profile = toPprof(trace);
    if (!profile.ok()) return Error(profile.error()).inFile(path);
    bytes = std::move(*profile);
  } else if (ends(".profile")) {
    bytes = toTfprof(trace);
  } else if (ends(".op_log")) {
    bytes = toOpLog(trace);
    if (bytes.empty())
      return Error(failedPrecondition("the trace knows neither FLOPs nor program lines of its nodes, so the op log would be empty; give the graph with it"))
          .inFile(path);
  } else if (ends(".pb") && !ends(".xplane.pb")) {
    bytes = toRunMetadata(trace, medianStep(trace));
  } else {
    return Error(invalidArgument("traces are written as .json, .pb, .pb.gz, .pprof, .profile or .op_log, not with another ending")).inFile(path);
  }
  const Status written = posixFileSystem().writeAtomically(path, bytes);
  return written.ok() ? written : Status(Error(written.error()).inFile(path));
}

}  // namespace weft
