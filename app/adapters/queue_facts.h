// Queues of a run, as people see them.
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
  /// Who waits and cannot go on unless the other side moves.
  enum class Blocked { Nobody, Enqueue, Dequeue };

  QString name;                    ///< Of its node, or the name under which nodes share it.
  QString kind;                    ///< `FIFOQueue`
  QString contents;                ///< Of an element: `float32 28×28, int64`
  qint64 size = 0, capacity = -1;  ///< Elements; negative: no limit.
  qint64 minAfterDequeue = 0;
  qint64 waitingEnqueues = 0, waitingDequeues = 0, wanted = 0;
  qint64 put = 0, taken = 0;
  bool closed = false;
  bool busy = false;  ///< It was being changed: numbers are missing.

  Blocked blocked() const;
  /// Why who waits must wait, in one sentence; empty: nobody waits.
  QString sentence() const;
};

/// Any thread, while the session runs; waits for nothing.
QVector<QueueFacts> queueFacts(const Session& session);
/// Queues of a training, as far as it has made them; also after its end. Any thread.
QVector<QueueFacts> queueFacts(const TrainedModel& model);

}  // namespace weft::app
