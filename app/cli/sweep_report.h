// What `weft sweep` prints.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "weft/mutex.h"
#include "weft/sweep_runner.h"

namespace weft::cli {

/// Progress on stderr: a bar on a terminal, one line per run that ended elsewhere. Any thread.
class SweepDisplay {
 public:
  explicit SweepDisplay(std::string metric);
  void runEnded(const ExperimentRun& run, const SweepPoint& point, std::optional<double> value);
  void progress(const SweepProgress& progress);
  void clear();

 private:
  const std::string metric_;
  const bool terminal_;
  Mutex mutex_;
  bool open_ WEFT_GUARDED_BY(mutex_) = false;
};

/// "lr=0.01 units=64"
std::string pointText(const SweepPoint& point);
/// "0.9732"; "NaN" if it is not a number.
std::string valueText(double value);
/// Its parameters and metrics, status and error.
nlohmann::ordered_json runJson(const ExperimentRecord& record);
nlohmann::ordered_json importanceJson(const std::vector<Importance>& importance);
/// The importance of the parameters of a sweep for its metric.
std::vector<Importance> importanceIn(ExperimentTable& table, const SweepPlan& plan);
/// The runs of a table that pass a query, as lines of columns, or as a JSON document.
Status printTable(ExperimentTable& table, const ExperimentQuery& query, int64_t most, bool json);

}  // namespace weft::cli
