#include "main_window/value_lens.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "common/format.h"
#include "document/document.h"
#include "document/program_graphs.h"
#include "document/program_notes.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/probes.h"
#include "main_window/stop_values.h"

namespace weft::app {

ValueLens::ValueLens(Document* document, widgets::GraphView* canvas, Workspace& workspace)
    : QObject(canvas), document_(document), canvas_(canvas), workspace_(workspace) {
  canvas->installEventFilter(this);
  stop_ = new StopValues(document, canvas, workspace);
  // The debugger's values arrive shortly after the request.
  connect(stop_, &StopValues::arrived, this, [this](const QString& tensor) {
    if (!pointer_ || !QToolTip::isVisible() || tensorUnderPointer() != tensor) return;
    QToolTip::showText(tip_, textAt(*pointer_), canvas_, QRect(pointer_->toPoint() - QPoint(8, 8), QSize(16, 16)));
  });
}

/// The wire at a point; none where a node covers it.
int ValueLens::edgeAt(const QPointF& at) const {
  const widgets::Item item = canvas_->itemAt(at);
  if (item && item.isNode()) return -1;
  return canvas_->edgeAt(at);
}

QString ValueLens::tensorOf(int edge) const {
  const widgets::EdgeEnds ends = document_->model()->edge(edge);
  return QStringLiteral("%1:%2").arg(document_->model()->nodeName(ends.from)).arg(ends.fromOutput);
}

QString ValueLens::tensorUnderPointer() const {
  if (!pointer_) return {};
  const int edge = edgeAt(*pointer_);
  return edge < 0 ? QString() : tensorOf(edge);
}

QString ValueLens::textAt(const QPointF& at) const {
  const int edge = edgeAt(at);
  if (edge < 0) return {};
  const QString tensor = tensorOf(edge), shape = document_->model()->edgeShape(edge);
  QStringList lines{QStringLiteral("<b>%1</b>").arg(tensor.toHtmlEscaped()),
                    ((shape.isEmpty() ? tr("unknown shape") : shape) + u' ' + document_->model()->edgeDType(edge)).toHtmlEscaped()};
  if (stop_->hasValues()) {
    const QString stopped = stop_->hoverText(tensor);
    lines << (stopped.isEmpty() ? tr("reading its value…") : stopped);
    return lines.join(QStringLiteral("<br>"));
  }
  const auto value = workspace_.programGraphs().notes().valueOf(document_, tensor);
  if (value) {
    const QString what = value->shape.isEmpty() ? tr("scalar") : value->shape;
    lines << QStringLiteral("<b>%1</b>").arg(value->words().toHtmlEscaped())
          << tr("The value of run %1: %2").arg(value->run).arg((what + u' ' + value->dtype).toHtmlEscaped());
  } else if (workspace_.programGraphs().numberOf(document_) > 0) {
    lines << tr("The program has not fetched it.");
  }
  const Probes* probes = canvas_->findChild<Probes*>();
  lines << (probes && probes->tensors().contains(tensor) ? tr("P hides its value next to the node.") : tr("P shows its value next to the node."));
  return lines.join(QStringLiteral("<br>"));
}

bool ValueLens::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas_) return false;
  if (event->type() == QEvent::MouseMove) pointer_ = static_cast<QMouseEvent*>(event)->position();
  if (event->type() == QEvent::Leave) pointer_.reset();
  if (event->type() != QEvent::ToolTip) return false;
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = textAt(QPointF(help->pos()));
  if (text.isEmpty()) return false;  // the canvas shows its own tooltip
  tip_ = help->globalPos();
  QToolTip::showText(tip_, text, canvas_, QRect(help->pos() - QPoint(8, 8), QSize(16, 16)));
  return true;
}

}  // namespace weft::app
