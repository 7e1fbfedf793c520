#include "studio/canvas_bench.h"

#include <sys/resource.h>

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdio>
#include <memory>
#include <utility>

#include "adapters/control_flow.h"
#include "adapters/file_contents.h"
#include "adapters/tasks.h"
#include "graph_view/canvas_bench.h"
#include "graph_view/drawn_model.h"
#include "studio/options.h"

namespace weft::app {
namespace {

QJsonObject statsJson(const widgets::FrameStats& s) {
  return {
      {QStringLiteral("count"), s.count}, {QStringLiteral("median_ms"), s.medianMs}, {QStringLiteral("p99_ms"), s.p99Ms}, {QStringLiteral("max_ms"), s.maxMs}};
}

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

/// Like a document's model: the snapshot of a change is made on the thread that computes the change.
class BenchModel : public widgets::DrawnGraph {
 public:
  void prepare() { prepared_ = DrawnGraph::snapshot(); }
  std::shared_ptr<const widgets::GraphModel> snapshot() const override { return prepared_ ? std::exchange(prepared_, nullptr) : DrawnGraph::snapshot(); }

 private:
  mutable std::shared_ptr<const widgets::GraphModel> prepared_;
};

}  // namespace

int runBench(const StudioOptions& options) {
  QElapsedTimer timer;
  timer.start();
  BenchModel model;
  double readMs = 0;
  if (!options.benchFile.isEmpty()) {
    TaskState task;
    const FileOutcome outcome = openAnyFile(options.benchFile, task);
    const GraphContentsPtr& graph = outcome.graph.contents;
    if (!graph) {
      const QString why = outcome.error.isEmpty() ? outcome.graph.error : outcome.error;
      std::fprintf(stderr, "weft-studio: %s\n", why.isEmpty() ? "the file holds no graph" : qPrintable(why));
      return 1;
    }
    model.nodes = graph->arrays.nodes;
    model.scopes = graph->arrays.scopes;
    model.edges = graph->arrays.edges;
    model.facts = flowFactsOf(*graph);
    readMs = double(timer.nsecsElapsed()) * 1e-6;
  } else {
    widgets::fillMadeNetwork(model, options.benchItems > 0 ? options.benchItems : 15000);
  }
  widgets::CanvasBenchOptions bench;
  if (options.size) bench.size = *options.size;
  // An edit that gives a node another name.
  bench.prepareEdit = [&model](int step) {
    if (model.nodes.empty()) return;
    model.nodes[size_t(step) % model.nodes.size()].detail = QString::number(step);
    model.prepare();
  };
  bench.edit = [&model](int) { model.commit(); };
  const widgets::CanvasBench result = widgets::runCanvasBench(model, bench);
  const QJsonObject report{{QStringLiteral("bench"), QStringLiteral("canvas")},
                           {QStringLiteral("nodes"), model.nodeCount()},
                           {QStringLiteral("scopes"), model.scopeCount()},
                           {QStringLiteral("edges"), model.edgeCount()},
                           {QStringLiteral("read_ms"), readMs},
                           {QStringLiteral("layout_ms"), result.layoutMs},
                           {QStringLiteral("first_picture_ms"), readMs + result.firstPictureMs},
                           {QStringLiteral("visible_items"), result.visibleItems},
                           {QStringLiteral("pan"), statsJson(result.pan)},
                           {QStringLiteral("zoom"), statsJson(result.zoom)},
                           {QStringLiteral("expand"), statsJson(result.expand)},
                           {QStringLiteral("edit"), statsJson(result.edit)},
                           {QStringLiteral("all"), statsJson(result.all)},
                           {QStringLiteral("handlers"), statsJson(result.handlers)},
                           {QStringLiteral("peak_memory_mb"), peakMegabytes()}};
  if (options.json) {
    std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
    return 0;
  }
  std::printf("%d nodes, %d scopes, %d edges; read %.0f ms, first picture %.0f ms, peak memory %.0f MB\n", model.nodeCount(), model.scopeCount(),
              model.edgeCount(), readMs, readMs + result.firstPictureMs, peakMegabytes());
  const std::pair<const char*, const widgets::FrameStats*> rows[] = {{"pan", &result.pan},   {"zoom", &result.zoom}, {"expand", &result.expand},
                                                                     {"edit", &result.edit}, {"all", &result.all},   {"handler", &result.handlers}};
  for (const auto& [name, s] : rows) {
    std::printf("%-8s %4d frames  median %6.1f ms  p99 %6.1f ms  max %6.1f ms\n", name, s->count, s->medianMs, s->p99Ms, s->maxMs);
  }
  return 0;
}

}  // namespace weft::app
