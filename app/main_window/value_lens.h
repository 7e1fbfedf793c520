#pragma once

#include <QObject>
#include <QPointF>
#include <optional>

namespace weft::widgets {
class GraphView;
}

namespace weft::app {

class Document;
class StopValues;
class Workspace;

/// Shows the value of the wire under the pointer: at the debugger's stop, or as last fetched. GUI thread.
class ValueLens : public QObject {
  Q_OBJECT

 public:
  ValueLens(Document* document, widgets::GraphView* canvas, Workspace& workspace);

  /// The tensor of the wire under the pointer ("conv1/Relu:0"); empty: none.
  QString tensorUnderPointer() const;
  /// The lens's text for the wire at a point of the canvas; empty: no wire, or a control edge.
  QString textAt(const QPointF& at) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int edgeAt(const QPointF& at) const;
  QString tensorOf(int edge) const;

  Document* document_;
  widgets::GraphView* canvas_;
  Workspace& workspace_;
  StopValues* stop_;
  std::optional<QPointF> pointer_;
  QPoint tip_;  // screen position of the last text
};

}  // namespace weft::app
