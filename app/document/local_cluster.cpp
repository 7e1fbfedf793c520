#include "document/local_cluster.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QHostAddress>
#include <QProcess>
#include <QTcpServer>

#include "document/program.h"
#include "document/settings.h"

namespace weft::app {
namespace {

const QString kClusterKey = QStringLiteral("run/cluster");
constexpr int kMostLines = 200, kNewsMs = 100, kKillMs = 2000, kGoodbyeMs = 1000;
constexpr qint64 kMostBytes = 1 << 16;  // at once
constexpr size_t kMostLocalTasks = 32;

}  // namespace

ClusterJobs lastCluster(const Settings& settings) {
  auto jobs = readClusterJson(settings.value(kClusterKey).toString().toStdString());
  return jobs.ok() ? std::move(*jobs) : ClusterJobs();
}

void setLastCluster(Settings& settings, const ClusterJobs& jobs) { settings.setValue(kClusterKey, QString::fromStdString(clusterJson(jobs))); }

bool hasAddress(const ClusterJobs& jobs, const QString& address) {
  for (const auto& [job, tasks] : jobs)
    for (const auto& [task, there] : tasks)
      if (QString::fromStdString(there) == address) return true;
  return false;
}

QString usualMaster(const ClusterJobs& jobs) {
  for (const char* job : {"chief", "master", "worker"})
    if (const auto it = jobs.find(job); it != jobs.end() && !it->second.empty()) return QString::fromStdString(it->second.begin()->second);
  return jobs.empty() ? QString() : QString::fromStdString(jobs.begin()->second.begin()->second);
}

struct LocalCluster::Process {
  Task task;
  std::unique_ptr<QProcess> process;
  QByteArray rest;  // of an unfinished line
  bool stopped = false;
};

LocalCluster::LocalCluster(QObject* parent) : QObject(parent) {
  news_.setSingleShot(true);
  news_.setInterval(kNewsMs);
  connect(&news_, &QTimer::timeout, this, &LocalCluster::changed);
}

LocalCluster::~LocalCluster() {
  for (const auto& p : processes_) {
    p->process->disconnect(this);
    p->process->kill();
  }
  for (const auto& p : processes_) p->process->waitForFinished(kGoodbyeMs);  // killed, so this is short
}

QString LocalCluster::start(const ClusterJobs& jobs) {
  if (const Status status = checkCluster(jobs); !status.ok()) return QString::fromStdString(status.error().message);
  ClusterJobs chosen;
  std::vector<std::unique_ptr<QTcpServer>> held;  // until all ports are chosen, so that they differ
  for (const auto& [job, tasks] : jobs) {
    for (const auto& [number, address] : tasks) {
      auto probe = std::make_unique<QTcpServer>();
      if (!probe->listen(QHostAddress::LocalHost)) return tr("No port is free on this machine: %1").arg(probe->errorString());
      chosen[job][number] = "localhost:" + std::to_string(probe->serverPort());
      held.push_back(std::move(probe));
    }
  }
  if (held.size() > kMostLocalTasks) return tr("A trial on this machine has at most %1 tasks; this cluster has %2.").arg(kMostLocalTasks).arg(held.size());
  held.clear();
  for (const auto& p : processes_) letGo(*p);
  processes_.clear();
  addresses_ = chosen;
  for (const auto& [job, tasks] : chosen) {
    for (const auto& [number, address] : tasks) {
      auto p = std::make_unique<Process>();
      p->task.job = QString::fromStdString(job);
      p->task.number = number;
      p->task.address = QString::fromStdString(address);
      launch(*p);
      processes_.push_back(std::move(p));
    }
  }
  news_.start();
  return {};
}

/// Ends a process that nothing is to be heard of any more.
void LocalCluster::letGo(Process& p) {
  QProcess* process = p.process.release();
  process->disconnect(this);
  if (process->state() == QProcess::NotRunning) return process->deleteLater();
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void LocalCluster::launch(Process& p) {
  p.process = std::make_unique<QProcess>();
  p.task.state = State::Starting;
  p.task.ending.clear();
  p.rest.clear();
  p.stopped = false;
  QProcess* process = p.process.get();
  process->setProcessChannelMode(QProcess::MergedChannels);
  process->setStandardInputFile(QProcess::nullDevice());
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("TF_CONFIG"), QString::fromStdString(tfConfig(addresses_, p.task.job.toStdString(), p.task.number)));
  process->setProcessEnvironment(environment);
  process->setChildProcessModifier([parent = ::getpid()] {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // also if this program is killed
    if (::getppid() != parent) ::_exit(1);
  });
  connect(process, &QProcess::readyRead, this, [this, at = &p] { read(*at); });
  connect(process, &QProcess::finished, this, [this, at = &p] { ended(*at); });
  connect(process, &QProcess::errorOccurred, this, [this, at = &p](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(*at);
  });
  // One after another, because copying this process takes milliseconds.
  QTimer::singleShot(0, process, [this, process] {
    Process* at = find(process);
    if (!at || at->stopped) return;
    process->start(weftProgram(), {QStringLiteral("server")});
    at->task.pid = process->processId();
  });
}

void LocalCluster::read(Process& p) {
  p.rest += p.process->read(kMostBytes);
  for (qsizetype end; (end = p.rest.indexOf('\n')) >= 0; p.rest.remove(0, end + 1)) {
    p.task.output << QString::fromUtf8(p.rest.left(end));
    if (p.task.state == State::Starting) p.task.state = State::Running;  // its first line says where it listens
  }
  while (p.task.output.size() > kMostLines) p.task.output.removeFirst();
  if (p.process->bytesAvailable() > 0) {
    QTimer::singleShot(0, this, [this, process = p.process.get()] {
      if (Process* at = find(process)) read(*at);
    });
  }
  if (!news_.isActive()) news_.start();
}

void LocalCluster::ended(Process& p) {
  if (p.process->isOpen()) p.rest += p.process->readAll().right(kMostBytes);
  for (const QByteArray& line : p.rest.split('\n'))
    if (!line.isEmpty()) p.task.output << QString::fromUtf8(line);
  p.rest.clear();
  p.task.state = State::Ended;
  if (p.stopped) p.task.ending = tr("stopped");
  else if (p.process->error() == QProcess::FailedToStart) p.task.ending = tr("could not be started: %1").arg(p.process->errorString());
  else if (p.process->exitStatus() == QProcess::CrashExit) p.task.ending = tr("was killed");
  else p.task.ending = tr("ended with exit status %1").arg(p.process->exitCode());
  if (!news_.isActive()) news_.start();
}

void LocalCluster::end(Process& p) {
  if (p.task.state == State::Ended) return;
  p.stopped = true;
  if (p.process->state() == QProcess::NotRunning) {
    if (p.task.state == State::Starting) ended(p);
    return;
  }
  p.process->terminate();
  QTimer::singleShot(kKillMs, p.process.get(), [process = p.process.get()] { process->kill(); });
}

void LocalCluster::stop() {
  for (const auto& p : processes_) end(*p);
}

LocalCluster::Process* LocalCluster::find(const QString& name) {
  for (const auto& p : processes_)
    if (p->task.name() == name) return p.get();
  return nullptr;
}

LocalCluster::Process* LocalCluster::find(const QProcess* process) {
  for (const auto& p : processes_)
    if (p->process.get() == process) return p.get();
  return nullptr;
}

void LocalCluster::stopTask(const QString& name) {
  if (Process* p = find(name)) end(*p);
}

QString LocalCluster::restartTask(const QString& name) {
  Process* p = find(name);
  if (!p) return tr("No task of this machine is called %1.").arg(name);
  if (p->task.state != State::Ended) return tr("%1 is running.").arg(name);
  letGo(*p);
  launch(*p);
  news_.start();
  return {};
}

bool LocalCluster::isRunning() const {
  for (const auto& p : processes_)
    if (p->task.state != State::Ended) return true;
  return false;
}

QVector<LocalCluster::Task> LocalCluster::tasks() const {
  QVector<Task> out;
  for (const auto& p : processes_) out << p->task;
  return out;
}

}  // namespace weft::app
