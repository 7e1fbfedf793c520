#include "graph_view/canvas_bench.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QThread>
#include <QWheelEvent>
#include <cmath>

#include "graph_view/graph_view.h"

namespace weft::widgets {
namespace {

class Bench {
 public:
  Bench(GraphModel& model, const CanvasBenchOptions& options) : model_(model), options_(options) {}

  CanvasBench run() {
    CanvasBench result;
    QElapsedTimer timer;
    timer.start();
    view_.resize(options_.size);
    view_.setMotion(false);
    handle([&] { view_.setModel(&model_); });
    view_.waitForLayout();
    result.layoutMs = view_.lastLayoutMs();
    view_.show();
    paint(nullptr);
    result.firstPictureMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    settle();
    view_.expandGroups();  // frames are measured with as many items visible as possible
    view_.waitForLayout();
    view_.fitAll();
    settle();

    result.expand = expand();
    result.zoom = zoom();
    result.pan = pan();
    result.edit = edit();
    result.all = all_.stats();
    result.handlers = handlers_.stats();
    result.visibleItems = view_.visibleItemCount();
    return result;
  }

 private:
  // Paints one frame, as the window system would request it.
  void paint(FrameTimes* times) {
    view_.resetFrameTimes();
    view_.repaint();
    const FrameStats frame = view_.frameTimes();
    if (times == nullptr || frame.count == 0) return;
    times->add(frame.maxMs);
    all_.add(frame.maxMs);
  }

  void settle() {
    for (int i = 0; i < 40; ++i) {
      QCoreApplication::processEvents();
      view_.repaint();
    }
  }

  template <typename F>
  void handle(F&& step) {
    QElapsedTimer timer;
    timer.start();
    step();
    handlers_.add(static_cast<double>(timer.nsecsElapsed()) / 1e6);
  }

  void frame(FrameTimes& times) {
    paint(&times);
    QCoreApplication::processEvents();
    // Large graphs are laid out on a worker: frames go on meanwhile, and taking the result counts as a handler.
    while (view_.isLayoutPending()) {
      paint(&times);
      QThread::msleep(4);
      handle([&] { QCoreApplication::sendPostedEvents(&view_, QEvent::MetaCall); });
      if (!view_.isLayoutPending()) paint(&times);
    }
  }

  FrameStats pan() {
    FrameTimes times;
    for (int i = 0; i < options_.panSteps; ++i) {
      const double angle = i * 0.11;
      handle([&] { view_.panBy(QPointF(std::cos(angle) * 60, std::sin(angle * 0.7) * 45)); });
      frame(times);
    }
    return times.stats();
  }

  FrameStats zoom() {
    FrameTimes times;
    for (int i = 0; i < options_.zoomSteps; ++i) {
      const int delta = (i / 20) % 2 == 0 ? 120 : -120;
      const QPointF at(options_.size.width() * 0.4, options_.size.height() * 0.5);
      QWheelEvent wheel(at, at, {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
      handle([&] { QCoreApplication::sendEvent(&view_, &wheel); });
      frame(times);
    }
    return times.stats();
  }

  FrameStats expand() {
    FrameTimes times;
    const int scopes = model_.scopeCount();
    std::vector<int> opened;
    for (int i = 0, s = 0; i < options_.expandSteps && s < scopes; ++s) {
      if (view_.itemRect(Item::scope(s)).isEmpty() || view_.isExpanded(s)) continue;
      handle([&] { view_.setExpanded(s, true); });
      frame(times);
      opened.push_back(s);
      ++i;
      // Every third scope is closed again, to measure both directions.
      if (i % 3 == 0) {
        handle([&] { view_.setExpanded(opened.back(), false); });
        frame(times);
        opened.pop_back();
      }
    }
    handle([&] { view_.fitAll(); });
    frame(times);
    settle();
    return times.stats();
  }

  FrameStats edit() {
    FrameTimes times;
    if (!options_.edit) return times.stats();
    for (int i = 0; i < options_.editSteps; ++i) {
      if (options_.prepareEdit) options_.prepareEdit(i);
      handle([&] { options_.edit(i); });
      frame(times);
    }
    return times.stats();
  }

  GraphModel& model_;
  const CanvasBenchOptions& options_;
  GraphView view_;
  FrameTimes all_, handlers_;
};

}  // namespace

CanvasBench runCanvasBench(GraphModel& model, const CanvasBenchOptions& options) {
  Bench bench(model, options);
  return bench.run();
}

}  // namespace weft::widgets
