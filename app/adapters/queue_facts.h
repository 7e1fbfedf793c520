// The queues of a run, for display.
#pragma once

#include <QString>
#include <QVector>

namespace weft {
class Session;
}

namespace weft::app {

class TrainedModel;

/// A queue of a run at one moment.
struct QueueFacts {
  /// The side that waits and cannot go on until the other side acts.
  enum class Blocked { Nobody, Enqueue, Dequeue };

  QString name;                    ///< The node's name, or the shared name of several nodes.
  QString kind;                    ///< `FIFOQueue`
  QString contents;                ///< One element: `float32 28×28, int64`
  qint64 size = 0, capacity = -1;  ///< Elements; negative: no limit.
  qint64 minAfterDequeue = 0;
  qint64 waitingEnqueues = 0, waitingDequeues = 0, wanted = 0;
  qint64 put = 0, taken = 0;
  bool closed = false;
  bool busy = false;  ///< It was in use, so the numbers are missing.

  Blocked blocked() const;
  /// Why the waiters are blocked, in one sentence; empty: nothing waits.
  QString sentence() const;
};

/// Whether a node of this op is a queue.
bool makesQueue(const QString& op);
/// Any thread, while the session runs; never waits.
QVector<QueueFacts> queueFacts(const Session& session);
/// The queues that a training has created so far; also after its end. Any thread.
QVector<QueueFacts> queueFacts(const TrainedModel& model);

}  // namespace weft::app
