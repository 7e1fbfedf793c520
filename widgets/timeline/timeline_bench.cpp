#include "timeline/timeline_bench.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <cmath>

#include "timeline/timeline_view.h"

namespace weft::widgets {
namespace {

/// All gaps between the slices of each track's first row.
std::shared_ptr<const TimelineGaps> gapsOf(const TimelineData& data) {
  auto gaps = std::make_shared<TimelineGaps>();
  gaps->texts = {QStringLiteral("waits for layer1/MatMul")};
  gaps->categories = {{QStringLiteral("waits for an input"), {}, 0}, {QStringLiteral("scheduling"), {}, 1}};
  gaps->tip = [](int) { return QString(); };
  int count = 0;
  for (const TimelineTrack& track : data.tracks()) {
    TimelineRow& row = gaps->rows.emplace_back();
    std::int64_t until = 0;
    for (const TimelineSlice& s : data.row(track.firstRow).slices()) {
      if (s.start > until) row.add({until, s.start - until, count++, 0, static_cast<std::int16_t>(count % 2)});
      until = s.end();
    }
  }
  gaps->finish(count);
  return gaps;
}

class Bench {
 public:
  Bench(std::shared_ptr<const TimelineData> data, const TimelineBenchOptions& options) : data_(std::move(data)), options_(options) {}

  TimelineBench run() {
    TimelineBench result;
    QElapsedTimer timer;
    timer.start();
    view_.resize(options_.size);
    view_.setData(data_);
    view_.show();
    view_.viewport()->repaint();
    result.firstPictureMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    for (int i = 0; i < 10; ++i) {
      QCoreApplication::processEvents();
      view_.viewport()->repaint();
    }
    const double whole = static_cast<double>(data_->duration());
    result.zoom = frames(options_.zoomSteps, [&](int i) { view_.zoom((i / 30) % 2 == 0 ? 1 / 1.35 : 1.35, whole * (0.3 + 0.1 * std::sin(i))); });
    // Panning at the most expensive zooms: everything, a hundredth, a ten thousandth.
    result.pan = frames(options_.panSteps, [&](int i) {
      const double seen = whole / std::pow(100.0, i / 40);
      const double at = whole * (0.1 + 0.6 * (i % 40) / 40.0);
      view_.setRange(at, at + seen);
    });
    result.select =
        frames(options_.selectSteps, [&](int i) { view_.select(static_cast<int>(static_cast<qint64>(i) * 7919 * 13 % std::max(1, data_->sliceCount()))); });
    view_.fitAll();
    result.search = frames(options_.searchSteps, [&](int i) { view_.setSearch(QStringLiteral("layer%1/").arg(i)); });
    view_.setSearch({});
    view_.setGaps(gapsOf(*data_));
    result.gaps = frames(options_.panSteps, [&](int i) {
      const double seen = whole / std::pow(100.0, i / 40);
      const double at = whole * (0.1 + 0.6 * (i % 40) / 40.0);
      view_.setRange(at, at + seen);
    });
    result.all = all_.stats();
    return result;
  }

 private:
  template <typename F>
  FrameStats frames(int count, F&& step) {
    FrameTimes times;
    for (int i = 0; i < count; ++i) {
      step(i);
      view_.resetFrameTimes();
      view_.viewport()->repaint();
      const FrameStats frame = view_.frameTimes();
      if (frame.count == 0) continue;
      times.add(frame.maxMs);
      all_.add(frame.maxMs);
      QCoreApplication::processEvents();
    }
    return times.stats();
  }

  std::shared_ptr<const TimelineData> data_;
  const TimelineBenchOptions& options_;
  TimelineView view_;
  FrameTimes all_;
};

}  // namespace

TimelineBench runTimelineBench(std::shared_ptr<const TimelineData> data, const TimelineBenchOptions& options) { return Bench(std::move(data), options).run(); }

}  // namespace weft::widgets
