#pragma once

#include <QObject>
#include <QPointer>

namespace weft::app {

class Document;
class ProfileStore;
class Workspace;

/// Shows on the canvas where a traced step of a cluster ran the nodes of the current document, and what its wires carried from task to task; without such a step,
/// where the next run will place them on a machine with GPUs. GUI thread.
class TaskPlaces : public QObject {
  Q_OBJECT

 public:
  TaskPlaces(Workspace& workspace, ProfileStore& store, QObject* parent);

 private:
  void follow();
  void update();

  Workspace& workspace_;
  ProfileStore& store_;
  QPointer<Document> document_;
  bool shown_ = false;  ///< The document shows places.
};

}  // namespace weft::app
