#include "document/query_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QSet>
#include <QTimer>

#include "adapters/sweep_job.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/profile_store.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

const QString kHistory = QStringLiteral("query/history");
constexpr int kMostQueries = 200;
constexpr double kCollectMs = 3;  // of the GUI thread at once

}  // namespace

QueryStore& QueryStore::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<QueryStore*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new QueryStore(workspace);
}

QueryStore::QueryStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) { history_ = workspace.settings().value(kHistory).toStringList(); }

double QueryStore::secondsSoFar() const {
  QElapsedTimer now;
  now.start();
  return double(now.msecsSinceReference() - began_) / 1000;
}

QuerySources QueryStore::sources() const {
  QuerySources out;
  if (const Document* document = workspace_.current()) {
    out.graph = document->contents();
    out.graphName = document->title();
    if (!document->path().isEmpty()) {
      const QString store = experimentsFile(sweepFolder(document->path()));
      if (QFileInfo::exists(store)) out.experiments = store;
    }
  }
  out.trace = ProfileStore::of(workspace_).current();
  out.files = files_;
  for (const FileTab* tab : workspace_.files())
    if (!files_.contains(tab->path())) out.openFiles << tab->path();
  for (const auto& run : workspace_.summaries().runs()) {
    if (run->foreign) continue;
    out.runs.append({run->name, run->identity.folder});
    out.curveVersion = out.curveVersion * 31 + qHash(run->name);
    for (const auto& [tag, series] : run->scalars) out.curveVersion = out.curveVersion * 31 + series->version() + series->size();
  }
  return out;
}

void QueryStore::run(const QString& sql, Done done) {
  cancel();
  sql_ = sql;
  draft_ = sql;
  done_ = std::move(done);
  QElapsedTimer now;
  now.start();
  began_ = now.msecsSinceReference();
  rows_ = std::make_shared<std::atomic<qint64>>(0);
  ++number_;
  remember(sql);
  QuerySources wanted = sources();
  if (session_ && session_->isOf(wanted, readsCurves(sql))) {
    collecting_ = false;
    start({});
  } else if (!readsCurves(sql)) {
    session_ = nullptr;
    wanted.curveVersion = 0;  // a query that reads curves makes another session
    wanted.runs.clear();
    collecting_ = false;
    start(std::move(wanted));
  } else {
    session_ = nullptr;
    collecting_ = true;
    collect(std::make_shared<QuerySources>(std::move(wanted)), 0, {});
  }
  emit changed();
}

/// Copies curves, some at a time, because a long training has millions of points and they grow on this thread.
void QueryStore::collect(std::shared_ptr<QuerySources> sources, size_t first, QString tag) {
  const int number = number_;
  QTimer::singleShot(0, this, [this, sources, first, tag, number] {
    if (number != number_ || !collecting_) return;
    QElapsedTimer clock;
    clock.start();
    const auto& runs = workspace_.summaries().runs();
    for (size_t r = first; r < runs.size(); ++r) {
      if (runs[r]->foreign) continue;
      auto it = r == first && !tag.isEmpty() ? runs[r]->scalars.upper_bound(tag) : runs[r]->scalars.begin();
      for (; it != runs[r]->scalars.end(); ++it) {
        const auto samples = it->second->samples();
        sources->curves.push_back({runs[r]->name, it->first, {samples.begin(), samples.end()}});
        if (double(clock.nsecsElapsed()) / 1e6 > kCollectMs) return collect(sources, r, it->first);
      }
    }
    collecting_ = false;
    start(std::move(*sources));
  });
}

void QueryStore::start(QuerySources sources) {
  if (!session_) session_ = std::make_shared<QuerySession>(std::move(sources));
  auto page = std::make_shared<QueryPage>();
  task_ = workspace_.tasks().start(
      tr("Query"), [session = session_, page, sql = sql_, rows = rows_](TaskState& state) { *page = session->run(sql, kMostRows, state.cancelled, *rows); },
      [this, page] { finish(std::move(*page)); },
      [this] {
        QueryPage stopped;
        stopped.sql = sql_;
        stopped.cancelled = true;
        stopped.error = tr("Cancelled.");
        finish(std::move(stopped));
      });
}

void QueryStore::finish(QueryPage page) {
  task_ = 0;
  const Document* document = workspace_.current();
  // Computed names count too, if they are those of nodes.
  for (QueryPage::Column& c : page.columns) {
    if (c.isNodes || c.isNumber || !c.table.isEmpty() || !document || (c.name != QLatin1String("name") && c.name != QLatin1String("source"))) continue;
    c.isNodes = !page.rows.empty() && document->hasNode(page.rows.front()[&c - page.columns.data()].toString());
  }
  page_ = std::make_shared<const QueryPage>(std::move(page));
  selected_.clear();
  for (const QString& note : page_->notes) workspace_.log().warning(note);
  emit answered();
  emit changed();
  if (auto done = std::exchange(done_, {})) done(page_->error);
}

void QueryStore::cancel() {
  if (collecting_) {
    collecting_ = false;
    QueryPage stopped;
    stopped.sql = sql_;
    stopped.cancelled = true;
    stopped.error = tr("Cancelled.");
    finish(std::move(stopped));
  }
  if (task_ == 0) return;
  session_ = nullptr;  // it may go on for a moment
  workspace_.tasks().cancel(task_);
}

void QueryStore::remember(const QString& sql) {
  history_.removeAll(sql);
  history_ << sql;
  while (history_.size() > kMostQueries) history_.removeFirst();
  workspace_.settings().setValue(kHistory, history_);
}

void QueryStore::setSelectedRows(const QVector<int>& rows) {
  if (rows == selected_) return;
  selected_ = rows;
  emit selectionChanged(rows);
}

QStringList QueryStore::nodes() const {
  const Document* document = workspace_.current();
  const int column = page_->nodeColumn();
  QStringList out;
  QSet<QString> known;
  if (!document || column < 0) return out;
  const auto add = [&](int row) {
    const QString name = page_->rows[size_t(row)][column].toString();
    if (known.contains(name) || !document->hasNode(name)) return;
    known << name;
    out << name;
  };
  for (const int row : selected_) add(row);
  if (selected_.isEmpty())
    for (int row = 0; row < int(page_->rows.size()); ++row) add(row);
  return out;
}

QHash<QString, double> QueryStore::valuesOf(int column, QString* error) const {
  const int names = page_->nodeColumn();
  QHash<QString, double> sums;
  QHash<QString, int> counts;
  if (names < 0) {
    *error = tr("The result has no column with names of nodes.");
    return sums;
  }
  if (column < 0 || column >= page_->columns.size() || !page_->columns[column].isNumber) {
    *error = tr("The result has no column of numbers to colour by.");
    return sums;
  }
  for (const QVariantList& row : page_->rows) {
    if (row[column].isNull()) continue;
    sums[row[names].toString()] += row[column].toDouble();
    ++counts[row[names].toString()];
  }
  for (auto it = sums.begin(); it != sums.end(); ++it) *it /= counts.value(it.key());
  if (sums.isEmpty()) *error = tr("The column %1 has no numbers.").arg(page_->columns[column].name);
  return sums;
}

void QueryStore::selectNodes(const QStringList& names) {
  const int column = page_->nodeColumn();
  if (column < 0) return;
  const QSet<QString> wanted(names.begin(), names.end());
  QVector<int> rows;
  for (int row = 0; row < int(page_->rows.size()); ++row)
    if (wanted.contains(page_->rows[size_t(row)][column].toString())) rows << row;
  setSelectedRows(rows);
}

void QueryStore::addFiles(const QStringList& paths) {
  for (const QString& path : paths)
    if (!files_.contains(path)) files_ << path;
  emit changed();
}

void QueryStore::removeFiles() {
  files_.clear();
  emit changed();
}

QStringList QueryStore::contents() const {
  QStringList out;
  if (const Document* document = workspace_.current()) out << tr("the graph %1").arg(document->title());
  if (const ProfilePtr trace = ProfileStore::of(workspace_).current()) out << tr("the trace %1").arg(trace->title);
  int runs = 0;
  for (const auto& run : workspace_.summaries().runs()) runs += !run->foreign;
  if (runs > 0) out << tr("the curves of %n run(s)", nullptr, runs);
  for (const QString& file : sources().openFiles + files_) out << QFileInfo(file).fileName();
  return out;
}

QStringList QueryStore::paths() const {
  QStringList out;
  const QuerySources s = sources();
  if (const Document* document = workspace_.current(); document && !document->path().isEmpty()) out << document->path();
  if (s.trace && !s.trace->path.isEmpty()) out << s.trace->path;
  for (const QuerySources::Run& run : s.runs)
    if (!run.folder.isEmpty()) out << run.folder;
  if (!s.experiments.isEmpty()) out << s.experiments;
  out += s.openFiles + files_;
  out.removeDuplicates();
  return out;
}

}  // namespace weft::app
