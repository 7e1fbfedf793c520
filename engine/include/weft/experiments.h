// Experiments: the runs of sweeps with their parameters and metrics, in one SQLite file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/sweep.h"

namespace weft {

enum class ExperimentStatus { Waiting = 0, Running = 1, Finished = 2, StoppedEarly = 3, Interrupted = 4, Failed = 5 };
/// "waiting", "running", "finished", "stopped early", "interrupted", "failed".
WEFT_API std::string_view nameOf(ExperimentStatus status);

/// A sweep as the store keeps it.
struct ExperimentSweep {
  int64_t id = 0;
  std::string name;      ///< Of its folder: "sweep-1"; of imported runs the folder that they came from.
  std::string document;  ///< Path of the document; empty: imported.
  std::string folder;    ///< Of its runs.
  double created = 0;    ///< Seconds since 1970.
  SweepPlan plan;        ///< Without parameters for imported runs.
};

/// A run without its values.
struct ExperimentRun {
  int64_t id = 0;
  int64_t sweep = 0;
  int64_t number = 0;  ///< From 1 within its sweep.
  std::string name;    ///< "run-003"
  std::string folder;
  std::string error;  ///< Why it failed, or which rule stopped it early.
  ExperimentStatus status = ExperimentStatus::Waiting;
  double started = 0, ended = 0;  ///< Seconds since 1970; 0: not yet.
  int64_t step = 0, totalSteps = 0;
};

/// A run with all its values, for addRuns().
struct ExperimentRecord {
  ExperimentRun run;
  SweepPoint parameters;
  std::vector<std::pair<std::string, double>> metrics;  ///< The last value of each.
};

/// A parameter or metric of many runs, one entry per run of a table. Immutable.
struct ExperimentColumn {
  std::string name;
  bool isMetric = false;
  bool isNumber = true;            ///< All its values are numbers.
  std::vector<double> numbers;     ///< NaN: none, or a word.
  std::vector<int32_t> words;      ///< Index in `texts`; −1: none. Empty for metrics.
  std::vector<std::string> texts;  ///< The distinct values of a parameter.
};

/// A condition on one column.
struct ExperimentFilter {
  enum class Test { Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater, Contains };
  std::string column;  ///< A parameter, a metric, or "status", "name", "sweep".
  Test test = Test::Equal;
  std::string value;
};
/// Reads "test_loss<0.3", "optimizer=Adam", "name~run-1", "status!=failed". INVALID_ARGUMENT says what was expected.
WEFT_API Result<ExperimentFilter> experimentFilterOf(std::string_view text);

/// All of them must hold; then groups, then order.
struct ExperimentQuery {
  std::vector<ExperimentFilter> filters;
  std::string sort;  ///< A column; empty: by number.
  bool descending = false;
  std::string group;   ///< A column; empty: no groups.
  std::string metric;  ///< Of the groups' statistics.
};

struct ExperimentGroup {
  std::string value;  ///< Of the grouping column.
  int64_t runs = 0;   ///< That pass the filters.
  int64_t measured = 0;
  double mean = 0, least = 0, most = 0, deviation = 0;  ///< Of the metric over `measured` runs; NaN if there are none.
};

/// The rows of a query. Runs without a value come last in either direction.
struct ExperimentRows {
  std::vector<int32_t> rows;  ///< Indexes into the table's runs, group by group if there are groups.
  std::vector<ExperimentGroup> groups;
};

/// The runs of a store at one moment, with columns that are read when they are first needed. Any thread.
class WEFT_API ExperimentTable {
 public:
  virtual ~ExperimentTable() = default;
  virtual const std::vector<ExperimentRun>& runs() const = 0;  ///< By id.
  struct Name {
    std::string name;
    bool isMetric = false;
  };
  virtual const std::vector<Name>& names() const = 0;  ///< Parameters, then metrics, each in the order of first use.
  /// NOT_FOUND names the columns there are.
  virtual Result<std::shared_ptr<const ExperimentColumn>> column(const std::string& name) = 0;
  /// NOT_FOUND for a column that does not exist; INVALID_ARGUMENT for an ordering test with a word.
  Result<ExperimentRows> select(const ExperimentQuery& query);
  /// The values of one run.
  virtual Result<ExperimentRecord> record(int64_t run) = 0;
};

struct CurvePoint {
  int64_t step = 0;
  double wall = 0, value = 0;
};

/// One SQLite file of runs × parameters × metrics, and the curves of the metrics. Several programs may use a file at once. Any thread.
///
/// Tables: sweeps, runs, names(id, name, is_metric), cells(name, run, number, word) and points(run, name, step, wall, value). Cells are stored by name, so that a
/// column of 100,000 runs is one contiguous read. Errors carry the path; RESOURCE_EXHAUSTED: the disk is full.
class WEFT_API ExperimentStore {
 public:
  struct Options {
    bool create = true;     ///< Else NOT_FOUND if there is no file.
    int64_t mostPages = 0;  ///< Of 16 KiB; more is RESOURCE_EXHAUSTED, as with a full disk. 0: no limit.
  };
  /// INVALID_ARGUMENT if it is another kind of SQLite file, DATA_LOSS if it is damaged, UNIMPLEMENTED if a newer program has written it.
  static Result<std::unique_ptr<ExperimentStore>> open(const std::string& path, const Options& options);
  static Result<std::unique_ptr<ExperimentStore>> open(const std::string& path) { return open(path, Options{}); }
  virtual ~ExperimentStore() = default;

  virtual const std::string& path() const = 0;
  virtual Result<int64_t> addSweep(const ExperimentSweep& sweep) = 0;
  /// Sets the number of runs of a sweep and how it stops runs.
  virtual Status updatePlan(int64_t sweep, const SweepPlan& plan) = 0;
  virtual Result<std::vector<ExperimentSweep>> sweeps() = 0;
  /// Returns its id.
  virtual Result<int64_t> addRun(const ExperimentRun& run, const SweepPoint& parameters) = 0;
  virtual Status updateRun(const ExperimentRun& run) = 0;
  /// Adds a point to the run's curves, and makes the values its present ones.
  virtual Status addPoints(int64_t run, int64_t step, double wall, const std::vector<std::pair<std::string, double>>& values) = 0;
  /// Adds whole curves in one transaction.
  virtual Status addCurves(int64_t run, const std::vector<std::pair<std::string, std::vector<CurvePoint>>>& curves) = 0;
  /// Adds runs with their last values in one transaction; much faster than one by one.
  virtual Status addRuns(const std::vector<ExperimentRecord>& records) = 0;
  virtual Result<std::vector<CurvePoint>> curve(int64_t run, const std::string& metric) = 0;
  /// Removes a sweep with its runs; the files in its folder stay.
  virtual Status removeSweep(int64_t sweep) = 0;
  /// The present state; the same object as before if nothing was changed since, by this program or another. `sweep` 0: of all sweeps.
  virtual Result<std::shared_ptr<ExperimentTable>> table(int64_t sweep = 0) = 0;
};

}  // namespace weft
