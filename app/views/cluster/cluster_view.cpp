#include "views/cluster/cluster_view.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "adapters/training_server.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/cluster/cluster_words.h"

namespace weft::app {
namespace {

using widgets::Role;

enum ClusterColumn { kTask, kState, kWaits, kMemory, kSteps, kAddress, kDevices, kColumns };
constexpr int kNameRole = Qt::UserRole + 1, kAddressRole = Qt::UserRole + 2;
constexpr int kTreeShare = 3, kOutputShare = 2;

QString deviceWords(const ClusterTask& task) {
  QStringList names;
  for (const ClusterDevice& device : task.devices) names << device.name;
  return names.join(QStringLiteral(", "));
}

}  // namespace

ClusterView::ClusterView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("servers"));
  verdict_ = new QLabel(this);
  verdict_->setObjectName(QStringLiteral("cluster_verdict"));
  verdict_->setWordWrap(true);
  verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  choose_ = new QPushButton(this);
  edit_ = new QPushButton(this);
  stopLocal_ = new QPushButton(this);
  stopLocal_->setObjectName(QStringLiteral("cluster_stop"));
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 4, 8, 4);
  bar->setSpacing(4);
  bar->addWidget(verdict_, 1);
  for (QPushButton* button : {stopLocal_, choose_, edit_}) {
    button->setProperty("kind", QStringLiteral("flat"));
    bar->addWidget(button, 0, Qt::AlignTop);
  }
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("chip"), {}, {}, stack_);
  splitter_ = new QSplitter(Qt::Vertical, stack_);
  splitter_->setChildrenCollapsible(false);
  makeTree(splitter_);
  output_ = new QPlainTextEdit(splitter_);
  output_->setObjectName(QStringLiteral("cluster_output"));
  output_->setReadOnly(true);
  output_->setUndoRedoEnabled(false);
  output_->setFrameShape(QFrame::NoFrame);
  output_->setProperty("kind", QStringLiteral("log"));
  output_->setMinimumSize(120, 44);
  output_->hide();
  splitter_->addWidget(tree_);
  splitter_->addWidget(output_);
  splitter_->setStretchFactor(0, kTreeShare);
  splitter_->setStretchFactor(1, kOutputShare);
  stack_->addWidget(empty_);
  stack_->addWidget(splitter_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(stack_, 1);

  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.action(QStringLiteral("cluster.edit"))->trigger(); });
  connect(choose_, &QPushButton::clicked, this, [this] { context_.actions.action(QStringLiteral("run.choose-server"))->trigger(); });
  connect(edit_, &QPushButton::clicked, this, [this] { context_.actions.action(QStringLiteral("cluster.edit"))->trigger(); });
  connect(stopLocal_, &QPushButton::clicked, this, [this] { context_.actions.action(QStringLiteral("cluster.stop-local"))->trigger(); });
  connect(&watcher_, &ClusterWatcher::looked, this, &ClusterView::refill);
  connect(&context.workspace.localCluster(), &LocalCluster::changed, this, &ClusterView::follow);
  connect(&context.workspace.runs(), &RunController::nextRunChanged, this, &ClusterView::follow, Qt::QueuedConnection);
  connect(&context.workspace.runs(), &RunController::stateChanged, this, &ClusterView::follow, Qt::QueuedConnection);
  connect(&context.workspace, &Workspace::currentChanged, this, &ClusterView::follow);
  retranslate();
}

void ClusterView::makeTree(QWidget* parent) {
  tree_ = new QTreeWidget(parent);
  tree_->setObjectName(QStringLiteral("cluster_tasks"));
  tree_->setColumnCount(kColumns);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->setIndentation(14);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  QHeaderView* header = tree_->header();
  header->setStretchLastSection(true);
  const QFontMetrics metrics(tree_->font());
  const auto width = [&](int column, const char* sample) { header->resizeSection(column, metrics.horizontalAdvance(QLatin1String(sample)) + 20); };
  width(kTask, "worker:10 < serverMM");
  width(kState, "no answer for 0:00M");
  width(kWaits, "an element of sync_token_q");
  width(kMemory, "123 MB");
  width(kSteps, "1,234,567");
  width(kAddress, "localhost:12345");
  connect(tree_, &QTreeWidget::customContextMenuRequested, this, &ClusterView::showMenu);
  connect(tree_, &QTreeWidget::currentItemChanged, this, &ClusterView::showOutput);
}

void ClusterView::retranslate() {
  tree_->setHeaderLabels({tr("Task"), tr("State"), tr("Waits for"), tr("Memory"), tr("Steps"), tr("Address"), tr("Devices")});
  QTreeWidgetItem* header = tree_->headerItem();
  for (const int c : {kMemory, kSteps}) header->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  header->setToolTip(kWaits, tr("The task whose tensor a step of this task waits for, and for how long; else what the task does"));
  header->setToolTip(kMemory, tr("Resident memory of the task's process"));
  header->setToolTip(kSteps, tr("Steps computed since the task started"));
  tree_->setAccessibleName(tr("Tasks of the cluster"));
  verdict_->setAccessibleName(tr("State of the cluster"));
  output_->setAccessibleName(tr("Output of the local task"));
  empty_->setTitle(tr("No cluster"));
  empty_->setText(
      tr("Choose a TensorFlow server in the run bar, or enter a cluster and start its tasks on this machine for a trial. Its tasks appear here, and what they "
         "wait for."));
  empty_->setButton(tr("Cluster…"), QStringLiteral("chip"));
  choose_->setText(tr("Server…"));
  choose_->setToolTip(tr("Choose the TensorFlow server that computes the next runs"));
  edit_->setText(tr("Cluster…"));
  edit_->setToolTip(tr("Enter a cluster's jobs and tasks, copy its start lines, or start it on this machine"));
  stopLocal_->setText(tr("Stop local tasks"));
  stopLocal_->setToolTip(tr("Ends the tasks that were started on this machine"));
  refill();
}

QString ClusterView::address() const {
  const Document* document = context_.workspace.current();
  const QString next = document ? serverAddress(context_.workspace.runs().nextRun(document).set.value(QStringLiteral("device"))) : QString();
  if (!next.isEmpty()) return next;
  if (const QString present = context_.workspace.runs().server(); !present.isEmpty()) return present;
  const LocalCluster& local = context_.workspace.localCluster();
  return local.tasks().isEmpty() ? QString() : usualMaster(local.addresses());
}

void ClusterView::follow() {
  if (!isVisible()) return watcher_.stop();
  const QString server = address();
  if (server.isEmpty()) {
    watcher_.stop();
  } else {
    const ClusterJobs &local = context_.workspace.localCluster().addresses(), last = lastCluster(context_.workspace.settings());
    watcher_.start(serverTarget(server), hasAddress(local, server) ? local : hasAddress(last, server) ? last : ClusterJobs());
  }
  refill();
}

void ClusterView::refreshNow() {
  follow();
  watcher_.lookNow();
}

const LocalCluster::Task* ClusterView::localTask(const QString& name, const QString& address) const {
  for (const LocalCluster::Task& task : local_)
    if (task.address == address || (address.isEmpty() && task.name() == name)) return &task;
  return nullptr;
}

void ClusterView::refill() {
  local_ = context_.workspace.localCluster().tasks();
  stopLocal_->setVisible(context_.workspace.localCluster().isRunning());
  const QString server = address();
  stack_->setCurrentIndex(server.isEmpty() ? 0 : 1);
  const ClusterFacts& facts = watcher_.facts();
  const bool isAsked = !server.isEmpty() && facts.address == server;
  bool isBad = false;
  const QString verdict = server.isEmpty() ? QString() : !isAsked ? tr("Asking %1…").arg(server) : clusterVerdict(facts, &isBad);
  verdict_->setProperty("kind", QStringLiteral("muted"));
  verdict_->setText(
      !isBad ? verdict
             : QStringLiteral("<span style='color:%1'>%2</span>").arg(widgets::Theme::current().color(Role::Warning).name(), verdict.toHtmlEscaped()));
  QStringList jobs;
  if (isAsked)
    for (const ClusterTask& task : facts.tasks)
      if (!jobs.contains(task.job)) jobs << task.job;
  while (tree_->topLevelItemCount() > jobs.size()) delete tree_->takeTopLevelItem(tree_->topLevelItemCount() - 1);
  for (int j = 0; j < int(jobs.size()); ++j) {
    QTreeWidgetItem* job = tree_->topLevelItem(j);
    if (!job) {
      job = new QTreeWidgetItem(tree_);
      job->setExpanded(true);
    }
    QVector<const ClusterTask*> tasks;
    for (const ClusterTask& task : facts.tasks)
      if (task.job == jobs[j]) tasks << &task;
    const auto answer = std::count_if(tasks.begin(), tasks.end(), [](const ClusterTask* task) { return task->state == ClusterTask::State::Answers; });
    const auto asked = std::count_if(tasks.begin(), tasks.end(), [](const ClusterTask* task) { return task->state != ClusterTask::State::Listed; });
    job->setText(kTask, jobs[j].isEmpty() ? server : jobs[j]);
    job->setText(kState, asked > 0 ? tr("%1 of %2 answer").arg(answer).arg(asked) : QString());
    job->setForeground(kState, widgets::Theme::current().color(answer == asked ? Role::Text3 : Role::Warning));
    while (job->childCount() > tasks.size()) delete job->takeChild(job->childCount() - 1);
    while (job->childCount() < tasks.size()) new QTreeWidgetItem(job);
    for (int t = 0; t < int(tasks.size()); ++t) fillTask(job->child(t), *tasks[t]);
  }
  showOutput();
}

void ClusterView::fillTask(QTreeWidgetItem* item, const ClusterTask& task) {
  const widgets::Theme& theme = widgets::Theme::current();
  const QString name = task.name.isEmpty() ? task.address : task.name;
  item->setData(kTask, kNameRole, task.name);
  item->setData(kTask, kAddressRole, task.address);
  item->setText(kTask, task.isTarget ? tr("%1 ◂ server").arg(name) : name);
  item->setToolTip(kTask, task.isWeft ? tr("%1: Weft %2, up for %3. Sessions of masters: %4, of clients: %5. Registered graphs: %6")
                                            .arg(name, task.version, widgets::formatClock(task.uptime))
                                            .arg(task.sessions)
                                            .arg(task.clients)
                                            .arg(task.graphs)
                                      : name);
  const LocalCluster::Task* local = localTask(task.name, task.address);
  const bool ended = local && local->state == LocalCluster::State::Ended;
  item->setText(kState, ended ? local->ending : stateWords(task));
  item->setToolTip(kState, task.state == ClusterTask::State::Listed
                               ? tr("The server knows this task, but does not tell its address. Enter the cluster to have it asked.")
                           : task.problem.isEmpty() ? item->text(kState)
                                                    : item->text(kState) + u'\n' + task.problem);
  const bool bad = ended || task.state == ClusterTask::State::Silent || !task.problem.isEmpty();
  item->setIcon(kState, task.state == ClusterTask::State::Listed ? QIcon() : widgets::icon(bad ? QStringLiteral("warning") : QStringLiteral("check")));
  item->setForeground(kState, theme.color(bad ? Role::Warning : Role::Text1));
  item->setText(kWaits, waitWords(task));
  const QString details = waitDetails(task);
  item->setToolTip(kWaits, details.isEmpty() ? item->text(kWaits) : details);
  item->setForeground(kWaits, theme.color(details.isEmpty() ? Role::Text3 : Role::Text1));
  item->setText(kMemory, task.isWeft ? widgets::formatBytes(task.resident) : QString());
  item->setText(kSteps, task.isWeft ? widgets::formatCount(task.stepsDone) : QString());
  for (const int c : {kMemory, kSteps}) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  item->setText(kAddress, task.address);
  item->setText(kDevices, deviceWords(task));
  QStringList devices;
  for (const ClusterDevice& device : task.devices) devices << tr("%1, %2 of memory").arg(device.name, widgets::formatBytes(device.memory));
  item->setToolTip(kDevices, devices.join(u'\n'));
  // What it waits for, one row a tensor.
  const QStringList lines = details.isEmpty() ? QStringList() : details.split(u'\n');
  while (item->childCount() > lines.size()) delete item->takeChild(item->childCount() - 1);
  while (item->childCount() < lines.size()) (new QTreeWidgetItem(item))->setFirstColumnSpanned(true);
  for (int i = 0; i < int(lines.size()); ++i) {
    item->child(i)->setText(kTask, tr("waits for %1").arg(lines[i]));
    item->child(i)->setForeground(kTask, theme.color(Role::Text2));
  }
}

QString ClusterView::chosenTask() const {
  const QTreeWidgetItem* item = tree_->currentItem();
  while (item && item->parent() && item->parent()->parent()) item = item->parent();
  return item ? item->data(kTask, kAddressRole).toString() : QString();
}

void ClusterView::showOutput() {
  const QString chosen = chosenTask();
  const LocalCluster::Task* task = localTask({}, chosen.isEmpty() && !local_.isEmpty() ? local_.first().address : chosen);
  output_->setVisible(task != nullptr);
  if (!task) return;
  QStringList lines{tr("%1, process %2: %3")
                        .arg(task->name())
                        .arg(task->pid)
                        .arg(task->state == LocalCluster::State::Starting  ? tr("starting")
                             : task->state == LocalCluster::State::Running ? tr("running")
                                                                           : task->ending)};
  lines += task->output;
  const QString text = lines.join(u'\n');
  if (text == output_->toPlainText()) return;
  const bool stays = outputOf_ == task->address && output_->verticalScrollBar()->value() < output_->verticalScrollBar()->maximum();
  const int place = output_->verticalScrollBar()->value();
  output_->setPlainText(text);
  output_->verticalScrollBar()->setValue(stays ? place : output_->verticalScrollBar()->maximum());
  outputOf_ = task->address;
}

void ClusterView::use(const QString& address) { context_.actions.runChosen(QStringLiteral("run.choose-server"), {address}); }

void ClusterView::showMenu(const QPoint& at) {
  const QTreeWidgetItem* item = tree_->itemAt(at);
  const QString there = chosenTask();
  if (!item || !item->parent() || there.isEmpty()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu->addAction(tr("Use as server")), &QAction::triggered, this, [this, there] { use(there); });
  menu->actions().last()->setEnabled(context_.workspace.current() != nullptr);
  connect(menu->addAction(tr("Copy address")), &QAction::triggered, this, [there] { QGuiApplication::clipboard()->setText(there); });
  if (const LocalCluster::Task* local = localTask({}, there)) {
    menu->addSeparator();
    LocalCluster& cluster = context_.workspace.localCluster();
    const QString name = local->name();
    if (local->state != LocalCluster::State::Ended)
      connect(menu->addAction(tr("Stop this task")), &QAction::triggered, this, [&cluster, name] { cluster.stopTask(name); });
    else
      connect(menu->addAction(tr("Start this task again")), &QAction::triggered, this, [this, &cluster, name] {
        if (const QString error = cluster.restartTask(name); !error.isEmpty()) context_.shell.showError(error);
      });
  }
  menu->popup(tree_->viewport()->mapToGlobal(at));
}

void ClusterView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
}

void ClusterView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  watcher_.stop();
}

/// In a low dock the output is beside the tasks.
void ClusterView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  splitter_->setOrientation(width() > 2 * height() ? Qt::Horizontal : Qt::Vertical);
}

void ClusterView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

const ViewRecord clusterView = {"cluster",
                                QT_TRANSLATE_NOOP("Views", "Cluster"),
                                QT_TRANSLATE_NOOP("Views", "Tasks of the TensorFlow server: which answer, and which wait for which"),
                                "chip",
                                Qt::BottomDockWidgetArea,
                                "",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ClusterView(context, parent); }};

}  // namespace weft::app
