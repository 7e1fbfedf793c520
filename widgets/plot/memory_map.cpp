#include "plot/memory_map.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <vector>

#include "common/category_titles.h"
#include "common/format.h"
#include "common/theme.h"
#include "plot/plot_axis.h"

namespace weft::widgets {
namespace {

constexpr double kLegend = 22, kBottom = 20, kLeft = 64, kRight = 10;
constexpr double kLeast = 1;        // minimum pixels of a block
constexpr double kNearBlock = 2;    // pixels beside a block that still hit it
constexpr double kFewestSteps = 4;  // visible steps at maximum zoom
constexpr double kLabelWidth = 40, kLabelHeight = 13;

QColor colorOf(const MemoryBlock& block) {
  const Theme& theme = Theme::current();
  return block.opCategory.isEmpty() ? theme.color(Role::Text3) : theme.opCategory(block.opCategory);
}

/// Fill colour of a block.
QColor groundOf(const MemoryBlock& block) {
  const Theme& theme = Theme::current();
  return mix(colorOf(block), theme.color(Role::Surface2), theme.kind() == Theme::Kind::HighContrast ? 0.75 : 0.55);
}

}  // namespace

MemoryMap::MemoryMap(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void MemoryMap::setData(std::shared_ptr<const MemoryMapData> data) {
  data_ = std::move(data);
  selected_.clear();
  byTime_.clear();
  hovered_ = hoveredStep_ = -1;
  if (data_) {
    for (qsizetype i = 0; i < data_->blocks.size(); ++i) byTime_ << int(i);
    std::stable_sort(byTime_.begin(), byTime_.end(), [this](int a, int b) {
      const MemoryBlock &x = data_->blocks[a], &y = data_->blocks[b];
      return x.first != y.first ? x.first < y.first : x.offset < y.offset;
    });
  }
  from_ = 0;
  to_ = data_ ? std::max<double>(1, double(data_->steps.size())) : 1;
  changed();
}

void MemoryMap::changed() {
  picture_ = QPixmap();
  update();
}

void MemoryMap::setSelected(const QVector<int>& blocks) {
  if (blocks == selected_) return;
  selected_ = blocks;
  const QString said = blocks.isEmpty() || !data_ ? QString() : describe(blocks.first());
  setAccessibleDescription(said);
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
  update();
}

QRectF MemoryMap::plot() const { return QRectF(rect()).adjusted(kLeft, kLegend, -kRight, -kBottom); }

double MemoryMap::xOf(double step) const {
  const QRectF area = plot();
  return area.left() + (step - from_) / (to_ - from_) * area.width();
}

double MemoryMap::yOf(double bytes) const {
  const QRectF area = plot();
  const double all = data_ ? std::max<double>(1, double(std::max(data_->arenaBytes, data_->leastBytes))) : 1;
  return area.bottom() - bytes / all * (area.height() - 2);
}

QRectF MemoryMap::rectOf(const MemoryBlock& b) const {
  const double x0 = xOf(b.first), x1 = xOf(b.last + 1), y0 = yOf(double(b.offset)), y1 = yOf(double(b.offset + b.bytes));
  const double width = std::max(kLeast, x1 - x0), height = std::max(kLeast, y0 - y1);
  return {x0, std::min(y0 - height, y1), width, height};
}

QRectF MemoryMap::blockRect(int block) const {
  if (!data_ || block < 0 || block >= data_->blocks.size()) return {};
  return rectOf(data_->blocks[block]) & plot();
}

int MemoryMap::blockAt(QPointF place) const {
  if (!data_ || !plot().contains(place)) return -1;
  int best = -1;
  double size = 0;
  for (qsizetype i = 0; i < data_->blocks.size(); ++i) {
    const QRectF box = rectOf(data_->blocks[i]);
    // Smaller blocks would be hard to hit.
    const double dx = std::max(0.0, kNearBlock - box.width() / 2), dy = std::max(0.0, kNearBlock - box.height() / 2);
    if (!box.adjusted(-dx, -dy, dx, dy).contains(place)) continue;
    if (best >= 0 && box.width() * box.height() >= size) continue;
    best = int(i);
    size = box.width() * box.height();
  }
  return best;
}

QString MemoryMap::describe(int block) const {
  const MemoryBlock& b = data_->blocks[block];
  const auto name = [this](int step) { return data_->steps.value(step); };
  const int count = b.last - b.first + 1;
  return QStringLiteral("%1\n").arg(b.tensor) + tr("%1 at %2 of the arena").arg(formatBytes(b.bytes), formatBytes(b.offset)) + u'\n' +
         (count == 1 ? tr("used in step %1: %2").arg(b.first + 1).arg(name(b.first))
                     : tr("used in %1 steps: from %2 (%3) to %4 (%5)").arg(count).arg(b.first + 1).arg(name(b.first)).arg(b.last + 1).arg(name(b.last)));
}

QString MemoryMap::describeStep(int step) const {
  return tr("step %1: %2\n%3 in use").arg(step + 1).arg(data_->steps.value(step), formatBytes(data_->inUse.value(step)));
}

void MemoryMap::setRange(double from, double to) {
  if (!data_) return;
  const double all = std::max<double>(1, double(data_->steps.size())), width = std::clamp(to - from, std::min(all, kFewestSteps), all);
  from = std::clamp(from, 0.0, all - width);
  if (from == from_ && from + width == to_) return;
  from_ = from;
  to_ = from + width;
  changed();
}

void MemoryMap::zoom(double factor, double around) { setRange(around - (around - from_) * factor, around + (to_ - around) * factor); }

void MemoryMap::paintBlocks(QPainter& p) const {
  const Theme& theme = Theme::current();
  const bool bold = theme.kind() == Theme::Kind::HighContrast;
  for (const MemoryBlock& b : data_->blocks) {
    if (b.last + 1 < from_ || b.first > to_) continue;
    const QRectF box = rectOf(b);
    const QColor fill = groundOf(b);
    // A gap separates neighbours where there is room.
    const bool roomy = box.width() >= 4 && box.height() >= 4;
    if (roomy && bold) p.fillRect(box, theme.color(Role::Border));
    p.fillRect(!roomy ? box : bold ? box.adjusted(1, 1, -1, -1) : box.adjusted(0, 0, -1, -1), fill);
    paintName(p, b, fill);
  }
}

/// Paints the node's name if there is room for it on the block.
void MemoryMap::paintName(QPainter& p, const MemoryBlock& b, const QColor& ground) const {
  const QRectF seen = rectOf(b) & plot();
  if (seen.width() < kLabelWidth || seen.height() < kLabelHeight) return;
  p.setFont(Theme::current().smallFont());
  p.setPen(readableOn(ground));
  p.drawText(seen.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, elideName(b.node, QFontMetricsF(Theme::current().smallFont()), seen.width() - 8));
}

void MemoryMap::paintAxes(QPainter& p) const {
  const Theme& theme = Theme::current();
  const QRectF area = plot();
  p.setFont(theme.monoSmallFont());
  const auto label = [&](const QRectF& box, int align, const QString& text) {
    p.setPen(theme.color(Role::Text3));
    p.drawText(box, align, text);
  };
  const int lines = std::max(1, int(area.height() / 36));
  for (const Tick& t : linearTicks(0, double(std::max(data_->arenaBytes, data_->leastBytes)), lines)) {
    const double y = std::round(yOf(t.at));
    p.setPen(theme.color(Role::Grid));
    p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    label(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter, formatBytes(qint64(t.at)));
  }
  label(QRectF(0, area.bottom() + 3, kLeft - 6, 15), Qt::AlignRight | Qt::AlignVCenter, tr("step"));
  double free = area.left() - 20;  // right end of the last label
  for (const Tick& t : linearTicks(from_, to_, std::max(2, int(area.width() / 80)))) {
    if (t.at != std::floor(t.at)) continue;
    const double x = xOf(t.at + 0.5);
    if (t.at >= double(data_->steps.size()) || x < area.left() || x - 24 < free) continue;
    free = x + 24;
    label(QRectF(x - 32, area.bottom() + 3, 64, 15), Qt::AlignCenter, formatCount(qint64(t.at) + 1));
  }
}

/// Of several steps in one pixel column, the maximum. All lines are horizontal or vertical: rectangles are a hundred times faster than a path with many
/// corners.
void MemoryMap::paintCurve(QPainter& p) const {
  const Theme& theme = Theme::current();
  const QRectF area = plot();
  const int first = std::max(0, int(std::floor(from_))), last = std::min(int(data_->inUse.size()), int(std::ceil(to_)));
  const int stride = std::max(1, int((to_ - from_) / std::max(1.0, area.width())));
  std::vector<QRectF> lines;
  double before = -1;
  for (int s = first; s < last; s += stride) {
    const int end = std::min(last, s + stride);
    const double y = std::round(yOf(double(*std::max_element(data_->inUse.begin() + s, data_->inUse.begin() + end))));
    const double x0 = std::round(xOf(s)), x1 = std::round(xOf(end));
    if (before >= 0 && y != before) lines.push_back(QRectF(x0 - 1, std::min(y, before) - 1, 2, std::abs(y - before) + 2));
    lines.push_back(QRectF(x0, y - 1, x1 - x0, 2));
    before = y;
  }
  QColor halo = theme.color(Role::Surface2);
  halo.setAlphaF(0.5f);
  for (const QRectF& line : lines) p.fillRect(line.adjusted(-1, -1, 1, 1), halo);
  for (const QRectF& line : lines) p.fillRect(line, theme.color(Role::Text1));
  const double least = std::round(yOf(double(data_->leastBytes))) + 0.5, arena = std::round(yOf(double(data_->arenaBytes))) + 0.5;
  p.setPen(QPen(theme.color(Role::BorderStrong), 1));
  p.drawLine(QPointF(area.left(), arena), QPointF(area.right(), arena));
  p.setPen(QPen(theme.color(Role::Error), 2, Qt::DashLine));
  p.drawLine(QPointF(area.left(), least), QPointF(area.right(), least));
}

void MemoryMap::paintLegend(QPainter& p) const {
  const Theme& theme = Theme::current();
  p.setFont(theme.smallFont());
  const QFontMetricsF metrics(theme.smallFont());
  double x = kLeft;
  const double middle = std::round(kLegend / 2) + 0.5;
  const auto say = [&](const QString& text) {
    p.setPen(theme.color(Role::Text2));
    const double width = metrics.horizontalAdvance(text);
    p.drawText(QRectF(x, 0, width + 2, kLegend), Qt::AlignVCenter | Qt::AlignLeft, text);
    x += width + 16;
  };
  const auto line = [&](const QPen& pen, const QString& text) {
    if (x + 22 + metrics.horizontalAdvance(text) > width()) return;
    p.setPen(pen);
    p.drawLine(QPointF(x, middle), QPointF(x + 18, middle));
    x += 22;
    say(text);
  };
  line(QPen(theme.color(Role::Text1), 2), tr("in use"));
  line(QPen(theme.color(Role::Error), 2, Qt::DashLine), tr("lower bound: %1").arg(formatBytes(data_->leastBytes)));
  line(QPen(theme.color(Role::BorderStrong), 1), tr("arena: %1").arg(formatBytes(data_->arenaBytes)));
  QStringList categories;
  for (const MemoryBlock& b : data_->blocks) {
    if (b.opCategory.isEmpty() || categories.contains(b.opCategory)) continue;
    categories << b.opCategory;
    const QString title = opCategoryTitle(b.opCategory);
    if (x + 14 + metrics.horizontalAdvance(title) > width()) return;
    p.fillRect(QRectF(x, middle - 4.5, 9, 9), colorOf(b));
    x += 14;
    say(title);
  }
}

void MemoryMap::paintEvent(QPaintEvent*) {
  QElapsedTimer clock;
  clock.start();
  const Theme& theme = Theme::current();
  QPainter p(this);
  const double ratio = devicePixelRatioF();
  if (picture_.isNull()) {
    picture_ = QPixmap((QSizeF(size()) * ratio).toSize().expandedTo({1, 1}));
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(theme.color(Role::Surface2));
    if (data_ && !data_->steps.isEmpty()) {
      QPainter inside(&picture_);
      paintAxes(inside);
      paintLegend(inside);
      inside.setClipRect(plot());
      paintBlocks(inside);
      paintCurve(inside);
    }
  }
  p.drawPixmap(0, 0, picture_);
  if (data_) {
    p.setClipRect(plot());
    if (hoveredStep_ >= 0) {
      p.setPen(theme.color(Role::BorderStrong));
      const double x = std::round(xOf(hoveredStep_ + 0.5)) + 0.5;
      p.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    }
    const auto frame = [&](int block, const QColor& color, double width) {
      p.setPen(QPen(color, width));
      p.drawRect(rectOf(data_->blocks[block]).adjusted(-0.5, -0.5, 0.5, 0.5));
    };
    QColor tint = theme.color(Role::Accent);
    tint.setAlphaF(0.4f);  // keeps name and curve readable
    for (const int block : selected_) {
      const MemoryBlock& b = data_->blocks[block];
      p.fillRect(rectOf(b), tint);
      paintName(p, b, mix(theme.color(Role::Accent), groundOf(b), 0.4));
      frame(block, theme.color(Role::Text1), 2);
    }
    if (hovered_ >= 0) frame(hovered_, theme.color(Role::Accent), 2);
    p.setClipping(false);
  }
  if (hasFocus()) {
    p.setPen(QPen(theme.color(Role::Focus), theme.metrics().focusRing));
    p.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
  }
  times_.add(double(clock.nsecsElapsed()) / 1e6);
}

void MemoryMap::hover(int block, QPointF place) {
  const int step = data_ && !data_->steps.isEmpty() && plot().contains(place)
                       ? std::clamp(int(from_ + (place.x() - plot().left()) / plot().width() * (to_ - from_)), 0, int(data_->steps.size()) - 1)
                       : -1;
  if (block == hovered_ && step == hoveredStep_) return;
  hovered_ = block;
  hoveredStep_ = step;
  setCursor(block >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void MemoryMap::mouseMoveEvent(QMouseEvent* event) {
  const int block = blockAt(event->position());
  hover(block, event->position());
  if (block >= 0) QToolTip::showText(event->globalPosition().toPoint(), describe(block), this);
  else if (hoveredStep_ >= 0) QToolTip::showText(event->globalPosition().toPoint(), describeStep(hoveredStep_), this);
  else QToolTip::hideText();
}

void MemoryMap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  if (const int block = blockAt(event->position()); block >= 0) goTo(block);
}

void MemoryMap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const int block = blockAt(event->position()); block >= 0) emit blockActivated(block);
}

void MemoryMap::leaveEvent(QEvent*) { hover(-1, {-1, -1}); }

void MemoryMap::wheelEvent(QWheelEvent* event) {
  const double turns = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
  if (event->modifiers() & Qt::ControlModifier) zoom(std::pow(0.8, turns), from_ + (event->position().x() - plot().left()) / plot().width() * (to_ - from_));
  else if (event->modifiers() & Qt::ShiftModifier) setRange(from_ - turns * (to_ - from_) * 0.1, to_ - turns * (to_ - from_) * 0.1);
  else return QWidget::wheelEvent(event);
  event->accept();
}

int MemoryMap::neighbour(int key) const {
  if (byTime_.isEmpty()) return -1;
  if (selected_.isEmpty()) return byTime_.first();
  const int at = selected_.first();
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const qsizetype next = byTime_.indexOf(at) + (key == Qt::Key_Right ? 1 : -1);
    return next >= 0 && next < byTime_.size() ? byTime_[next] : at;
  }
  const MemoryBlock& here = data_->blocks[at];
  int best = at;
  for (qsizetype i = 0; i < data_->blocks.size(); ++i) {
    const MemoryBlock& b = data_->blocks[i];
    if (b.last < here.first || b.first > here.last) continue;
    const bool above = key == Qt::Key_Up;
    if (above ? b.offset <= here.offset : b.offset >= here.offset) continue;
    if (best == at || (above ? b.offset < data_->blocks[best].offset : b.offset > data_->blocks[best].offset)) best = int(i);
  }
  return best;
}

void MemoryMap::goTo(int block) {
  const MemoryBlock& b = data_->blocks[block];
  setSelected({block});
  const double width = to_ - from_;
  if (b.last < from_ || b.first >= to_) setRange(b.first - width / 2, b.first + width / 2);
  emit blockClicked(block);
}

void MemoryMap::keyPressEvent(QKeyEvent* event) {
  if (!data_ || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
  const double width = to_ - from_, part = event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1;
  switch (event->key()) {
    case Qt::Key_W: return zoom(0.8, from_ + width / 2);
    case Qt::Key_S: return zoom(1.25, from_ + width / 2);
    case Qt::Key_A: return setRange(from_ - width * part, to_ - width * part);
    case Qt::Key_D: return setRange(from_ + width * part, to_ + width * part);
    case Qt::Key_Home: return setRange(0, double(data_->steps.size()));
    case Qt::Key_F:
      if (!selected_.isEmpty()) {
        const MemoryBlock& b = data_->blocks[selected_.first()];
        const double room = std::max(2.0, (b.last - b.first + 1) * 0.25);
        setRange(b.first - room, b.last + 1 + room);
      }
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (const int block = neighbour(event->key()); block >= 0) goTo(block);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!selected_.isEmpty()) emit blockActivated(selected_.first());
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void MemoryMap::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void MemoryMap::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void MemoryMap::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  changed();
}

void MemoryMap::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) changed();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
