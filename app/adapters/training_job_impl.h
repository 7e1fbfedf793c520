// Internals of TrainingJob, included only by its sources, and for CarriedState by what trains again.
#pragma once

#include <atomic>
#include <map>
#include <thread>

#include "adapters/debug_job.h"
#include "adapters/event_queue.h"
#include "adapters/latest_norms.h"
#include "adapters/latest_value.h"
#include "adapters/profile_trace.h"
#include "adapters/step_interceptor.h"
#include "adapters/training_job.h"
#include "weft/debugger.h"
#include "weft/doctor.h"
#include "weft/events.h"
#include "weft/mutex.h"
#include "weft/train.h"

namespace weft::app {

/// The present position of a training: the numbers of a TrainEvent of Kind::Step.
struct TrainingProgress {
  double step = 0, totalSteps = 0, epoch = 0, totalEpochs = 0, rate = 0, seconds = 0;

  TrainingProgress() = default;
  explicit TrainingProgress(const TrainStep& s)
      : step(double(s.step)),
        totalSteps(double(s.totalSteps)),
        epoch(double(s.epoch - 1) + (s.stepsPerEpoch > 0 ? double(s.stepInEpoch) / double(s.stepsPerEpoch) : 0)),
        totalEpochs(double(s.totalEpochs)),
        rate(s.samplesPerSecond),
        seconds(s.seconds) {}
  TrainEvent event() const {
    TrainEvent event;
    event.kind = TrainEvent::Kind::Step;
    event.step = step;
    event.totalSteps = totalSteps;
    event.epoch = epoch;
    event.totalEpochs = totalEpochs;
    event.rate = rate;
    event.seconds = seconds;
    return event;
  }
};

/// The variables and the step of a run that has ended.
struct CarriedState {
  std::map<std::string, Tensor> variables;
  int64_t step = 0;
};

struct TrainingJob::Impl {
  GraphContentsPtr contents;
  TrainRequest request;
  QString target;                ///< Of the server that computes the steps; empty: this process.
  CancellationToken connecting;  ///< Ends the wait for that server.
  // Values of every step use a fast path, because thousands of steps may end in a second.
  EventQueue<widgets::Sample> losses, accuracies;
  LatestValue<TrainingProgress> progress;
  EventQueue<TrainEvent> events;  // everything else
  LatestNorms gradients;
  std::unique_ptr<TrainingDoctor> doctor;  // null: it does not watch
  EventQueue<DoctorNote> findings;
  Mutex summariesMutex;  // held briefly; guards `summaries`
  SummaryColumns summaries WEFT_GUARDED_BY(summariesMutex);
  std::atomic<bool> ended{false};
  std::thread thread;

  mutable Mutex control;  // held briefly; guards the next five members and request.firstSteps
  std::shared_ptr<Trainer> trainer WEFT_GUARDED_BY(control);
  std::shared_ptr<StepInterceptor> interceptor WEFT_GUARDED_BY(control);
  QString documentHash WEFT_GUARDED_BY(control);
  bool wantsStop WEFT_GUARDED_BY(control) = false;
  bool wantsPause WEFT_GUARDED_BY(control) = false;

  std::atomic<bool> keepsState{false};  // another run continues with the variables
  std::atomic<bool> abandoned{false};   // the session was closed before the training ended
  std::atomic<bool> canStep{false};     // on a server
  std::atomic<bool> watchNan{false};
  NanWatch watch{true};
  std::shared_ptr<DebugJob> failedStep;  // used on the training thread until `ended`

  std::atomic<qint64> traceLeft{0}, traceSkip{0};
  std::shared_ptr<TracedSteps> recording;  // used on the training thread
  std::shared_ptr<const StepPlan> plan;    // the same
  Mutex traces;                            // guards `recorded`
  TracedStepsPtr recorded WEFT_GUARDED_BY(traces);

  Status status;                                // written before `ended`, read after it
  std::string checkpoint;                       // the same
  std::shared_ptr<const CarriedState> carried;  // the same

  // On the training thread only:
  SummaryDecoder decoder;
  SummaryBatchPtr computed;  // summaries of the step in progress

  TrainOptions options();
  std::shared_ptr<StepInterceptor> activeInterceptor() const;
  bool repeatFailed(int64_t step, const Status& failure, RunOptions& run);
  Status nameNan(Status status) const;
  void record(int64_t step, const RunReport& report);
  void describeRecording();
  void endRecording();
  void run();
  std::shared_ptr<const CarriedState> stateNow() const;
  /// `step`: null if the step failed after the summaries were computed.
  void pushSummaries(const TrainStep* step);
  /// The trainer, or null while the training is being prepared.
  std::shared_ptr<Trainer> presentTrainer() const;
  /// The same for the training's thread, which need not lock to read what it alone sets.
  Trainer& ownTrainer() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return *trainer; }
};

}  // namespace weft::app
