#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/debug.h"
#include "weft/debug_control.h"
#include "weft/session.h"

namespace weft {

/// Stops a run at breakpoints and on command, and reads and changes its values there. It serves one run at a time and can be reused, as for the steps
/// of a training. DebugControl's methods may be called from any thread; none waits for the engine.
class WEFT_API Debugger final : public StepController, public DebugControl {
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

  /// Sets the number of the next training step, for conditions and display.
  void setStep(int64_t step);
  /// Whether a run of this training step might stop. If not, the run does not need this controller.
  bool wantsStep(int64_t step) const;
  /// A tensor's values in this run (one per loop iteration), oldest first. Dropped ones have no value.
  Result<std::vector<DebugValue>> values(const std::string& tensor) const;

  Result<int> setBreakpoint(Breakpoint breakpoint) override;
  void removeBreakpoint(int id) override;
  std::vector<Breakpoint> breakpoints() const override;
  Status command(DebugCommand command) override;
  Status resume() { return command(DebugCommand::Continue); }
  Status stepOp() { return command(DebugCommand::StepOp); }
  Status stepInto() { return command(DebugCommand::StepInto); }
  Status stepOver() { return command(DebugCommand::StepOver); }
  Status stepOut() { return command(DebugCommand::StepOut); }
  Status stepBack(int64_t ops = 1) override;
  Status goToIteration(int64_t iteration) override;
  Status runTo(const std::string& place) override;
  void pause() override;
  void stop() override;
  void detach() override;
  DebugView view() const override;
  Result<DebugValue> value(const std::string& tensor) const override;
  Result<DebugValue> previousRunValue(const std::string& tensor) const override;
  DebugHistory history(const std::string& tensor) const override;
  Result<std::string> evaluate(const std::string& expression) const override;
  Status setValue(const std::string& tensor, const Tensor& value) override;
  Status clearValue(const std::string& tensor) override;
  Autopsy autopsy(const std::string& tensor = {}) const override;

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

/// Whether a breakpoint can be reached in this graph: INVALID_ARGUMENT if place or condition cannot be parsed, NOT_FOUND if the place does not exist.
WEFT_API Status checkBreakpoint(const Graph& graph, const Breakpoint& breakpoint);

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
