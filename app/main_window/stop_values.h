#pragma once

#include <QHash>
#include <QObject>
#include <QRectF>
#include <QVector>

#include "adapters/debug_job.h"
#include "graph_view/graph_model.h"

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class Document;
class ValueChip;
class Workspace;

/// Where a debugged run is paused, small labels on the wires near the stop show their values. Other values are read when the pointer rests on their wire
/// (ValueLens asks here). GUI thread.
class StopValues : public QObject {
  Q_OBJECT

 public:
  StopValues(Document* document, widgets::GraphView* canvas, Workspace& workspace);

  /// The visible labels as "TENSOR at NODE: text"; for tests.
  QStringList texts() const;
  /// Whether this document's run has values to read.
  bool hasValues() const;
  /// The value of a wire as lines of rich text; empty: not read yet, `arrived` follows.
  QString hoverText(const QString& tensor);

 signals:
  void arrived(const QString& tensor);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  void show(const QVector<DebugWireValue>& values);
  void placeSoon();
  void place();
  widgets::Item shownItemOf(int node) const;
  QRectF placeOf(const DebugWireValue& value, const QSizeF& size, const QVector<QRectF>& taken) const;
  bool isFree(const QRectF& rect, const QVector<QRectF>& taken) const;

  Document* document_;
  widgets::GraphView* canvas_;
  Workspace& workspace_;
  QVector<DebugWireValue> values_;
  QVector<ValueChip*> chips_;
  QHash<QString, QString> read_;  // for this stop, by tensor; empty: requested
  int asked_ = 0;
  bool placing_ = false;
};

}  // namespace weft::app
