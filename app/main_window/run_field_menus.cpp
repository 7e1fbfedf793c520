// The menus of the run bar's fields.
#include <QAction>
#include <QFileInfo>
#include <QIcon>
#include <QMenu>
#include <QPixmap>
#include <QThread>
#include <QToolButton>

#include "adapters/builtin_datasets.h"
#include "adapters/machine.h"
#include "adapters/training_server.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/device_places.h"
#include "document/device_search.h"
#include "document/document.h"
#include "document/recent_servers.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "main_window/run_fields.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"

namespace weft::app {
namespace {

constexpr int kMostThreads = 8;  // choices in the menu; the settings accept any number
constexpr int kMostRuns = 12, kSwatch = 12;
const QString kDevice = QStringLiteral("device"), kCpu = QStringLiteral("CPU:0");

/// A square in the colour that the run has in charts and lists.
QIcon swatchOf(const RunRecord& run) {
  QPixmap square(kSwatch, kSwatch);
  square.fill(run.number > 0 ? widgets::Theme::current().categorical(hueOf(run)) : widgets::Theme::current().color(widgets::Role::Text3));
  return QIcon(square);
}

}  // namespace

void RunFields::fillRuns() {
  runMenu_->clear();
  const Document* document = inFront();
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
QString RunFields::nextDevice() const { return DevicePlaces::of(workspace_).nextDevice(inFront()); }

void RunFields::showDevice() {
  const QString device = nextDevice(), server = serverAddress(device);
  const int threads = workspace_.settings().get(QStringLiteral("run/threads")).toInt();
  if (!server.isEmpty()) setButton(device_, server);
  else if (device != kCpu) setButton(device_, device);
  else setButton(device_, tr("CPU · %n thread(s)", nullptr, threads > 0 ? threads : QThread::idealThreadCount()));
  device_->setToolTip(server.isEmpty() ? tr("Device and threads for new runs") : tr("New runs are computed by the TensorFlow server %1").arg(device));
}

void RunFields::chooseDevice(const QString& device, int threads) {
  if (Document* document = inFront()) {
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
    QAction* none = deviceMenu_->addAction(tr("No GPU was found"));
    none->setEnabled(false);
    none->setToolTip(whyNoGpus());
    deviceMenu_->setToolTipsVisible(true);
  }
  deviceMenu_->addSeparator();
  for (const QString& address : recentServers(workspace_.settings())) {
    QAction* action = deviceMenu_->addAction(address);
    action->setCheckable(true);
    action->setChecked(device == serverTarget(address));
    connect(action, &QAction::triggered, this, [this, address] { actions_.runChosen(QStringLiteral("run.choose-server"), {address}); });
  }
  deviceMenu_->addAction(actions_.action(QStringLiteral("run.choose-server")));
  deviceMenu_->addAction(actions_.action(QStringLiteral("cluster.edit")));
  deviceMenu_->addSeparator();
  connect(deviceMenu_->addAction(tr("Compute settings…")), &QAction::triggered, actions_.action(QStringLiteral("settings.open")), &QAction::trigger);
}

void RunFields::fillOptimizer() {
  optimizerMenu_->clear();
  const Document* document = inFront();
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
    const Document* document = inFront();
    askForFiles(window(), workspace_.settings(), tr("Training data"), document ? document->folder() : QString(),
                tr("Data (%1)").arg(QStringLiteral("*.npz *.npy *.mat *.csv *.tsv *.libsvm *.svm *.txt *.tfrecord *.tfrecords *.bin *ubyte*")) +
                    QStringLiteral(";;") + tr("All files (*)"),
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

}  // namespace weft::app
