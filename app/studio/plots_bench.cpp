#include "studio/plots_bench.h"

#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <cstdio>
#include <random>

#include "common/card_grid.h"
#include "graph_view/frame_times.h"
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

QJsonObject statsJson(const widgets::FrameStats& s) {
  return {{QStringLiteral("count"), s.count}, {QStringLiteral("median_ms"), s.medianMs}, {QStringLiteral("p99_ms"), s.p99Ms}, {QStringLiteral("max_ms"), s.maxMs}};
}

/// Calls `what`, then adds the time that it took with the painting that it caused.
template <typename F>
void frame(widgets::FrameTimes& times, QWidget& widget, F&& what) {
  QElapsedTimer clock;
  clock.start();
  what();
  widget.repaint();
  times.add(double(clock.nsecsElapsed()) * 1e-6);
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

  widgets::FrameTimes browse, chart, zoom, live;
  // Scrolled from end to end; what a timer would do in slices is done in the frame itself: the worst case.
  for (int i = 0; i < tags; i += 3) {
    frame(browse, grid, [&] { grid.cards()->scrollTo(names[i]); });
    QApplication::processEvents();
    grid.refreshNow();
    for (QWidget* card : grid.cards()->cards()) {
      if (!card->isVisible() || card->visibleRegion().isEmpty()) continue;
      auto* plot = static_cast<widgets::ScalarPlot*>(card);
      frame(chart, *card, [&] { plot->refreshNow(); });
      if (chart.stats().count >= 2000) break;
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
  grid.setSmoothing(0.9);
  grid.refreshNow();
  grid.repaint();
  const double smoothMs = double(clock.nsecsElapsed()) * 1e-6;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("plots")},
                           {QStringLiteral("series"), series},
                           {QStringLiteral("points"), qint64(series) * kPoints},
                           {QStringLiteral("fill_ms"), fillMs},
                           {QStringLiteral("first_picture_ms"), firstMs},
                           {QStringLiteral("chart"), statsJson(chart.stats())},
                           {QStringLiteral("scroll"), statsJson(browse.stats())},
                           {QStringLiteral("zoom"), statsJson(zoom.stats())},
                           {QStringLiteral("live"), statsJson(live.stats())},
                           {QStringLiteral("smoothing_ms"), smoothMs},
                           {QStringLiteral("peak_memory_mb"), double(usage.ru_maxrss) / 1024}};
  if (options.json) {
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
  }
  std::printf("%d series of %d points; filled in %.0f ms, first picture %.0f ms, smoothing changed in %.0f ms, peak memory %.0f MB\n", series, kPoints, fillMs,
              firstMs, smoothMs, double(usage.ru_maxrss) / 1024);
  const std::pair<const char*, widgets::FrameStats> rows[] = {{"chart", chart.stats()}, {"scroll", browse.stats()}, {"zoom", zoom.stats()}, {"live", live.stats()}};
  for (const auto& [name, s] : rows) std::printf("%-8s %4d frames  median %6.1f ms  p99 %6.1f ms  max %6.1f ms\n", name, s.count, s.medianMs, s.p99Ms, s.maxMs);
  return 0;
}

}  // namespace weft::app
