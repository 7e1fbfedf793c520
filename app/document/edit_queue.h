#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <thread>

#include "weft/cond_var.h"

namespace weft::app {

/// Runs jobs one after another on one thread; each job's end runs on the GUI thread before the next job starts. The thread starts with the first job.
class EditQueue : public QObject {
  Q_OBJECT

 public:
  explicit EditQueue(QObject* parent = nullptr) : QObject(parent) {}
  /// Waits for the running job; later ones are dropped without running their ends.
  ~EditQueue() override;

  /// `prepare` is called on the GUI thread when the job's turn has come and gives the work for the other thread (null: there is nothing to
  /// do); `finish` on the GUI thread afterwards.
  void add(std::function<std::function<void()>()> prepare, std::function<void()> finish);
  bool isBusy() const { return running_ || !jobs_.empty(); }

 signals:
  void idle();

 private:
  struct Job {
    std::function<std::function<void()>()> prepare;
    std::function<void()> finish;
  };
  void next();
  void loop();
  /// Called on the GUI thread when a job's work is done. Invoked by name: a closure made on one thread and read on another would rely on Qt alone for ordering.
  Q_INVOKABLE void ended();

  std::deque<Job> jobs_;  // GUI thread
  bool running_ = false;  // GUI thread
  std::function<void()> finish_;

  std::thread thread_;
  Mutex mutex_;
  CondVar wake_;
  std::function<void()> work_ WEFT_GUARDED_BY(mutex_);
  bool quit_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::app
