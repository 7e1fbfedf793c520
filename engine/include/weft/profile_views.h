#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/profile.h"

namespace weft {

/// The four views of tfprof: by scope of names (tree), by inputs (graph), by type of op (list), by line of the program (tree).
enum class ProfileView { Scope, Graph, Op, Code };

/// What a table is ordered by; the names are tfprof's, with `self` for the time of an entry alone.
enum class ProfileOrder { Self, Total, Count, Flops, Bytes, Name, Parameters, CriticalPath };

/// As tfprof's options of the same names.
struct ProfileOptions {
  ProfileView view = ProfileView::Op;
  ProfileOrder order = ProfileOrder::Total;
  int step = -1;  ///< Position in `steps`; -1: the mean of all steps.
  int maxDepth = 100;
  double minMicros = 0, minBytes = 0, minFlops = 0;
  int64_t minParameters = 0, minOccurrence = 0;
  std::string startNames, showNames, hideNames, trimNames;  ///< Regular expressions, whole names; empty: no restriction.
};

/// Numbers of an entry. Times and counts are per step (the mean over the steps of the trace).
struct WEFT_API ProfileNumbers {
  double selfNs = 0;  ///< Of its executions, without what is nested in them.
  double spanNs = 0;  ///< Of its executions, from start to end.
  double waitNs = 0;
  double criticalNs = 0;  ///< On the critical path.
  double count = 0;       ///< Executions.
  double flops = 0, bytes = 0, outputBytes = 0;
  int64_t parameters = 0;
  int nodes = 0;  ///< Nodes of the graph.
  ProfileNumbers& operator+=(const ProfileNumbers& o);
};

/// One line of a view.
struct ProfileRow {
  std::string name;    ///< Node, scope, type of op, or "file:line function".
  std::string op;      ///< Of a node.
  std::string device;  ///< If it is one.
  int depth = 0, parent = -1;
  ProfileNumbers self, total;                         ///< Alone; with all below it.
  double p50Ns = 0, p90Ns = 0, p99Ns = 0, maxNs = 0;  ///< Of single executions of `self`.
  double gflopsPerSecond() const { return self.selfNs > 0 ? self.flops / self.selfNs : 0; }
  double gigabytesPerSecond() const { return self.selfNs > 0 ? self.bytes / self.selfNs : 0; }
  double intensity() const { return self.bytes > 0 ? self.flops / self.bytes : 0; }  ///< FLOPs per byte: the roofline's axis.
};

/// A view of a trace.
struct ProfileTable {
  ProfileView view = ProfileView::Op;
  std::vector<ProfileRow> rows;  ///< Trees: parents before children, siblings in order.
  ProfileNumbers all;            ///< Of the whole trace.
  double stepNs = 0;             ///< Mean duration of a step.
  double p50StepNs = 0, p99StepNs = 0;
  std::string note;  ///< Why it is empty, if it is.
};
/// INVALID_ARGUMENT for a regular expression that is none.
WEFT_API Result<ProfileTable> profileTable(const Trace& trace, const ProfileOptions& options = {});
/// Slices that decide how long step `step` takes: each waited for the one before it. By time.
WEFT_API std::vector<int> criticalPath(const Trace& trace, int step);

/// Memory of a device over time, from the outputs of ops and who needs them last.
struct MemoryOwner {
  std::string node, op;
  int slot = 0;
  int64_t bytes = 0, startNs = 0, endNs = 0;
};
struct MemoryTimeline {
  std::string device;
  std::vector<std::pair<int64_t, double>> points;
  int64_t peakBytes = 0, peakNs = 0;
  std::vector<MemoryOwner> atPeak;  ///< Largest first: what the peak consists of.
};
WEFT_API std::vector<MemoryTimeline> memoryTimelines(const Trace& trace);

/// Advice with its evidence. The texts have places %1 … for `words`, so that they can be translated before they are filled.
struct WEFT_API Advice {
  enum class Weight { Note, Warning } weight = Weight::Note;
  const char* title = "";
  const char* detail = "";
  std::vector<std::string> titleWords, words;
  std::vector<std::string> nodes;  ///< To look at, most costly first.
  double gainNs = 0;               ///< What a step could become shorter, as far as that can be said; 0: cannot.
  std::string titleText() const, detailText() const;
};
WEFT_API std::vector<Advice> advise(const Trace& trace);
/// Titles and details of all advice, for translation.
WEFT_API std::vector<const char*> adviceTexts();

/// An entry of two traces: `before` and `after`, self time per step of the node (or type of op).
struct ProfileChange {
  std::string name, op;
  double beforeNs = 0, afterNs = 0;
  double beforeCount = 0, afterCount = 0;
  double deltaNs() const { return afterNs - beforeNs; }
};
/// Largest change first. `byOp`: types of ops, else nodes.
WEFT_API std::vector<ProfileChange> compareTraces(const Trace& before, const Trace& after, bool byOp);

/// The most that this machine was seen to do, measured in about a tenth of a second; the roof of the roofline.
struct MachineRoof {
  double gflopsPerSecond = 0, gigabytesPerSecond = 0;
};
WEFT_API Result<MachineRoof> measureRoof();

}  // namespace weft
