#include "adapters/training_problems.h"

#include "adapters/engine_graph.h"
#include "adapters/problem_words.h"
#include "weft/op_traits.h"
#include "weft/recipes.h"
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
