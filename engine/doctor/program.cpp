// The doctor of a program that runs sessions itself.
#include "weft/program_doctor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "doctor/program_data.h"
#include "doctor/program_runs.h"
#include "doctor/program_story.h"
#include "doctor/watch.h"
#include "weft/mutex.h"

namespace weft {

using doctor::Network;
using doctor::ProgramStepFacts;
using doctor::RunKind;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kMostTrainings = 32;    // each has a watch with copies of weights
constexpr double kMostForward = 0.25;     // seconds that a run before the first step may take, for others to follow
constexpr double kLeastRemembered = 0.02, kMostRemembered = 0.005;  // seconds for remembering rows, and share of the steps' time
constexpr size_t kMostTests = 16;         // sets of rows among which the test data are found
constexpr size_t kFewElements = 1 << 20;  // of a tensor of losses whose mean is taken

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A number that reads back as the same.
std::string text(double v) {
  char out[32];
  std::snprintf(out, sizeof out, "%.17g", v);
  return out;
}

}  // namespace

ProgramStep::~ProgramStep() = default;

/// A training that several runs of a program may do, differing in what else they fetch.
struct Training {
  Training(const MetaGraph& document, Session& s, const ProgramStepFacts& facts, double mostCost)
      : meta(document), session(s), net(meta, facts), watch(net, mostCost), data(net), verdicts(doctor::verdictsOf(net)) {}

  const MetaGraph meta;
  Session& session;
  Network net;
  doctor::Watch watch;
  doctor::ProgramData data;
  std::vector<int> updates;  ///< The ops that change variables: what tells trainings apart.
  std::vector<std::string> tensors;
  Mutex running;  ///< Held by the run that is watched.
  bool begun = false, examined = false;
  int64_t steps = 0;
  double before = 0, remembered = 0;         ///< Seconds before the first step; for remembering rows.
  std::map<std::string, double> verdicts;    ///< Of an adversary on logits.
  std::map<uint64_t, TrainEvaluation> once;  ///< Evaluations whose rows were seen once, by their fingerprint.
  uint64_t tested = 0;                       ///< Fingerprint of rows that were seen again: the test data.
};

/// What a session has run.
struct SessionStory {
  void ran(const RunKind& kind, bool ownRows) {
    const MutexLock lock(mutex);
    story.ran(kind, ownRows, report);
  }
  Mutex mutex;
  doctor::Story story WEFT_GUARDED_BY(mutex);
  doctor::Story::Report report;
};

struct ProgramDoctor::Impl {
  explicit Impl(double most) : mostCost(most) {}
  const double mostCost;
  Mutex mutex;
  std::vector<std::shared_ptr<Training>> trainings WEFT_GUARDED_BY(mutex);
  std::map<const Session*, std::shared_ptr<SessionStory>> stories WEFT_GUARDED_BY(mutex);
  std::set<const MetaGraph*> trained WEFT_GUARDED_BY(mutex);  // graphs
  std::set<std::string> notWatched WEFT_GUARDED_BY(mutex);
  Totals past WEFT_GUARDED_BY(mutex);  ///< Of sessions that were closed.
  std::function<void(const Session&, const DoctorFinding&)> listener;

  std::shared_ptr<SessionStory> story(const Session& session) WEFT_REQUIRES(mutex) {
    auto& out = stories[&session];
    if (!out) {
      out = std::make_shared<SessionStory>();
      out->report = [this, s = &session](const DoctorFinding& f) {
        if (listener) listener(*s, f);
      };
    }
    return out;
  }

  void refuse(std::string why) {
    const MutexLock lock(mutex);
    notWatched.insert(std::move(why));
  }
};

namespace {

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
    if (out.ok()) story_->ran(kind_, false);
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
    if (!t_->running.try_lock()) return plain.run(feeds, options, report);
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
      t_->data.examine(t_->session, run_.feeds, feeds, kMostForward, [this](DoctorFinding f) { t_->watch.report(std::move(f)); });
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
      t_->watch.values(step, seen, t_->session);
    }
    if (loss_ >= 0) {
      TrainStep s;
      s.step = step;
      s.loss = lossIn((*values)[size_t(loss_)]);
      t_->watch.step(s);
    }
    t_->watch.ended(since(start));
    if (t_->data.remembers() && t_->remembered <= kLeastRemembered + kMostRemembered * t_->watch.seconds().first) {
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
      t_->data.collect(t_->session, names, rows, [this](DoctorFinding f) { t_->watch.report(std::move(f)); });
      t_->before += since(copied);
    }
    values->resize(run_.fetches.size());
    return values;
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
  OtherRun(std::function<std::vector<std::shared_ptr<Training>>()> trainings, std::shared_ptr<SessionStory> story, RunKind kind, ProgramRun run)
      : trainings_(std::move(trainings)), story_(std::move(story)), kind_(std::move(kind)), run_(std::move(run)) {}

  Result<std::vector<Tensor>> run(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    auto values = plain.run(feeds, options, report);
    if (!values.ok()) return values;
    bool ownRows = false, known = false;
    if (!feeds.empty() && !run_.fetches.empty()) {
      for (const auto& t : trainings_()) {
        if (!t->running.try_lock()) continue;
        const uint64_t print = t->data.fingerprint(run_.feeds, feeds);
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
    story_->ran(kind_, ownRows && !known);
    return values;
  }

 private:
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

  const std::function<std::vector<std::shared_ptr<Training>>()> trainings_;
  const std::shared_ptr<SessionStory> story_;
  const RunKind kind_;
  const ProgramRun run_;
};

}  // namespace

static void addTo(ProgramDoctor::Totals& totals, const Training& t) {
  totals.trainings += t.begun;
  totals.steps += t.steps;
  totals.measured += t.watch.measuredSteps();
  totals.seconds += t.watch.seconds().first;
  totals.extra += t.watch.seconds().second;
  totals.before += t.before;
  totals.extra += t.remembered;
}

/// Two trainings of which one says that something is real, and the other that it is not: what decides that belongs to one of them alone.
static void opponents(const MetaGraph& meta, const Training& a, const Training& b, const doctor::Story::Report& report) {
  const bool apart = std::any_of(a.verdicts.begin(), a.verdicts.end(), [&](const auto& v) {
    const auto other = b.verdicts.find(v.first);
    return other != b.verdicts.end() && (other->second > 0.5) != (v.second > 0.5);
  });
  if (!apart) return;
  std::map<std::string, int> first;
  for (const int id : a.updates)
    if (const Node* v = doctor::changedVariable(meta.graph, *meta.graph.node(id))) first[v->name] = id;
  // The one that changes more has too many of them.
  const Training& more = b.updates.size() >= a.updates.size() ? b : a;
  const Training& less = &more == &b ? a : b;
  std::vector<int> shared;
  for (const int id : b.updates)
    if (const Node* v = doctor::changedVariable(meta.graph, *meta.graph.node(id)); v && first.contains(v->name)) shared.push_back(&more == &b ? id : first[v->name]);
  if (shared.empty()) return;
  const Node& op = *meta.graph.node(shared[0]);
  const auto lossOf = [](const Training& t) { return t.net.settings()->loss.substr(0, t.net.settings()->loss.find(':')); };
  report(doctor::finding("opponents-share", op.name,
                         {lossOf(more), doctor::number(double(shared.size())), doctor::changedVariable(meta.graph, op)->name, lossOf(less)}));
}

ProgramDoctor::ProgramDoctor(double mostCost) : impl_(std::make_shared<Impl>(mostCost)) {}
ProgramDoctor::~ProgramDoctor() = default;

std::shared_ptr<ProgramStep> ProgramDoctor::know(const MetaGraph& meta, Session& session, ProgramRun run) {
  if (!session.target().empty()) {
    impl_->refuse("a session on a server: its values are not seen here");
    return nullptr;
  }
  const std::vector<char> computed = doctor::computedBy(meta.graph, run);
  const std::set<std::string> trainable = doctor::trainableOf(meta);
  bool trains = false;
  ProgramStepFacts facts;
  facts.losses = doctor::lossesOf(meta, computed, run.gradients, trainable, &trains);
  RunKind kind = doctor::runKindOf(meta, run, computed, trainable, trains);
  const MutexLock lock(impl_->mutex);
  const std::shared_ptr<SessionStory> story = impl_->story(session);
  {
    const MutexLock own(story->mutex);
    story->story.grows(meta, story->report);
  }
  const auto other = [&] {
    auto trainings = [impl = impl_, &session] {
      std::vector<std::shared_ptr<Training>> own;
      const MutexLock guard(impl->mutex);
      for (const auto& t : impl->trainings)
        if (&t->session == &session) own.push_back(t);
      return own;
    };
    return std::make_shared<OtherRun>(std::move(trainings), story, std::move(kind), std::move(run));
  };
  if (!trains) return other();
  impl_->trained.insert(&meta);
  std::vector<int> updates;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = computed[size_t(id)] ? meta.graph.node(id) : nullptr;
    if (!n) continue;
    const Node* v = doctor::changedVariable(meta.graph, *n);
    if (roleOf(*n) == OpRole::ApplyGradient || (v && trainable.contains(v->name))) updates.push_back(id);
  }
  for (const auto& t : impl_->trainings)
    if (&t->session == &session && t->updates == updates && t->net.graph().size() <= meta.graph.size())
      return std::make_shared<TrainingRun>(t, story, std::move(kind), std::move(run), computed);
  for (const auto& t : impl_->trainings) {
    // Made after that one had been run.
    if (&t->session != &session || !t->begun || updates.empty() || updates[0] < t->net.graph().size() || facts.losses.empty()) continue;
    if (t->net.settings()->loss != facts.losses[0]) continue;
    const MutexLock own(story->mutex);
    story->story.remade(meta, meta.graph.node(updates[0])->name, story->report);
    break;
  }
  if (impl_->past.trainings + int64_t(impl_->trainings.size()) >= kMostTrainings) {
    impl_->notWatched.insert(concat("more than ", kMostTrainings, " trainings: only the first ones were watched"));
    return other();
  }
  facts.ends = run.targets;
  for (const std::string& f : run.fetches) facts.ends.push_back(f.substr(0, f.find(':')));
  auto training = std::make_shared<Training>(meta, session, facts, impl_->mostCost);
  training->updates = std::move(updates);
  std::set<int> fed;
  for (const std::string& name : run.feeds)
    if (const auto o = meta.graph.findOutput(name); o.ok()) fed.insert(o->node);
  training->tensors = training->watch.tensors([&](int id) { return computed[size_t(id)] || fed.contains(id); });
  training->data.choose([&](int id) { return bool(computed[size_t(id)]); });
  training->watch.setListener([impl = impl_.get(), s = &session](const DoctorFinding& f) {
    if (impl->listener) impl->listener(*s, f);
  });
  for (const auto& t : impl_->trainings)
    if (&t->session == &session) opponents(meta, *t, *training, story->report);
  impl_->trainings.push_back(training);
  return std::make_shared<TrainingRun>(std::move(training), story, std::move(kind), std::move(run), computed);
}

static void tellEnd(const MetaGraph& meta, SessionStory& s, const std::vector<std::shared_ptr<Training>>& own, const std::vector<int>& ran, bool trained,
                    const doctor::Story::Report& report) {
  std::set<std::string> forward;
  for (const auto& t : own) {
    for (const int id : t->net.forward())
      if (isVariable(*t->net.graph().node(id))) forward.insert(t->net.graph().node(id)->name);
    doctor::readShuffles(t->net, report);
  }
  ProgramRun all;
  for (const int id : ran)
    if (const Node* n = meta.graph.node(id)) all.targets.push_back(n->name);
  const MutexLock lock(s.mutex);
  s.story.ends(meta, forward, doctor::computedBy(meta.graph, all), [&](DoctorFinding f) {
    if (!trained || std::string_view(f.rule->code) != "never-trained") report(std::move(f));
  });
}

std::vector<DoctorFinding> ProgramDoctor::afterwards(const MetaGraph& meta, const Session* session, const std::vector<int>& ran) {
  std::vector<std::shared_ptr<Training>> own;
  std::shared_ptr<SessionStory> story;
  bool elsewhere = false;
  {
    const MutexLock lock(impl_->mutex);
    if (const auto at = impl_->stories.find(session); at != impl_->stories.end()) {
      story = at->second;
      impl_->stories.erase(at);
    }
    elsewhere = impl_->trained.contains(&meta);
    auto& all = impl_->trainings;
    const auto closed = std::stable_partition(all.begin(), all.end(), [&](const auto& t) { return &t->session != session; });
    for (auto t = closed; t != all.end(); ++t) {
      addTo(impl_->past, **t);
      if ((*t)->begun) own.push_back(*t);
    }
    all.erase(closed, all.end());
  }
  std::vector<DoctorFinding> out;
  const auto add = [&](DoctorFinding f) { out.push_back(std::move(f)); };
  for (const auto& t : own) t->data.finish(add);
  if (story) tellEnd(meta, *story, own, ran, elsewhere, add);
  if (own.empty()) return out;
  for (const TrainingMistake& m : doctor::mistakesOf(meta, ran)) {
    const std::string& node = meta.graph.node(m.node)->name;
    if (m.kind == TrainingMistake::Kind::UpdatesNotRun) out.push_back(doctor::finding("updates-not-run", node, {node}));
    if (m.kind == TrainingMistake::Kind::GlobalStepStays) out.push_back(doctor::finding("global-step-stays", node, {node}));
  }
  return out;
}

void ProgramDoctor::setListener(std::function<void(const Session&, const DoctorFinding&)> listener) { impl_->listener = std::move(listener); }

ProgramDoctor::Totals ProgramDoctor::totals() const {
  const MutexLock lock(impl_->mutex);
  Totals out = impl_->past;
  for (const auto& t : impl_->trainings) addTo(out, *t);
  out.notWatched.assign(impl_->notWatched.begin(), impl_->notWatched.end());
  return out;
}

}  // namespace weft
