#include "main_window/template_sketch.h"

#include <QPainter>
#include <QPainterPath>
#include <QVector>
#include <algorithm>

#include "common/theme.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

/// Positions are in a field of 220×112; the middle line is y = 56.
struct Box {
  double x, y, w, h;     // centre and size
  const char* category;  // "" for data and losses
};
struct Sketch {
  const char* name;
  QVector<Box> boxes;
  QVector<QPair<int, int>> wires;
  QRectF loop;        // dashed frame; empty: none
  bool back = false;  // a wire from the loop's end to its start
};

QVector<QPair<int, int>> chain(int count) {
  QVector<QPair<int, int>> wires;
  for (int i = 1; i < count; ++i) wires << qMakePair(i - 1, i);
  return wires;
}

const QVector<Sketch>& sketches() {
  static const QVector<Sketch> kAll = {
      {"lenet-digits",
       {{20, 56, 16, 16, ""},
        {52, 56, 20, 46, "nn"},
        {86, 56, 20, 46, "nn"},
        {118, 56, 16, 26, "math"},
        {146, 56, 16, 26, "math"},
        {190, 56, 30, 20, "gradientUpdate"}},
       chain(6),
       {}},
      {"resnet-digits",
       {{18, 56, 16, 16, ""},
        {46, 56, 16, 40, "nn"},
        {78, 56, 18, 32, "nn"},
        {106, 56, 14, 14, "math"},
        {138, 56, 18, 32, "nn"},
        {166, 56, 14, 14, "math"},
        {200, 56, 22, 20, "gradientUpdate"}},
       [] {
         auto wires = chain(7);
         wires << qMakePair(1, 3) << qMakePair(3, 5);  // around the blocks
         return wires;
       }(),
       {}},
      {"lstm-text",
       {{18, 62, 16, 18, "ioSummary"}, {48, 62, 18, 22, "array"}, {96, 62, 22, 30, "nn"}, {134, 62, 22, 30, "math"}, {186, 62, 26, 20, "gradientUpdate"}},
       chain(5),
       QRectF(74, 38, 82, 48),
       true},
      {"word2vec",
       {{22, 34, 24, 18, "ioSummary"},
        {22, 82, 24, 18, "ioSummary"},
        {82, 34, 24, 34, "array"},
        {136, 34, 24, 26, "math"},
        {192, 56, 28, 22, "gradientUpdate"}},
       {{0, 2}, {2, 3}, {3, 4}, {1, 4}},
       {}},
      {"gan-digits",
       {{20, 30, 18, 18, "random"},
        {62, 30, 26, 30, "math"},
        {104, 30, 20, 20, "nn"},
        {20, 84, 18, 18, ""},
        {150, 56, 28, 40, "math"},
        {198, 56, 22, 22, "gradientUpdate"}},
       {{0, 1}, {1, 2}, {2, 4}, {3, 4}, {4, 5}},
       {}},
      {"autoencoder-digits",
       {{16, 56, 12, 62, ""},
        {46, 56, 18, 46, "nn"},
        {76, 56, 16, 28, "nn"},
        {108, 56, 16, 14, "variable"},
        {140, 56, 16, 28, "nn"},
        {170, 56, 18, 46, "nn"},
        {203, 56, 12, 62, ""}},
       chain(7),
       {}},
      {"bikes-regression",
       {{22, 56, 20, 54, "ioSummary"}, {66, 56, 22, 44, "math"}, {104, 56, 22, 34, "math"}, {142, 56, 22, 22, "math"}, {192, 56, 26, 18, "gradientUpdate"}},
       chain(5),
       {}},
      {"income-table",
       {{18, 24, 18, 14, "ioSummary"},
        {18, 45, 18, 14, "ioSummary"},
        {18, 66, 18, 14, "ioSummary"},
        {18, 90, 18, 16, ""},
        {62, 24, 22, 14, "array"},
        {62, 45, 22, 14, "array"},
        {62, 66, 22, 14, "array"},
        {110, 56, 16, 76, "array"},
        {150, 56, 22, 34, "math"},
        {197, 56, 24, 20, "gradientUpdate"}},
       {{0, 4}, {1, 5}, {2, 6}, {4, 7}, {5, 7}, {6, 7}, {3, 7}, {7, 8}, {8, 9}},
       {}},
  };
  return kAll;
}

const Sketch* sketchOf(const QString& name) {
  const auto it = std::find_if(sketches().begin(), sketches().end(), [&](const Sketch& s) { return name == QLatin1String(s.name); });
  return it == sketches().end() ? nullptr : &*it;
}

/// A wire from the right side of a box to the left side of another, routed around boxes between them on one line.
QPainterPath wireOf(const Sketch& sketch, int from, int to) {
  const Box &a = sketch.boxes[from], &b = sketch.boxes[to];
  const QPointF start(a.x + a.w / 2, a.y), end(b.x - b.w / 2, b.y);
  QPainterPath path(start);
  const bool between = std::any_of(sketch.boxes.begin(), sketch.boxes.end(), [&](const Box& c) { return c.y == a.y && a.y == b.y && c.x > a.x && c.x < b.x; });
  if (between) {
    path = QPainterPath(QPointF(a.x, a.y - a.h / 2));
    const double top = a.y - 34;
    path.cubicTo(QPointF(a.x, top), QPointF(a.x, top), QPointF((a.x + b.x) / 2, top));
    path.cubicTo(QPointF(b.x, top), QPointF(b.x, top), QPointF(b.x, b.y - b.h / 2));
    return path;
  }
  const double middle = (start.x() + end.x()) / 2;
  path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end);
  return path;
}

}  // namespace

TemplateSketch::TemplateSketch(const QString& name, QWidget* parent) : QWidget(parent), name_(name) { setFixedHeight(kSketchHeight); }

bool TemplateSketch::has(const QString& name) { return sketchOf(name) != nullptr; }

void TemplateSketch::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Role::Surface0));
  painter.fillRect(0, height() - 1, width(), 1, theme.color(Role::Border));
  const Sketch* sketch = sketchOf(name_);
  if (!sketch) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate((width() - kSketchWidth) / 2.0, (height() - 112) / 2.0);
  painter.setBrush(Qt::NoBrush);
  const QColor wire = theme.color(Role::Accent);
  painter.setPen(QPen(wire, 2));
  for (const auto& [from, to] : sketch->wires) painter.drawPath(wireOf(*sketch, from, to));
  if (!sketch->loop.isEmpty()) {
    const QRectF& l = sketch->loop;
    painter.setPen(QPen(wire, 1.5, Qt::DashLine));
    painter.drawRoundedRect(l, 6, 6);
    if (sketch->back) {
      painter.setPen(QPen(wire, 2));
      painter.drawPolyline(QPolygonF{QPointF(l.right(), l.center().y()), QPointF(l.right() + 8, l.center().y()), QPointF(l.right() + 8, l.top() - 12),
                                     QPointF(l.left() - 8, l.top() - 12), QPointF(l.left() - 8, l.center().y())});
    }
  }
  for (const Box& box : sketch->boxes) {
    const QRectF r(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
    painter.setBrush(theme.color(Role::Surface2));
    painter.drawRoundedRect(r, 2.5, 2.5);
    const QColor hue = *box.category ? theme.opCategory(QLatin1String(box.category)) : theme.color(Role::Text3);
    painter.fillRect(QRectF(r.left(), r.top() + 1, 3.5, r.height() - 2), hue);
  }
}

}  // namespace weft::app
