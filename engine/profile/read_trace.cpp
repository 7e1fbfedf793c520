#include "profile/read_trace.h"

#include <algorithm>
#include <unordered_set>

#include "graph/wire.h"
#include "proto/recordings.h"
#include "weft/file_system.h"
#include "weft/records.h"

namespace weft {
namespace {

/// Limit of compressed traces: a few megabytes can expand to gigabytes of zeros.
constexpr uint64_t kMostInflated = uint64_t(512) << 20;

enum class Form { Json, Text, RunMetadata, Profile, XSpace, Pprof, Unknown };

/// The content of a length-delimited field 1 at the beginning, as far as it is present.
std::string_view firstMessage(std::string_view bytes) {
  if (!bytes.starts_with('\x0A')) return {};
  size_t at = 1;
  while (at < bytes.size() && at < 11 && (bytes[at] & 0x80)) ++at;
  return bytes.substr(std::min(at + 1, bytes.size()));
}

/// Distinguished by the first fields: RunMetadata has nested messages (StepStats, devices) that begin with a device name; a ProfileProto has map entries whose
/// key is a number. A GraphDef has a node name where RunMetadata has the third-level message.
Form formOf(std::string_view bytes) {
  size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) ++at;
  const std::string_view rest = bytes.substr(at);
  if (rest.starts_with('{') || rest.starts_with('[')) return Form::Json;
  if (rest.starts_with("step_stats") || rest.starts_with("cost_graph") || rest.starts_with("partition_graphs")) return Form::Text;
  if (beginsXSpace(bytes)) return Form::XSpace;
  if (beginsPprof(bytes)) return Form::Pprof;
  const std::string_view inside = firstMessage(bytes);
  if (inside.starts_with('\x08')) return Form::Profile;
  const std::string_view device = firstMessage(inside);
  return device.starts_with('\x0A') || device.starts_with('\x12') ? Form::RunMetadata : Form::Unknown;
}

void markStreams(Trace& trace) {
  for (TraceTrack& t : trace.tracks) {
    const size_t all = t.device.find("/stream:all");
    if (all == std::string::npos) continue;
    const std::string streams = t.device.substr(0, all) + "/stream:";
    t.duplicate = std::any_of(trace.tracks.begin(), trace.tracks.end(),
                              [&](const TraceTrack& o) { return o.device.starts_with(streams) && !o.device.ends_with("/stream:all"); });
  }
}

/// TensorFlow 1.15 and later trace each CPU op twice at FULL_TRACE: as an op of its device and as an annotation of the host's thread.
void markHostTracks(Trace& trace) {
  const auto host = [&](int32_t track) { return trace.tracks[size_t(track)].device.ends_with("/host:CPU"); };
  if (std::none_of(trace.tracks.begin(), trace.tracks.end(), [](const TraceTrack& t) { return t.device.ends_with("/host:CPU"); })) return;
  std::unordered_set<std::string_view> elsewhere;
  for (const TraceSlice& s : trace.slices) {
    if (!host(s.track)) elsewhere.insert(trace.nameOf(s));
  }
  std::vector<int64_t> known(trace.tracks.size()), all(trace.tracks.size());
  for (TraceSlice& s : trace.slices) {
    if (!host(s.track)) continue;
    ++all[size_t(s.track)];
    const std::string_view name = trace.nameOf(s);
    const size_t colon = name.rfind(':');
    const bool plain = elsewhere.contains(name);                                 // as Weft writes them
    const bool transfer = name.ends_with(":_Send") || name.ends_with(":_Recv");  // which devices of a cluster leave out
    if (!plain && !transfer && (colon == name.npos || !elsewhere.contains(name.substr(0, colon)))) continue;
    ++known[size_t(s.track)];
    if (plain) continue;
    s.op = trace.intern(name.substr(colon + 1));
    s.name = trace.intern(name.substr(0, colon));
  }
  for (size_t t = 0; t < trace.tracks.size(); ++t) {
    if (known[t] > 0 && known[t] * 2 >= all[t]) trace.tracks[t].duplicate = true;
  }
}

}  // namespace

void markRepeats(Trace& trace) {
  markStreams(trace);
  markHostTracks(trace);
}

bool looksLikeTrace(std::string_view head) {
  std::string inflated;
  if (head.starts_with("\x1f\x8b")) {
    inflated.resize(4096);
    const auto got = ByteStream::over(head, Compression::Gzip)->read(inflated.data(), inflated.size());
    inflated.resize(got.ok() ? *got : 0);
    head = inflated;
  }
  const Form form = formOf(head);
  if (form == Form::Json) return head.find("traceEvents") != head.npos || (head.find("\"ph\"") != head.npos && head.find("\"ts\"") != head.npos);
  return inflated.empty() && form != Form::Unknown && form != Form::Pprof;
}

Result<Trace> readTraceBytes(std::string_view bytes, const std::string& nameForErrors) {
  std::string inflated;
  if (bytes.starts_with("\x1f\x8b")) {
    auto content = ByteStream::over(bytes, Compression::Gzip)->readAll(kMostInflated);
    if (!content.ok()) return content.error().inFile(nameForErrors);
    inflated = std::move(*content);
    bytes = inflated;
  }
  // Of messages inside GZIP, a few bytes could become gigabytes; no program writes recordings so.
  const Form form = formOf(bytes);
  const bool compressed = !inflated.empty();
  Result<Trace> trace = [&]() -> Result<Trace> {
    switch (compressed && form != Form::Json && form != Form::Pprof ? Form::Unknown : form) {
      case Form::Json: return readChromeTrace(bytes);
      case Form::Text: return readRunMetadataText(bytes);
      case Form::RunMetadata: return readRunMetadata(bytes);
      case Form::Profile: return readTfprof(bytes);
      case Form::XSpace: return readXSpace(bytes);
      case Form::Pprof:
        return invalidArgument("a profile of pprof has totals, but not when anything ran; weft inspect shows what it holds").ofKind("unsupported");
      case Form::Unknown: break;
    }
    return invalidArgument(bytes.empty() ? "the file is empty; expected RunMetadata, a profile of tfprof, an XPlane or a trace in Chrome's format"
                                         : "this is neither RunMetadata, nor a profile of tfprof, nor an XPlane, nor a trace in Chrome's format")
        .ofKind("unrecognized");
  }();
  if (!trace.ok()) {
    trace.error().inFile(nameForErrors);
    return trace;
  }
  const size_t slash = nameForErrors.rfind('/');
  trace->title = slash == std::string::npos ? nameForErrors : nameForErrors.substr(slash + 1);
  return trace;
}

Result<Trace> readTrace(const std::string& path) {
  auto bytes = posixFileSystem().readAll(path, uint64_t(4) << 30);
  if (!bytes.ok()) {
    if (bytes.error().code == Code::NotFound) bytes.error().ofKind("not_found");
    return bytes.error().inFile(path);
  }
  return readTraceBytes(*bytes, path);
}

}  // namespace weft
