#include "adapters/queue_facts.h"

#include <QCoreApplication>
#include <QStringList>
#include <cstdint>

#include "adapters/engine_graph.h"
#include "adapters/trained_model.h"
#include "weft/op_traits.h"
#include "weft/queues.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct QueueWords {
  Q_DECLARE_TR_FUNCTIONS(QueueFacts)
};

}  // namespace

QueueFacts::Blocked QueueFacts::blocked() const {
  if (waitingDequeues > 0) return Blocked::Dequeue;
  return waitingEnqueues > 0 ? Blocked::Enqueue : Blocked::Nobody;
}

QString QueueFacts::sentence() const {
  switch (blocked()) {
    case Blocked::Nobody: break;
    case Blocked::Enqueue:
      return QueueWords::tr("%1 is full (%2 elements) and nothing is dequeued; blocked enqueues: %3.").arg(name).arg(size).arg(waitingEnqueues);
    case Blocked::Dequeue: {
      const QString waits = QueueWords::tr("nothing is enqueued; blocked dequeues: %1.").arg(waitingDequeues);
      if (!closed && minAfterDequeue > 0 && size > 0)
        return QueueWords::tr("%1 holds %2 elements, of which at least %3 must stay (min_after_dequeue), and %4")
            .arg(name)
            .arg(size)
            .arg(minAfterDequeue)
            .arg(waits);
      if (wanted > 1) return QueueWords::tr("%1 is %2 elements short of a batch, and %3").arg(name).arg(wanted).arg(waits);
      return QueueWords::tr("%1 is empty, and %2").arg(name, waits);
    }
  }
  return {};
}

bool makesQueue(const QString& op) {
  const OpRole role = roleOf(op.toStdString());
  return role == OpRole::Queue || role == OpRole::ShuffleQueue;
}

QVector<QueueFacts> queueFacts(const Session& session) {
  QVector<QueueFacts> out;
  for (const QueueState& q : queueStates(session)) {
    QueueFacts f;
    f.name = text(q.name);
    f.kind = text(q.kind);
    QStringList components;
    for (size_t k = 0; k < q.types.size(); ++k) {
      QString shape;
      if (k < q.shapes.size()) shapeText(q.shapes[k], &shape);
      components << (text(dtypeName(q.types[k])) + u' ' + shape).trimmed();
    }
    f.contents = components.join(QStringLiteral(", "));
    f.size = q.size;
    f.capacity = q.capacity >= INT32_MAX ? -1 : q.capacity;
    f.minAfterDequeue = q.minAfterDequeue;
    f.waitingEnqueues = q.waitingEnqueues;
    f.waitingDequeues = q.waitingDequeues;
    f.wanted = q.wanted;
    f.put = q.put;
    f.taken = q.taken;
    f.closed = q.closed;
    f.busy = q.busy;
    out << f;
  }
  return out;
}

QVector<QueueFacts> queueFacts(const TrainedModel& model) { return queueFacts(model.trainer()->session()); }

}  // namespace weft::app
