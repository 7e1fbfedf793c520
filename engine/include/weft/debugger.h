#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/debug.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"

namespace weft {

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

enum class DebugPhase { Idle, Running, Stopped, Ended };
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

/// A value of a run.
struct DebugValue {
  Tensor tensor;
  int64_t index = -1;  ///< Index of the op that computed it; -1: fed.
  std::vector<LoopPlace> loops;
};

/// One tensor on the path to the origin of non-finite values.
struct AutopsyEntry {
  std::string tensor, op;
  std::vector<LoopPlace> loops;
  TensorStatistics statistics;
  std::string shape;
  std::vector<std::string> positions;  ///< Positions of the first non-finite values: "[11,0]".
  std::string reason;                  ///< How the op produced it, if known: "log(0) = -inf".
};
/// The origin of the first non-finite value of a run.
struct Autopsy {
  bool found = false;                 ///< False: every computed value is finite.
  std::string summary;                ///< One or two sentences.
  AutopsyEntry origin;                ///< The first op with finite inputs and a non-finite output, or a fed tensor or variable.
  std::vector<AutopsyEntry> inputs;   ///< Of that op.
  std::vector<AutopsyEntry> path;     ///< From the place of detection back to the origin.
  std::vector<AutopsyEntry> sources;  ///< Variables and fed tensors behind the origin.
  std::vector<int64_t> rows;          ///< Rows of the batch with such values, if the first dimension is that of the feeds.
};

/// Stops a run at breakpoints and on command, and reads and changes its values there. It serves one run at a time and can be reused, as for the steps
/// of a training. All methods except StepController's may be called from any thread; none waits for the engine. Commands fail with
/// FAILED_PRECONDITION while no run is stopped.
class WEFT_API Debugger final : public StepController {
 public:
  struct Options {
    bool stopAtEntry = true;  ///< Before the first op.
    bool stopAtErrors = true;
    int64_t keepBytes = 512 << 20;                ///< Limit of the values kept for inspection.
    std::function<void()> changed;                ///< The run stopped, continued or ended. Called on the engine's thread; must return at once.
    std::function<void(const std::string&)> log;  ///< Lines of log points. Called the same way.
  };
  explicit Debugger(Options options);
  ~Debugger() override;

  /// Adds a breakpoint and returns its id, or changes the one with a known id. INVALID_ARGUMENT if place or condition cannot be parsed.
  Result<int> setBreakpoint(Breakpoint breakpoint);
  void removeBreakpoint(int id);
  std::vector<Breakpoint> breakpoints() const;
  /// Sets the number of the next training step, for conditions and display.
  void setStep(int64_t step);
  /// Whether a run of this training step might stop. If not, the run does not need this controller.
  bool wantsStep(int64_t step) const;

  Status resume();
  Status stepOp();
  Status stepInto();  ///< To the next op in another scope or iteration.
  Status stepOver();  ///< To the first op outside this op's scope. A loop that starts here runs to its end.
  Status stepOut();   ///< Out of the innermost loop, or outside loops, out of the scope.
  Status stepBack(int64_t ops = 1);
  /// To the same op in iteration `iteration` of the innermost loop, forward or back (by replay).
  Status goToIteration(int64_t iteration);
  /// To the next time that `place` is reached; syntax as Breakpoint::place.
  Status runTo(const std::string& place);
  void pause();   ///< Stops before the next op.
  void stop();    ///< Ends the run with CANCELLED.
  void detach();  ///< Detaches for good: the run continues to its end undisturbed.

  DebugView view() const;
  /// A tensor's last value before the current stop. For a variable's name "w": its current value. NOT_FOUND says why there is none.
  Result<DebugValue> value(const std::string& tensor) const;
  /// Its values in this run (one per loop iteration), oldest first. Dropped ones have no value.
  Result<std::vector<DebugValue>> history(const std::string& tensor) const;
  /// Its last value in the previous run (the training step before), if it was kept.
  Result<DebugValue> previousRunValue(const std::string& tensor) const;
  /// "name:0", "mean(name:0)", "name:0[1,2]" as text for a watch list: the values if few, else mean and spread.
  Result<std::string> evaluate(const std::string& expression) const;
  /// Replaces a variable's value, or a tensor that later ops will read. A tensor that is not computed yet is replaced as soon as it is.
  Status setValue(const std::string& tensor, const Tensor& value);
  /// Undoes setValue() for it in this run and restores its value. NOT_FOUND if it was not set. FAILED_PRECONDITION if it was computed since, so that there
  /// is no earlier value; step back to before its op instead.
  Status clearValue(const std::string& tensor);
  /// Traces `tensor` (empty: the run's first non-finite value) to its origin. Scans kept values, which may take long.
  Autopsy autopsy(const std::string& tensor = {}) const;

  void runBegins(const Graph& graph, std::span<const int> nodes) override;
  void fed(Output tensor, const Tensor& value) override;
  StepVerdict before(StepPoint& point) override;
  StepVerdict after(StepPoint& point, const Status& status) override;
  void dead(const Node& node, const std::vector<LoopPlace>& loops) override;
  void runEnds(const Status& status) override;
  void notStepped(const std::string& task) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Watches ordinary, fused runs for NaN. To find the origin of the first one, repeat the run under a Debugger (Debugger::autopsy).
class WEFT_API NanWatch final : public ValueWatch {
 public:
  struct Finding {
    std::string tensor, op;
    std::vector<LoopPlace> loops;
    NonFinite kind = NonFinite::None;
  };
  /// `endsRun`: end a run with CANCELLED at the first NaN. In a training that is before variables are updated with it.
  explicit NanWatch(bool endsRun = false);
  ~NanWatch() override;
  bool isSuspicious(const Tensor& value) override;
  bool found(const Node& node, int output, const Tensor& value, std::string_view frame, int64_t iteration) override;
  /// The first NaN since construction or reset(). Any thread.
  std::optional<Finding> finding() const;
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
