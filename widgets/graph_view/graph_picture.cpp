#include "graph_view/graph_picture.h"

#include "common/theme.h"
#include "graph_view/color_table.h"
#include "graph_view/scene_painter.h"

namespace weft::widgets {
namespace {
constexpr double kMargin = 24;
}

struct GraphPicture::Impl {
  Scene scene;
  ColorTable colors;
  ColorMode mode = ColorMode::Category;
  Viewport view;
  QSize size;
};

GraphPicture::GraphPicture(const GraphModel& model, const QStringList& open, ColorMode mode) : impl_(std::make_unique<Impl>()) {
  Scene& scene = impl_->scene;
  scene.reset(&model);
  for (int i = 0; i < scene.scopeCount(); ++i) scene.open()[static_cast<size_t>(i)] = open.contains(scene.scopeName(i));
  scene.rebuild();
  impl_->mode = mode;
  impl_->colors = ColorTable::make(scene, mode, Theme::current());
  const QRectF bounds = scene.bounds().adjusted(-kMargin, -kMargin, kMargin, kMargin);
  impl_->view.offset = bounds.topLeft();
  impl_->size = bounds.size().toSize();
}

GraphPicture::~GraphPicture() = default;

QSize GraphPicture::size() const { return impl_->size; }

void GraphPicture::paint(QPainter& painter) const {
  const QRectF all(QPointF(0, 0), QSizeF(impl_->size));
  painter.fillRect(all, Theme::current().color(Role::Surface0));
  ScenePainter(impl_->scene, Theme::current(), impl_->colors, impl_->mode).paint(painter, impl_->view, all);
}

}  // namespace weft::widgets
