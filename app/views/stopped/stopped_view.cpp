#include "views/stopped/stopped_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

enum Column { kTensor, kOp, kShape, kValues, kNote, kColumns };
constexpr int kMostNameWidth = 110, kLeastNote = 160;

/// Elides sentences at their end, names in the middle.
class SentenceDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
  }
};

/// Fits columns to their texts, so that the note gets the rest; the tensor's name is the first to be cut.
void fitColumns(QTreeWidget* table) {
  for (const int c : {kTensor, kOp, kShape, kValues}) table->resizeColumnToContents(c);
  QHeaderView* header = table->header();
  const int others = header->sectionSize(kOp) + header->sectionSize(kShape) + header->sectionSize(kValues);
  header->resizeSection(kTensor, std::clamp(table->viewport()->width() - others - kLeastNote, 120, std::max(120, header->sectionSize(kTensor) + 8)));
}

QString reasonText(const DebugState& s) {
  const QString message = QString::fromStdString(s.stop.message);
  switch (s.stop.reason) {
    case StopReason::Entry: return StoppedView::tr("Stopped before the first op");
    case StopReason::Breakpoint:
      return message.isEmpty() ? StoppedView::tr("Stopped at a breakpoint") : StoppedView::tr("Stopped at a breakpoint: %1").arg(message);
    case StopReason::Reached: return StoppedView::tr("Reached");
    case StopReason::Pause: return StoppedView::tr("Paused");
    case StopReason::Failure: return StoppedView::tr("Failed here");
    case StopReason::Step: break;
  }
  return message.isEmpty() ? StoppedView::tr("Stopped after a step") : message;
}

}  // namespace

StoppedView::StoppedView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("bug"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(12, 10, 12, 8);
  column->setSpacing(6);
  auto* head = new QHBoxLayout;
  head->setSpacing(10);
  icon_ = new QLabel(page);
  icon_->setFixedSize(20, 20);
  title_ = new QLabel(page);
  title_->setProperty("kind", QStringLiteral("title"));
  title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  title_->setMinimumWidth(1);
  text_ = new QLabel(page);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  advice_ = new QLabel(page);
  advice_->setWordWrap(true);
  advice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  advice_->setProperty("kind", QStringLiteral("muted"));
  head->addWidget(icon_);
  head->addWidget(title_, 1);
  for (QPushButton** button : {&jump_, &feeds_, &nan_, &back_, &edit_, &clear_}) {
    *button = new QPushButton(page);
    head->addWidget(*button);
  }
  // The text takes the whole width: beside the buttons it would be a narrow column, taller than a low dock.
  auto* words = new QVBoxLayout;
  words->setContentsMargins(icon_->width() + head->spacing(), 0, 0, 0);
  words->setSpacing(2);
  words->addWidget(text_);
  words->addWidget(advice_);
  column->addLayout(head);
  column->addLayout(words);
  table_ = new QTreeWidget(page);
  table_->setColumnCount(kColumns);
  table_->setUniformRowHeights(true);
  table_->setAllColumnsShowFocus(true);
  widgets::elideNames(table_);
  table_->setIndentation(12);
  QHeaderView* header = table_->header();
  header->setStretchLastSection(true);
  table_->setItemDelegateForColumn(kNote, new SentenceDelegate(table_));
  header->setMinimumSectionSize(40);
  column->addWidget(table_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  const auto does = [this](QPushButton* button, const char* id) {
    connect(button, &QPushButton::clicked, this, [this, id] { context_.actions.action(QLatin1String(id))->trigger(); });
  };
  does(nan_, "debug.find-nan");
  does(back_, "debug.step-back");
  does(edit_, "debug.continue");
  does(feeds_, "debug.feeds");
  does(clear_, "debug.stop");
  connect(jump_, &QPushButton::clicked, this, [this] {
    if (context_.shell.canvas()) context_.shell.canvas()->selectNames({jump_->property("node").toString()});
  });
  connect(table_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const QString tensor = item->data(kTensor, Qt::UserRole).toString();
    if (tensor.isEmpty()) return;
    const QString node = tensor.section(u':', 0, 0);
    if (context_.shell.canvas()) context_.shell.canvas()->selectNames({node});
    context_.workspace.debugger().showTensor(tensor.contains(u':') ? tensor : tensor + QStringLiteral(":0"));
    if (!context_.shell.isViewVisible(QStringLiteral("tensor"))) context_.shell.showView(QStringLiteral("tensor"));
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("debug.start"))->trigger(); });
  DebugController& debug = context.workspace.debugger();
  connect(
      &debug, &DebugController::stateChanged, this,
      [this] {
        if (isVisible()) refill();
      },
      Qt::QueuedConnection);
  connect(&debug, &DebugController::autopsyDone, this, [this] {
    context_.shell.showView(QStringLiteral("stopped"));
    refill();
  });
  connect(&debug, &DebugController::stopped, this, [this] {
    if (context_.workspace.debugger().state().stop.reason == StopReason::Failure) context_.shell.showView(QStringLiteral("stopped"));
  });
  // A failed training leaves the values of its last step.
  connect(
      &context.workspace.runs(), &RunController::stepFailed, this, [this] { context_.shell.showView(QStringLiteral("stopped")); }, Qt::QueuedConnection);
  refill();
}

QTreeWidgetItem* StoppedView::addGroup(const QString& title) {
  auto* group = new QTreeWidgetItem(table_, {title});
  group->setFirstColumnSpanned(true);
  QFont font = widgets::Theme::current().smallFont();
  font.setBold(true);
  group->setFont(kTensor, font);
  group->setForeground(kTensor, widgets::Theme::current().color(widgets::Role::Text2));
  group->setExpanded(true);
  return group;
}

QTreeWidgetItem* StoppedView::addRow(QTreeWidgetItem* group, const DebugOrigin& origin, const QString& note) {
  const widgets::Theme& theme = widgets::Theme::current();
  auto* item = new QTreeWidgetItem(group, {origin.tensor, origin.op, origin.shape, origin.values, note});
  item->setData(kTensor, Qt::UserRole, origin.tensor);
  for (const int c : {kTensor, kShape, kValues}) item->setFont(c, theme.monoFont());
  for (int c = 0; c < kColumns; ++c) item->setToolTip(c, item->text(c));
  if (origin.isBad) {
    item->setForeground(kValues, theme.color(origin.values.contains(QLatin1String("NaN")) ? widgets::Role::Nan : widgets::Role::Warning));
    item->setIcon(kTensor, widgets::icon(QStringLiteral("warning"), widgets::Role::Nan));
  }
  return item;
}

void StoppedView::fillAutopsy() {
  const DebugAutopsy& a = context_.workspace.debugger().autopsy();
  if (a.summary.isEmpty()) return;
  if (!a.found) {
    addGroup(a.summary);
    return;
  }
  QTreeWidgetItem* origin = addGroup(tr("Where it comes from"));
  addRow(origin, a.origin, a.origin.reason.isEmpty() ? a.origin.positions : a.origin.reason)->setToolTip(kNote, a.origin.reason + u'\n' + a.origin.positions);
  if (!a.inputs.isEmpty()) {
    QTreeWidgetItem* group = addGroup(tr("Inputs of that op"));
    for (const DebugOrigin& in : a.inputs) addRow(group, in, in.place);
  }
  if (!a.sources.isEmpty()) {
    QTreeWidgetItem* group = addGroup(tr("Weights and data behind it"));
    for (const DebugOrigin& source : a.sources) addRow(group, source, source.op == QLatin1String("fed") ? tr("fed") : QString());
  }
  const auto list = [](const QVector<qint64>& rows) {
    QStringList out;
    for (const qint64 row : rows) out << QString::number(row);
    return out.join(QStringLiteral(", "));
  };
  if (!a.batchRows.isEmpty()) {
    QString rows = tr("rows of the batch: %1").arg(list(a.batchRows));
    if (!a.dataRows.isEmpty()) rows += QStringLiteral("; ") + tr("rows of the training data: %1").arg(list(a.dataRows));
    addGroup(rows);
  }
  if (a.path.size() > 1) {
    QTreeWidgetItem* group = addGroup(tr("Path, newest first"));
    for (const DebugOrigin& step : a.path) addRow(group, step, step.place);
    group->setExpanded(a.path.size() <= 8);
  }
}

void StoppedView::fillTable() {
  table_->clear();
  table_->setHeaderLabels({tr("Tensor"), tr("Op"), tr("Shape"), tr("Values"), tr("Note")});
  table_->setAccessibleName(tr("Inputs and outputs"));
  fillAutopsy();
  fitColumns(table_);
  fillPorts();
}

void StoppedView::fillPorts() {
  const DebugState& s = context_.workspace.debugger().state();
  if (s.phase != DebugPhase::Stopped && (s.phase != DebugPhase::Ended || s.failure.isEmpty())) return;
  context_.workspace.debugger().readPorts([this, guard = QPointer<StoppedView>(this)](const DebugPorts& ports) {
    if (!guard) return;
    const auto fill = [this](const QString& title, const QVector<DebugOrigin>& list, int at) {
      if (list.isEmpty()) return;
      QTreeWidgetItem* group = addGroup(title);
      table_->takeTopLevelItem(table_->indexOfTopLevelItem(group));
      table_->insertTopLevelItem(at, group);
      group->setFirstColumnSpanned(true);
      const QStringList set = context_.workspace.debugger().state().changed();
      for (const DebugOrigin& port : list)
        addRow(group, port, set.contains(port.tensor) || set.contains(port.tensor.section(u':', 0, 0)) ? tr("set by hand") : QString());
      group->setExpanded(true);
    };
    const QString node = context_.workspace.debugger().state().node();
    // The origin of a NaN is shown first, if known.
    const int at = context_.workspace.debugger().autopsy().found ? table_->topLevelItemCount() : 0;
    fill(tr("Inputs of %1").arg(widgets::lastPart(node)), ports.inputs, at);
    fill(tr("Outputs of %1").arg(widgets::lastPart(node)), ports.outputs, ports.inputs.isEmpty() ? at : at + 1);
    fitColumns(table_);
  });
}

namespace {
/// Common remedies for a non-finite value of that origin.
QString adviceFor(const DebugOrigin& origin) {
  const QString& op = origin.op;
  if (op == QLatin1String("fed")) return StoppedView::tr("The data already contains it: remove or clean those rows.");
  if (op.startsWith(QLatin1String("Variable")) || op == QLatin1String("VarHandleOp") || op == QLatin1String("ReadVariableOp"))
    return StoppedView::tr("An earlier update changed the variable to this: use a smaller learning rate or clip gradients.");
  if (op.startsWith(QLatin1String("Log"))) return StoppedView::tr("Avoid 0: use log(x + 1e-7), or a loss that takes logits.");
  if (op.contains(QLatin1String("Div")) || op == QLatin1String("Reciprocal") || op == QLatin1String("Inv"))
    return StoppedView::tr("Avoid division by 0: add a small number, or use div_no_nan.");
  if (op == QLatin1String("Sqrt") || op.startsWith(QLatin1String("Rsqrt")) || op == QLatin1String("Pow"))
    return StoppedView::tr("Keep the value above 0: use max(x, 1e-7) before it.");
  if (op == QLatin1String("Exp") || op == QLatin1String("Expm1")) return StoppedView::tr("Large values overflow: subtract the maximum first, or clip them.");
  return {};
}

}  // namespace

/// Offers the buttons and advice that apply now.
void StoppedView::offer() {
  const DebugController& debug = context_.workspace.debugger();
  const DebugState& s = debug.state();
  const DebugAutopsy& a = debug.autopsy();
  const bool ended = s.phase == DebugPhase::Ended;
  const bool failed = ended ? !s.failure.isEmpty() : s.stop.reason == StopReason::Failure;
  const QString node = a.found ? a.origin.tensor.section(u':', 0, 0) : failed ? (ended && !s.failedNode.isEmpty() ? s.failedNode : s.node()) : QString();
  const bool there = debug.document() && debug.document()->hasNode(node);
  jump_->setVisible(there);
  jump_->setProperty("node", node);
  jump_->setText(tr("Go to %1").arg(widgets::elideName(widgets::lastPart(node), QFontMetricsF(font()), kMostNameWidth)));
  jump_->setToolTip(node);
  const QString why = ended ? s.failure : QString::fromStdString(s.stop.message);
  const bool unfed = failed && why.contains(QLatin1String("must feed a value"));
  feeds_->setVisible(unfed);
  feeds_->setText(tr("Values to feed…"));
  feeds_->setEnabled(ended);
  feeds_->setToolTip(ended ? QString() : tr("Stop debugging first."));
  QString advice = a.found ? adviceFor(a.origin) : QString();
  if (unfed) advice = tr("A run needs a value for each placeholder that it uses.");
  if (failed && !ended && advice.isEmpty()) advice = tr("Its inputs are below. Step back, change a value in the watch list, and continue.");
  advice_->setText(advice);
  advice_->setVisible(!advice.isEmpty());
  clear_->setVisible(ended && context_.actions.action(QStringLiteral("debug.stop"))->isEnabled());
  clear_->setText(tr("Clear"));
  clear_->setToolTip(tr("Clears the marks of this run"));
}

void StoppedView::refill() {
  const DebugController& debug = context_.workspace.debugger();
  const DebugState& s = debug.state();
  using Phase = DebugController::Phase;
  nan_->setText(tr("Find the first NaN"));
  back_->setText(tr("Step back"));
  edit_->setText(tr("Continue"));
  if (s.phase == Phase::Idle || s.phase == Phase::Starting) {
    empty_->setTitle(tr("Nothing is being debugged"));
    empty_->setText(tr("When a run stops at a breakpoint or fails, the reason, the inputs of the op and the path back to a NaN appear here."));
    empty_->setButton(context_.workspace.current() && s.phase == Phase::Idle ? tr("Start debugging") : QString(), QStringLiteral("bug"));
    stack_->setCurrentIndex(0);
    return;
  }
  if (s.phase == Phase::Running) return;
  const bool failed = s.phase == Phase::Ended ? !s.failure.isEmpty() : s.stop.reason == StopReason::Failure;
  const DebugAutopsy& a = debug.autopsy();
  const widgets::Theme& theme = widgets::Theme::current();
  icon_->setPixmap(widgets::iconPixmap(failed                    ? QStringLiteral("error")
                                       : a.found                 ? QStringLiteral("warning")
                                       : s.phase == Phase::Ended ? QStringLiteral("check")
                                                                 : QStringLiteral("pause"),
                                       20,
                                       theme.color(failed    ? widgets::Role::Error
                                                   : a.found ? widgets::Role::Nan
                                                             : widgets::Role::Accent),
                                       devicePixelRatioF()));
  if (s.phase == Phase::Ended) {
    title_->setText(s.failure.isEmpty() ? tr("The run has ended") : s.step > 0 ? tr("Training step %1 failed").arg(s.step) : tr("The run failed"));
    text_->setText(!s.failure.isEmpty()    ? s.failure
                   : !s.notReached.empty() ? tr("It ended before it reached %1.").arg(QString::fromStdString(s.notReached))
                                           : tr("Its values can still be inspected."));
  } else {
    title_->setText(widgets::lastPart(s.node()));
    title_->setToolTip(s.node());
    QString place = (s.stop.task.empty() ? s.node() : tr("%1 on %2").arg(s.node(), s.task())) + QStringLiteral(": ") + reasonText(s);
    if (const LoopPlace* loop = s.loop()) place += tr(", iteration %1 of %2").arg(loop->iteration).arg(QString::fromStdString(loop->frame));
    if (failed) place += QStringLiteral(": ") + QString::fromStdString(s.stop.message);
    if (!s.notStepped.empty()) place += u'\n' + tr("TensorFlow runs the ops of %1, which cannot be stopped.").arg(s.tasksApart().join(QStringLiteral(", ")));
    text_->setText(place);
  }
  if (a.found) text_->setText(a.summary);
  nan_->setVisible(debug.hasValues() && s.ops > 0 && !a.found);
  back_->setVisible(s.phase == Phase::Stopped);
  back_->setEnabled(s.whyNotBack.empty());
  back_->setToolTip(s.noWayBack());
  edit_->setVisible(s.phase == Phase::Stopped);
  offer();
  stack_->setCurrentIndex(1);
  fillTable();
}

void StoppedView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refill();
}

void StoppedView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord stoppedView = {"stopped",
                                QT_TRANSLATE_NOOP("Views", "Stopped here"),
                                QT_TRANSLATE_NOOP("Views", "Why the debugger stopped, the inputs of the op, and where a NaN comes from"),
                                "bug",
                                Qt::BottomDockWidgetArea,
                                "debug!",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new StoppedView(context, parent); }};

}  // namespace weft::app
