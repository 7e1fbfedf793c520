#include "main_window/help_drawings.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "adapters/control_flow.h"
#include "common/background.h"
#include "common/theme.h"
#include "graph_view/drawn_model.h"
#include "graph_view/graph_view.h"

namespace weft::app {
namespace {

constexpr int kMostPictures = 60;
constexpr int kFrames = 5;  // the canvas draws a limited number of tiles per frame and the rest in the next ones
constexpr int kMostSlices = 400;
constexpr int kSmallHeight = 220, kLargeHeight = 420, kManyNodes = 12;
constexpr int kDrawingMargin = 10;

constexpr int kFaint = 20;  // the background dots differ less from the background than anything drawn on it

/// The picture without its empty margins.
QImage cropped(const QImage& image, double ratio) {
  const QRgb ground = image.pixel(0, 0);
  const auto isGround = [ground](QRgb p) {
    return std::abs(qRed(p) - qRed(ground)) < kFaint && std::abs(qGreen(p) - qGreen(ground)) < kFaint && std::abs(qBlue(p) - qBlue(ground)) < kFaint;
  };
  QRect used;
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    int from = 0, to = image.width() - 1;
    while (from <= to && isGround(line[from])) ++from;
    while (to >= from && isGround(line[to])) --to;
    if (from <= to) used = used.united(QRect(from, y, to - from + 1, 1));
  }
  const int margin = int(kDrawingMargin * ratio);
  used = used.adjusted(-margin, -margin, margin, margin).intersected(image.rect());
  QImage out = used.isEmpty() ? image : image.copy(used);
  out.setDevicePixelRatio(ratio);
  return out;
}

}  // namespace

HelpDrawings::HelpDrawings(QObject* parent) : QObject(parent) {
  timer_.setInterval(8);
  connect(&timer_, &QTimer::timeout, this, &HelpDrawings::slice);
}

HelpDrawings::~HelpDrawings() = default;

QImage HelpDrawings::picture(const QString& function, int width, double ratio) {
  width = std::clamp(width, 200, 1400);
  const QString key = QStringLiteral("%1 %2 %3 %4").arg(function).arg(width).arg(ratio).arg(widgets::Theme::current().color(widgets::Role::Surface0).rgb());
  if (const auto it = pictures_.constFind(key); it != pictures_.constEnd()) return *it;
  const bool known = (busy_ && present_.key == key) || std::any_of(waiting_.begin(), waiting_.end(), [&](const Job& j) { return j.key == key; });
  if (!known) {
    waiting_ = {Job{function, key, width, ratio}};  // drop jobs of pages that were left
    if (!busy_) next();
  }
  return {};
}

void HelpDrawings::next() {
  if (waiting_.isEmpty()) return;
  busy_ = true;
  present_ = waiting_.takeFirst();
  const auto example = std::make_shared<ApiExamplePtr>();
  widgets::inBackground(
      this, [example, function = present_.function] { *example = apiExample(function); }, [this, example, job = present_] { begin(job, *example); });
}

void HelpDrawings::begin(const Job& job, const ApiExamplePtr& example) {
  if (!example || !example->contents) {
    busy_ = false;
    emit drawn(job.function);  // the page shows the result
    next();
    return;
  }
  const GraphArrays& arrays = example->contents->arrays;
  auto model = std::make_unique<widgets::DrawnGraph>();
  model->facts = flowFactsOf(*example->contents);
  model_ = std::move(model);
  model_->nodes = arrays.nodes;
  model_->scopes = arrays.scopes;
  model_->edges = arrays.edges;
  view_ = std::make_unique<widgets::GraphView>();
  view_->setMotion(false);
  view_->setMinimapVisible(false);
  view_->setAttribute(Qt::WA_DontShowOnScreen);
  view_->resize(job.width, arrays.nodes.size() > kManyNodes ? kLargeHeight : kSmallHeight);
  slices_ = 0;
  drawnFrames_ = -1;
  view_->setModel(model_.get());
  timer_.start();
}

void HelpDrawings::slice() {
  if (!view_ || ++slices_ > kMostSlices) return end();
  if (view_->isLayoutPending()) return;
  if (drawnFrames_ < 0) {
    view_->expandAll();
  } else if (drawnFrames_ == 0) {
    view_->ensurePolished();
    view_->fitAll();
    shot_ = QImage(view_->size() * present_.ratio, QImage::Format_RGB32);
    shot_.setDevicePixelRatio(present_.ratio);
  } else {
    view_->render(&shot_, {}, {}, QWidget::DrawWindowBackground);  // without child widgets, which are the canvas's buttons
    if (drawnFrames_ >= kFrames) return end();
  }
  ++drawnFrames_;
}

void HelpDrawings::end() {
  timer_.stop();
  if (!shot_.isNull()) {
    pictures_.insert(present_.key, cropped(shot_, present_.ratio));
    order_ << present_.key;
    while (order_.size() > kMostPictures) pictures_.remove(order_.takeFirst());
  }
  view_.reset();
  model_.reset();
  shot_ = {};
  busy_ = false;
  emit drawn(present_.function);
  next();
}

}  // namespace weft::app
