// Fills the sheets: nodes, variables and checkpoints come from the engine's queries.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "adapters/debug_job.h"
#include "adapters/engine_graph.h"
#include "adapters/sheet_table.h"
#include "weft/checkpoint.h"
#include "weft/query.h"
#include "weft/row_table.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct SheetWords {
  Q_DECLARE_TR_FUNCTIONS(SheetWords)
};

using Kind = SheetColumn::Kind;

constexpr double kExact = 9007199254740992;  // integers from here on are shown as texts, because a double does not hold them all
constexpr int kMostTensors = 5000;           // of a debugged run
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
const char* const kStatistics[] = {"mean", "std", "min", "max", "norm", "nan", "inf", "zeros"};

struct Reading {
  const SheetSources& sources;
  const std::atomic<bool>& cancelled;
  RowTable rows;
  QVector<SheetColumn> columns;
  QStringList notes;
  QString valuesOf;

  bool stopped() const { return cancelled.load(); }
  void add(RowColumn column, Kind kind, const QString& doc = {}) {
    columns.append({text(column.name), kind, false, false, doc});
    rows.add(std::move(column));
  }
  /// Adds the columns of a query's result.
  void take(const QueryResult& result);
};

Kind kindOf(const RowColumn& column) {
  static const std::map<std::string, Kind> kKinds = {{"bytes", Kind::Bytes}, {"flops", Kind::Flops}, {"started", Kind::Time}, {"seconds", Kind::Seconds}};
  const auto it = kKinds.find(column.name);
  if (column.isText()) return Kind::Text;
  return it != kKinds.end() ? it->second : column.type == QueryType::Integer ? Kind::Count : Kind::Number;
}

void Reading::take(const QueryResult& result) {
  RowTable table(result);
  for (size_t c = 0; c < table.columns().size(); ++c) {
    QString doc;
    for (const QueryTable& known : queryTables())
      for (const QueryColumn& column : known.columns)
        if (result.columns[c].table == known.name && result.columns[c].origin == column.name) doc = QCoreApplication::translate("Query", column.doc);
    RowColumn column = table.columns()[c];
    const Kind kind = kindOf(column);
    add(std::move(column), kind, doc);
  }
}

Result<QueryResult> ask(QueryDatabase& database, const char* sql, const std::atomic<bool>& cancelled) {
  QueryOptions options;
  options.limit = 0;
  options.progress = [&cancelled](int64_t) { return !cancelled.load(); };
  return database.run(sql, options);
}

/// An attribute as a column: of numbers if all its values are.
RowColumn attributeColumn(const Graph& graph, const std::string& name, const std::string& title) {
  bool numbers = true, integers = true;
  for (int id = 0; id < graph.size() && numbers; ++id) {
    const Node* n = graph.node(id);
    const Attr* attr = n ? n->attrs.find(name) : nullptr;
    if (!attr) continue;
    const auto* integer = attr->get<int64_t>();
    integers = integers && integer;
    numbers = integer ? std::abs(double(*integer)) < kExact : attr->get<float>() != nullptr;
  }
  RowColumnBuilder column(title, !numbers ? QueryType::Text : integers ? QueryType::Integer : QueryType::Real);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    const Attr* attr = n->attrs.find(name);
    if (!attr) column.addNone();
    else if (const auto* integer = attr->get<int64_t>(); integer && numbers) column.add(double(*integer));
    else if (const auto* real = attr->get<float>(); real && numbers) column.add(std::stod(attr->toString()));  // 0.1, not 0.10000000149
    else if (const auto* plain = attr->get<std::string>()) column.add(std::string_view(*plain));
    else column.add(std::string_view(attr->toString()));
  }
  return column.take();
}

Status readNodes(Reading& r, QStringList& attributes) {
  const std::shared_ptr<const EngineGraph> engine = r.sources.contents->engine;
  WEFT_LET(const auto database, QueryDatabase::create());
  database->addGraph(r.sources.title.toStdString(), std::shared_ptr<const MetaGraph>(engine, &engine->loaded.meta));
  WEFT_LET(const auto result, ask(*database,
                                  "SELECT name, op, scope, device, dtype, shape, bytes, flops, inputs, controls, outputs, consumers, elements, known FROM nodes",
                                  r.cancelled));
  r.take(result);
  for (SheetColumn& c : r.columns) c.isEditable = c.name == QLatin1String("name") || c.name == QLatin1String("scope") || c.name == QLatin1String("device");
  const Graph& graph = engine->loaded.meta.graph;
  for (const QString& attribute : r.sources.attributes) {
    if (r.stopped()) return cancelledError("stopped");
    const std::string name = attribute.toStdString();
    const std::string title = r.rows.find(name) < 0 ? name : "attr:" + name;
    r.add(attributeColumn(graph, name, title), Kind::Text, SheetWords::tr("The attribute %1.").arg(attribute));
    const RowColumn& made = r.rows.columns().back();
    r.columns.last().kind = made.isText() ? Kind::Text : made.type == QueryType::Integer ? Kind::Count : Kind::Number;
    r.columns.last().isAttribute = r.columns.last().isEditable = true;
  }
  std::set<std::string> names;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id))
      for (const auto& [name, value] : n->attrs) names.insert(name);
  for (const std::string& name : names)
    if (!name.starts_with("_weft")) attributes << text(name);
  return {};
}

/// Statistics, column by column.
struct StatisticColumns {
  std::vector<RowColumnBuilder> columns;
  StatisticColumns() {
    for (const char* name : kStatistics) columns.emplace_back(name, columns.size() < 5 ? QueryType::Real : QueryType::Integer);
  }
  void add(const TensorStatistics* s) {
    const bool any = s && s->isNumeric, finite = any && s->finite() > 0;
    const double values[] = {finite ? s->mean : kNone,
                             finite ? s->std : kNone,
                             finite ? s->min : kNone,
                             finite ? s->max : kNone,
                             finite ? s->norm : kNone,
                             any ? double(s->nans) : kNone,
                             any ? double(s->infinities()) : kNone,
                             any ? double(s->zeros) : kNone};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].add(values[i]);
  }
  void addTo(Reading& r) {
    static const char* const kDocs[] = {
        QT_TRANSLATE_NOOP("SheetWords", "Mean of the finite values."),  QT_TRANSLATE_NOOP("SheetWords", "Standard deviation of the finite values."),
        QT_TRANSLATE_NOOP("SheetWords", "Smallest finite value."),      QT_TRANSLATE_NOOP("SheetWords", "Largest finite value."),
        QT_TRANSLATE_NOOP("SheetWords", "Root of the sum of squares."), QT_TRANSLATE_NOOP("SheetWords", "Number of values that are NaN."),
        QT_TRANSLATE_NOOP("SheetWords", "Number of infinite values."),  QT_TRANSLATE_NOOP("SheetWords", "Number of zeros.")};
    for (size_t i = 0; i < columns.size(); ++i) r.add(columns[i].take(), i < 5 ? Kind::Number : Kind::Count, SheetWords::tr(kDocs[i]));
  }
};

Status readVariables(Reading& r) {
  const std::shared_ptr<const EngineGraph> engine = r.sources.contents->engine;
  WEFT_LET(const auto database, QueryDatabase::create());
  database->addGraph(r.sources.title.toStdString(), std::shared_ptr<const MetaGraph>(engine, &engine->loaded.meta));
  WEFT_LET(const auto result,
           ask(*database, "SELECT name, op, scope, device, dtype, shape, trainable, elements, bytes, initializer FROM variables", r.cancelled));
  r.take(result);
  for (SheetColumn& c : r.columns) c.isEditable = c.name == QLatin1String("name") || c.name == QLatin1String("scope") || c.name == QLatin1String("device");
  for (SheetColumn& c : r.columns) c.isEditable = c.isEditable || c.name == QLatin1String("trainable");
  std::map<std::string, Tensor> live;
  std::unique_ptr<CheckpointReader> checkpoint;
  if (r.sources.model) {
    live = r.sources.model->trainer()->session().variables();
    r.valuesOf = SheetWords::tr("%1, step %2").arg(r.sources.valuesOf).arg(r.sources.model->step());
  } else if (!r.sources.checkpoint.isEmpty()) {
    auto reader = CheckpointReader::open(r.sources.checkpoint.toStdString());
    if (!reader.ok()) {
      r.notes << errorText(reader.error());
    } else {
      checkpoint = std::move(*reader);
      r.valuesOf = r.sources.valuesOf;
    }
  }
  StatisticColumns statistics;
  for (int32_t row = 0; row < r.rows.rows() && !r.columns.isEmpty(); ++row) {
    if (r.stopped()) return cancelledError("stopped");
    const std::string name = r.rows.columns()[0].text(row);
    TensorStatistics s;
    bool known = false;
    if (const auto it = live.find(name); it != live.end()) {
      s = statisticsOf(it->second);
      known = true;
    } else if (checkpoint) {
      if (const auto tensor = checkpoint->read(name); tensor.ok()) {
        s = statisticsOf(*tensor);
        known = true;
      }
    }
    statistics.add(known ? &s : nullptr);
  }
  statistics.addTo(r);
  return {};
}

/// The outputs of nodes that a debugged run has computed, watched ones first.
QStringList computedTensors(const SheetSources& sources, const DebugState& state) {
  QStringList out = sources.watched;
  std::set<QString> known(out.begin(), out.end());
  const GraphContentsPtr& of = sources.debugged->contents();
  const Graph& graph = of->engine->loaded.meta.graph;
  const bool ended = state.phase == DebugPhase::Ended;  // then tints are of no use
  for (qsizetype i = 0; i < qsizetype(of->arrays.nodes.size()); ++i) {
    const auto tint = i < state.tints.size() ? widgets::NodeTint(state.tints[i]) : widgets::NodeTint::None;
    if (!ended && tint != widgets::NodeTint::Done) continue;
    const Node* n = graph.find(of->arrays.nodes[size_t(i)].name.toStdString());
    for (size_t k = 0; n && k < n->outputTypes.size(); ++k) {
      const QString tensor = QStringLiteral("%1:%2").arg(text(n->name)).arg(k);
      if (known.insert(tensor).second) out << tensor;
    }
  }
  return out;
}

Status readTensors(Reading& r) {
  RowColumnBuilder name("name", QueryType::Text), source("source", QueryType::Text), dtype("dtype", QueryType::Text), shape("shape", QueryType::Text);
  RowColumnBuilder elements("elements", QueryType::Integer), bytes("bytes", QueryType::Integer);
  StatisticColumns statistics;
  const std::string here = SheetWords::tr("debugged run").toStdString(), watch = SheetWords::tr("watched").toStdString();
  int listed = 0;
  const QStringList tensors = r.sources.debugged ? computedTensors(r.sources, r.sources.debugged->state()) : QStringList();
  for (qsizetype i = 0; i < tensors.size(); ++i) {
    if (r.stopped()) return cancelledError("stopped");
    const DebugTensor value = r.sources.debugged->tensor(tensors[i]);
    if (!value.source) continue;
    if (++listed > kMostTensors) {
      r.notes << SheetWords::tr("Only the first %n computed tensor(s) are listed.", nullptr, kMostTensors);
      break;
    }
    const widgets::TensorFacts& f = value.source->facts();
    TensorStatistics s;
    s.isNumeric = f.isNumeric;
    s.elements = f.elements;
    s.nans = f.nans;
    s.positiveInfinities = f.positiveInfinities;
    s.negativeInfinities = f.negativeInfinities;
    s.zeros = f.zeros;
    s.min = f.min;
    s.max = f.max;
    s.mean = f.mean;
    s.std = f.std;
    s.norm = std::sqrt(double(f.finite()) * (f.std * f.std + f.mean * f.mean));
    QStringList dims;
    for (const qint64 d : value.source->shape()) dims << QString::number(d);
    name.add(std::string_view(tensors[i].toStdString()));
    source.add(std::string_view(i < r.sources.watched.size() ? watch : here));
    dtype.add(std::string_view(value.source->dtype().toStdString()));
    shape.add(std::string_view((u'[' + dims.join(u',') + u']').toStdString()));
    elements.add(double(f.elements));
    bytes.add(double(f.bytes));
    statistics.add(&s);
  }
  for (const QString& file : r.sources.files) {
    WEFT_LET(const auto database, QueryDatabase::create());
    const Status added = database->addPath(file.toStdString());
    if (added.code() == Code::InvalidArgument || added.code() == Code::NotFound) continue;
    WEFT_TRY(added);
    WEFT_LET(const auto result,
             ask(*database, "SELECT name, dtype, shape, elements, bytes, mean, std, min, max, norm, nan, inf, zeros FROM tensors", r.cancelled));
    const RowTable table(result);
    const std::string title = file.section(u'/', -1).toStdString();
    for (int32_t row = 0; row < table.rows(); ++row) {
      const auto& c = table.columns();
      const auto number = [&](size_t column) { return c[column].isText() ? kNone : c[column].numbers[size_t(row)]; };
      const auto word = [&](RowColumnBuilder& to, size_t column) { c[column].isEmpty(row) ? to.addNone() : to.add(std::string_view(c[column].text(row))); };
      word(name, 0);
      source.add(std::string_view(title));
      word(dtype, 1);
      word(shape, 2);
      elements.add(number(3));
      bytes.add(number(4));
      for (size_t i = 0; i < statistics.columns.size(); ++i) statistics.columns[i].add(number(5 + i));
    }
    for (const std::string& note : result.notes) r.notes << text(note);
  }
  r.add(name.take(), Kind::Text, SheetWords::tr("The tensor's name."));
  r.add(source.take(), Kind::Text, SheetWords::tr("Where the value is from: the debugged run, or an open checkpoint."));
  r.add(dtype.take(), Kind::Text, SheetWords::tr("The element type."));
  r.add(shape.take(), Kind::Text, SheetWords::tr("The shape of the value."));
  r.add(elements.take(), Kind::Count, SheetWords::tr("Number of elements."));
  r.add(bytes.take(), Kind::Bytes, SheetWords::tr("Size in bytes."));
  statistics.addTo(r);
  return {};
}

/// The runs of a store of experiments, by its tables.
Status readExperiments(Reading& r, QVector<SheetRun>& runs) {
  WEFT_LET(const auto database, QueryDatabase::create());
  WEFT_TRY(database->addExperiments(r.sources.experiments.toStdString()));
  WEFT_LET(const auto facts, ask(*database, "SELECT run, status, folder, started, ended, step, steps FROM runs", r.cancelled));
  WEFT_LET(const auto params, ask(*database, "SELECT run, name, value FROM params", r.cancelled));
  WEFT_LET(const auto metrics, ask(*database, "SELECT run, name, value FROM metrics", r.cancelled));
  const auto word = [](const QueryValue& v) { return text(toText(v)); };
  const auto number = [](const QueryValue& v, double otherwise) {
    if (const auto* real = std::get_if<double>(&v)) return *real;
    if (const auto* integer = std::get_if<int64_t>(&v)) return double(*integer);
    return otherwise;
  };
  std::unordered_map<std::string, qsizetype> byName;
  for (const auto& row : facts.rows) {
    SheetRun run;
    run.name = word(row[0]);
    run.source = SheetWords::tr("experiments");
    run.status = word(row[1]);
    run.folder = word(row[2]);
    run.started = number(row[3], 0);
    const double ended = number(row[4], 0);
    run.seconds = run.started > 0 && ended > run.started ? ended - run.started : 0;
    run.step = qint64(number(row[5], -1));
    run.steps = qint64(number(row[6], -1));
    byName[toText(row[0])] = runs.size();
    runs.append(std::move(run));
  }
  for (const auto& row : params.rows)
    if (const auto it = byName.find(toText(row[0])); it != byName.end()) runs[it->second].params.append({word(row[1]), word(row[2])});
  for (const auto& row : metrics.rows)
    if (const auto it = byName.find(toText(row[0])); it != byName.end()) runs[it->second].metrics.append({word(row[1]), number(row[2], kNone)});
  return {};
}

Status readRuns(Reading& r) {
  QVector<SheetRun> runs = r.sources.runs;
  if (!r.sources.experiments.isEmpty())
    if (const Status read = readExperiments(r, runs); !read.ok()) {
      if (read.code() == Code::Cancelled) return read;
      r.notes << errorText(read.error());
    }
  const auto texts = [&](const char* name, const QString& doc, auto member) {
    RowColumnBuilder column(name, QueryType::Text);
    for (const SheetRun& run : runs) (run.*member).isEmpty() ? column.addNone() : column.add(std::string_view((run.*member).toStdString()));
    r.add(column.take(), Kind::Text, doc);
  };
  const auto numbers = [&](const char* name, Kind kind, const QString& doc, auto value) {
    RowColumnBuilder column(name, kind == Kind::Count ? QueryType::Integer : QueryType::Real);
    for (const SheetRun& run : runs) column.add(value(run));
    r.add(column.take(), kind, doc);
  };
  texts("run", SheetWords::tr("The run."), &SheetRun::name);
  texts("source", SheetWords::tr("The document, the experiments or the folder that it belongs to."), &SheetRun::source);
  texts("status", SheetWords::tr("How it ended."), &SheetRun::status);
  numbers("started", Kind::Time, SheetWords::tr("When it began."), [](const SheetRun& run) { return run.started > 0 ? run.started : kNone; });
  numbers("seconds", Kind::Seconds, SheetWords::tr("How long it ran."), [](const SheetRun& run) { return run.seconds > 0 ? run.seconds : kNone; });
  numbers("step", Kind::Count, SheetWords::tr("The last step."), [](const SheetRun& run) { return run.step >= 0 ? double(run.step) : kNone; });
  numbers("steps", Kind::Count, SheetWords::tr("Steps that were planned."), [](const SheetRun& run) { return run.steps > 0 ? double(run.steps) : kNone; });
  std::map<QString, std::vector<QString>> params;
  std::map<QString, std::vector<double>> metrics;
  for (qsizetype i = 0; i < runs.size(); ++i) {
    for (const auto& [name, value] : runs[i].params) params.try_emplace(name, size_t(runs.size())).first->second[size_t(i)] = value;
    for (const auto& [name, value] : runs[i].metrics) metrics.try_emplace(name, size_t(runs.size()), kNone).first->second[size_t(i)] = value;
  }
  const auto title = [&](const QString& name, const char* prefix) {
    const std::string plain = name.toStdString();
    return r.rows.find(plain) < 0 ? plain : prefix + plain;
  };
  for (const auto& [name, values] : params) {
    bool isNumber = true;
    for (const QString& v : values) {
      bool ok = true;
      if (!v.isEmpty()) v.toDouble(&ok);
      isNumber = isNumber && ok;
    }
    RowColumnBuilder column(title(name, "param:"), isNumber ? QueryType::Real : QueryType::Text);
    for (const QString& v : values) {
      if (v.isEmpty()) column.addNone();
      else if (isNumber) column.add(v.toDouble());
      else column.add(std::string_view(v.toStdString()));
    }
    r.add(column.take(), isNumber ? Kind::Number : Kind::Text, SheetWords::tr("A parameter or setting of the run."));
  }
  for (const auto& [name, values] : metrics) {
    RowColumnBuilder column(title(name, "metric:"), QueryType::Real);
    for (const double v : values) column.add(v);
    r.add(column.take(), Kind::Number, SheetWords::tr("The last value of this metric."));
  }
  texts("folder", SheetWords::tr("The run's folder."), &SheetRun::folder);
  return {};
}

}  // namespace

SheetTablePtr readSheet(const SheetSources& sources, const std::atomic<bool>& cancelled, QString* error) {
  QElapsedTimer clock;
  clock.start();
  Reading r{sources, cancelled, {}, {}, {}, {}};
  QStringList attributes;
  Status status;
  const bool ofGraph = sources.kind == SheetKind::Nodes || sources.kind == SheetKind::Variables;
  if (sources.kind == SheetKind::Nodes && sources.contents) status = readNodes(r, attributes);
  else if (sources.kind == SheetKind::Variables && sources.contents) status = readVariables(r);
  else if (sources.kind == SheetKind::Tensors) status = readTensors(r);
  else if (sources.kind == SheetKind::Runs) status = readRuns(r);
  if (cancelled.load()) return nullptr;
  if (!status.ok()) {
    *error = errorText(status.error());
    return nullptr;
  }
  auto out = std::make_shared<SheetTable>(std::make_shared<const RowTable>(std::move(r.rows)));
  out->kind = sources.kind;
  out->columns = std::move(r.columns);
  out->attributes = std::move(attributes);
  out->notes = std::move(r.notes);
  out->valuesOf = r.valuesOf;
  if (ofGraph) out->of = sources.contents;
  out->readingSeconds = double(clock.nsecsElapsed()) * 1e-9;
  return out;
}

}  // namespace weft::app
