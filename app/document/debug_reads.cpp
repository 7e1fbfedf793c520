// Reads values of the debugged run on other threads; late results are dropped.
#include "adapters/tasks.h"
#include "document/debug_controller.h"
#include "document/document.h"

namespace weft::app {

void DebugController::readTensor(const QString& name, Which which, std::function<void(const DebugTensor&)> done) {
  if (!job_) {
    DebugTensor none;
    none.error = tr("Start the debugger to see values.");
    done(none);
    return;
  }
  auto result = std::make_shared<DebugTensor>();
  tasks_->start(
      tr("Reading %1").arg(name), [result, job = job_, name, which](TaskState&) { *result = job->tensor(name, which); },
      [this, result, done, generation = generation_] {
        if (generation == generation_) done(*result);
      });
}

void DebugController::readPorts(std::function<void(const DebugPorts&)> done) {
  if (!job_) return done({});
  auto result = std::make_shared<DebugPorts>();
  tasks_->start(
      tr("Reading inputs"), [result, job = job_](TaskState&) { *result = job->ports(); },
      [this, result, done, generation = generation_] {
        if (generation == generation_) done(*result);
      });
}

void DebugController::readWires(int most, std::function<void(const QVector<DebugWireValue>&)> done) {
  if (!job_) return done({});
  auto result = std::make_shared<QVector<DebugWireValue>>();
  tasks_->start(
      tr("Reading values of wires"), [result, job = job_, most](TaskState&) { *result = job->wireValues(most); },
      [this, result, done, generation = generation_] {
        if (generation == generation_) done(*result);
      });
}

void DebugController::readLoop(std::function<void(const DebugLoopValues&)> done) {
  if (!job_) return done({});
  auto result = std::make_shared<DebugLoopValues>();
  tasks_->start(
      tr("Reading iterations"), [result, job = job_](TaskState&) { *result = job->loopValues(); },
      [this, result, done, generation = generation_] {
        if (generation == generation_) done(*result);
      });
}

void DebugController::readWatches(const QStringList& expressions, std::function<void(const QVector<QPair<QString, bool>>&)> done) {
  if (!job_ || expressions.isEmpty()) return done({});
  auto result = std::make_shared<QVector<QPair<QString, bool>>>();
  tasks_->start(
      tr("Reading watched values"),
      [result, job = job_, expressions](TaskState&) {
        for (const QString& expression : expressions) {
          bool ok = false;
          const QString value = job->evaluate(expression, &ok);
          *result << QPair<QString, bool>(value, ok);
        }
      },
      [this, result, done, generation = generation_] {
        if (generation == generation_) done(*result);
      });
}

}  // namespace weft::app
