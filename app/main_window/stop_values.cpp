#include "main_window/stop_values.h"

#include <QEvent>
#include <QPainter>
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/discard.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"

namespace weft::app {

using widgets::Role;
using widgets::Theme;

namespace {
constexpr int kMost = 24;            // values; those without room near their wire are left out
constexpr double kLeastZoom = 0.45;  // below, nodes do not show their second line either
constexpr int kValuePadding = 5, kWidest = 148;
constexpr double kAway = 6, kClose = 3, kHalfArrow = 12;  // distances from port and wire; half of the arrow at the stop's edge
}  // namespace

/// One label.
class ValueChip : public QWidget {
 public:
  explicit ValueChip(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
  }
  void setText(const QString& text, bool odd) {
    text_ = text;
    odd_ = odd;
    const QFontMetrics metrics(Theme::current().monoSmallFont());
    resize(std::min(kWidest, metrics.horizontalAdvance(text) + 2 * kValuePadding + 1), metrics.height() + 3);
    update();
  }
  const QString& text() const { return text_; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(odd_ ? Role::Nan : Role::BorderStrong), 1));
    painter.setBrush(theme.color(Role::Surface2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setFont(theme.monoSmallFont());
    painter.setPen(theme.color(odd_ ? Role::Nan : Role::Text1));
    const QRectF inner = QRectF(rect()).adjusted(kValuePadding, 0, -kValuePadding + 1, 0);
    painter.drawText(inner, Qt::AlignCenter | Qt::TextSingleLine, QFontMetrics(painter.font()).elidedText(text_, Qt::ElideRight, int(inner.width())));
  }

 private:
  QString text_;
  bool odd_ = false;
};

StopValues::StopValues(Document* document, widgets::GraphView* canvas, Workspace& workspace)
    : QObject(canvas), document_(document), canvas_(canvas), workspace_(workspace) {
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &StopValues::follow, Qt::QueuedConnection);
  connect(canvas, &widgets::GraphView::layoutFinished, this, &StopValues::placeSoon);
  canvas->installEventFilter(this);
}

bool StopValues::hasValues() const {
  const DebugController& debug = workspace_.debugger();
  return debug.document() == document_ && debug.hasValues() && (debug.isStopped() || !debug.isActive());
}

void StopValues::follow() {
  ++asked_;
  read_.clear();
  if (!hasValues()) return show({});
  workspace_.debugger().readWires(kMost, [guard = QPointer<StopValues>(this), asked = asked_](const QVector<DebugWireValue>& values) {
    if (guard && guard->asked_ == asked) guard->show(values);
  });
}

void StopValues::show(const QVector<DebugWireValue>& values) {
  values_ = values;
  while (chips_.size() > values.size()) {
    widgets::discard(chips_.last());
    chips_.removeLast();
  }
  while (chips_.size() < values.size()) chips_ << new ValueChip(canvas_);
  for (qsizetype i = 0; i < values.size(); ++i) chips_[i]->setText(values[i].value.values, values[i].value.isBad);
  place();
}

void StopValues::placeSoon() {
  if (values_.isEmpty() || std::exchange(placing_, true)) return;
  QTimer::singleShot(0, this, [this] {
    placing_ = false;
    place();
  });
}

/// Whether no node, closed scope or other label is there.
bool StopValues::isFree(const QRectF& rect, const QVector<QRectF>& taken) const {
  if (!QRectF(canvas_->rect()).contains(rect)) return false;
  for (const QRectF& other : taken)
    if (other.intersects(rect)) return false;
  const double y = rect.center().y();
  for (const QPointF& point : {rect.topLeft(), rect.topRight(), rect.bottomLeft(), rect.bottomRight(), QPointF(rect.center().x(), y)}) {
    const widgets::Item item = canvas_->itemAt(point);
    if (item && (item.isNode() || !canvas_->isExpanded(item.index))) return false;
  }
  return true;
}

/// The visible item of a node: the node, or the closed scope that hides it.
widgets::Item StopValues::shownItemOf(int node) const {
  const widgets::Item item = widgets::Item::node(node);
  if (!canvas_->itemRect(item).isEmpty()) return item;
  for (int scope = document_->model()->nodeScope(node); scope >= 0; scope = document_->model()->scopeParent(scope)) {
    const widgets::Item around = widgets::Item::scope(scope);
    if (!canvas_->itemRect(around).isEmpty()) return canvas_->isExpanded(scope) ? widgets::Item() : around;
  }
  return {};
}

/// Above the wire at its port, else below it; at the stop, else above or below the node. Empty: no room.
QRectF StopValues::placeOf(const DebugWireValue& value, const QSizeF& size, const QVector<QRectF>& taken) const {
  const int node = document_->nodeIndex(value.node);
  const widgets::Item item = node < 0 ? widgets::Item() : shownItemOf(node);
  if (!item) return {};
  for (const auto& port : canvas_->portsOf(item)) {
    if (port.port.node != node || port.port.output != value.output || port.port.index != value.port) continue;
    const bool atStop = value.node == workspace_.debugger().state().node();
    // Keep the stop's arrow visible.
    const double x = value.output ? port.at.x() + kAway : port.at.x() - kAway - size.width(), off = atStop && !value.output ? kHalfArrow : kClose;
    for (const QPointF& corner : {QPointF(x, port.at.y() - off - size.height()), QPointF(x, port.at.y() + off)})
      if (isFree(QRectF(corner, size), taken)) return {corner, size};
    const QRectF body = canvas_->itemRect(item);
    for (const double y : {body.top() - kAway - size.height(), body.bottom() + kAway})
      if (atStop && isFree(QRectF(QPointF(body.left(), y), size), taken)) return {QPointF(body.left(), y), size};
    return {};
  }
  return {};
}

void StopValues::place() {
  if (canvas_->isLayoutPending()) return;  // layoutFinished calls again
  QVector<QRectF> taken;
  for (qsizetype i = 0; i < values_.size(); ++i) {
    const QRectF rect = canvas_->zoom() < kLeastZoom ? QRectF() : placeOf(values_[i], chips_[i]->size(), taken);
    chips_[i]->setVisible(!rect.isEmpty());
    if (rect.isEmpty()) continue;
    taken << rect;
    chips_[i]->move(rect.topLeft().toPoint());
  }
}

QStringList StopValues::texts() const {
  QStringList out;
  for (qsizetype i = 0; i < values_.size(); ++i)
    if (!chips_[i]->isHidden()) out << QStringLiteral("%1 at %2: %3").arg(values_[i].value.tensor, values_[i].node, chips_[i]->text());
  return out;
}

QString StopValues::hoverText(const QString& tensor) {
  if (!hasValues()) return {};
  if (read_.contains(tensor)) return read_.value(tensor);
  read_.insert(tensor, {});
  workspace_.debugger().readTensor(
      tensor, DebugController::Which::Present, [guard = QPointer<StopValues>(this), tensor, asked = asked_](const DebugTensor& value) {
        if (!guard || guard->asked_ != asked) return;
        QString text = value.error.toHtmlEscaped();
        if (value.source) {
          const widgets::TensorFacts& f = value.source->facts();
          text = !f.isNumeric || f.elements == 1 ? value.source->text(0)
                 : f.finite() == 0               ? QString()
                                   : tr("%1 … %2, mean %3").arg(widgets::formatValue(f.min), widgets::formatValue(f.max), widgets::formatValue(f.mean));
          if (f.isNumeric && f.elements > 1 && f.nans > 0) text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("%1 NaN").arg(f.nans);
          if (f.isNumeric && f.elements > 1 && f.positiveInfinities + f.negativeInfinities > 0)
            text += (text.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("%1 infinite").arg(f.positiveInfinities + f.negativeInfinities);
          text = QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
          if (!value.loops.empty()) text += QStringLiteral("<br>") + tr("of iteration %1").arg(value.loops.back().iteration);
        }
        guard->read_[tensor] = text;
        emit guard->arrived(tensor);
      });
  return read_.value(tensor);
}

bool StopValues::eventFilter(QObject* watched, QEvent* event) {
  if (watched == canvas_ && (event->type() == QEvent::Paint || event->type() == QEvent::Resize)) placeSoon();
  return QObject::eventFilter(watched, event);
}

}  // namespace weft::app
