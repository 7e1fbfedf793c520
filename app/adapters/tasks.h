// Background jobs with progress and cancelling, as the status bar shows them.
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

/// The state that both threads share.
struct TaskState {
  std::atomic<double> progress{-1};  ///< 0…1; negative: unknown.
  std::atomic<bool> cancelled{false};
  std::atomic<bool> done{false};  ///< The work has returned.
};

/// Runs jobs, each on its own thread. A cancelled job may continue for a while, but its result is dropped. GUI thread.
class Tasks : public QObject {
  Q_OBJECT

 public:
  struct Info {
    int id = 0;
    QString title;
    double progress = -1;
    double seconds = 0;  ///< Since the start.
  };

  explicit Tasks(QObject* parent = nullptr);
  /// Cancels all and waits for their threads.
  ~Tasks() override;

  /// Runs `work` on a new thread, then `finish` on the GUI thread; if it is cancelled, `cancelled` runs there at once instead. Returns the task's number.
  int start(const QString& title, std::function<void(TaskState&)> work, std::function<void()> finish, std::function<void()> cancelled = {});
  void cancel(int id);
  /// Tasks that have neither ended nor been cancelled.
  QVector<Info> running() const;
  bool isEmpty() const;

 signals:
  void changed();
  /// A task ended after that many seconds; not emitted for cancelled tasks.
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
