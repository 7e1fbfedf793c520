#include "studio/plots_bench.h"

#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

#include "common/card_grid.h"
#include "graph_view/frame_times.h"
#include "histogram/histogram_plot.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kPoints = 10000, kRunsPerTag = 4;

std::shared_ptr<widgets::SeriesStore> made(int seed) {
  auto store = std::make_shared<widgets::SeriesStore>();
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<double> noise(0, 0.05);
  std::vector<widgets::Sample> samples;
  samples.reserve(kPoints);
  for (int i = 0; i < kPoints; ++i) samples.push_back({double(i), 1.7e9 + i * 0.1, 2.0 / (1 + i * 0.002 * (1 + seed % 7)) + noise(random)});
  store->append(samples);
  return store;
}

/// Wall time, and this thread's processor time, which is the cost of a frame on a busy machine.
struct Times {
  widgets::FrameTimes wall, cpu;
};

double threadMs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

/// Calls `what` and records the time that it took with the painting that it caused.
template <typename F>
void frame(Times& times, QWidget& widget, F&& what) {
  QElapsedTimer clock;
  clock.start();
  const double before = threadMs();
  what();
  widget.repaint();
  times.wall.add(double(clock.nsecsElapsed()) * 1e-6);
  times.cpu.add(threadMs() - before);
}

/// A heat map with as many steps as a curve has points; a step is added before each frame.
void heatMapFrames(Times& times, int steps) {
  auto series = std::make_shared<widgets::HistogramSeries>();
  std::mt19937 random(1);
  const auto grow = [&](int step) {
    widgets::Histogram h;
    h.step = step;
    h.wall = 1.7e9 + step * 0.1;
    h.min = -3;
    h.max = 3;
    for (int b = 0; b < 60; ++b) {
      h.limits.push_back(-3 + 0.1 * (b + 1));
      h.counts.push_back(double(random() % 1000) * std::exp(-0.002 * (b - 30) * (b - 30)));
      h.num += h.counts.back();
    }
    series->append(std::move(h));
  };
  for (int i = 0; i < steps; ++i) grow(i);
  widgets::HistogramPlot plot;
  plot.resize(376, 230);
  plot.setMode(widgets::HistogramPlot::Mode::HeatMap);
  plot.addSeries(QStringLiteral("run 1"), 0, series);
  plot.show();
  plot.refreshNow();
  for (int i = 0; i < 60; ++i) {
    frame(times, plot, [&] {
      grow(steps + i);
      plot.refreshNow();
    });
  }
}

QJsonObject statsJson(const Times& times) {
  const widgets::FrameStats s = times.wall.stats(), c = times.cpu.stats();
  return {{QStringLiteral("count"), s.count},     {QStringLiteral("median_ms"), s.medianMs},     {QStringLiteral("p99_ms"), s.p99Ms},
          {QStringLiteral("max_ms"), s.maxMs},    {QStringLiteral("cpu_median_ms"), c.medianMs}, {QStringLiteral("cpu_p99_ms"), c.p99Ms},
          {QStringLiteral("cpu_max_ms"), c.maxMs}};
}

}  // namespace

int runPlotsBench(const StudioOptions& options) {
  const int series = options.benchItems > 0 ? options.benchItems : 1000, tags = (series + kRunsPerTag - 1) / kRunsPerTag;
  QElapsedTimer clock;
  clock.start();
  widgets::ScalarGrid grid;
  grid.resize(options.size.value_or(QSize(1600, 900)));
  std::vector<std::pair<std::shared_ptr<widgets::SeriesStore>, QString>> all;
  for (int run = 0; run < kRunsPerTag; ++run) grid.addRun(QStringLiteral("run %1").arg(run + 1));
  QStringList names;
  for (int i = 0; i < series; ++i) {
    const QString tag = QStringLiteral("layer%1/metric%2").arg(i / kRunsPerTag / 8, 3, 10, QLatin1Char('0')).arg(i / kRunsPerTag % 8);
    if (names.isEmpty() || names.last() != tag) names << tag;
    all.emplace_back(made(i), tag);
    grid.setSeries(i % kRunsPerTag, tag, all.back().first);
  }
  const double fillMs = double(clock.nsecsElapsed()) * 1e-6;
  clock.restart();
  grid.show();
  grid.refreshNow();
  grid.repaint();
  const double firstMs = double(clock.nsecsElapsed()) * 1e-6;

  Times browse, chart, zoom, live, heat;
  // Scrolls from end to end. Work that a timer would do in slices is done within the frame: the worst case.
  for (int i = 0; i < tags; i += 3) {
    frame(browse, grid, [&] { grid.cards()->scrollTo(names[i]); });
    QApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // as a running event loop would
    grid.refreshNow();
    for (QWidget* card : grid.cards()->cards()) {
      if (!card->isVisible() || card->visibleRegion().isEmpty()) continue;
      auto* plot = static_cast<widgets::ScalarPlot*>(card);
      frame(chart, *card, [&] { plot->refreshNow(); });
      if (chart.wall.stats().count >= 2000) break;
    }
  }
  auto* plot = grid.plot(names.first());
  grid.cards()->scrollTo(names.first());
  grid.refreshNow();
  for (int i = 0; i < 200; ++i) {
    const double width = kPoints * std::pow(0.97, i), middle = kPoints * 0.4;
    frame(zoom, *plot, [&] {
      plot->setXRange(std::pair{middle - width / 2, middle + width / 2});
      plot->refreshNow();
    });
  }
  plot->setXRange(std::nullopt);
  for (int i = 0; i < 200; ++i) {
    frame(live, *plot, [&] {
      for (int run = 0; run < std::min(kRunsPerTag, series); ++run) all[size_t(run)].first->append({double(kPoints + i), 0, 0.1});
      plot->refreshNow();
    });
  }
  clock.restart();
  grid.setSmoothing({widgets::Smoothing::Kind::Ema, 0.9});
  grid.refreshNow();
  grid.repaint();
  const double smoothMs = double(clock.nsecsElapsed()) * 1e-6;
  heatMapFrames(heat, kPoints);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("plots")},
                           {QStringLiteral("series"), series},
                           {QStringLiteral("points"), qint64(series) * kPoints},
                           {QStringLiteral("fill_ms"), fillMs},
                           {QStringLiteral("first_picture_ms"), firstMs},
                           {QStringLiteral("chart"), statsJson(chart)},
                           {QStringLiteral("scroll"), statsJson(browse)},
                           {QStringLiteral("zoom"), statsJson(zoom)},
                           {QStringLiteral("live"), statsJson(live)},
                           {QStringLiteral("heat_map"), statsJson(heat)},
                           {QStringLiteral("smoothing_ms"), smoothMs},
                           {QStringLiteral("peak_memory_mb"), double(usage.ru_maxrss) / 1024}};
  if (options.json) {
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
  }
  std::printf("%d series of %d points; filled in %.0f ms, first picture %.0f ms, smoothing changed in %.0f ms, peak memory %.0f MB\n", series, kPoints, fillMs,
              firstMs, smoothMs, double(usage.ru_maxrss) / 1024);
  const std::pair<const char*, const Times*> rows[] = {{"chart", &chart}, {"scroll", &browse}, {"zoom", &zoom}, {"live", &live}, {"heat map", &heat}};
  for (const auto& [name, times] : rows) {
    const widgets::FrameStats s = times->wall.stats(), c = times->cpu.stats();
    std::printf("%-8s %4d frames  median %6.1f ms  p99 %6.1f ms  max %6.1f ms   processor: median %6.1f ms  p99 %6.1f ms  max %6.1f ms\n", name, s.count,
                s.medianMs, s.p99Ms, s.maxMs, c.medianMs, c.p99Ms, c.maxMs);
  }
  return 0;
}

}  // namespace weft::app
