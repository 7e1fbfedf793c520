// Data that a RunController keeps of its runs besides their numbers: notes, the document's file, names, log lines.
#include <QDir>
#include <QFileInfo>
#include <utility>

#include "common/background.h"
#include "document/document.h"
#include "document/log.h"
#include "document/run_controller.h"
#include "document/run_places.h"

namespace weft::app {
namespace {
constexpr qsizetype kMostEvaluations = 3;  // in a line of the log
}

void RunController::setNotes(int number, const QString& notes) {
  for (const auto& run : runs_) {
    if (run->number != number || run->notes == notes) continue;
    run->notes = notes;
    const bool beingWritten = ending_ && run == runs_.back();
    if (run->end != RunRecord::End::Running && !beingWritten) {
      if (const QString problem = writeRunRecord(*run); !problem.isEmpty()) log_->warning(problem);
    }
    emit runChanged(number);
  }
}

void RunController::documentSaved(Document* document) {
  const quint64 owner = RunSettings::of(*document).owner();
  const QString folder = QDir::cleanPath(document->runsFolder());
  QStringList elsewhere;
  std::vector<RunRecord> changed;
  for (const auto& run : runs_) {
    if (run->owner != owner) continue;
    if (QDir::cleanPath(QFileInfo(run->folder).absolutePath()) != folder && QFileInfo::exists(run->folder)) elsewhere << run->folder;
    if (run->file == document->path()) continue;
    run->file = document->path();
    run->document = document->title();
    if (run->end != RunRecord::End::Running && QFileInfo::exists(run->folder)) changed.push_back(*run);
  }
  if (!elsewhere.isEmpty()) {
    if (const QString problem = linkRuns(folder, elsewhere); !problem.isEmpty()) log_->warning(problem);
  }
  if (changed.empty()) return;
  widgets::inBackground([changed = std::make_shared<const std::vector<RunRecord>>(std::move(changed))] {
    for (const RunRecord& run : *changed) writeRunRecord(run);
  });
}

void RunController::renameRuns() {
  for (const auto& run : runs_) run->name = runName(run->number);
}

/// A small network may be evaluated sixty times a second, so evaluations are logged in one line, with the first and the last ones; the curve has all.
void RunController::logEvaluations() {
  const auto evaluated = std::exchange(evaluated_, {});
  if (evaluated.isEmpty()) return;
  const auto words = [](const std::pair<qint64, double>& e) { return tr("step %1, test accuracy %2").arg(e.first).arg(percentText(e.second)); };
  QStringList parts;
  for (qsizetype i = 0; i < evaluated.size() && i < kMostEvaluations - 1; ++i) parts << words(evaluated[i]);
  if (evaluated.size() > kMostEvaluations) parts << QStringLiteral("…");
  if (evaluated.size() >= kMostEvaluations) parts << words(evaluated.last());
  log_->info(QStringLiteral("%1: %2").arg(runs_.back()->name, parts.join(QStringLiteral("; "))));
}

/// A small network may write sixty a second, so they are logged in one line.
void RunController::logCheckpoints() {
  const RunRecord& run = *runs_.back();
  const qsizetype count = run.checkpoints.size() - std::exchange(loggedCheckpoints_, run.checkpoints.size());
  QStringList steps;
  for (qsizetype i = run.checkpoints.size() - count; i < run.checkpoints.size(); ++i) steps << QString::number(run.checkpoints[i].step);
  if (count > 0) log_->info(tr("%1: checkpoint at step %2").arg(run.name, steps.join(QStringLiteral(", "))));
}

}  // namespace weft::app
