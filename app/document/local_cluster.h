// A cluster for trials: each task is a process of `weft server` on this machine.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <vector>

#include "support/cluster_spec.h"

class QProcess;

namespace weft::app {

class Settings;

/// The cluster that was edited last; empty: none yet.
ClusterJobs lastCluster(const Settings& settings);
void setLastCluster(Settings& settings, const ClusterJobs& jobs);
/// Whether a task of the cluster has this address ("host:port").
bool hasAddress(const ClusterJobs& jobs, const QString& address);
/// The task that clients of a cluster usually connect to, as "host:port": the chief, else the first worker, else the first task.
QString usualMaster(const ClusterJobs& jobs);

/// The processes. They listen on 127.0.0.1 only, on ports that were free, and end with this object, and with this program however it ends. GUI thread.
class LocalCluster : public QObject {
  Q_OBJECT

 public:
  enum class State { Starting, Running, Ended };
  struct Task {
    QString job;
    int number = 0;
    QString address;  ///< "localhost:port"
    State state = State::Starting;
    QString ending;      ///< Why it ended, translated; empty while it runs.
    QStringList output;  ///< The last lines.
    qint64 pid = 0;
    QString name() const { return job + u':' + QString::number(number); }
  };

  explicit LocalCluster(QObject* parent = nullptr);
  ~LocalCluster() override;

  /// Starts as many tasks per job as `jobs` has, with the same numbers; their addresses are chosen here. Ends what ran before. Returns an error, or empty.
  /// Only on a click of the user: it opens ports.
  QString start(const ClusterJobs& jobs);
  /// Ends all tasks, without waiting.
  void stop();
  void stopTask(const QString& name);
  /// Starts a task that has ended, at its address. Returns an error, or empty.
  QString restartTask(const QString& name);
  bool isRunning() const;
  /// Those of the present or last start.
  QVector<Task> tasks() const;
  /// Their addresses; empty before the first start.
  const ClusterJobs& addresses() const { return addresses_; }

 signals:
  /// A task started, ended or wrote a line.
  void changed();

 private:
  struct Process;
  void launch(Process& process);
  void letGo(Process& process);
  void read(Process& process);
  void ended(Process& process);
  void end(Process& process);
  Process* find(const QString& name);
  Process* find(const QProcess* process);

  ClusterJobs addresses_;
  std::vector<std::unique_ptr<Process>> processes_;
  QTimer news_;  // joins several changes into one signal
};

}  // namespace weft::app
