#include "main_window/run_bar.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "commands/action_registry.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/style.h"

namespace weft::app {
namespace {
constexpr int kBarSteps = 1000;
}

RunBar::RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent) : QToolBar(parent), workspace_(workspace), actions_(actions) {
  setObjectName(QStringLiteral("run_bar"));
  setMovable(false);
  setFixedHeight(widgets::Theme::current().metrics().runBar);
  train_ = new QPushButton(this);
  train_->setProperty("kind", QStringLiteral("primary"));
  train_->setFocusPolicy(Qt::TabFocus);
  connect(train_, &QPushButton::clicked, actions.action(QStringLiteral("run.train")), &QAction::trigger);
  connect(actions.action(QStringLiteral("run.train")), &QAction::changed, this, &RunBar::updateState);
  addWidget(train_);
  for (const char* id : {"run.pause", "run.step", "run.stop"}) addWidget(addButton(QLatin1String(id)));
  addWidget(addButton(QStringLiteral("debug.train")));
  addSeparator();
  // While a run is debugged these stand in place of those.
  trainingButtons_ = this->actions();
  for (const char* id : {"debug.continue", "debug.step-op", "debug.step-into", "debug.step-out", "debug.step-back", "debug.run-to", "debug.stop"}) {
    QToolButton* button = addButton(QLatin1String(id));
    const bool words = QLatin1String(id) != QLatin1String("debug.stop");
    if (words) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    debugButtons_ << addWidget(button);
  }
  place_ = new QLabel(this);
  place_->setFont(widgets::Theme::current().monoFont());
  debugButtons_ << addWidget(place_);
  data_ = new QLabel(this);
  data_->setProperty("kind", QStringLiteral("muted"));
  reason_ = new QLabel(this);
  addWidget(data_);
  addWidget(reason_);

  auto* right = new QWidget(this);
  right->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  right->setMinimumWidth(1);  // a narrow window cuts the numbers rather than the buttons
  auto* layout = new QHBoxLayout(right);
  layout->setContentsMargins(12, 0, 0, 0);
  layout->setSpacing(10);
  layout->addStretch(1);
  epoch_ = new QLabel(right);
  bar_ = new QProgressBar(right);
  bar_->setRange(0, kBarSteps);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(220);
  numbers_ = new QLabel(right);
  numbers_->setFont(widgets::Theme::current().monoFont());
  layout->addWidget(epoch_);
  layout->addWidget(bar_);
  layout->addWidget(numbers_);
  addWidget(right);

  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &RunBar::updateState);
  connect(&runs, &RunController::progressChanged, this, &RunBar::updateProgress);
  connect(&workspace, &Workspace::currentChanged, this, &RunBar::updateState);
  // Queued: each part of the window does its share in an event of its own.
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  updateState();
  updateProgress();
}

QToolButton* RunBar::addButton(const QString& id) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(actions_.action(id));
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setIconSize({16, 16});
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void RunBar::updateState() {
  const RunController& runs = workspace_.runs();
  const QAction* action = actions_.action(QStringLiteral("run.train"));
  const bool running = runs.state() == RunController::State::Running;
  train_->setText(running                                                  ? tr("Training")
                  : runs.state() == RunController::State::Paused           ? tr("Continue")
                  : runs.state() == RunController::State::Stopping         ? tr("Stopping")
                                                                           : tr("Train"));
  const widgets::Theme& theme = widgets::Theme::current();
  const QPixmap play = widgets::iconPixmap(
      QStringLiteral("play"), 16,
      theme.color(action->isEnabled() ? widgets::Role::AccentText : running ? widgets::Role::Accent : widgets::Role::TextDisabled), devicePixelRatioF());
  QIcon icon(play);
  icon.addPixmap(play, QIcon::Disabled);  // else it would be greyed while it shows that a training runs
  train_->setIcon(icon);
  // While it runs the button is no button; it shows the state.
  setSheet(train_, running ? QStringLiteral("QPushButton:disabled { background: %1; color: %2; border: 1px solid %2; font-weight: 600; }")
                                 .arg(theme.color(widgets::Role::AccentSoft).name(), theme.color(widgets::Role::Accent).name())
                           : QString());
  train_->setEnabled(action->isEnabled());
  train_->setToolTip(action->toolTip());

  const DebugState& debugged = workspace_.debugger().state();
  const bool debugs = workspace_.debugger().isActive();
  for (QAction* a : trainingButtons_) a->setVisible(!debugs);
  for (QAction* a : debugButtons_) a->setVisible(debugs);
  place_->setText(!workspace_.debugger().isStopped() ? tr("running")
                  : debugged.step > 0                ? tr("stopped  step %1 · op %2").arg(debugged.step).arg(debugged.index + 1)
                                                     : tr("stopped  op %1").arg(debugged.index + 1));
  const Document* document = workspace_.current();
  const QString why = document && !runs.isActive() && !debugs ? runs.whyNot(document) : QString();
  reason_->setText(why);
  reason_->setVisible(!why.isEmpty());
  for (QAction* a : this->actions()) {
    if (widgetForAction(a) == reason_) a->setVisible(!why.isEmpty());
    if (widgetForAction(a) == data_) a->setVisible(document && !debugs && document->contents()->training.present);
  }
  if (document && document->contents()->training.present) {
    const TrainingInfo& info = document->contents()->training;
    QStringList parts;
    if (!info.data.isEmpty()) parts << tr("data %1").arg(info.data);
    if (info.batchSize > 0) parts << tr("batch %1").arg(info.batchSize);
    if (info.epochs > 0)
      parts << tr("%n epoch(s)", nullptr, int(info.epochs));
    else if (info.steps > 0)
      parts << tr("%n step(s)", nullptr, int(info.steps));
    data_->setText(parts.join(QStringLiteral("  ·  ")));
  }
  updateProgress();
}

void RunBar::updateProgress() {
  const RunController& runs = workspace_.runs();
  const RunProgress& p = runs.progress();
  const bool shown = runs.state() != RunController::State::Idle;
  epoch_->setVisible(shown);
  bar_->setVisible(shown);
  numbers_->setVisible(shown);
  if (!shown) return;
  if (p.totalEpochs > 0) {
    const int total = int(p.totalEpochs + 0.5);
    epoch_->setText(tr("epoch <b>%1</b>/%2").arg(std::min(int(p.epoch) + 1, total)).arg(total));
  } else {
    epoch_->setText(runs.currentRun() ? runs.currentRun()->name : QString());
  }
  bar_->setValue(p.totalSteps > 0 ? int(kBarSteps * double(p.step) / double(p.totalSteps)) : 0);
  QStringList parts;
  parts << (p.totalSteps > 0 ? QStringLiteral("%1 / %2").arg(widgets::formatCount(p.step), widgets::formatCount(p.totalSteps)) : widgets::formatCount(p.step));
  if (p.samplesPerSecond > 0) parts << tr("%1 samples/s").arg(widgets::formatCountShort(qint64(p.samplesPerSecond)));
  parts << widgets::formatClock(p.elapsed);
  if (runs.state() == RunController::State::Running && p.left >= 0) parts.last() += QStringLiteral(" · ") + tr("%1 left").arg(widgets::formatClock(p.left));
  if (runs.state() == RunController::State::Paused) parts.last() += QStringLiteral(" · ") + tr("paused");
  if (runs.state() == RunController::State::Finished) parts.last() += QStringLiteral(" · ") + tr("done");
  if (runs.state() == RunController::State::Failed) parts.last() += QStringLiteral(" · ") + tr("failed");
  numbers_->setText(parts.join(QStringLiteral("  ")));
}

void RunBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) updateState();
  QToolBar::changeEvent(event);
}

}  // namespace weft::app
