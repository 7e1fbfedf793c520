#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/precision.h"
#include "weft/profile.h"

namespace weft {

/// tfprof's four views: by name scope (tree), by inputs (graph), by op type (list), by program line (tree).
enum class ProfileView { Scope, Graph, Op, Code };

/// A table's sort key. Names are tfprof's; `Self` is the time of an entry alone.
enum class ProfileOrder { Self, Total, Count, Flops, Bytes, Name, Parameters, CriticalPath };

/// tfprof's options of the same names.
struct ProfileOptions {
  ProfileView view = ProfileView::Op;
  ProfileOrder order = ProfileOrder::Total;
  int step = -1;  ///< Position in `steps`; -1: the mean of all steps.
  int maxDepth = 100;
  double minMicros = 0, minBytes = 0, minFlops = 0;
  int64_t minParameters = 0, minOccurrence = 0;
  std::string startNames, showNames, hideNames, trimNames;  ///< Regular expressions, whole names; empty: no restriction.
};

/// Numbers of an entry. Times and counts are per step (mean over the trace's steps).
struct WEFT_API ProfileNumbers {
  double selfNs = 0;  ///< Time of its executions, without nested ones.
  double spanNs = 0;  ///< Time of its executions, from start to end.
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
  std::string name;    ///< Node, scope, op type, or "file:line function".
  std::string op;      ///< Of a node.
  std::string device;  ///< Device of its first node.
  int depth = 0, parent = -1;
  ProfileNumbers self, total;                         ///< Alone; including all entries below.
  double p50Ns = 0, p90Ns = 0, p99Ns = 0, maxNs = 0;  ///< Of single executions of `self`.
  double gflopsPerSecond() const { return self.selfNs > 0 ? self.flops / self.selfNs : 0; }
  double gigabytesPerSecond() const { return self.selfNs > 0 ? self.bytes / self.selfNs : 0; }
  double intensity() const { return self.bytes > 0 ? self.flops / self.bytes : 0; }  ///< FLOPs per byte, the roofline's x axis.
};

/// A view of a trace.
struct ProfileTable {
  ProfileView view = ProfileView::Op;
  std::vector<ProfileRow> rows;  ///< Trees: parents before children, siblings in order.
  ProfileNumbers all;            ///< Of the whole trace.
  double stepNs = 0;             ///< Mean duration of a step.
  double p50StepNs = 0, p99StepNs = 0;
  std::string note;  ///< Why the table is empty, if it is.
};
/// Computes a view. INVALID_ARGUMENT for an invalid regular expression.
WEFT_API Result<ProfileTable> profileTable(const Trace& trace, const ProfileOptions& options = {});
/// The slices that determine the duration of step `step`, in time order. Each waited for the one before it.
WEFT_API std::vector<int> criticalPath(const Trace& trace, int step);

/// A tensor in a device's memory, from its production to its last use.
struct MemoryOwner {
  std::string node, op;
  int slot = 0;
  int64_t bytes = 0, startNs = 0, endNs = 0;
};
struct MemoryTimeline {
  std::string device;
  std::vector<std::pair<int64_t, double>> points;
  int64_t peakBytes = 0, peakNs = 0;
  std::vector<MemoryOwner> atPeak;  ///< The tensors at the peak, largest first.
};
WEFT_API std::vector<MemoryTimeline> memoryTimelines(const Trace& trace);

/// Advice with its evidence. Texts have slots %1 … for `words`, so that they can be translated before they are filled in.
struct WEFT_API Advice {
  enum class Weight { Note, Warning } weight = Weight::Note;
  const char* title = "";
  const char* detail = "";
  std::vector<std::string> titleWords, words;
  std::vector<std::string> nodes;  ///< Nodes concerned, most costly first.
  double gainNs = 0;               ///< Estimated time saved per step; 0: unknown.
  std::string titleText() const, detailText() const;
};
WEFT_API std::vector<Advice> advise(const Trace& trace);
/// Titles and details of all advice, for translation.
WEFT_API std::vector<const char*> adviceTexts();

/// An entry compared between two traces: self time per step of a node or op type.
struct ProfileChange {
  std::string name, op;
  double beforeNs = 0, afterNs = 0;
  double beforeCount = 0, afterCount = 0;
  double deltaNs() const { return afterNs - beforeNs; }
};
/// Largest change first. `byOp`: compare op types, else nodes.
WEFT_API std::vector<ProfileChange> compareTraces(const Trace& before, const Trace& after, bool byOp);

/// The machine's measured peak, the roof of the roofline. The measurement takes about a tenth of a second.
struct MachineRoof {
  double gflopsPerSecond = 0, gigabytesPerSecond = 0;
  double bfloat16GflopsPerSecond = 0;  ///< Of products of bfloat16; 0: not measured.
};
/// `precision`: of the session whose steps are compared with it.
WEFT_API Result<MachineRoof> measureRoof(ProductPrecision precision = ProductPrecision::Float32);

}  // namespace weft
