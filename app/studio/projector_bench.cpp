#include "studio/projector_bench.h"

#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

#include "common/theme.h"
#include "graph_view/frame_times.h"
#include "scatter/scatter_plot.h"
#include "studio/options.h"

namespace weft::app {
namespace {

constexpr int kFrames = 300, kClusters = 20;

/// Clusters of different sizes, as t-SNE makes them.
std::vector<float> madePositions(int rows, int dimensions) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> centers, out;
  for (int i = 0; i < kClusters * dimensions; ++i) centers.push_back(60 * normal(random));
  out.reserve(size_t(rows) * size_t(dimensions));
  for (int i = 0; i < rows; ++i) {
    const int cluster = i % kClusters;
    for (int d = 0; d < dimensions; ++d) out.push_back(centers[size_t(cluster * dimensions + d)] + float(4 + cluster % 7) * normal(random));
  }
  return out;
}

/// Wall time, and this thread's processor time, which is the cost of a frame on a busy machine.
struct Frames {
  const char* name;
  widgets::FrameTimes wall, cpu;
  explicit Frames(const char* what) : name(what) {}
};

double threadMs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

template <typename F>
Frames measured(const char* name, int frames, QWidget& widget, F&& change) {
  Frames out(name);
  for (int i = 0; i < frames; ++i) {
    QElapsedTimer clock;
    clock.start();
    const double before = threadMs();
    change(i);
    widget.repaint();
    out.wall.add(double(clock.nsecsElapsed()) * 1e-6);
    out.cpu.add(threadMs() - before);
  }
  return out;
}

}  // namespace

int runProjectorBench(const StudioOptions& options) {
  const int rows = options.benchItems > 0 ? options.benchItems : 1'000'000;
  const std::vector<float> flat = madePositions(rows, 2), deep = madePositions(rows, 3);
  QElapsedTimer clock;
  clock.start();
  const widgets::ScatterCloudPtr cloud = widgets::ScatterCloud::make(flat, 2);
  const double sortMs = double(clock.nsecsElapsed()) * 1e-6;
  widgets::ScatterPlot plot;
  plot.resize(options.size.value_or(QSize(1600, 900)));
  std::vector<uint8_t> hues(static_cast<size_t>(rows));
  for (size_t i = 0; i < hues.size(); ++i) hues[i] = uint8_t(i % kClusters);
  const auto colorOf = [](int hue) { return widgets::Theme::current().categorical(hue); };
  plot.setCloud(cloud);
  plot.setHues(hues, colorOf);
  plot.show();
  QApplication::processEvents();  // else the window is not exposed, and nothing is painted
  std::vector<Frames> all;
  all.push_back(measured("pan", kFrames, plot, [&](int i) { plot.moveBy({6 * std::cos(i * 0.05), 6 * std::sin(i * 0.05)}); }));
  plot.fit();
  all.push_back(measured("zoom", kFrames, plot, [&](int i) { plot.zoomAt({500, 400}, i % 60 < 30 ? 1.1 : 1 / 1.1); }));
  plot.fit();
  all.push_back(measured("hover", kFrames, plot, [&](int i) { plot.rowAt(QPointF(100 + i * 4, 100 + i * 2)); }));
  std::vector<int32_t> some;
  for (int i = 0; i < rows; i += 10) some.push_back(i);
  all.push_back(measured("select", 40, plot, [&](int i) { plot.setSelection(i % 2 ? some : std::vector<int32_t>()); }));
  all.push_back(measured("pan selected", kFrames, plot, [&](int i) { plot.moveBy({6 * std::cos(i * 0.05), 6 * std::sin(i * 0.05)}); }));
  plot.setSelection({});
  plot.setCloud(widgets::ScatterCloud::make(deep, 3));
  plot.setHues(hues, colorOf);
  all.push_back(measured("turn", kFrames, plot, [&](int) { plot.turnBy(1, 0.3); }));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  QJsonObject report{{QStringLiteral("bench"), QStringLiteral("projector")},
                     {QStringLiteral("points"), rows},
                     {QStringLiteral("sort_ms"), sortMs},
                     {QStringLiteral("peak_memory_mb"), double(usage.ru_maxrss) / 1024}};
  if (!options.json) std::printf("%d points, sorted in %.0f ms, peak memory %.0f MB\n", rows, sortMs, double(usage.ru_maxrss) / 1024);
  for (const Frames& f : all) {
    const widgets::FrameStats s = f.wall.stats(), c = f.cpu.stats();
    if (!options.json)
      std::printf("%-12s %4d frames  median %6.1f ms  p99 %6.1f ms  max %6.1f ms  processor p99 %6.1f ms\n", f.name, s.count, s.medianMs, s.p99Ms, s.maxMs,
                  c.p99Ms);
    report.insert(QString::fromLatin1(f.name).replace(u' ', u'_'), QJsonObject{{QStringLiteral("count"), s.count},
                                                                               {QStringLiteral("median_ms"), s.medianMs},
                                                                               {QStringLiteral("p99_ms"), s.p99Ms},
                                                                               {QStringLiteral("max_ms"), s.maxMs},
                                                                               {QStringLiteral("cpu_median_ms"), c.medianMs},
                                                                               {QStringLiteral("cpu_p99_ms"), c.p99Ms}});
  }
  if (options.json) std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
  return 0;
}

}  // namespace weft::app
