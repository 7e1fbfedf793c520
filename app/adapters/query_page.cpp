#include "adapters/query_page.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <cmath>
#include <unordered_set>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"
#include "common/format.h"
#include "weft/mutex.h"
#include "weft/query.h"

namespace weft::app {
namespace {

QString translatedQuery(const char* text) { return QCoreApplication::translate("Query", text); }

const char* const kSqlWords[] = {"SELECT",   "FROM",     "WHERE", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "DESC",    "ASC",    "AS",
                                 "JOIN",     "ON",       "AND",   "OR",       "NOT",      "IN",     "LIKE",  "GLOB",    "REGEXP", "IS NULL",
                                 "NOT NULL", "DISTINCT", "CASE",  "WHEN",     "THEN",     "ELSE",   "END",   "BETWEEN", "UNION",  "WITH"};
const char* const kSqlFunctions[] = {"count",  "sum",    "avg",   "min",   "max",  "total", "round",       "abs",
                                     "length", "substr", "upper", "lower", "log2", "sqrt",  "group_concat"};

/// Whether a column shows names of nodes, so that its rows are nodes on the canvas.
bool showsNodes(const QueryResult::Column& c) {
  if (c.table == "nodes" || c.table == "tensors") return c.origin == "name";
  if (c.table == "edges") return c.origin == "source" || c.origin == "target";
  if (c.table == "attrs" || c.table == "slices") return c.origin == "node" || (c.table == "slices" && c.origin == "name");
  if (c.table == "gaps") return c.origin == "cause" || c.origin == "before" || c.origin == "after";
  return c.table.empty() && c.name == "node";
}

QVariant variantOf(const QueryValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return qlonglong(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* word = std::get_if<std::string>(&value)) return text(*word);
  return {};
}

/// The settings that a run's folder keeps.
std::vector<std::pair<std::string, std::string>> settingsIn(const QString& folder) {
  std::vector<std::pair<std::string, std::string>> out;
  QFile file(folder + QStringLiteral("/run.json"));
  if (folder.isEmpty() || !file.open(QIODevice::ReadOnly)) return out;
  const QJsonObject settings = QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("settings")].toObject();
  for (auto it = settings.begin(); it != settings.end(); ++it) out.emplace_back(it.key().toStdString(), it.value().toVariant().toString().toStdString());
  return out;
}

}  // namespace

QVector<QueryWord> queryWords() {
  QVector<QueryWord> out;
  QSet<QString> known;
  const auto add = [&](QueryWord::Kind kind, const QString& word, const QString& doc) {
    if (known.contains(word)) return;
    known << word;
    out.append({kind, word, doc});
  };
  for (const QueryTable& t : queryTables()) add(QueryWord::Kind::Table, QLatin1String(t.name), translatedQuery(t.doc));
  for (const QueryTable& t : queryTables())
    for (const QueryColumn& c : t.columns) add(QueryWord::Kind::Column, QLatin1String(c.name), translatedQuery(c.doc));
  for (const QueryFunction& f : queryFunctions())
    add(QueryWord::Kind::Function, QLatin1String(f.name), QStringLiteral("%1 · %2").arg(QLatin1String(f.call), translatedQuery(f.doc)));
  for (const char* f : kSqlFunctions) add(QueryWord::Kind::Function, QLatin1String(f), {});
  for (const char* w : kSqlWords) add(QueryWord::Kind::Keyword, QLatin1String(w), {});
  return out;
}

QVector<QueryWord> opWords(const GraphContents& contents) {
  QVector<QueryWord> out;
  std::unordered_set<std::string_view> ops;
  const Graph& graph = contents.engine->loaded.meta.graph;
  for (int i = 0; i < graph.size(); ++i)
    if (const Node* node = graph.node(i)) ops.insert(node->op);
  for (const std::string_view op : ops) out.append({QueryWord::Kind::Op, text(op), {}});
  return out;
}

QVector<QueryExampleInfo> queryExampleInfos() {
  QVector<QueryExampleInfo> out;
  for (const QueryExample& e : queryExamples()) out.append({QLatin1String(e.table), translatedQuery(e.title), QString::fromLatin1(e.sql)});
  return out;
}

int QueryPage::nodeColumn() const {
  for (int i = 0; i < int(columns.size()); ++i)
    if (columns[i].isNodes) return i;
  return -1;
}

QString QueryPage::text(const QVariant& value) {
  if (value.isNull()) return QStringLiteral("—");
  if (value.typeId() == QMetaType::Double && std::fabs(value.toDouble()) >= 1e6 && std::fabs(value.toDouble()) < 1e13)
    return QString::number(value.toDouble(), 'f', 2);
  if (value.typeId() == QMetaType::Double) return widgets::formatValue(value.toDouble(), 6);
  return value.toString();
}

namespace {

/// The page as the engine's result, which writes CSV and JSON.
QueryResult resultOf(const QueryPage& page) {
  QueryResult out;
  for (const QueryPage::Column& c : page.columns) out.columns.push_back({c.name.toStdString(), {}, {}});
  for (const QVariantList& row : page.rows) {
    std::vector<QueryValue> values;
    for (const QVariant& v : row) {
      if (v.isNull()) values.emplace_back();
      else if (v.typeId() == QMetaType::LongLong) values.emplace_back(int64_t(v.toLongLong()));
      else if (v.typeId() == QMetaType::Double) values.emplace_back(v.toDouble());
      else values.emplace_back(v.toString().toStdString());
    }
    out.rows.push_back(std::move(values));
  }
  out.more = page.more;
  out.seconds = page.seconds;
  return out;
}

}  // namespace

QByteArray QueryPage::csv() const { return QByteArray::fromStdString(toCsv(resultOf(*this))); }
QByteArray QueryPage::json() const { return QByteArray::fromStdString(toJson(resultOf(*this))); }

struct QuerySession::Impl {
  explicit Impl(QuerySources given) : sources(std::move(given)) {}
  QuerySources sources;
  Mutex mutex;
  std::unique_ptr<QueryDatabase> database WEFT_GUARDED_BY(mutex);

  Status open() WEFT_REQUIRES(mutex);
};

Status QuerySession::Impl::open() {
  if (database) return {};
  WEFT_LET(auto made, QueryDatabase::create());
  if (sources.graph) {
    const std::shared_ptr<const EngineGraph> engine = sources.graph->engine;
    made->addGraph(sources.graphName.toStdString(), std::shared_ptr<const MetaGraph>(engine, &engine->loaded.meta));
  }
  if (sources.trace) {
    const std::shared_ptr<const EngineTrace> engine = sources.trace->engine;
    made->addTrace(sources.trace->title.toStdString(), std::shared_ptr<const Trace>(engine, &engine->trace));
  }
  auto curves = std::make_shared<std::vector<QueryScalars>>();
  for (QuerySources::Curve& c : sources.curves) {
    QueryScalars points;
    points.run = c.run.toStdString();
    points.tag = c.tag.toStdString();
    for (const widgets::Sample& s : c.samples) {
      points.steps.push_back(int64_t(s.step));
      points.wallTimes.push_back(s.wall);
      points.values.push_back(s.value);
    }
    c.samples = {};
    curves->push_back(std::move(points));
  }
  if (!curves->empty()) made->addScalars("runs", curves);
  for (const QuerySources::Run& r : sources.runs)
    if (auto settings = settingsIn(r.folder); !settings.empty()) made->addParams("runs", r.name.toStdString(), std::move(settings));
  if (!sources.experiments.isEmpty()) WEFT_TRY(made->addExperiments(sources.experiments.toStdString()));
  for (const QString& file : sources.files) WEFT_TRY(made->addPath(file.toStdString()));
  for (const QString& file : sources.openFiles) {
    const Status added = made->addPath(file.toStdString());
    if (!added.ok() && added.code() != Code::InvalidArgument && added.code() != Code::NotFound) return added;
  }
  database = std::move(made);
  return {};
}

QuerySession::QuerySession(QuerySources sources) : impl_(std::make_unique<Impl>(std::move(sources))) {}
QuerySession::~QuerySession() = default;

bool QuerySession::isOf(const QuerySources& o, bool curves) const {
  const QuerySources& s = impl_->sources;
  return s.graph == o.graph && s.graphName == o.graphName && s.trace == o.trace && s.experiments == o.experiments && s.files == o.files &&
         s.openFiles == o.openFiles && (!curves || s.curveVersion == o.curveVersion);
}

QueryPage QuerySession::run(const QString& sql, qint64 limit, const std::atomic<bool>& cancelled, std::atomic<qint64>& rows) {
  QueryPage out;
  out.sql = sql;
  MutexLock lock(impl_->mutex);
  const auto fail = [&](const Error& error) {
    out.cancelled = error.code == Code::Cancelled;
    out.error = errorText(error);
    return out;
  };
  if (const Status opened = impl_->open(); !opened.ok()) return fail(opened.error());
  QueryOptions options;
  options.limit = limit;
  options.progress = [&](int64_t n) {
    rows.store(n);
    return !cancelled.load();
  };
  auto result = impl_->database->run(sql.toStdString(), options);
  if (!result.ok()) return fail(result.error());
  for (const QueryResult::Column& c : result->columns) out.columns.append({text(c.name), text(c.table), text(c.origin), true, showsNodes(c)});
  out.rows.reserve(result->rows.size());
  for (const auto& row : result->rows) {
    QVariantList values;
    for (size_t i = 0; i < row.size(); ++i) {
      values << variantOf(row[i]);
      if (std::holds_alternative<std::string>(row[i])) out.columns[qsizetype(i)].isNumber = false;
    }
    out.rows.push_back(std::move(values));
  }
  out.more = result->more;
  out.seconds = result->seconds;
  out.reading = result->reading;
  for (const std::string& note : result->notes) out.notes << text(note);
  return out;
}

bool readsCurves(const QString& sql) {
  static const QRegularExpression words(QStringLiteral("\\b(scalars|tags|runs|metrics|params)\\b"), QRegularExpression::CaseInsensitiveOption);
  return words.match(sql).hasMatch();
}

QString queryCommand(const QString& sql, const QStringList& files) {
  const auto quoted = [](QString word) { return u'\'' + word.replace(u'\'', QStringLiteral("'\\''")) + u'\''; };
  QString out = QStringLiteral("weft query ") + quoted(sql.simplified());
  for (const QString& file : files) out += u' ' + quoted(file);
  return out;
}

}  // namespace weft::app
