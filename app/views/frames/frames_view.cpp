#include "views/frames/frames_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPointer>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/iteration_strip.h"
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
enum Column { kWhat, kKind };
}

FramesView::FramesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("bug"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tree_ = new QTreeWidget(page);
  tree_->setColumnCount(2);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setMinimumHeight(56);
  widgets::elideNames(tree_);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(kWhat, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(kKind, QHeaderView::ResizeToContents);
  column->addWidget(tree_, 1);
  loopBar_ = new QWidget(page);
  auto* rows = new QVBoxLayout(loopBar_);
  rows->setContentsMargins(12, 4, 12, 4);
  rows->setSpacing(4);
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  loopLabel_ = new widgets::ElidedLabel(loopBar_);
  loopLabel_->setProperty("kind", QStringLiteral("muted"));
  before_ = new QToolButton(loopBar_);
  before_->setIcon(widgets::icon(QStringLiteral("chevron-left")));
  after_ = new QToolButton(loopBar_);
  after_->setIcon(widgets::icon(QStringLiteral("chevron-right")));
  iteration_ = new QSpinBox(loopBar_);
  iteration_->setRange(0, 1'000'000'000);
  iteration_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  iteration_->setKeyboardTracking(false);
  iteration_->setFixedWidth(72);
  row->addWidget(loopLabel_, 1);
  row->addWidget(before_);
  row->addWidget(iteration_);
  row->addWidget(after_);
  rows->addLayout(row);
  strip_ = new widgets::IterationStrip(loopBar_);
  rows->addWidget(strip_);
  column->addWidget(loopBar_);
  kept_ = new widgets::ElidedLabel(page);
  kept_->setProperty("kind", QStringLiteral("muted"));
  kept_->setContentsMargins(12, 2, 12, 6);
  column->addWidget(kept_);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  setMinimumWidth(248);  // names in nested loops and scopes stay readable

  connect(before_, &QToolButton::clicked, this, [this] { goTo(iteration_->value() - 1); });
  connect(after_, &QToolButton::clicked, this, [this] { goTo(iteration_->value() + 1); });
  connect(iteration_, &QSpinBox::editingFinished, this, [this] { goTo(iteration_->value()); });
  connect(strip_, &widgets::IterationStrip::chosen, this, &FramesView::goTo);
  connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const QString name = item->data(kWhat, Qt::UserRole).toString();
    if (!name.isEmpty() && context_.shell.canvas()) context_.shell.canvas()->selectNames({name});
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("debug.start"))->trigger(); });
  connect(
      &context.workspace.debugger(), &DebugController::stateChanged, this,
      [this] {
        if (isVisible()) refill();
      },
      Qt::QueuedConnection);
  connect(&context.workspace, &Workspace::currentChanged, this, &FramesView::refill);
  refill();
}

void FramesView::goTo(qint64 iteration) {
  const DebugState& s = context_.workspace.debugger().state();
  if (!context_.workspace.debugger().isStopped() || !s.loop() || s.loop()->iteration == iteration) return;
  const CommandResult result = context_.actions.run(QStringLiteral("debug.to-iteration"), {QString::number(iteration)});
  if (!result.ok) context_.shell.showError(result.message);
}

void FramesView::fillTree() {
  const DebugController& debug = context_.workspace.debugger();
  const DebugState& s = debug.state();
  tree_->clear();
  QTreeWidgetItem* at = nullptr;
  const auto add = [&](const QString& text, const QString& kind, const QString& name) {
    auto* item = at ? new QTreeWidgetItem(at) : new QTreeWidgetItem(tree_);
    item->setText(kWhat, text);
    item->setToolTip(kWhat, name.isEmpty() ? text : name);
    item->setText(kKind, kind);
    item->setForeground(kKind, widgets::Theme::current().color(widgets::Role::Text3));
    item->setFont(kKind, widgets::Theme::current().smallFont());
    item->setData(kWhat, Qt::UserRole, name);
    at = item;
  };
  add(s.step > 0 ? (s.ofProgram ? tr("session.run %1") : tr("training step %1")).arg(s.step) : tr("run"),
      debug.document() ? debug.document()->title() : QString(), {});
  // A loop is shown in the scope that its frame is named after.
  const QStringList parts = s.node().split(u'/');
  size_t loop = 0;
  QString scope;
  for (qsizetype i = 0; i < parts.size(); ++i) {
    for (; loop < s.stop.loops.size(); ++loop) {
      const QString frame = QString::fromStdString(s.stop.loops[loop].frame);
      if (scope != frame.left(std::max<qsizetype>(0, frame.lastIndexOf(u'/'))) && i + 1 < parts.size()) break;
      add(widgets::lastPart(frame), tr("loop, iteration %1").arg(s.stop.loops[loop].iteration), scope);
    }
    scope += (scope.isEmpty() ? QString() : QStringLiteral("/")) + parts[i];
    if (i + 1 < parts.size()) add(parts[i], tr("scope"), scope);
  }
  add(parts.last(), s.stop.computed ? tr("computed") : tr("next op"), s.node());
  at->setToolTip(kWhat, QStringList({s.node(), s.op(), s.task()}).join(u'\n').trimmed());
  at->setIcon(kWhat, widgets::icon(QStringLiteral("play"), widgets::Role::Accent));
  tree_->expandAll();
  tree_->setCurrentItem(at);
}

/// Lists the iterations at once; their kept values follow when they are read.
void FramesView::fillIterations() {
  const LoopPlace& loop = *context_.workspace.debugger().state().loop();
  const QString frame = QString::fromStdString(loop.frame);
  if (frame != frame_) reached_ = 0;
  frame_ = frame;
  reached_ = std::max<qint64>(reached_, loop.iteration);
  showIterations({});
  context_.workspace.debugger().readLoop([guard = QPointer<FramesView>(this), asked = ++asked_](const DebugLoopValues& values) {
    const bool current =
        guard && guard->asked_ == asked && guard->context_.workspace.debugger().isStopped() && guard->context_.workspace.debugger().state().loop();
    if (current) guard->showIterations(values);
  });
}

void FramesView::showIterations(const DebugLoopValues& values) {
  QHash<qint64, widgets::IterationStrip::Iteration> known;
  for (const widgets::ValueMoment& m : values.moments) {
    widgets::IterationStrip::Iteration& it = known[m.iteration];
    it.isKept = true;
    it.isOdd = !m.isFinite;
    const QString range = m.min == m.max ? widgets::formatValue(m.min) : tr("%1 … %2").arg(widgets::formatValue(m.min), widgets::formatValue(m.max));
    it.tip = QStringLiteral("%1: %2").arg(values.tensor, m.isFinite ? range : tr("not all values are finite"));
  }
  strip_->setIterations(context_.workspace.debugger().state().loop()->iteration, reached_, known);
}

void FramesView::refill() {
  const DebugController& debug = context_.workspace.debugger();
  const DebugState& s = debug.state();
  using Phase = DebugController::Phase;
  before_->setToolTip(tr("To this op in the previous iteration"));
  before_->setAccessibleName(before_->toolTip());
  after_->setToolTip(tr("To this op in the next iteration"));
  after_->setAccessibleName(after_->toolTip());
  iteration_->setToolTip(tr("Loop iteration; enter another number to go to it"));
  iteration_->setAccessibleName(tr("Iteration"));
  strip_->setAccessibleName(tr("Iterations"));
  tree_->setAccessibleName(tr("Call frames"));
  if (s.phase == Phase::Stopped) {
    fillTree();
    const LoopPlace* loop = s.loop();
    loopBar_->setVisible(loop != nullptr);
    if (loop) {
      const QSignalBlocker quiet(iteration_);
      loopLabel_->setFull(tr("iteration of %1").arg(widgets::lastPart(QString::fromStdString(loop->frame))));
      iteration_->setValue(int(loop->iteration));
      fillIterations();
      before_->setEnabled(loop->iteration > 0 && s.whyNotBack.empty());
    }
    const QString text = tr("op %1 of the run; values kept: %2 of %3")
                             .arg(widgets::formatCount(s.stop.index + 1), widgets::formatBytes(s.keptBytes), widgets::formatBytes(s.keepLimit));
    kept_->setFull(s.stop.task.empty() ? text : s.task() + QStringLiteral("; ") + text);
    stack_->setCurrentIndex(1);
    return;
  }
  const bool running = s.phase == Phase::Running || s.phase == Phase::Starting;
  if (!running || s.phase == Phase::Starting) frame_.clear();  // another run starts anew
  empty_->setTitle(running ? tr("The run is in progress") : s.phase == Phase::Ended ? tr("The run has ended") : tr("Nothing is being debugged"));
  empty_->setText(running ? tr("It stops at the next breakpoint.")
                          : tr("Set breakpoints with B on the canvas, then start: the run stops there, and its scopes and loops appear here."));
  empty_->setButton(running || !context_.workspace.current() ? QString() : tr("Start debugging"), QStringLiteral("bug"));
  stack_->setCurrentIndex(0);
}

void FramesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refill();
}

void FramesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) refill();
  QWidget::changeEvent(event);
}

const ViewRecord framesView = {"frames",
                               QT_TRANSLATE_NOOP("Views", "Call frames"),
                               QT_TRANSLATE_NOOP("Views", "Where the debugged run is paused: scopes, loops and their iterations"),
                               "layers",
                               Qt::LeftDockWidgetArea,
                               "debug",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new FramesView(context, parent); }};

}  // namespace weft::app
