#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "weft/debugger.h"
#include "weft/mutex.h"

// Runs of the program under the IDE's debugger.
namespace weft::python {

/// Lets the IDE pause, inspect and change the runs of one graph, one run at a time; concurrent runs are not watched. Thread-safe.
class RunAgent {
 public:
  /// `folder`: for values passed to the IDE; `runs`: the number of earlier runs of the graph.
  RunAgent(int graph, std::string folder, int64_t runs) : graph_(graph), folder_(std::move(folder)), run_(runs) {}

  int graph() const { return graph_; }
  /// Replaces all breakpoints by a JSON array of breakpoints. Throws std::exception if it is invalid.
  void setBreakpoints(const std::string& json);
  /// Stops before the first op of the next run.
  void breakNext();
  /// Pauses the current run before its next op; false if none is running.
  bool pauseNow();
  /// Detaches: the run continues, and later runs do not stop until breakNext() or new breakpoints. `run`: the run to release; 0: any.
  void detach(int64_t run);
  /// See serveDebugger().
  std::string request(const std::string& json);
  /// The state to show in the IDE, as JSON; empty if there is none.
  std::string news();
  /// Whether the next run might stop.
  bool wants();

  /// A run, from before its first op to after its last.
  class Visit {
   public:
    Visit(const std::shared_ptr<RunAgent>& agent, RunOptions& options);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    RunAgent* agent_ = nullptr;
  };

 private:
  void makeDebugger(bool stopAtEntry) WEFT_REQUIRES(mutex_);
  bool wantsLocked() WEFT_REQUIRES(mutex_);
  void setPoints(const nlohmann::json& points);

  const int graph_;
  const std::string folder_;
  Mutex mutex_;
  std::shared_ptr<Debugger> debugger_ WEFT_GUARDED_BY(mutex_);
  std::vector<Breakpoint> breakpoints_ WEFT_GUARDED_BY(mutex_);
  std::string points_ WEFT_GUARDED_BY(mutex_);  // the same as text
  int64_t run_ WEFT_GUARDED_BY(mutex_);         // number of runs so far
  bool busy_ WEFT_GUARDED_BY(mutex_) = false;   // a run is under the debugger
  bool idle_ WEFT_GUARDED_BY(mutex_) = false;   // detached
  bool gone_ WEFT_GUARDED_BY(mutex_) = false;   // the debugger was released for good; attaching again needs a new one
  bool breakNext_ WEFT_GUARDED_BY(mutex_) = false;
  bool shown_ WEFT_GUARDED_BY(mutex_) = false;  // the IDE has been told that the current run paused
};

}  // namespace weft::python
