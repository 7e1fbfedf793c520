// The slices of traces. Nothing is copied: columns are read from the trace's slices, and texts through tables of the trace's strings.
#include <algorithm>
#include <cmath>

#include "query/sources.h"
#include "weft/events.h"
#include "weft/scopes.h"
#include "weft/trace_questions.h"

namespace weft::query {
namespace {

using Codes = std::shared_ptr<std::vector<int32_t>>;

struct TraceRows {
  std::shared_ptr<const Trace> trace;
  std::vector<int32_t> counted;  // only if slices of one track differ
};

template <typename T>
Source fieldOf(const Trace& trace, T TraceSlice::*field) {
  Source s;
  s.store = sizeof(T) == 4 ? Source::Store::Int32 : Source::Store::Int64;
  s.base = reinterpret_cast<const char*>(&(trace.slices.data()->*field));
  s.stride = sizeof(TraceSlice);
  return s;
}

Source codesOf(const Trace& trace, int32_t TraceSlice::*field, Codes codes) {
  Source s = fieldOf(trace, field);
  s.codes = std::move(codes);
  return s;
}

Source microsOf(const Trace& trace, int64_t TraceSlice::*field) {
  Source s = fieldOf(trace, field);
  s.divisor = 1000;
  return s;
}

}  // namespace

void addTraceRows(Tables& tables, const std::string& name, std::shared_ptr<const Trace> given) {
  auto rows = std::make_shared<TraceRows>();
  rows->trace = std::move(given);
  const Trace& trace = *rows->trace;
  if (trace.slices.empty()) return;
  tables.traces.emplace_back(name, rows->trace);
  Table& table = tables["slices"];
  Dictionary& words = table.dictionary;
  int32_t strings = 0;
  bool differs = false;
  for (const TraceSlice& s : trace.slices) {
    strings = std::max({strings, s.name + 1, s.op + 1});
    differs = differs || s.launched >= 0;
  }
  std::vector<char> isName(size_t(strings), 0), isOp(size_t(strings), 0), hasOp(size_t(strings), 0);
  for (const TraceSlice& s : trace.slices) {
    isName[size_t(s.name)] = 1;
    isOp[size_t(s.op)] = 1;
    if (s.op) hasOp[size_t(s.name)] = 1;
  }
  const auto codes = [&](size_t n) { return std::make_shared<std::vector<int32_t>>(n, kNullCode); };
  const Codes names = codes(size_t(strings)), nodes = codes(size_t(strings)), ops = codes(size_t(strings)), scopes = codes(size_t(strings)),
              tracks = codes(trace.tracks.size()), devices = codes(trace.tracks.size()), counted = codes(trace.tracks.size()),
              steps = codes(trace.steps.size());
  auto flops = std::make_shared<std::vector<double>>(size_t(strings), NAN);
  for (int32_t i = 0; i < strings; ++i) {
    const auto at = size_t(i);
    if (isOp[at] && i) (*ops)[at] = words.code(trace.text(i));
    if (!isName[at]) continue;
    (*names)[at] = words.code(trace.text(i));
    const TraceNode* facts = trace.node(trace.text(i));
    if (!facts && !hasOp[at]) continue;
    (*nodes)[at] = (*names)[at];
    (*scopes)[at] = words.code(shownScopeOf(trace.text(i)));
    if (facts && facts->flops > 0) (*flops)[at] = facts->flops;
  }
  for (size_t i = 0; i < trace.tracks.size(); ++i) {
    (*tracks)[i] = words.code(trace.tracks[i].name);
    (*devices)[i] = words.code(trace.tracks[i].device);
    (*counted)[i] = trace.tracks[i].duplicate ? 0 : 1;
  }
  for (size_t i = 0; i < trace.steps.size(); ++i) (*steps)[i] = int32_t(std::clamp<int64_t>(trace.steps[i].number, INT32_MIN, INT32_MAX));
  Source end = microsOf(trace, &TraceSlice::startNs);
  end.plus = reinterpret_cast<const char*>(&trace.slices.data()->durationNs);
  Source work = fieldOf(trace, &TraceSlice::name);
  work.reals = flops;
  Source counts = codesOf(trace, &TraceSlice::track, counted);
  if (differs) {
    rows->counted.resize(trace.slices.size());
    std::transform(trace.slices.begin(), trace.slices.end(), rows->counted.begin(), [&](const TraceSlice& s) { return trace.counts(s) ? 1 : 0; });
    counts = Source::ofVector(rows->counted);
  }
  Segment segment;
  segment.rows = Row(trace.slices.size());
  segment.columns = {Source::ofText(words.code(name)),
                     codesOf(trace, &TraceSlice::track, tracks),
                     codesOf(trace, &TraceSlice::track, devices),
                     codesOf(trace, &TraceSlice::name, names),
                     codesOf(trace, &TraceSlice::name, nodes),
                     codesOf(trace, &TraceSlice::op, ops),
                     codesOf(trace, &TraceSlice::name, scopes),
                     codesOf(trace, &TraceSlice::step, steps),
                     microsOf(trace, &TraceSlice::startNs),
                     end,
                     microsOf(trace, &TraceSlice::durationNs),
                     microsOf(trace, &TraceSlice::selfNs),
                     microsOf(trace, &TraceSlice::waitNs),
                     fieldOf(trace, &TraceSlice::depth),
                     fieldOf(trace, &TraceSlice::bytes),
                     work,
                     counts};
  segment.owner = rows;
  table.add(std::move(segment));
}

Status addGapRows(Tables& tables, const Stop& stop) {
  WEFT_TRY(tables["slices"].load(stop));
  Table& table = tables["gaps"];
  Dictionary& words = table.dictionary;
  struct GapRows {
    std::vector<int32_t> tracks, devices, reasons, causes, befores, afters;
    std::vector<int64_t> steps, starts, durations;
  };
  for (const auto& [file, trace] : tables.traces) {
    if (stop()) return cancelledError("the query was stopped");
    auto rows = std::make_shared<GapRows>();
    const auto name = [&, t = trace.get()](int32_t slice) { return slice < 0 ? kNullCode : words.code(t->nameOf(t->slices[size_t(slice)])); };
    for (const IdleGap& g : idleGaps(*trace, 0)) {
      const TraceTrack& track = trace->tracks[size_t(g.track)];
      rows->tracks.push_back(words.code(track.name));
      rows->devices.push_back(words.code(track.device));
      rows->reasons.push_back(words.code(nameOf(g.reason)));
      rows->causes.push_back(name(g.cause));
      rows->befores.push_back(name(g.before));
      rows->afters.push_back(name(g.after));
      rows->steps.push_back(trace->steps[size_t(g.step)].number);
      rows->starts.push_back(g.startNs);
      rows->durations.push_back(g.durationNs);
    }
    Source starts = Source::ofVector(rows->starts), durations = Source::ofVector(rows->durations);
    starts.divisor = durations.divisor = 1000;
    Segment segment;
    segment.rows = Row(rows->tracks.size());
    segment.columns = {
        Source::ofText(words.code(file)), Source::ofVector(rows->tracks), Source::ofVector(rows->devices), Source::ofVector(rows->steps), starts, durations,
        Source::ofVector(rows->reasons),  Source::ofVector(rows->causes), Source::ofVector(rows->befores), Source::ofVector(rows->afters)};
    segment.owner = rows;
    table.add(std::move(segment));
  }
  return {};
}

Status addEventTraces(Tables& tables, const std::string& path) {
  WEFT_LET(const auto tags, eventRunTags(path));
  if (tags.empty()) return {};
  std::shared_ptr<LoadedGraph> graph;
  if (auto bytes = readEventGraph(path); bytes.ok()) {
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), path);
    if (loaded.ok()) graph = std::make_shared<LoadedGraph>(std::move(*loaded));
  }
  for (const std::string& tag : tags) {
    WEFT_LET(const std::string bytes, readEventRun(path, tag));
    auto trace = readTraceBytes(bytes, path);
    if (!trace.ok()) {
      tables.notes.push_back(trace.error().toString());
      continue;
    }
    if (graph) describeNodes(*trace, graph->meta.graph);
    addTraceRows(tables, path + "#" + tag, std::make_shared<const Trace>(std::move(*trace)));
  }
  return {};
}

}  // namespace weft::query
