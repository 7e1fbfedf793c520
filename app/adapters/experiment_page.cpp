#include "adapters/experiment_page.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <thread>

#include "adapters/engine_graph.h"
#include "weft/cond_var.h"
#include "weft/sweep_runner.h"

namespace weft::app {
namespace {

constexpr size_t kMostMetrics = 40, kFirstMetrics = 4, kMostCurves = 60;
constexpr size_t kLargeTable = 400000;  // values; reading more takes long enough to be seen
constexpr double kDecades = 100;        // largest over least value of a column that is shown logarithmically

std::shared_ptr<const ExperimentPage::Column> columnOf(const ExperimentColumn& from, const SweepPlan& plan) {
  auto column = std::make_shared<ExperimentPage::Column>();
  column->name = text(from.name);
  column->isMetric = from.isMetric;
  column->isNumber = from.isNumber;
  column->numbers = from.numbers;
  column->words.assign(from.words.begin(), from.words.end());
  for (const std::string& t : from.texts) column->texts << text(t);
  double least = INFINITY, most = -INFINITY;
  for (const double v : from.numbers)
    if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
  column->isLog = from.isNumber && least > 0 && most >= kDecades * least;
  for (const SweepParameter& p : plan.parameters)
    if (p.name == from.name) {
      column->isLog = least > 0 && (p.kind == SweepParameter::Kind::Log || p.kind == SweepParameter::Kind::LogInteger);
      if (p.kind == SweepParameter::Kind::Choice) column->isNumber = false;  // places for words, in any order of values
    }
  return column;
}

}  // namespace

QString ExperimentPage::Column::text(int row) const {
  const auto i = size_t(row);
  if (!isMetric) return words[i] < 0 ? QString() : texts[words[i]];
  return std::isnan(numbers[i]) ? QString() : QString::number(numbers[i], 'g', 9);
}

const ExperimentPage::Column* ExperimentPage::column(const QString& name) const {
  for (const auto& c : columns)
    if (c->name == name) return c.get();
  return nullptr;
}

QVector<QPair<QString, QString>> ExperimentPage::parametersOf(int run) const {
  QVector<QPair<QString, QString>> out;
  for (const auto& c : columns)
    if (!c->isMetric && c->words[size_t(run)] >= 0) out << qMakePair(c->name, c->text(run));
  return out;
}

struct ExperimentReader::Impl {
  std::function<void(ExperimentPagePtr)> done;
  Mutex mutex;
  CondVar wake;
  std::optional<ExperimentRequest> next WEFT_GUARDED_BY(mutex);
  struct Import {
    QString file, folder;
    std::function<void(qint64, const QString&)> done;
  };
  std::optional<Import> importing WEFT_GUARDED_BY(mutex);
  bool ends WEFT_GUARDED_BY(mutex) = false;
  std::atomic<bool> cancelled{false};
  std::thread thread;

  // Of the thread.
  QString file;
  std::unique_ptr<ExperimentStore> store;
  std::shared_ptr<ExperimentTable> table;
  std::map<std::string, std::shared_ptr<const ExperimentPage::Column>> columns;
  std::vector<Importance> importance;
  std::shared_ptr<ExperimentTable> importanceOfTable;
  size_t importanceRuns = 0;

  Status openStore(const QString& path, bool create) {
    if (store && file == path) return {};
    store.reset();
    file = path;
    ExperimentStore::Options options;
    options.create = create;
    WEFT_LET(store, ExperimentStore::open(path.toStdString(), options));
    return {};
  }

  Status fill(ExperimentPage& page, bool mayBeFirst) {
    const ExperimentRequest& r = page.request;
    if (r.file.isEmpty() || !QFileInfo::exists(r.file)) {
      store.reset();
      return {};
    }
    WEFT_TRY(openStore(r.file, false));
    page.exists = true;
    WEFT_LET(const auto sweeps, store->sweeps());
    const SweepPlan* plan = nullptr;
    for (const ExperimentSweep& s : sweeps) {
      ExperimentPage::Sweep& out = page.sweeps.emplaceBack();
      out.id = s.id;
      out.name = text(s.name);
      out.metric = text(s.plan.metric);
      out.method = text(nameOf(s.plan.method));
      out.maximize = s.plan.maximize;
      out.imported = s.plan.parameters.empty();
      out.planned = out.imported ? 0 : runsOf(s.plan);
      for (const SweepParameter& p : s.plan.parameters) out.parameters << text(p.name);
      if (s.id == r.sweep || (r.sweep == 0 && &s == &sweeps.back())) page.current = int(page.sweeps.size()) - 1, plan = &s.plan;
    }
    if (!plan) return {};
    WEFT_LET(const auto now, store->table(page.sweeps[page.current].id));
    if (now != table) {
      table = now;
      columns.clear();
    }
    const auto metrics = std::count_if(table->names().begin(), table->names().end(), [](const auto& name) { return name.isMetric; });
    page.isFirst = mayBeFirst && columns.empty() && table->runs().size() * std::min(kMostMetrics, size_t(metrics)) > kLargeTable;
    fillRuns(page);
    std::string metric = plan->metric;
    for (const auto& name : table->names())
      if (metric.empty() && name.isMetric) metric = name.name;
    page.sweeps[page.current].metric = text(metric);
    WEFT_TRY(fillColumns(page, *plan, metric));
    WEFT_TRY(fillRows(page, metric));
    for (size_t i = 0; i < std::min(page.rows.size(), kMostCurves); ++i) {
      WEFT_LET(const auto curve, store->curve(page.runs[size_t(page.rows[i])].id, metric));
      auto& points = page.curves.emplace_back();
      for (const CurvePoint& p : curve) points.emplace_back(double(p.step), p.value);
    }
    if (r.wantsImportance) fillImportance(page, *plan, metric);
    return {};
  }

  void fillRuns(ExperimentPage& page) {
    for (const ExperimentRun& run : table->runs()) {
      ExperimentPage::Run& out = page.runs.emplace_back();
      out.id = run.id;
      out.number = int(run.number);
      out.step = run.step;
      out.totalSteps = run.totalSteps;
      out.name = text(run.name);
      out.folder = text(run.folder);
      out.error = text(run.error);
      out.status = ExperimentPage::Run::Status(int(run.status));
    }
  }

  Status fillColumns(ExperimentPage& page, const SweepPlan& plan, const std::string& metric) {
    // The metric of the sweep, the parameters, then other metrics.
    std::vector<std::string> names;
    for (const auto& name : table->names())
      if (name.isMetric && name.name == metric) names.push_back(name.name);
    for (const auto& name : table->names())
      if (!name.isMetric) names.push_back(name.name);
    size_t others = 0;
    for (const auto& name : table->names()) {
      if (!name.isMetric || name.name == metric) continue;
      if (++others >= (page.isFirst ? kFirstMetrics : kMostMetrics)) ++page.leftOut;
      else names.push_back(name.name);
    }
    for (const std::string& name : names) {
      auto& known = columns[name];
      if (!known) {
        WEFT_LET(const auto column, table->column(name));
        known = columnOf(*column, plan);
      }
      page.columns.push_back(known);
    }
    if (const auto* m = page.column(text(metric))) {
      for (size_t i = 0; i < page.runs.size(); ++i) {
        const auto status = page.runs[i].status;
        if (status != ExperimentPage::Run::Finished && status != ExperimentPage::Run::StoppedEarly) continue;
        if (!std::isnan(m->numbers[i]) && (page.best < 0 || plan.better(m->numbers[i], m->numbers[size_t(page.best)]))) page.best = int(i);
      }
    }
    return {};
  }

  Status fillRows(ExperimentPage& page, const std::string& metric) {
    ExperimentQuery query;
    for (const QString& words : page.request.filters) {
      WEFT_LET(ExperimentFilter filter, experimentFilterOf(words.toStdString()));
      query.filters.push_back(std::move(filter));
    }
    query.sort = page.request.sort.toStdString();
    query.descending = page.request.descending;
    query.group = page.request.group.toStdString();
    const bool measured = page.column(text(metric)) != nullptr;
    if (measured) query.metric = metric;
    // A column that this sweep does not have: as if it were not asked for.
    const auto exists = [&](const std::string& name) { return name == "number" || name == "name" || name == "status" || page.column(text(name)); };
    if (!query.sort.empty() && !exists(query.sort)) query.sort.clear();
    if (!query.group.empty() && !exists(query.group)) query.group.clear();
    WEFT_LET(const ExperimentRows rows, table->select(query));
    page.rows.assign(rows.rows.begin(), rows.rows.end());
    for (const ExperimentGroup& g : rows.groups) page.groups.push_back({text(g.value), g.runs, g.measured, g.mean, g.least, g.most, g.deviation});
    return {};
  }

  /// The importance of the parameters among finished runs; computed again when one more has finished.
  void fillImportance(ExperimentPage& page, const SweepPlan& plan, const std::string& metric) {
    const auto* m = page.column(text(metric));
    std::vector<SweepResult> results;
    for (size_t i = 0; m && i < page.runs.size(); ++i) {
      if (page.runs[i].status != ExperimentPage::Run::Finished) continue;
      SweepResult r;
      for (const auto& [name, value] : page.parametersOf(int(i))) r.point.emplace_back(name.toStdString(), value.toStdString());
      if (!std::isnan(m->numbers[i])) r.value = m->numbers[i];
      results.push_back(std::move(r));
    }
    if (importanceRuns != results.size() || importance.empty() || importanceOfTable != table) importance = importanceOf(plan.parameters, results);
    importanceRuns = results.size();
    importanceOfTable = table;
    for (const Importance& i : importance) page.importance.push_back({text(i.parameter), i.share, i.correlation});
    page.hasImportance = !importance.empty() && importance[0].share > 0;
  }

  void work() {
    for (;;) {
      std::optional<ExperimentRequest> request;
      std::optional<Import> import;
      {
        const MutexLock lock(mutex);
        while (!next && !importing && !ends) wake.wait(mutex);
        if (ends) return;
        if (importing) import.swap(importing);
        else request.swap(next);
      }
      if (import) {
        QDir().mkpath(QFileInfo(import->file).path());
        qint64 count = 0;
        const Status status = [&]() -> Status {
          WEFT_TRY(openStore(import->file, true));
          WEFT_LET(count, importRuns(*store, import->folder.toStdString(), &cancelled));
          return {};
        }();
        import->done(count, status.ok() ? QString() : errorText(status.error()));
        continue;
      }
      bool more = true;
      for (bool first = true; more; first = false) {
        auto page = std::make_shared<ExperimentPage>();
        page->request = *request;
        if (const Status status = fill(*page, first); !status.ok()) {
          page->error = errorText(status.error());
          page->isFirst = false;
          if (status.code() != Code::InvalidArgument && status.code() != Code::NotFound) store.reset();
        }
        more = page->isFirst;
        done(std::move(page));
      }
    }
  }
};

ExperimentReader::ExperimentReader(std::function<void(ExperimentPagePtr)> done) : impl_(std::make_unique<Impl>()) {
  impl_->done = std::move(done);
  impl_->thread = std::thread([d = impl_.get()] { d->work(); });
}

ExperimentReader::~ExperimentReader() {
  {
    const MutexLock lock(impl_->mutex);
    impl_->ends = true;
    impl_->cancelled = true;
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

void ExperimentReader::read(const ExperimentRequest& request) {
  const MutexLock lock(impl_->mutex);
  impl_->next = request;
  impl_->wake.notify_all();
}

void ExperimentReader::import(const QString& file, const QString& folder, std::function<void(qint64, const QString&)> done) {
  const MutexLock lock(impl_->mutex);
  impl_->importing = Impl::Import{file, folder, std::move(done)};
  impl_->wake.notify_all();
}

}  // namespace weft::app
