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
#include "doctor/watch.h"
#include "weft/mutex.h"

namespace weft {

using doctor::Network;
using doctor::ProgramStepFacts;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kMostTrainings = 32;    // each has a watch with copies of weights
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

/// The nodes that a run computes.
std::vector<char> computedBy(const Graph& graph, const ProgramRun& run) {
  std::set<Output> fed;
  std::vector<char> seen(size_t(graph.size()), 0);
  std::vector<int> queue;
  const auto add = [&](Output o) {
    if (o.valid() && !fed.contains(o)) queue.push_back(o.node);
  };
  for (const std::string& name : run.feeds)
    if (const auto o = graph.findOutput(name); o.ok()) fed.insert(*o);
  for (const std::string& name : run.fetches)
    if (const auto o = graph.findOutput(name); o.ok()) add(*o);
  for (const std::string& name : run.targets)
    if (const Node* n = graph.find(name)) queue.push_back(n->id);
  while (!queue.empty()) {
    const Node* n = graph.node(queue.back());
    queue.pop_back();
    if (!n || std::exchange(seen[size_t(n->id)], 1)) continue;
    for (const Output o : n->inputs) add(o);
    queue.insert(queue.end(), n->controls.begin(), n->controls.end());
  }
  return seen;
}

std::string lossByName(const Graph& graph, const Node& seed) {
  // TensorFlow names the gradient of NODE `SCOPE/NODE_grad/…`, and its first value `SCOPE/grad_ys_0`.
  const size_t slash = seed.name.rfind("/grad_ys_");
  if (slash == std::string::npos) return {};
  const std::string scope = seed.name.substr(0, slash + 1);
  const auto readers = graph.consumers();
  std::vector<int> queue{seed.id};
  for (size_t i = 0; i < queue.size() && i < 64; ++i) {
    for (const int id : readers[size_t(queue[i])]) {
      const std::string& name = graph.node(id)->name;
      const size_t end = name.find("_grad/");
      if (name.starts_with(scope) && end != std::string::npos) {
        const std::string node = name.substr(scope.size(), end - scope.size());
        if (graph.find(node)) return node + ":0";
      }
      queue.push_back(id);
    }
  }
  return {};
}

/// The tensors whose gradients reach the optimizers' ops of a run, the nearest first. `trains`: whether the run changes a trainable variable by them.
std::vector<std::string> lossesOf(const MetaGraph& meta, const std::vector<char>& computed, const std::vector<Differentiation>& gradients,
                                  const std::set<std::string>& trainable, bool* trains) {
  const Graph& graph = meta.graph;
  std::vector<std::string> out;
  std::vector<int> queue;
  std::vector<char> seen(size_t(graph.size()), 0);
  *trains = false;
  std::vector<int> changed;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = computed[size_t(id)] ? graph.node(id) : nullptr;
    if (!n || n->inputs.empty()) continue;
    const OpRole role = roleOf(*n);
    if (role == OpRole::ApplyGradient) *trains = true;
    else if (!changesVariable(role) || !trainable.contains(graph.node(n->inputs[0].node)->name)) continue;
    for (size_t i = 1; i < n->inputs.size(); ++i) queue.push_back(n->inputs[i].node);
  }
  const auto madeFor = [&](int id) -> const Differentiation* {
    // Of nested ones, that which made the other.
    for (const Differentiation& d : gradients)
      if (id >= d.first && id < d.end) return &d;
    return nullptr;
  };
  const auto add = [&](const std::string& tensor) {
    if (!tensor.empty() && std::find(out.begin(), out.end(), tensor) == out.end()) out.push_back(tensor);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    const Node* n = graph.node(queue[i]);
    if (!n || std::exchange(seen[size_t(n->id)], 1) || isVariable(*n)) continue;
    if (const Differentiation* d = madeFor(n->id)) {
      for (const Output o : d->of) add(graph.tensorName(o));
      continue;
    }
    if (n->name.find("/grad_ys_") != std::string::npos) add(lossByName(graph, *n));
    for (const Output o : n->inputs) queue.push_back(o.node);
  }
  *trains = *trains || !out.empty();
  return out;
}

}  // namespace

ProgramStep::~ProgramStep() = default;

/// A training that several runs of a program may do, differing in what else they fetch.
struct Training {
  Training(const MetaGraph& document, Session& s, const ProgramStepFacts& facts, double mostCost)
      : meta(document), session(s), net(meta, facts), watch(net, mostCost), data(net) {}

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
  double before = 0;
  std::map<uint64_t, TrainEvaluation> once;  ///< Evaluations whose rows were seen once, by their fingerprint.
  uint64_t tested = 0;                       ///< Fingerprint of rows that were seen again: the test data.
};

struct ProgramDoctor::Impl {
  explicit Impl(double most) : mostCost(most) {}
  const double mostCost;
  Mutex mutex;
  std::vector<std::shared_ptr<Training>> trainings WEFT_GUARDED_BY(mutex);
  std::set<std::string> notWatched WEFT_GUARDED_BY(mutex);
  Totals past WEFT_GUARDED_BY(mutex);  ///< Of sessions that were closed.
  std::function<void(const Session&, const DoctorFinding&)> listener;

  void refuse(std::string why) {
    const MutexLock lock(mutex);
    notWatched.insert(std::move(why));
  }
};

namespace {

/// A run that trains.
class TrainingRun final : public ProgramStep {
 public:
  TrainingRun(std::shared_ptr<Training> training, ProgramRun run, const std::vector<char>& computed) : t_(std::move(training)), run_(std::move(run)) {
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
    // A step that is traced, stopped or dumped shall show what the program asked for.
    if (options.trace || options.controller || !options.observers.empty()) return plain.run(feeds, options, report);
    if (!t_->running.try_lock()) return plain.run(feeds, options, report);
    auto out = watched(plain, feeds, options, report);
    t_->running.unlock();
    return out;
  }

 private:
  struct Place {
    int feed, fetch;  // both negative: this run does not compute it
  };

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
  const ProgramRun run_;
  std::vector<std::string> counted_, fetches_;  // with the loss; with all that is measured
  std::vector<Place> places_;
  std::vector<std::pair<std::string, int>> dataPlaces_;
  int loss_ = -1;
  bool prepared_ = false, refused_ = false;
  Callable countedRun_, measuredRun_;
};

/// A run that computes a loss without training.
class EvaluationRun final : public ProgramStep {
 public:
  EvaluationRun(std::function<std::vector<std::shared_ptr<Training>>()> trainings, ProgramRun run) : trainings_(std::move(trainings)), run_(std::move(run)) {}

  Result<std::vector<Tensor>> run(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    auto values = plain.run(feeds, options, report);
    if (!values.ok() || feeds.empty()) return values;
    for (const auto& t : trainings_()) {
      const auto at = std::find(run_.fetches.begin(), run_.fetches.end(), t->net.settings()->loss);
      if (at == run_.fetches.end() || (*values)[size_t(at - run_.fetches.begin())].elements() != 1 || !t->running.try_lock()) continue;
      TrainEvaluation e;
      e.step = t->steps;
      e.loss = (*values)[size_t(at - run_.fetches.begin())].asDouble(0);
      if (e.step > 0) tested(*t, t->data.fingerprint(run_.feeds, feeds), e);
      t->running.unlock();
    }
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
}

ProgramDoctor::ProgramDoctor(double mostCost) : impl_(std::make_shared<Impl>(mostCost)) {}
ProgramDoctor::~ProgramDoctor() = default;

std::shared_ptr<ProgramStep> ProgramDoctor::know(const MetaGraph& meta, Session& session, ProgramRun run) {
  if (!session.target().empty()) {
    impl_->refuse("a session on a server: its values are not seen here");
    return nullptr;
  }
  const std::vector<char> computed = computedBy(meta.graph, run);
  const std::set<std::string> trainable = doctor::trainableOf(meta);
  bool trains = false;
  ProgramStepFacts facts;
  facts.losses = lossesOf(meta, computed, run.gradients, trainable, &trains);
  if (!trains) {
    if (run.fetches.empty()) return nullptr;
    return std::make_shared<EvaluationRun>(
        [impl = impl_, &session] {
          std::vector<std::shared_ptr<Training>> own;
          const MutexLock lock(impl->mutex);
          for (const auto& t : impl->trainings)
            if (&t->session == &session) own.push_back(t);
          return own;
        },
        std::move(run));
  }
  std::vector<int> updates;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = computed[size_t(id)] ? meta.graph.node(id) : nullptr;
    if (!n) continue;
    const Node* v = doctor::changedVariable(meta.graph, *n);
    if (roleOf(*n) == OpRole::ApplyGradient || (v && trainable.contains(v->name))) updates.push_back(id);
  }
  const MutexLock lock(impl_->mutex);
  for (const auto& t : impl_->trainings)
    if (&t->session == &session && t->updates == updates && t->net.graph().size() <= meta.graph.size())
      return std::make_shared<TrainingRun>(t, std::move(run), computed);
  if (impl_->past.trainings + int64_t(impl_->trainings.size()) >= kMostTrainings) {
    impl_->notWatched.insert(concat("more than ", kMostTrainings, " trainings: only the first ones were watched"));
    return nullptr;
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
  impl_->trainings.push_back(training);
  return std::make_shared<TrainingRun>(std::move(training), std::move(run), computed);
}

std::vector<DoctorFinding> ProgramDoctor::afterwards(const MetaGraph& meta, const Session* session, const std::vector<int>& ran) {
  std::vector<std::shared_ptr<Training>> own;
  {
    const MutexLock lock(impl_->mutex);
    auto& all = impl_->trainings;
    const auto closed = std::stable_partition(all.begin(), all.end(), [&](const auto& t) { return &t->session != session; });
    for (auto t = closed; t != all.end(); ++t) {
      addTo(impl_->past, **t);
      if ((*t)->begun) own.push_back(*t);
    }
    all.erase(closed, all.end());
  }
  std::vector<DoctorFinding> out;
  if (own.empty()) return out;
  for (const auto& t : own) t->data.finish([&](DoctorFinding f) { out.push_back(std::move(f)); });
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
