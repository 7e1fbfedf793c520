#include <cmath>
#include <sstream>

#include "tensor/value_text.h"
#include "train/trainer_impl.h"

// The loop of a training, on the thread that called run().
namespace weft {
namespace {

double secondsBetween(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

/// Square root of the sum of squares.
double normOf(const Tensor& values) {
  double sum = 0;
  if (values.dtype() == DType::Float) {
    const float* v = values.data<float>();
    double parts[4] = {};  // independent partial sums, so that additions need not wait for one another
    int64_t i = 0;
    const int64_t n = values.elements();
    for (; i + 4 <= n; i += 4)
      for (int j = 0; j < 4; ++j) parts[j] += double(v[i + j]) * double(v[i + j]);
    for (; i < n; ++i) parts[0] += double(v[i]) * double(v[i]);
    sum = parts[0] + parts[1] + parts[2] + parts[3];
  } else {
    for (int64_t i = 0; i < values.elements(); ++i) sum += values.asDouble(i) * values.asDouble(i);
  }
  return std::sqrt(sum);
}

}  // namespace

void Trainer::Impl::setState(TrainState s) {
  {
    const MutexLock lock(mutex);
    if (state == s) return;
    state = s;
  }
  if (options.callbacks.state) options.callbacks.state(s);
}

/// Waits while paused. Returns false once the loop has to end.
bool Trainer::Impl::waitWhilePaused() {
  const auto interrupted = [&] { return options.interrupted && options.interrupted->load(std::memory_order_relaxed); };
  if (interrupted()) return false;
  {
    const MutexLock lock(mutex);
    if (order == Order::Once) {
      if (--onceLeft <= 0) order = Order::Pause;
      return true;
    }
    if (order != Order::Pause) return order != Order::Stop;
  }
  setState(TrainState::Paused);
  const auto since = Clock::now();
  bool stopped = false;
  {
    const MutexLock lock(mutex);
    // A signal handler cannot notify, so its flag is polled.
    while (order == Order::Pause && !interrupted()) wake.wait_for(mutex, std::chrono::milliseconds(100));
    pausedSeconds += secondsBetween(since, Clock::now());
    if (order == Order::Once && --onceLeft <= 0) order = Order::Pause;
    stopped = order == Order::Stop || interrupted();
  }
  rate.start(loopStep());
  if (stopped) return false;
  setState(TrainState::Running);
  return true;
}

Result<std::vector<Tensor>> Trainer::Impl::compute(const std::vector<Tensor>& feeds, const Callable& callable) {
  const int64_t next = loopStep() + 1;
  RunOptions run;
  RunReport told;
  computing = true;
  if (options.prepareRun) options.prepareRun(next, run);
  std::map<std::string, std::string> streams;
  if (options.retryStep && !run.observers.empty()) streams = session->opStates();
  stepped = run.controller != nullptr;
  auto values = callable.run(feeds, run, &told);
  RunOptions again;
  if (!values.ok() && options.retryStep && session->target().empty() && options.retryStep(next, values.status(), again)) {
    if (!run.observers.empty()) session->restoreOpStates(streams);
    told = {};
    stepped = true;
    values = callable.run(feeds, again, &told);
  }
  computing = false;
  if (values.ok() && told.trace && options.stepReport) options.stepReport(next, told);
  return values;
}

Status Trainer::Impl::oneStep(TrainStep* report) {
  WEFT_LET(std::vector<Tensor> feeds, data.batch(epoch, stepInEpoch));
  const int64_t samples = feeds.empty() ? 0 : feeds[0].dim(0);
  {
    const MutexLock lock(mutex);
    if (liveChanged) {
      for (size_t i = 0; i < settings.live.size(); ++i) {
        Tensor& value = trainFeedValues[size_t(liveFeed[i])];
        std::ostringstream text;
        text.precision(17);
        text << liveValues[i];
        WEFT_LET(value, tensorFromText(text.str(), value.dtype(), value.shape()));
      }
      liveChanged = false;
    }
  }
  feeds.insert(feeds.end(), trainFeedValues.begin(), trainFeedValues.end());
  const int64_t next = loopStep() + 1;
  const bool summarize =
      (summaries.isOpen() || options.callbacks.summary) && settings.summaryEverySteps > 0 && (next % settings.summaryEverySteps == 0 || next == 1);
  const bool probes = options.probe.wanted && options.probe.wanted(next);
  if (history) history->before({next, epoch, stepInEpoch, summarize, probes, nullptr, nullptr, 0}, trainFeedValues, *session);
  const auto computes = Clock::now();
  WEFT_LET(std::vector<Tensor> values, compute(feeds, probes ? (summarize ? probedSummaryStep : probeStep) : summarize ? summaryStep : trainStep));
  std::vector<Tensor> probed;
  if (probes) {
    const auto begins = values.end() - std::ptrdiff_t(options.probe.tensors.size());
    probed.assign(std::make_move_iterator(begins), std::make_move_iterator(values.end()));
    values.erase(begins, values.end());
  }
  {
    const MutexLock lock(mutex);
    step = next;
  }
  ++stepInEpoch;
  size_t k = 0;
  report->loss = settings.loss.empty() ? 0 : values[k++].asDouble(0);
  report->accuracy = settings.accuracy.empty() ? -1 : values[k++].asDouble(0);
  if (history) history->after(report->loss, secondsBetween(computes, Clock::now()), !stepped);
  report->step = next;
  report->totalSteps = totalSteps;
  report->epoch = epoch + 1;
  report->totalEpochs = (totalSteps + data.stepsPerEpoch() - 1) / data.stepsPerEpoch();
  report->stepInEpoch = stepInEpoch;
  report->stepsPerEpoch = data.stepsPerEpoch();
  report->stepsPerSecond = rate.update(next);
  report->samplesPerSecond = report->stepsPerSecond * double(samples);
  report->seconds = secondsBetween(begin, Clock::now()) - pausedSeconds;
  if (probes) options.probe.values(next, probed, *session);
  if (summarize) WEFT_TRY(writeSummaries({values.begin() + std::ptrdiff_t(k), values.end()}, *report));
  if (!std::isfinite(report->loss)) return failedPrecondition("Model diverged with loss = ", report->loss, " in step ", next, ".").atNode(settings.loss);
  return {};
}

Status Trainer::Impl::writeSummaries(const std::vector<Tensor>& values, const TrainStep& report) {
  SummaryLog::Step step(report.step);
  size_t k = 0;
  for (; k < summaryTensors.size(); ++k)
    for (const std::string& bytes : values[k].flat<std::string>()) step.add(bytes);
  for (const auto& [name, tensor] : settings.metrics) step.add(name, values[k++].asDouble(0));
  if (!gradientNorms.empty()) {
    for (GradientNorm& g : gradientNorms) g.norm = normOf(values[k++]);
    options.callbacks.gradients(report.step, gradientNorms);
  }
  if (summaryTensors.empty()) {
    if (!settings.loss.empty()) step.add("loss", report.loss);
    if (!settings.accuracy.empty()) step.add("accuracy", report.accuracy);
  }
  step.add("global_step/sec", report.stepsPerSecond);
  if (options.callbacks.summary) {
    WEFT_LET(const Event event, step.event());
    options.callbacks.summary(event);
  }
  return summaries.write(step);
}

Status Trainer::Impl::evaluateNow() {
  const int64_t n = data.evaluationRows(), most = data.evaluationBatchSize();
  if (n == 0 || settings.loss.empty()) return {};
  const auto since = Clock::now();
  TrainEvaluation e;
  e.step = loopStep();
  e.epoch = epoch + (stepInEpoch > 0 ? 1 : 0);
  double loss = 0, accuracy = 0;
  for (int64_t at = 0; at < n; at += most) {
    const int64_t count = std::min(most, n - at);
    WEFT_LET(std::vector<Tensor> feeds, data.evaluationBatch(at, count));
    feeds.insert(feeds.end(), evalFeedValues.begin(), evalFeedValues.end());
    WEFT_LET(const auto values, evaluate.run(feeds));
    loss += values[0].asDouble(0) * double(count);
    if (!settings.accuracy.empty()) accuracy += values[1].asDouble(0) * double(count);
    e.samples += count;
  }
  e.loss = loss / double(e.samples);
  e.accuracy = settings.accuracy.empty() ? -1 : accuracy / double(e.samples);
  e.seconds = secondsBetween(since, Clock::now());
  {
    const MutexLock lock(mutex);
    lastEvaluation = e;
  }
  withoutGain = e.loss < bestLoss ? 0 : withoutGain + 1;
  bestLoss = std::min(bestLoss, e.loss);
  if (options.patience > 0 && withoutGain >= options.patience) early = true;
  WEFT_TRY(summaries.writeEvaluation(e));
  if (options.callbacks.evaluation) options.callbacks.evaluation(e);
  return {};
}

Status Trainer::Impl::writeProjector() { return summaries.isOpen() ? data.projector().write(*session, logFolder, posixFileSystem()) : Status(); }

Status Trainer::Impl::saveNow() {
  const int64_t step = loopStep();
  if (!checkpoints || checkpointedStep == step) return {};
  TrainingPosition at{step, epoch, stepInEpoch, session->opStates()};
  WEFT_LET(const std::string prefix, checkpoints->save(*session, document, at));
  checkpointedStep = step;
  lastSave = Clock::now();
  {
    const MutexLock lock(mutex);
    lastCheckpoint = prefix;
  }
  WEFT_TRY(summaries.writeCheckpoint(prefix, step));
  if (options.callbacks.checkpoint) options.callbacks.checkpoint(prefix, step);
  return {};
}

Status Trainer::Impl::loop() {
  begin = lastSave = Clock::now();
  rate.start(loopStep());
  int64_t evaluatedStep = -1;
  TrainStep report;
  while (loopStep() < totalSteps && !early && waitWhilePaused()) {
    if (stepInEpoch >= data.stepsPerEpoch()) {
      ++epoch;
      stepInEpoch = 0;
    }
    WEFT_TRY(oneStep(&report));
    if (options.callbacks.step) options.callbacks.step(report);
    const bool epochEnds = stepInEpoch >= data.stepsPerEpoch();
    if (settings.evalEverySteps > 0 ? loopStep() % settings.evalEverySteps == 0 : epochEnds) {
      WEFT_TRY(evaluateNow());
      evaluatedStep = loopStep();
    }
    if (epochEnds && options.callbacks.epochEnd) options.callbacks.epochEnd(report);
    const bool bySteps = settings.checkpointEverySteps > 0 && loopStep() % settings.checkpointEverySteps == 0;
    const bool byTime = settings.checkpointEverySecs > 0 && secondsBetween(lastSave, Clock::now()) >= settings.checkpointEverySecs;
    if (bySteps || byTime) WEFT_TRY(saveNow());
    if (epochEnds) WEFT_TRY(writeProjector());
  }
  WEFT_TRY(writeProjector());
  WEFT_TRY(saveNow());
  if (loopStep() >= totalSteps && evaluatedStep != loopStep()) WEFT_TRY(evaluateNow());
  return {};
}

}  // namespace weft
