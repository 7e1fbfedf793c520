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
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "commands/action_registry.h"
#include "common/card_texts.h"
#include "common/discard.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/progress.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/front.h"
#include "main_window/style.h"

namespace weft::app {
namespace {
constexpr int kLiveFields = 2;
constexpr int kSide = 5, kSpacing = 6, kShortBar = 60, kShortSentence = 90, kIconButton = 32;
// What is left out first when the bar is short of room: words of the debug buttons or what is fed, samples per second, the bar, the epoch, the time.
enum Dropped { kNothing, kData, kRate, kBar, kEpoch, kTime };

const QString kBetweenParts = QStringLiteral("  ·  ");

/// What is shown of `full` in `width` pixels, of several parts whole ones; the tooltip says all of what is cut.
void elide(QLabel* label, const QString& full, int width) {
  QString whole = full;
  while (whole.contains(kBetweenParts) && label->fontMetrics().horizontalAdvance(whole) > width) whole.truncate(whole.lastIndexOf(kBetweenParts));
  const QString shown = label->fontMetrics().elidedText(whole, Qt::ElideRight, width);
  label->setText(shown);
  label->setToolTip(shown == full ? QString() : full);
}
}

RunBar::RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent) : QToolBar(parent), workspace_(workspace), actions_(actions) {
  setObjectName(QStringLiteral("run_bar"));
  setMovable(false);
  setFixedHeight(widgets::Theme::current().metrics().runBar);
  // One row of our own: a tool bar hides what does not fit behind an arrow, and centres labels and buttons on different lines.
  row_ = new QWidget(this);
  row_->setMinimumWidth(1);
  row_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  layout_ = new QHBoxLayout(row_);
  layout_->setContentsMargins(kSide, 0, kSide, 0);
  layout_->setSpacing(kSpacing);
  const auto put = [this](QWidget* widget) {
    layout_->addWidget(widget, 0, Qt::AlignVCenter);
    return widget;
  };
  train_ = new QPushButton(row_);
  train_->setProperty("kind", QStringLiteral("primary"));
  train_->setFocusPolicy(Qt::TabFocus);
  connect(train_, &QPushButton::clicked, actions.action(QStringLiteral("run.train")), &QAction::trigger);
  connect(actions.action(QStringLiteral("run.train")), &QAction::changed, this, &RunBar::updateState);
  trainingButtons_ << put(train_);
  for (const char* id : {"run.pause", "run.step"}) trainingButtons_ << put(addButton(QLatin1String(id)));
  count_ = new QSpinBox(row_);
  count_->setRange(1, kMostStepCount);
  count_->setValue(workspace.settings().value(QStringLiteral("run/step-count"), 100).toInt());
  count_->setFixedWidth(76);
  count_->setKeyboardTracking(false);
  connect(count_, &QSpinBox::valueChanged, this, [this](int n) { workspace_.settings().setValue(QStringLiteral("run/step-count"), n); });
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("run/step-count")) count_->setValue(workspace_.settings().value(key).toInt());
  });
  trainingButtons_ << put(count_);
  QToolButton* several = addButton(QStringLiteral("run.steps"));
  several->setToolButtonStyle(Qt::ToolButtonTextOnly);
  several->setObjectName(QStringLiteral("run_steps_button"));
  trainingButtons_ << put(several);
  for (const char* id : {"run.stop", "debug.train", "run.watch-nan", "profile.trace"}) trainingButtons_ << put(addButton(QLatin1String(id)));
  // While a run is debugged these stand in place of those.
  for (const char* id : {"debug.continue", "debug.step-op", "debug.step-into", "debug.step-out", "debug.step-back", "debug.run-to", "debug.stop"})
    debugButtons_ << put(addButton(QLatin1String(id)));
  place_ = new QLabel(row_);
  place_->setFont(widgets::Theme::current().monoFont());
  debugButtons_ << put(place_);
  data_ = new QLabel(row_);
  data_->setProperty("kind", QStringLiteral("muted"));
  put(data_);
  live_ = new QWidget(row_);
  live_->setLayout(new QHBoxLayout);
  live_->layout()->setContentsMargins(4, 0, 0, 0);
  live_->layout()->setSpacing(kSpacing);
  put(live_);
  reason_ = new QLabel(row_);
  put(reason_);
  layout_->addStretch(1);
  epoch_ = new widgets::QuietText(widgets::QuietText::Kind::Plain, row_);
  bar_ = new QProgressBar(row_);
  bar_->setTextVisible(false);
  bar_->setMinimumWidth(kShortBar);
  bar_->setMaximumWidth(220);
  bar_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  numbers_ = new widgets::QuietText(widgets::QuietText::Kind::Mono, row_);
  put(epoch_);
  layout_->addWidget(bar_, 4, Qt::AlignVCenter);
  put(numbers_);
  addWidget(row_);

  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &RunBar::updateState);
  connect(&runs, &RunController::progressChanged, this, &RunBar::updateProgress);
  // Queued: each part of the window does its share in an event of its own.
  connect(&workspace, &Workspace::currentChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  connect(&workspace, &Workspace::contentsChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &RunBar::updateState, Qt::QueuedConnection);
  connect(&runs, &RunController::nextRunChanged, this, &RunBar::showLive);
  updateState();
  updateProgress();
  takeStyledMargins(this);
}

/// A field for each of the first live scalars of the document; the others are set by `run.set-live`.
void RunBar::buildLive() {
  const Document* document = documentInFront(workspace_);
  const GraphContentsPtr of = document ? document->contents() : nullptr;
  if (of == liveOf_ && (of || liveFields_.isEmpty())) return;
  liveOf_ = of;
  // The words of the templates; a document's own are shown as they are.
  [[maybe_unused]] constexpr const char* kKnown[] = {QT_TRANSLATE_NOOP("LiveScalars", "Learning rate"), QT_TRANSLATE_NOOP("LiveScalars", "Dropout")};
  liveFields_.clear();
  for (QWidget* old : live_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    live_->layout()->removeWidget(old);
    old->setObjectName(QString());
    widgets::discard(old);  // a change of the theme may have led here
  }
  if (document) {
    for (const TrainingInfo::Live& l : document->contents()->training.live.mid(0, kLiveFields)) {
      auto* label = new QLabel(QCoreApplication::translate("LiveScalars", l.name.toUtf8().constData()), live_);
      label->setProperty("kind", QStringLiteral("muted"));
      auto* field = new QLineEdit(live_);
      field->setFixedSize(76, widgets::Theme::current().metrics().controlHeight + 2);
      field->setFont(widgets::Theme::current().monoFont());
      label->setBuddy(field);
      field->setAccessibleName(l.name);
      field->setProperty("typedCounts", true);
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
      const double set = workspace_.runs().live(document, name);
      field->setText(widgets::formatValue(std::isfinite(set) ? set : l.value, 6));
      field->setToolTip(l.minimum < l.maximum ? tr("%1, from %2 to %3; holds from the next step on").arg(name).arg(l.minimum).arg(l.maximum)
                                              : tr("%1; holds from the next step on").arg(name));
    }
  }
}

QToolButton* RunBar::addButton(const QString& id) {
  auto* button = new QToolButton(row_);
  button->setDefaultAction(actions_.action(id));
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setMinimumWidth(kIconButton);
  button->setIconSize({16, 16});
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void RunBar::updateState() {
  const RunController& runs = workspace_.runs();
  const QAction* action = actions_.action(QStringLiteral("run.train"));
  const bool ours = runs.document() && runs.document() == workspace_.current();  // a run of another document is not continued from here
  const bool running = runs.state() == RunController::State::Running;
  train_->setText(running                                                  ? tr("Training")
                  : runs.state() == RunController::State::Paused && ours   ? tr("Continue")
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
  const bool file = workspace_.currentFile() != nullptr;  // it is neither trained nor debugged: its own bar says what can be done with it
  for (QWidget* w : std::as_const(trainingButtons_)) w->setVisible(!debugs && !file);
  for (QWidget* w : std::as_const(debugButtons_)) w->setVisible(debugs && !file);
  place_->setText(!workspace_.debugger().isStopped() ? tr("running")
                  : debugged.step > 0                ? tr("stopped  step %1 · op %2").arg(debugged.step).arg(debugged.index + 1)
                                                     : tr("stopped  op %1").arg(debugged.index + 1));
  const Document* document = documentInFront(workspace_);
  buildLive();
  count_->setAccessibleName(tr("How many steps"));
  count_->setToolTip(tr("How many steps"));
  if (auto* several = findChild<QToolButton*>(QStringLiteral("run_steps_button"))) several->setText(tr("steps"));
  reasonText_ = document && !runs.isActive() && !debugs ? runs.whyNot(document) : QString();
  dataText_.clear();
  if (document && !debugs && document->contents()->training.present) {
    const TrainingInfo& info = document->contents()->training;
    QStringList parts;
    if (!info.data.isEmpty()) parts << tr("data %1").arg(info.data);
    if (info.batchSize > 0) parts << tr("batch %1").arg(info.batchSize);
    if (info.epochs > 0)
      parts << tr("%n epoch(s)", nullptr, int(info.epochs));
    else if (info.steps > 0)
      parts << tr("%n step(s)", nullptr, int(info.steps));
    dataText_ = parts.join(kBetweenParts);
  }
  live_->setVisible(!debugs && !liveFields_.isEmpty());
  numbersWidth_ = 0;
  updateProgress();
  fit();
}

/// A run that goes on, whosever it is; one that has ended only with its own document.
bool RunBar::showsRun() const {
  const RunController& runs = workspace_.runs();
  return runs.state() != RunController::State::Idle && (runs.isActive() || (runs.document() && runs.document() == documentInFront(workspace_)));
}

void RunBar::updateProgress() {
  const RunController& runs = workspace_.runs();
  const RunProgress& p = runs.progress();
  if (!showsRun()) {
    for (QWidget* w : {static_cast<QWidget*>(epoch_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(numbers_)}) w->hide();
    return;
  }
  QString place = runs.currentRun() ? runs.currentRun()->name : QString();
  if (p.totalEpochs > 0) {
    const int total = int(p.totalEpochs + 0.5);
    place = tr("epoch %1 / %2").arg(std::min(int(p.epoch) + 1, total)).arg(total);
  }
  // Whose run it is, where another document is in front.
  const bool ours = runs.document() && runs.document() == documentInFront(workspace_);
  epoch_->setText(ours || !runs.currentRun() ? place : tr("%1: %2").arg(runs.currentRun()->document, place));
  widgets::showProgress(bar_, p.totalSteps > 0 ? double(p.step) / double(p.totalSteps) : 0);
  stepText_ = p.totalSteps > 0 ? QStringLiteral("%1 / %2").arg(widgets::formatCount(p.step), widgets::formatCount(p.totalSteps)) : widgets::formatCount(p.step);
  rateText_ = p.samplesPerSecond > 0 ? tr("%1 samples/s").arg(widgets::formatCountShort(qint64(p.samplesPerSecond))) : QString();
  timeText_ = widgets::formatClock(p.elapsed);
  QString state;
  if (runs.state() == RunController::State::Running && p.left >= 0) state = tr("%1 left").arg(widgets::formatClock(p.left));
  if (runs.state() == RunController::State::Paused) state = tr("paused");
  if (!runs.isActive() && runs.currentRun()) state = endWord(runs.currentRun()->end);
  if (!state.isEmpty()) timeText_ += QStringLiteral(" · ") + state;
  writeNumbers();
  if (const int width = numbers_->sizeHint().width(); width > numbersWidth_) {
    numbersWidth_ = width;
    numbers_->setMinimumWidth(width);
    fit();
  }
}

void RunBar::writeNumbers() {
  QStringList parts{stepText_};
  if (!rateText_.isEmpty() && dropped_ < kRate) parts << rateText_;
  if (dropped_ < kTime) parts << timeText_;
  numbers_->setText(parts.join(QStringLiteral("  ")));
  QStringList all{stepText_, timeText_};
  if (!rateText_.isEmpty()) all.insert(1, rateText_);
  const QString tip = dropped_ >= kRate ? all.join(QStringLiteral("  ")) : QString();
  if (numbers_->toolTip() != tip) numbers_->setToolTip(tip);
}

/// Leaves out as little as it takes.
void RunBar::fit() {
  const int room = row_->width() - 2 * kSide;
  const bool shown = showsRun(), debugs = workspace_.debugger().isActive();
  const auto widthOf = [](const QWidget* w) { return w->isHidden() ? 0 : std::clamp(w->sizeHint().width(), w->minimumWidth(), w->maximumWidth()) + kSpacing; };
  const int before = dropped_;
  for (dropped_ = kNothing; dropped_ <= kTime; ++dropped_) {
    for (QWidget* w : std::as_const(debugButtons_)) {
      auto* button = qobject_cast<QToolButton*>(w);
      if (button && button->defaultAction()->objectName() != QLatin1String("debug.stop"))
        button->setToolButtonStyle(dropped_ < kData ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }
    data_->setVisible(!dataText_.isEmpty() && dropped_ <= kData);
    reason_->setVisible(!reasonText_.isEmpty());
    bar_->setVisible(shown && dropped_ < kBar);
    epoch_->setVisible(shown && dropped_ < kEpoch);
    numbers_->setVisible(shown);
    if (dropped_ != before || shown) writeNumbers();
    numbers_->fit();
    epoch_->fit();
    numbers_->setMinimumWidth(dropped_ < kRate ? numbersWidth_ : 0);
    int used = 0;
    for (int i = 0; i < layout_->count(); ++i) {
      const QWidget* w = layout_->itemAt(i)->widget();
      if (w == bar_) used += bar_->isHidden() ? 0 : kShortBar + kSpacing;
      else if (w && w != data_ && w != reason_) used += widthOf(w);
    }
    const int left = room - used - (debugs ? 0 : 2 * kSpacing);
    const int data = data_->isHidden() ? 0 : data_->fontMetrics().horizontalAdvance(dataText_) + 4;
    const int reason = reason_->isHidden() ? 0 : reason_->fontMetrics().horizontalAdvance(reasonText_) + 4;
    const bool sentences = dropped_ < kData ? left >= data + std::min(reason, kShortSentence) : left >= std::min(data, kShortSentence) + std::min(reason, kShortSentence);
    if (!sentences && dropped_ < kTime) continue;
    if (data > 0) elide(data_, dataText_, std::clamp(left - std::min(reason, kShortSentence), 1, data));
    if (reason > 0) elide(reason_, reasonText_, std::clamp(left - std::min(data, left), std::min(reason, kShortSentence), reason));
    break;
  }
  dropped_ = std::min<int>(dropped_, kTime);
  for (QWidget* w : std::as_const(debugButtons_)) {
    auto* button = qobject_cast<QToolButton*>(w);
    if (!button) continue;
    const QString kind = button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon ? QStringLiteral("words") : QString();
    if (button->property("kind").toString() == kind) continue;
    button->setProperty("kind", kind);
    button->style()->unpolish(button);
    button->style()->polish(button);
  }
}

void RunBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  // The row gets its width in a moment.
  QMetaObject::invokeMethod(this, &RunBar::fit, Qt::QueuedConnection);
}

void RunBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) liveOf_ = nullptr;
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) updateState();
  QToolBar::changeEvent(event);
}

}  // namespace weft::app
