#include "studio/experiments_bench.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QVector>
#include <cstdio>
#include <ctime>

#include "adapters/experiment_page.h"
#include "studio/options.h"
#include "weft/cond_var.h"
#include "weft/mutex.h"

namespace weft::app {
namespace {

/// Reads pages one at a time and waits for each.
class Pages {
 public:
  Pages()
      : reader_([this](ExperimentPagePtr page) {
          const MutexLock lock(mutex_);
          pages_ << std::move(page);
          there_.notify_all();
        }) {}
  /// Null: the page after one that is first.
  ExperimentPagePtr read(const ExperimentRequest* request) {
    const MutexLock lock(mutex_);
    if (request) {
      pages_.clear();
      reader_.read(*request);
    }
    while (pages_.isEmpty()) there_.wait(mutex_);
    return pages_.takeFirst();
  }

 private:
  Mutex mutex_;
  CondVar there_;
  QVector<ExperimentPagePtr> pages_ WEFT_GUARDED_BY(mutex_);
  ExperimentReader reader_;  // the last: its thread uses the others
};

/// Processor time of all threads: the cost on a busy machine.
double processMs() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

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
  const auto timed = [&](const char* name, const ExperimentRequest* wanted) {
    QElapsedTimer clock;
    clock.start();
    const double before = processMs();
    const ExperimentPagePtr page = pages.read(wanted);
    const double ms = double(clock.nsecsElapsed()) * 1e-6, processor = processMs() - before;
    if (error.isEmpty()) error = page->error;
    report.insert(QLatin1String(name), QJsonObject{{QStringLiteral("ms"), ms}, {QStringLiteral("processor_ms"), processor}});
    if (!options.json)
      std::printf("%-14s %8.1f ms, processor %8.1f ms; %lld rows, %lld columns, %lld groups\n", name, ms, processor, (long long)page->rows.size(),
                  (long long)page->columns.size(), (long long)page->groups.size());
    return page;
  };
  ExperimentPagePtr first = timed("first_page", &request);
  if (first->isFirst) first = timed("all_columns", nullptr);
  if (!first->exists || !error.isEmpty() || first->columns.empty()) {
    std::fprintf(stderr, "weft-studio: %s: %s\n", qPrintable(options.benchFile), error.isEmpty() ? "there are no runs" : qPrintable(error));
    return 1;
  }
  report.insert(QStringLiteral("runs"), qint64(first->runs.size()));
  report.insert(QStringLiteral("columns"), qint64(first->columns.size()));
  const auto repeated = [&](const char* cold, const char* warm, const ExperimentRequest& wanted) {
    timed(cold, &wanted);
    timed(warm, &wanted);
  };
  ExperimentRequest sorted = request, grouped = request, filtered = request;
  for (const auto& column : first->columns) {
    if (column->isMetric && sorted.sort.isEmpty()) sorted.sort = column->name;
    if (!column->isMetric && !column->isNumber && grouped.group.isEmpty()) grouped.group = column->name;
  }
  if (grouped.group.isEmpty()) grouped.group = first->columns.back()->name;
  filtered.filters = {sorted.sort + QStringLiteral("<0.3")};
  repeated("sort", "sort_again", sorted);
  repeated("group", "group_again", grouped);
  repeated("filter", "filter_again", filtered);
  if (!error.isEmpty()) std::fprintf(stderr, "weft-studio: %s\n", qPrintable(error));
  if (options.json) std::printf("%s\n", QJsonDocument(report).toJson(QJsonDocument::Compact).constData());
  return error.isEmpty() ? 0 : 1;
}

}  // namespace weft::app
