#include "views/scalars/scalars_view.h"

#include <QCursor>
#include <QEvent>
#include <QFileInfo>
#include <QMenu>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/format.h"
#include "common/icons.h"
#include "document/pins.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "plot/run_list.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "shell/action_registry.h"
#include "views/train_button.h"

namespace weft::app {

ScalarsView::ScalarsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::ScalarGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  Summaries& summaries = context.workspace.summaries();
  Settings& settings = context.workspace.settings();
  connect(&summaries, &Summaries::runAdded, this, &ScalarsView::addRun);
  connect(&summaries, &Summaries::runChanged, this, [this, &summaries](int run) {
    const SummaryRun* r = summaries.run(run);
    if (!r || !ids_.contains(run)) return;
    grid_->setRunVisible(ids_[run], r->visible);
    grid_->setRunProblem(ids_[run], r->problem);
  });
  connect(&summaries, &Summaries::runRestarted, this, [this](int run) {
    if (ids_.contains(run)) grid_->clearRun(ids_[run]);
  });
  connect(&summaries, &Summaries::runRemoved, this, [this](int run) {
    if (ids_.contains(run)) grid_->removeRun(ids_.take(run));
  });
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Scalar) showSeries(run, tag);
  });
  connect(grid_, &widgets::ScalarGrid::runVisibilityRequested, this,
          [this, &summaries](int id, bool visible) { summaries.setRunVisible(ids_.key(id, -1), visible); });
  connect(grid_, &widgets::ScalarGrid::runRemovalRequested, this, [this, &summaries](int id) { summaries.removeRun(ids_.key(id, -1)); });
  connect(&summaries, &Summaries::runRenamed, this, [this, &summaries](int run) {
    if (ids_.contains(run)) grid_->renameRun(ids_[run], summaries.run(run)->name);
  });
  // The card under the pointer has its own cursor, and the grid has informed its other cards.
  connect(grid_, &widgets::ScalarGrid::cursorMoved, this, [this, &summaries](std::optional<double> step) {
    const QScopedValueRollback<bool> own(sendingStep_, true);
    summaries.setCursor(step);
  });
  connect(&summaries, &Summaries::cursorMoved, this, [this](std::optional<double> step) {
    if (!sendingStep_) grid_->followStep(step);
  });
  connect(grid_, &widgets::ScalarGrid::checkpointClicked, this, &ScalarsView::branch);
  connect(&context.workspace, &Workspace::eventsOpened, this, &ScalarsView::showOpened);
  Pins& pins = Pins::of(context.workspace);
  connect(grid_, &widgets::ScalarGrid::pinRequested, &pins, [&pins](const QString& tag, bool pinned) { pins.set({SummaryKind::Scalar, tag}, pinned); });
  const auto showPins = [this, &pins] { grid_->setPins(pins.isChosen() ? pins.tagsOf(SummaryKind::Scalar) : QSet<QString>()); };
  connect(&pins, &Pins::changed, this, showPins);
  showPins();
  connect(grid_, &widgets::ScalarGrid::nodeWanted, this, [this](const QString& tag) {
    const CommandResult result = context_.actions.run(QStringLiteral("graph.go-tag"), {tag});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(grid_, &widgets::ScalarGrid::emptyButtonClicked, this, [this] {
    RunArchive& archive = RunArchive::of(context_.workspace);
    if (const auto hidden = archive.hidden(); !hidden.isEmpty()) return archive.showCurves(*hidden.front());
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  followTrain(grid_, context_.actions.action(QStringLiteral("run.train")));
  widgets::Smoothing smoothing{widgets::Smoothing::Kind::Ema, settings.value(QStringLiteral("scalars/smoothing"), 0.6).toDouble()};
  widgets::smoothingKind(settings.value(QStringLiteral("scalars/smoothing-kind")).toString(), &smoothing.kind);
  grid_->setSmoothing(smoothing);
  connect(grid_, &widgets::ScalarGrid::smoothingChanged, this, [&settings](const widgets::Smoothing& s) {
    settings.setValue(QStringLiteral("scalars/smoothing"), s.strength);
    settings.setValue(QStringLiteral("scalars/smoothing-kind"), widgets::smoothingName(s.kind));
  });
  grid_->setRunListShown(settings.value(QStringLiteral("scalars/run-list"), false).toBool());
  connect(grid_, &widgets::ScalarGrid::runListShownChanged, this, [&settings](bool shown) { settings.setValue(QStringLiteral("scalars/run-list"), shown); });
  connect(&context.workspace.runs(), &RunController::runChanged, this, [this](int number) {
    if (const RunRecord* record = context_.workspace.runs().run(number)) showMarks(*record);
  });
  connect(&RunArchive::of(context.workspace), &RunArchive::changed, this, [this] {
    showAllMarks();
    updateEmptyState();
  });
  for (const auto& run : summaries.runs()) {
    if (run->foreign) continue;
    addRun(run->id);
    for (const auto& [tag, series] : run->scalars) showSeries(run->id, tag);
  }
  retranslate();
}

void ScalarsView::addRun(int run) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r || ids_.contains(run)) return;
  ids_.insert(run, grid_->addRun(r->name, r->hue));
  grid_->setRunVisible(ids_[run], r->visible);
  marks_.remove(r->identity.folder);
  if (const RunRecord* record = RunArchive::of(context_.workspace).findFolder(r->identity.folder)) showMarks(*record);
}

void ScalarsView::showAllMarks() {
  for (auto it = ids_.cbegin(); it != ids_.cend(); ++it) {
    const SummaryRun* run = context_.workspace.summaries().run(it.key());
    const RunRecord* record = run ? RunArchive::of(context_.workspace).findFolder(run->identity.folder) : nullptr;
    if (record) showMarks(*record);
  }
}

void ScalarsView::showMarks(const RunRecord& record) {
  const SummaryRun* run = context_.workspace.summaries().runOf(record.folder);
  if (!run || !ids_.contains(run->id)) return;
  // A running training has a few more checkpoints each time.
  Marks& kept = marks_[record.folder];
  if (kept.edits != record.edits.size() || kept.checkpoints > record.checkpoints.size()) kept = {};
  for (; kept.checkpoints < record.checkpoints.size(); ++kept.checkpoints) {
    const qint64 step = record.checkpoints[kept.checkpoints].step;
    kept.marks.insert(kept.marks.begin() + kept.checkpoints,
                      {widgets::PlotMark::Kind::Checkpoint, double(step), tr("checkpoint at step %1").arg(widgets::formatCount(step)),
                       tr("Click: go back to step %1 of %2").arg(widgets::formatCount(step), run->name)});
  }
  for (; kept.edits < record.edits.size(); ++kept.edits) {
    const RunRecord::Edit& e = record.edits[kept.edits];
    kept.marks.push_back(
        {widgets::PlotMark::Kind::Edit, double(e.step), tr("%1 is %2 from step %3 on").arg(e.name, widgets::formatValue(e.value)).arg(e.step + 1)});
  }
  grid_->setRunMarks(ids_[run->id], kept.marks);
}

/// A checkpoint's diamond was clicked: offers to start a run there.
void ScalarsView::branch(int id, double step) {
  const SummaryRun* run = context_.workspace.summaries().run(ids_.key(id, -1));
  const RunRecord* record = run ? RunArchive::of(context_.workspace).findFolder(run->identity.folder) : nullptr;
  if (!record) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("branch_menu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QString word = record->earlier ? QFileInfo(record->folder).fileName() : QString::number(record->number), at = QString::number(qint64(step));
  QAction* go =
      menu->addAction(widgets::icon(QStringLiteral("undo")), tr("Go back to step %1 of %2, paused").arg(widgets::formatCount(qint64(step)), run->name));
  connect(go, &QAction::triggered, this, [this, at, word] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.go-back"), {at, word});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  const auto checkpoint = std::find_if(record->checkpoints.begin(), record->checkpoints.end(), [step](const auto& c) { return double(c.step) == step; });
  const bool there = checkpoint != record->checkpoints.end() && QFileInfo::exists(checkpoint->prefix + QStringLiteral(".index"));
  const QString reason = !there ? tr("This checkpoint was removed: only the newest are kept.") : context_.actions.disabledReason(QStringLiteral("run.go-back"));
  go->setEnabled(reason.isEmpty());
  if (!reason.isEmpty()) menu->addAction(reason)->setEnabled(false);
  if (there) {
    connect(menu->addAction(widgets::icon(QStringLiteral("search")), tr("Open the checkpoint")), &QAction::triggered, this,
            [this, path = checkpoint->prefix + QStringLiteral(".index")] { context_.workspace.open(path); });
  }
  menu->popup(QCursor::pos());
}

void ScalarsView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r || !ids_.contains(run)) return;
  const auto it = r->scalars.find(tag);
  if (it == r->scalars.end()) return;
  grid_->setSeries(ids_[run], tag, it->second);
  grid_->grown(ids_[run], tag);
  if (!opened_.isEmpty() && r->source == opened_) {
    opened_.clear();
    showTag(tag);
  }
}

/// Scrolls to newly opened data, which would be hard to find among many cards.
void ScalarsView::showOpened(const QString& path) {
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->source == path && !run->foreign && !run->scalars.empty()) return showTag(run->scalars.begin()->first);
  }
  opened_ = path;  // no data was taken over yet
}

void ScalarsView::refreshNow() { grid_->refreshNow(); }

void ScalarsView::showTag(const QString& tag) {
  grid_->setTableShown(false);
  grid_->cards()->scrollTo(tag);
}

QString ScalarsView::exportTag(const QString& tag, const QString& path) {
  widgets::ScalarPlot* plot = grid_->plot(tag);
  if (!plot) return tr("There is no series %1; there are %2.").arg(tag, grid_->tags().join(QStringLiteral(", ")));
  plot->refreshNow();
  return widgets::exportCard(
      plot, path, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
}

bool ScalarsView::setOption(const QString& option) {
  using X = widgets::SeriesStore::X;
  const QStringList words = option.split(u' ');
  widgets::Smoothing smoothing = grid_->smoothing();
  bool isNumber = false;
  const double strength = words.last().toDouble(&isNumber);
  if (isNumber) smoothing.strength = strength;
  if (words.size() <= 2 && (isNumber || words.size() == 1) && ((isNumber && words.size() == 1) || widgets::smoothingKind(words[0], &smoothing.kind)))
    grid_->setSmoothing(smoothing);
  else if (words[0] == QLatin1String("search")) grid_->setSearch(option.mid(7));
  else if (words[0] == QLatin1String("groups")) grid_->runList()->setFilter(option.mid(7));
  else if (words[0] == QLatin1String("cursor") && words.size() == 2) grid_->setCursor(isNumber ? std::optional(strength) : std::nullopt);
  else if (option == QLatin1String("5-95") || option == QLatin1String("all-values")) grid_->setIgnoreOutliers(option == QLatin1String("5-95"));
  else if (option == QLatin1String("events") || option == QLatin1String("no-events")) grid_->setMarksShown(option == QLatin1String("events"));
  else if (option == QLatin1String("table") || option == QLatin1String("cards")) grid_->setTableShown(option == QLatin1String("table"));
  else if (option == QLatin1String("spread") || option == QLatin1String("curves")) grid_->setSpread(option == QLatin1String("spread"));
  else if (option == QLatin1String("log-y")) grid_->setLogY(true);
  else if (option == QLatin1String("log-x")) grid_->setLogX(true);
  else if (option == QLatin1String("linear")) grid_->setLogX(false), grid_->setLogY(false);
  else if (option == QLatin1String("step")) grid_->setXAxis(X::Step);
  else if (option == QLatin1String("relative")) grid_->setXAxis(X::Relative);
  else if (option == QLatin1String("wall")) grid_->setXAxis(X::Wall);
  else return false;
  return true;
}

void ScalarsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

/// Offers runs with hidden curves first, because the user might think they are lost.
void ScalarsView::updateEmptyState() {
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const QVector<const RunRecord*> hidden = archive.hidden();
  if (!hidden.isEmpty())
    return grid_->setEmptyText(tr("%n run(s) hidden", nullptr, int(hidden.size())), tr("The eye of a run in the Runs panel shows and hides its curves."),
                               tr("Show %1").arg(archive.name(*hidden.front())), QStringLiteral("eye"));
  grid_->setEmptyText(tr("No scalars yet"), tr("Loss and accuracy appear here from the first training step. Event files that you open are also shown here."),
                      tr("Train"));
}

void ScalarsView::retranslate() {
  updateEmptyState();
  marks_.clear();
  showAllMarks();
}

const ViewRecord scalarsView = {"scalars",
                                QT_TRANSLATE_NOOP("Views", "Scalars"),
                                QT_TRANSLATE_NOOP("Views", "Loss, accuracy and other scalars over the training steps"),
                                "chart",
                                Qt::BottomDockWidgetArea,
                                "compose train",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ScalarsView(context, parent); }};

}  // namespace weft::app
