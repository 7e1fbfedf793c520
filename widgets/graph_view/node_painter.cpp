// Paints nodes and closed scopes.
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "graph_view/scene_painter.h"

namespace weft::widgets {
namespace {

constexpr double kMarksSeen = 0.45;   // zoom from which badges and chips are drawn
constexpr double kWeightRadius = 14;  // corner radius of a scope of weights
constexpr double kLeastChip = 0.8, kChipHeight = 13, kRepeatWidth = 26;
constexpr double kWholeFace = 0.7;  // below that two lines are unreadable: only the name is drawn, larger

/// Where to break a name into two lines: after the separator nearest to its middle; 0: there is none.
qsizetype halfOf(const QString& name) {
  qsizetype best = 0;
  for (qsizetype i = 1; i + 1 < name.size(); ++i) {
    const bool separator = name[i - 1] == u'_' || name[i - 1] == u'/' || name[i - 1] == u'.' || name[i - 1] == u' ' || name[i - 1] == u'-' ||
                           (name[i - 1].isLower() && name[i].isUpper());
    if (separator && std::abs(2 * i - name.size()) < std::abs(2 * best - name.size())) best = i;
  }
  return best;
}

}  // namespace

QPainterPath leftBar(const QRectF& r, double radius, double width) {
  QPainterPath round, strip;
  round.addRoundedRect(r, radius, radius);
  strip.addRect(QRectF(r.left(), r.top(), width, r.height()));
  return round.intersected(strip);
}

QPainterPath tagShape(const QRectF& r, double radius) {
  const double point = std::min(14.0 * r.height() / 44, r.width() / 3);
  QPainterPath path;
  path.moveTo(r.left() + radius, r.top());
  path.lineTo(r.right() - point - radius / 2, r.top());
  path.quadTo(QPointF(r.right() - point, r.top()), QPointF(r.right() - point + radius / 3, r.top() + radius / 2));
  path.lineTo(r.right(), r.center().y());
  path.lineTo(r.right() - point + radius / 3, r.bottom() - radius / 2);
  path.quadTo(QPointF(r.right() - point, r.bottom()), QPointF(r.right() - point - radius / 2, r.bottom()));
  path.lineTo(r.left() + radius, r.bottom());
  path.quadTo(r.bottomLeft(), r.bottomLeft() - QPointF(0, radius));
  path.lineTo(r.left(), r.top() + radius);
  path.quadTo(r.topLeft(), r.topLeft() + QPointF(radius, 0));
  path.closeSubpath();
  return path;
}

QColor ScenePainter::fillOf(const SceneItem& it) const {
  switch (it.status.tint) {
    case NodeTint::Done: return theme_.color(Role::Done);
    case NodeTint::Ready: return theme_.color(Role::Ready);
    case NodeTint::Pending: return theme_.color(Role::Pending);
    case NodeTint::Dead: return theme_.color(Role::Dead);
    case NodeTint::Executing: return theme_.color(Role::ExecutingSoft);
    case NodeTint::None: break;
  }
  if (mode_ == ColorMode::Values || mode_ == ColorMode::Device || mode_ == ColorMode::Structure || mode_ == ColorMode::Type)
    return mix(colors_.of(it.item), h_.surface2, 0.16);
  return h_.surface2;
}

void ScenePainter::paintLeaf(QPainter& painter, const Viewport& view, const SceneItem& it) const {
  const QRectF r = view.toScreen(it.rect);
  const Tier tier = tierFor(r.height(), m_);
  if (tier == Tier::Rect || tier == Tier::Name || view.zoom < kWholeFace) {
    const double radius = it.shape == NodeShape::Variable ? r.height() / 2
                          : it.weights                    ? std::min(kWeightRadius * view.zoom, r.height() / 2)
                                                          : (it.shape == NodeShape::Constant ? 0 : std::min(4.0, r.height() / 4));
    const bool error = (it.status.badges & BadgeError) != 0;
    const bool scope = it.item.isScope();
    const QColor hue = colors_.of(it.item);
    QPen pen(error ? h_.error
                   : (it.shape == NodeShape::Variable ? hue
                      : it.weights                    ? categoryColors_[static_cast<size_t>(OpCategory::Variable)]
                                                      : mix(h_.borderStrong, h_.surface2, 0.7)),
             1);
    if ((it.status.badges & BadgeLoop) != 0 && !error) pen = QPen(h_.accent, 1, Qt::CustomDashLine), pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(scope && it.shape != NodeShape::Variable ? (it.layer ? h_.accentSoft : h_.surface3) : fillOf(it));
    const QRectF line = r.adjusted(0.5, 0.5, -0.5, -0.5);
    if (it.repeat > 1) painter.drawRoundedRect(line.translated(4, -4), radius, radius);
    painter.drawRoundedRect(line, radius, radius);
    if (scope && it.shape != NodeShape::Variable && r.height() >= 14) {
      paintOpMix(painter, it, QRectF(line.left() + 2, line.bottom() - 4, line.width() - 4, 2.5));
    } else if (it.shape != NodeShape::Variable) {
      painter.fillRect(QRectF(line.left(), line.top() + radius / 2, std::clamp(r.width() / 14, 1.0, 3.0), line.height() - radius), hue);
    }
    if (tier != Tier::Rect) {
      paintName(painter, r, it);
      if (it.loss) paintLoss(painter, r);
      if (it.repeat > 1) paintRepeat(painter, r, it.repeat);
    }
    if ((it.status.badges & BadgeMuted) != 0) strikeOut(painter, line);
    if (view.zoom >= kMarksSeen) {
      painter.save();
      painter.translate(-view.offset);
      painter.scale(view.zoom, view.zoom);
      paintBadges(painter, it);
      if (it.selfLoop) paintSelfLoop(painter, it);
      painter.restore();
      if (it.hidden > 0) paintHiddenWires(painter, view, it);
    }
    return;
  }
  painter.save();
  painter.translate(-view.offset);
  painter.scale(view.zoom, view.zoom);
  if (it.shape == NodeShape::Variable) paintVariable(painter, it);
  else if (it.item.isScope()) paintClosedScope(painter, it);
  else paintNode(painter, it);
  paintBadges(painter, it);
  if (it.loss) paintLoss(painter, it.rect);
  if (it.selfLoop) paintSelfLoop(painter, it);
  painter.restore();
  if (it.hidden > 0) paintHiddenWires(painter, view, it);
}

// Marks the loss, which users look for first. At the left, where no chip of the box above reaches.
void ScenePainter::paintLoss(QPainter& painter, const QRectF& rect) const { paintMark(painter, rect.topLeft() + QPointF(-4, -13), lossWord(), true); }

void ScenePainter::paintRepeat(QPainter& painter, const QRectF& rect, int repeat) const {
  paintMark(painter, rect.bottomRight() + QPointF(8, -9), QStringLiteral("×%1").arg(repeat));
}

/// A word in the accent colour with its upper right or upper left corner at `corner`.
void ScenePainter::paintMark(QPainter& painter, QPointF corner, const QString& text, bool fromLeft) const {
  QFont bold = fonts_.small;
  bold.setWeight(QFont::DemiBold);
  const double width = QFontMetricsF(bold).horizontalAdvance(text) + 10;
  const QRectF badge(corner.x() - (fromLeft ? 0 : width), corner.y(), width, 16);
  painter.setPen(Qt::NoPen);
  painter.setBrush(h_.accent);
  painter.drawRoundedRect(badge, 3, 3);
  painter.setFont(bold);
  painter.setPen(theme_.color(Role::AccentText));
  painter.drawText(badge, Qt::AlignCenter | Qt::TextDontClip, text);
}

// A chip with the number of hidden wires to helpers. Hovering the node shows them, clicking the chip keeps them shown.
void ScenePainter::paintHiddenWires(QPainter& painter, const Viewport& view, const SceneItem& it) const {
  const QRectF chip = hiddenWiresChip(it, view);
  painter.setPen(QPen(it.wiresShown ? h_.accent : h_.border, 1));
  painter.setBrush(it.wiresShown ? h_.accentSoft : h_.surface1);
  painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2);
  QFont font = fonts_.small;
  font.setPixelSize(std::max(8, qRound(font.pixelSize() * chip.height() / kChipHeight)));
  painter.setFont(font);
  painter.setPen(it.wiresShown ? h_.accent : h_.text3);
  painter.drawText(chip, Qt::AlignCenter | Qt::TextDontClip, QStringLiteral("⋯%1").arg(it.hidden));
}

// The chip is shown only at zooms at which its number is readable.
QRectF ScenePainter::hiddenWiresChip(const SceneItem& it, const Viewport& view) {
  if (it.open || it.hidden == 0 || view.zoom < kMarksSeen) return {};
  const double size = std::max(view.zoom, kLeastChip);
  const QSizeF chip = QSizeF(it.hidden < 10 ? 22 : it.hidden < 100 ? 28 : 34, kChipHeight) * size;
  const QRectF box = view.toScreen(it.rect);
  const double repeat = it.repeat > 1 ? kRepeatWidth : 0;  // the count of a folded stack is there
  return {QPointF(box.right() - chip.width() - 6 * view.zoom - repeat, box.bottom() - 4 * size), chip};
}

// For nodes that read their own output: from the right side over the top to the left side.
void ScenePainter::paintSelfLoop(QPainter& painter, const SceneItem& it) const {
  const QRectF r = it.rect;
  const double away = 10, middle = r.center().y();
  const QPointF way[6] = {{r.right(), middle},       {r.right() + away, middle}, {r.right() + away, r.top() - away}, {r.left() - away, r.top() - away},
                          {r.left() - away, middle}, {r.left(), middle}};
  painter.setPen(QPen(h_.error, 1.6));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(way, 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(h_.error);
  const QPointF head[3] = {way[5], way[5] + QPointF(-8, -4), way[5] + QPointF(-8, 4)};
  painter.drawConvexPolygon(head, 3);
}

/// Muted nodes pass their data through: drawn as a line through the node.
void ScenePainter::strikeOut(QPainter& painter, const QRectF& r) const {
  painter.setPen(QPen(h_.text3, 1.5));
  painter.drawLine(QPointF(r.left(), r.center().y()), QPointF(r.right(), r.center().y()));
}

void ScenePainter::paintName(QPainter& painter, const QRectF& r, const SceneItem& it) const {
  // As large as readable: on one line if it fits, else on two, else elided at the front, because the end says more.
  constexpr double kLeft = 4, kRight = 1, kSecondLine = 11;
  const double room = r.width() - kLeft - kRight;
  if (r.height() < 11 || room < 12) return;
  const bool scope = it.item.isScope() && it.shape != NodeShape::Variable;
  const double high = r.height() - (scope && r.height() > 20 ? 5 : 0);
  QFont font = fonts_.title;
  const auto fits = [&](const QString& text, int pixels) {
    font.setPixelSize(pixels);
    return QFontMetricsF(font).horizontalAdvance(text) <= room;
  };
  QStringList lines;
  for (const int pixels : {12, 11, 10, 9, 8})
    if (pixels + 2 <= high && fits(it.name, pixels)) {
      lines = {it.name};
      break;
    }
  for (int pixels = 10; lines.isEmpty() && pixels >= 9 && high >= 2 * pixels + 3; --pixels) {
    const qsizetype cut = halfOf(it.name);
    if (cut > 0 && fits(it.name.left(cut), pixels) && fits(it.name.mid(cut), pixels)) lines = {it.name.left(cut).trimmed(), it.name.mid(cut).trimmed()};
  }
  if (lines.isEmpty()) {
    font.setPixelSize(high < 12 ? 8 : 10);
    const QString text = elideName(it.name, QFontMetricsF(font), room);
    if (text.size() < std::min<qsizetype>(3, it.name.size())) return;
    lines = {text};
  }
  const double line = font.pixelSize() + 1.5;
  // Below a one-line name: the node's value or detail, if there is room.
  const QString second = it.status.value.isEmpty() ? it.detail : it.status.value;
  if (lines.size() == 1 && it.shape != NodeShape::Variable && high >= line + kSecondLine && !second.isEmpty()) {
    QFont small = fonts_.detail;
    small.setPixelSize(9);
    painter.setFont(small);
    painter.setPen(h_.text2);
    const double top = r.top() + (high - line - kSecondLine) / 2;
    painter.drawText(QRectF(r.left() + kLeft, top + line, room + kRight, kSecondLine), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(small).elidedText(second, Qt::ElideRight, room));
    painter.setFont(font);
    painter.setPen((it.status.badges & BadgeMuted) != 0 ? h_.disabled : h_.text1);
    painter.drawText(QRectF(r.left() + kLeft, top, room + kRight, line), Qt::TextDontClip | Qt::AlignVCenter | Qt::AlignLeft, lines[0]);
    return;
  }
  painter.setFont(font);
  painter.setPen((it.status.badges & BadgeMuted) != 0 ? h_.disabled : h_.text1);
  double y = r.top() + (high - line * static_cast<double>(lines.size())) / 2;
  for (const QString& text : std::as_const(lines)) {
    painter.drawText(QRectF(r.left() + kLeft, y, room + kRight, line),
                     Qt::TextDontClip | Qt::AlignVCenter | (it.shape == NodeShape::Variable ? Qt::AlignHCenter : Qt::AlignLeft), text);
    y += line;
  }
}

void ScenePainter::paintNode(QPainter& painter, const SceneItem& it) const {
  const QRectF r = it.rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const bool muted = (it.status.badges & BadgeMuted) != 0, error = (it.status.badges & BadgeError) != 0;
  const bool nan = (it.status.badges & BadgeNan) != 0;
  const QColor hue = colors_.of(it.item);
  const QColor bar = muted ? h_.disabled : hue;
  QPen pen(error ? h_.error : (nan ? h_.nan : mix(h_.borderStrong, h_.surface2, 0.85)), error ? 2 : 1);
  if (error) pen.setDashPattern({3, 2});
  painter.setPen(Qt::NoPen);
  painter.setBrush(fillOf(it));
  if (it.shape == NodeShape::Placeholder) {
    const QPainterPath tag = tagShape(r, 5);
    painter.drawPath(tag);
    painter.fillPath(leftBar(r, 5, m_.nodeEdgeBar + 0.5), bar);
    painter.strokePath(tag, pen);
  } else if (it.shape == NodeShape::Constant) {
    painter.drawRect(r);
    painter.fillRect(QRectF(r.left(), r.top(), m_.nodeEdgeBar + 0.5, r.height()), bar);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(r);
  } else {
    painter.drawRoundedRect(r, m_.radius, m_.radius);
    painter.fillPath(leftBar(r, m_.radius, m_.nodeEdgeBar + 0.5), bar);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(r, m_.radius, m_.radius);
  }
  if (nan) {
    painter.setPen(QPen(h_.nan, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(r.adjusted(-3, -3, 3, 3), m_.radius + 3, m_.radius + 3);
  }
  const QString second = it.status.value.isEmpty() ? it.detail : it.status.value;
  const double left = it.rect.left() + 11, width = it.rect.width() - 15;
  painter.setFont(fonts_.title);
  painter.setPen(muted ? h_.disabled : h_.text1);
  if (second.isEmpty()) {
    painter.drawText(QRectF(left, it.rect.top(), width, it.rect.height()), Qt::AlignVCenter | Qt::AlignLeft, it.title);
  } else {
    const double top = it.rect.center().y() - 16;
    painter.drawText(QRectF(left, top, width, 17), Qt::AlignVCenter | Qt::AlignLeft, it.title);
    painter.setFont(fonts_.detail);
    painter.setPen(muted ? h_.disabled : (nan ? h_.nan : h_.text2));
    painter.drawText(QRectF(left, top + 17, width, 15), Qt::AlignVCenter | Qt::AlignLeft, second);
  }
  if (muted) strikeOut(painter, r);
}

void ScenePainter::paintVariable(QPainter& painter, const SceneItem& it) const {
  const QRectF r = it.rect.adjusted(1, 1, -1, -1);
  const bool error = (it.status.badges & BadgeError) != 0;
  painter.setPen(QPen(error ? h_.error : colors_.of(it.item), 1.5));
  painter.setBrush(fillOf(it));
  painter.drawRoundedRect(r, r.height() / 2, r.height() / 2);
  painter.setFont(fonts_.title);
  painter.setPen(h_.text1);
  painter.drawText(it.rect.adjusted(6, 0, -6, 0), Qt::AlignCenter, it.title);
  const QString below = it.status.value.isEmpty() ? it.detail : it.status.value;
  if (below.isEmpty()) return;
  painter.setFont(fonts_.detail);
  painter.setPen(h_.text2);
  painter.drawText(QRectF(it.rect.center().x() - 100, it.rect.bottom() + 2, 200, 16), Qt::AlignHCenter | Qt::AlignVCenter, below);
}

void ScenePainter::paintOpMix(QPainter& painter, const SceneItem& it, const QRectF& bar) const {
  const ScopeStats& stats = scene_.stats(it.item.index);
  if (stats.ops == 0) return;
  double x = bar.left();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (mode_ != ColorMode::Category) {
    painter.fillRect(bar, colors_.of(it.item));
  } else {
    for (size_t c = 0; c < stats.mix.size(); ++c) {
      if (stats.mix[c] == 0) continue;
      const double width = bar.width() * stats.mix[c] / stats.ops;
      painter.fillRect(QRectF(x, bar.top(), std::max(1.0, width), bar.height()), categoryColors_[c]);
      x += width;
    }
  }
  painter.restore();
}

void ScenePainter::paintClosedScope(QPainter& painter, const SceneItem& it) const {
  const bool error = (it.status.badges & BadgeError) != 0, muted = (it.status.badges & BadgeMuted) != 0;
  // Weights are no layer: drawn with the outline and round corners of a variable.
  const QColor outline = error ? h_.error : it.weights ? categoryColors_[static_cast<size_t>(OpCategory::Variable)] : mix(h_.borderStrong, h_.surface2, 0.85);
  const QRectF r = it.rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const double radius = it.weights ? kWeightRadius : m_.radius;
  if (it.repeat > 1) {
    painter.setPen(QPen(outline, 1));
    painter.setBrush(h_.surface2);
    painter.drawRoundedRect(r.translated(8, -8), radius, radius);
    painter.drawRoundedRect(r.translated(4, -4), radius, radius);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(fillOf(it));
  painter.drawRoundedRect(r, radius, radius);
  // Header: the rounded rectangle, cut below the tab.
  painter.save();
  painter.setClipRect(QRectF(it.rect.left() - 1, it.rect.top() - 1, it.rect.width() + 2, m_.scopeHeader + 1), Qt::IntersectClip);
  painter.setBrush(it.layer ? h_.accentSoft : h_.surface3);
  painter.drawRoundedRect(r, radius, radius);
  painter.restore();
  painter.setPen(QPen(h_.border, 1));
  painter.drawLine(QPointF(r.left(), it.rect.top() + m_.scopeHeader + 0.5), QPointF(r.right(), it.rect.top() + m_.scopeHeader + 0.5));
  QPen pen(outline, error ? 2 : 1);
  if (error) pen.setDashPattern({3, 2});
  else if ((it.status.badges & BadgeLoop) != 0) pen = QPen(h_.accent, 1, Qt::CustomDashLine), pen.setDashPattern({6, 4});
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(r, radius, radius);

  const double cy = it.rect.top() + m_.scopeHeader / 2.0 + 0.5;
  painter.setPen(QPen(h_.text2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const double cx = it.rect.left() + 13;
  painter.drawPolyline(QPolygonF({{cx - 2, cy - 4}, {cx + 2, cy}, {cx - 2, cy + 4}}));
  painter.setFont(fonts_.title);
  painter.setPen(muted ? h_.disabled : h_.text1);
  painter.drawText(QRectF(it.rect.left() + 23, it.rect.top(), it.rect.width() - 30, m_.scopeHeader), Qt::AlignVCenter | Qt::AlignLeft, it.title);
  painter.setFont(fonts_.small);
  painter.setPen(h_.text3);
  painter.drawText(QRectF(it.rect.left(), it.rect.top(), it.rect.width() - 9, m_.scopeHeader), Qt::AlignVCenter | Qt::AlignRight, it.summary);
  if (it.flow != layout::ScopeFlow::None)
    paintFlowMark(painter, {it.rect.right() - 18 - QFontMetricsF(fonts_.small).horizontalAdvance(it.summary), cy}, it.flow);
  painter.setFont(fonts_.detail);
  double y = it.rect.top() + m_.scopeHeader + 7;
  const QString first = it.status.value.isEmpty() ? it.detail : it.status.value;
  for (const QString& line : {first, it.detail2}) {
    if (line.isEmpty()) continue;
    painter.setPen(muted ? h_.disabled : h_.text2);
    painter.drawText(QRectF(it.rect.left() + 11, y, it.rect.width() - 16, 15), Qt::AlignVCenter | Qt::AlignLeft, line);
    y += 15;
  }
  if (muted) strikeOut(painter, r);
  paintOpMix(painter, it, QRectF(it.rect.left() + 10, it.rect.bottom() - 8 - m_.scopeOpMixBar, it.rect.width() - 20, m_.scopeOpMixBar));
  if (it.repeat > 1) paintRepeat(painter, it.rect, it.repeat);
}

void ScenePainter::paintBadges(QPainter& painter, const SceneItem& it) const {
  const quint16 badges = it.status.badges;
  const double size = m_.badge;
  QPointF at(it.rect.right() - 10, it.rect.top());
  if ((badges & BadgeProbe) != 0) {
    painter.setPen(QPen(h_.accent, 1.5));
    painter.setBrush(h_.surface2);
    painter.drawEllipse(at, 7, 7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(h_.accent);
    painter.drawEllipse(at, 2.5, 2.5);
    at.rx() -= size + 6;
  }
  if ((badges & BadgeBreakpoint) != 0) {
    painter.setPen(QPen(h_.surface2, 1));
    painter.setBrush(theme_.color(Role::Breakpoint));
    painter.drawEllipse(at, size / 2, size / 2);
  }
  if ((badges & BadgeState) != 0 && it.item.isNode()) {
    // A circular arrow: the state that this op changes outlives the step.
    const QColor hue = categoryColors_[static_cast<size_t>(OpCategory::Variable)];
    const QPointF c(it.rect.right() - 11, it.rect.bottom());
    painter.setPen(QPen(hue, 1));
    painter.setBrush(h_.surface2);
    painter.drawEllipse(c, 7, 7);
    painter.setPen(QPen(hue, 1.5, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(c.x() - 3.6, c.y() - 3.6, 7.2, 7.2), 60 * 16, 280 * 16);
    const QPointF head[3] = {c + QPointF(5.4, -3.4), c + QPointF(1.2, -5.2), c + QPointF(1.9, -0.6)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(hue);
    painter.drawPolygon(head, 3);
  }
  if ((badges & (BadgeError | BadgeWarning)) != 0) {
    const QPointF c = it.rect.topLeft() + QPointF(-2, 0);
    QPainterPath triangle;
    triangle.moveTo(c + QPointF(0, -8));
    triangle.lineTo(c + QPointF(8, 6));
    triangle.lineTo(c + QPointF(-8, 6));
    triangle.closeSubpath();
    const QColor hue = theme_.color((badges & BadgeError) != 0 ? Role::Error : Role::Warning);
    painter.setPen(QPen(hue, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(hue);
    painter.drawPath(triangle);
    painter.setPen(QPen(h_.surface2, 1.6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(c + QPointF(0, -3), c + QPointF(0, 1.2));
    painter.drawPoint(c + QPointF(0, 4));
  }
  if (it.status.tint == NodeTint::Executing) {
    const QPointF c(it.rect.left() - 4, it.rect.center().y());
    const QPointF arrow[7] = {c + QPointF(-14, -3.5), c + QPointF(-6, -3.5), c + QPointF(-6, -8),  c + QPointF(3, 0),
                              c + QPointF(-6, 8),     c + QPointF(-6, 3.5),  c + QPointF(-14, 3.5)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.color(Role::Executing));
    painter.drawPolygon(arrow, 7);
  }
}

}  // namespace weft::widgets
