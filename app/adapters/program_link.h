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

/// The debugger in the process of a Python program (app/python/weft/debug/remote_runs.py): what its steps told of themselves, and a line on which values and
/// commands go. GUI thread; the jobs' methods as they say.
class ProgramLink {
 public:
  /// `folder`: of the program; `socket`: a name in it. Asks fail in words if it cannot be reached.
  ProgramLink(const QString& folder, const QString& socket);
  /// Its jobs have ended.
  ~ProgramLink();

  struct News {
    bool stopped = false, ended = false;
    qint64 run = 0;
  };
  /// A message of the program on a step of graph `graph`, as its JSON says; false if it cannot be read.
  bool take(int graph, const QByteArray& message, News* news);
  /// Commands and shows the present step of a graph, whose contents are those; `changed`: after each take().
  std::shared_ptr<DebugJob> job(int graph, GraphContentsPtr contents, std::function<void()> changed);
  /// The breakpoints of a graph as a JSON list. They also go with each command that lets a step go on: what was set before it holds for it,
  /// whichever of the two ways to the program is the quicker.
  void setPoints(int graph, const QByteArray& list);
  /// The process stands still as a whole: nothing is asked of it.
  void setHeld(bool held);
  /// The step is let go, and none stops any more until breakpoints change.
  void setLetGo(std::function<void(int graph, qint64 run)> letGo) { letGo_ = std::move(letGo); }
  /// Somebody wants the step that goes on to stand still.
  void setPause(std::function<void()> pause) { pause_ = std::move(pause); }

 private:
  std::shared_ptr<DebugLine> line_;
  std::map<int, std::shared_ptr<RemoteDebugger>> graphs_;
  std::function<void(int, qint64)> letGo_;
  std::function<void()> pause_;
};

}  // namespace weft::app
