#include "document/program_notes.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "common/format.h"
#include "document/document.h"
#include "document/program.h"
#include "document/program_graphs.h"

namespace weft::app {
namespace {

QString shapeText(const QJsonValue& dims) {
  if (!dims.isArray()) return QStringLiteral("?");
  QStringList parts;
  for (const QJsonValue& d : dims.toArray()) parts << (d.isNull() ? QStringLiteral("?") : QString::number(d.toInteger()));
  return parts.join(u'×');
}

LineNote lineFrom(const QJsonObject& o) {
  LineNote note;
  for (const QJsonValue& v : o[QStringLiteral("made")].toArray()) {
    const QJsonArray made = v.toArray();
    note.made << LineNote::Made{made.at(0).toString(), shapeText(made.at(1)), shortDType(made.at(2).toString()), made.at(3).toInt() == 1};
  }
  note.more = o[QStringLiteral("more")].toInt();
  note.nodes = o[QStringLiteral("nodes")].toInt();
  note.gradients = o[QStringLiteral("gradients")].toBool();
  for (const QJsonValue& v : o[QStringLiteral("scopes")].toArray()) note.scopes << v.toString();
  const QJsonArray enters = o[QStringLiteral("enters")].toArray();
  note.variableScope = enters.at(0).toString();
  note.nameScope = enters.at(1).toString();
  for (const QJsonValue& v : o[QStringLiteral("ran")].toArray()) note.ran << qMakePair(v.toArray().at(0).toInt(), v.toArray().at(1).toString());
  for (const QJsonValue& v : o[QStringLiteral("printed")].toArray()) note.printed << v.toString();
  note.prints = o[QStringLiteral("prints")].toInt();
  return note;
}

NotedValue valueFrom(const QJsonObject& o) {
  NotedValue value;
  value.dtype = shortDType(o[QStringLiteral("dtype")].toString());
  value.shape = shapeText(o[QStringLiteral("shape")]);
  value.text = o[QStringLiteral("text")].toString();
  value.least = o[QStringLiteral("min")].toDouble();
  value.most = o[QStringLiteral("max")].toDouble();
  value.mean = o[QStringLiteral("mean")].toDouble();
  value.bad = o[QStringLiteral("bad")].toInteger();
  value.run = o[QStringLiteral("run")].toInteger();
  return value;
}

}  // namespace

QString shortDType(const QString& dtype) {
  static const QHash<QString, QString> names = {{QStringLiteral("float16"), QStringLiteral("f16")},   {QStringLiteral("bfloat16"), QStringLiteral("bf16")},
                                                {QStringLiteral("float32"), QStringLiteral("f32")},   {QStringLiteral("float64"), QStringLiteral("f64")},
                                                {QStringLiteral("int8"), QStringLiteral("i8")},       {QStringLiteral("int16"), QStringLiteral("i16")},
                                                {QStringLiteral("int32"), QStringLiteral("i32")},     {QStringLiteral("int64"), QStringLiteral("i64")},
                                                {QStringLiteral("uint8"), QStringLiteral("u8")},      {QStringLiteral("uint16"), QStringLiteral("u16")},
                                                {QStringLiteral("uint32"), QStringLiteral("u32")},    {QStringLiteral("uint64"), QStringLiteral("u64")},
                                                {QStringLiteral("complex64"), QStringLiteral("c64")}, {QStringLiteral("complex128"), QStringLiteral("c128")}};
  return names.value(dtype, dtype);
}

QString NotedValue::words() const {
  if (!text.isEmpty()) return QStringLiteral("= ") + text;
  QString out = QCoreApplication::translate("NotedValue", "= min %1  max %2  mean %3")
                    .arg(widgets::formatValue(least), widgets::formatValue(most), widgets::formatValue(mean));
  if (bad > 0) out += QStringLiteral("  ") + QCoreApplication::translate("NotedValue", "%n NaN or infinite", nullptr, int(bad));
  return out;
}

ProgramNotes::ProgramNotes(Program& program, ProgramGraphs& graphs) : program_(program), graphs_(graphs) {
  connect(&program, &Program::aboutToStart, this, [this] {
    files_.clear();
    values_.clear();
    scopes_.clear();
    emit changed();
  });
  connect(&program, &Program::said, this, [this](const QString& event, const QByteArray& message) {
    if (event != QLatin1String("notes")) return;
    const QString name = QJsonDocument::fromJson(message).object()[QStringLiteral("file")].toString();
    QFile file(program_.folder() + u'/' + QFileInfo(name).fileName());
    if (file.open(QIODevice::ReadOnly)) read(file.readAll());
  });
}

bool ProgramNotes::read(const QByteArray& json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (!document.isObject()) return false;
  files_.clear();
  values_.clear();
  scopes_.clear();
  const QJsonObject files = document.object()[QStringLiteral("files")].toObject();
  for (auto f = files.begin(); f != files.end(); ++f) {
    QMap<int, LineNote>& lines = files_[f.key()];
    const QJsonObject notes = f.value().toObject();
    for (auto n = notes.begin(); n != notes.end(); ++n) lines.insert(n.key().toInt(), lineFrom(n.value().toObject()));
  }
  const QJsonObject values = document.object()[QStringLiteral("values")].toObject();
  for (auto g = values.begin(); g != values.end(); ++g) {
    const QJsonObject tensors = g.value().toObject();
    for (auto t = tensors.begin(); t != tensors.end(); ++t) values_.insert({g.key().toInt(), t.key()}, valueFrom(t.value().toObject()));
  }
  const QJsonObject scopes = document.object()[QStringLiteral("scopes")].toObject();
  for (auto g = scopes.begin(); g != scopes.end(); ++g) {
    const QJsonObject places = g.value().toObject();
    for (auto s = places.begin(); s != places.end(); ++s) scopes_.insert(s.key(), {s.value().toArray().at(0).toString(), s.value().toArray().at(1).toInt()});
  }
  emit changed();
  return true;
}

const QMap<int, LineNote>& ProgramNotes::linesOf(const QString& file) const {
  static const QMap<int, LineNote> none;
  const auto it = files_.constFind(file);
  return it == files_.constEnd() ? none : *it;
}

std::optional<NotedValue> ProgramNotes::value(int graph, const QString& tensor) const {
  const auto it = values_.constFind({graph, tensor});
  if (it == values_.constEnd()) return {};
  return *it;
}

std::optional<NotedValue> ProgramNotes::valueOf(const Document* document, const QString& tensor) const {
  const int graph = graphs_.numberOf(document);
  if (graph == 0) return {};
  return value(graph, tensor);
}

std::optional<QPair<QString, int>> ProgramNotes::enteredAt(const QString& scope) const {
  const auto it = scopes_.constFind(scope);
  if (it == scopes_.constEnd()) return {};
  return *it;
}

}  // namespace weft::app
