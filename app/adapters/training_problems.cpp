#include "adapters/training_problems.h"

#include "adapters/engine_graph.h"
#include "adapters/problem_words.h"
#include "weft/op_traits.h"
#include "weft/recipes.h"
#include "weft/sync_replicas.h"
#include "weft/train.h"
#include "weft/training_mistakes.h"

namespace weft::app {
namespace {

class TrainingProblemFinder {
 public:
  explicit TrainingProblemFinder(GraphContents& contents)
      : contents_(contents), meta_(contents.engine->loaded.meta), graph_(meta_.graph), recipes_(recipesOf(meta_)) {
    if (const auto settings = trainingSettingsOf(meta_); settings.ok()) {
      for (const std::string& name : {settings->trainOp, settings->loss})
        if (const Node* n = graph_.find(name.substr(0, name.find(':')))) runs_.push_back(n->id);
      trainOp_ = settings->trainOp;
    } else if (const auto it = meta_.collections.find("train_op"); it != meta_.collections.end() && it->second.nodes.size() == 1) {
      trainOp_ = it->second.nodes[0].substr(0, it->second.nodes[0].find(':'));
    }
  }

  void find() {
    for (const TrainingMistake& m : findTrainingMistakes(meta_, runs_)) {
      switch (m.kind) {
        case TrainingMistake::Kind::UpdatesNotRun: updates(*graph_.node(m.node)); break;
        case TrainingMistake::Kind::SoftmaxTwice: softmax(*graph_.node(m.node), *graph_.node(m.source)); break;
        case TrainingMistake::Kind::GlobalStepStays: step(*graph_.node(m.node)); break;
      }
    }
    noStep();
    syncReplicas();
  }

 private:
  void add(const Node& node, const char* code, const QString& message, const QString& fix = {}, const QStringList& command = {}) {
    Problem p;
    p.severity = Problem::Severity::Warning;
    p.node = text(node.name);
    p.code = QLatin1String(code);
    p.message = message;
    if (!command.isEmpty()) {
      p.fixes << fix;
      p.fixCommands << command;
    }
    contents_.problems << p;
  }

  void updates(const Node& update) {
    const QString message = ProblemWords::tr(
        "This update is in the collection update_ops, but no training op depends on it: the moving average keeps its initial value, which inference then uses.");
    if (graph_.find(trainOp_))
      add(update, "updates-not-run", message, ProblemWords::tr("Make %1 depend on it").arg(text(trainOp_)),
          {QStringLiteral("graph.connect"), u'^' + text(update.name), text(trainOp_)});
    else add(update, "updates-not-run", message);
  }

  const Recipe* layerOf(const std::string& name) const {
    for (const Recipe& r : recipes_)
      if (!r.trains() && (name == r.scope || name.starts_with(r.scope + "/"))) return &r;
    return nullptr;
  }

  void softmax(const Node& loss, const Node& applied) {
    const bool isSoftmax = roleOf(loss) == OpRole::SoftmaxLoss;
    const QString what = isSoftmax ? QStringLiteral("softmax") : QStringLiteral("sigmoid");
    const QString message =
        ProblemWords::tr("This loss applies %1 to its logits itself, and they come from %2: it is applied twice, which makes gradients small.")
            .arg(what, text(applied.name));
    // Reconnect the wire from the Softmax to the input of the Softmax. Inside a layer there is no wire to move.
    if (isSoftmax && !layerOf(applied.name) && !layerOf(loss.name) && !applied.inputs.empty()) {
      const Node* reader = &loss;
      while (!reader->inputs.empty() && reader->inputs[0].node != applied.id) reader = graph_.node(reader->inputs[0].node);
      if (!reader->inputs.empty()) {
        const QString before = text(graph_.tensorName(applied.inputs[0]));
        add(loss, "softmax-twice", message, ProblemWords::tr("Connect the loss to %1").arg(before),
            {QStringLiteral("graph.connect"), before, text(reader->name) + QStringLiteral(":0")});
        return;
      }
    }
    add(loss, "softmax-twice", message);
  }

  void step(const Node& variable) {
    add(variable, "global-step",
        ProblemWords::tr(
            "Nothing increments this step, although there is an optimizer: decays, hooks and summaries that depend on it do not advance. Pass it to the optimizer's minimize as global_step."));
  }

  /// Sessions that supervise a training count by the global step, and refuse to start without one.
  void noStep() {
    if (!isSupervised(meta_) || globalStepOf(meta_) >= 0) return;
    const Node* applies = nullptr;
    for (int id = 0; id < graph_.size() && !applies; ++id)
      if (const Node* n = graph_.node(id); n && roleOf(*n) == OpRole::ApplyGradient) applies = n;
    if (!applies) return;
    const Node* training = graph_.find(trainOp_);
    const QString message = ProblemWords::tr(
        "This graph is made for a supervised session, but has no global_step: MonitoredTrainingSession and Supervisor count, save and stop by it.");
    const Node& at = training ? *training : *applies;
    add(at, "no-global-step", message, ProblemWords::tr("Add global_step"), {QStringLiteral("graph.add-global-step"), text(at.name)});
  }

  /// A list of what the chief must do, as far as the graph tells.
  void syncReplicas() {
    const auto sync = findSyncReplicas(meta_);
    if (!sync) return;
    const auto line = [](bool there, const QString& yes, const QString& no) {
      return QStringLiteral("\n") + (there ? QStringLiteral("✓ ") + yes : QStringLiteral("– ") + no);
    };
    const auto name = [&](int id) { return id >= 0 ? text(graph_.node(id)->name) : QString(); };
    QString message = ProblemWords::tr("Replicas wait here for each other (SyncReplicasOptimizer). They go on only if all of this holds:");
    message += line(sync->globalStep >= 0, ProblemWords::tr("There is a global_step."),
                    ProblemWords::tr("There is no global_step, by which late gradients are dropped."));
    message +=
        line(sync->initialTokens >= 0, ProblemWords::tr("The chief runs %1 once, for the tokens of the first step.").arg(name(sync->initialTokens)),
             ProblemWords::tr("No op puts the tokens of the first step. On the chief, use make_session_run_hook(is_chief=True) or run get_init_tokens_op()."));
    message +=
        line(sync->hasRunner, ProblemWords::tr("A queue runner of the chief runs the update, %1.").arg(name(sync->update)),
             ProblemWords::tr(
                 "No queue runner of this graph runs the update, %1. On the chief, use make_session_run_hook(is_chief=True) or start get_chief_queue_runner().")
                 .arg(name(sync->update)));
    message += QStringLiteral("\n• ") + ProblemWords::tr("All tasks use the same checkpoint folder.");
    add(*graph_.node(sync->tokens), "sync-replicas", message);
    contents_.problems.last().severity = sync->globalStep < 0 ? Problem::Severity::Warning : Problem::Severity::Note;
  }

  GraphContents& contents_;
  const MetaGraph& meta_;
  const Graph& graph_;
  const std::vector<Recipe> recipes_;
  std::vector<int> runs_;
  std::string trainOp_;
};

}  // namespace

void findTrainingProblems(GraphContents& contents) { TrainingProblemFinder(contents).find(); }

}  // namespace weft::app
