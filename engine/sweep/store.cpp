#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "sweep/plan_json.h"
#include "sweep/sqlite.h"
#include "sweep/stored_table.h"
#include "weft/experiments.h"
#include "weft/mutex.h"

namespace weft {
namespace {

using sweep::Database;
using sweep::Statement;
using sweep::Transaction;

constexpr int64_t kApplication = 0x57454654;  // "WEFT", in the file's header
constexpr int64_t kVersion = 1;

constexpr const char* kSchema = R"(
CREATE TABLE sweeps(id INTEGER PRIMARY KEY, name TEXT NOT NULL, document TEXT NOT NULL, folder TEXT NOT NULL, created REAL NOT NULL, plan TEXT NOT NULL);
CREATE TABLE runs(id INTEGER PRIMARY KEY, sweep INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, folder TEXT NOT NULL, error TEXT NOT NULL,
  status INTEGER NOT NULL, started REAL NOT NULL, ended REAL NOT NULL, step INTEGER NOT NULL, total_steps INTEGER NOT NULL);
CREATE INDEX runs_by_sweep ON runs(sweep, number);
CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_metric INTEGER NOT NULL);
CREATE TABLE cells(name INTEGER NOT NULL, run INTEGER NOT NULL, number REAL, word TEXT, PRIMARY KEY(name, run)) WITHOUT ROWID;
CREATE TABLE points(run INTEGER NOT NULL, name INTEGER NOT NULL, step INTEGER NOT NULL, wall REAL NOT NULL, value REAL, PRIMARY KEY(run, name, step)) WITHOUT ROWID;
)";

class StoredExperiments : public ExperimentStore {
 public:
  StoredExperiments(std::string path, std::shared_ptr<sweep::SharedDatabase> db) : path_(std::move(path)), db_(std::move(db)) {}

  const std::string& path() const override { return path_; }

  Result<int64_t> addSweep(const ExperimentSweep& s) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(Statement insert, db_->db->prepare("INSERT INTO sweeps(name, document, folder, created, plan) VALUES(?,?,?,?,?)"));
    WEFT_TRY(insert.bind(1, s.name).bind(2, s.document).bind(3, s.folder).bind(4, s.created).bind(5, sweep::planToJson(s.plan)).run());
    return db_->db->lastId();
  }

  Status updatePlan(int64_t id, const SweepPlan& plan) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(Statement update, db_->db->prepare("UPDATE sweeps SET plan=? WHERE id=?"));
    return update.bind(1, sweep::planToJson(plan)).bind(2, id).run();
  }

  Result<std::vector<ExperimentSweep>> sweeps() override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(Statement select, db_->db->prepare("SELECT id, name, document, folder, created, plan FROM sweeps ORDER BY id"));
    std::vector<ExperimentSweep> out;
    for (;;) {
      WEFT_LET(const bool row, select.next());
      if (!row) return out;
      ExperimentSweep& s = out.emplace_back();
      s.id = select.integer(0);
      s.name = select.text(1);
      s.document = select.text(2);
      s.folder = select.text(3);
      s.created = select.number(4);
      auto plan = sweep::planFromJson(std::string(select.text(5)));
      if (!plan.ok()) return Error(plan.error()).inFile(path_);
      s.plan = std::move(*plan);
    }
  }

  Result<int64_t> addRun(const ExperimentRun& run, const SweepPoint& parameters) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const auto transaction, Transaction::begin(*db_->db));
    WEFT_LET(const int64_t id, insertRun(run));
    WEFT_TRY(setParameters(id, parameters));
    WEFT_TRY(transaction->commit());
    return id;
  }

  Status updateRun(const ExperimentRun& r) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(Statement update,
             db_->db->prepare("UPDATE runs SET name=?, folder=?, error=?, status=?, started=?, ended=?, step=?, total_steps=? WHERE id=?"));
    return update.bind(1, r.name)
        .bind(2, r.folder)
        .bind(3, r.error)
        .bind(4, int(r.status))
        .bind(5, r.started)
        .bind(6, r.ended)
        .bind(7, r.step)
        .bind(8, r.totalSteps)
        .bind(9, r.id)
        .run();
  }

  Status addPoints(int64_t run, int64_t step, double wall, const std::vector<std::pair<std::string, double>>& values) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const auto transaction, Transaction::begin(*db_->db));
    WEFT_LET(Statement point, db_->db->prepare("INSERT OR REPLACE INTO points(run, name, step, wall, value) VALUES(?,?,?,?,?)"));
    WEFT_LET(Statement cell, db_->db->prepare("INSERT OR REPLACE INTO cells(name, run, number) VALUES(?,?,?)"));
    for (const auto& [name, value] : values) {
      WEFT_LET(const int64_t id, nameId(name, true));
      WEFT_TRY(point.bind(1, run).bind(2, id).bind(3, step).bind(4, wall).bind(5, value).run());
      WEFT_TRY(cell.bind(1, id).bind(2, run).bind(3, value).run());
    }
    return transaction->commit();
  }

  Status addCurves(int64_t run, const std::vector<std::pair<std::string, std::vector<CurvePoint>>>& curves) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const auto transaction, Transaction::begin(*db_->db));
    WEFT_LET(Statement insert, db_->db->prepare("INSERT OR REPLACE INTO points(run, name, step, wall, value) VALUES(?,?,?,?,?)"));
    for (const auto& [name, points] : curves) {
      WEFT_LET(const int64_t id, nameId(name, true));
      for (const CurvePoint& p : points) WEFT_TRY(insert.bind(1, run).bind(2, id).bind(3, p.step).bind(4, p.wall).bind(5, p.value).run());
    }
    return transaction->commit();
  }

  Status addRuns(const std::vector<ExperimentRecord>& records) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const auto transaction, Transaction::begin(*db_->db));
    // Cells are stored by name: they are inserted in that order, so that the tree only grows at few places.
    struct Cell {
      int64_t name = 0, run = 0;
      double number = 0;
      const std::string* word = nullptr;
    };
    std::vector<Cell> cells;
    for (const ExperimentRecord& record : records) {
      WEFT_LET(const int64_t run, insertRun(record.run));
      for (const auto& [name, value] : record.parameters) {
        WEFT_LET(const int64_t id, nameId(name, false));
        cells.push_back({id, run, 0, &value});
      }
      for (const auto& [name, value] : record.metrics) {
        WEFT_LET(const int64_t id, nameId(name, true));
        cells.push_back({id, run, value, nullptr});
      }
    }
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.name != b.name ? a.name < b.name : a.run < b.run; });
    WEFT_LET(Statement number, db_->db->prepare("INSERT OR REPLACE INTO cells(name, run, number) VALUES(?,?,?)"));
    WEFT_LET(Statement word, db_->db->prepare("INSERT OR REPLACE INTO cells(name, run, word) VALUES(?,?,?)"));
    for (const Cell& cell : cells)
      WEFT_TRY(cell.word ? word.bind(1, cell.name).bind(2, cell.run).bind(3, *cell.word).run()
                         : number.bind(1, cell.name).bind(2, cell.run).bind(3, cell.number).run());
    return transaction->commit();
  }

  Result<std::vector<CurvePoint>> curve(int64_t run, const std::string& metric) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(Statement select, db_->db->prepare("SELECT step, wall, value FROM points WHERE run=? AND name=(SELECT id FROM names WHERE name=?) ORDER BY step"));
    select.bind(1, run).bind(2, metric);
    std::vector<CurvePoint> out;
    for (;;) {
      WEFT_LET(const bool row, select.next());
      if (!row) return out;
      out.push_back({select.integer(0), select.number(1), select.number(2)});
    }
  }

  Status removeSweep(int64_t id) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const auto transaction, Transaction::begin(*db_->db));
    for (const char* sql :
         {"DELETE FROM cells WHERE run IN (SELECT id FROM runs WHERE sweep=?)", "DELETE FROM points WHERE run IN (SELECT id FROM runs WHERE sweep=?)",
          "DELETE FROM runs WHERE sweep=?", "DELETE FROM sweeps WHERE id=?"}) {
      WEFT_LET(Statement remove, db_->db->prepare(sql));
      WEFT_TRY(remove.bind(1, id).run());
    }
    return transaction->commit();
  }

  Result<std::shared_ptr<ExperimentTable>> table(int64_t id) override {
    const MutexLock lock(db_->mutex);
    WEFT_LET(const int64_t others, db_->db->integer("PRAGMA data_version"));
    const std::pair<int64_t, int64_t> now{others, db_->db->ownChanges()};
    auto& known = tables_[id];
    if (known.table && known.version == now) return known.table;
    WEFT_LET(known.table, sweep::readTable(db_, id));
    known.version = now;
    return known.table;
  }

 private:
  Result<int64_t> insertRun(const ExperimentRun& r) WEFT_REQUIRES(db_->mutex) {
    WEFT_LET(Statement insert, db_->db->prepare("INSERT INTO runs(sweep, number, name, folder, error, status, started, ended, step, total_steps) "
                                                "VALUES(?,?,?,?,?,?,?,?,?,?)"));
    WEFT_TRY(insert.bind(1, r.sweep)
                 .bind(2, r.number)
                 .bind(3, r.name)
                 .bind(4, r.folder)
                 .bind(5, r.error)
                 .bind(6, int(r.status))
                 .bind(7, r.started)
                 .bind(8, r.ended)
                 .bind(9, r.step)
                 .bind(10, r.totalSteps)
                 .run());
    return db_->db->lastId();
  }

  Status setParameters(int64_t run, const SweepPoint& parameters) WEFT_REQUIRES(db_->mutex) {
    WEFT_LET(Statement insert, db_->db->prepare("INSERT OR REPLACE INTO cells(name, run, word) VALUES(?,?,?)"));
    for (const auto& [name, value] : parameters) {
      WEFT_LET(const int64_t id, nameId(name, false));
      WEFT_TRY(insert.bind(1, id).bind(2, run).bind(3, value).run());
    }
    return {};
  }

  /// A parameter and a metric of one name are two columns: the metric's name then ends with " (metric)".
  Result<int64_t> nameId(const std::string& name, bool isMetric) WEFT_REQUIRES(db_->mutex) {
    const std::string full = name + (isMetric ? "\x01" : "\x02");
    if (const auto it = names_.find(full); it != names_.end()) return it->second;
    WEFT_LET(Statement find, db_->db->prepare("SELECT id, is_metric FROM names WHERE name=?"));
    for (std::string tried = name;; tried += isMetric ? " (metric)" : " (parameter)") {
      find.bind(1, tried);
      WEFT_LET(const bool known, find.next());
      if (known) {
        const int64_t id = find.integer(0);
        const bool same = (find.integer(1) != 0) == isMetric;
        WEFT_TRY(find.run());
        if (!same) continue;
        return names_[full] = id;
      }
      WEFT_LET(Statement insert, db_->db->prepare("INSERT INTO names(name, is_metric) VALUES(?,?)"));
      WEFT_TRY(insert.bind(1, tried).bind(2, int(isMetric)).run());
      const int64_t id = db_->db->lastId();
      return id;  // not remembered: the transaction may be rolled back
    }
  }

  struct Known {
    std::shared_ptr<ExperimentTable> table;
    std::pair<int64_t, int64_t> version;
  };
  const std::string path_;
  const std::shared_ptr<sweep::SharedDatabase> db_;
  std::unordered_map<std::string, int64_t> names_ WEFT_GUARDED_BY(db_->mutex);
  std::unordered_map<int64_t, Known> tables_ WEFT_GUARDED_BY(db_->mutex);
};

}  // namespace

std::string_view nameOf(ExperimentStatus status) {
  constexpr std::string_view kNames[] = {"waiting", "running", "finished", "stopped early", "interrupted", "failed"};
  return kNames[size_t(status)];
}

Result<std::unique_ptr<ExperimentStore>> ExperimentStore::open(const std::string& path, const Options& options) {
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && !options.create) return notFound("there are no experiments").inFile(path);
  WEFT_LET(auto db, Database::open(path, options.create));
  const auto inFile = [&](Status status) { return status.ok() ? status : Status(Error(status.error()).inFile(path)); };
  WEFT_TRY(inFile(db->execute("PRAGMA cache_size=-32768; PRAGMA synchronous=NORMAL")));
  const auto application = db->integer("PRAGMA application_id");
  if (!application.ok()) return Error(application.error()).inFile(path);
  WEFT_LET(const int64_t version, db->integer("PRAGMA user_version"));
  WEFT_LET(const int64_t tables, db->integer("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0 && *application == 0) {
    // Large pages: a column is read with fewer steps from page to page.
    WEFT_TRY(inFile(db->execute("PRAGMA page_size=16384; PRAGMA journal_mode=WAL")));
    WEFT_LET(const auto transaction, Transaction::begin(*db));
    // Another program may have made the tables meanwhile.
    WEFT_LET(const int64_t meanwhile, db->integer("SELECT count(*) FROM sqlite_schema"));
    if (meanwhile == 0) {
      WEFT_TRY(inFile(db->execute(kSchema)));
      WEFT_TRY(inFile(db->execute("PRAGMA application_id=" + std::to_string(kApplication) + "; PRAGMA user_version=" + std::to_string(kVersion))));
    }
    WEFT_TRY(inFile(transaction->commit()));
  } else if (*application != kApplication) {
    return invalidArgument("this is an SQLite file, but not one of experiments").inFile(path).ofKind("unrecognized");
  } else if (version > kVersion) {
    return unimplemented("a newer program has written these experiments: version ", version, ", expected ", kVersion).inFile(path);
  }
  if (options.mostPages > 0) WEFT_TRY(db->execute("PRAGMA max_page_count=" + std::to_string(options.mostPages)));
  auto shared = std::make_shared<sweep::SharedDatabase>();
  shared->db = std::move(db);
  return std::unique_ptr<ExperimentStore>(new StoredExperiments(path, std::move(shared)));
}

}  // namespace weft
