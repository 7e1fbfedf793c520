// Long jobs beside the GUI thread, with progress and cancelling, as the status bar shows them.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QVector>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace weft::app {

/// The part of a task that both threads see.
struct TaskState {
  std::atomic<double> progress{-1};  ///< 0…1; negative: not known.
  std::atomic<bool> cancelled{false};
  std::atomic<bool> done{false};  ///< The work has returned.
};

/// Runs jobs on threads of their own. A job that was cancelled may go on computing for a while, but its result is dropped. GUI thread.
class Tasks : public QObject {
  Q_OBJECT

 public:
  struct Info {
    int id = 0;
    QString title;
    double progress = -1;
    double seconds = 0;  ///< Since it began.
  };

  explicit Tasks(QObject* parent = nullptr);
  /// Cancels all and waits for their threads.
  ~Tasks() override;

  /// Runs `work` on a thread of its own, then `finish` on the GUI thread; `cancelled` there instead, at once, if it was cancelled.
  /// Returns the task's number.
  int start(const QString& title, std::function<void(TaskState&)> work, std::function<void()> finish, std::function<void()> cancelled = {});
  void cancel(int id);
  /// Tasks that have not ended and were not cancelled.
  QVector<Info> running() const;
  bool isEmpty() const;

 signals:
  void changed();
  /// A task came to its end, after so many seconds; not if it was cancelled.
  void ended(const QString& title, double seconds);

 private:
  struct Task {
    int id = 0;
    QString title;
    std::shared_ptr<TaskState> state;
    std::function<void()> finish, cancelled;
    std::thread thread;
    QElapsedTimer clock;
    bool dropped = false;
  };
  /// Ends the tasks whose work is done.
  Q_INVOKABLE void reap();
  void finish(std::unique_ptr<Task> task);

  std::vector<std::unique_ptr<Task>> tasks_;
  int nextId_ = 1;
};

}  // namespace weft::app
