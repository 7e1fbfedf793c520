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

/// The value that a wire carries where the debugger stands, or that was fetched last: shown while the pointer rests there. GUI thread.
class ValueLens : public QObject {
  Q_OBJECT

 public:
  ValueLens(Document* document, widgets::GraphView* canvas, Workspace& workspace);

  /// The tensor of the wire under the pointer ("conv1/Relu:0"); empty: the pointer is on none.
  QString tensorUnderPointer() const;
  /// What the lens says of the wire at a point of the canvas; empty: there is none, or it carries control only.
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
  QPoint tip_;  // where the last text was shown, on the screen
};

}  // namespace weft::app
