#include "views/runs/runs_view.h"

#include <QEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

constexpr int kNotesMs = 600;  // after the last key
enum Column { kName, kSteps, kLoss, kAccuracy, kColumns };

QString accuracyText(const RunProgress& p) {
  if (p.hasTestAccuracy) return QStringLiteral("%1 %").arg(p.testAccuracy * 100, 0, 'f', 1);
  return p.hasAccuracy ? QStringLiteral("%1 %").arg(p.accuracy * 100, 0, 'f', 1) : QString();
}

QString shortHash(const QString& hash) { return hash.left(8); }

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
  list_->setUniformRowHeights(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setColumnCount(kColumns);
  list_->header()->setSectionResizeMode(kName, QHeaderView::Stretch);
  for (int c = kSteps; c < kColumns; ++c) list_->header()->setSectionResizeMode(c, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(false);
  column->addWidget(list_, 3);
  const auto heading = [&](QLabel*& label, QWidget* owner) {
    label = new QLabel(owner);
    label->setProperty("kind", QStringLiteral("heading"));
    label->setContentsMargins(12, 8, 12, 4);
    return label;
  };
  column->addWidget(heading(comparisonTitle_, page));
  comparison_ = new QTreeWidget(page);
  comparison_->setRootIsDecorated(false);
  comparison_->setUniformRowHeights(true);
  comparison_->setSelectionMode(QAbstractItemView::NoSelection);
  comparison_->setColumnCount(3);
  comparison_->header()->setSectionResizeMode(QHeaderView::Stretch);
  column->addWidget(comparison_, 4);
  column->addWidget(heading(notesTitle_, page));
  notes_ = new QPlainTextEdit(page);
  notes_->setTabChangesFocus(true);
  notes_->setMaximumHeight(84);
  auto* frame = new QVBoxLayout;
  frame->setContentsMargins(12, 0, 12, 4);
  frame->addWidget(notes_);
  column->addLayout(frame);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(stack_, 1);
  layout->addWidget(makeNextRun());

  RunController& runs = context.workspace.runs();
  const auto later = [this] {
    stale_ = true;
    if (isVisible()) refreshNow();
  };
  connect(&runs, &RunController::runStarted, this, later);
  connect(&runs, &RunController::runChanged, this, later);
  connect(&runs, &RunController::stateChanged, this, later);
  connect(&runs, &RunController::progressChanged, this, [this, &runs] {
    if (!isVisible() || list_->topLevelItemCount() == 0 || runs.runs().empty()) return;
    showRun(list_->topLevelItem(0), *runs.runs().back());
  });
  connect(&runs, &RunController::nextRunChanged, this, &RunsView::showNextRun);
  connect(&context.workspace, &Workspace::currentChanged, this, &RunsView::showNextRun);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] {
    showComparison();
    showNotes();
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("run.train"))->trigger(); });
  notesTimer_.setSingleShot(true);
  notesTimer_.setInterval(kNotesMs);
  connect(notes_, &QPlainTextEdit::textChanged, &notesTimer_, qOverload<>(&QTimer::start));
  connect(&notesTimer_, &QTimer::timeout, this, [this] {
    if (notesOf_ > 0) context_.workspace.runs().setNotes(notesOf_, notes_->toPlainText());
  });
  retranslate();
}

QWidget* RunsView::makeNextRun() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(12, 6, 12, 10);
  nextTitle_ = new QLabel(box);
  nextTitle_->setProperty("kind", QStringLiteral("heading"));
  column->addWidget(nextTitle_);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(4);
  const auto row = [&](QLabel*& label, QSpinBox*& editor, int most) {
    label = new QLabel(box);
    editor = new QSpinBox(box);
    editor->setRange(0, most);
    editor->setKeyboardTracking(false);
    editor->setFixedWidth(120);
    label->setBuddy(editor);
    form->addRow(label, editor);
    connect(editor, &QSpinBox::valueChanged, this, &RunsView::changeNextRun);
  };
  row(epochsLabel_, epochs_, 1000000);
  row(batchLabel_, batch_, 1000000);
  row(seedLabel_, seed_, 2147483647);
  row(patienceLabel_, patience_, 100000);
  column->addLayout(form);
  return box;
}

void RunsView::retranslate() {
  empty_->setTitle(tr("No runs yet"));
  empty_->setText(tr("Each training is kept here with its settings, so that runs can be compared."));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
  list_->setHeaderLabels({tr("Run"), tr("Steps"), tr("Loss"), tr("Accuracy")});
  list_->setAccessibleName(tr("Runs"));
  comparison_->setAccessibleName(tr("Settings of the selected runs"));
  notesTitle_->setText(tr("Notes"));
  notes_->setPlaceholderText(tr("What was tried, and why"));
  notes_->setAccessibleName(tr("Notes on the run"));
  nextTitle_->setText(tr("Next run"));
  epochsLabel_->setText(tr("Epochs"));
  batchLabel_->setText(tr("Batch"));
  seedLabel_->setText(tr("Seed"));
  patienceLabel_->setText(tr("Early stop after"));
  for (QSpinBox* box : {epochs_, batch_, seed_}) box->setSpecialValueText(tr("document's"));
  patience_->setSpecialValueText(tr("never"));
  patience_->setSuffix(tr(" evaluations"));
  patience_->setToolTip(tr("Ends the training after so many evaluations in a row that were no better than the best one"));
  epochs_->setAccessibleName(tr("Epochs of the next run"));
  batch_->setAccessibleName(tr("Batch of the next run"));
  seed_->setAccessibleName(tr("Seed of the next run"));
  patience_->setAccessibleName(tr("Early stop of the next run"));
  for (QSpinBox* box : {epochs_, batch_, seed_, patience_}) box->setFixedWidth(150);
  stale_ = true;
  showNextRun();
  if (isVisible()) refreshNow();
}

void RunsView::refreshNow() {
  if (!stale_) return;
  stale_ = false;
  const auto& runs = context_.workspace.runs().runs();
  stack_->setCurrentIndex(runs.empty() ? 0 : 1);
  while (list_->topLevelItemCount() > int(runs.size())) delete list_->takeTopLevelItem(0);
  const bool added = list_->topLevelItemCount() < int(runs.size());
  while (list_->topLevelItemCount() < int(runs.size())) list_->insertTopLevelItem(0, new QTreeWidgetItem);
  for (size_t i = 0; i < runs.size(); ++i) showRun(list_->topLevelItem(int(runs.size() - 1 - i)), *runs[i]);
  if (added && list_->topLevelItemCount() > 0) {
    list_->clearSelection();
    list_->topLevelItem(0)->setSelected(true);
    if (list_->topLevelItemCount() > 1) list_->topLevelItem(1)->setSelected(true);
  }
  showComparison();
  showNotes();
}

void RunsView::showRun(QTreeWidgetItem* item, const RunRecord& run) {
  const widgets::Theme& theme = widgets::Theme::current();
  const RunController& runs = context_.workspace.runs();
  QString state;
  switch (run.end) {
    case RunRecord::End::Running: state = runs.state() == RunController::State::Paused ? tr("paused") : tr("running"); break;
    case RunRecord::End::Finished: state = tr("done"); break;
    case RunRecord::End::Stopped: state = tr("stopped"); break;
    case RunRecord::End::StoppedEarly: state = tr("stopped early"); break;
    case RunRecord::End::Failed: state = tr("failed"); break;
  }
  item->setData(kName, Qt::UserRole, run.number);
  item->setText(kName, tr("run %1").arg(run.number));
  QFont font = theme.uiFont();
  font.setBold(run.end == RunRecord::End::Running);
  item->setFont(kName, font);
  item->setText(kSteps, widgets::formatCount(run.progress.step));
  item->setText(kLoss, run.progress.hasLoss ? widgets::formatValue(run.progress.loss) : QString());
  item->setText(kAccuracy, accuracyText(run.progress));
  QString tip = tr("run %1").arg(run.number) + QStringLiteral(" · ") + state + QStringLiteral("\n") + run.document + QStringLiteral("\n") + run.started.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
  if (!run.origin.isEmpty()) tip += QStringLiteral("\n") + tr("from %1").arg(run.origin);
  if (!run.error.isEmpty()) tip += QStringLiteral("\n") + run.error;
  item->setToolTip(kName, tip);
  for (int c = kSteps; c < kColumns; ++c) {
    item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
    item->setFont(c, theme.monoSmallFont());
  }
  // The colour of its lines in the charts.
  QPixmap dot(10, 10);
  dot.fill(run.end == RunRecord::End::Failed ? theme.color(widgets::Role::Error) : theme.categorical(run.number - 1));
  item->setIcon(kName, QIcon(dot));
}

QVector<const RunRecord*> RunsView::selected() const {
  QVector<const RunRecord*> runs;
  for (int i = 0; i < list_->topLevelItemCount() && runs.size() < 2; ++i) {
    if (!list_->topLevelItem(i)->isSelected()) continue;
    if (const RunRecord* run = context_.workspace.runs().run(list_->topLevelItem(i)->data(kName, Qt::UserRole).toInt())) runs << run;
  }
  return runs;
}

void RunsView::showComparison() {
  const QVector<const RunRecord*> runs = selected();
  comparison_->clear();
  QStringList heads{tr("Setting")};
  for (const RunRecord* run : runs) heads << tr("run %1").arg(run->number);
  comparison_->setColumnCount(int(heads.size()));
  comparison_->setHeaderLabels(heads);
  comparison_->header()->setSectionResizeMode(QHeaderView::Stretch);
  comparison_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  QStringList keys;
  QVector<QMap<QString, QString>> values;
  for (const RunRecord* run : runs) {
    QMap<QString, QString> map;
    const auto put = [&](const QString& key, const QString& value) {
      if (value.isEmpty()) return;
      if (!keys.contains(key)) keys << key;
      map.insert(key, value);
    };
    for (const auto& [key, value] : run->settings) put(key, value);
    for (const RunRecord::Edit& e : run->edits) map[e.name] += QStringLiteral(" → %1 (%2)").arg(e.value).arg(e.step + 1);
    put(tr("document"), run->document + QStringLiteral(" ") + shortHash(run->documentHash));
    put(tr("from"), run->origin);
    put(tr("time"), widgets::formatClock(run->progress.elapsed));
    if (run->progress.hasTestLoss) put(tr("test loss"), widgets::formatValue(run->progress.testLoss));
    if (run->progress.hasTestAccuracy) put(tr("test accuracy"), accuracyText(run->progress));
    values << map;
  }
  int differ = 0;
  const QColor lit = widgets::Theme::current().color(widgets::Role::Accent);
  for (const QString& key : keys) {
    QStringList cells{key};
    for (const auto& map : values) cells << map.value(key);
    auto* item = new QTreeWidgetItem(comparison_, cells);
    for (int c = 1; c < int(cells.size()); ++c) {
      item->setToolTip(c, cells[c]);
      item->setFont(c, widgets::Theme::current().monoSmallFont());
    }
    const bool other = values.size() == 2 && cells[1] != cells[2];
    differ += other;
    for (int c = 1; other && c < 3; ++c) item->setForeground(c, lit);
  }
  comparisonTitle_->setText(runs.size() == 2 ? tr("run %1 against run %2: %n differ", nullptr, differ).arg(runs[0]->number).arg(runs[1]->number)
                            : runs.size() == 1 ? tr("Settings of run %1").arg(runs[0]->number)
                                               : tr("Select one or two runs"));
}

void RunsView::showNotes() {
  const QVector<const RunRecord*> runs = selected();
  const int number = runs.isEmpty() ? 0 : runs[0]->number;
  if (notesTimer_.isActive() && notesOf_ > 0) {  // what was typed is not lost
    notesTimer_.stop();
    if (number != notesOf_) context_.workspace.runs().setNotes(notesOf_, notes_->toPlainText());
  }
  notes_->setEnabled(number > 0);
  if (number == notesOf_ && notes_->hasFocus()) return;
  notesOf_ = number;
  const QSignalBlocker quiet(notes_);
  const QString text = number > 0 ? runs[0]->notes : QString();
  if (notes_->toPlainText() != text) notes_->setPlainText(text);
}

void RunsView::showNextRun() {
  const RunRequest& next = context_.workspace.runs().nextRun();
  const std::pair<QSpinBox*, qint64> values[] = {{epochs_, next.epochs},
                                                 {batch_, next.set.value(QStringLiteral("batch_size")).toLongLong()},
                                                 {seed_, next.set.value(QStringLiteral("seed")).toLongLong()},
                                                 {patience_, next.patience}};
  for (const auto& [box, value] : values) {
    const QSignalBlocker quiet(box);
    box->setValue(int(value));
  }
  const Document* document = context_.workspace.current();
  for (QSpinBox* box : {epochs_, batch_, seed_, patience_}) box->setEnabled(document && document->contents()->training.present);
}

void RunsView::changeNextRun() {
  RunController& runs = context_.workspace.runs();
  RunRequest next = runs.nextRun();
  next.epochs = epochs_->value();
  next.patience = patience_->value();
  for (const auto& [key, box] : {std::pair<QString, QSpinBox*>{QStringLiteral("batch_size"), batch_}, {QStringLiteral("seed"), seed_}}) {
    if (box->value() > 0)
      next.set.insert(key, QString::number(box->value()));
    else
      next.set.remove(key);
  }
  runs.setNextRun(next);
}

QString RunsView::report() const {
  static const char* kEnds[] = {"running", "finished", "stopped", "stopped early", "failed"};
  QJsonArray list;
  for (const auto& run : context_.workspace.runs().runs()) {
    QJsonObject settings;
    for (const auto& [key, value] : run->settings) settings.insert(key, value);
    QJsonArray edits, checkpoints;
    for (const RunRecord::Edit& e : run->edits) edits << QJsonObject{{QStringLiteral("step"), e.step}, {QStringLiteral("name"), e.name}, {QStringLiteral("value"), e.value}};
    for (const RunRecord::Checkpoint& c : run->checkpoints) checkpoints << c.step;
    list << QJsonObject{{QStringLiteral("number"), run->number},   {QStringLiteral("end"), QLatin1String(kEnds[int(run->end)])},
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
