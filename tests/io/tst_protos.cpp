#include <QTest>

#include "weft/file_system.h"
#include "weft/inspect.h"

using namespace weft;

namespace {

const std::string kFiles = std::string(WEFT_SOURCE_DIR) + "/tests/golden/files/";

std::string fileBytes(const std::string& name) { return *posixFileSystem().readAll(kFiles + name); }

}  // namespace

/// Graph messages in binary and text form.
class ProtosTest : public QObject {
  Q_OBJECT

 private slots:
  void thereAndBack_data() {
    QTest::addColumn<QString>("name");
    for (const char* n : {"graphs/every_attr.pb", "graphs/constants.pb", "graphs/loops_v1.pb", "metagraphs/collections_ref.meta", "frozen/ref.meta"})
      if (posixFileSystem().exists(kFiles + n)) QTest::newRow(n) << QString(n);
  }
  void thereAndBack() {
    QFETCH(QString, name);
    const std::string binary = fileBytes(name.toStdString());
    const auto canonical = convertGraphBytes(binary, "pb");
    QVERIFY2(canonical.ok(), canonical.ok() ? "" : canonical.error().message.c_str());
    const auto text = convertGraphBytes(binary, "pbtxt");
    if (!text.ok()) {
      QVERIFY2(text.error().message.find("not known") != std::string::npos, text.error().message.c_str());
      return;
    }
    const auto again = convertGraphBytes(*text, "pb");
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().message.c_str());
    QCOMPARE(*again == *canonical, true);
  }

  void unknownFieldsSurvive() {
    // A GraphDef with a node and an unknown field 77.
    const std::string bytes = std::string(
                                  "\x0a\x09\x0a\x01"
                                  "a"
                                  "\x12\x04NoOp",
                                  11) +
                              std::string("\xea\x04\x05later", 8);
    const auto again = convertGraphBytes(bytes, "pb");
    QVERIFY(again.ok());
    QVERIFY(again->find("later") != std::string::npos);
    QVERIFY2(!convertGraphBytes(bytes, "pbtxt").ok(), "text would lose it");
    std::vector<std::string> warnings;
    const auto text = convertGraphBytes(bytes, "pbtxt", -1, &warnings);
    QVERIFY(text.ok());
    QCOMPARE(warnings, std::vector<std::string>{"text format cannot hold the fields that are not known here; left out: field 77"});
    QVERIFY(text->starts_with("# Without the fields that Weft does not know: field 77\nnode {\n"));
    QVERIFY2(convertGraphBytes(*text, "pb").ok(), "the comment does not disturb readers");
  }

  void textErrorsSayWhere() {
    const auto got = convertGraphBytes("node {\n  name: \"a\"\n  opp: \"NoOp\"\n}\n", "pb");
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, std::string("bad_syntax"));
    QVERIFY2(got.error().message.compare(0, 2, "3:") == 0, got.error().message.c_str());
    QVERIFY(got.error().message.find("opp") != std::string::npos);
  }

  void aGraphBecomesAMetaGraphAndBack() {
    const std::string graph = *convertGraphBytes("node { name: \"a\" op: \"NoOp\" }", "pb");
    const auto meta = convertGraphBytes(graph, "meta");
    QVERIFY(meta.ok());
    QCOMPARE(*convertGraphBytes(*meta, "graph.pb") == graph, true);
    QVERIFY(!convertGraphBytes(graph, "exe").ok());
    QVERIFY(!convertGraphBytes("no graph", "pb").ok());
  }
};

QTEST_GUILESS_MAIN(ProtosTest)
#include "tst_protos.moc"
