// The doctor of a program that runs sessions itself.
#include "weft/program_doctor.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string_view>
#include <thread>

#include "doctor/program_runs.h"
#include "doctor/program_training.h"

namespace weft {

using doctor::ProgramStepFacts;
using doctor::RunKind;

constexpr int64_t kMostTrainings = 32;  // each has a watch with copies of weights

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

/// Takes a lock that is held for a step at most; false after a second, as where a step waits for a queue.
static bool lockSoon(Mutex& mutex) WEFT_TRY_ACQUIRE(true, mutex) {
  for (int tries = 0; tries < 100; ++tries) {
    if (mutex.try_lock()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

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
    if (const Node* v = changedVariable(meta.graph, *meta.graph.node(id))) first[v->name] = id;
  // The one that changes more has too many of them.
  const Training& more = b.updates.size() >= a.updates.size() ? b : a;
  const Training& less = &more == &b ? a : b;
  std::vector<int> shared;
  for (const int id : b.updates)
    if (const Node* v = changedVariable(meta.graph, *meta.graph.node(id)); v && first.contains(v->name)) shared.push_back(&more == &b ? id : first[v->name]);
  if (shared.empty()) return;
  const Node& op = *meta.graph.node(shared[0]);
  const auto lossOf = [](const Training& t) { return t.net.settings()->loss.substr(0, t.net.settings()->loss.find(':')); };
  report(
      doctor::finding("opponents-share", op.name, {lossOf(more), doctor::number(double(shared.size())), changedVariable(meta.graph, op)->name, lossOf(less)}));
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
    return otherRun(std::move(trainings), story, std::move(kind), std::move(run));
  };
  if (!trains) return other();
  impl_->trained.insert(&meta);
  std::vector<int> updates;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = computed[size_t(id)] ? meta.graph.node(id) : nullptr;
    if (!n) continue;
    const Node* v = changedVariable(meta.graph, *n);
    if (roleOf(*n) == OpRole::ApplyGradient || (v && trainable.contains(v->name))) updates.push_back(id);
  }
  for (const auto& t : impl_->trainings)
    if (&t->session == &session && t->updates == updates && t->net.graph().size() <= meta.graph.size())
      return trainingRun(t, story, std::move(kind), std::move(run), computed);
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
  return trainingRun(std::move(training), story, std::move(kind), std::move(run), computed);
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
  std::vector<std::shared_ptr<Training>> gone, own;
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
    gone.assign(closed, all.end());
    all.erase(closed, all.end());
  }
  std::vector<DoctorFinding> out;
  const auto add = [&](DoctorFinding f) { out.push_back(std::move(f)); };
  for (const auto& t : gone) {
    // Other threads may be in a step still.
    if (!lockSoon(t->running)) continue;
    const MutexLock held(t->running, std::adopt_lock);
    {
      const MutexLock lock(impl_->mutex);
      addTo(impl_->past, *t);
    }
    if (!t->begun) continue;
    t->data.finish(add);
    own.push_back(t);
  }
  if (story) tellEnd(meta, *story, own, ran, elsewhere, add);
  if (own.empty()) return out;
  for (const TrainingMistake& m : findTrainingMistakes(meta, ran)) {
    const std::string& node = meta.graph.node(m.node)->name;
    if (m.kind == TrainingMistake::Kind::UpdatesNotRun) out.push_back(doctor::finding("updates-not-run", node, {node}));
    if (m.kind == TrainingMistake::Kind::GlobalStepStays) out.push_back(doctor::finding("global-step-stays", node, {node}));
  }
  return out;
}

void ProgramDoctor::setListener(std::function<void(const Session&, const DoctorFinding&)> listener) { impl_->listener = std::move(listener); }

ProgramDoctor::Totals ProgramDoctor::totals() const {
  Totals out;
  std::vector<std::shared_ptr<Training>> trainings;
  {
    const MutexLock lock(impl_->mutex);
    out = impl_->past;
    out.notWatched.assign(impl_->notWatched.begin(), impl_->notWatched.end());
    trainings = impl_->trainings;
  }
  for (const auto& t : trainings) {
    if (!lockSoon(t->running)) continue;
    const MutexLock held(t->running, std::adopt_lock);
    addTo(out, *t);
  }
  return out;
}

}  // namespace weft
