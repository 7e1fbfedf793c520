#include "cli/bench/experiments.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>

#include "cli/command.h"
#include "weft/experiments.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using OrderedTimes = nlohmann::ordered_json;

constexpr int64_t kAtOnce = 5000;  // runs of a transaction while the file is made
constexpr int kParameters = 8;

/// Runs `work` on this thread. Other programs on the machine change the first number, hardly the second.
struct Took {
  double ms = 0, processorMs = 0;
};
Took timed(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count(),
          1000.0 * double(std::clock() - processor) / CLOCKS_PER_SEC};
}

void tell(const std::string& name, const Took& took, OrderedTimes& out) {
  out[name + "_ms"] = took.ms;
  out[name + "_processor_ms"] = took.processorMs;
}

std::string metricName(int64_t i) { return "metric_" + std::to_string(i); }

Status fillStore(ExperimentStore& store, int64_t runs, int64_t metrics) {
  ExperimentSweep sweep;
  sweep.name = "bench";
  sweep.plan.metric = metricName(0);
  WEFT_LET(const auto optimizers, sweepParameterOf("p0=choice:Adam,Momentum,RMSProp,Adagrad"));
  sweep.plan.parameters.push_back(optimizers);
  for (int p = 1; p < kParameters; ++p) {
    WEFT_LET(auto parameter, sweepParameterOf("p" + std::to_string(p) + "=log:1e-5:1"));
    sweep.plan.parameters.push_back(std::move(parameter));
  }
  WEFT_LET(sweep.id, store.addSweep(sweep));
  std::vector<ExperimentRecord> records;
  for (int64_t i = 0; i < runs; ++i) {
    if (interrupted()) return cancelledError("interrupted");
    ExperimentRecord r;
    r.run.sweep = sweep.id;
    r.run.number = i + 1;
    r.run.name = "run-" + std::to_string(i + 1);
    r.run.status = ExperimentStatus::Finished;
    r.parameters = suggestPoint(sweep.plan, i);
    for (int64_t m = 0; m < metrics; ++m) r.metrics.emplace_back(metricName(m), std::sin(double(i * 7919 + m * 104729)));
    records.push_back(std::move(r));
    if (int64_t(records.size()) < kAtOnce && i + 1 < runs) continue;
    WEFT_TRY(store.addRuns(records));
    records.clear();
  }
  return {};
}

Status timeQuery(ExperimentTable& table, const ExperimentQuery& query, const char* name, OrderedTimes& out) {
  for (const char* kind : {"cold", "warm"}) {
    Status status;
    const Took took = timed([&] { status = table.select(query).status(); });
    WEFT_TRY(status);
    tell(std::string(name) + "_" + kind, took, out);
  }
  return {};
}

}  // namespace

Result<OrderedTimes> measureExperiments(const std::string& file, int64_t runs, int64_t metrics) {
  const std::string path = file.empty() ? (fs::temp_directory_path() / ("weft-bench-" + std::to_string(::getpid()) + ".sqlite")).string() : file;
  struct Removal {
    std::string path;
    ~Removal() {
      std::error_code ignored;
      for (const char* end : {"", "-wal", "-shm"})
        if (!path.empty()) fs::remove(path + end, ignored);
    }
  } removal{file.empty() ? path : std::string()};
  OrderedTimes out{{"runs", runs}, {"metrics", metrics}};
  if (std::error_code ignored; !fs::exists(path, ignored)) {
    Status made;
    tell("fill", timed([&] {
           auto store = ExperimentStore::open(path);
           made = store.ok() ? fillStore(**store, runs, metrics) : store.status();
         }),
         out);
    WEFT_TRY(made);
  }
  std::unique_ptr<ExperimentStore> store;
  std::shared_ptr<ExperimentTable> table;
  Status opened;
  const Took opening = timed([&] {
    auto s = ExperimentStore::open(path);
    if (!s.ok()) return void(opened = s.status());
    store = std::move(*s);
    auto t = store->table();
    if (!t.ok()) return void(opened = t.status());
    table = std::move(*t);
  });
  WEFT_TRY(opened);
  tell("open", opening, out);
  if (int64_t(table->runs().size()) != runs) return invalidArgument("the file has ", table->runs().size(), " runs, expected ", runs).inFile(path);
  ExperimentQuery filter, sort, group;
  filter.filters = {{metricName(1), ExperimentFilter::Test::Less, "0.5"}, {"p0", ExperimentFilter::Test::Equal, "Adam"}};
  sort.sort = metricName(metrics > 2 ? 2 : 0);
  group.group = "p0";
  group.metric = metricName(metrics > 3 ? 3 : 0);
  WEFT_TRY(timeQuery(*table, filter, "filter", out));
  WEFT_TRY(timeQuery(*table, sort, "sort", out));
  WEFT_TRY(timeQuery(*table, group, "group", out));
  std::error_code ignored;
  out["file_mb"] = double(fs::file_size(path, ignored)) / 1e6;
  return out;
}

}  // namespace weft::cli
