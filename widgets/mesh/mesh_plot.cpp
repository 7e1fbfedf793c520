#include "mesh/mesh_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimerEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kQuickMs = 6;                  // for the drawing in a paint event
constexpr double kSliceMs = 4;                  // for each slice of the complete drawing
constexpr int kRestMs = 120;                    // without a movement, before the complete drawing starts
constexpr qsizetype kMostSmoothed = 1'000'000;  // pixels that are drawn fourfold
constexpr double kPixelsADegree = 2.5;
constexpr double kNearVertex = 7;                   // pixels
constexpr std::size_t kMostPicked = 500'000;        // vertices that are searched while the mouse moves
constexpr double kLeastField = 5, kMostField = 80;  // degrees: the eye stays outside of a mesh that has grown by half
const QQuaternion kFirstView = QQuaternion::fromEulerAngles(20, -30, 0);

}  // namespace

MeshPlot::MeshPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumSize(120, 100);
  setFocusPolicy(Qt::StrongFocus);
  camera_.rotation = kFirstView;
}
MeshPlot::~MeshPlot() = default;

void MeshPlot::show(std::shared_ptr<const Mesh> mesh, int hue) {
  mesh_ = std::move(mesh);
  hue_ = hue;
  if (mesh_ && !mesh_->vertices.empty()) {
    const float beyond = (mesh_->center - camera_.center).length() + mesh_->radius;
    if (!isFitted_ || beyond > 1.5F * camera_.radius || mesh_->radius < camera_.radius / 4) fit();
  }
  redraw();
}

/// Steps of one training keep this scale, so that a mesh that grows is seen to grow.
void MeshPlot::fit() {
  camera_.center = mesh_->center;
  camera_.radius = mesh_->radius > 0 ? mesh_->radius : 1;
  const double field = mesh_->fieldOfView.value_or(45);
  camera_.fieldOfView = field > 0 ? std::clamp(field, kLeastField, kMostField) : 0;
  isFitted_ = true;
}

void MeshPlot::turn(double right, double down) {
  camera_.rotation =
      (QQuaternion::fromAxisAndAngle(0, 1, 0, static_cast<float>(right)) * QQuaternion::fromAxisAndAngle(1, 0, 0, static_cast<float>(down)) * camera_.rotation)
          .normalized();
  emit cameraChanged();
  redraw();
}

void MeshPlot::move(QPointF pixels) {
  camera_.shift += pixels * 2 / std::max(1, std::min(width(), height()));
  emit cameraChanged();
  redraw();
}

void MeshPlot::zoomBy(double factor) {
  camera_.zoom = std::clamp(camera_.zoom * factor, 0.05, 100.0);
  emit cameraChanged();
  redraw();
}

void MeshPlot::resetView() {
  camera_ = MeshCamera();
  camera_.rotation = kFirstView;
  isFitted_ = false;
  if (mesh_ && !mesh_->vertices.empty()) fit();
  emit cameraChanged();
  redraw();
}

void MeshPlot::setCamera(const MeshCamera& camera) {
  camera_ = camera;
  isFitted_ = true;
  redraw();
}

void MeshPlot::redraw() {
  picture_ = QImage();
  fine_.reset();
  slice_.stop();
  rest_.stop();
  update();
}

QSize MeshPlot::pixels() const { return (QSizeF(size()) * devicePixelRatioF()).toSize(); }

void MeshPlot::drawQuickly() {
  MeshDrawing quick(mesh_, camera_, pixels(), devicePixelRatioF(), Theme::current().categorical(hue_).rgb());
  quick.advance(kQuickMs);
  picture_ = quick.image();
  share_ = quick.share();
  rest_.start(kRestMs, this);
}

void MeshPlot::startFine() {
  const QSize size = pixels();
  if (!mesh_ || mesh_->vertices.empty() || size.isEmpty()) return;
  fineScale_ = qsizetype(size.width()) * size.height() <= kMostSmoothed ? 2 : 1;
  fine_ = std::make_unique<MeshDrawing>(mesh_, camera_, size * fineScale_, devicePixelRatioF() * fineScale_, Theme::current().categorical(hue_).rgb());
}

void MeshPlot::advanceFine(double milliseconds) {
  if (!fine_ || !fine_->advance(milliseconds)) return;
  slice_.stop();
  picture_ = fineScale_ == 2 ? fine_->halved() : fine_->image();
  share_ = 1;
  fine_.reset();
  update();
}

void MeshPlot::finish() {
  rest_.stop();
  startFine();
  advanceFine(std::numeric_limits<double>::infinity());
}

bool MeshPlot::isComplete() const { return !picture_.isNull() && !fine_ && !rest_.isActive(); }

int MeshPlot::vertexAt(QPointF pixel) const {
  if (!mesh_ || mesh_->vertices.size() > kMostPicked) return -1;
  return widgets::vertexAt(*mesh_, MeshProjection(camera_, size()), pixel, kNearVertex);
}

QString MeshPlot::describe(int vertex) const {
  if (!mesh_ || vertex < 0 || static_cast<std::size_t>(vertex) >= mesh_->vertices.size()) return {};
  const QVector3D v = mesh_->vertices[static_cast<std::size_t>(vertex)];
  QString out = tr("vertex %1\nx %2, y %3, z %4").arg(QString::number(vertex), formatValue(v.x(), 4), formatValue(v.y(), 4), formatValue(v.z(), 4));
  if (mesh_->colors.empty()) return out;
  const QRgb c = mesh_->colors[static_cast<std::size_t>(vertex)];
  return out + u'\n' + tr("colour %1, %2, %3").arg(qRed(c)).arg(qGreen(c)).arg(qBlue(c));
}

void MeshPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface2));
  if (!mesh_ || mesh_->vertices.empty()) {
    p.setFont(theme.smallFont());
    p.setPen(theme.color(mesh_ && !mesh_->problem.isEmpty() ? Role::Error : Role::Text3));
    const QString words = !mesh_ ? tr("No vertices were logged.") : !mesh_->problem.isEmpty() ? mesh_->problem : tr("The mesh is empty.");
    p.drawText(QRectF(rect()).adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, words);
    return;
  }
  if (pixels().isEmpty()) return;
  if (picture_.isNull()) drawQuickly();
  p.drawImage(QRectF(rect()), picture_);
  if (share_ < 1) {
    p.setFont(theme.smallFont());
    p.setPen(theme.color(Role::Text3));
    p.drawText(QRectF(rect()).adjusted(6, 4, -6, -4), Qt::AlignRight | Qt::AlignTop, tr("%1 % drawn").arg(std::max(1, static_cast<int>(100 * share_))));
  }
  if (!hasFocus()) return;
  p.setPen(QPen(theme.color(Role::Focus), 1));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void MeshPlot::resizeEvent(QResizeEvent*) { redraw(); }

void MeshPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) redraw();
  QWidget::changeEvent(event);
}

void MeshPlot::hideEvent(QHideEvent*) {
  rest_.stop();
  slice_.stop();
  fine_.reset();
  picture_ = QImage();
}

void MeshPlot::timerEvent(QTimerEvent* event) {
  if (event->timerId() == rest_.timerId()) {
    rest_.stop();
    startFine();
    slice_.start(0, this);
  } else if (event->timerId() == slice_.timerId()) {
    advanceFine(kSliceMs);
  }
}

void MeshPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  grabbed_ = event->position();
  QToolTip::hideText();
}

void MeshPlot::mouseMoveEvent(QMouseEvent* event) {
  if (!grabbed_) {
    const int vertex = vertexAt(event->position());
    if (vertex >= 0) QToolTip::showText(event->globalPosition().toPoint(), describe(vertex), this);
    else QToolTip::hideText();
    return;
  }
  const QPointF by = event->position() - *grabbed_;
  grabbed_ = event->position();
  if (event->modifiers() & Qt::ShiftModifier) move(by);
  else turn(by.x() / kPixelsADegree, by.y() / kPixelsADegree);
}

void MeshPlot::mouseReleaseEvent(QMouseEvent*) { grabbed_.reset(); }

void MeshPlot::mouseDoubleClickEvent(QMouseEvent*) { resetView(); }

void MeshPlot::wheelEvent(QWheelEvent* event) {
  // Without Ctrl the wheel scrolls the panel that contains the card.
  if (!(event->modifiers() & Qt::ControlModifier)) return QWidget::wheelEvent(event);
  zoomBy(std::pow(1.0015, event->angleDelta().y()));
  event->accept();
}

void MeshPlot::keyPressEvent(QKeyEvent* event) {
  const bool moves = event->modifiers() & Qt::ShiftModifier;
  const auto go = [&](int x, int y) { moves ? move(QPointF(x, y) * 16) : turn(10 * x, 10 * y); };
  switch (event->key()) {
    case Qt::Key_Left: return go(-1, 0);
    case Qt::Key_Right: return go(1, 0);
    case Qt::Key_Up: return go(0, -1);
    case Qt::Key_Down: return go(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(1.25);
    case Qt::Key_Minus: return zoomBy(0.8);
    case Qt::Key_Home: return resetView();
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace weft::widgets
