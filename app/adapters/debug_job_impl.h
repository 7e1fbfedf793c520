// Internals of DebugJob, included only by its sources.
#pragma once

#include <QCoreApplication>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "adapters/debug_job.h"
#include "adapters/engine_graph.h"
#include "adapters/step_interceptor.h"
#include "weft/debugger.h"
#include "weft/mutex.h"
#include "weft/train.h"

namespace weft::app {

struct DebugJob::Impl final : StepInterceptor {
  /// Own run, steps of a training, repetition of a failed training step, or steps of a program in another process.
  enum class Kind { Own, Steps, Failed, Program } kind = Kind::Own;
  GraphContentsPtr contents;
  DebugRequest request;
  std::function<void()> changed;
  std::shared_ptr<Debugger> own;           ///< Of runs in this process.
  std::shared_ptr<DebugControl> debugger;  ///< The debugger to read and command.
  CancellationToken cancel;
  std::shared_ptr<Session> session;
  std::shared_ptr<Trainer> trainer;
  std::vector<int> modelIndex;  ///< Index in the document's arrays, by id in the engine's graph.
  std::atomic<bool> begun{false}, ended{false};
  std::atomic<Trainer*> training{nullptr};
  mutable Mutex mutex;
  Status status WEFT_GUARDED_BY(mutex);
  std::shared_ptr<Session> shown WEFT_GUARDED_BY(mutex);  // the session of an own run, for other threads to read
  QStringList lines WEFT_GUARDED_BY(mutex);
  std::vector<int64_t> rows WEFT_GUARDED_BY(mutex);  // rows of the training data in the batch of the latest debugged step

  qint64 stepsLeft = 0;  // for Kind::Steps; used on the training's thread
  /// The state recorded where a failed step stopped.
  struct Seen {
    DebugState state;
    DebugPorts ports;
    DebugAutopsy autopsy;
  };
  std::optional<Seen> seen;  // written before `ended`, read after it

  std::thread thread;

  void makeDebugger(bool stopAtEntry, const std::vector<Breakpoint>& breakpoints);
  void mapNodes();
  void recordStop();
  DebugState state() const;
  DebugPorts ports() const;
  bool hasEnded() const { return kind == Kind::Program ? debugger->view().phase == DebugPhase::Ended : ended.load(); }

  void prepare(int64_t step, const Trainer& trainer, RunOptions& run) override;
  void stepDone() override;
  void trainingEnds(const Status& result) override;
  void detach() override { debugger->detach(); }

  const Graph& graph() const { return contents->engine->loaded.meta.graph; }
  SessionOptions sessionOptions() const;
  Status run();
  Status runOnce();
  Status train();
  void show(std::shared_ptr<Session> made);
};

}  // namespace weft::app
