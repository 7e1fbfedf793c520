#include "adapters/tasks.h"

#include <QMetaObject>
#include <algorithm>

#include "adapters/border.h"

namespace weft::app {

Tasks::Tasks(QObject* parent) : QObject(parent) {}

Tasks::~Tasks() {
  for (auto& task : tasks_) task->state->cancelled = true;
  for (auto& task : tasks_) task->thread.join();
}

int Tasks::start(const QString& title, std::function<void(TaskState&)> work, std::function<void()> finish, std::function<void()> cancelled) {
  auto task = std::make_unique<Task>();
  const int id = nextId_++;
  task->id = id;
  task->title = title;
  task->clock.start();
  task->state = std::make_shared<TaskState>();
  task->finish = std::move(finish);
  task->cancelled = std::move(cancelled);
  // Invoked by name, so that the message carries only the call; `done` orders the work's writes before the reads in `finish`.
  task->thread = std::thread([this, id, state = task->state, work = std::move(work)] {
    // An exception in the work must not end the program: the task is dropped and the reason is logged.
    if (const QString failure = failureOf([&] { work(*state); }); !failure.isEmpty()) {
      qWarning("a task failed: %s", qPrintable(failure));
      QMetaObject::invokeMethod(
          this, [this, id] { cancel(id); }, Qt::QueuedConnection);
    }
    state->done = true;
    QMetaObject::invokeMethod(this, "reap", Qt::QueuedConnection);
  });
  tasks_.push_back(std::move(task));
  emit changed();
  return id;
}

void Tasks::cancel(int id) {
  for (auto& task : tasks_) {
    if (task->id != id || task->dropped) continue;
    task->dropped = true;
    task->state->cancelled = true;
    if (auto then = std::move(task->cancelled)) then();
    emit changed();
    return;
  }
}

QVector<Tasks::Info> Tasks::running() const {
  QVector<Info> list;
  for (const auto& task : tasks_) {
    if (!task->dropped) list << Info{task->id, task->title, task->state->progress.load(std::memory_order_relaxed), double(task->clock.elapsed()) / 1e3};
  }
  return list;
}

bool Tasks::isEmpty() const {
  return std::none_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return !task->dropped; });
}

void Tasks::reap() {
  std::vector<std::unique_ptr<Task>> ended;
  for (auto& task : tasks_) {
    if (task->state->done) ended.push_back(std::move(task));
  }
  std::erase(tasks_, nullptr);
  for (auto& task : ended) finish(std::move(task));
}

void Tasks::finish(std::unique_ptr<Task> task) {
  task->thread.join();
  if (!task->dropped && task->finish) task->finish();
  emit changed();
  if (!task->dropped) emit ended(task->title, double(task->clock.elapsed()) / 1e3);
}

}  // namespace weft::app
