#include "main_window/run_fields.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QIcon>
#include <QLabel>
#include <QMenu>
#include <QPixmap>
#include <QThread>
#include <QToolButton>
#include <cmath>

#include "adapters/builtin_datasets.h"
#include "adapters/machine.h"
#include "common/discard.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/device_search.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/run_field.h"

namespace weft::app {
namespace {

constexpr int kLiveFields = 2, kBetween = 10, kBesideLabel = 5, kAfterUnit = 2;
constexpr int kRunWidth = 80, kDeviceWidth = 130, kDataWidth = 94, kOptimizerWidth = 98;
constexpr int kBatchDigits = 5, kLengthDigits = 6, kLiveDigits = 7;
constexpr qint64 kMostBatch = 2147483647, kMostLength = 1'000'000'000;
constexpr int kMostThreads = 8;  // choices in the menu; the settings accept any number
constexpr int kMostRuns = 12, kSwatch = 12;
const QString kDevice = QStringLiteral("device"), kCpu = QStringLiteral("CPU:0");
const QString kArrow = QStringLiteral(" ▾");

/// A square in the colour that the run has in charts and lists.
QIcon swatchOf(const RunRecord& run) {
  QPixmap square(kSwatch, kSwatch);
  square.fill(run.number > 0 ? widgets::Theme::current().categorical(hueOf(run)) : widgets::Theme::current().color(widgets::Role::Text3));
  return QIcon(square);
}

/// The graph in front; null while another file is.
Document* inFront(const Workspace& workspace) { return workspace.currentFile() ? nullptr : workspace.current(); }

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
  button->setText((button == device_ ? metrics.elidedText(text, Qt::ElideRight, left) : widgets::elideName(text, metrics, left)) + kArrow);
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
  device_->setToolTip(tr("Device and threads for new runs"));
  data_->setToolTip(tr("Data for training"));
  optimizer_->setToolTip(tr("How training updates the variables; changes the document"));
  unit_->setToolTip(tr("Whether the length is given in epochs or in steps"));
  of_ = nullptr;
  refresh();
}

QString RunFields::setTraining(const QStringList& words) {
  Document* document = inFront(workspace_);
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
  if (Document* document = inFront(workspace_)) {
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
  if (Document* document = inFront(workspace_)) {
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
  const Document* document = inFront(workspace_);
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
  const Document* document = inFront(workspace_);
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
  const Document* document = inFront(workspace_);
  if (document != shown_) {
    shown_ = document;
    for (RunField* field : findChildren<RunField*>()) field->reset();
  }
  buildLive();
  showLive();
  plan_ = document ? runPlanOf(workspace_.runs(), *document) : RunPlan();
  setButton(run_, plan_.run);
  run_->setToolTip(tr("Start over, or resume an earlier run"));
  const int threads = workspace_.settings().get(QStringLiteral("run/threads")).toInt();
  const QString device = nextDevice();
  if (device != kCpu) setButton(device_, device);
  else setButton(device_, tr("CPU · %n thread(s)", nullptr, threads > 0 ? threads : QThread::idealThreadCount()));
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

void RunFields::fillRuns() {
  runMenu_->clear();
  const Document* document = inFront(workspace_);
  if (!document) return;
  QAction* fresh = runMenu_->addAction(tr("Start over"));
  fresh->setEnabled(actions_.action(QStringLiteral("run.train"))->isEnabled());
  connect(fresh, &QAction::triggered, actions_.action(QStringLiteral("run.train")), &QAction::trigger);
  runMenu_->addSection(tr("Resume"));
  const QString why = actions_.disabledReason(QStringLiteral("run.go-back"));
  int listed = 0;
  RunArchive& archive = RunArchive::of(workspace_);
  archive.show(document);
  for (const RunRecord* run : archive.listed(document)) {
    if (listed == kMostRuns) break;
    if (run->checkpoints.isEmpty()) continue;
    ++listed;
    const qint64 step = run->checkpoints.last().step;
    QAction* on = runMenu_->addAction(swatchOf(*run), tr("%1, step %2").arg(archive.label(*run), widgets::formatCount(step)));
    on->setIconVisibleInMenu(true);
    on->setEnabled(why.isEmpty());
    const QString word = run->earlier ? QFileInfo(run->folder).fileName() : QString::number(run->number);
    connect(on, &QAction::triggered, this, [this, word, step] {
      const CommandResult result = actions_.run(QStringLiteral("run.go-back"), {QString::number(step), word});
      if (!result.ok) emit actions_.failed(result.message);
    });
  }
  if (listed == 0) runMenu_->addAction(tr("No run of this graph has a checkpoint yet"))->setEnabled(false);
  runMenu_->addSeparator();
  connect(runMenu_->addAction(tr("All runs")), &QAction::triggered, this, [this] { actions_.run(QStringLiteral("view.show"), {QStringLiteral("runs")}); });
}

/// By default the engine uses the first GPU.
QString RunFields::nextDevice() const {
  const Document* document = inFront(workspace_);
  const QString chosen = document ? workspace_.runs().nextRun(document).set.value(kDevice) : QString();
  if (!chosen.isEmpty()) return chosen;
  const auto gpus = foundGpus();
  return gpus.isEmpty() ? kCpu : gpus.first().first;
}

void RunFields::chooseDevice(const QString& device, int threads) {
  if (Document* document = inFront(workspace_)) {
    RunRequest next = workspace_.runs().nextRun(document);
    next.set.insert(kDevice, device);
    workspace_.runs().setNextRun(document, next);
  }
  if (device == kCpu) workspace_.settings().setValue(QStringLiteral("run/threads"), threads);
}

void RunFields::fillDevice() {
  deviceMenu_->clear();
  const int chosen = workspace_.settings().get(QStringLiteral("run/threads")).toInt(), all = QThread::idealThreadCount();
  const QString device = nextDevice();
  const auto add = [&](const QString& text, const QString& name, int threads) {
    QAction* action = deviceMenu_->addAction(text);
    action->setCheckable(true);
    action->setChecked(device == name && (name != kCpu || chosen == threads));
    connect(action, &QAction::triggered, this, [this, name, threads] { chooseDevice(name, threads); });
  };
  add(tr("CPU · all %n thread(s)", nullptr, all), kCpu, 0);
  for (int n = 1; n <= std::min(all, kMostThreads); n = n < 4 ? n + 1 : n * 2) add(tr("CPU · %n thread(s)", nullptr, n), kCpu, n);
  for (const auto& [name, description] : foundGpus()) add(description.isEmpty() ? name : name + QStringLiteral(" · ") + description, name, 0);
  if (!devicesKnown()) {
    deviceMenu_->addAction(tr("Looking for GPUs…"))->setEnabled(false);
    searchDevices(workspace_.tasks(), this, [this] {
      refresh();
      if (deviceMenu_->isVisible()) fillDevice();
    });
  } else if (foundGpus().isEmpty()) {
    deviceMenu_->addAction(tr("No GPU was found"))->setEnabled(false);
  }
  deviceMenu_->addSeparator();
  connect(deviceMenu_->addAction(tr("Compute settings…")), &QAction::triggered, actions_.action(QStringLiteral("settings.open")), &QAction::trigger);
}

void RunFields::fillOptimizer() {
  optimizerMenu_->clear();
  const Document* document = inFront(workspace_);
  if (!document) return;
  const QString present = optimizerOf(*document->contents());
  for (const QString& name : optimizerNames()) {
    QAction* action = optimizerMenu_->addAction(name);
    action->setCheckable(true);
    action->setChecked(name == present || (name == QLatin1String("GradientDescent") && present == QLatin1String("SGD")));
    connect(action, &QAction::triggered, this, [this, name, checked = action->isChecked()] {
      const QString why = checked ? QString() : setTraining({QStringLiteral("--optimizer"), name});
      if (!why.isEmpty()) emit actions_.failed(why);
    });
  }
}

void RunFields::fillData() {
  dataMenu_->clear();
  const auto bind = [this](const QString& source) {
    const CommandResult result = actions_.run(QStringLiteral("data.choose"), {source});
    if (!result.ok) emit actions_.failed(result.message);
  };
  for (const QString& name : builtinDatasets()) {
    QAction* action = dataMenu_->addAction(name);
    action->setCheckable(true);
    action->setChecked(name == plan_.data);
    connect(action, &QAction::triggered, this, [bind, name] { bind(name); });
  }
  dataMenu_->addSeparator();
  connect(dataMenu_->addAction(tr("A file…")), &QAction::triggered, this, [this, bind] {
    const Document* document = inFront(workspace_);
    askForFiles(window(), workspace_.settings(), tr("Training data"), document ? document->folder() : QString(),
                tr("Data (*.npz *.npy *.csv *.bin *ubyte*)") + QStringLiteral(";;") + tr("All files (*)"),
                [bind](const QStringList& paths) { bind(paths.first()); });
  });
  dataMenu_->addAction(actions_.action(QStringLiteral("data.columns")));
}

void RunFields::fillUnit() {
  unitMenu_->clear();
  for (const bool steps : {false, true}) {
    QAction* action = unitMenu_->addAction(steps ? tr("steps") : tr("epochs"));
    action->setCheckable(true);
    action->setChecked(plan_.inSteps == steps);
    connect(action, &QAction::triggered, this, [this, steps] {
      const QString why = plan_.inSteps == steps ? QString() : takeLength(plan_.length + (steps ? QStringLiteral(" steps") : QStringLiteral(" epochs")));
      if (!why.isEmpty()) emit actions_.failed(why);
    });
  }
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
