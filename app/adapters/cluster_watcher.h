// The tasks of a cluster: what they do and what they wait for, asked again and again on a thread of its own.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "support/cluster_spec.h"

namespace weft::app {

/// A tensor that a step has asked another task for.
struct ClusterWait {
  QString from;    ///< "ps:0"
  QString tensor;  ///< "edge_7_b/read"
  double seconds = 0;
};

/// A step that a task computes.
struct ClusterStep {
  double seconds = 0;
  QVector<ClusterWait> waits;  ///< Longest first; the first sixteen.
  qint64 waitsInAll = 0;
};

struct ClusterDevice {
  QString name, type;  ///< "CPU:0", "CPU"
  qint64 memory = 0;
};

/// A task at one moment.
struct ClusterTask {
  enum class State { Answers, Silent, Listed };
  QString name;  ///< "worker:0"; empty: not known.
  QString job;
  QString address;  ///< Empty: not known.
  State state = State::Silent;
  QString problem;  ///< One clause, in English; may be empty.
  bool isTarget = false;
  QVector<ClusterDevice> devices;
  int restarts = 0;
  double sinceRestart = 0, sinceAnswer = -1;  ///< Seconds; negative: never.
  bool isWeft = false;                        ///< Then the rest is known.
  QString version;
  double uptime = 0;
  qint64 resident = 0, sessions = 0, clients = 0, graphs = 0, stepsDone = 0;
  QVector<ClusterStep> steps;             ///< Oldest first.
  QStringList queuesNotFull, queuesFull;  ///< Queues whose dequeues, or enqueues, wait.
  QStringList missing;                    ///< Tasks that a new session waits for.
  double missingSeconds = 0;
};

struct ClusterFacts {
  QString address;  ///< Of the server asked; empty: none.
  QVector<ClusterTask> tasks;
  bool waitsForTasks = false;  ///< It is one of TensorFlow, and does not say yet which tasks there are.
  QString problem;             ///< Why nothing could be asked; empty: it could.
};

/// "worker:0" of "/job:worker/replica:0/task:0"; other texts as they are.
QString shortTaskName(const QString& name);

/// Asks a cluster's tasks about once a second between start() and stop(). GUI thread; never waits for the network.
class ClusterWatcher : public QObject {
  Q_OBJECT

 public:
  explicit ClusterWatcher(QObject* parent = nullptr);
  ~ClusterWatcher() override;

  /// `target`: "grpc://host:port". `known`: addresses of its cluster, for servers that do not tell them. Goes on with what it knew if both are the same as before.
  void start(const QString& target, const ClusterJobs& known);
  void stop();
  bool isActive() const;
  /// Asks now instead of in a second.
  void lookNow();
  /// The last answers.
  const ClusterFacts& facts() const { return facts_; }

 signals:
  void looked();

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared, ClusterWatcher* receiver);
  Q_INVOKABLE void take();

  const std::shared_ptr<Shared> shared_;
  ClusterFacts facts_;
};

}  // namespace weft::app
