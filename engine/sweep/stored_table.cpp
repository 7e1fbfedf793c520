#include "sweep/stored_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

// A table reads runs and names at once, and a column when it is first asked for. Columns are arrays, on which filters, groups and orders take milliseconds.
namespace weft::sweep {
namespace {

/// Looks texts up without copying them.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

class StoredTable : public ExperimentTable {
 public:
  StoredTable(std::shared_ptr<SharedDatabase> db, int64_t sweep) : db_(std::move(db)), sweep_(sweep) {}

  /// REQUIRES: the mutex of the database is held.
  Status read() {
    db_->mutex.assertHeld();
    WEFT_LET(Statement select, db_->db->prepare(std::string("SELECT id, sweep, number, name, folder, error, status, started, ended, step, total_steps FROM runs") +
                                                (sweep_ > 0 ? " WHERE sweep=?" : "") + " ORDER BY id"));
    if (sweep_ > 0) select.bind(1, sweep_);
    for (;;) {
      WEFT_LET(const bool row, select.next());
      if (!row) break;
      ExperimentRun& r = runs_.emplace_back();
      r.id = select.integer(0);
      r.sweep = select.integer(1);
      r.number = select.integer(2);
      r.name = select.text(3);
      r.folder = select.text(4);
      r.error = select.text(5);
      r.status = ExperimentStatus(std::clamp<int64_t>(select.integer(6), 0, int(ExperimentStatus::Failed)));
      r.started = select.number(7);
      r.ended = select.number(8);
      r.step = select.integer(9);
      r.totalSteps = select.integer(10);
    }
    // Names that runs of this table use: a look into the key of each name.
    const std::string used = sweep_ > 0 ? " WHERE EXISTS(SELECT 1 FROM cells WHERE name=names.id AND run>=? AND run<=?)" : "";
    WEFT_LET(Statement names, db_->db->prepare("SELECT id, name, is_metric FROM names" + used + " ORDER BY is_metric, id"));
    if (sweep_ > 0) names.bind(1, runs_.empty() ? int64_t(0) : runs_.front().id).bind(2, runs_.empty() ? int64_t(-1) : runs_.back().id);
    for (;;) {
      WEFT_LET(const bool row, names.next());
      if (!row) return {};
      ids_.push_back(names.integer(0));
      names_.push_back({std::string(names.text(1)), names.integer(2) != 0});
    }
  }

  const std::vector<ExperimentRun>& runs() const override { return runs_; }
  const std::vector<Name>& names() const override { return names_; }

  Result<std::shared_ptr<const ExperimentColumn>> column(const std::string& name) override {
    const MutexLock lock(db_->mutex);
    const auto it = std::find_if(names_.begin(), names_.end(), [&](const Name& n) { return n.name == name; });
    if (it == names_.end()) {
      std::string known;
      for (size_t i = 0; i < std::min<size_t>(names_.size(), 20); ++i) known += (i > 0 ? ", " : "") + names_[i].name;
      return notFound("there is no column ", name, known.empty() ? "; there are none yet" : "; there are: ", known);
    }
    auto& known = columns_[name];
    if (!known) {
      WEFT_LET(known, read(*it, ids_[size_t(it - names_.begin())]));
    }
    return known;
  }

  Result<ExperimentRecord> record(int64_t run) override {
    const auto at = std::lower_bound(runs_.begin(), runs_.end(), run, [](const ExperimentRun& r, int64_t id) { return r.id < id; });
    if (at == runs_.end() || at->id != run) return notFound("there is no run ", run);
    const MutexLock lock(db_->mutex);
    ExperimentRecord record;
    record.run = *at;
    WEFT_LET(Statement select, db_->db->prepare("SELECT number, word FROM cells WHERE name=? AND run=?"));
    for (size_t i = 0; i < names_.size(); ++i) {
      WEFT_LET(const bool found, select.bind(1, ids_[i]).bind(2, run).next());
      if (!found) continue;
      if (names_[i].isMetric) record.metrics.emplace_back(names_[i].name, select.number(0));
      else record.parameters.emplace_back(names_[i].name, std::string(select.text(1)));
      WEFT_TRY(select.run());
    }
    return record;
  }

 private:
  Result<std::shared_ptr<const ExperimentColumn>> read(const Name& name, int64_t id) WEFT_REQUIRES(db_->mutex) {
    auto column = std::make_shared<ExperimentColumn>();
    column->name = name.name;
    column->isMetric = name.isMetric;
    column->numbers.assign(runs_.size(), std::nan(""));
    if (!name.isMetric) column->words.assign(runs_.size(), -1);
    WEFT_LET(Statement select, db_->db->prepare("SELECT run, number, word FROM cells WHERE name=? AND run>=? AND run<=? ORDER BY run"));
    if (runs_.empty()) return std::shared_ptr<const ExperimentColumn>(column);
    select.bind(1, id).bind(2, runs_.front().id).bind(3, runs_.back().id);
    std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> known;
    std::vector<double> numberOf;  // of each text
    size_t at = 0;
    for (;;) {
      WEFT_LET(const bool row, select.next());
      if (!row) break;
      const int64_t run = select.integer(0);
      while (at < runs_.size() && runs_[at].id < run) ++at;
      if (at >= runs_.size() || runs_[at].id != run) continue;
      if (name.isMetric) {
        column->numbers[at] = select.number(1);
        continue;
      }
      const std::string_view text = select.text(2);
      auto it = known.find(text);
      if (it == known.end()) {
        it = known.emplace(std::string(text), int32_t(column->texts.size())).first;
        double number = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool is = problem == std::errc() && end == text.data() + text.size();
        if (!is) column->isNumber = false;
        numberOf.push_back(is ? number : std::nan(""));
        column->texts.emplace_back(text);
      }
      column->words[at] = it->second;
      column->numbers[at] = numberOf[size_t(it->second)];
    }
    return std::shared_ptr<const ExperimentColumn>(column);
  }

  const std::shared_ptr<SharedDatabase> db_;
  const int64_t sweep_;
  std::vector<ExperimentRun> runs_;  // not changed after read()
  std::vector<Name> names_;
  std::vector<int64_t> ids_;  // of the names
  std::unordered_map<std::string, std::shared_ptr<const ExperimentColumn>> columns_ WEFT_GUARDED_BY(db_->mutex);
};

}  // namespace

Result<std::shared_ptr<ExperimentTable>> readTable(const std::shared_ptr<SharedDatabase>& db, int64_t sweep) {
  auto table = std::make_shared<StoredTable>(db, sweep);
  WEFT_TRY(table->read());
  return std::shared_ptr<ExperimentTable>(std::move(table));
}

}  // namespace weft::sweep
