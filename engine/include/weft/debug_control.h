#pragma once

#include <string>
#include <vector>

#include "weft/debug_terms.h"
#include "weft/tensor.h"
#include "weft/tensor_statistics.h"

namespace weft {

/// A value of a run.
struct DebugValue {
  Tensor tensor;
  int64_t index = -1;  ///< Index of the op that computed it; -1: fed.
  std::vector<LoopPlace> loops;
};

/// Error::kind of a debugger that has no value to show, so that a window can say why in its own language.
namespace no_value {
inline constexpr const char* kNotComputed = "not_computed";     ///< Its op comes later in this run.
inline constexpr const char* kNotNeeded = "not_needed";         ///< This run does not compute it.
inline constexpr const char* kNotTaken = "not_taken";           ///< It is on a branch that was not taken.
inline constexpr const char* kNotKept = "not_kept";             ///< It was computed, but values are kept up to a limit.
inline constexpr const char* kNoEarlierRun = "no_earlier_run";  ///< The run before did not compute it.
inline constexpr const char* kNotStopped = "not_stopped";       ///< Variables can be read while a run is stopped.
inline constexpr const char* kNoIteration = "no_iteration";     ///< There is none of an earlier iteration.
}  // namespace no_value

/// How an op produced a non-finite value.
struct WEFT_API NonFiniteReason {
  enum class Kind {
    Unknown,
    Formula,    ///< `formula`: "log(0) = -inf".
    Overflow,   ///< The result is beyond what `dtype` can hold.
    EmptyMean,  ///< The mean of no values.
    SetByHand   ///< The value was set in the debugger.
  };
  Kind kind = Kind::Unknown;
  std::string formula, dtype;
  std::string position;  ///< "[3,1]"; empty: a scalar, or not known.
  /// In one line; empty if unknown.
  std::string text() const;
};

/// One tensor on the path to the origin of non-finite values.
struct AutopsyEntry {
  std::string tensor, op;
  std::vector<LoopPlace> loops;
  TensorStatistics statistics;
  std::string shape;
  std::vector<std::string> positions;  ///< Positions of the first non-finite values: "[11,0]".
  NonFiniteReason reason;              ///< How the op produced it.
};
/// The origin of the first non-finite value of a run.
struct Autopsy {
  enum class Outcome {
    NothingComputed,
    AllFinite,    ///< Every computed value is.
    Finite,       ///< The tensor that was asked about is.
    NotComputed,  ///< The tensor that was asked about was not.
    Found
  };
  Outcome outcome = Outcome::NothingComputed;
  bool found() const { return outcome == Outcome::Found; }
  std::string summary;                ///< One or two sentences.
  AutopsyEntry origin;                ///< The first op with finite inputs and a non-finite output, or a fed tensor or variable.
  std::vector<AutopsyEntry> inputs;   ///< Of that op.
  std::vector<AutopsyEntry> path;     ///< From the place of detection back to the origin.
  std::vector<AutopsyEntry> sources;  ///< Variables and fed tensors behind the origin.
  std::vector<int64_t> rows;          ///< Rows of the batch with such values, if the first dimension is that of the feeds.
};

/// One computation of a tensor in a loop, as a chart of its iterations shows it.
struct DebugMoment {
  int64_t iteration = 0;
  double min = 0, mean = 0, max = 0;
  bool finite = true;
};
/// A tensor's values over a run.
struct DebugHistory {
  Result<DebugValue> earlier =
      notFound("There is no value of an earlier iteration.").ofKind(no_value::kNoIteration);  ///< The value before the latest one of this run.
  std::vector<DebugMoment> moments;                                                           ///< Empty outside loops; at most the latest 400.
};

/// Controls and reads a run that can be stopped: a Debugger of this process, or a line to one in another process. Any thread. Commands fail with
/// FAILED_PRECONDITION while no run is stopped.
class WEFT_API DebugControl {
 public:
  virtual ~DebugControl() = default;

  /// Adds a breakpoint and returns its id, or changes the one with a known id. INVALID_ARGUMENT if place or condition cannot be parsed.
  virtual Result<int> setBreakpoint(Breakpoint breakpoint) = 0;
  virtual void removeBreakpoint(int id) = 0;
  virtual std::vector<Breakpoint> breakpoints() const = 0;

  virtual Status command(DebugCommand command) = 0;
  virtual Status stepBack(int64_t ops) = 0;
  /// To the same op in iteration `iteration` of the innermost loop, forward or back (by replay).
  virtual Status goToIteration(int64_t iteration) = 0;
  /// To the next time that `place` is reached; syntax as Breakpoint::place.
  virtual Status runTo(const std::string& place) = 0;
  virtual void pause() = 0;   ///< Stops before the next op.
  virtual void stop() = 0;    ///< Ends the run with CANCELLED.
  virtual void detach() = 0;  ///< Detaches for good: the run continues to its end undisturbed.

  virtual DebugView view() const = 0;
  /// A tensor's last value before the current stop. For a variable's name "w": its current value. NOT_FOUND says why there is none.
  virtual Result<DebugValue> value(const std::string& tensor) const = 0;
  /// Its last value in the previous run (the training step before), if it was kept.
  virtual Result<DebugValue> previousRunValue(const std::string& tensor) const = 0;
  /// Examines kept values, which may take long.
  virtual DebugHistory history(const std::string& tensor) const = 0;
  /// "name:0", "mean(name:0)", "name:0[1,2]" as text for a watch list: the values if few, else mean and spread.
  virtual Result<std::string> evaluate(const std::string& expression) const = 0;
  /// Replaces a variable's value, or a tensor that later ops will read. A tensor that is not computed yet is replaced as soon as it is.
  virtual Status setValue(const std::string& tensor, const Tensor& value) = 0;
  /// Undoes setValue() for it in this run and restores its value. NOT_FOUND if it was not set. FAILED_PRECONDITION if it was computed since, so that there
  /// is no earlier value; step back to before its op instead.
  virtual Status clearValue(const std::string& tensor) = 0;
  /// Traces `tensor` (empty: the run's first non-finite value) to its origin. Scans kept values, which may take long.
  virtual Autopsy autopsy(const std::string& tensor) const = 0;
};

}  // namespace weft
