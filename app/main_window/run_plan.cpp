#include "main_window/run_plan.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "document/document.h"
#include "document/run_controller.h"

namespace weft::app {
namespace {

struct RunPlanText {
  Q_DECLARE_TR_FUNCTIONS(RunPlan)
};

constexpr int kEpochsOfNothingSaid = 10;  // the engine's default if a document states neither epochs nor steps

QString valueIn(const RunRecord& run, const char* key) {
  for (const auto& [name, value] : run.settings)
    if (name == QLatin1String(key)) return value;
  return {};
}

QString positive(qint64 number) { return number > 0 ? QString::number(number) : QString(); }

}  // namespace

QString optimizerOf(const GraphContents& contents) {
  static const QString apply = QStringLiteral("Apply");
  for (const auto& node : contents.arrays.nodes) {
    const qsizetype at = node.op.indexOf(apply);
    if (at < 0 || at + apply.size() >= node.op.size()) continue;
    const QString name = node.op.mid(at + apply.size());
    return name == QLatin1String("GradientDescent") ? QStringLiteral("SGD") : name;
  }
  return {};
}

RunPlan runPlanOf(const RunController& runs, const Document& document) {
  const TrainingInfo& info = document.contents()->training;
  RunPlan plan;
  plan.data = info.data;
  plan.running = runs.isActive() && runs.document() == &document && runs.currentRun();
  if (plan.running) {
    const RunRecord& run = *runs.currentRun();
    plan.run = run.name;
    plan.data = valueIn(run, "data");
    plan.batch = valueIn(run, "batch_size");
    if (plan.batch == QLatin1String("0")) plan.batch.clear();
    plan.inSteps = valueIn(run, "epochs").isEmpty() && !valueIn(run, "steps").isEmpty();
    plan.length = valueIn(run, plan.inSteps ? "steps" : "epochs");
    if (plan.length.isEmpty()) plan.length = QString::number(kEpochsOfNothingSaid);
    return plan;
  }
  plan.run = RunPlanText::tr("new run");
  const RunRequest next = runs.nextRun(&document);
  plan.batch = next.set.value(QStringLiteral("batch_size"), positive(info.batchSize));
  const bool asked = next.epochs > 0 || next.steps > 0;
  plan.inSteps = asked ? next.epochs == 0 : info.epochs == 0 && info.steps > 0;
  plan.length = asked ? positive(plan.inSteps ? next.steps : next.epochs) : positive(plan.inSteps ? info.steps : info.epochs);
  if (plan.length.isEmpty()) plan.length = QString::number(kEpochsOfNothingSaid);
  return plan;
}

QString lengthWords(const QString& typed, bool inSteps, QString* number) {
  static const QRegularExpression pattern(QStringLiteral("^\\s*(\\S+)\\s*(.*?)\\s*$"));
  const QRegularExpressionMatch match = pattern.match(typed);
  *number = match.captured(1);
  const QString unit = match.captured(2).toLower();
  const auto means = [&unit](const char* english, const QString& translated) {
    return QLatin1String(english).startsWith(unit) || translated.toLower().startsWith(unit);
  };
  if (unit.isEmpty()) return inSteps ? QStringLiteral("--steps") : QStringLiteral("--epochs");
  if (means("steps", RunPlanText::tr("steps"))) return QStringLiteral("--steps");
  if (means("epochs", RunPlanText::tr("epochs"))) return QStringLiteral("--epochs");
  return {};
}

}  // namespace weft::app
