#include "views/hparams/hparams_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <algorithm>

namespace weft::app {
namespace {

/// The last entry of that kind in a run; null if there is none.
const HParamsEntry* entryOfKind(const SummaryRun& run, HParamsEntry::Kind kind) {
  for (const auto& [tag, series] : run.hparams)
    if (!series->empty() && series->back().kind == kind) return &series->back();
  return nullptr;
}

/// The run that logs a metric of a session; null if there is none.
const SummaryRun* metricRun(const Summaries& summaries, const SummaryRun& session, const QString& group) {
  if (group.isEmpty()) return &session;
  const QString name = session.identity.name + u'/' + group;
  for (const auto& run : summaries.runs())
    if (run->identity.name == name && run->source == session.source) return run.get();
  return nullptr;
}

QVariant lastOf(const SummaryRun* run, const QString& tag) {
  if (!run) return {};
  const auto it = run->scalars.find(tag);
  return it == run->scalars.end() || it->second->empty() ? QVariant() : QVariant((*it->second)[it->second->size() - 1].value);
}

QString csvOf(const QString& text) { return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"'; }

/// Titles that several columns share are followed by the columns' names.
void makeTitlesUnique(QVector<HParamsTable::Column>& columns) {
  QHash<QString, int> count;
  for (const auto& column : std::as_const(columns)) ++count[column.title];
  QSet<QString> taken;
  for (auto& column : columns) {
    if (count[column.title] > 1)
      column.title = QStringLiteral("%1 (%2)").arg(column.title, column.group.isEmpty() ? column.key : column.group + u'/' + column.key);
    const QString title = column.title;
    for (int n = 2; taken.contains(column.title); ++n) column.title = QStringLiteral("%1 %2").arg(title).arg(n);
    taken.insert(column.title);
  }
}

}  // namespace

HParamsTable HParamsTable::of(const Summaries& summaries, qsizetype mostMetrics) {
  HParamsTable out;
  QVector<std::pair<QString, QString>> names;  // hyperparameters and their titles
  QVector<Column> metrics;
  QVector<const SummaryRun*> sessions;
  QSet<QString> seenNames;
  QSet<std::pair<QString, QString>> seenMetrics;
  const auto addName = [&](const QString& name, const QString& title) {
    if (seenNames.contains(name)) return;
    seenNames.insert(name);
    names << std::pair(name, title);
  };
  const auto addMetric = [&](const HParamsEntry::Metric& m) {
    if (seenMetrics.contains({m.group, m.tag})) return;
    seenMetrics.insert({m.group, m.tag});
    if (metrics.size() >= mostMetrics) ++out.leftOut;
    else metrics << Column{m.title, true, m.tag, m.group};
  };
  for (const auto& run : summaries.runs()) {
    if (run->foreign) continue;
    if (const HParamsEntry* experiment = entryOfKind(*run, HParamsEntry::Kind::Experiment)) {
      if (out.description.isEmpty()) out.description = experiment->description;
      for (const auto& [name, title] : experiment->names) addName(name, title);
      for (const auto& metric : experiment->metrics) addMetric(metric);
    }
    if (entryOfKind(*run, HParamsEntry::Kind::SessionStart)) sessions << run.get();
  }
  for (const SummaryRun* run : std::as_const(sessions))
    for (const auto& [name, value] : entryOfKind(*run, HParamsEntry::Kind::SessionStart)->values) addName(name, name);
  if (metrics.isEmpty())
    for (const SummaryRun* run : std::as_const(sessions))
      for (const auto& [tag, series] : run->scalars) addMetric({QString(), tag, tag});
  for (const auto& [name, title] : std::as_const(names)) out.columns << Column{title, false, name, {}};
  out.columns << metrics;
  makeTitlesUnique(out.columns);
  for (const SummaryRun* run : std::as_const(sessions)) {
    Row row{run->id, run->name, run->hue, run->visible, HParamsEntry::Status::Running, {}};
    if (const HParamsEntry* end = entryOfKind(*run, HParamsEntry::Kind::SessionEnd)) row.status = end->status;
    const auto& values = entryOfKind(*run, HParamsEntry::Kind::SessionStart)->values;
    for (const Column& column : std::as_const(out.columns)) {
      if (column.isMetric) {
        row.cells << lastOf(metricRun(summaries, *run, column.group), column.key);
      } else {
        const auto it = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == column.key; });
        row.cells << (it == values.end() ? QVariant() : it->second);
      }
    }
    out.rows << row;
  }
  return out;
}

QByteArray HParamsTable::toCsv(const std::function<QString(HParamsEntry::Status)>& statusText) const {
  QString out = QStringLiteral("run,status");
  for (const Column& column : columns) out += u',' + csvOf(column.title);
  out += u'\n';
  for (const Row& row : rows) {
    out += csvOf(row.name) + u',' + csvOf(statusText(row.status));
    for (const QVariant& cell : row.cells)
      out += u',' + (cell.typeId() == QMetaType::Double ? QString::number(cell.toDouble(), 'g', 9) : csvOf(cell.toString()));
    out += u'\n';
  }
  return out.toUtf8();
}

QByteArray HParamsTable::toJson(const std::function<QString(HParamsEntry::Status)>& statusText) const {
  QJsonArray list;
  for (const Row& row : rows) {
    QJsonObject hparams, metrics;
    for (qsizetype i = 0; i < columns.size(); ++i) (columns[i].isMetric ? metrics : hparams).insert(columns[i].title, QJsonValue::fromVariant(row.cells[i]));
    list << QJsonObject{{QStringLiteral("run"), row.name},
                        {QStringLiteral("status"), statusText(row.status)},
                        {QStringLiteral("hparams"), hparams},
                        {QStringLiteral("metrics"), metrics}};
  }
  return QJsonDocument(list).toJson();
}

}  // namespace weft::app
