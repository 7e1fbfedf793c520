#pragma once

#include <map>
#include <type_traits>

#include "debug/condition.h"
#include "debug/value_store.h"
#include "weft/cond_var.h"
#include "weft/debugger.h"

namespace weft {

/// A location in a graph as the user writes it.
struct DebugPlace {
  enum class Kind { Node, Tensor, Scope, Any } kind = Kind::Node;
  std::string name;  ///< Name of the node, or of the scope with its slash.
  int output = 0;

  /// INVALID_ARGUMENT if the text is not a location.
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
    bool afterOp = false;  ///< Decided after the op is computed.
  };
  /// How the run continues.
  enum class Mode { Run, Op, Into, Over, Out, To, Goal };
  /// A change by the user, repeated when the run is replayed.
  struct Change {
    int64_t index;
    bool computed;
    Output tensor;
    std::string variable;  ///< Set instead of `tensor`.
    bool waits;            ///< The tensor has yet to be computed.
    Tensor value;
    Tensor before;  ///< Has no value if there was none or it is not kept.
  };

  explicit Impl(Options o) : options(std::move(o)), store(options.keepBytes / 2), previous(options.keepBytes / 2) {}

  StepVerdict visit(StepPoint& point, bool computed, const Status& status);
  /// Whether to stop here, and why.
  std::optional<DebugStop> decide(StepPoint& point, bool computed, const Status& status);
  std::optional<DebugStop> checkBreakpoints(StepPoint& point, bool computed);
  std::optional<DebugStop> checkMode(StepPoint& point, bool computed) WEFT_REQUIRES(mutex);
  StepVerdict wait(StepPoint& point, DebugStop stop);
  Status record(StepPoint& point);
  void applyChanges(StepPoint& point, bool computed) WEFT_EXCLUDES(mutex);
  void tell();
  /// Calls f(point) without the mutex, because the point may be on another machine. The run stays stopped meanwhile. FAILED_PRECONDITION unless stopped.
  template <typename F>
  std::invoke_result_t<F, StepPoint&> atPoint(F f) WEFT_EXCLUDES(mutex) {
    StepPoint* at = nullptr;
    {
      const MutexLock lock(mutex);
      WEFT_TRY(notStopped());
      at = point;
      ++users;
    }
    auto out = f(*at);
    const MutexLock lock(mutex);
    --users;
    wake.notify_all();
    return out;
  }
  /// The present value of a tensor or variable.
  Result<DebugValue> read(const std::string& tensor) WEFT_EXCLUDES(mutex);
  DebugStop stopAt(const StepPoint& point, bool computed, StopReason reason) const;

  Status command(Mode next) WEFT_REQUIRES(mutex);  ///< FAILED_PRECONDITION unless stopped.
  Status rewind(int64_t goal) WEFT_REQUIRES(mutex);
  Status notStopped() const WEFT_REQUIRES(mutex);
  Result<Output> outputOf(const std::string& tensor) const WEFT_REQUIRES(mutex);
  /// Replaces the value of a tensor or variable at the stop.
  Status put(Output tensor, const std::string& variable, const Tensor& value) WEFT_EXCLUDES(mutex);
  /// The variable that a tensor refers to or is the handle of; empty: neither.
  std::string variableOf(Output tensor) const WEFT_REQUIRES(mutex);
  void showVariable(Output tensor, const Tensor& value) WEFT_REQUIRES(mutex);
  Result<DebugValue> valueOf(const std::string& tensor) const WEFT_REQUIRES(mutex);
  std::string textOf(const Tensor& t) const;

  /// For the engine's thread, which may read without locking what only it writes.
  const ValueStore& ownStore() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return store; }
  const Graph& ownGraph() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return graph; }
  const std::map<Output, Shape>& ownLastShapes() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return lastShapes; }

  const Options options;

  mutable Mutex mutex;
  CondVar wake;
  std::vector<Point> points WEFT_GUARDED_BY(mutex);
  int nextId WEFT_GUARDED_BY(mutex) = 1;
  int64_t step WEFT_GUARDED_BY(mutex) = 0;
  DebugPhase phase WEFT_GUARDED_BY(mutex) = DebugPhase::Idle;
  DebugStop stop WEFT_GUARDED_BY(mutex);
  std::vector<std::string> notStepped WEFT_GUARDED_BY(mutex);
  std::string error WEFT_GUARDED_BY(mutex), notReached WEFT_GUARDED_BY(mutex);
  StepPoint* point WEFT_GUARDED_BY(mutex) = nullptr;  ///< While stopped.
  int users WEFT_GUARDED_BY(mutex) = 0;               ///< Calls of atPoint() in progress.
  bool go WEFT_GUARDED_BY(mutex) = false, pausing WEFT_GUARDED_BY(mutex) = false, ending WEFT_GUARDED_BY(mutex) = false;
  bool replaying WEFT_GUARDED_BY(mutex) = false, restarting WEFT_GUARDED_BY(mutex) = false;
  bool detached WEFT_GUARDED_BY(mutex) = false;
  StepVerdict verdict WEFT_GUARDED_BY(mutex) = StepVerdict::Go;
  Mode mode WEFT_GUARDED_BY(mutex) = Mode::Op;
  // Where the current command started, and its target.
  std::vector<LoopPlace> fromLoops WEFT_GUARDED_BY(mutex);
  std::string fromScope WEFT_GUARDED_BY(mutex);
  DebugPlace target WEFT_GUARDED_BY(mutex);
  int64_t goalIndex WEFT_GUARDED_BY(mutex) = -1;  ///< Mode::Goal: stop before this op; if negative, before op `goalNode` in `goalLoops`.
  int goalNode WEFT_GUARDED_BY(mutex) = -1;
  std::vector<LoopPlace> goalLoops WEFT_GUARDED_BY(mutex);
  bool goalComputed WEFT_GUARDED_BY(mutex) = false;
  std::vector<Change> changes WEFT_GUARDED_BY(mutex);
  std::map<Output, Tensor> waiting WEFT_GUARDED_BY(mutex);  ///< Values for tensors that are not computed yet.

  Graph graph WEFT_GUARDED_BY(mutex);
  ValueStore store WEFT_GUARDED_BY(mutex), previous WEFT_GUARDED_BY(mutex);
  std::vector<NodeProgress> progress WEFT_GUARDED_BY(mutex);
  std::vector<std::vector<LoopPlace>> lastLoops WEFT_GUARDED_BY(mutex);  ///< For each node, its loops when it was last computed or dead.
  std::map<Output, Shape> lastShapes WEFT_GUARDED_BY(mutex);
};

/// The scope that a node lies in, with its slash; empty at top level.
std::string scopeOf(const std::string& node);
/// "rnn, iteration 5": for people; empty outside loops.
std::string placeText(const std::vector<LoopPlace>& loops);

}  // namespace weft
