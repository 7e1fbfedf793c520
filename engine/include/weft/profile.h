#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/error.h"
#include "weft/graph.h"

namespace weft {

struct StepTrace;

/// A line of slices: a thread, a stream or a lane that somebody invented (Chrome traces of TensorFlow).
struct TraceTrack {
  std::string device;      ///< "/device:CPU:0" as the file spells it, or the process.
  std::string name;        ///< "thread 3"; may be empty.
  int rows = 1;            ///< Depth of nesting.
  bool duplicate = false;  ///< Shows work that other tracks show as well (`stream:all`): drawn, not counted.
};

/// Something that took time.
struct TraceSlice {
  int64_t startNs = 0, durationNs = 0;  ///< Start counts from the trace's beginning.
  int64_t selfNs = 0;                   ///< Without the slices nested in it.
  int64_t waitNs = 0;                   ///< From being scheduled to the start; 0 if the trace does not say.
  int64_t bytes = 0;                    ///< Of its outputs.
  int32_t name = 0, op = 0;             ///< Strings of the trace: node or event, and type of op (0: not known).
  int32_t track = 0, depth = 0, parent = -1;
  int32_t step = 0;  ///< Position in `steps`.
};

/// A number over time.
struct TraceCounter {
  std::string device, name;
  bool bytes = false;
  std::vector<std::pair<int64_t, double>> points;  ///< By time; each holds until the next.
};

/// One step of a traced run.
struct TraceStep {
  int64_t number = 0, startNs = 0, endNs = 0;
};

/// A line of the program that made a node.
struct CodeLine {
  std::string file, function, text;
  int number = 0;
};

/// What is known of a node beside its times.
struct TraceNode {
  std::vector<std::string> inputs;   ///< Names of nodes, data inputs only.
  std::vector<CodeLine> code;        ///< Outermost call first.
  double flops = 0, movedBytes = 0;  ///< Of one execution.
  int64_t parameters = 0;            ///< Elements of a variable.
  bool constant = false;             ///< Its value is the same in each step: it could be computed once.
  std::string dataFormat;            ///< "NHWC", "NCHW" or empty.
};

/// A tensor that an execution made.
struct TraceTensor {
  int32_t slice = 0, slot = 0;  ///< Which execution made it, as which output.
  int64_t bytes = 0;
  uint64_t buffer = 0;  ///< Same number = same memory; 0: not known.
};

/// Something about a trace that was not in order, and what was done about it.
struct TraceProblem {
  enum class Kind { Truncated, NegativeDuration, Overlap, Unmatched, Skipped } kind = Kind::Skipped;
  int64_t count = 0;
  std::string message;  ///< A sentence for people.
};

/// What ran when, on which thread. Filled by the readers below or by hand (add…, then finish()); immutable after that, any thread.
class WEFT_API Trace {
 public:
  Trace();
  Trace(Trace&&) = default;
  Trace& operator=(Trace&&) = default;

  std::string title;        ///< File or run.
  int64_t startUnixUs = 0;  ///< When it began; 0: not known.
  int64_t durationNs = 0;
  std::vector<TraceTrack> tracks;
  std::vector<TraceSlice> slices;  ///< By track, start and depth.
  std::vector<TraceCounter> counters;
  std::vector<TraceStep> steps;  ///< At least one.
  std::vector<TraceTensor> tensors;
  std::unordered_map<std::string, TraceNode> nodes;  ///< By name.
  std::vector<TraceProblem> problems;

  const std::string& text(int32_t string) const { return strings_[size_t(string)]; }
  const std::string& nameOf(const TraceSlice& s) const { return text(s.name); }
  const std::string& opOf(const TraceSlice& s) const { return text(s.op); }
  const TraceNode* node(const std::string& name) const;

  int32_t intern(std::string_view text);
  int track(const std::string& device, const std::string& name);  ///< Found or made.
  /// Sorts, nests, finds self times and the steps' ends; times count from the earliest slice afterwards. Call once. Negative durations
  /// become 0, slices that overlap without nesting keep their times and get a row of their own: both are listed in `problems`.
  void finish();

 private:
  void nest();
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, int32_t> byText_;
  std::unordered_map<std::string, int> byTrack_;
};

/// Traces of steps of a run of `graph`, in order, one after another on one time axis. `first`: number of the first step.
WEFT_API Trace traceOfSteps(const std::vector<std::shared_ptr<StepTrace>>& steps, const Graph& graph, int64_t first = 1);
/// Completes what a file does not say of its nodes (inputs, FLOPs, parameters) from the graph that it was made of.
WEFT_API void describeNodes(Trace& trace, const Graph& graph);

/// Reads RunMetadata (binary or text), a ProfileProto of tfprof, or a trace in Chrome's format; which one is found from the content. What can
/// be read of a damaged file is read, and `problems` says what was lost. DATA_LOSS or INVALID_ARGUMENT if nothing can be read.
WEFT_API Result<Trace> readTrace(const std::string& path);
WEFT_API Result<Trace> readTraceBytes(std::string_view bytes, const std::string& nameForErrors);
/// Whether a file looks like something that readTrace() reads, from its first bytes.
WEFT_API bool looksLikeTrace(std::string_view head);

/// Trace Event Format: one process for each device, real threads, nothing dropped.
WEFT_API std::string toChromeJson(const Trace& trace);
/// Serialised RunMetadata of one step (position in `steps`), or of all with -1. Counters have no place in it.
WEFT_API std::string toRunMetadata(const Trace& trace, int step = -1);

}  // namespace weft
