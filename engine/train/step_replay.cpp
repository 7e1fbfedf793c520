#include "weft/step_replay.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "train/step_history.h"
#include "train/trainer_impl.h"

// Steps of a training computed again. The copy is a Trainer of its own, prepared like the first one, so that its plans and thus its bits are the same.
namespace weft {

struct StepReplay::Impl {
  std::unique_ptr<Trainer> trainer;
  std::shared_ptr<StepHistory> history;
  std::optional<StepRecord> at;    // the step before which the state is
  bool clean = false;              // the session is in that state
  CancellationToken cancellation;  // of the last goTo()
  std::map<std::string, Tensor> state;
  std::optional<StepRecord> before;  // the step before `at`, and its state: answers often go on there
  std::map<std::string, Tensor> stateBefore;
  std::vector<Tensor> batch;
  Callable evaluate;
  std::vector<std::string> evaluateFetches;

  Trainer::Impl& t() const { return *trainer->impl_; }
  Session& session() const { return *t().session; }

  Status restore(const std::map<std::string, Tensor>& variables) {
    for (const auto& [name, value] : variables) WEFT_TRY(session().setVariable(name, value));
    return {};
  }
  /// Sets random streams to where they were before a step. Streams that did not exist then can only start anew, in a new session.
  Status restoreStreams(const StepRecord& r) {
    if (!r.streams) return {};
    const std::map<std::string, std::string>& then = *r.streams;
    const auto now = session().opStates();
    const bool tooMany = std::any_of(now.begin(), now.end(), [&](const auto& stream) { return !then.contains(stream.first); });
    if (tooMany) {
      const auto variables = session().variables();
      WEFT_TRY(start());
      WEFT_TRY(restore(variables));
    }
    session().restoreOpStates(then);
    return {};
  }
  /// Makes a new session.
  Status start() {
    std::unique_ptr<Trainer> fresh(new Trainer);
    Trainer::Impl& to = *fresh->impl_;
    to.document = t().document;
    to.settings = t().settings;
    to.options = t().options;
    to.data = t().data;
    trainer = std::move(fresh);
    WEFT_TRY(t().prepare());
    evaluateFetches.clear();
    return t().settings.initOp.empty() ? Status() : session().run({}, {}, {t().settings.initOp}).status();
  }
  Status makeClean() {
    if (!clean) WEFT_TRY(restore(state));
    WEFT_TRY(restoreStreams(*at));
    clean = true;
    return {};
  }
  Result<std::vector<Tensor>> feedsOf(const StepRecord& r) {
    WEFT_LET(std::vector<Tensor> feeds, t().data.batch(r.epoch, r.stepInEpoch));
    feeds.insert(feeds.end(), r.feeds->begin(), r.feeds->end());
    return feeds;
  }
  const Callable& callableOf(const StepRecord& r) const {
    return r.probes ? (r.summarizes ? t().probedSummaryStep : t().probeStep) : r.summarizes ? t().summaryStep : t().trainStep;
  }
  Error notRecorded(int64_t step) const {
    const RecordedSteps r = history->recorded();
    if (!r.whyNot.empty()) return failedPrecondition("Steps of this training cannot be computed again: ", r.whyNot, ".");
    if (r.last == 0) return outOfRange("No step is recorded yet.");
    return outOfRange("Step ", step, " is not recorded; steps ", r.first, " to ", r.last, " are.");
  }
};

StepReplay::StepReplay(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StepReplay::~StepReplay() = default;

Result<std::unique_ptr<StepReplay>> Trainer::replay() const {
  if (!impl_->history) return failedPrecondition("Steps of this training are not recorded.");
  if (const RecordedSteps r = impl_->history->recorded(); !r.whyNot.empty())
    return failedPrecondition("Steps of this training cannot be computed again: ", r.whyNot, ".");
  std::unique_ptr<Trainer> copy(new Trainer);
  Impl& t = *copy->impl_;
  t.document = impl_->document;
  t.settings = impl_->settings;
  t.data = impl_->history->data;
  t.options.folder = impl_->options.folder;
  t.options.session = impl_->options.session;
  t.options.logFolder = t.options.checkpointFolder = std::string();
  // What a step fetches decides about its plan.
  if (impl_->options.callbacks.gradients) t.options.callbacks.gradients = [](int64_t, const std::vector<GradientNorm>&) {};
  if (impl_->options.probe.wanted) t.options.probe = {impl_->options.probe.tensors, [](int64_t) { return false; }, {}};
  auto made = std::make_unique<StepReplay::Impl>();
  made->trainer = std::move(copy);
  made->history = impl_->history;
  WEFT_TRY(made->start());
  return std::unique_ptr<StepReplay>(new StepReplay(std::move(made)));
}

RecordedSteps Trainer::recordedSteps() const {
  if (impl_->history) return impl_->history->recorded();
  RecordedSteps none;
  none.whyNot = "steps are not recorded";
  return none;
}

RecordedSteps StepReplay::recorded() const { return impl_->history->recorded(); }
int64_t StepReplay::step() const { return impl_->at ? impl_->at->step : 0; }
const TrainingSettings& StepReplay::settings() const { return impl_->t().settings; }
const Graph& StepReplay::graph() const { return impl_->t().document.graph; }

Status StepReplay::goTo(int64_t step, const CancellationToken& cancellation) {
  Impl& r = *impl_;
  r.cancellation = cancellation;
  if (r.at && r.at->step == step) return {};
  if (r.before && r.before->step == step) {
    WEFT_LET(std::vector<Tensor> batch, r.t().data.batch(r.before->epoch, r.before->stepInEpoch));
    r.batch = std::move(batch);
    r.at = std::exchange(r.before, std::nullopt);
    r.state = std::exchange(r.stateBefore, {});
    r.clean = false;
    return {};
  }
  const auto wanted = r.history->record(step);
  const auto copy = r.history->copyBefore(step);
  if (!wanted || !copy) return r.notRecorded(step);
  int64_t next = copy->step + 1;
  std::map<std::string, Tensor> state;  // before the first step, if it is known
  if (r.at && r.at->step <= step && r.at->step > next) {
    WEFT_TRY(r.makeClean());
    next = r.at->step;
    state = std::move(r.state);
  } else {
    WEFT_TRY(r.restore(copy->variables));
  }
  r.at.reset();
  r.before.reset();
  r.stateBefore.clear();
  RunOptions run;
  run.cancellation = cancellation;
  for (; next < step; ++next) {
    if (cancellation.cancelled()) return cancelledError("Cancelled while step ", next, " was computed again.");
    const auto record = r.history->record(next);
    if (!record) return r.notRecorded(next);
    WEFT_TRY(r.restoreStreams(*record));
    if (next + 1 == step) {
      r.before = record;
      r.stateBefore = state.empty() ? r.session().variables() : std::move(state);
    }
    state.clear();
    WEFT_LET(const std::vector<Tensor> feeds, r.feedsOf(*record));
    WEFT_LET(const auto values, r.callableOf(*record).run(feeds, run));
    const double loss = r.t().settings.loss.empty() ? 0 : values[0].asDouble(0);
    if (std::bit_cast<uint64_t>(loss) != std::bit_cast<uint64_t>(record->loss))
      return dataLoss("Step ", next, ", computed again, has the loss ", loss, "; in the training it was ", record->loss,
                      ". Something changed the state of the training from outside.");
  }
  WEFT_LET(std::vector<Tensor> batch, r.t().data.batch(wanted->epoch, wanted->stepInEpoch));
  r.batch = std::move(batch);
  r.at = wanted;
  r.state = r.session().variables();
  r.clean = true;
  return {};
}

Status StepReplay::compute(StepController& controller) {
  Impl& r = *impl_;
  if (!r.at) return failedPrecondition("No step was chosen.");
  WEFT_TRY(r.makeClean());
  RunOptions run;
  run.controller = &controller;
  run.cancellation = r.cancellation;
  WEFT_LET(const std::vector<Tensor> feeds, r.feedsOf(*r.at));
  r.clean = false;
  return r.callableOf(*r.at).run(feeds, run).status();
}

Result<std::vector<Tensor>> StepReplay::evaluate(const std::vector<std::string>& fetches, int64_t row) {
  Impl& r = *impl_;
  if (!r.at) return failedPrecondition("No step was chosen.");
  WEFT_TRY(r.makeClean());
  std::vector<Tensor> feeds = r.batch;
  if (row >= 0) {
    for (Tensor& t : feeds) {
      const std::vector<int64_t> rows(size_t(r.t().data.fixedBatch() ? t.dim(0) : 1), row);
      WEFT_LET(t, takeRows(t, rows.data(), int64_t(rows.size())));
    }
  }
  feeds.insert(feeds.end(), r.at->feeds->begin(), r.at->feeds->end());
  if (r.evaluateFetches != fetches) {
    std::vector<std::string> names = r.t().data.placeholders();
    names.insert(names.end(), r.t().trainFeedNames.begin(), r.t().trainFeedNames.end());
    WEFT_LET(r.evaluate, r.session().prepare(names, fetches));
    r.evaluateFetches = fetches;
  }
  // It may change variables: an update itself, or moving averages that a value waits for.
  r.clean = false;
  return r.evaluate.run(feeds);
}

const std::map<std::string, Tensor>& StepReplay::variables() const { return impl_->state; }

std::vector<std::pair<std::string, Tensor>> StepReplay::feeds() const {
  std::vector<std::pair<std::string, Tensor>> out;
  if (!impl_->at) return out;
  const Trainer::Impl& t = impl_->t();
  for (size_t i = 0; i < impl_->batch.size(); ++i) out.emplace_back(t.data.placeholders()[i], impl_->batch[i]);
  for (size_t i = 0; i < impl_->at->feeds->size(); ++i) out.emplace_back(t.trainFeedNames[i], (*impl_->at->feeds)[i]);
  return out;
}

const std::vector<std::string>& StepReplay::dataTensors() const { return impl_->t().data.placeholders(); }
bool StepReplay::hasFixedBatch() const { return impl_->t().data.fixedBatch(); }
std::vector<int64_t> StepReplay::rows() const {
  return impl_->at ? impl_->t().data.batchRows(impl_->at->epoch, impl_->at->stepInEpoch) : std::vector<int64_t>();
}

double StepReplay::loss(int64_t step) const {
  const auto record = impl_->history->record(step);
  return record && !impl_->t().settings.loss.empty() ? record->loss : NAN;
}

std::vector<std::pair<int64_t, double>> StepReplay::history(const std::string& variable, int64_t element) const {
  std::vector<std::pair<int64_t, double>> out;
  for (const auto& copy : impl_->history->copies()) {
    const auto value = copy->variables.find(variable);
    if (value != copy->variables.end() && element >= 0 && element < value->second.elements()) out.emplace_back(copy->step, value->second.asDouble(element));
  }
  return out;
}

}  // namespace weft
