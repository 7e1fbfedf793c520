#include "commands/inspect_query.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "document/file_tab.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

struct InspectQuery {
  Q_DECLARE_TR_FUNCTIONS(InspectQuery)
};

QJsonArray dims(const QVector<qint64>& shape) {
  QJsonArray list;
  for (const qint64 d : shape) list << d;
  return list;
}

QJsonObject tensorObject(const FileTab& file, int index) {
  const TensorEntry& e = file.tensors()->entries()[index];
  QJsonObject out{
      {QStringLiteral("name"), e.name}, {QStringLiteral("dtype"), e.dtype}, {QStringLiteral("shape"), dims(e.shape)}, {QStringLiteral("bytes"), e.bytes}};
  const TensorFacts& f = file.facts(index);
  if (!f.error.isEmpty()) out.insert(QStringLiteral("error"), f.error);
  if (!f.known || !f.numeric) return out;
  out.insert(QStringLiteral("min"), jsonNumber(f.min));
  out.insert(QStringLiteral("max"), jsonNumber(f.max));
  out.insert(QStringLiteral("mean"), jsonNumber(f.mean));
  out.insert(QStringLiteral("std"), jsonNumber(f.std));
  out.insert(QStringLiteral("nan"), f.nan);
  out.insert(QStringLiteral("infinite"), f.infinite);
  out.insert(QStringLiteral("zeros"), f.zeros);
  return out;
}

QJsonObject comparisonObject(const FileTab& file) {
  using Kind = TensorChange::Kind;
  static constexpr const char* kNames[] = {"same", "changed", "only here", "only there", "shape differs", "type differs", "unreadable"};
  const FileComparison& c = *file.comparison();
  QJsonObject counts;
  for (int k = 0; k <= int(Kind::Unreadable); ++k) counts.insert(QLatin1String(kNames[k]), c.count(Kind(k)));
  QJsonArray changed;
  for (qsizetype i = 0; i < c.changes.size(); ++i) {
    const TensorChange& change = c.changes[i];
    if (change.kind == Kind::Same) continue;
    QJsonObject row{{QStringLiteral("name"), file.tensors()->entries()[i].name}, {QStringLiteral("kind"), QLatin1String(kNames[int(change.kind)])}};
    if (change.kind == Kind::Changed) {
      row.insert(QStringLiteral("relative"), jsonNumber(change.relative));
      row.insert(QStringLiteral("max_abs"), jsonNumber(change.maxAbsolute));
      row.insert(QStringLiteral("cosine"), jsonNumber(change.cosine));
    }
    changed << row;
  }
  for (const TensorEntry& e : c.onlyThere)
    changed << QJsonObject{{QStringLiteral("name"), e.name}, {QStringLiteral("kind"), QLatin1String(kNames[int(Kind::OnlyThere)])}};
  return {{QStringLiteral("with"), c.otherPath}, {QStringLiteral("counts"), counts}, {QStringLiteral("differences"), changed}};
}

}  // namespace

QueryResult printInspect(const Workspace& workspace) {
  const FileTab* file = workspace.currentFile();
  const auto model = workspace.currentModel();
  if (!file && !model) return {{}, InspectQuery::tr("The current tab is not an inspected file.")};
  const FileContents& contents = file ? *file->contents() : *model;
  QJsonObject out{{QStringLiteral("file"), contents.path},
                  {QStringLiteral("kind"), contents.kind},
                  {QStringLiteral("bytes"), contents.bytes},
                  {QStringLiteral("problem"), contents.problem}};
  QJsonArray parts;
  for (const FilePart& p : contents.parts)
    parts << QJsonObject{{QStringLiteral("path"), p.path}, {QStringLiteral("bytes"), p.bytes}, {QStringLiteral("present"), p.present}};
  out.insert(QStringLiteral("parts"), parts);
  if (file && file->tensors()) {
    QJsonArray tensors;
    for (int i = 0; i < file->tensors()->entries().size(); ++i) tensors << tensorObject(*file, i);
    out.insert(QStringLiteral("tensors"), tensors);
    out.insert(QStringLiteral("selected"), file->selection() < 0 ? QJsonValue() : QJsonValue(file->tensors()->entries()[file->selection()].name));
    out.insert(QStringLiteral("statistics"), file->factsKnown());
  } else {
    out.insert(QStringLiteral("report"), contents.report);
  }
  if (file && file->comparison()) out.insert(QStringLiteral("comparison"), comparisonObject(*file));
  return {QJsonDocument(out).toJson(QJsonDocument::Compact), {}};
}

}  // namespace weft::app
