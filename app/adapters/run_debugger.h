// The debugger of a run in this or another process. Only sources in app/adapters include this.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adapters/debug_job.h"
#include "support/debug_wire.h"
#include "weft/debugger.h"

namespace weft::app {

/// The debugger interface of a DebugJob; see weft::Debugger. Any thread.
class RunDebugger {
 public:
  virtual ~RunDebugger() = default;
  virtual Result<int> setBreakpoint(Breakpoint breakpoint) = 0;
  virtual void removeBreakpoint(int id) = 0;
  virtual std::vector<Breakpoint> breakpoints() const = 0;
  virtual Status command(DebugCommand command) = 0;
  virtual Status stepBack(int64_t ops) = 0;
  virtual Status goToIteration(int64_t iteration) = 0;
  virtual Status runTo(const std::string& place) = 0;
  virtual void pause() = 0;
  virtual void stop() = 0;
  virtual void detach() = 0;
  virtual DebugView view() const = 0;
  virtual Result<DebugValue> value(const std::string& tensor) const = 0;
  virtual Result<DebugValue> previousRunValue(const std::string& tensor) const = 0;
  virtual DebugHistory history(const std::string& tensor) const = 0;
  virtual Result<std::string> evaluate(const std::string& expression) const = 0;
  virtual Status setValue(const std::string& tensor, const Tensor& value) = 0;
  virtual Status clearValue(const std::string& tensor) = 0;
  virtual Autopsy autopsy(const std::string& tensor) const = 0;
};

/// Debugger of a run in this process.
class InProcessDebugger final : public RunDebugger {
 public:
  explicit InProcessDebugger(Debugger& debugger) : d_(debugger) {}
  Result<int> setBreakpoint(Breakpoint breakpoint) override { return d_.setBreakpoint(std::move(breakpoint)); }
  void removeBreakpoint(int id) override { d_.removeBreakpoint(id); }
  std::vector<Breakpoint> breakpoints() const override { return d_.breakpoints(); }
  Status command(DebugCommand command) override {
    switch (command) {
      case DebugCommand::Continue: return d_.resume();
      case DebugCommand::StepOp: return d_.stepOp();
      case DebugCommand::StepInto: return d_.stepInto();
      case DebugCommand::StepOver: return d_.stepOver();
      case DebugCommand::StepOut: return d_.stepOut();
    }
    return {};
  }
  Status stepBack(int64_t ops) override { return d_.stepBack(ops); }
  Status goToIteration(int64_t iteration) override { return d_.goToIteration(iteration); }
  Status runTo(const std::string& place) override { return d_.runTo(place); }
  void pause() override { d_.pause(); }
  void stop() override { d_.stop(); }
  void detach() override { d_.detach(); }
  DebugView view() const override { return d_.view(); }
  Result<DebugValue> value(const std::string& tensor) const override { return d_.value(tensor); }
  Result<DebugValue> previousRunValue(const std::string& tensor) const override { return d_.previousRunValue(tensor); }
  DebugHistory history(const std::string& tensor) const override { return historyOf(d_, tensor); }
  Result<std::string> evaluate(const std::string& expression) const override { return d_.evaluate(expression); }
  Status setValue(const std::string& tensor, const Tensor& value) override { return d_.setValue(tensor, value); }
  Status clearValue(const std::string& tensor) override { return d_.clearValue(tensor); }
  Autopsy autopsy(const std::string& tensor) const override { return d_.autopsy(tensor); }

 private:
  Debugger& d_;
};

}  // namespace weft::app
