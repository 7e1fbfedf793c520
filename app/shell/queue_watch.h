#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "adapters/queue_facts.h"

namespace weft::app {

class Shell;
class Workspace;

/// Queues of the run that goes on: the one that is debugged, else the training. GUI thread.
QVector<QueueFacts> presentQueues(Workspace& workspace);

/// Says in the message bar which queue a run waits for, if nothing moves in its queues for a while. Looks twice a second, and only while a graph with
/// queues runs.
class QueueWatch : public QObject {
  Q_OBJECT

 public:
  QueueWatch(Workspace& workspace, Shell& shell, QObject* parent);

 private:
  void follow();
  void look();
  void withdraw();

  Workspace& workspace_;
  Shell& shell_;
  QTimer timer_;
  QElapsedTimer since_;  // when something moved last
  qint64 moved_ = -1;
  bool told_ = false;
};

}  // namespace weft::app
