#include "main_window/run_bar.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <cmath>

#include "commands/action_registry.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/progress.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/style.h"

namespace weft::app {
namespace {
constexpr int kLiveFields = 2;
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
  for (const char* id : {"run.pause", "run.step"}) addWidget(addButton(QLatin1String(id)));
  count_ = new QSpinBox(this);
  count_->setRange(1, 1000000);
  count_->setValue(workspace.settings().value(QStringLiteral("run/step-count"), 100).toInt());
  count_->setFixedWidth(76);
  count_->setKeyboardTracking(false);
  connect(count_, &QSpinBox::valueChanged, this, [this](int n) { workspace_.settings().setValue(QStringLiteral("run/step-count"), n); });
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("run/step-count")) count_->setValue(workspace_.settings().value(key).toInt());
  });
  addWidget(count_);
  QToolButton* several = addButton(QStringLiteral("run.steps"));
  several->setToolButtonStyle(Qt::ToolButtonTextOnly);
  several->setObjectName(QStringLiteral("run_steps_button"));
  addWidget(several);
  addWidget(addButton(QStringLiteral("run.stop")));
  addWidget(addButton(QStringLiteral("debug.train")));
  addWidget(addButton(QStringLiteral("run.watch-nan")));
  addWidget(addButton(QStringLiteral("profile.trace")));
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
  live_ = new QWidget(this);
  live_->setLayout(new QHBoxLayout);
  live_->layout()->setContentsMargins(8, 0, 0, 0);
  live_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
  live_->layout()->setSpacing(6);
  live_->setMinimumHeight(widgets::Theme::current().metrics().controlHeight + 2);  // the tool bar asks before there are fields
  data_ = new QLabel(this);
  data_->setProperty("kind", QStringLiteral("muted"));
  reason_ = new QLabel(this);
  addWidget(data_);
  addWidget(live_);
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
  bar_->setTextVisible(false);
  bar_->setMinimumWidth(60);  // it gives way before the numbers do
  bar_->setMaximumWidth(220);
  bar_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  numbers_ = new QLabel(right);
  numbers_->setFont(widgets::Theme::current().monoFont());
  layout->addWidget(epoch_);
  layout->addWidget(bar_, 4);
  layout->addWidget(numbers_);
  addWidget(right);

  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &RunBar::updateState);
  connect(&runs, &RunController::progressChanged, this, &RunBar::updateProgress);
  // Queued: each part of the window does its share in an event of its own.
  connect(&workspace, &Workspace::currentChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  connect(&runs, &RunController::nextRunChanged, this, &RunBar::showLive);
  updateState();
  updateProgress();
}

/// A field for each of the first live scalars of the document; the others are set by `run.set-live`.
void RunBar::buildLive() {
  const Document* document = workspace_.current();
  const void* of = document ? document->contents().get() : nullptr;
  if (of == liveOf_) return;
  liveOf_ = of;
  // The words of the templates; a document's own are shown as they are.
  [[maybe_unused]] constexpr const char* kKnown[] = {QT_TRANSLATE_NOOP("LiveScalars", "Learning rate"), QT_TRANSLATE_NOOP("LiveScalars", "Dropout")};
  liveFields_.clear();
  qDeleteAll(live_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  if (document) {
    for (const TrainingInfo::Live& l : document->contents()->training.live.mid(0, kLiveFields)) {
      auto* label = new QLabel(QCoreApplication::translate("LiveScalars", l.name.toUtf8().constData()), live_);
      label->setProperty("kind", QStringLiteral("muted"));
      auto* field = new QLineEdit(live_);
      field->setFixedSize(76, widgets::Theme::current().metrics().controlHeight + 2);
      field->setFont(widgets::Theme::current().monoFont());
      label->setBuddy(field);
      field->setAccessibleName(l.name);
      connect(field, &QLineEdit::editingFinished, this, [this, field, name = l.name] {
        if (!field->isModified()) return;
        field->setModified(false);
        const CommandResult result = actions_.run(QStringLiteral("run.set-live"), {name, field->text()});
        if (!result.ok) emit actions_.failed(result.message);
        showLive();
      });
      live_->layout()->addWidget(label);
      live_->layout()->addWidget(field);
      liveFields_ << qMakePair(l.name, field);
    }
  }
  showLive();
}

void RunBar::showLive() {
  const Document* document = workspace_.current();
  if (!document) return;
  for (const auto& [name, field] : std::as_const(liveFields_)) {
    if (field->hasFocus() && field->isModified()) continue;
    for (const TrainingInfo::Live& l : document->contents()->training.live) {
      if (l.name != name) continue;
      const double set = workspace_.runs().live(name);
      field->setText(widgets::formatValue(std::isfinite(set) ? set : l.value, 6));
      field->setToolTip(l.minimum < l.maximum ? tr("%1, from %2 to %3; holds from the next step on").arg(name).arg(l.minimum).arg(l.maximum)
                                              : tr("%1; holds from the next step on").arg(name));
    }
  }
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
  buildLive();
  count_->setAccessibleName(tr("How many steps"));
  count_->setToolTip(tr("How many steps"));
  if (auto* several = findChild<QToolButton*>(QStringLiteral("run_steps_button"))) {
    several->setText(tr("steps"));
    several->ensurePolished();
    several->setMinimumWidth(several->sizeHint().width());  // a bar that is short of room would cut the word
  }
  const QString why = document && !runs.isActive() && !debugs ? runs.whyNot(document) : QString();
  reason_->setText(why);
  reason_->setVisible(!why.isEmpty());
  for (QAction* a : this->actions()) {
    if (widgetForAction(a) == reason_) a->setVisible(!why.isEmpty());
    if (widgetForAction(a) == live_) a->setVisible(!debugs && !liveFields_.isEmpty());
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
  widgets::showProgress(bar_, p.totalSteps > 0 ? double(p.step) / double(p.totalSteps) : 0);
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
  if (event->type() == QEvent::LanguageChange) liveOf_ = nullptr;
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) updateState();
  QToolBar::changeEvent(event);
}

}  // namespace weft::app
