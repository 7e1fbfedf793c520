#include "document/run_record.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <cmath>

#include "adapters/training_server.h"
#include "common/format.h"

namespace weft::app {
namespace {

struct RunWords {
  Q_DECLARE_TR_FUNCTIONS(RunWords)
};

}  // namespace

QString endWord(RunRecord::End end) {
  switch (end) {
    case RunRecord::End::Running: return RunWords::tr("running");
    case RunRecord::End::Finished: return RunWords::tr("done");
    case RunRecord::End::Stopped: return RunWords::tr("stopped");
    case RunRecord::End::StoppedEarly: return RunWords::tr("stopped early");
    case RunRecord::End::Failed: return RunWords::tr("failed");
  }
  return {};
}

QString endSentence(const RunRecord& run) {
  const RunProgress& p = run.progress;
  const QString steps =
      p.totalSteps > p.step ? RunWords::tr("%1 of %n step(s)", nullptr, int(p.totalSteps)).arg(p.step) : RunWords::tr("%n step(s)", nullptr, int(p.step));
  switch (run.end) {
    case RunRecord::End::Running: return RunWords::tr("running");
    case RunRecord::End::Finished: return RunWords::tr("done after %1").arg(steps);
    case RunRecord::End::Stopped: return RunWords::tr("stopped after %1").arg(steps);
    case RunRecord::End::StoppedEarly: return RunWords::tr("stopped early after %1: evaluations did not improve").arg(steps);
    case RunRecord::End::Failed: return RunWords::tr("failed after %1: %2").arg(steps, run.error);
  }
  return {};
}

QString serverOf(const RunRecord& run) {
  for (const auto& [key, value] : run.settings)
    if (key == QLatin1String("device")) return serverAddress(value);
  return {};
}

QString percentText(double share) { return std::isfinite(share) ? QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1) : widgets::formatValue(share); }

QString writeRunRecord(const RunRecord& run) {
  static const char* kEnds[] = {"running", "finished", "stopped", "stopped early", "failed"};
  QJsonObject settings;
  for (const auto& [key, value] : run.settings) settings.insert(key, value);
  QJsonArray edits, checkpoints;
  for (const RunRecord::Edit& e : run.edits)
    edits << QJsonObject{{QStringLiteral("after_step"), e.step}, {QStringLiteral("name"), e.name}, {QStringLiteral("value"), e.value}};
  for (const RunRecord::Checkpoint& c : run.checkpoints) {
    QJsonObject checkpoint{{QStringLiteral("step"), c.step}, {QStringLiteral("prefix"), c.prefix}};
    if (c.testLoss >= 0) checkpoint.insert(QStringLiteral("test_loss"), c.testLoss);
    if (c.testAccuracy >= 0) checkpoint.insert(QStringLiteral("test_accuracy"), c.testAccuracy);
    checkpoints << checkpoint;
  }
  QJsonObject record{{QStringLiteral("name"), run.name},
                     {QStringLiteral("document"), run.document},
                     {QStringLiteral("document_sha1"), run.documentHash},
                     {QStringLiteral("file"), run.file},
                     {QStringLiteral("from"), run.origin},
                     {QStringLiteral("started"), run.started.toString(Qt::ISODate)},
                     {QStringLiteral("end"), QLatin1String(kEnds[int(run.end)])},
                     {QStringLiteral("error"), run.error},
                     {QStringLiteral("steps"), run.progress.step},
                     {QStringLiteral("seconds"), run.progress.elapsed},
                     {QStringLiteral("settings"), settings},
                     {QStringLiteral("edits"), edits},
                     {QStringLiteral("checkpoints"), checkpoints},
                     {QStringLiteral("notes"), run.notes}};
  const RunProgress& p = run.progress;
  if (p.hasLoss) record.insert(QStringLiteral("loss"), p.loss);
  if (p.hasAccuracy) record.insert(QStringLiteral("accuracy"), p.accuracy);
  if (p.hasTestLoss) record.insert(QStringLiteral("test_loss"), p.testLoss);
  if (p.hasTestAccuracy) record.insert(QStringLiteral("test_accuracy"), p.testAccuracy);
  if (!QDir().mkpath(run.folder)) return RunWords::tr("The folder %1 could not be created.").arg(run.folder);
  const QString path = QDir(run.folder).filePath(QStringLiteral("run.json"));
  if (QFile before(path); before.open(QIODevice::ReadOnly)) {
    const QJsonValue title = QJsonDocument::fromJson(before.readAll()).object().value(QLatin1String("title"));
    if (title.isString()) record.insert(QStringLiteral("title"), title);
  }
  if (run.end == RunRecord::End::Running) {  // only for the case that the program is killed during the run, so no flush to disk
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(record).toJson());
    return {};
  }
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(record).toJson()) > 0 && file.commit()) return {};
  return RunWords::tr("%1 could not be written: %2").arg(file.fileName(), file.errorString());
}

}  // namespace weft::app
