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

/// A line of slices: a thread, a stream, or a synthetic lane (TensorFlow's Chrome traces).
struct TraceTrack {
  std::string device;      ///< "/device:CPU:0" as spelt in the file, or the process.
  std::string name;        ///< "thread 3"; may be empty.
  int rows = 1;            ///< Depth of nesting.
  bool duplicate = false;  ///< Repeats work of other tracks (`stream:all`): drawn but not counted.
  bool parallel = false;   ///< Of several threads: slices that overlap are not nested.
  bool transfers = false;  ///< The sends and receives of a device. Receives include the wait for the sender.
};

/// Something that took time.
struct TraceSlice {
  int64_t startNs = 0, durationNs = 0;  ///< The start is relative to the trace's beginning.
  int64_t selfNs = 0;                   ///< Without the slices nested in it.
  int64_t waitNs = 0;                   ///< From scheduling to the start; 0 if unknown.
  int64_t bytes = 0;                    ///< Bytes of its outputs.
  int32_t name = 0, op = 0;             ///< String indexes: node or event, and op type (0: unknown).
  int32_t track = 0, depth = 0, parent = -1;
  int32_t step = 0;       ///< Position in `steps`.
  int32_t launched = -1;  ///< The slice on a GPU's stream that does the work which this slice of the host only queued; -1: it did its work itself.
};

/// A number over time.
struct TraceCounter {
  std::string device, name;
  bool bytes = false;
  std::vector<std::pair<int64_t, double>> points;  ///< Sorted by time; each value holds until the next.
};

/// One step of a traced run.
struct TraceStep {
  int64_t number = 0, startNs = 0, endNs = 0;
  int64_t durationNs() const { return endNs - startNs; }
};

/// A line of the program that made a node.
struct CodeLine {
  std::string file, function, text;
  int number = 0;
};

/// Facts about a node other than its times.
struct TraceNode {
  std::vector<std::string> inputs;   ///< Node names, data inputs only.
  std::vector<CodeLine> code;        ///< Outermost call first.
  double flops = 0, movedBytes = 0;  ///< Of one execution.
  int64_t parameters = 0;            ///< Elements of a variable.
  bool constant = false;             ///< Its value is the same in every step, so it could be computed once.
  std::string dataFormat;            ///< "NHWC", "NCHW" or empty.
  std::string device;                ///< Where a server placed it, if the trace has its partition graphs.
};

/// A tensor that an execution produced.
struct TraceTensor {
  int32_t slice = 0, slot = 0;  ///< The execution that produced it, and the output index.
  int64_t bytes = 0;
  uint64_t buffer = 0;  ///< Equal numbers mean the same memory; 0: unknown.
};

/// A tensor that one task of a cluster sent to another.
struct WEFT_API TraceTransfer {
  std::string tensor;                 ///< `edge_4_w/read`; without partition graphs possibly only its node.
  std::string node;                   ///< The node that computed it, `w/read`.
  std::string from, to;               ///< Devices.
  int32_t send = -1, ask = -1;        ///< Slices of its send and receive; -1: not in the trace.
  int32_t receive = -1;               ///< The slice with which it came: `ask`, its way on the network, or the first op that used it. -1: not in the trace.
  int32_t step = 0;                   ///< Position in `steps`.
  int64_t bytes = -1;                 ///< -1: unknown.
  int64_t sentNs = kUnknownTime;      ///< The send began.
  int64_t askedNs = kUnknownTime;     ///< The receiver began to wait.
  bool latest = false;                ///< receivedNs is only the latest it can be: the first use of the tensor. The arrival was not recorded.
  int64_t receivedNs = kUnknownTime;  ///< The receiver had it.

  static constexpr int64_t kUnknownTime = INT64_MIN;
  /// From the later of send and request to the arrival; 0 if unknown.
  int64_t transitNs() const;
  /// The time that the receiver waited; 0 if unknown.
  int64_t waitNs() const;
};

/// A task of a cluster, and the correction of its clock.
struct TraceTask {
  enum class Clock {
    Reference,      ///< The others are relative to this one.
    Agrees,         ///< No transfer contradicts it.
    Moved,          ///< Transfers in both directions bound it.
    MovedAtLeast,   ///< By the least that makes all receives end after their sends began.
    Unknown,        ///< No transfer joins it to the others.
    Contradictory,  ///< No correction suits all transfers.
  };
  std::string name;  ///< `/job:worker/replica:0/task:0`
  Clock clock = Clock::Unknown;
  int64_t movedNs = 0;        ///< Has been added to all its times.
  int64_t uncertaintyNs = 0;  ///< Of Moved: the true value is within movedNs ± this.
};

/// An irregularity of a trace, and how it was handled.
struct TraceProblem {
  enum class Kind { Truncated, NegativeDuration, Overlap, Unmatched, Skipped, Clocks } kind = Kind::Skipped;
  int64_t count = 0;
  std::string message;  ///< A sentence for display.
};

/// What ran when, on which thread. Filled by the readers below, or by filling the fields and calling finish(). Immutable after that, for any thread.
class WEFT_API Trace {
 public:
  Trace();
  Trace(Trace&&) = default;
  Trace& operator=(Trace&&) = default;

  std::string title;        ///< File or run.
  int64_t startUnixUs = 0;  ///< Start time; 0: unknown.
  int64_t durationNs = 0;
  std::vector<TraceTrack> tracks;
  std::vector<TraceSlice> slices;  ///< Sorted by track, start and depth.
  std::vector<TraceCounter> counters;
  std::vector<TraceStep> steps;  ///< At least one.
  std::vector<TraceTensor> tensors;
  std::unordered_map<std::string, TraceNode> nodes;  ///< By name.
  std::vector<TraceTransfer> transfers;              ///< Between tasks, by time.
  std::vector<TraceTask> tasks;                      ///< By name; empty unless there are several.
  std::vector<TraceProblem> problems;

  const std::string& text(int32_t string) const { return strings_[size_t(string)]; }
  const std::string& nameOf(const TraceSlice& s) const { return text(s.name); }
  const std::string& opOf(const TraceSlice& s) const { return text(s.op); }
  const TraceNode* node(const std::string& name) const;
  /// Whether the slice's time is its node's: not on a track that repeats others, and no launch of work on a GPU.
  bool counts(const TraceSlice& s) const { return s.launched < 0 && !tracks[size_t(s.track)].duplicate; }

  int32_t intern(std::string_view text);
  int track(const std::string& device, const std::string& name);  ///< Finds or creates a track.
  /// Sorts and nests slices, and computes self times and the steps' ends. Times then count from the earliest slice. Call once. Negative durations
  /// become 0. Slices that overlap without nesting keep their times and get their own row. `problems` lists both. Slices of the host that queued work of a
  /// GPU's streams are joined to it.
  void finish();

 private:
  void nest();
  void joinLaunches();
  std::deque<std::string> strings_;
  std::unordered_map<std::string_view, int32_t> byText_;
  std::unordered_map<std::string, int> byTrack_;
};

/// The device that a track's work is on: `/device:GPU:0` for its streams `/device:GPU:0/stream:all` and its copies `/device:GPU:0/memcpy` too.
WEFT_API std::string_view deviceOfTrack(std::string_view device);
/// Whether an op of a trace is a copy that a session inserted between devices of one process.
WEFT_API bool isDeviceCopy(std::string_view op);
/// The task of a device, `/job:ps/replica:0/task:0`; empty if the device names no job or the one of a single process (`localhost`).
WEFT_API std::string_view clusterTaskOf(std::string_view device);

/// Joins the traces of consecutive steps of `graph` on one time axis. `first`: number of the first step.
WEFT_API Trace traceOfSteps(const std::vector<std::shared_ptr<StepTrace>>& steps, const Graph& graph, int64_t first = 1);
/// Fills in facts that a trace file lacks (inputs, FLOPs, parameters) from the graph that it was made from.
WEFT_API void describeNodes(Trace& trace, const Graph& graph);

/// Reads RunMetadata (binary or text), tfprof's ProfileProto, an XPlane of TensorFlow 2's profiler, or Chrome's trace format, plain or inside GZIP, recognised by
/// content. The readable part of a damaged file is read, and `problems` says what was lost. DATA_LOSS or INVALID_ARGUMENT if nothing can be read.
WEFT_API Result<Trace> readTrace(const std::string& path);
WEFT_API Result<Trace> readTraceBytes(std::string_view bytes, const std::string& nameForErrors);
/// Whether a file's first bytes look like something that readTrace() reads.
WEFT_API bool looksLikeTrace(std::string_view head);

/// Trace Event Format, with one process per device and real threads. Nothing is dropped.
WEFT_API std::string toChromeJson(const Trace& trace);
/// Serialised RunMetadata of one step (position in `steps`), or of all with -1. It has no counters.
WEFT_API std::string toRunMetadata(const Trace& trace, int step = -1);
/// A profile of pprof, inside GZIP: executions, memory of outputs, FLOPs and self time per node and device, over all steps. The stack is the program's lines where
/// the trace has them, else the name scopes.
WEFT_API Result<std::string> toPprof(const Trace& trace);
/// A serialised ProfileProto, as tf.profiler.Profiler.serialize_to_string() makes one.
WEFT_API std::string toTfprof(const Trace& trace);
/// A serialised OpLogProto: FLOPs and program lines of nodes, which tf.profiler reads beside a graph.
WEFT_API std::string toOpLog(const Trace& trace);
/// Writes a trace in the format that the ending of `path` names: .json (Chrome's), .pb (RunMetadata of the step of median length), .pb.gz or .pprof, .profile
/// (tfprof's), .op_log. INVALID_ARGUMENT for others.
WEFT_API Status saveTrace(const Trace& trace, const std::string& path);

}  // namespace weft
