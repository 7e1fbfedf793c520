// Texts of the runs in a RunsView's list.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <algorithm>
#include <functional>
#include <limits>

#include "common/format.h"
#include "common/icons.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "views/runs/run_cards.h"
#include "views/runs/run_words.h"
#include "views/runs/runs_view.h"

namespace weft::app {
namespace {

constexpr qsizetype kMostWords = 3;  // settings in the line below the name

/// The training settings that usually differ between runs of a document.
QString settingsLine(const RunRecord& run) {
  QStringList parts;
  for (const auto& [key, value] : run.settings) {
    if (key == QLatin1String("data") || key == QLatin1String("seed") || key == QLatin1String("threads") || key == QLatin1String("memory_limit") ||
        key == QLatin1String("summary_every_steps"))
      continue;
    if (parts.size() < kMostWords) parts << QStringLiteral("%1 %2").arg(settingWord(key), value);
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

RunCard RunsView::cardOf(const RunRecord& run) const {
  const RunController& runs = context_.workspace.runs();
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const ArchivedRun* old = archive.archived(&run);
  const SummaryRun* curves = context_.workspace.summaries().runOf(run.folder);
  RunCard card;
  card.key = keyOf(run);
  card.name = archive.name(run);
  card.hue = curves ? curves->hue : hueOf(run);
  card.seen = curves && curves->visible && !curves->foreign;
  card.hasCurves = curves ? !curves->foreign : old && old->hasEvents;
  card.running = run.end == RunRecord::End::Running;
  card.failed = run.end == RunRecord::End::Failed;
  const QString state = card.running              ? runs.state() == RunController::State::Paused ? tr("paused") : tr("running")
                                     : old && old->interrupted ? tr("interrupted")
                                                  : endWord(run.end);
  card.state = old                                         ? QStringLiteral("%1 · %2").arg(dayOf(run.started), state)
               : card.running || run.progress.elapsed <= 0 ? state
                                                           : QStringLiteral("%1 · %2").arg(widgets::formatClock(run.progress.elapsed), state);
  const QString missing = archive.missingFiles(run);
  if (!missing.isEmpty()) {
    card.state = missing;  // alone, because it must fit beside the name
    card.failed = true;
  }
  QStringList what;
  if (context_.workspace.showsAllRuns()) what << run.document;
  what << (archive.title(run).isEmpty() ? settingsLine(run) : archive.title(run));
  what.removeAll(QString());
  card.what = what.join(QStringLiteral(" · "));
  QStringList numbers;
  if (run.progress.hasLoss) numbers << tr("loss %1").arg(widgets::formatValue(run.progress.loss));
  if (const QString accuracy = accuracyText(run.progress); !accuracy.isEmpty()) numbers << tr("acc %1").arg(accuracy);
  // A narrow dock has room for two numbers; the steps are in the tooltip and among the settings.
  if (numbers.size() < 2) numbers << tr("%n step(s)", nullptr, int(std::min<qint64>(run.progress.step, std::numeric_limits<int>::max())));
  card.numbers = numbers.join(QStringLiteral("   "));
  card.note = run.notes.section(u'\n', 0, 0).trimmed();
  QString tip = archive.label(run) + QStringLiteral(" · ") + state + QStringLiteral(" · ") +
                tr("%n step(s)", nullptr, int(std::min<qint64>(run.progress.step, std::numeric_limits<int>::max()))) + QStringLiteral("\n") + run.document +
                QStringLiteral("\n") + run.started.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
  if (!run.origin.isEmpty()) tip += QStringLiteral("\n") + tr("from %1").arg(run.origin);
  if (!run.error.isEmpty()) tip += QStringLiteral("\n") + run.error;
  if (curves && !curves->problem.isEmpty()) tip += QStringLiteral("\n") + curves->problem;
  if (!missing.isEmpty()) tip += QStringLiteral("\n") + tr("Files of this run in %1 were deleted. Data already read is still shown.").arg(run.folder);
  if (old) tip += QStringLiteral("\n") + tr("From an earlier session of Weft, in %1").arg(run.folder);
  card.toolTip = tip;
  return card;
}

/// A card for event files that no listed training wrote, or whose folder was deleted.
RunCard RunsView::cardOf(const SummaryRun& run) const {
  RunCard card;
  card.key = kEventsKey + QString::number(run.id);
  card.name = run.name;
  card.hue = run.hue;
  card.seen = run.visible;
  card.state = run.problem.isEmpty() ? tr("event files") : tr("event files, damaged or missing");
  card.failed = !run.problem.isEmpty();
  qint64 last = 0;
  for (const auto& [tag, series] : run.scalars) {
    if (!series->empty()) last = std::max(last, qint64(series->samples().back().step));
  }
  if (!run.scalars.empty())
    card.numbers = tr("%n curve(s)", nullptr, int(run.scalars.size())) + QStringLiteral("   ") + tr("up to step %1").arg(widgets::formatCount(last));
  card.toolTip = QStringList{run.name, run.source, run.problem}.join(u'\n').trimmed();
  return card;
}

/// Shows or hides curves; those of an earlier session are read first.
void RunsView::setSeen(const QStringList& keys, bool seen) {
  Summaries& summaries = context_.workspace.summaries();
  for (const QString& key : keys) {
    if (key.startsWith(kEventsKey)) {
      summaries.setRunVisible(key.mid(kEventsKey.size()).toInt(), seen);
      continue;
    }
    const RunRecord* run = RunArchive::of(context_.workspace).find(key);
    if (!run) continue;
    if (seen) RunArchive::of(context_.workspace).showCurves(*run);
    else if (const SummaryRun* curves = summaries.runOf(run->folder)) summaries.setRunVisible(curves->id, false);
  }
}

void RunsView::addEyeActions(QMenu* menu, const QString& key) {
  const auto set = [this](bool seen, const std::function<bool(const QString&)>& of) {
    QStringList keys;
    for (const RunCard& card : list_->cards())
      if (card.seen != seen && of(card.key)) keys << card.key;
    setSeen(keys, seen);
  };
  if (!key.isEmpty()) {
    const QStringList chosen = list_->selectedKeys().contains(key) ? list_->selectedKeys() : QStringList{key};
    connect(menu->addAction(widgets::icon(QStringLiteral("eye")), tr("Only these curves")), &QAction::triggered, this, [set, chosen] {
      set(true, [&](const QString& k) { return chosen.contains(k); });
      set(false, [&](const QString& k) { return !chosen.contains(k); });
    });
  }
  const auto any = [](const QString&) { return true; };
  connect(menu->addAction(tr("Show all curves")), &QAction::triggered, this, [set, any] { set(true, any); });
  connect(menu->addAction(tr("Hide all curves")), &QAction::triggered, this, [set, any] { set(false, any); });
}

QString RunsView::report() const {
  static const char* kEnds[] = {"running", "finished", "stopped", "stopped early", "failed"};
  QJsonArray list;
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<const RunRecord*> all = listed();
  std::stable_sort(all.begin(), all.end(), [](const RunRecord* a, const RunRecord* b) {
    return std::pair(!a->earlier, a->number) < std::pair(!b->earlier, b->number);
  });  // older ones first
  for (const RunRecord* run : std::as_const(all)) {
    const ArchivedRun* old = archive.archived(run);
    QJsonObject settings;
    for (const auto& [key, value] : run->settings) settings.insert(key, value);
    QJsonArray edits, checkpoints;
    for (const RunRecord::Edit& e : run->edits)
      edits << QJsonObject{{QStringLiteral("step"), e.step}, {QStringLiteral("name"), e.name}, {QStringLiteral("value"), e.value}};
    for (const RunRecord::Checkpoint& c : run->checkpoints) checkpoints << c.step;
    list << QJsonObject{{QStringLiteral("number"), run->number},
                        {QStringLiteral("run"), keyOf(*run)},
                        {QStringLiteral("end"), old && old->interrupted ? QStringLiteral("interrupted") : QLatin1String(kEnds[int(run->end)])},
                        {QStringLiteral("title"), archive.title(*run)},
                        {QStringLiteral("earlier"), old != nullptr},
                        {QStringLiteral("step"), run->progress.step},
                        {QStringLiteral("document_sha1"), run->documentHash},
                        {QStringLiteral("settings"), settings},
                        {QStringLiteral("edits"), edits},
                        {QStringLiteral("checkpoints"), checkpoints},
                        {QStringLiteral("notes"), run->notes},
                        {QStringLiteral("from"), run->origin}};
  }
  return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

}  // namespace weft::app
