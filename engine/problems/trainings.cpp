// Trainings that raise no error and still do not do what was meant, and what supervised sessions and replicas need.
#include "problems/search.h"
#include "weft/op_traits.h"
#include "weft/sync_replicas.h"
#include "weft/train.h"
#include "weft/training_mistakes.h"

namespace weft::problems {
namespace {

using Mark = GraphProblem::Point::Mark;

class Trainings {
 public:
  explicit Trainings(Search& search) : s_(search) {
    if (const auto settings = trainingSettingsOf(s_.meta); settings.ok()) {
      for (const std::string& name : {settings->trainOp, settings->loss})
        if (const Node* n = s_.graph.find(name.substr(0, name.find(':')))) runs_.push_back(n->id);
      trainOp_ = settings->trainOp;
    } else if (const auto it = s_.meta.collections.find("train_op"); it != s_.meta.collections.end() && it->second.nodes.size() == 1) {
      trainOp_ = it->second.nodes[0].substr(0, it->second.nodes[0].find(':'));
    }
  }

  void find() {
    for (const TrainingMistake& m : findTrainingMistakes(s_.meta, runs_)) {
      switch (m.kind) {
        case TrainingMistake::Kind::UpdatesNotRun: updates(*s_.graph.node(m.node)); break;
        case TrainingMistake::Kind::SoftmaxTwice: softmax(*s_.graph.node(m.node), *s_.graph.node(m.source)); break;
        case TrainingMistake::Kind::GlobalStepStays: step(*s_.graph.node(m.node)); break;
      }
    }
    noStep();
    syncReplicas();
  }

 private:
  GraphProblem& add(const Node& node, const char* code, ProblemText text) { return s_.add(DoctorWeight::Warning, node.name, code, std::move(text)); }

  void updates(const Node& update) {
    GraphProblem& p =
        add(update, "updates-not-run",
            said(WEFT_TRANSLATED("GraphProblems",
                                 "This update is in the collection update_ops, but no training op depends on it: the moving average keeps its initial value, "
                                 "which inference then uses.")));
    if (s_.graph.find(trainOp_))
      p.fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Make %1 depend on it"), {trainOp_}), {"graph.connect", {"^" + update.name, trainOp_}}});
  }

  bool isInLayer(const std::string& name) const {
    for (const Recipe& r : s_.recipes)
      if (!r.trains() && (name == r.scope || name.starts_with(r.scope + "/"))) return true;
    return false;
  }

  void softmax(const Node& loss, const Node& applied) {
    const bool isSoftmax = roleOf(loss) == OpRole::SoftmaxLoss;
    GraphProblem& p =
        add(loss, "softmax-twice",
            said(WEFT_TRANSLATED("GraphProblems",
                                 "This loss applies %1 to its logits itself, and they come from %2: it is applied twice, which makes gradients small."),
                 {isSoftmax ? "softmax" : "sigmoid", applied.name}));
    // Reconnect the wire from the Softmax to the input of the Softmax. Inside a layer there is no wire to move.
    if (!isSoftmax || isInLayer(applied.name) || isInLayer(loss.name) || applied.inputs.empty()) return;
    const Node* reader = &loss;
    while (!reader->inputs.empty() && reader->inputs[0].node != applied.id) reader = s_.graph.node(reader->inputs[0].node);
    if (reader->inputs.empty()) return;
    const std::string before = s_.graph.tensorName(applied.inputs[0]);
    p.fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Connect the loss to %1"), {before}), {"graph.connect", {before, reader->name + ":0"}}});
  }

  void step(const Node& variable) {
    add(variable, "global-step",
        said(WEFT_TRANSLATED(
            "GraphProblems",
            "Nothing increments this step, although there is an optimizer: decays, hooks and summaries that depend on it do not advance. Pass it to the "
            "optimizer's minimize as global_step.")));
  }

  /// Sessions that supervise a training count by the global step, and refuse to start without one.
  void noStep() {
    if (!isSupervised(s_.meta) || globalStepOf(s_.meta) >= 0) return;
    const Node* applies = nullptr;
    for (int id = 0; id < s_.graph.size() && !applies; ++id)
      if (const Node* n = s_.graph.node(id); n && roleOf(*n) == OpRole::ApplyGradient) applies = n;
    if (!applies) return;
    const Node* training = s_.graph.find(trainOp_);
    const Node& at = training ? *training : *applies;
    add(at, "no-global-step",
        said(WEFT_TRANSLATED(
            "GraphProblems",
            "This graph is made for a supervised session, but has no global_step: MonitoredTrainingSession and Supervisor count, save and stop by it.")))
        .fixes.push_back({said(WEFT_TRANSLATED("GraphProblems", "Add global_step")), {"graph.add-global-step", {at.name}}});
  }

  /// A list of what the chief must do, as far as the graph tells.
  void syncReplicas() {
    const auto sync = findSyncReplicas(s_.meta);
    if (!sync) return;
    const auto name = [&](int id) { return id >= 0 ? s_.graph.node(id)->name : std::string(); };
    GraphProblem& p =
        add(*s_.graph.node(sync->tokens), "sync-replicas",
            said(WEFT_TRANSLATED("GraphProblems", "Replicas wait here for each other (SyncReplicasOptimizer). They go on only if all of this holds:")));
    p.weight = sync->globalStep < 0 ? DoctorWeight::Warning : DoctorWeight::Note;
    const auto point = [&](bool holds, ProblemText text) { p.points.push_back({holds ? Mark::Holds : Mark::Fails, std::move(text)}); };
    point(sync->globalStep >= 0,
          said(sync->globalStep >= 0 ? WEFT_TRANSLATED("GraphProblems", "There is a global_step.")
                                     : WEFT_TRANSLATED("GraphProblems", "There is no global_step, by which late gradients are dropped.")));
    if (sync->initialTokens >= 0)
      point(true, said(WEFT_TRANSLATED("GraphProblems", "The chief runs %1 once, for the tokens of the first step."), {name(sync->initialTokens)}));
    else
      point(false, said(WEFT_TRANSLATED(
                       "GraphProblems",
                       "No op puts the tokens of the first step. On the chief, use make_session_run_hook(is_chief=True) or run get_init_tokens_op().")));
    if (sync->hasRunner) point(true, said(WEFT_TRANSLATED("GraphProblems", "A queue runner of the chief runs the update, %1."), {name(sync->update)}));
    else
      point(false, said(WEFT_TRANSLATED("GraphProblems",
                                        "No queue runner of this graph runs the update, %1. On the chief, use make_session_run_hook(is_chief=True) or start "
                                        "get_chief_queue_runner()."),
                        {name(sync->update)}));
    p.points.push_back({Mark::Open, said(WEFT_TRANSLATED("GraphProblems", "All tasks use the same checkpoint folder."))});
  }

  Search& s_;
  std::vector<int> runs_;
  std::string trainOp_;
};

}  // namespace

void findTrainingProblems(Search& s) { Trainings(s).find(); }

}  // namespace weft::problems
