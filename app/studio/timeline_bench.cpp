#include "studio/timeline_bench.h"

#include <sys/resource.h>

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdio>

#include "adapters/profile_contents.h"
#include "studio/options.h"
#include "timeline/timeline_bench.h"

namespace weft::app {
namespace {

QJsonObject statsJson(const widgets::FrameStats& s) {
  return {
      {QStringLiteral("count"), s.count}, {QStringLiteral("median_ms"), s.medianMs}, {QStringLiteral("p99_ms"), s.p99Ms}, {QStringLiteral("max_ms"), s.maxMs}};
}

}  // namespace

int runTimelineBench(const StudioOptions& options) {
  QElapsedTimer timer;
  timer.start();
  std::shared_ptr<const widgets::TimelineData> data;
  if (!options.benchFile.isEmpty()) {
    const ProfileOutcome outcome = readProfile(options.benchFile, nullptr);
    if (!outcome.profile) {
      std::fprintf(stderr, "weft-studio: %s\n", qPrintable(outcome.error));
      return 1;
    }
    data = outcome.profile->timeline;
  } else {
    auto made = std::make_shared<widgets::TimelineData>();
    widgets::fillMadeTimeline(*made, options.benchItems > 0 ? options.benchItems : 1000000);
    data = std::move(made);
  }
  const double readMs = double(timer.nsecsElapsed()) * 1e-6;
  widgets::TimelineBenchOptions bench;
  if (options.size) bench.size = *options.size;
  const widgets::TimelineBench result = widgets::runTimelineBench(data, bench);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double peak = double(usage.ru_maxrss) / 1024;
  const std::pair<const char*, const widgets::FrameStats*> rows[] = {{"pan", &result.pan},       {"zoom", &result.zoom}, {"select", &result.select},
                                                                     {"search", &result.search}, {"gaps", &result.gaps}, {"all", &result.all}};
  if (options.json) {
    QJsonObject report{{QStringLiteral("bench"), QStringLiteral("timeline")},
                       {QStringLiteral("slices"), data->sliceCount()},
                       {QStringLiteral("rows"), data->rowCount()},
                       {QStringLiteral("read_ms"), readMs},
                       {QStringLiteral("first_picture_ms"), readMs + result.firstPictureMs},
                       {QStringLiteral("peak_memory_mb"), peak}};
    for (const auto& [name, s] : rows) report.insert(QLatin1String(name), statsJson(*s));
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
  }
  std::printf("%d slices in %d rows; read %.0f ms, first picture %.0f ms, peak memory %.0f MB\n", data->sliceCount(), data->rowCount(), readMs,
              readMs + result.firstPictureMs, peak);
  for (const auto& [name, s] : rows)
    std::printf("%-8s %4d frames  median %6.1f ms  p99 %6.1f ms  max %6.1f ms\n", name, s->count, s->medianMs, s->p99Ms, s->maxMs);
  return 0;
}

}  // namespace weft::app
