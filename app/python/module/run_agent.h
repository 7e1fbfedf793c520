#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "weft/debugger.h"
#include "weft/mutex.h"

// Runs of the program under the IDE's debugger.
namespace weft::python {

/// Lets the IDE stop, look at and change the runs of one graph, one run at a time; others that go on beside it are not watched. All methods: any thread.
class RunAgent {
 public:
  /// `folder`: where values lie on their way to the IDE; `runs`: how many the graph had before.
  RunAgent(int graph, std::string folder, int64_t runs) : graph_(graph), folder_(std::move(folder)), run_(runs) {}

  int graph() const { return graph_; }
  /// A JSON array of breakpoints, which take the place of those before. Throws std::exception if it is none.
  void setBreakpoints(const std::string& json);
  /// Stops before the first op of the next run.
  void breakNext();
  /// Stops before the next op of the run that goes on; false if none does.
  bool pauseNow();
  /// Nobody stands by any more: the run goes on, and later ones do not stop before breakNext() or other breakpoints come. `run`: the one that is meant; 0: any.
  void letGo(int64_t run);
  /// See serveDebugger().
  std::string request(const std::string& json);
  /// What the IDE is to know now, as JSON; empty: nothing that it could show.
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
  int64_t run_ WEFT_GUARDED_BY(mutex_);         // how many there were
  bool busy_ WEFT_GUARDED_BY(mutex_) = false;   // a run is under the debugger
  bool idle_ WEFT_GUARDED_BY(mutex_) = false;   // nobody stands by
  bool gone_ WEFT_GUARDED_BY(mutex_) = false;   // the debugger was let go: what was let go stays so, who comes back needs another
  bool breakNext_ WEFT_GUARDED_BY(mutex_) = false;
  bool shown_ WEFT_GUARDED_BY(mutex_) = false;  // the present run has stood still, and the IDE knows it
};

}  // namespace weft::python
