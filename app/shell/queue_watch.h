#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "adapters/queue_facts.h"

namespace weft::app {

class Shell;
class Workspace;

/// Queues of the present run: the debugged one, else the training. GUI thread.
QVector<QueueFacts> presentQueues(Workspace& workspace);

/// Shows in the message bar which queue a run waits for, if its queues do not change for a while. Checks twice a second, only while a graph with queues runs.
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
  QElapsedTimer since_;  // since the last change
  qint64 moved_ = -1;
  bool warned_ = false;
};

}  // namespace weft::app
