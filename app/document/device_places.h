#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "adapters/node_placement.h"

namespace weft::app {

class Document;
class Workspace;

/// Where the next run would place the nodes of the current document, on a machine with GPUs; a graph of more than kMostNodes nodes is left out, since it would be
/// planned at each edit. GUI thread; the work runs on another thread.
class DevicePlaces : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMostNodes = 50000;

  /// The workspace's instance; created on the first call.
  static DevicePlaces& of(Workspace& workspace);
  /// Of the current document's present contents; null: not known (yet), or there are no GPUs.
  NodePlacementPtr places() const;
  /// "on GPU:0: its group has kernels there"; empty: not known. For display.
  QString words(const QString& node) const;
  /// "GPU:0": the device that the next run of the document asks for.
  QString nextDevice(const Document* document) const;

 signals:
  /// places() has changed.
  void changed();

 private:
  explicit DevicePlaces(Workspace& workspace);
  void follow();
  void look();

  Workspace& workspace_;
  QPointer<Document> document_;
  QTimer soon_;
  GraphContentsPtr contents_;  // of places_
  QString device_;             // of places_
  NodePlacementPtr places_;
};

}  // namespace weft::app
