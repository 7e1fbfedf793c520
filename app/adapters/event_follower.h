// Reads a folder of event files, and keeps reading while they grow.
#pragma once

#include <QString>
#include <functional>
#include <memory>

#include "adapters/summary_batch.h"
#include "adapters/tasks.h"

namespace weft::app {

/// Every folder below `path` that holds event files is a run; its files are read in the order of their names, as TensorBoard does. `path` may also be a single
/// event file. A file that grows is read on. A file that was cut, replaced or rewritten makes its run start over. A file that was deleted or is damaged keeps
/// the values already read and reports a problem, which goes away when the file is whole again. When a value's step goes back, it replaces the values from that
/// step on, whether or not the writer marked a restart. Unlike in TensorBoard, tags that are no longer logged then keep their values.
class EventFollower {
 public:
  explicit EventFollower(QString path);
  /// Stops following and waits for the thread (a read of at most some hundred events).
  ~EventFollower();
  EventFollower(const EventFollower&) = delete;
  EventFollower& operator=(const EventFollower&) = delete;

  const QString& path() const { return path_; }
  /// Whether `path` is an event file or directly contains some. Any thread; looks at names only.
  static bool hasEvents(const QString& path);
  /// Whether a file of that name is an event file.
  static bool isEventFile(const QString& name);

  /// Reads everything available; progress in bytes. Any thread, before follow(). Returns an error if there is nothing to read.
  QString readAll(TaskState& task);
  /// Starts a thread that looks for more twice a second.
  void follow();
  /// Requests an end of reading and following; no more news arrives. Any thread.
  void stop();
  /// The oldest unread news; null if there is none. One thread (the GUI's).
  SummaryBatchPtr next();

 private:
  struct Impl;
  QString path_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
