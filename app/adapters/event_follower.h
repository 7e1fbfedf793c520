// Reads a folder of event files, and goes on reading while they grow.
#pragma once

#include <QString>
#include <functional>
#include <memory>

#include "adapters/summary_batch.h"
#include "adapters/tasks.h"

namespace weft::app {

/// Every folder below `path` that holds event files is a run, read in the order of the files' names, as TensorBoard does. A `path` may also be
/// one event file. What happens to the files while they are followed is answered so: what grows is read on; a file that was cut, replaced or
/// written anew makes its run begin anew; one that was deleted, or is damaged, leaves what was read and states the problem, which goes away
/// when the file is whole again. A value that
/// goes back in steps takes the place of those from its step on, with or without a word of the writer that it began again: unlike in TensorBoard,
/// tags that are not logged any more keep their values then.
class EventFollower {
 public:
  explicit EventFollower(QString path);
  /// Stops following and waits for it (a read of at most some hundred events).
  ~EventFollower();
  EventFollower(const EventFollower&) = delete;
  EventFollower& operator=(const EventFollower&) = delete;

  const QString& path() const { return path_; }
  /// Whether `path` is an event file or holds some itself (not only in folders of its own). Any thread; looks at names only.
  static bool hasEvents(const QString& path);

  /// Reads everything that is there; progress in bytes. Any thread, but before follow(). Returns an error if there is nothing to read.
  QString readAll(TaskState& task);
  /// Looks for more on a thread of its own, twice a second, from now on.
  void follow();
  /// Ends reading and following soon; there will be no more news. Any thread.
  void stop();
  /// The next news, oldest first; null if there is none. One thread (the GUI's).
  SummaryBatchPtr next();

 private:
  struct Impl;
  QString path_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
