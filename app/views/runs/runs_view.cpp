#include "views/runs/runs_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "commands/action_registry.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "main_window/shell.h"
#include "views/runs/next_run_box.h"
#include "views/runs/run_name_delegate.h"
#include "views/runs/run_words.h"

namespace weft::app {
namespace {

constexpr int kNotesMs = 600;  // after the last key
constexpr int kSoonMs = 1000;
constexpr int kRunRole = Qt::UserRole, kLookRole = Qt::UserRole + 1;
constexpr int kCellRoom = 20;  // beside a number, pixels
constexpr int kSide = 8;       // as the cells of the lists have
constexpr int kLeastList = 72;  // pixels
enum Column { kName, kSteps, kLoss, kAccuracy, kColumns };

}  // namespace

RunsView::RunsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("training"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("play"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  list_ = new QTreeWidget(page);
  list_->setRootIsDecorated(false);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setItemDelegateForColumn(kName, new RunNameDelegate(list_));
  list_->setColumnCount(kColumns);
  list_->header()->setSectionResizeMode(kName, QHeaderView::Stretch);
  for (int c = kSteps; c < kColumns; ++c) list_->header()->setSectionResizeMode(c, QHeaderView::Fixed);
  list_->header()->setStretchLastSection(false);
  column->addWidget(list_, 3);
  const auto heading = [&](QLabel*& label, QWidget* owner) {
    label = new QLabel(owner);
    label->setProperty("kind", QStringLiteral("heading"));
    label->setContentsMargins(kSide, 8, kSide, 4);
    return label;
  };
  column->addWidget(heading(comparisonTitle_, page));
  comparisonTitle_->setWordWrap(true);
  comparison_ = new QTreeWidget(page);
  comparison_->setRootIsDecorated(false);
  comparison_->setUniformRowHeights(true);
  comparison_->setSelectionMode(QAbstractItemView::NoSelection);
  comparison_->setColumnCount(3);
  comparison_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // what is cut says so, and has a tooltip
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
  frame->setContentsMargins(kSide, 0, kSide, 4);
  frame->addWidget(notes_);
  column->addLayout(frame);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(stack_, 1);
  layout->addWidget(new NextRunBox(context, this));

  RunController& runs = context.workspace.runs();
  const auto later = [this] {
    stale_ = true;
    if (isVisible()) refreshNow();
  };
  connect(&runs, &RunController::runStarted, this, later);
  connect(&runs, &RunController::stateChanged, this, later);
  // The run bar has the numbers of this instant; a list whose columns fit their contents costs too much to follow as fast.
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
  notesTimer_.setSingleShot(true);
  notesTimer_.setInterval(kNotesMs);
  connect(notes_, &QPlainTextEdit::textChanged, &notesTimer_, qOverload<>(&QTimer::start));
  connect(&notesTimer_, &QTimer::timeout, this, [this] {
    keepNotes();
  });
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QTreeWidget::customContextMenuRequested, this, &RunsView::showMenu);
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this](const QTreeWidgetItem* item) { give(QStringLiteral("run.show-curves"), {item->data(kName, kRunRole).toString()}); });
  retranslate();
}

void RunsView::retranslate() {
  empty_->setTitle(tr("No runs yet"));
  empty_->setText(tr("Each training is kept here with its settings, so that runs can be compared."));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
  list_->setHeaderLabels({tr("Run"), tr("Steps"), tr("Loss"), tr("Accuracy")});
  for (int c = kSteps; c < kColumns; ++c) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->setAccessibleName(tr("Runs"));
  comparison_->setAccessibleName(tr("Settings of the selected runs"));
  notesTitle_->setText(tr("Notes"));
  notes_->setPlaceholderText(tr("What was tried, and why"));
  notes_->setAccessibleName(tr("Notes on the run"));
  stale_ = true;
  fittedRows_ = 0;  // other heads
  if (isVisible()) refreshNow();
}

QVector<const RunRecord*> RunsView::listed() const {
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<const RunRecord*> all;
  const auto& ours = context_.workspace.runs().runs();
  for (auto run = ours.rbegin(); run != ours.rend(); ++run) {
    if (!archive.isRemoved(**run)) all << run->get();
  }
  for (const auto& run : archive.runs()) all << &run->record;
  return all;
}

void RunsView::showArchive(bool anew) {
  const Document* document = context_.workspace.current();
  if (isVisible()) RunArchive::of(context_.workspace).show(document ? document->runsFolder() : QString(), anew);
}

void RunsView::refreshNow() {
  showArchive();
  if (!stale_) return;
  stale_ = false;
  const QVector<const RunRecord*> runs = listed();
  stack_->setCurrentIndex(runs.isEmpty() ? 0 : 1);
  const QString newest = list_->topLevelItemCount() > 0 ? list_->topLevelItem(0)->data(kName, kRunRole).toString() : QString();
  QStringList selected;
  for (const QTreeWidgetItem* item : list_->selectedItems()) selected << item->data(kName, kRunRole).toString();
  const QSignalBlocker quiet(list_);
  while (list_->topLevelItemCount() > int(runs.size())) delete list_->takeTopLevelItem(0);
  while (list_->topLevelItemCount() < int(runs.size())) list_->insertTopLevelItem(0, new QTreeWidgetItem);
  for (int i = 0; i < int(runs.size()); ++i) showRun(list_->topLevelItem(i), *runs[i]);
  fitColumns();
  // A run that has just begun is shown against the one before it.
  const bool begun = !runs.isEmpty() && keyOf(*runs[0]) != newest;
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    list_->topLevelItem(i)->setSelected(begun ? i < 2 : selected.contains(list_->topLevelItem(i)->data(kName, kRunRole).toString()));
  showComparison();
  showNotes();
}

void RunsView::showRun(QTreeWidgetItem* item, const RunRecord& run) {
  const widgets::Theme& theme = widgets::Theme::current();
  const RunController& runs = context_.workspace.runs();
  QString state;
  switch (run.end) {
    case RunRecord::End::Running: state = runs.state() == RunController::State::Paused ? tr("paused") : tr("running"); break;
    default: state = endWord(run.end);
  }
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const ArchivedRun* old = archive.archived(&run);
  if (old && old->interrupted) state = tr("interrupted");
  item->setText(kSteps, widgets::formatCount(run.progress.step));
  item->setText(kLoss, run.progress.hasLoss ? widgets::formatValue(run.progress.loss) : QString());
  item->setText(kAccuracy, accuracyText(run.progress));
  // The numbers change all the time, how a run looks hardly ever.
  const QString look = keyOf(run) + u'\n' + archive.label(run) + u'\n' + state + u'\n' + run.error + u'\n' + theme.color(widgets::Role::Text1).name() + theme.color(widgets::Role::Surface1).name();
  if (item->data(kName, kLookRole).toString() == look) return;
  item->setData(kName, kLookRole, look);
  item->setData(kName, kRunRole, keyOf(run));
  // The name, and in a line of its own how it ended unless it is done, what it is called and when it was: a narrow list would cut them.
  QStringList beneath;
  if (run.end != RunRecord::End::Running && run.end != RunRecord::End::Finished) beneath << state;
  if (!archive.title(run).isEmpty()) beneath << archive.title(run);
  if (old) beneath << dayOf(run.started);
  item->setText(kName, archive.name(run));
  item->setData(kName, kBeneathRole, beneath.join(QStringLiteral(" · ")));
  item->setData(kName, Qt::AccessibleTextRole, QStringList{archive.name(run), beneath.join(QStringLiteral(", "))}.join(u' ').trimmed());
  QFont font = theme.uiFont();
  font.setBold(run.end == RunRecord::End::Running);
  item->setFont(kName, font);
  QString tip = archive.label(run) + QStringLiteral(" · ") + state + QStringLiteral("\n") + run.document + QStringLiteral("\n") + run.started.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
  if (!run.origin.isEmpty()) tip += QStringLiteral("\n") + tr("from %1").arg(run.origin);
  if (!run.error.isEmpty()) tip += QStringLiteral("\n") + run.error;
  if (old) tip += QStringLiteral("\n") + tr("Of an earlier start of Weft, in %1").arg(run.folder);
  for (int c = 0; c < kColumns; ++c) item->setForeground(c, theme.color(old ? widgets::Role::Text2 : widgets::Role::Text1));
  item->setToolTip(kName, tip);
  for (int c = kSteps; c < kColumns; ++c) {
    item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
    item->setFont(c, theme.monoSmallFont());
  }
  // The colour of its lines in the charts.
  QPixmap dot(10, 10);
  dot.fill(run.end == RunRecord::End::Failed ? theme.color(widgets::Role::Error) : old ? QColor(Qt::transparent) : theme.categorical(run.number - 1));
  QIcon icon(dot);
  icon.addPixmap(dot, QIcon::Selected);  // else it would be tinted, and no colour of the charts
  item->setIcon(kName, icon);
}

/// Columns of numbers are as wide as the widest of them was so far: fitted to their contents anew at each change, the list would cost more than it tells.
void RunsView::fitColumns() {
  const QFontMetrics mono(widgets::Theme::current().monoSmallFont());
  QHeaderView* header = list_->header();
  for (int c = kSteps; c < kColumns; ++c) {
    int width = header->sectionSizeHint(c);
    for (int i = 0; i < list_->topLevelItemCount(); ++i) width = std::max(width, mono.horizontalAdvance(list_->topLevelItem(i)->text(c)) + kCellRoom);
    if (fittedRows_ == 0 || width > header->sectionSize(c) || list_->topLevelItemCount() < fittedRows_) header->resizeSection(c, width);
  }
  fittedRows_ = list_->topLevelItemCount();
}

QVector<const RunRecord*> RunsView::selected() const {
  QVector<const RunRecord*> runs;
  for (int i = 0; i < list_->topLevelItemCount() && runs.size() < 2; ++i) {
    if (!list_->topLevelItem(i)->isSelected()) continue;
    if (const RunRecord* run = RunArchive::of(context_.workspace).find(list_->topLevelItem(i)->data(kName, kRunRole).toString())) runs << run;
  }
  return runs;
}

void RunsView::showComparison() {
  const QVector<const RunRecord*> runs = selected();
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const auto headOf = [&archive](const RunRecord* run) { return archive.name(*run) + (archive.archived(run) ? QStringLiteral("  ") + dayOf(run->started) : QString()); };
  const auto nameOf = [&archive](const RunRecord* run) { return archive.label(*run) + (archive.archived(run) ? QStringLiteral("  ") + dayOf(run->started) : QString()); };
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
  // While a run goes on only its time and its last evaluation change.
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
  const QString title = runs.size() == 2 ? tr("%1 against %2: %n differ", nullptr, differ).arg(nameOf(runs[0]), nameOf(runs[1]))
                            : runs.size() == 1 ? tr("Settings of %1").arg(nameOf(runs[0]))
                                               : tr("Select one or two runs");
  if (comparisonTitle_->text() != title) comparisonTitle_->setText(title);
}

/// Neither list is higher than what it holds, so that the room goes to the one that needs it.
void RunsView::fitHeights() {
  for (QTreeWidget* list : {list_, comparison_}) {
    int high = list->header()->sizeHint().height() + 2 * list->frameWidth() + 2;
    for (int i = 0; i < list->topLevelItemCount(); ++i) high += list->sizeHintForIndex(list->model()->index(i, 0)).height();
    list->setMaximumHeight(std::max(kLeastList, high));
  }
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
  if (notesTimer_.isActive() && key != notesOf_) {  // what was typed is not lost
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
  const QString key = item ? item->data(kName, kRunRole).toString() : QString();
  const RunRecord* run = archive.find(key);
  if (!run) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu->addAction(widgets::icon(QStringLiteral("chart")), tr("Show its curves")), &QAction::triggered, this, [this, key] { give(QStringLiteral("run.show-curves"), {key}); });
  connect(menu->addAction(widgets::icon(QStringLiteral("folder")), tr("Open its folder")), &QAction::triggered, this, [this, key] { give(QStringLiteral("run.open-folder"), {key}); });
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

QString RunsView::report() const {
  static const char* kEnds[] = {"running", "finished", "stopped", "stopped early", "failed"};
  QJsonArray list;
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<const RunRecord*> all = listed();
  std::stable_sort(all.begin(), all.end(), [](const RunRecord* a, const RunRecord* b) { return a->number < b->number; });  // earlier ones first
  for (const RunRecord* run : std::as_const(all)) {
    const ArchivedRun* old = archive.archived(run);
    QJsonObject settings;
    for (const auto& [key, value] : run->settings) settings.insert(key, value);
    QJsonArray edits, checkpoints;
    for (const RunRecord::Edit& e : run->edits) edits << QJsonObject{{QStringLiteral("step"), e.step}, {QStringLiteral("name"), e.name}, {QStringLiteral("value"), e.value}};
    for (const RunRecord::Checkpoint& c : run->checkpoints) checkpoints << c.step;
    list << QJsonObject{{QStringLiteral("number"), run->number},   {QStringLiteral("run"), keyOf(*run)},
                        {QStringLiteral("end"), old && old->interrupted ? QStringLiteral("interrupted") : QLatin1String(kEnds[int(run->end)])},
                        {QStringLiteral("title"), archive.title(*run)}, {QStringLiteral("earlier"), old != nullptr},
                        {QStringLiteral("step"), run->progress.step}, {QStringLiteral("document_sha1"), run->documentHash},
                        {QStringLiteral("settings"), settings},    {QStringLiteral("edits"), edits},
                        {QStringLiteral("checkpoints"), checkpoints}, {QStringLiteral("notes"), run->notes},
                        {QStringLiteral("from"), run->origin}};
  }
  return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
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
  showArchive(true);  // other programs train, too
  refreshNow();
}

const ViewRecord runsView = {"runs",
                             QT_TRANSLATE_NOOP("Views", "Runs"),
                             QT_TRANSLATE_NOOP("Views", "Trainings with their settings, compared; what the next one begins with"),
                             "play",
                             Qt::LeftDockWidgetArea,
                             "train!",
                             [](const ViewContext& context, QWidget* parent) -> QWidget* { return new RunsView(context, parent); }};

}  // namespace weft::app
