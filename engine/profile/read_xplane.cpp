// Traces of TensorFlow 2's profiler: planes are devices, lines are tracks, events are slices.
#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

#include "profile/bounds.h"
#include "profile/read_trace.h"
#include "profile/wire_fields.h"
#include "proto/text.h"
#include "proto/xplane.pb.h"

namespace weft {
namespace {

namespace xp = ::tensorflow::profiler;

/// "dense/MatMul:MatMul" names a node and the type of its op. Other events have colons too: "Threads::Record", "Eager: add".
bool splitNodeAndOp(std::string_view text, std::string_view* node, std::string_view* op) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || colon + 1 == text.size() || text[colon - 1] == ':') return false;
  *node = text.substr(0, colon), *op = text.substr(colon + 1);
  const auto isOp = [](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '>'; };
  if (!(std::isupper(uint8_t((*op)[0])) || (*op)[0] == '_') || !std::all_of(op->begin(), op->end(), isOp)) return false;
  return std::none_of(node->begin(), node->end(), [](char c) { return uint8_t(c) <= ' ' || c == ':' || c == '#' || c == '(' || c == '='; });
}

/// Lines that the profiler computes from a device's other lines.
bool isDerived(std::string_view line) {
  static constexpr std::string_view kDerived[] = {
      "Steps", "TensorFlow Ops", "TensorFlow Name Scope", "XLA Modules", "Framework Ops", "Framework Name Scope", "Source code"};
  return std::find(std::begin(kDerived), std::end(kDerived), line) != std::end(kDerived);
}

class XSpaceReader {
 public:
  explicit XSpaceReader(Trace& trace) : trace_(trace) {}

  void add(const xp::XPlane& plane) {
    const std::string device = plane.name().empty() ? concat("plane ", plane.id()) : plane.name();
    const auto statNamed = [&](std::string_view name) {
      for (const auto& [id, stat] : plane.stat_metadata())
        if (stat.name() == name) return id;
      return int64_t(0);
    };
    const int64_t opStat = statNamed("tf_op"), stepStat = statNamed("step_num");
    const bool onlyDerived = std::all_of(plane.lines().begin(), plane.lines().end(), [](const auto& l) { return l.events().empty() || isDerived(nameOf(l)); });
    for (const xp::XLine& line : plane.lines()) {
      if (line.events().empty()) continue;
      const int track = newTrack(device, nameOf(line));
      trace_.tracks[size_t(track)].duplicate = !onlyDerived && isDerived(nameOf(line));
      for (const xp::XEvent& event : line.events()) add(plane, line, event, track, opStat, stepStat);
    }
  }

  void end(bool cut) {
    if (cut)
      trace_.problems.push_back({TraceProblem::Kind::Truncated, 1, concat("the file breaks off; the ", trace_.slices.size(), " events before that are shown")});
    if (untimed_)
      trace_.problems.push_back({TraceProblem::Kind::Skipped, untimed_, concat(untimed_, " entries only count events and have no times; they are left out")});
    if (unnamed_)
      trace_.problems.push_back({TraceProblem::Kind::Unmatched, unnamed_, concat(unnamed_, " events have no name in the file; their number is shown")});
    assignSteps();
    trace_.finish();
  }

 private:
  /// Threads may have the same name, and hosts of several files the same planes; their events must not be taken for nested ones.
  int newTrack(const std::string& device, const std::string& name) {
    const int n = ++used_[{device, name}];
    return trace_.track(device, n == 1 ? name : concat(name, " (", n, ")"));
  }

  static std::string nameOf(const xp::XLine& line) {
    return !line.display_name().empty() ? line.display_name() : !line.name().empty() ? line.name() : concat("line ", line.id());
  }

  void add(const xp::XPlane& plane, const xp::XLine& line, const xp::XEvent& event, int track, int64_t opStat, int64_t stepStat) {
    if (event.data_case() == xp::XEvent::kNumOccurrences) {
      ++untimed_;
      return;
    }
    TraceSlice s;
    s.track = track;
    // The offset counts from the line's start in picoseconds.
    s.startNs = boundedNs(boundedSum(boundedNs(line.timestamp_ns()), event.offset_ps() / 1000));
    s.durationNs = boundedNs(event.duration_ps() / 1000 + (event.duration_ps() % 1000 >= 500));
    const auto found = plane.event_metadata().find(event.metadata_id());
    std::string name, text;
    if (found != plane.event_metadata().end()) {
      // The display name of an op is only its type.
      text = found->second.name();
      name = !found->second.display_name().empty() ? found->second.display_name() : text;
    }
    if (name.empty()) {
      name = concat("event ", event.metadata_id());
      ++unnamed_;
    }
    for (const xp::XStat& stat : event.stats()) {
      if (stepStat && stat.metadata_id() == stepStat && stat.value_case() == xp::XStat::kInt64Value) {
        const auto [step, made] = steps_.try_emplace(stat.int64_value(), s.startNs);
        if (!made) step->second = std::min(step->second, s.startNs);
      }
      if (opStat && stat.metadata_id() == opStat) {
        if (const std::string_view stated = textOf(plane, stat); !stated.empty()) text = stated;
      }
    }
    std::string_view node, op;
    if (splitNodeAndOp(text, &node, &op)) {
      s.name = trace_.intern(node);
      s.op = trace_.intern(op);
    } else {
      s.name = trace_.intern(name);
    }
    trace_.slices.push_back(s);
  }

  static std::string_view textOf(const xp::XPlane& plane, const xp::XStat& stat) {
    if (stat.value_case() == xp::XStat::kStrValue) return stat.str_value();
    if (stat.value_case() != xp::XStat::kRefValue) return {};
    const auto it = plane.stat_metadata().find(int64_t(stat.ref_value()));
    return it == plane.stat_metadata().end() ? std::string_view() : std::string_view(it->second.name());
  }

  /// A step lasts from the first event that names it to that of the next one.
  void assignSteps() {
    if (steps_.size() < 2) return;
    std::vector<std::pair<int64_t, int64_t>> byStart;  // start, number
    for (const auto& [number, start] : steps_) byStart.emplace_back(start, number);
    std::sort(byStart.begin(), byStart.end());
    for (const auto& [start, number] : byStart) trace_.steps.push_back({number, 0, 0});
    for (TraceSlice& s : trace_.slices) {
      const auto next = std::upper_bound(byStart.begin(), byStart.end(), s.startNs, [](int64_t at, const auto& step) { return at < step.first; });
      s.step = int32_t(std::max<ptrdiff_t>(0, next - byStart.begin() - 1));
    }
  }

  Trace& trace_;
  std::map<std::pair<std::string, std::string>, int> used_;
  std::map<int64_t, int64_t> steps_;  ///< Number to first start.
  int64_t untimed_ = 0, unnamed_ = 0;
};

/// The complete parts of a truncated file: whole planes, and of the last one its whole lines. The names of events follow the lines, so they may be lost.
Result<Trace> readCutXSpace(std::string_view bytes, Error why) {
  Trace trace;
  XSpaceReader reader(trace);
  eachField(bytes, [&](int number, std::string_view plane, bool whole) {
    if (number != 1) return;
    xp::XPlane read;
    if (whole && plane.size() <= size_t(INT32_MAX) && read.ParseFromArray(plane.data(), int(plane.size()))) {
      reader.add(read);
      return;
    }
    read.Clear();
    eachField(plane, [&](int field, std::string_view value, bool complete) {
      if (field == 2 && complete) read.set_name(value.data(), value.size());
      xp::XLine line;
      if (field == 3 && complete && line.ParseFromArray(value.data(), int(value.size()))) *read.add_lines() = std::move(line);
    });
    reader.add(read);
  });
  if (trace.slices.empty()) return why;
  reader.end(true);
  return trace;
}

}  // namespace

Result<Trace> readXSpace(std::string_view bytes) {
  xp::XSpace space;
  if (Status s = parseWire(bytes, &space); !s.ok()) return readCutXSpace(bytes, s.error());
  Trace trace;
  XSpaceReader reader(trace);
  for (const xp::XPlane& plane : space.planes()) reader.add(plane);
  for (const auto* list : {&space.errors(), &space.warnings()})
    for (const std::string& message : *list) trace.problems.push_back({TraceProblem::Kind::Skipped, 1, concat("the profiler says: ", message)});
  reader.end(false);
  return trace;
}

}  // namespace weft
