// Overlays painted over Scintilla's output: margin marks and ghost texts.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "code_editor/code_editor.h"

namespace weft::widgets {
namespace {
constexpr int kGap = 28;    // pixels between the text and its ghost
constexpr int kLeast = 40;  // a ghost with less room is not drawn
}  // namespace

QRect CodeEditor::lineRect(int line) const {
  const int height = int(SendScintilla(SCI_TEXTHEIGHT, 0L));
  const int y = (line - 1 - int(SendScintilla(SCI_GETFIRSTVISIBLELINE))) * height;
  return {0, y, viewport()->width(), height};
}

QRect CodeEditor::ghostRect(int line) const {
  for (const Mark& m : ghosts_) {
    if (lineOf(m.handle) != line) continue;
    const QRect row = lineRect(line);
    if (row.bottom() < 0 || row.top() > viewport()->height()) return {};
    const long end = SendScintilla(SCI_GETLINEENDPOSITION, line - 1);
    const int left = std::max(int(SendScintilla(SCI_POINTXFROMPOSITION, 0L, end)) + kGap, marginWidth(0) + marginWidth(1) + 4);
    const QFontMetrics metrics(Theme::current().monoSmallFont());
    int width = 0;
    for (const GhostPart& part : m.ghost) width += metrics.horizontalAdvance(part.text) + metrics.horizontalAdvance(u' ') * 2;
    const int room = viewport()->width() - left - 4;
    return room < kLeast ? QRect() : QRect(left, row.top(), std::min(width, room), row.height());
  }
  return {};
}

QString CodeEditor::toolTipAt(const QPoint& at) const {
  const int line = lineAtY(at.y());
  if (line == 0) return {};
  const QString error = errors().value(line);
  if (!error.isEmpty()) return error;
  const long position = SendScintilla(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(at.x()), long(at.y()));
  if (position >= 0) {
    int row = 0, column = 0;
    lineIndexFromPosition(int(position), &row, &column);
    for (const Hint& h : hints_)
      if (h.line == row + 1 && column >= h.column && column <= h.column + h.length) return h.text;
  }
  if (!ghostRect(line).contains(at) && at.x() > stripWidth()) return {};
  QStringList parts;
  for (const GhostPart& part : ghosts().value(line)) parts << part.text;
  return parts.join(QStringLiteral("  "));
}

void CodeEditor::paintEvent(QPaintEvent* event) {
  QsciScintilla::paintEvent(event);
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  paintGhosts(painter);
  paintMargin(painter);
}

void CodeEditor::paintGhosts(QPainter& painter) {
  const Theme& theme = Theme::current();
  painter.setFont(theme.monoSmallFont());
  const QFontMetrics metrics(painter.font());
  for (const Mark& m : std::as_const(ghosts_)) {
    const QRect rect = ghostRect(lineOf(m.handle));
    if (rect.isEmpty()) continue;
    int x = rect.left();
    for (const GhostPart& part : m.ghost) {
      const int room = rect.right() - x;
      if (room < metrics.horizontalAdvance(u'…')) break;
      painter.setPen(theme.color(part.role));
      painter.drawText(QRect(x, rect.top(), room + 1, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(part.text, Qt::ElideRight, room + 1));
      x += metrics.horizontalAdvance(part.text) + metrics.horizontalAdvance(u' ') * 2;
    }
  }
}

void CodeEditor::paintMargin(QPainter& painter) {
  const Theme& theme = Theme::current();
  const double strip = stripWidth();
  const auto middle = [&](int line) { return QPointF(strip / 2, QRectF(lineRect(line)).center().y()); };
  const double r = strip * 0.28;
  QMap<int, bool> points = breakpoints();
  const int present = lineOf(present_);
  const bool adds = hovered_ > 0 && !points.contains(hovered_);
  if (adds) {
    QColor color = theme.color(Role::Breakpoint);
    color.setAlpha(70);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(middle(hovered_), r, r);
  }
  for (const Mark& m : std::as_const(verdicts_)) {
    const int line = lineOf(m.handle);
    if (points.contains(line) || line == present) continue;
    const QPointF c = middle(line);
    QPainterPath path;
    if (m.verdict == Verdict::Right) {
      path.moveTo(c + QPointF(-r, 0));
      path.lineTo(c + QPointF(-r * 0.25, r * 0.8));
      path.lineTo(c + QPointF(r, -r * 0.8));
    } else {
      path.moveTo(c + QPointF(-r * 0.8, -r * 0.8));
      path.lineTo(c + QPointF(r * 0.8, r * 0.8));
      path.moveTo(c + QPointF(-r * 0.8, r * 0.8));
      path.lineTo(c + QPointF(r * 0.8, -r * 0.8));
    }
    painter.strokePath(path, QPen(theme.color(m.verdict == Verdict::Right ? Role::Ok : Role::Error), 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  }
  for (const Mark& m : std::as_const(errors_)) {
    const QPointF c = middle(lineOf(m.handle));
    QPainterPath path;
    path.moveTo(c + QPointF(0, -r * 1.1));
    path.lineTo(c + QPointF(r * 1.2, r));
    path.lineTo(c + QPointF(-r * 1.2, r));
    path.closeSubpath();
    painter.fillPath(path, theme.color(Role::Error));
  }
  painter.setPen(Qt::NoPen);
  for (auto it = points.begin(); it != points.end(); ++it) {
    const double size = it.key() == present ? r * 1.3 : r;
    painter.setBrush(theme.color(Role::Breakpoint));
    painter.drawEllipse(middle(it.key()), size, size);
    if (it.value()) {  // conditional breakpoint, drawn as on the canvas
      painter.setBrush(theme.color(Role::Surface1));
      painter.drawEllipse(middle(it.key()), size * 0.4, size * 0.4);
    }
  }
  if (present > 0) {
    const double a = points.contains(present) ? r * 0.7 : r;
    const QPointF c = middle(present);
    QPainterPath arrow;
    arrow.moveTo(c + QPointF(-a * 0.8, -a));
    arrow.lineTo(c + QPointF(a * 1.1, 0));
    arrow.lineTo(c + QPointF(-a * 0.8, a));
    arrow.closeSubpath();
    painter.fillPath(arrow, theme.color(points.contains(present) ? Role::Surface1 : Role::Executing));
  }
}

}  // namespace weft::widgets
