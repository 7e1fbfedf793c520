#include "main_window/graph_thumbnail.h"

#include <QPainter>

#include "adapters/canvas_drawing.h"
#include "adapters/graph_contents.h"
#include "common/discard.h"
#include "common/theme.h"
#include "graph_view/drawn_model.h"

namespace weft::app {
namespace {
constexpr int kFrames = 4;  // the canvas draws only so many tiles for one frame and shows the rest in the next ones
}

GraphPicture::GraphPicture(QWidget* parent) : QWidget(parent) { setFixedHeight(kThumbnailHeight); }

void GraphPicture::setPicture(const QPixmap& picture) {
  picture_ = picture;
  update();
}

void GraphPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const widgets::Theme& theme = widgets::Theme::current();
  painter.fillRect(rect(), theme.color(widgets::Role::Surface0));
  if (!picture_.isNull()) {
    const QSizeF size = picture_.deviceIndependentSize();
    painter.drawPixmap(QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), picture_);
  }
  painter.fillRect(0, height() - 1, width(), 1, theme.color(widgets::Role::Border));
}

ThumbnailDrawing::ThumbnailDrawing(const GraphContents& contents, double ratio) : view_(new widgets::GraphView), model_(new widgets::DrawnGraph(view_)), ratio_(ratio) {
  model_->nodes = contents.arrays.nodes;
  model_->scopes = contents.arrays.scopes;
  model_->edges = contents.arrays.edges;
  static_cast<widgets::DrawnGraph*>(model_)->drawn = drawingOf(contents);
  view_->setMotion(false);
  view_->setMinimapVisible(false);
  view_->setAttribute(Qt::WA_DontShowOnScreen);
  view_->resize(2 * kThumbnailWidth, 2 * kThumbnailHeight);
}

ThumbnailDrawing::~ThumbnailDrawing() { widgets::discard(view_); }

bool ThumbnailDrawing::drawSlice() {
  if (view_->isLayoutPending()) return false;
  ++slice_;
  if (slice_ == 1) {
    view_->setModel(model_);
    return false;
  }
  if (slice_ == 2) {
    view_->ensurePolished();
    view_->fitAll();
    shot_ = QPixmap(view_->size() * ratio_);
    shot_.setDevicePixelRatio(ratio_);
    return false;
  }
  view_->render(&shot_, {}, {}, QWidget::DrawWindowBackground);  // without its children: the canvas's buttons
  return slice_ >= 2 + kFrames;
}

QPixmap ThumbnailDrawing::picture() const {
  QPixmap shot = shot_;
  shot.setDevicePixelRatio(1);
  shot = shot.scaled(int(kThumbnailWidth * ratio_), int(kThumbnailHeight * ratio_), Qt::KeepAspectRatio, Qt::SmoothTransformation);
  shot.setDevicePixelRatio(ratio_);
  return shot;
}

}  // namespace weft::app
