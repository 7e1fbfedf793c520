#include "studio/experiments_bench.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QWaitCondition>
#include <cstdio>

#include "adapters/experiment_page.h"
#include "studio/options.h"

namespace weft::app {
namespace {

/// Reads pages one at a time and waits for each.
class Pages {
 public:
  Pages()
      : reader_([this](ExperimentPagePtr page) {
          const QMutexLocker lock(&mutex_);
          page_ = std::move(page);
          there_.wakeAll();
        }) {}
  ExperimentPagePtr read(const ExperimentRequest& request) {
    const QMutexLocker lock(&mutex_);
    page_.reset();
    reader_.read(request);
    while (!page_) there_.wait(&mutex_);
    return page_;
  }

 private:
  QMutex mutex_;
  QWaitCondition there_;
  ExperimentPagePtr page_;
  ExperimentReader reader_;  // the last: its thread uses the others
};

}  // namespace

int runExperimentsBench(const StudioOptions& options) {
  if (!QFileInfo::exists(options.benchFile)) {
    std::fprintf(stderr, "weft-studio: --bench experiments needs --open FILE, a store; \"%s\" is none\n", qPrintable(options.benchFile));
    return 2;
  }
  Pages pages;
  ExperimentRequest request;
  request.file = options.benchFile;
  QJsonObject report{{QStringLiteral("bench"), QStringLiteral("experiments")}};
  QString error;
  const auto timed = [&](const char* name, const ExperimentRequest& wanted) {
    QElapsedTimer clock;
    clock.start();
    const ExperimentPagePtr page = pages.read(wanted);
    const double ms = double(clock.nsecsElapsed()) * 1e-6;
    if (error.isEmpty()) error = page->error;
    report.insert(QLatin1String(name), ms);
    if (!options.json) std::printf("%-18s %8.1f ms  %lld rows, %lld groups\n", name, ms, (long long)page->rows.size(), (long long)page->groups.size());
    return page;
  };
  const ExperimentPagePtr first = timed("first_page_ms", request);
  if (!first->exists || !error.isEmpty() || first->columns.empty()) {
    std::fprintf(stderr, "weft-studio: %s: %s\n", qPrintable(options.benchFile), error.isEmpty() ? "there are no runs" : qPrintable(error));
    return 1;
  }
  report.insert(QStringLiteral("runs"), qint64(first->runs.size()));
  report.insert(QStringLiteral("columns"), qint64(first->columns.size()));
  const auto repeated = [&](const char* cold, const char* warm, const ExperimentRequest& wanted) {
    timed(cold, wanted);
    timed(warm, wanted);
  };
  ExperimentRequest sorted = request, grouped = request, filtered = request;
  for (const auto& column : first->columns) {
    if (column->isMetric && sorted.sort.isEmpty()) sorted.sort = column->name;
    if (!column->isMetric && !column->isNumber && grouped.group.isEmpty()) grouped.group = column->name;
  }
  if (grouped.group.isEmpty()) grouped.group = first->columns.back()->name;
  filtered.filters = {sorted.sort + QStringLiteral("<0.3")};
  repeated("sort_ms", "sort_again_ms", sorted);
  repeated("group_ms", "group_again_ms", grouped);
  repeated("filter_ms", "filter_again_ms", filtered);
  if (!error.isEmpty()) std::fprintf(stderr, "weft-studio: %s\n", qPrintable(error));
  if (options.json) std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
  return error.isEmpty() ? 0 : 1;
}

}  // namespace weft::app
