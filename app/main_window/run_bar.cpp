#include "main_window/run_bar.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <iterator>
#include <utility>

#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "main_window/run_fields.h"
#include "main_window/run_progress.h"
#include "shell/action_registry.h"
#include "shell/style.h"

namespace weft::app {
namespace {

constexpr int kSide = 8, kSpacing = 5, kIconButton = 32, kCountWidth = 72, kTrainMargins = 46, kApart = 12;
// The levels from which parts are left out; RunFields has its own.
constexpr int kNoNan = 1, kNoTrace = 3, kNoSeveral = 4;
constexpr int kProgressWidths[] = {300, 256, 250, 230, 220, 200, 180};
static_assert(std::size(kProgressWidths) == RunFields::kLevels + 1);
constexpr int kLeastReason = 160, kLeastPlace = 150;
// Shown beside the buttons that control the debugger as they control a training.
constexpr const char* kDebugActions[] = {"debug.step-into", "debug.step-out", "debug.step-back", "debug.run-to"};

}  // namespace

RunBar::RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent) : QToolBar(parent), workspace_(workspace), actions_(actions) {
  setObjectName(QStringLiteral("run_bar"));
  setMovable(false);
  setFixedHeight(widgets::Theme::current().metrics().runBar);
  // A row of our own: a tool bar hides what does not fit behind an arrow, and moves everything when a text changes.
  row_ = new QWidget(this);
  row_->setMinimumSize(1, 30);
  row_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  train_ = new QPushButton(row_);
  train_->setObjectName(QStringLiteral("train_button"));
  train_->setProperty("kind", QStringLiteral("primary"));
  train_->setFocusPolicy(Qt::TabFocus);
  connect(train_, &QPushButton::clicked, this,
          [this] { actions_.action(workspace_.debugger().isActive() ? QStringLiteral("debug.continue") : QStringLiteral("run.train"))->trigger(); });
  for (const char* id : {"run.train", "debug.continue"}) connect(actions.action(QLatin1String(id)), &QAction::changed, this, &RunBar::showTrain);
  pause_ = addButton(QStringLiteral("run.pause"));
  step_ = addButton(QStringLiteral("run.step"));
  count_ = new QSpinBox(row_);
  count_->setRange(1, kMostStepCount);
  count_->setValue(workspace.settings().value(QStringLiteral("run/step-count"), 100).toInt());
  count_->setKeyboardTracking(false);
  connect(count_, &QSpinBox::valueChanged, this, [this](int n) { workspace_.settings().setValue(QStringLiteral("run/step-count"), n); });
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("run/step-count")) count_->setValue(workspace_.settings().value(key).toInt());
  });
  several_ = addButton(QStringLiteral("run.steps"));
  several_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  several_->setObjectName(QStringLiteral("run_steps_button"));
  connect(several_->defaultAction(), &QAction::changed, this, [this] { several_->setText(tr("steps")); });  // beside the number, shorter than in the menu
  stop_ = addButton(QStringLiteral("run.stop"));
  debug_ = addButton(QStringLiteral("debug.train"));
  nan_ = addButton(QStringLiteral("run.watch-nan"));
  trace_ = addButton(QStringLiteral("profile.trace"));
  for (const char* id : kDebugActions) debugButtons_ << addButton(QLatin1String(id));
  // A button takes its action's text whenever that changes; set our own text afterwards.
  for (const char* id : {"debug.step-op", "debug.step-into", "debug.step-out", "debug.step-back", "debug.run-to"})
    connect(actions.action(QLatin1String(id)), &QAction::changed, this, &RunBar::writeDebugButtons);
  place_ = new QLabel(row_);
  place_->setFont(widgets::Theme::current().monoFont());
  reason_ = new QPushButton(row_);
  reason_->setObjectName(QStringLiteral("why_not_trained"));
  reason_->setProperty("kind", QStringLiteral("link"));
  reason_->setFocusPolicy(Qt::TabFocus);
  connect(reason_, &QPushButton::clicked, this, &RunBar::goToReason);
  addTraining_ = addButton(QStringLiteral("graph.add-training"));
  addTraining_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fields_ = new RunFields(workspace, actions, row_);
  more_ = new QToolButton(row_);
  more_->setIcon(widgets::icon(QStringLiteral("menu-dots")));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setMenu(new QMenu(more_));
  connect(more_->menu(), &QMenu::aboutToShow, this, &RunBar::fillMore);
  progress_ = new RunProgressBox(workspace, row_);
  addWidget(row_);

  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &RunBar::updateState);
  connect(&workspace, &Workspace::currentChanged, this, &RunBar::updateSoon);
  connect(&workspace, &Workspace::contentsChanged, this, &RunBar::updateSoon);
  connect(&workspace, &Workspace::titleChanged, this, &RunBar::updateSoon);
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &RunBar::updateSoon);
  retranslate();
  takeStyledMargins(this);
}

QToolButton* RunBar::addButton(const QString& id) {
  auto* button = new QToolButton(row_);
  button->setDefaultAction(actions_.action(id));
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setIconSize({16, 16});
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

/// Puts another action on a button. The previous one must be removed from its list, or the button would show a menu.
void RunBar::setAction(QToolButton* button, const char* id) {
  QAction* action = actions_.action(QLatin1String(id));
  if (button->defaultAction() == action) return;
  button->removeAction(button->defaultAction());
  button->setDefaultAction(action);
}

/// Queued, because each part of the window updates in its own event.
void RunBar::updateSoon() {
  if (std::exchange(updateQueued_, true)) return;
  QTimer::singleShot(0, this, [this] {
    updateQueued_ = false;
    updateState();
  });
}

void RunBar::retranslate() {
  QFont bold = widgets::Theme::current().uiFont();
  bold.setWeight(QFont::DemiBold);
  trainWidth_ = 0;
  for (const QString& word : {tr("Train"), tr("Training"), tr("Continue") + QStringLiteral("  F5"), tr("Stopping")})
    trainWidth_ = std::max(trainWidth_, QFontMetrics(bold).horizontalAdvance(word) + kTrainMargins);
  count_->setAccessibleName(tr("How many steps"));
  count_->setToolTip(tr("How many steps"));
  several_->setText(tr("steps"));
  reason_->setAccessibleName(tr("Why it cannot be trained"));
  more_->setToolTip(tr("Run controls that do not fit into the window"));
  more_->setAccessibleName(tr("More run controls"));
  fields_->retranslate();
  updateState();
}

/// The sentence beside the buttons; empty: the document can be trained, or is being trained.
QString RunBar::whyNot() const {
  const RunController& runs = workspace_.runs();
  if (const FileTab* file = workspace_.currentFile()) return tr("%1 is not trainable.").arg(file->title());
  const Document* document = workspace_.current();
  if (!document || workspace_.debugger().isActive() || (runs.isActive() && runs.document() == document)) return {};
  if (!runs.isActive() && !document->contents()->training.present) {
    for (const Problem& p : document->problems())
      if (p.code == QLatin1String("training-waits")) return p.message;
  }
  const TrainingInfo& training = document->contents()->training;
  // The data field is shown there instead; the button's tooltip has the reason.
  if (training.reason.isEmpty() && training.data.isEmpty() && !runs.isActive()) return {};
  return runs.whyNot(document);
}

/// Goes to the obstacle: the document in training, or the problem.
void RunBar::goToReason() {
  RunController& runs = workspace_.runs();
  Document* document = workspace_.current();
  if (runs.isActive() && runs.document() && (runs.document() != document || workspace_.currentFile())) return workspace_.setCurrent(runs.document());
  if (workspace_.currentFile() && document) return workspace_.setCurrent(document);
  actions_.run(QStringLiteral("view.show"), {QStringLiteral("problems")});
  if (document && !document->problems().isEmpty()) actions_.run(QStringLiteral("problems.next"));
}

void RunBar::showTrain() {
  const RunController& runs = workspace_.runs();
  const bool debugs = workspace_.debugger().isActive();
  const QAction* action = actions_.action(debugs ? QStringLiteral("debug.continue") : QStringLiteral("run.train"));
  const bool ours =
      runs.document() && runs.document() == workspace_.current() && !workspace_.currentFile();  // a run of another document cannot be continued from here
  const bool running = runs.state() == RunController::State::Running && ours && !debugs;
  const QString key = debugs ? action->shortcut().toString(QKeySequence::NativeText) : QString();
  train_->setText(debugs    ? key.size() > 2 || key.isEmpty() ? tr("Continue") : tr("Continue") + QStringLiteral("  ") + key
                  : running ? tr("Training")
                  : runs.state() == RunController::State::Paused && ours   ? tr("Continue")
                  : runs.state() == RunController::State::Stopping && ours ? tr("Stopping")
                                                                           : tr("Train"));
  const widgets::Theme& theme = widgets::Theme::current();
  const QPixmap play = widgets::iconPixmap(QStringLiteral("play"), 16,
                                           theme.color(action->isEnabled() ? widgets::Role::AccentText
                                                       : running           ? widgets::Role::Accent
                                                                           : widgets::Role::TextDisabled),
                                           devicePixelRatioF());
  QIcon icon(play);
  icon.addPixmap(play, QIcon::Disabled);  // else it would be greyed out while a training runs
  train_->setIcon(icon);
  // During a run the button is disabled and shows the state.
  setSheet(train_, running ? QStringLiteral("QPushButton:disabled { background: %1; color: %2; border: 1px solid %2; font-weight: 600; }")
                                 .arg(theme.color(widgets::Role::AccentSoft).name(), theme.color(widgets::Role::Accent).name())
                           : QString());
  train_->setEnabled(action->isEnabled());
  train_->setToolTip(action->toolTip());
}

void RunBar::updateState() {
  const bool debugs = workspace_.debugger().isActive();
  setAction(pause_, debugs ? "debug.pause" : "run.pause");
  setAction(step_, debugs ? "debug.step-op" : "run.step");
  setAction(stop_, debugs ? "debug.stop" : "run.stop");
  showTrain();
  const DebugState& debugged = workspace_.debugger().state();
  place_->setText(!workspace_.debugger().isStopped() ? tr("running")
                  : debugged.step > 0                ? tr("stopped  step %1 · op %2").arg(debugged.step).arg(debugged.stop.index + 1)
                                                     : tr("stopped  op %1").arg(debugged.stop.index + 1));
  reasonText_ = whyNot();
  const widgets::Theme& theme = widgets::Theme::current();
  setSheet(reason_, QStringLiteral("QPushButton { color: %1; } QPushButton:hover { color: %2; }")
                        .arg(theme.color(widgets::Role::Warning).name(), theme.color(widgets::Role::Accent).name()));
  reason_->setIcon(QIcon(widgets::iconPixmap(QStringLiteral("warning"), 14, theme.color(widgets::Role::Warning), devicePixelRatioF())));
  fields_->refresh();
  progress_->refresh();
  arrange();
}

int RunBar::widthAt(int level) const {
  int width = 2 * kSide + trainWidth_ + 4 * (kIconButton + kSpacing) + kApart;
  if (level < kNoSeveral) width += kCountWidth + kSpacing + several_->sizeHint().width() + kSpacing;
  for (const int gone : {kNoNan, kNoTrace})
    if (level < gone) width += kIconButton + kSpacing;
  if (level > 0) width += kIconButton + kApart;
  return width + fields_->widthAt(level) + kApart + kProgressWidths[level];
}

void RunBar::write(QToolButton* button, Words words) {
  const QAction* action = button->defaultAction();
  const QString key = action->shortcut().toString(QKeySequence::NativeText);
  const QString text = words == Words::NameAndKey ? action->iconText() + (key.isEmpty() ? QString() : QStringLiteral("  ") + key) : key;
  const bool plain = words == Words::None || text.isEmpty();
  button->setToolButtonStyle(plain ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  if (!plain && button->text() != text) button->setText(text);
}

/// Whether the button is beside Step op, in the place of the number of steps.
bool RunBar::isApart(const QToolButton* button) const { return stepWords_ != Words::None && button == debugButtons_[0]; }

void RunBar::writeDebugButtons() {
  const bool debugs = workspace_.debugger().isActive();
  write(step_, debugs ? stepWords_ : Words::None);
  if (!debugs) return;
  for (QToolButton* button : std::as_const(debugButtons_)) write(button, isApart(button) ? Words::Key : words_);
}

int RunBar::debugWidth(Words words) {
  int width = 0;
  for (QToolButton* button : std::as_const(debugButtons_)) {
    if (isApart(button)) continue;
    write(button, words);
    width += (words == Words::None ? kIconButton : button->sizeHint().width()) + kSpacing;
  }
  return width;
}

/// Leaves out as few parts as possible. Positions depend only on the width, never on the state.
void RunBar::arrange() {
  const int room = row_->width(), high = row_->height();
  level_ = 0;
  while (level_ < RunFields::kLevels && widthAt(level_) > room) ++level_;
  int x = kSide;
  const auto put = [&](QWidget* widget, int width, int after = kSpacing) {
    const int height = std::min(widget->sizeHint().height(), high);
    widget->setGeometry(x, (high - height) / 2, width, height);
    x += width + after;
  };
  put(train_, trainWidth_);
  put(pause_, kIconButton);
  const bool debugs = workspace_.debugger().isActive(), wide = level_ < kNoSeveral;
  stepWords_ = debugs && wide ? Words::NameAndKey : Words::None;
  write(step_, stepWords_);
  if (debugs && wide) {
    // The debugger steps op by op: the number of steps is meaningless there, and two debugger buttons take its place.
    const int shared = kIconButton + kCountWidth + several_->sizeHint().width() + kSpacing;
    write(debugButtons_[0], Words::Key);
    // Texts that would be cut are left out.
    if (step_->sizeHint().width() + debugButtons_[0]->sizeHint().width() > shared) write(step_, stepWords_ = Words::Key);
    const int op = std::clamp(shared - debugButtons_[0]->sizeHint().width(), kIconButton, std::max(shared / 2, step_->sizeHint().width()));
    put(step_, op);
    put(debugButtons_[0], shared - op);
  } else {
    put(step_, kIconButton);
  }
  for (QWidget* w : std::initializer_list<QWidget*>{count_, several_}) w->setVisible(wide && !debugs);
  if (wide && !debugs) {
    put(count_, kCountWidth);
    put(several_, several_->sizeHint().width());
  }
  put(stop_, kIconButton);
  put(debug_, kIconButton);
  for (const auto& [button, gone] : {std::pair(nan_, kNoNan), std::pair(trace_, kNoTrace)}) {
    button->setVisible(level_ < gone);
    if (level_ < gone) put(button, kIconButton);
  }
  x += kApart - kSpacing;
  const int progress = std::min(kProgressWidths[level_], std::max(0, room - x - kSide));
  int end = room - kSide - progress;
  progress_->setGeometry(end, 0, progress, high);
  more_->setVisible(level_ > 0);
  if (level_ > 0) {
    end -= kIconButton + kApart;
    more_->setGeometry(end, (high - more_->sizeHint().height()) / 2, kIconButton, more_->sizeHint().height());
  }
  const bool why = !reasonText_.isEmpty();
  const Document* document = workspace_.currentFile() ? nullptr : workspace_.current();
  const bool trains = document && document->contents()->training.present;
  fields_->setLevel(level_);
  // A sentence replaces the fields.
  fields_->setVisible(!debugs && !why && trains);
  fields_->setGeometry(x, 0, std::max(0, end - x - kApart), high);
  addTraining_->setVisible(!debugs && why && document && !trains);
  reason_->setVisible(!debugs && why);
  if (reason_->isVisibleTo(row_)) {
    const int button = addTraining_->isVisibleTo(row_) ? addTraining_->sizeHint().width() + kSpacing : 0;
    const int left = std::max(kLeastReason, end - x - kApart - button);
    const int icon = 24, wanted = reason_->fontMetrics().horizontalAdvance(reasonText_) + icon;
    reason_->setText(reason_->fontMetrics().elidedText(reasonText_, Qt::ElideRight, left - icon));
    reason_->setToolTip(reasonText_);
    put(reason_, std::min(wanted, left));
    if (button > 0) put(addTraining_, button - kSpacing);
  }
  words_ = Words::NameAndKey;
  while (debugs && words_ != Words::None && debugWidth(words_) > end - x - kApart - kLeastPlace) words_ = Words(int(words_) + 1);
  if (debugs) debugWidth(words_);
  for (QToolButton* button : std::as_const(debugButtons_)) {
    button->setVisible(debugs);
    if (debugs && !isApart(button)) put(button, words_ == Words::None ? kIconButton : button->sizeHint().width());
  }
  place_->setVisible(debugs);
  if (debugs) put(place_, std::max(0, end - x - kApart));
}

/// Fills the menu with the parts that do not fit.
void RunBar::fillMore() {
  QMenu* menu = more_->menu();
  menu->clear();
  if (level_ >= kNoSeveral) menu->addAction(actions_.action(QStringLiteral("run.steps")));
  if (level_ >= kNoNan) menu->addAction(actions_.action(QStringLiteral("run.watch-nan")));
  if (level_ >= kNoTrace) menu->addAction(actions_.action(QStringLiteral("profile.trace")));
  for (const auto& [title, inner] : fields_->leftOut()) {
    inner->setTitle(title);
    menu->addMenu(inner);
  }
}

void RunBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  // The row gets its width shortly after this.
  QMetaObject::invokeMethod(this, &RunBar::arrange, Qt::QueuedConnection);
}

void RunBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) updateState();
  QToolBar::changeEvent(event);
}

}  // namespace weft::app
