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

/// Where and when a run stops, or writes a line and goes on.
struct Breakpoint {
  int id = 0;
  /// "conv1/Conv2D": a node; "conv1/Relu:0": one of its outputs; "conv1/": every op of a scope; "*": every op.
  std::string place;
  /// See engine/debug/condition.h: `has nan`, `abs max > 1e3`, `step == 400`, `shape changed`, `iteration == 5 and mean < 0`. Empty: always.
  std::string condition;
  /// A line to be written instead of stopping; {mean}, {iteration} or {name:0} in it become values. Empty: stops.
  std::string log;
  int64_t fromHit = 1;  ///< The first hits are let pass.
  bool enabled = true;
  int64_t hits = 0;  ///< Times that place and condition held, in all runs.
};

enum class DebugPhase { Idle, Running, Stopped, Ended };
enum class StopReason { Entry, Step, Breakpoint, Reached, Pause, Failure };

/// Where a run stands.
struct DebugStop {
  StopReason reason = StopReason::Step;
  int node = -1;
  std::string name, op;
  bool computed = false;         ///< The op was computed: its outputs can be read. Else it is the next one.
  int64_t index = 0;             ///< Of the op in the run, from 0.
  std::vector<LoopPlace> loops;  ///< Outermost first.
  int breakpoint = 0;            ///< Its id, or 0.
  std::string message;           ///< Why, for people: the condition that held, or the error.
};

enum class NodeProgress : uint8_t { None, Pending, Ready, Done, Dead, Executing };

/// A picture of a run.
struct DebugView {
  DebugPhase phase = DebugPhase::Idle;
  DebugStop stop;                        ///< If stopped.
  std::string error;                     ///< If ended: of the run, empty if it went well.
  std::vector<NodeProgress> nodes;       ///< By id; in loops of the present iteration.
  int64_t step = 0;                      ///< Of a training; 0: none.
  int64_t ops = 0;                       ///< Computed so far.
  int64_t keptBytes = 0, keepLimit = 0;  ///< Of values that can be looked at.
  std::string whyNotBack;                ///< Why no step back can be done now; empty: it can.
  std::vector<std::string> setByHand;    ///< Tensors ("x:0") and variables ("w") whose values people changed in this run.
  std::string notReached;                ///< If ended: where the run should have gone to.
};

/// A value of a run.
struct DebugValue {
  Tensor tensor;
  int64_t index = -1;  ///< Of the op that computed it; -1: fed.
  std::vector<LoopPlace> loops;
};

/// One tensor on the way to where non-finite values come from.
struct AutopsyEntry {
  std::string tensor, op;
  std::vector<LoopPlace> loops;
  TensorStatistics statistics;
  std::string shape;
  std::vector<std::string> positions;  ///< Of the first non-finite values: "[11,0]".
  std::string reason;                  ///< "log(0) = -inf": how the op made it, where that is known.
};
/// Where the first non-finite value of a run comes from.
struct Autopsy {
  bool found = false;                 ///< False: every value that was computed is finite.
  std::string summary;                ///< One or two sentences.
  AutopsyEntry origin;                ///< The first op whose inputs are finite and whose output is not; or the fed tensor, or the variable.
  std::vector<AutopsyEntry> inputs;   ///< Of that op.
  std::vector<AutopsyEntry> path;     ///< From where it was seen back to the origin.
  std::vector<AutopsyEntry> sources;  ///< Variables and fed tensors that the origin was computed from.
  std::vector<int64_t> rows;          ///< Rows of the batch that hold the values, where the first dimension is that of the feeds.
};

/// Stops a run where people want, and shows and changes its values there. One run at a time; it can be used for the next one, as the steps of a
/// training are. All methods but those of StepController may be called from any thread; none waits for the engine. Commands are refused with
/// FAILED_PRECONDITION while no run is stopped.
class WEFT_API Debugger final : public StepController {
 public:
  struct Options {
    bool stopAtEntry = true;  ///< Before the first op.
    bool stopAtErrors = true;
    int64_t keepBytes = 512 << 20;                ///< Values of the run that are kept to be looked at.
    std::function<void()> changed;                ///< Stopped, goes on or ended; called on the engine's thread, which must not be kept.
    std::function<void(const std::string&)> log;  ///< Lines of log points; the same.
  };
  explicit Debugger(Options options);
  ~Debugger() override;

  /// INVALID_ARGUMENT if place or condition cannot be understood. The id is given by the debugger; a known one changes that breakpoint.
  Result<int> setBreakpoint(Breakpoint breakpoint);
  void removeBreakpoint(int id);
  std::vector<Breakpoint> breakpoints() const;
  /// Number of the training step to come, for conditions and to be shown.
  void setStep(int64_t step);
  /// Whether a run of this training step might stop; if not, it need not be given this controller.
  bool wantsStep(int64_t step) const;

  Status resume();
  Status stepOp();
  Status stepInto();  ///< To the next op that lies in another scope or iteration.
  Status stepOver();  ///< To the first op outside of this op's scope (a loop that begins here is run through).
  Status stepOut();   ///< Out of the innermost loop; outside loops, out of the scope.
  Status stepBack(int64_t ops = 1);
  /// To the same op in iteration `iteration` of the innermost loop: back by replay, or forth.
  Status goToIteration(int64_t iteration);
  /// To the next time that this place is reached; as Breakpoint::place.
  Status runTo(const std::string& place);
  void pause();  ///< Stops before the next op.
  void stop();   ///< Ends the run with CANCELLED, wherever it is.
  void letGo();  ///< The run goes on to its end as if nobody watched; for good.

  DebugView view() const;
  /// The last value that a tensor had before where the run stands. NOT_FOUND says why there is none. "w" of a variable: its present value.
  Result<DebugValue> value(const std::string& tensor) const;
  /// All times that it was computed in this run (iterations of a loop), oldest first; forgotten ones without value.
  Result<std::vector<DebugValue>> history(const std::string& tensor) const;
  /// Its last value of the run before this one (the training step before), if that was kept.
  Result<DebugValue> previousRunValue(const std::string& tensor) const;
  /// "name:0", "mean(name:0)", "name:0[1,2]" as text for a watch list: the value if there are few, else mean and spread.
  Result<std::string> evaluate(const std::string& expression) const;
  /// Replaces a tensor that ops to come will read, or a variable's value. A tensor that is not computed yet: as soon as it is.
  Status setValue(const std::string& tensor, const Tensor& value);
  /// Takes all that setValue() did to it in this run back: it has the value again that it had before. NOT_FOUND: it was not set. FAILED_PRECONDITION:
  /// it has been computed since, so that there is no value before; the run can be taken back to before its op.
  Status clearValue(const std::string& tensor);
  /// `tensor` empty: from the first non-finite value of the run. Scans kept values; may take long.
  Autopsy autopsy(const std::string& tensor = {}) const;

  void runBegins(const Graph& graph, std::span<const int> nodes) override;
  void fed(Output tensor, const Tensor& value) override;
  StepVerdict before(StepPoint& point) override;
  StepVerdict after(StepPoint& point, const Status& status) override;
  void dead(const Node& node, const std::vector<LoopPlace>& loops) override;
  void runEnds(const Status& status) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Watches ordinary, fused runs for NaN. Where the first one comes from is told by a run of the same under a Debugger (see Debugger::autopsy).
class WEFT_API NanWatch final : public ValueWatch {
 public:
  struct Finding {
    std::string tensor, op;
    std::vector<LoopPlace> loops;
    NonFinite kind = NonFinite::None;
  };
  /// `endsRun`: a run ends with CANCELLED at the first NaN. In a training that is before variables are updated with it.
  explicit NanWatch(bool endsRun = false);
  ~NanWatch() override;
  bool looksWrong(const Tensor& value) override;
  bool found(const Node& node, int output, const Tensor& value, std::string_view frame, int64_t iteration) override;
  /// The first one since the watch began or was reset. Any thread.
  std::optional<Finding> finding() const;
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
