#include "main_window/run_fields.h"

#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <cmath>

#include "adapters/training_server.h"
#include "common/discard.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/run_field.h"

namespace weft::app {
namespace {

constexpr int kLiveFields = 2, kBetween = 10, kBesideLabel = 5, kAfterUnit = 2;
constexpr int kRunWidth = 80, kDeviceWidth = 130, kDataWidth = 94, kOptimizerWidth = 98;
constexpr int kBatchDigits = 5, kLengthDigits = 6, kLiveDigits = 7;
constexpr qint64 kMostBatch = 2147483647, kMostLength = 1'000'000'000;
const QString kArrow = QStringLiteral(" ▾");

}  // namespace

RunFields::RunFields(Workspace& workspace, ActionRegistry& actions, QWidget* parent) : QWidget(parent), workspace_(workspace), actions_(actions) {
  const auto label = [this] {
    auto* made = new QLabel(this);
    made->setProperty("kind", QStringLiteral("muted"));
    return made;
  };
  run_ = menuButton(&runMenu_);
  run_->setFixedWidth(kRunWidth);
  device_ = menuButton(&deviceMenu_);
  deviceMenu_->setObjectName(QStringLiteral("device_menu"));
  device_->setFixedWidth(kDeviceWidth);
  data_ = menuButton(&dataMenu_);
  data_->setFixedWidth(kDataWidth);
  unit_ = menuButton(&unitMenu_);
  unit_->setProperty("kind", QStringLiteral("flat"));
  batch_ = new RunField(
      kBatchDigits, [this](const QString& text) { return takeBatch(text); }, this);
  length_ = new RunField(
      kLengthDigits, [this](const QString& text) { return takeLength(text); }, this);
  for (RunField* field : {batch_, length_}) connect(field, &RunField::refused, &actions, &ActionRegistry::failed);
  optimizer_ = menuButton(&optimizerMenu_);
  optimizer_->setFixedWidth(kOptimizerWidth);
  parts_ = {{label(), run_, 4, runMenu_, {}},
            {label(), device_, 3, deviceMenu_, {}},
            {label(), data_, 5, dataMenu_, {}},
            {label(), batch_, kLevels + 1, nullptr, {}},
            {nullptr, unit_, kLevels + 1, nullptr, {}},
            {nullptr, length_, kLevels + 1, nullptr, {}},
            {nullptr, optimizer_, 2, optimizerMenu_, {}}};
  connect(runMenu_, &QMenu::aboutToShow, this, &RunFields::fillRuns);
  connect(deviceMenu_, &QMenu::aboutToShow, this, &RunFields::fillDevice);
  connect(dataMenu_, &QMenu::aboutToShow, this, &RunFields::fillData);
  connect(unitMenu_, &QMenu::aboutToShow, this, &RunFields::fillUnit);
  connect(optimizerMenu_, &QMenu::aboutToShow, this, &RunFields::fillOptimizer);
  connect(&RunArchive::of(workspace), &RunArchive::changed, this, [this] {
    if (runMenu_->isVisible()) fillRuns();
  });
  connect(&workspace.runs(), &RunController::nextRunChanged, this, &RunFields::refresh);
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == QLatin1String("run/threads")) refresh();
  });
  retranslate();
}

Document* RunFields::inFront() const { return workspace_.currentFile() ? nullptr : workspace_.current(); }

QToolButton* RunFields::menuButton(QMenu** menu) {
  auto* button = new QToolButton(this);
  *menu = new QMenu(button);
  (*menu)->setToolTipsVisible(true);
  button->setMenu(*menu);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::TabFocus);
  button->setProperty("kind", QStringLiteral("choice"));
  return button;
}

void RunFields::setButton(QToolButton* button, const QString& text) {
  const int room = button->maximumWidth() - 18;
  const QFontMetricsF metrics(button->font());
  const double left = room - metrics.horizontalAdvance(kArrow);
  button->setText((button == device_ ? metrics.elidedText(text, serverAddress(nextDevice()).isEmpty() ? Qt::ElideRight : Qt::ElideMiddle, left)
                                     : widgets::elideName(text, metrics, left)) +
                  kArrow);
}

void RunFields::retranslate() {
  parts_[0].label->setText(tr("run"));
  parts_[1].label->setText(tr("on"));
  parts_[2].label->setText(tr("data"));
  parts_[3].label->setText(tr("batch"));
  const QFontMetrics metrics(widgets::Theme::current().uiFont());
  unit_->setFixedWidth(std::max(metrics.horizontalAdvance(tr("epochs") + kArrow), metrics.horizontalAdvance(tr("steps") + kArrow)) + 16);
  run_->setAccessibleName(tr("Run"));
  device_->setAccessibleName(tr("Device"));
  data_->setAccessibleName(tr("Data"));
  optimizer_->setAccessibleName(tr("Optimizer"));
  unit_->setAccessibleName(tr("Unit of the training length"));
  batch_->setAccessibleName(tr("Batch"));
  length_->setAccessibleName(tr("Training length"));
  data_->setToolTip(tr("Data for training"));
  optimizer_->setToolTip(tr("How training updates the variables; changes the document"));
  unit_->setToolTip(tr("Whether the length is given in epochs or in steps"));
  of_ = nullptr;
  refresh();
}

QString RunFields::setTraining(const QStringList& words) {
  Document* document = inFront();
  if (!document) return tr("No graph is open.");
  const CommandResult result = actions_.run(QStringLiteral("graph.set-training"), words);
  return result.ok ? QString() : result.message;
}

QString RunFields::takeBatch(const QString& text) {
  bool ok = false;
  const qint64 value = text.toLongLong(&ok);
  if (!ok || value < 1 || value > kMostBatch)
    return tr("%1 is %2, expected a whole number from 1 to %3.").arg(tr("Batch"), text.isEmpty() ? QStringLiteral("\"\"") : text).arg(kMostBatch);
  // A request for the next run only would hide the document's value.
  if (Document* document = inFront()) {
    RunRequest next = workspace_.runs().nextRun(document);
    if (next.set.remove(QStringLiteral("batch_size")) > 0) workspace_.runs().setNextRun(document, next);
  }
  return setTraining({QStringLiteral("--batch"), QString::number(value)});
}

QString RunFields::takeLength(const QString& text) {
  QString number;
  const QString option = lengthWords(text, plan_.inSteps, &number);
  if (option.isEmpty()) return tr("%1 is not a length; use 10, 10 epochs or 500 steps.").arg(text);
  bool ok = false;
  const qint64 value = number.toLongLong(&ok);
  const QString what = option == QLatin1String("--steps") ? tr("steps") : tr("epochs");
  if (!ok || value < 1 || value > kMostLength)
    return tr("%1 is %2, expected a whole number from 1 to %3.").arg(what, number.isEmpty() ? QStringLiteral("\"\"") : number).arg(kMostLength);
  if (Document* document = inFront()) {
    RunRequest next = workspace_.runs().nextRun(document);
    if (next.epochs > 0 || next.steps > 0) {
      next.epochs = next.steps = 0;
      workspace_.runs().setNextRun(document, next);
    }
  }
  return setTraining({option, QString::number(value)});
}

/// Makes a field for each of the document's first live scalars; `run.set-live` sets the others.
void RunFields::buildLive() {
  const Document* document = inFront();
  const GraphContentsPtr of = document ? document->contents() : nullptr;
  if (of == of_ && (of || live_.isEmpty())) return;
  of_ = of;
  const QString optimizer = of ? optimizerOf(*of) : QString();
  setButton(optimizer_, optimizer.isEmpty() ? tr("none") : optimizer);
  // Names used by the templates; other names are shown untranslated.
  [[maybe_unused]] constexpr const char* kKnown[] = {QT_TRANSLATE_NOOP("LiveScalars", "Learning rate"), QT_TRANSLATE_NOOP("LiveScalars", "Dropout")};
  QStringList names, there;
  if (of) {
    for (const TrainingInfo::Live& l : of->training.live.mid(0, kLiveFields)) names << l.name;
  }
  for (const Part& part : std::as_const(live_)) there << part.name;
  if (names == there && !names.isEmpty()) return showLive();  // an edit must not disturb the fields and the text being typed
  for (const Part& part : std::as_const(live_)) {
    for (QWidget* old : {static_cast<QWidget*>(part.label), part.field}) {
      old->hide();
      old->setObjectName(QString());
      widgets::discard(old);  // a theme change may have called this
    }
  }
  live_.clear();
  for (const QString& name : names) {
    auto* label = new QLabel(QCoreApplication::translate("LiveScalars", name.toUtf8().constData()), this);
    if (name == QLatin1String("Learning rate")) label->setText(tr("lr"));
    label->setProperty("kind", QStringLiteral("muted"));
    auto* field = new RunField(
        kLiveDigits,
        [this, name](const QString& text) {
          const CommandResult result = actions_.run(QStringLiteral("run.set-live"), {name, text});
          return result.ok ? QString() : result.message;
        },
        this);
    connect(field, &RunField::refused, &actions_, &ActionRegistry::failed);
    label->setBuddy(field);
    field->setAccessibleName(name);
    live_ << Part{label, field, live_.isEmpty() ? kLevels + 1 : 1, nullptr, name};
  }
  showLive();
}

void RunFields::showLive() {
  const Document* document = inFront();
  if (!document) return;
  for (const Part& part : std::as_const(live_)) {
    auto* field = static_cast<RunField*>(part.field);
    for (const TrainingInfo::Live& l : document->contents()->training.live) {
      if (l.name != part.name) continue;
      const double set = workspace_.runs().live(document, part.name);
      field->showValue(widgets::formatValue(std::isfinite(set) ? set : l.value, 6));
      field->setTip(l.minimum < l.maximum ? tr("%1, from %2 to %3; takes effect at the next step").arg(part.name).arg(l.minimum).arg(l.maximum)
                                          : tr("%1; takes effect at the next step").arg(part.name));
    }
  }
}

void RunFields::refresh() {
  const Document* document = inFront();
  if (document != shown_) {
    shown_ = document;
    for (RunField* field : findChildren<RunField*>()) field->reset();
  }
  buildLive();
  showLive();
  plan_ = document ? runPlanOf(workspace_.runs(), *document) : RunPlan();
  setButton(run_, plan_.run);
  run_->setToolTip(tr("Start over, or resume an earlier run"));
  showDevice();
  setButton(data_, plan_.data.isEmpty() ? tr("choose") : plan_.data);
  unit_->setText((plan_.inSteps ? tr("steps") : tr("epochs")) + kArrow);
  batch_->showValue(plan_.batch);
  length_->showValue(plan_.length);
  const QString fixed = plan_.running ? tr("%1 uses this; stop it to change it").arg(plan_.run) : QString();
  batch_->setTip(plan_.running ? fixed : tr("Samples per step; changes the document"));
  length_->setTip(plan_.running ? fixed : tr("When training ends: 10, 10 epochs or 500 steps; changes the document"));
  batch_->setEnabled(!plan_.running && !plan_.batch.isEmpty());
  for (QWidget* w : std::initializer_list<QWidget*>{length_, unit_, data_, optimizer_}) w->setEnabled(!plan_.running);
  arrange();
}

int RunFields::widthOf(const Part& part) const {
  if (part.label) part.label->ensurePolished();  // its font comes from the style sheet
  return (part.label ? part.label->sizeHint().width() + kBesideLabel : 0) + part.field->maximumWidth() + (part.field == unit_ ? kAfterUnit : kBetween);
}

int RunFields::widthAt(int level) const {
  int width = 0;
  for (const QVector<Part>* list : {&parts_, &live_})
    for (const Part& part : *list)
      if (level < part.droppedAt) width += widthOf(part);
  return width;
}

void RunFields::setLevel(int level) {
  level_ = level;
  arrange();
}

void RunFields::arrange() {
  int x = 0;
  for (const QVector<Part>* list : {&parts_, &live_}) {
    for (const Part& part : *list) {
      const bool shown = level_ < part.droppedAt;
      if (part.label) part.label->setVisible(shown);
      part.field->setVisible(shown);
      if (!shown) continue;
      if (part.label) {
        const int wide = part.label->sizeHint().width();
        part.label->setGeometry(x, 0, wide, height());
        x += wide + kBesideLabel;
      }
      const int wide = part.field->maximumWidth(), high = std::min(part.field->sizeHint().height(), height());
      part.field->setGeometry(x, (height() - high) / 2, wide, high);
      x += wide + (part.field == unit_ ? kAfterUnit : kBetween);
    }
  }
}

QVector<QPair<QString, QMenu*>> RunFields::leftOut() const {
  QVector<QPair<QString, QMenu*>> menus;
  for (const Part& part : parts_)
    if (part.menu && level_ >= part.droppedAt) menus << qMakePair(static_cast<const QToolButton*>(part.field)->accessibleName(), part.menu);
  return menus;
}

}  // namespace weft::app
