#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "support/graph_compare.h"
#include "weft/api.h"
#include "weft/builder.h"
#include "weft/graph.h"

using namespace weft;

// Functions called by their records, a line of functions.txt each, make the nodes that TensorFlow 1.15.5's Python makes.
class TestApiFunctions : public QObject {
  Q_OBJECT

 private slots:
  void asPython();
};

namespace {

const QString kFolder = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/graphs/api/functions");

Shape shapeOf(const QJsonArray& sizes) {
  std::vector<int64_t> dims;
  for (const QJsonValue& d : sizes) dims.push_back(d.isNull() ? -1 : d.toInteger());
  return Shape(dims);
}

Argument argumentOf(GraphBuilder& b, const QJsonValue& v, const std::string& type) {
  if (v.isNull()) return {};
  if (v.isBool()) return v.toBool();
  if (v.isDouble()) {
    if (type == "float" || v.toDouble() != double(v.toInteger())) return v.toDouble();
    return int64_t(v.toInteger());
  }
  if (v.isString()) {
    const std::string text = v.toString().toStdString();
    if (text.starts_with("@")) return Output{b.graph().find(text.substr(1))->id, 0};
    return type == "dtype" ? Argument(dtypeFromName(text)) : Argument(text);
  }
  ArgumentList list;
  std::vector<int64_t> numbers;
  for (const QJsonValue& item : v.toArray()) {
    list.push_back(argumentOf(b, item, {}));
    if (const auto* n = std::get_if<int64_t>(&list.back())) numbers.push_back(*n);
  }
  return numbers.size() == list.size() ? Argument(numbers) : Argument(list);
}

}  // namespace

void TestApiFunctions::asPython() {
  QFile calls(kFolder + ".txt");
  QVERIFY(calls.open(QIODevice::ReadOnly));
  MetaGraph meta;
  GraphBuilder b(meta);
  for (int k = 0; !calls.atEnd(); ++k) {
    const QByteArray text = calls.readLine();
    const QJsonDocument line = QJsonDocument::fromJson(text);
    QVERIFY2(!line.isNull(), text.constData());
    if (line.isObject()) {
      b.placeholder(dtypeFromName(line["dtype"].toString().toStdString()), shapeOf(line["shape"].toArray()), line["placeholder"].toString().toStdString());
      continue;
    }
    const ApiRecord* record = ApiRegistry::instance().find(line[0].toString().toStdString());
    QVERIFY2(record, text.constData());
    const auto scope = b.nameScope("f" + std::to_string(k));
    Arguments given;
    const QJsonObject object = line[1].toObject();
    for (auto i = object.begin(); i != object.end(); ++i) {
      const std::string name = i.key().toStdString();
      const ApiParameter* p = record->find(name);
      given.set(name, argumentOf(b, i.value(), p ? p->type : std::string()));
    }
    const auto made = buildApi(b, *record, std::move(given));
    QVERIFY2(made.ok(), (text.toStdString() + (made.ok() ? "" : made.error().toString())).c_str());
  }
  LoadOptions plain;
  plain.inferShapes = false;
  auto want = loadGraphFile((kFolder + ".pbtxt").toStdString(), plain);
  QVERIFY2(want.ok(), want.ok() ? "" : want.error().toString().c_str());
  const QString differences = graphDifferences(want->meta.graph, meta.graph);
  QVERIFY2(differences.isEmpty(), qPrintable(differences));
}

QTEST_GUILESS_MAIN(TestApiFunctions)
#include "tst_api_functions.moc"
