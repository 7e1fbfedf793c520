#include "views/runs/runs_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/runs/next_run_box.h"
#include "views/runs/remote_strip.h"
#include "views/runs/run_cards.h"
#include "views/runs/run_words.h"
#include "views/train_button.h"

namespace weft::app {
namespace {

constexpr int kNotesMs = 600;  // after the last key press
constexpr int kSoonMs = 1000;
constexpr int kLeastList = 72;  // pixels

}  // namespace

RunsView::RunsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("training"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("play"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  list_ = new RunCards(page);
  column->addWidget(list_, 3);
  const auto heading = [&](QLabel*& label, QWidget* owner) {
    label = new QLabel(owner);
    label->setProperty("kind", QStringLiteral("heading"));
    label->setContentsMargins(kCellSide, 8, kCellSide, 4);
    return label;
  };
  column->addWidget(heading(comparisonTitle_, page));
  comparisonTitle_->setWordWrap(true);
  comparison_ = new QTreeWidget(page);
  comparison_->setRootIsDecorated(false);
  comparison_->setUniformRowHeights(true);
  comparison_->setSelectionMode(QAbstractItemView::NoSelection);
  comparison_->setColumnCount(3);
  comparison_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // cut texts are elided and have a tooltip
  comparison_->header()->setMinimumSectionSize(40);
  comparison_->header()->setStretchLastSection(false);
  comparison_->header()->setTextElideMode(Qt::ElideRight);
  comparison_->header()->setSectionResizeMode(QHeaderView::Stretch);
  column->addWidget(comparison_, 4);
  column->addStretch(0);
  column->addWidget(heading(notesTitle_, page));
  notes_ = new QPlainTextEdit(page);
  notes_->setTabChangesFocus(true);
  notes_->setMaximumHeight(84);
  auto* frame = new QVBoxLayout;
  frame->setContentsMargins(kCellSide, 0, kCellSide, 4);
  frame->addWidget(notes_);
  column->addLayout(frame);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  // Also above the empty state: a filter that hides all runs must be within reach.
  filter_ = new QLineEdit(this);
  filter_->setObjectName(QStringLiteral("runs_filter"));
  filter_->addAction(widgets::icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
  filter_->setClearButtonEnabled(true);
  scope_ = new QComboBox(this);
  scope_->setObjectName(QStringLiteral("runs_scope"));
  scope_->addItems({QString(), QString()});
  scope_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kCellSide, 6, kCellSide, 6);
  top->setSpacing(6);
  top->addWidget(filter_, 1);
  top->addWidget(scope_);
  layout->addLayout(top);
  layout->addWidget(new RemoteStrip(context, this));
  layout->addWidget(stack_, 1);
  layout->addWidget(new NextRunBox(context, this));

  RunController& runs = context.workspace.runs();
  const auto later = [this] {
    stale_ = true;
    if (isVisible()) refreshNow();
  };
  connect(&runs, &RunController::runStarted, this, later);
  connect(&runs, &RunController::stateChanged, this, later);
  // The run bar has the current numbers; this list, whose columns fit their contents, is too expensive to update as often.
  soonTimer_.setSingleShot(true);
  soonTimer_.setInterval(kSoonMs);
  connect(&soonTimer_, &QTimer::timeout, this, later);
  const auto soon = [this, later, &runs] {
    if (!runs.isActive() || runs.state() == RunController::State::Paused) later();
    else if (!soonTimer_.isActive()) soonTimer_.start();
  };
  connect(&runs, &RunController::runChanged, this, soon);
  connect(&runs, &RunController::progressChanged, this, soon);
  connect(&context.workspace, &Workspace::currentChanged, this, [this] { showArchive(); });
  connect(&context.workspace, &Workspace::titleChanged, this, [this] { showArchive(); });
  connect(&RunArchive::of(context.workspace), &RunArchive::changed, this, later);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
    showComparison();
    showNotes();
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("run.train"))->trigger(); });
  followTrain(empty_, context_.actions.action(QStringLiteral("run.train")));
  notesTimer_.setSingleShot(true);
  notesTimer_.setInterval(kNotesMs);
  connect(notes_, &QPlainTextEdit::textChanged, &notesTimer_, qOverload<>(&QTimer::start));
  connect(&notesTimer_, &QTimer::timeout, this, [this] { keepNotes(); });
  connect(filter_, &QLineEdit::textChanged, this, later);
  connect(scope_, &QComboBox::activated, this, [this](int index) { context_.workspace.setAllRunsShown(index == 1); });
  connect(&context.workspace, &Workspace::allRunsShownChanged, this, later);
  connect(&context.workspace, &Workspace::currentChanged, this, later);
  connect(&context.workspace, &Workspace::runsRenamed, this, later);
  Summaries& summaries = context.workspace.summaries();
  for (const auto changed : {&Summaries::runAdded, &Summaries::runChanged, &Summaries::runGone}) connect(&summaries, changed, this, later);
  connect(list_, &RunCards::eyeClicked, this, &RunsView::setSeen);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QTreeWidget::customContextMenuRequested, this, &RunsView::showMenu);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](const QTreeWidgetItem* item) {
    if (const QString key = list_->keyAt(item); !key.startsWith(kEventsKey)) give(QStringLiteral("run.show-curves"), {key});
  });
  retranslate();
}

void RunsView::retranslate() {
  empty_->setTitle(tr("No runs yet"));
  empty_->setText(tr("Each run is kept here with its settings, so that runs can be compared."));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
  filter_->setPlaceholderText(tr("Filter runs"));
  filter_->setToolTip(tr("Shows runs whose name, title, notes or settings contain every word; seed=3 matches a setting"));
  filter_->setAccessibleName(tr("Run filter"));
  scope_->setItemText(0, tr("This document"));
  scope_->setItemText(1, tr("All"));
  scope_->setToolTip(tr("Which runs to list here and draw in the charts"));
  scope_->setAccessibleName(tr("Documents whose runs are listed"));
  list_->retranslate();
  context_.workspace.renameRuns();
  comparison_->setAccessibleName(tr("Settings of the selected runs"));
  notesTitle_->setText(tr("Notes"));
  notes_->setPlaceholderText(tr("What was tried, and why"));
  notes_->setAccessibleName(tr("Notes on the run"));
  stale_ = true;
  if (isVisible()) refreshNow();
}

QVector<const RunRecord*> RunsView::listed() const {
  const Document* document = context_.workspace.showsAllRuns() ? nullptr : context_.workspace.current();
  return RunArchive::of(context_.workspace).listed(document);
}

void RunsView::showArchive(bool anew) {
  if (isVisible()) RunArchive::of(context_.workspace).show(context_.workspace.current(), anew);
}

void RunsView::refreshNow() {
  showArchive();
  if (!stale_) return;
  stale_ = false;
  scope_->setCurrentIndex(context_.workspace.showsAllRuns() ? 1 : 0);
  const QStringList words = filter_->text().split(u' ', Qt::SkipEmptyParts);
  const auto matches = [&words](const QString& text) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
  };
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<RunCard> cards;
  int all = 0;
  for (const RunRecord* run : listed()) {
    ++all;
    QStringList known{archive.label(*run), run->notes, run->document};
    for (const auto& [key, value] : run->settings) known << key + u'=' + value << settingWord(key) + u'=' + value;
    if (matches(known.join(u'\n'))) cards << cardOf(*run);
  }
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->foreign || archive.findFolder(run->identity.folder)) continue;  // it is listed as a training, unless its folder was deleted
    ++all;
    if (matches(run->name)) cards << cardOf(*run);
  }
  stack_->setCurrentIndex(all == 0 ? 0 : 1);
  const QString newest = list_->cards().isEmpty() ? QString() : list_->cards()[0].key;
  const bool begun = words.isEmpty() && !cards.isEmpty() && cards[0].key != newest;
  list_->setCards(cards);
  // A new run is compared with the previous one.
  if (begun) {
    const QSignalBlocker quiet(list_);
    QStringList two{cards[0].key};
    if (cards.size() > 1 && !cards[1].key.startsWith(kEventsKey)) two << cards[1].key;
    list_->select(two);
  }
  showComparison();
  showNotes();
}

QVector<const RunRecord*> RunsView::selected() const {
  QVector<const RunRecord*> runs;
  for (const QString& key : list_->selectedKeys()) {
    const RunRecord* run = runs.size() < 2 ? RunArchive::of(context_.workspace).find(key) : nullptr;
    if (run) runs << run;
  }
  return runs;
}

void RunsView::showComparison() {
  const QVector<const RunRecord*> runs = selected();
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const auto headOf = [&archive](const RunRecord* run) {
    return archive.name(*run) + (archive.archived(run) ? QStringLiteral("  ") + dayOf(run->started) : QString());
  };
  const auto nameOf = [&archive](const RunRecord* run) {
    return archive.label(*run) + (archive.archived(run) ? QStringLiteral("  ") + dayOf(run->started) : QString());
  };
  QStringList heads{tr("Setting")};
  for (const RunRecord* run : runs) heads << headOf(run);
  QStringList keys;
  QVector<QMap<QString, QString>> values;
  for (const RunRecord* run : runs) {
    QMap<QString, QString> map;
    const auto put = [&](const QString& key, const QString& value) {
      if (value.isEmpty()) return;
      if (!keys.contains(key)) keys << key;
      map.insert(key, value);
    };
    for (const auto& [key, value] : run->settings) put(settingWord(key), value);
    for (const RunRecord::Edit& e : run->edits) map[settingWord(e.name)] += QStringLiteral(" → %1 (%2)").arg(e.value).arg(e.step + 1);
    put(tr("document"), run->document);
    put(tr("version"), shortHash(run->documentHash));
    put(tr("from"), run->origin);
    put(tr("time"), widgets::formatClock(run->progress.elapsed));
    if (run->progress.hasTestLoss) put(tr("test loss"), widgets::formatValue(run->progress.testLoss));
    if (run->progress.hasTestAccuracy) put(tr("test accuracy"), accuracyText(run->progress));
    values << map;
  }
  const QColor lit = widgets::Theme::current().color(widgets::Role::Accent), plain = widgets::Theme::current().color(widgets::Role::Text1);
  // During a run only its time and its last evaluation change.
  const QStringList look = heads + keys + QStringList{lit.name(), plain.name()};
  if (look != comparisonLook_) {
    comparisonLook_ = look;
    comparison_->clear();
    comparison_->setColumnCount(int(heads.size()));
    comparison_->setHeaderLabels(heads);
    for (int c = 0; c < int(heads.size()); ++c) comparison_->headerItem()->setToolTip(c, c > 0 ? nameOf(runs[c - 1]) : QString());
    comparison_->header()->setSectionResizeMode(QHeaderView::Stretch);
    comparison_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    for (const QString& key : std::as_const(keys)) {
      auto* item = new QTreeWidgetItem(comparison_, {key});
      for (int c = 1; c < int(heads.size()); ++c) item->setFont(c, widgets::Theme::current().monoSmallFont());
    }
  }
  int differ = 0;
  for (int row = 0; row < int(keys.size()); ++row) {
    QTreeWidgetItem* item = comparison_->topLevelItem(row);
    const bool other = values.size() == 2 && values[0].value(keys[row]) != values[1].value(keys[row]);
    differ += other;
    for (int c = 1; c <= int(values.size()); ++c) {
      const QString cell = values[c - 1].value(keys[row]);
      item->setText(c, cell);
      item->setToolTip(c, cell);
      item->setForeground(c, other ? lit : plain);
    }
  }
  fitHeights();
  const QString title = runs.size() == 2   ? tr("%1 against %2: %n differ", nullptr, differ).arg(nameOf(runs[0]), nameOf(runs[1]))
                        : runs.size() == 1 ? tr("Settings of %1").arg(nameOf(runs[0]))
                                           : tr("Select one or two runs");
  if (comparisonTitle_->text() != title) comparisonTitle_->setText(title);
}

/// Neither list is higher than its contents, so that the room goes to the one that needs it.
void RunsView::fitHeights() {
  int high = comparison_->header()->sizeHint().height() + 2 * comparison_->frameWidth() + 2;
  for (int i = 0; i < comparison_->topLevelItemCount(); ++i) high += comparison_->sizeHintForIndex(comparison_->model()->index(i, 0)).height();
  comparison_->setMaximumHeight(std::max(kLeastList, high));
  list_->setMaximumHeight(std::max(kLeastList, list_->contentHeight()));
}

void RunsView::keepNotes() {
  RunArchive& archive = RunArchive::of(context_.workspace);
  const RunRecord* run = notesOf_.isEmpty() ? nullptr : archive.find(notesOf_);
  if (!run) return;
  const QString error = archive.setNotes(*run, notes_->toPlainText());
  if (!error.isEmpty()) context_.shell.showError(error);
}

void RunsView::showNotes() {
  const QVector<const RunRecord*> runs = selected();
  const QString key = runs.isEmpty() ? QString() : keyOf(*runs[0]);
  if (notesTimer_.isActive() && key != notesOf_) {  // saves what was typed
    notesTimer_.stop();
    keepNotes();
  }
  notes_->setEnabled(!key.isEmpty());
  if (key == notesOf_ && notes_->hasFocus()) return;
  notesOf_ = key;
  const QSignalBlocker quiet(notes_);
  const QString text = runs.isEmpty() ? QString() : runs[0]->notes;
  if (notes_->toPlainText() != text) notes_->setPlainText(text);
}

void RunsView::give(const QString& id, const QStringList& words) {
  const CommandResult result = context_.actions.run(id, words);
  if (!result.ok) context_.shell.showError(result.message);
}

void RunsView::showMenu(QPoint at) {
  const QTreeWidgetItem* item = list_->itemAt(at);
  if (!item) item = list_->currentItem();
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const QString key = list_->keyAt(item);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addEyeActions(menu, key);
  if (key.startsWith(kEventsKey)) {
    menu->addSeparator();
    connect(menu->addAction(widgets::icon(QStringLiteral("close")), tr("Remove from the panels")), &QAction::triggered, this,
            [this, key] { context_.workspace.summaries().removeRun(key.mid(kEventsKey.size()).toInt()); });
  }
  const RunRecord* run = archive.find(key);
  if (!run) return menu->popup(list_->viewport()->mapToGlobal(at));
  menu->addSeparator();
  connect(menu->addAction(widgets::icon(QStringLiteral("chart")), tr("Show its curves")), &QAction::triggered, this,
          [this, key] { give(QStringLiteral("run.show-curves"), {key}); });
  connect(menu->addAction(widgets::icon(QStringLiteral("folder")), tr("Open its folder")), &QAction::triggered, this,
          [this, key] { give(QStringLiteral("run.open-folder"), {key}); });
  QAction* name = menu->addAction(tr("Title…"));
  connect(name, &QAction::triggered, this, [this, key, title = archive.title(*run)] {
    bool ok = false;
    const QString text = QInputDialog::getText(this, tr("Title of the run"), tr("Title"), QLineEdit::Normal, title, &ok);
    if (ok) give(QStringLiteral("run.name"), {key, text});
  });
  menu->addSeparator();
  QAction* remove = menu->addAction(widgets::icon(QStringLiteral("trash")), tr("Move to the trash"));
  connect(remove, &QAction::triggered, this, [this, key] { give(QStringLiteral("run.remove"), {key}); });
  const bool ended = run->end != RunRecord::End::Running;
  name->setEnabled(ended);
  remove->setEnabled(ended);
  menu->popup(list_->viewport()->mapToGlobal(at));
}

void RunsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) {
    stale_ = true;
    if (isVisible()) refreshNow();
  }
  QWidget::changeEvent(event);
}

void RunsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showArchive(true);  // other programs may have trained meanwhile
  refreshNow();
}

const ViewRecord runsView = {"runs",
                             QT_TRANSLATE_NOOP("Views", "Runs"),
                             QT_TRANSLATE_NOOP("Views", "Comparison of runs and their settings, and the settings of the next run"),
                             "play",
                             Qt::LeftDockWidgetArea,
                             "train!",
                             [](const ViewContext& context, QWidget* parent) -> QWidget* { return new RunsView(context, parent); }};

}  // namespace weft::app
