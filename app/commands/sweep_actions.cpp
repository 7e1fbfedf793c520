#include "commands/sweep_actions.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <memory>

#include "commands/script_queries.h"
#include "document/document.h"
#include "document/experiments.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct SweepActions {
  Q_DECLARE_TR_FUNCTIONS(SweepActions)
};

const QString kDock = QStringLiteral("experiments");

CommandResult outcome(const QString& error) { return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); }

QString wholeNumber(const QString& option, const QString& text, qint64 least, qint64 most, qint64* to) {
  bool ok = false;
  *to = text.toLongLong(&ok);
  if (ok && *to >= least && *to <= most) return {};
  return SweepActions::tr("%1 is %2, expected a whole number from %3 to %4.").arg(option, text.isEmpty() ? QStringLiteral("\"\"") : text).arg(least).arg(most);
}

/// The request that the words of sweep.start describe; a sentence if they are wrong.
QString readWords(const QStringList& words, SweepRequest* request) {
  constexpr qint64 kMost = qint64(1) << 53;
  for (qsizetype i = 0; i < words.size(); ++i) {
    const QString& word = words[i];
    if (!word.startsWith(QLatin1String("--"))) {
      if (const QString error = sweepParameterError(word); !error.isEmpty()) return error;
      request->parameters << word;
      continue;
    }
    if (i + 1 >= words.size()) return SweepActions::tr("%1 needs a value.").arg(word);
    const QString value = words[++i];
    QString error;
    qint64 number = 0;
    if (word == QLatin1String("--method")) request->method = value;
    else if (word == QLatin1String("--stop")) request->stop = value;
    else if (word == QLatin1String("--metric")) request->metric = value;
    else if (word == QLatin1String("--runs")) error = wholeNumber(word, value, 1, 1000000, &number), request->runs = int(number);
    else if (word == QLatin1String("--parallel")) error = wholeNumber(word, value, 1, 4096, &number), request->parallel = int(number);
    else if (word == QLatin1String("--seed")) error = wholeNumber(word, value, 0, kMost, &request->seed);
    else if (word == QLatin1String("--epochs") || word == QLatin1String("--steps"))
      error = wholeNumber(word, value, 1, kMost, &number), request->fixed << qMakePair(word.mid(2), value);
    else if (word == QLatin1String("--set") && value.indexOf(u'=') > 0) request->fixed << qMakePair(value.section(u'=', 0, 0), value.section(u'=', 1));
    else return SweepActions::tr("sweep.start does not know %1.").arg(word + u' ' + value);
    if (!error.isEmpty()) return error;
  }
  return request->parameters.isEmpty() ? SweepActions::tr("A sweep needs a parameter, as in lr=log:1e-4:1e-1.") : QString();
}

CommandResult startSweep(Workspace& workspace, Shell& shell, const QStringList& words) {
  shell.showView(kDock);
  if (words.isEmpty()) {
    QMetaObject::invokeMethod(shell.viewWidget(kDock), "showForm");
    return CommandResult::done();
  }
  SweepRequest request;
  if (const QString error = readWords(words, &request); !error.isEmpty()) return CommandResult::failed(error);
  Experiments& experiments = Experiments::of(workspace);
  experiments.start(workspace.current(), std::move(request));
  // A wrong name or method is found by the sweep's thread before the first run.
  return CommandResult::when([&experiments]() -> std::optional<CommandResult> {
    const SweepState& s = experiments.state();
    if (s.phase == SweepState::Phase::Preparing) return std::nullopt;
    return s.phase == SweepState::Phase::Failed ? CommandResult::failed(s.error) : CommandResult::done();
  });
}

/// The run of the page with that name or number; −1: none.
int runNamed(const ExperimentPage& page, const QString& word) {
  for (size_t i = 0; i < page.runs.size(); ++i)
    if (page.runs[i].name == word || QString::number(page.runs[i].number) == word) return int(i);
  return -1;
}

CommandResult noRun(const QString& word) { return CommandResult::failed(SweepActions::tr("There is no run %1 in this sweep.").arg(word)); }

CommandResult promote(Workspace& workspace, const QStringList& words) {
  Experiments& experiments = Experiments::of(workspace);
  const int run = words.isEmpty() ? experiments.promoted() : runNamed(*experiments.page(), words[0]);
  if (run < 0) return noRun(words.value(0));
  auto result = std::make_shared<std::optional<CommandResult>>();
  experiments.promote(run, [result](const QString& error) { *result = outcome(error); });
  return CommandResult::when([result] { return *result; });
}

CommandResult import(Workspace& workspace, Shell& shell, const QStringList& words) {
  QString folder = words.value(0);
  if (folder.isEmpty()) folder = QFileDialog::getExistingDirectory(shell.window(), SweepActions::tr("Folder with event files"));
  if (folder.isEmpty()) return CommandResult::done();
  shell.showView(kDock);
  auto result = std::make_shared<std::optional<CommandResult>>();
  Experiments::of(workspace).import(folder, [result](qint64, const QString& error) { *result = outcome(error); });
  return CommandResult::when([result] { return *result; });
}

}  // namespace

void registerSweepActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  Experiments& experiments = Experiments::of(workspace);
  const auto whyNot = [&] { return experiments.whyNot(workspace.current()); };
  const auto notActive = [&] { return experiments.isActive() ? QString() : SweepActions::tr("No sweep is running."); };
  const auto noRuns = [&] { return experiments.promoted() >= 0 ? QString() : SweepActions::tr("No run of a sweep has finished yet."); };
  const auto noDocument = [&] { return workspace.current() ? QString() : SweepActions::tr("No graph is open."); };
  registry.add({QStringLiteral("sweep.start"),
                QT_TRANSLATE_NOOP("Actions", "S&weep parameters…"),
                QT_TRANSLATE_NOOP("Actions", "Trains the document many times with different parameters and compares the runs"),
                {},
                QStringLiteral("layers"),
                "NAME=SPACE… [--method grid|random|sobol|bayesian] [--runs N] [--stop none|median|asha|hyperband] [--metric NAME] [--parallel N] [--seed N] "
                "[--epochs N] [--steps N] [--set NAME=VALUE]",
                [&](const QStringList& a) { return startSweep(workspace, shell, a); },
                whyNot});
  registry.add({QStringLiteral("sweep.pause"),
                QT_TRANSLATE_NOOP("Actions", "Pause the sweep"),
                QT_TRANSLATE_NOOP("Actions", "Runs wait after their present step, or go on if they are waiting"),
                {},
                QStringLiteral("pause"),
                "",
                [&](const QStringList&) {
                  if (experiments.state().phase == SweepState::Phase::Paused) experiments.resume();
                  else experiments.pause();
                  return CommandResult::done();
                },
                notActive,
                [&] { return experiments.state().phase == SweepState::Phase::Paused; }});
  registry.add({QStringLiteral("sweep.stop"),
                QT_TRANSLATE_NOOP("Actions", "Stop the sweep"),
                QT_TRANSLATE_NOOP("Actions", "Ends the runs after their present step, with checkpoints to go on from"),
                {},
                QStringLiteral("stop"),
                "",
                [&](const QStringList&) {
                  experiments.stop();
                  return CommandResult::done();
                },
                notActive});
  registry.add({QStringLiteral("sweep.continue"),
                QT_TRANSLATE_NOOP("Actions", "Continue the sweep"),
                QT_TRANSLATE_NOOP("Actions", "Goes on with the shown sweep: interrupted runs from their checkpoints, then the remaining ones"),
                {},
                QStringLiteral("play"),
                "",
                [&](const QStringList&) {
                  const auto* sweep = experiments.page()->sweep();
                  experiments.goOn(workspace.current(), sweep ? sweep->id : 0);
                  return CommandResult::done();
                },
                [&] {
                  if (const QString why = experiments.whyNot(workspace.current()); !why.isEmpty()) return why;
                  const auto* sweep = experiments.page()->sweep();
                  return sweep && !sweep->imported ? QString() : SweepActions::tr("There is no sweep to continue.");
                }});
  registry.add(
      {QStringLiteral("sweep.promote"), QT_TRANSLATE_NOOP("Actions", "&Use the best run's parameters"),
       QT_TRANSLATE_NOOP("Actions", "Writes the parameters of the selected run, else of the best one, into the document, as one step that can be undone"),
       QStringLiteral("Ctrl+Shift+W"), QStringLiteral("check"), "[RUN]", [&](const QStringList& a) { return promote(workspace, a); }, noRuns});
  registry.add({QStringLiteral("sweep.select"),
                QT_TRANSLATE_NOOP("Actions", "Select runs of the sweep"),
                QT_TRANSLATE_NOOP("Actions", "Selects runs in the table and in all pictures; without a run, none"),
                {},
                {},
                "RUN…",
                [&](const QStringList& a) {
                  QVector<qint64> ids;
                  for (const QString& word : a) {
                    const int run = runNamed(*experiments.page(), word);
                    if (run < 0) return noRun(word);
                    ids << experiments.page()->runs[size_t(run)].id;
                  }
                  experiments.select(ids);
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("sweep.import"),
                QT_TRANSLATE_NOOP("Actions", "Read runs from event files…"),
                QT_TRANSLATE_NOOP("Actions", "Adds the runs below a folder, with their hyperparameters and curves, to the experiments of the document"),
                {},
                QStringLiteral("folder"),
                "[FOLDER]",
                [&](const QStringList& a) { return import(workspace, shell, a); },
                noDocument});
  QObject::connect(&experiments, &Experiments::progressed, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&experiments, &Experiments::pageChanged, &registry, &ActionRegistry::refreshSoon);
}

QByteArray experimentsJson(Workspace& workspace) {
  static const char* kPhases[] = {"preparing", "running", "paused", "stopping", "done", "stopped", "failed"};
  static const char* kStatuses[] = {"waiting", "running", "finished", "stopped early", "interrupted", "failed"};
  const Experiments& experiments = Experiments::of(workspace);
  const SweepState& s = experiments.state();
  const ExperimentPage& page = *experiments.page();
  QJsonArray runs, order, groups, selected, importance;
  for (size_t i = 0; i < page.runs.size(); ++i) {
    const auto& run = page.runs[i];
    QJsonObject parameters, metrics;
    for (const auto& c : page.columns) {
      if (c->text(int(i)).isEmpty()) continue;
      if (c->isMetric) metrics.insert(c->name, jsonNumber(c->numbers[i]));
      else parameters.insert(c->name, c->text(int(i)));
    }
    QJsonObject object{{QStringLiteral("run"), run.name},
                       {QStringLiteral("status"), QLatin1String(kStatuses[run.status])},
                       {QStringLiteral("parameters"), parameters},
                       {QStringLiteral("metrics"), metrics}};
    if (!run.error.isEmpty()) object.insert(QStringLiteral("error"), run.error);
    runs << object;
    if (experiments.selection().contains(run.id)) selected << run.name;
  }
  for (const int row : page.rows) order << page.runs[size_t(row)].number;
  for (const auto& g : page.groups)
    groups << QJsonObject{{QStringLiteral("value"), g.value}, {QStringLiteral("runs"), g.runs}, {QStringLiteral("mean"), jsonNumber(g.mean)}};
  for (const auto& i : page.importance) importance << QJsonObject{{QStringLiteral("parameter"), i.parameter}, {QStringLiteral("share"), i.share}};
  return QJsonDocument(QJsonObject{{QStringLiteral("state"), QLatin1String(kPhases[int(s.phase)])},
                                   {QStringLiteral("name"), s.name},
                                   {QStringLiteral("total"), s.total},
                                   {QStringLiteral("running"), s.running},
                                   {QStringLiteral("finished"), s.finished},
                                   {QStringLiteral("stoppedEarly"), s.stoppedEarly},
                                   {QStringLiteral("failed"), s.failed},
                                   {QStringLiteral("best"), page.best >= 0 ? QJsonValue(page.runs[size_t(page.best)].name) : QJsonValue()},
                                   {QStringLiteral("error"), s.error.isEmpty() ? page.error : s.error},
                                   {QStringLiteral("sweeps"), page.sweeps.size()},
                                   {QStringLiteral("runs"), runs},
                                   {QStringLiteral("order"), order},
                                   {QStringLiteral("groups"), groups},
                                   {QStringLiteral("selected"), selected},
                                   {QStringLiteral("importance"), importance}})
      .toJson(QJsonDocument::Compact);
}

}  // namespace weft::app
