#include "scatter/scatter_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kReach = 8, kDegreesPerPixel = 0.4, kZoomPerStep = 1.2, kKeyPixels = 40, kKeyDegrees = 10;
constexpr qsizetype kMostPictures = 400, kMostTexts = 60, kMostRings = 2000;
constexpr double kFaded = 0.25;
constexpr qsizetype kMostAtOnce = 250'000;  // points drawn in a paint event, in three dimensions
constexpr int kRestMs = 120;                // without a movement, before all are drawn
const QQuaternion kFirstView = QQuaternion::fromEulerAngles(20, -30, 0);

}  // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 100);
  setAttribute(Qt::WA_OpaquePaintEvent);
  view_.rotation = kFirstView;
  updateColors();
}

void ScatterPlot::setCloud(ScatterCloudPtr cloud, bool keepView) {
  const bool same = cloud && cloud_ && cloud->dimensions == cloud_->dimensions;
  const bool sameRows = cloud && cloud_ && cloud->rows == cloud_->rows;
  cloud_ = std::move(cloud);
  hovered_ = -1;
  if (!sameRows) {
    const bool had = !selection_.empty();
    selection_.clear();
    ringed_.clear();
    hues_.clear();
    current_ = -1;
    if (had) emit selectionChanged();
    emit currentChanged(-1);
  }
  updatePaint();
  if (cloud_ && (!keepView || !same || fitted_)) {
    if (!same) view_.rotation = kFirstView;
    view_ = ScatterView::fitted(*cloud_, size(), view_.rotation);
    fitted_ = true;
  }
  changed();
}

void ScatterPlot::setHues(std::vector<uint8_t> hues, std::function<QColor(int)> colorOf) {
  hues_ = std::move(hues);
  colorOf_ = std::move(colorOf);
  updateColors();
  updatePaint();
  changed();
}

void ScatterPlot::setTexts(std::function<QString(int)> textOf) {
  textOf_ = std::move(textOf);
  update();
}

void ScatterPlot::setPictures(std::function<QImage(int)> pictureOf) {
  pictureOf_ = std::move(pictureOf);
  update();
}

void ScatterPlot::setTool(Tool tool) {
  tool_ = tool;
  updateTool();
}

void ScatterPlot::updateTool() { setCursor(tool_ == Tool::Move ? Qt::ArrowCursor : Qt::CrossCursor); }

void ScatterPlot::setSelection(std::vector<int32_t> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::erase_if(rows, [this](int32_t row) { return !cloud_ || row < 0 || row >= cloud_->rows; });
  if (rows == selection_) return;
  markSelection(false);
  selection_ = std::move(rows);
  updateColors();
  markSelection(true);
  changed();
  emit selectionChanged();
}

void ScatterPlot::markSelection(bool chosen) {
  if (!cloud_ || paint_.paint.size() != size_t(cloud_->count())) return;
  for (const int32_t row : selection_) {
    const int32_t k = cloud_->at[size_t(row)];
    if (k < 0) continue;
    uint16_t& paint = paint_.paint[size_t(k)];
    paint = uint16_t(chosen ? paint | ScatterPaint::kChosen : paint & ~ScatterPaint::kChosen);
  }
}

void ScatterPlot::setCurrent(int row) {
  if (!cloud_ || row >= cloud_->rows) row = -1;
  if (row == current_) return;
  current_ = row;
  update();
  emit currentChanged(row);
}

void ScatterPlot::setRinged(std::vector<int32_t> rows) {
  ringed_ = std::move(rows);
  update();
}

void ScatterPlot::updateColors() {
  const Theme& theme = Theme::current();
  const QColor background = theme.color(Role::Surface0);
  paint_.background = background.rgb();
  for (int hue = 0; hue < ScatterPaint::kChosen; ++hue) {
    const QColor color = colorOf_ && !hues_.empty() ? colorOf_(hue) : theme.categorical(0);
    paint_.colors[hue] = selection_.empty() ? color.rgb() : mix(color, background, kFaded).rgb();
    paint_.colors[hue + ScatterPaint::kChosen] = color.rgb();
  }
}

void ScatterPlot::updatePaint() {
  updateColors();
  paint_.paint.clear();
  if (!cloud_) return;
  paint_.paint.resize(size_t(cloud_->count()), 0);
  if (hues_.size() == size_t(cloud_->rows)) {
    for (size_t k = 0; k < paint_.paint.size(); ++k) paint_.paint[k] = hues_[size_t(cloud_->row[k])];
  }
  markSelection(true);
}

void ScatterPlot::changed() {
  imageValid_ = false;
  slices_.stop();
  update();
}

void ScatterPlot::fit() {
  if (!cloud_) return;
  view_ = ScatterView::fitted(*cloud_, size(), cloud_->dimensions == 3 ? view_.rotation : kFirstView);
  fitted_ = true;
  changed();
}

void ScatterPlot::showRows(const std::vector<int32_t>& rows) {
  if (!cloud_) return;
  const ScatterProjection p = projection();
  QRectF box;
  bool any = false;
  for (const int32_t row : rows) {
    if (row < 0 || row >= cloud_->rows || cloud_->at[size_t(row)] < 0) continue;
    const QPointF at = p.pixel(cloud_->at[size_t(row)]);
    box = any ? box.united(QRectF(at, QSizeF(1e-6, 1e-6))) : QRectF(at, QSizeF(1e-6, 1e-6));
    any = true;
  }
  if (!any || rect().adjusted(20, 20, -20, -20).contains(box.toAlignedRect())) return;
  moveBy(QPointF(rect().center()) - box.center());
  const double factor = std::min({1.0, 0.8 * width() / std::max(1.0, box.width()), 0.8 * height() / std::max(1.0, box.height())});
  if (factor < 1) zoomAt(rect().center(), factor);
}

void ScatterPlot::zoomAt(QPointF pixel, double factor) {
  if (!cloud_) return;
  const double whole = ScatterView::fitted(*cloud_, size(), view_.rotation).scale;
  const double scale = std::clamp(view_.scale * factor, whole * 0.05, whole * 1e5);
  // The place under the pointer stays there.
  const QPointF d((pixel.x() - width() / 2.0), -(pixel.y() - height() / 2.0));
  if (cloud_->dimensions == 3) view_.center = (view_.center * view_.scale + d) / view_.scale - d / scale;
  else view_.center += d / view_.scale - d / scale;
  view_.scale = scale;
  fitted_ = false;
  changed();
}

void ScatterPlot::moveBy(QPointF pixels) {
  view_.center -= QPointF(pixels.x(), -pixels.y()) / view_.scale;
  fitted_ = false;
  changed();
}

void ScatterPlot::turnBy(double right, double down) {
  view_.rotation = (QQuaternion::fromAxisAndAngle(0, 1, 0, float(right)) * QQuaternion::fromAxisAndAngle(1, 0, 0, float(down)) * view_.rotation).normalized();
  fitted_ = false;
  changed();
}

std::optional<QPointF> ScatterPlot::pixelOf(int row) const {
  if (!cloud_ || row < 0 || row >= cloud_->rows || cloud_->at[size_t(row)] < 0) return {};
  return projection().pixel(cloud_->at[size_t(row)]);
}

int ScatterPlot::rowAt(QPointF pixel) const {
  if (!cloud_) return -1;
  const qsizetype k = projection().pointAt(pixel, kReach);
  return k < 0 ? -1 : cloud_->row[size_t(k)];
}

void ScatterPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  if (!cloud_ || cloud_->count() == 0) {
    painter.fillRect(rect(), theme.color(Role::Surface0));
    return;
  }
  const double ratio = devicePixelRatioF();
  const QSize pixels = (QSizeF(size()) * ratio).toSize();
  if (image_.size() != pixels) image_ = QImage(pixels, QImage::Format_RGB32), imageValid_ = false;
  if (!imageValid_) {
    image_.setDevicePixelRatio(1);
    const int stride = cloud_->dimensions == 3 ? int((cloud_->count() + kMostAtOnce - 1) / kMostAtOnce) : 1;
    drawing_.draw(image_, *cloud_, view_, paint_, ratio, !selection_.empty(), stride);
    image_.setDevicePixelRatio(ratio);
    imageValid_ = true;
    if (stride > 1) rest_.start(kRestMs, this);
  }
  painter.drawImage(QPointF(0, 0), image_);
  painter.setRenderHint(QPainter::Antialiasing);
  const ScatterProjection p = projection();
  drawClose(painter, p);
  if (ringed_.size() <= size_t(kMostRings))
    for (const int32_t row : ringed_) drawRing(painter, p, row, 6, QPen(theme.color(Role::Text2), 1.2));
  drawRing(painter, p, current_, 8, QPen(theme.color(Role::Accent), 2));
  if (hovered_ != current_) drawRing(painter, p, hovered_, 7, QPen(theme.color(Role::Text1), 1));
  if (drag_ == Drag::Rectangle || drag_ == Drag::Lasso) {
    QColor inside = theme.color(Role::Accent);
    inside.setAlphaF(0.15F);
    painter.setPen(QPen(theme.color(Role::Accent), 1));
    painter.setBrush(inside);
    if (drag_ == Drag::Rectangle) painter.drawRect(QRectF(pressed_, last_).normalized());
    else painter.drawPolygon(lasso_);
  }
}

void ScatterPlot::startFine() {
  if (!cloud_ || !imageValid_) return;
  fine_ = QImage(image_.size(), QImage::Format_RGB32);
  slice_ = 0;
  slices_.start(0, this);
}

void ScatterPlot::timerEvent(QTimerEvent* event) {
  if (event->timerId() == rest_.timerId()) {
    rest_.stop();
    return startFine();
  }
  if (event->timerId() != slices_.timerId()) return QWidget::timerEvent(event);
  const bool anyChosen = !selection_.empty();
  fineDrawing_.drawSlice(slice_++, fine_, *cloud_, view_, paint_, devicePixelRatioF(), anyChosen);
  if (slice_ < ScatterDrawing::slices(*cloud_, anyChosen)) return;
  slices_.stop();
  fine_.setDevicePixelRatio(devicePixelRatioF());
  image_ = std::exchange(fine_, QImage());
  update();
}

void ScatterPlot::drawRing(QPainter& painter, const ScatterProjection& projection, int row, double radius, const QPen& pen) {
  if (row < 0 || row >= cloud_->rows || cloud_->at[size_t(row)] < 0) return;
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(projection.pixel(cloud_->at[size_t(row)]), radius, radius);
}

/// Pictures and texts of points, where few are in sight. Those that would lie over others are left out.
void ScatterPlot::drawClose(QPainter& painter, const ScatterProjection& projection) {
  if (!pictureOf_ && !textOf_) return;
  std::vector<qsizetype> points = projection.pointsIn(rect(), pictureOf_ ? kMostPictures : kMostTexts);
  if (points.empty()) return;
  if (cloud_->dimensions == 3) std::sort(points.begin(), points.end(), [&](qsizetype a, qsizetype b) { return projection.depth(a) < projection.depth(b); });
  const Theme& theme = Theme::current();
  const bool withTexts = textOf_ && qsizetype(points.size()) <= kMostTexts;
  painter.setFont(theme.smallFont());
  const QFontMetricsF metrics(painter.font());
  const double side = std::clamp(std::sqrt(double(width()) * height() / double(points.size())) * 0.45, 14.0, 64.0);
  std::vector<QRectF> taken;
  std::set<std::pair<int, int>> pictured;
  for (const qsizetype k : points) {
    const int row = cloud_->row[size_t(k)];
    const QPointF at = projection.pixel(k);
    QRectF spot(at.x() - 5, at.y() - 5, 10, 10);
    // Where pictures would hide one another, only some are shown.
    const std::pair<int, int> cell(int(at.x() / (0.8 * side)), int(at.y() / (0.8 * side)));
    const QImage picture = pictureOf_ && pictured.insert(cell).second ? pictureOf_(row) : QImage();
    if (!picture.isNull()) {
      const QSizeF shown = QSizeF(picture.size()).scaled(side, side, Qt::KeepAspectRatio);
      spot = QRectF(QPointF(at.x() - shown.width() / 2, at.y() - shown.height() / 2), shown);
      painter.drawImage(spot, picture);
      painter.setPen(QPen(QColor::fromRgb(paint_.colors[paint_.paint[size_t(k)]]), 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(spot.adjusted(-1, -1, 1, 1));
    }
    if (!withTexts) continue;
    const QString text = metrics.elidedText(textOf_(row).section(u'\n', 0, 0), Qt::ElideRight, 160);
    if (text.isEmpty()) continue;
    const QRectF place(spot.right() + 3, at.y() - metrics.height() / 2, metrics.horizontalAdvance(text) + 2, metrics.height());
    if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(place); })) continue;
    taken.push_back(place);
    QColor behind = theme.color(Role::Surface0);
    behind.setAlphaF(0.7F);
    painter.fillRect(place, behind);
    painter.setPen(theme.color(Role::Text1));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
  }
}

void ScatterPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (fitted_) fit();
  changed();
}

void ScatterPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    updateColors();
    changed();
  }
  QWidget::changeEvent(event);
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return QWidget::mousePressEvent(event);
  drag_ = Drag::Pressed;
  pressed_ = last_ = event->position();
  pressedWith_ = event->modifiers();
  pressedButton_ = event->button();
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_ == Drag::None) return hover(at, event->globalPosition().toPoint());
  if (drag_ == Drag::Pressed) {
    if ((at - pressed_).manhattanLength() < 4) return;
    const bool control = pressedWith_ & Qt::ControlModifier, shift = pressedWith_ & Qt::ShiftModifier;
    if (pressedButton_ == Qt::MiddleButton) drag_ = Drag::Move;
    else if (tool_ == Tool::Lasso || (control && shift)) drag_ = Drag::Lasso;
    else if (tool_ == Tool::Rectangle || control) drag_ = Drag::Rectangle;
    else drag_ = cloud_ && cloud_->dimensions == 3 && !shift ? Drag::Turn : Drag::Move;
    lasso_ = QPolygonF({pressed_});
  }
  const QPointF by = at - last_;
  last_ = at;
  if (drag_ == Drag::Move) return moveBy(by);
  if (drag_ == Drag::Turn) return turnBy(by.x() * kDegreesPerPixel, by.y() * kDegreesPerPixel);
  if (drag_ == Drag::Lasso) lasso_ << at;
  update();
}

void ScatterPlot::endSelecting(bool add) {
  const QPolygonF polygon = drag_ == Drag::Lasso ? lasso_ : QPolygonF(QRectF(pressed_, last_).normalized());
  std::vector<int32_t> rows = projection().rowsIn(polygon);
  if (add) rows.insert(rows.end(), selection_.begin(), selection_.end());
  drag_ = Drag::None;
  update();
  setSelection(std::move(rows));
}

void ScatterPlot::mouseReleaseEvent(QMouseEvent* event) {
  if (drag_ == Drag::None || event->button() != pressedButton_) return;
  if (!cloud_) {
    drag_ = Drag::None;
    return;
  }
  const bool add = tool_ == Tool::Move ? bool(pressedWith_ & Qt::AltModifier) : bool(pressedWith_ & Qt::ControlModifier);
  if (drag_ == Drag::Rectangle || drag_ == Drag::Lasso) return endSelecting(add);
  const bool clicked = drag_ == Drag::Pressed && pressedButton_ == Qt::LeftButton;
  drag_ = Drag::None;
  if (!clicked) return;
  const int row = rowAt(event->position());
  std::vector<int32_t> rows;
  if (pressedWith_ & Qt::ControlModifier) {
    rows = selection_;
    if (row >= 0 && std::erase(rows, row) == 0) rows.push_back(row);
  } else if (row >= 0) {
    rows = {row};
  }
  setSelection(std::move(rows));
  setCurrent(row);
}

void ScatterPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) fit();
}

void ScatterPlot::wheelEvent(QWheelEvent* event) {
  const QPoint fine = event->pixelDelta();
  if (!fine.isNull() && !(event->modifiers() & Qt::ControlModifier) && event->phase() != Qt::NoScrollPhase) moveBy(fine);
  else zoomAt(event->position(), std::pow(kZoomPerStep, event->angleDelta().y() / 120.0));
  event->accept();
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
  const bool turns = cloud_ && cloud_->dimensions == 3 && !(event->modifiers() & Qt::ShiftModifier);
  const auto go = [&](int x, int y) { turns ? turnBy(x * kKeyDegrees, y * kKeyDegrees) : moveBy(QPointF(-x, -y) * kKeyPixels); };
  switch (event->key()) {
    case Qt::Key_Left: return go(-1, 0);
    case Qt::Key_Right: return go(1, 0);
    case Qt::Key_Up: return go(0, -1);
    case Qt::Key_Down: return go(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomAt(rect().center(), kZoomPerStep);
    case Qt::Key_Minus: return zoomAt(rect().center(), 1 / kZoomPerStep);
    case Qt::Key_Home: return fit();
    case Qt::Key_Escape:
      drag_ = Drag::None;
      setSelection({});
      setCurrent(-1);
      update();
      return;
    default: QWidget::keyPressEvent(event);
  }
}

void ScatterPlot::hover(QPointF at, QPoint global) {
  const int row = rowAt(at);
  if (row == hovered_) return;
  hovered_ = row;
  update();
  if (row >= 0 && textOf_) QToolTip::showText(global, textOf_(row), this);
  else QToolTip::hideText();
}

void ScatterPlot::leaveEvent(QEvent* event) {
  if (hovered_ >= 0) {
    hovered_ = -1;
    update();
  }
  QWidget::leaveEvent(event);
}

}  // namespace weft::widgets
