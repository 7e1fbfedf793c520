// The terms of debugging: breakpoints, stops and the state of a run. The engine, the border to other processes, documents and views all use these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// One while loop that an op runs in.
struct LoopPlace {
  std::string frame;      ///< Name of the while frame.
  int64_t iteration = 0;  ///< From 0.
  bool operator==(const LoopPlace&) const = default;
};

/// Where and when a run stops, or logs a line and continues.
struct Breakpoint {
  int id = 0;
  /// "conv1/Conv2D": a node; "conv1/Relu:0": one of its outputs; "conv1/": every op of a scope; "*": every op.
  std::string place;
  /// See engine/debug/condition.h: `has nan`, `abs max > 1e3`, `step == 400`, `shape changed`, `iteration == 5 and mean < 0`. Empty: always.
  std::string condition;
  /// A line to log instead of stopping; {mean}, {iteration} or {name:0} are replaced by values. Empty: stops.
  std::string log;
  int64_t fromHit = 1;  ///< Earlier hits are ignored.
  bool enabled = true;
  int64_t hits = 0;  ///< How often place and condition matched, in all runs.
};

enum class DebugPhase {
  Idle,
  Starting,  ///< Asked for; its first op is not reached yet.
  Running,
  Stopped,
  Ended
};
enum class StopReason { Entry, Step, Breakpoint, Reached, Pause, Failure };

/// Where and why a run is stopped.
struct DebugStop {
  StopReason reason = StopReason::Step;
  int node = -1;
  std::string name, op;
  bool computed = false;         ///< The op was computed and its outputs can be read. Otherwise it is the next one.
  int64_t index = 0;             ///< Index of the op in the run, from 0.
  std::vector<LoopPlace> loops;  ///< Outermost first.
  std::string task;              ///< Of a cluster: "/job:ps/replica:0/task:0"; empty: this process.
  int breakpoint = 0;            ///< Its id, or 0.
  std::string message;           ///< For display: the condition that matched, or the error.
};

enum class NodeProgress : uint8_t { None, Pending, Ready, Done, Dead, Executing };

/// A snapshot of a run.
struct DebugView {
  DebugPhase phase = DebugPhase::Idle;
  DebugStop stop;                        ///< If stopped.
  std::string error;                     ///< If ended: the run's error; empty on success.
  std::vector<NodeProgress> nodes;       ///< By id; in loops, of the current iteration.
  int64_t step = 0;                      ///< Of a training; 0: none.
  int64_t ops = 0;                       ///< Computed so far.
  int64_t keptBytes = 0, keepLimit = 0;  ///< Size of the values that can be inspected, and its limit.
  std::string whyNotBack;                ///< Why stepping back is impossible now; empty: it is possible.
  std::vector<std::string> setByHand;    ///< Tensors ("x:0") and variables ("w") that the user changed in this run.
  std::vector<std::string> notStepped;   ///< Tasks whose ops of this run cannot be stepped through.
  std::string notReached;                ///< If ended: the place that the last command did not reach.
};

enum class DebugCommand {
  Continue,
  StepOp,
  StepInto,  ///< To the next op in another scope or iteration.
  StepOver,  ///< To the first op outside this op's scope. A loop that starts here runs to its end.
  StepOut,   ///< Out of the innermost loop, or outside loops, out of the scope.
};

}  // namespace weft
