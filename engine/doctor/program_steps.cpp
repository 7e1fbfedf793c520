// Runs of a program that the doctor looks at.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "doctor/program_training.h"

namespace weft {

using doctor::RunKind;

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kMostForward = 0.25;     // seconds that a run before the first step may take, for others to follow
constexpr size_t kMostTests = 16;         // sets of rows among which the test data are found
constexpr size_t kFewElements = 1 << 20;  // of a tensor of losses whose mean is taken

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A number that reads back as the same.
std::string text(double v) {
  char out[32];
  std::snprintf(out, sizeof out, "%.17g", v);
  return out;
}

/// A run that trains.
class TrainingRun final : public ProgramStep {
 public:
  TrainingRun(std::shared_ptr<Training> training, std::shared_ptr<SessionStory> story, RunKind kind, ProgramRun run, const std::vector<char>& computed)
      : t_(std::move(training)), story_(std::move(story)), kind_(std::move(kind)), run_(std::move(run)) {
    const Graph& graph = t_->net.graph();
    const auto place = [&](const std::string& tensor) {
      const auto at = std::find(run_.feeds.begin(), run_.feeds.end(), tensor);
      return at == run_.feeds.end() ? -1 : int(at - run_.feeds.begin());
    };
    fetches_ = run_.fetches;
    const auto fetch = [&](const std::string& tensor) {
      const size_t at = size_t(std::find(fetches_.begin(), fetches_.end(), tensor) - fetches_.begin());
      if (at == fetches_.size()) fetches_.push_back(tensor);
      return int(at);
    };
    if (const std::string& loss = t_->net.settings()->loss; !loss.empty()) {
      const Node* n = t_->net.nodeOf(*graph.findOutput(loss));
      // A loss whose gradient alone is computed costs a mean more.
      if (place(loss) < 0 && (computed[size_t(n->id)] || addsLittle(loss, computed))) loss_ = fetch(loss);
    }
    counted_ = fetches_;
    // Another run of the same training may compute what this one does not: fetching that would need other feeds, or move iterators and queues.
    const auto computes = [&](const std::string& tensor) {
      const auto o = graph.findOutput(tensor);
      return o.ok() && computed[size_t(o->node)];
    };
    for (const std::string& tensor : t_->tensors) {
      const int fed = place(tensor);
      places_.push_back(fed >= 0 ? Place{fed, -1} : computes(tensor) ? Place{-1, fetch(tensor)} : Place{-1, -1});
    }
    for (const std::string& tensor : t_->data.tensors()) {
      const int fed = place(tensor);
      if (fed < 0 && computes(tensor)) dataPlaces_.emplace_back(tensor, fetch(tensor));
    }
  }

  Result<std::vector<Tensor>> run(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    auto out = stepped(plain, feeds, options, report);
    if (out.ok()) story_->ran(kind_, false, {});
    return out;
  }
  bool trains() const override { return true; }

 private:
  struct Place {
    int feed, fetch;  // both negative: this run does not compute it
  };

  Result<std::vector<Tensor>> stepped(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) {
    // A step that is traced, stopped or dumped shall show what the program asked for.
    if (options.trace || options.controller || !options.observers.empty()) return plain.run(feeds, options, report);
    if (!t_->running.try_lock()) {
      t_->contended = true;
      return plain.run(feeds, options, report);
    }
    auto out = watched(plain, feeds, options, report);
    t_->running.unlock();
    return out;
  }

  /// Whether what a loss needs beside the computed nodes changes nothing.
  bool addsLittle(const std::string& loss, const std::vector<char>& computed) const {
    std::vector<int> queue{t_->net.graph().findOutput(loss)->node};
    for (size_t i = 0; i < queue.size(); ++i) {
      const Node& n = *t_->net.graph().node(queue[i]);
      if (computed[size_t(n.id)]) continue;
      if (i > 16 || !isPure(n)) return false;
      for (const Output o : n.inputs) queue.push_back(o.node);
      queue.insert(queue.end(), n.controls.begin(), n.controls.end());
    }
    return true;
  }

  bool prepare() {
    if (prepared_ || refused_) return prepared_;
    auto counted = t_->session.prepare(run_.feeds, counted_, run_.targets), measured = t_->session.prepare(run_.feeds, fetches_, run_.targets);
    refused_ = !counted.ok() || !measured.ok();
    if (refused_) return false;
    countedRun_ = std::move(*counted);
    measuredRun_ = std::move(*measured);
    return prepared_ = true;
  }

  Result<std::vector<Tensor>> watched(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) {
    if (!prepare()) return plain.run(feeds, options, report);
    const auto begin = Clock::now();
    if (!t_->begun) {
      t_->begun = true;
      std::map<std::string, std::string> fed;
      for (size_t i = 0; i < run_.feeds.size(); ++i)
        if (feeds[i].elements() == 1 && isNumeric(feeds[i].dtype())) fed[run_.feeds[i]] = text(feeds[i].asDouble(0));
      t_->net.feed(std::move(fed));
      t_->fresh = story_->isFresh();
      if (!t_->fresh) t_->watch.resumed();
      // Runs are compared, which says nothing while other threads change the weights.
      std::vector<DoctorFinding> found;
      t_->data.examine(t_->session, run_.feeds, feeds, kMostForward, [&](DoctorFinding f) { found.push_back(std::move(f)); });
      if (!t_->contended)
        for (DoctorFinding& f : found) tell(std::move(f));
      t_->before = since(begin);
    }
    const int64_t step = t_->steps + 1;
    const bool measures = t_->watch.wanted(step);
    const auto start = Clock::now();
    auto values = (measures ? measuredRun_ : loss_ >= int(run_.fetches.size()) ? countedRun_ : plain).run(feeds, options, report);
    if (!values.ok()) return values;
    ++t_->steps;
    if (measures) {
      std::vector<Tensor> seen;
      for (const Place& p : places_) seen.push_back(p.feed >= 0 ? feeds[size_t(p.feed)] : p.fetch >= 0 ? (*values)[size_t(p.fetch)] : Tensor());
      if (loss_ >= 0) t_->watch.lossIs(lossIn((*values)[size_t(loss_)]));
      t_->watch.values(step, seen, t_->session);
    }
    if (loss_ >= 0) {
      TrainStep s;
      s.step = step;
      s.loss = lossIn((*values)[size_t(loss_)]);
      t_->watch.step(s);
    }
    t_->watch.ended(since(start));
    t_->data.trainedOn(run_.feeds, feeds);
    if (t_->data.remembers()) {
      const auto copied = Clock::now();
      t_->data.remember(run_.feeds, feeds, [this](DoctorFinding f) { t_->watch.report(std::move(f)); });
      t_->remembered += since(copied);
    }
    // Rows are collected at the beginning only.
    if (t_->data.wantsRows() && (measures || dataPlaces_.empty())) {
      const auto copied = Clock::now();
      std::vector<std::string> names = run_.feeds;
      std::vector<Tensor> rows(feeds.begin(), feeds.end());
      for (const auto& [name, at] : dataPlaces_) {
        names.push_back(name);
        rows.push_back((*values)[size_t(at)]);
      }
      t_->data.collect(t_->session, names, rows, [this](DoctorFinding f) { tell(std::move(f)); });
      t_->before += since(copied);
    }
    values->resize(run_.fetches.size());
    return values;
  }

  void tell(DoctorFinding f) {
    // A network that was trained before does better than guessing.
    if (t_->fresh || std::string_view(f.rule->code) != "first-loss-wrong") t_->watch.report(std::move(f));
  }

  static double lossIn(const Tensor& t) {
    if (t.elements() == 1) return t.asDouble(0);
    double sum = 0;
    const int64_t n = std::min<int64_t>(t.elements(), int64_t(kFewElements));
    for (int64_t i = 0; i < n; ++i) sum += t.asDouble(i);
    return n > 0 ? sum / double(n) : 0;
  }

  const std::shared_ptr<Training> t_;
  const std::shared_ptr<SessionStory> story_;
  const RunKind kind_;
  const ProgramRun run_;
  std::vector<std::string> counted_, fetches_;  // with the loss; with all that is measured
  std::vector<Place> places_;
  std::vector<std::pair<std::string, int>> dataPlaces_;
  int loss_ = -1;
  bool prepared_ = false, refused_ = false;
  Callable countedRun_, measuredRun_;
};

/// Any other run: it computes a loss without training, say, or sets variables.
class OtherRun final : public ProgramStep {
 public:
  OtherRun(std::function<Trainings()> trainings, std::shared_ptr<SessionStory> story, RunKind kind, ProgramRun run)
      : trainings_(std::move(trainings)), story_(std::move(story)), kind_(std::move(kind)), run_(std::move(run)), withoutNorm_(kind_) {
    withoutNorm_.norm.clear();
  }

  Result<std::vector<Tensor>> run(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    auto values = plain.run(feeds, options, report);
    if (!values.ok()) return values;
    bool ownRows = false, known = false;
    if (!feeds.empty() && !run_.fetches.empty()) {
      for (const auto& t : trainings_()) {
        if (!t->running.try_lock()) continue;
        const uint64_t print = t->data.fingerprint(run_.feeds, feeds);
        t->data.tested(run_.feeds, feeds);
        ownRows = ownRows || print != 0;
        known = known || t->data.wasTrainedOn(print);
        const auto at = std::find(run_.fetches.begin(), run_.fetches.end(), t->net.settings()->loss);
        if (at != run_.fetches.end() && (*values)[size_t(at - run_.fetches.begin())].elements() == 1 && t->steps > 0) {
          TrainEvaluation e;
          e.step = t->steps;
          e.loss = (*values)[size_t(at - run_.fetches.begin())].asDouble(0);
          tested(*t, print, e);
        }
        t->running.unlock();
      }
    }
    // Other runs may be made to normalize like that: generators, and what adapts to a task.
    const RunKind& kind = kind_.norm.empty() || feedsLabels() ? kind_ : withoutNorm_;
    std::vector<std::string> dropouts = kind_.dropouts;
    for (const RunKind::FedDropout& d : kind_.fedDropouts) {
      const auto at = std::find(run_.feeds.begin(), run_.feeds.end(), d.feed);
      const double v = at == run_.feeds.end() ? 0 : feeds[size_t(at - run_.feeds.begin())].asDouble(0);
      if (at != run_.feeds.end() && (d.keeps ? v < 1 : v > 0)) dropouts.push_back(d.op);
    }
    story_->ran(kind, ownRows && !known, dropouts);
    return values;
  }

 private:
  /// Whether a training of the session is fed the same labels. Threads may share this run; they find the same.
  bool feedsLabels() {
    if (feedsLabels_ < 0) {
      const auto all = trainings_();
      feedsLabels_ = std::any_of(all.begin(), all.end(), [&](const auto& t) {
        const auto labels = doctor::labelFeed(t->net);
        return labels && std::find(run_.feeds.begin(), run_.feeds.end(), t->net.graph().tensorName(*labels)) != run_.feeds.end();
      });
    }
    return feedsLabels_ > 0;
  }

  /// Rows that are the same each time, and no rows of a training step, are held back for tests.
  static void tested(Training& t, uint64_t print, const TrainEvaluation& e) {
    if (print == 0 || t.data.wasTrainedOn(print) || (t.tested != 0 && t.tested != print)) return;
    if (t.tested == 0) {
      const auto before = t.once.find(print);
      if (before == t.once.end()) {
        if (t.once.size() < kMostTests) t.once.emplace(print, e);
        return;
      }
      t.tested = print;
      t.watch.evaluation(before->second);
      t.once.clear();
    }
    t.watch.evaluation(e);
  }

  const std::function<Trainings()> trainings_;
  const std::shared_ptr<SessionStory> story_;
  const RunKind kind_;
  const ProgramRun run_;
  RunKind withoutNorm_;
  std::atomic<int> feedsLabels_{-1};  // -1: not known yet
};

}  // namespace

ProgramStep::~ProgramStep() = default;

std::shared_ptr<ProgramStep> trainingRun(std::shared_ptr<Training> training, std::shared_ptr<SessionStory> story, RunKind kind, ProgramRun run,
                                         const std::vector<char>& computed) {
  return std::make_shared<TrainingRun>(std::move(training), std::move(story), std::move(kind), std::move(run), computed);
}

std::shared_ptr<ProgramStep> otherRun(std::function<Trainings()> trainings, std::shared_ptr<SessionStory> story, RunKind kind, ProgramRun run) {
  return std::make_shared<OtherRun>(std::move(trainings), std::move(story), std::move(kind), std::move(run));
}

}  // namespace weft
