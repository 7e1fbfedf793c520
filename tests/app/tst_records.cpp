// Chinese translations of the engine's record texts: complete where required, and without obsolete entries.
#include <QFile>
#include <QHash>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "weft/api.h"
#include "weft/op.h"

class RecordsTest : public QObject {
  Q_OBJECT

  QHash<QString, QString> chinese_;

  static QString text(const std::string& s) { return QString::fromStdString(s); }
  /// The texts of a layer's palette entry, sheet and tooltips; or the descriptions of all functions.
  static QSet<QString> ofLayers(bool all = false) {
    QSet<QString> texts;
    for (const weft::ApiRecord* record : weft::ApiRegistry::instance().all()) {
      if (!all && !record->recipe) continue;
      texts << text(record->summary) << text(record->doc) << text(record->returns) << text(record->source);
      for (const weft::ApiParameter& p : record->parameters) texts << text(p.doc) << text(p.unit);
    }
    texts.remove({});
    return texts;
  }
  static QSet<QString> reasons() {
    QSet<QString> texts;
    for (const weft::OpRecord* record : weft::OpRegistry::instance().all())
      if (!record->gradientFunction) texts << text(record->noGradientReason);
    texts.remove({});
    return texts;
  }
  static QSet<QString> ofOps() {
    QSet<QString> texts;
    for (const weft::OpRecord* record : weft::OpRegistry::instance().all()) {
      texts << text(record->summaryText) << text(record->descriptionText);
      for (const auto* list : {&record->inputs, &record->outputs})
        for (const weft::ArgSpec& arg : *list) texts << text(arg.doc);
      for (const weft::AttrSpec& attr : record->attrs) texts << text(attr.doc);
    }
    return texts;
  }
  void mustHave(const QSet<QString>& texts) {
    QStringList missing;
    for (const QString& t : texts)
      if (!chinese_.contains(t)) missing << t;
    missing.sort();
    QVERIFY2(missing.isEmpty(), qPrintable("translations/records_zh_CN.ts lacks:\n" + missing.join('\n')));
  }

 private slots:
  void initTestCase() {
    QFile file(QStringLiteral(WEFT_SOURCE_DIR "/translations/records_zh_CN.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString source;
    while (!xml.atEnd()) {
      xml.readNext();
      if (!xml.isStartElement()) continue;
      if (xml.name() == u"name") QCOMPARE(xml.readElementText(), QStringLiteral("Records"));
      else if (xml.name() == u"source") source = xml.readElementText();
      else if (xml.name() == u"translation") chinese_.insert(source, xml.readElementText());
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(chinese_.size() > 300);
  }
  void everyLayerAndItsParametersAreThere() { mustHave(ofLayers()); }
  void everyReasonForNoGradientIsThere() { mustHave(reasons()); }
  void opsThatEveryNetworkHasAreThere() {
    QSet<QString> texts;
    for (const char* op : {"Add",
                           "AddV2",
                           "Assign",
                           "AvgPool",
                           "BiasAdd",
                           "Cast",
                           "ConcatV2",
                           "Const",
                           "Conv2D",
                           "Enter",
                           "Exit",
                           "FusedBatchNorm",
                           "GatherV2",
                           "Identity",
                           "MatMul",
                           "MaxPool",
                           "Mean",
                           "Merge",
                           "Mul",
                           "NoOp",
                           "OneHot",
                           "Pad",
                           "Placeholder",
                           "RandomUniform",
                           "Relu",
                           "Reshape",
                           "Sigmoid",
                           "Softmax",
                           "SparseSoftmaxCrossEntropyWithLogits",
                           "StridedSlice",
                           "Sum",
                           "Switch",
                           "Tanh",
                           "Transpose",
                           "VariableV2",
                           "VarHandleOp",
                           "ReadVariableOp"}) {
      const weft::OpRecord* record = weft::OpRegistry::instance().find(op);
      QVERIFY2(record != nullptr, op);
      texts << text(record->summaryText);
    }
    mustHave(texts);
  }
  void nothingIsStale() {
    const QSet<QString> known = ofLayers(true) + reasons() + ofOps();
    QStringList stale;
    for (auto it = chinese_.cbegin(); it != chinese_.cend(); ++it)
      if (!known.contains(it.key())) stale << it.key();
    QVERIFY2(stale.isEmpty(), qPrintable("no record says any more:\n" + stale.join('\n')));
  }
  void everyEntryIsChinese() {
    for (auto it = chinese_.cbegin(); it != chinese_.cend(); ++it) {
      bool han = false;
      for (const QChar c : it.value()) han = han || c.script() == QChar::Script_Han;
      QVERIFY2(han, qPrintable(it.key()));
      QCOMPARE(it.value().count(u'`'), it.key().count(u'`'));
    }
  }
};

QTEST_GUILESS_MAIN(RecordsTest)
#include "tst_records.moc"
