#pragma once

#include <QByteArray>
#include <QString>
#include <functional>
#include <map>
#include <memory>

#include "adapters/debug_job.h"

namespace weft::app {

class RemoteDebugger;
class DebugLine;

/// The debugger in the process of a Python program (app/python/weft/debug/remote_runs.py): the messages on its steps, and a connection for values and commands.
/// GUI thread; the jobs' methods as documented there.
class ProgramLink {
 public:
  /// `folder`: the program's; `socket`: a name in it. If it cannot be reached, requests fail with an error in words.
  ProgramLink(const QString& folder, const QString& socket);
  /// Ends its jobs.
  ~ProgramLink();

  struct StepEvent {
    bool stopped = false, ended = false;
    qint64 run = 0;
  };
  /// Handles the program's JSON message on a step of graph `graph`; false if it cannot be read.
  bool take(int graph, const QByteArray& message, StepEvent* stepEvent);
  /// A job that controls and shows the present step of a graph with these contents. `changed` is called after each take().
  std::shared_ptr<DebugJob> job(int graph, GraphContentsPtr contents, std::function<void()> changed);
  /// The breakpoints of a graph as a JSON list. They are also sent with each command that resumes a step, so that breakpoints set before it apply to it,
  /// whichever of the two connections is faster.
  void setPoints(int graph, const QByteArray& list);
  /// The whole process is suspended, so no requests are sent.
  void setHeld(bool held);
  /// Called to let a step run on without stopping again until breakpoints change.
  void setDetach(std::function<void(int graph, qint64 run)> detach) { detach_ = std::move(detach); }
  /// Called to request that the running step stop.
  void setPause(std::function<void()> pause) { pause_ = std::move(pause); }

 private:
  std::shared_ptr<DebugLine> line_;
  std::map<int, std::shared_ptr<RemoteDebugger>> graphs_;
  std::function<void(int, qint64)> detach_;
  std::function<void()> pause_;
};

}  // namespace weft::app
