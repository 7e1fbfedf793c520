#pragma once

#include <condition_variable>
#include <map>
#include <mutex>

#include "debug/condition.h"
#include "debug/value_store.h"
#include "weft/debugger.h"

namespace weft {

/// A location in a graph as the user writes it.
struct DebugPlace {
  enum class Kind { Node, Tensor, Scope, Any } kind = Kind::Node;
  std::string name;  ///< Of the node, or of the scope with its slash.
  int output = 0;

  /// INVALID_ARGUMENT for what is none.
  static Result<DebugPlace> parse(const std::string& text);
  bool matches(const Node& node) const;
};

/// State of the debugger. Only the engine's thread changes `store`, `graph` and `lastShapes`, under the mutex, so it may read them without; other
/// threads need the mutex. The mutex is never held while values are examined.
struct Debugger::Impl {
  struct Point {
    Breakpoint breakpoint;
    DebugPlace place;
    Condition condition;
    bool afterOp = false;  ///< Decided once the op was computed.
  };
  /// How the run goes on.
  enum class Mode { Run, Op, Into, Over, Out, To, Goal };
  /// A change by the user, repeated when the run is replayed.
  struct Change {
    int64_t index;
    bool computed;
    Output tensor;
    std::string variable;  ///< Instead of `tensor`.
    bool waits;            ///< For the tensor to be computed.
    Tensor value;
    Tensor before;  ///< Without a value: there was none, or it is not kept.
  };

  explicit Impl(Options o) : options(std::move(o)), store(options.keepBytes / 2), previous(options.keepBytes / 2) {}

  StepVerdict visit(StepPoint& point, bool computed, const Status& status);
  /// Whether to stop here, and why.
  std::optional<DebugStop> decide(StepPoint& point, bool computed, const Status& status);
  std::optional<DebugStop> checkBreakpoints(StepPoint& point, bool computed);
  std::optional<DebugStop> checkMode(StepPoint& point, bool computed);
  StepVerdict wait(StepPoint& point, DebugStop stop);
  Status record(StepPoint& point);
  void applyChanges(StepPoint& point, bool computed);
  void tell();
  DebugStop stopAt(const StepPoint& point, bool computed, StopReason reason) const;

  Status command(Mode next);  ///< REQUIRES: mutex held. FAILED_PRECONDITION unless stopped.
  Status rewind(int64_t goal);
  Status notStopped() const;
  Result<Output> outputOf(const std::string& tensor) const;
  /// The variable that a tensor refers to or is the handle of; empty: neither.
  std::string variableOf(Output tensor) const;
  void showVariable(Output tensor, const Tensor& value);
  Result<DebugValue> valueOf(const std::string& tensor) const;
  std::string textOf(const Tensor& t) const;

  const Options options;

  mutable std::mutex mutex;
  std::condition_variable wake;
  // Guarded by mutex, all that follows.
  std::vector<Point> points;
  int nextId = 1;
  int64_t step = 0;
  DebugPhase phase = DebugPhase::Idle;
  DebugStop stop;
  std::string error, notReached;
  StepPoint* point = nullptr;  ///< While stopped.
  bool go = false, pausing = false, ending = false, replaying = false, restarting = false;
  bool letGo = false;
  StepVerdict verdict = StepVerdict::Go;
  Mode mode = Mode::Op;
  // Start and goal of the current command.
  std::vector<LoopPlace> fromLoops;
  std::string fromScope;
  DebugPlace target;
  int64_t goalIndex = -1;  ///< Mode::Goal: before this op; or, if negative, the op `goalNode` in `goalLoops`.
  int goalNode = -1;
  std::vector<LoopPlace> goalLoops;
  bool goalComputed = false;
  std::vector<Change> changes;
  std::map<Output, Tensor> waiting;  ///< Values for tensors that are not computed yet.

  Graph graph;
  ValueStore store, previous;
  std::vector<NodeProgress> progress;
  std::vector<std::vector<LoopPlace>> lastLoops;  ///< Of each node, when it was last computed or dead.
  std::map<Output, Shape> lastShapes;
};

/// The scope that a node lies in, with its slash; empty at top level.
std::string scopeOf(const std::string& node);
/// "rnn, iteration 5": for people; empty outside loops.
std::string placeText(const std::vector<LoopPlace>& loops);

}  // namespace weft
