#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>

#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

Result<Tensor> runWatch(const std::string& op, const std::string& attrs) {
  const std::string graph = node("x", "Placeholder", {}, attr("dtype", "type: DT_FLOAT")) + node("d", op, {"x"}, attr("T", "type: DT_FLOAT") + attrs);
  WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(graph), "test"));
  WEFT_LET(auto session, Session::create(loaded.meta.graph));
  WEFT_LET(auto values, session->run({{"x:0", Tensor::vector(std::vector<float>{1, NAN, -2})}}, {"d:0"}));
  return values[0];
}

std::string urls(const std::string& list) { return attr("debug_urls", "list { " + list + " }"); }

}  // namespace

/// Debug ops with debug_urls: TensorFlow 1.15.5's files and errors.
class DebugDumpTest : public QObject {
  Q_OBJECT

 private slots:
  void events_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<int>("elements");
    QTest::newRow("identity") << "DebugIdentity" << 3;
    QTest::newRow("nan count") << "DebugNanCount" << 1;
    QTest::newRow("summary") << "DebugNumericSummary" << 15;
  }

  void events() {
    QFETCH(QString, op);
    QFETCH(int, elements);
    QTemporaryDir folder;
    const std::string device = "/job:localhost/replica:0/task:0/device:CPU:0";
    for (int k = 0; k < 2; ++k) {
      const auto got = runWatch(op.toStdString(), attr("tensor_name", "s: 'scope/y:1'") + attr("device_name", "s: '" + device + "'") +
                                                      urls("s: 'file://" + folder.path().toStdString() + "'"));
      QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
      QCOMPARE(got->elements(), int64_t(elements));
    }
    const QDir scope(folder.filePath("_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/scope"));
    const QStringList files = scope.entryList(QDir::Files);
    QCOMPARE(files.size(), 2);
    QVERIFY2(files[0].startsWith("y_1_" + op + "_"), qPrintable(files[0]));
    QFile file(scope.filePath(files[0]));
    QVERIFY(file.open(QIODevice::ReadOnly));
    // An Event: the time in microseconds (field 1, a double), then a summary.
    const QByteArray event = file.readAll();
    QVERIFY(event.size() > 9 && event[0] == 9);
    double time = 0;
    std::memcpy(&time, event.constData() + 1, 8);
    QVERIFY(time > 1e15);
    const std::string texts[] = {"\x0a\x07scope/y", "scope/y:1:" + op.toStdString(),
                                 "\x0a\x08"
                                 "debugger",
                                 "{\"device\":\"" + device + "\",\"outputSlot\":1,\"numChunks\":1,\"chunkIndex\":0}"};
    for (const std::string& t : texts) QVERIFY2(event.contains(QByteArray::fromStdString(t)), t.c_str());
    const int bytes = op == "DebugIdentity" ? 12 : elements * 8;
    QVERIFY(event.size() > bytes + 100);
  }

  void muted() {
    QTemporaryDir folder;
    const auto got = runWatch("DebugNumericSummary", attr("tensor_name", "s: 'y'") + attr("mute_if_healthy", "b: true") + attr("upper_bound", "f: 9") +
                                                         urls("s: 'file://" + folder.path().toStdString() + "'"));
    QVERIFY(got.ok());
    QCOMPARE(got->elements(), int64_t(15));  // a NaN is not healthy
    QVERIFY(!QDir(folder.path()).isEmpty());
  }

  void errors_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("list");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("no name") << ""
                             << ""
                             << "INVALID_ARGUMENT: d: Failed to parse tensor name: \"\"";
    QTest::newRow("two colons") << "a:1:2"
                                << ""
                                << "Failed to parse tensor name: \"a:1:2\"";
    QTest::newRow("no number") << "a:b"
                               << ""
                               << "Invalid string value for output_slot: \"b\"";
    QTest::newRow("debug server") << "a"
                                  << "s: 'grpc://localhost:1'"
                                  << "UNIMPLEMENTED";
    QTest::newRow("callback") << "a"
                              << "s: 'memcbk://test'"
                              << "No callback registered for: test";
    QTest::newRow("unknown scheme") << "a"
                                    << "s: 'http://nope'"
                                    << "UNAVAILABLE: d: Invalid debug target URL: http://nope";
    QTest::newRow("no folder") << "a"
                               << "s: 'file:///proc/nope/x'"
                               << "Publishing to 1 of 1 debug target URLs failed, due to the following errors: ";
  }

  void errors() {
    QFETCH(QString, name);
    QFETCH(QString, list);
    QFETCH(QString, wanted);
    const auto got = runWatch("DebugIdentity", attr("tensor_name", "s: '" + name.toStdString() + "'") + urls(list.toStdString()));
    QVERIFY(!got.ok());
    QVERIFY2(QString::fromStdString(got.error().toString()).contains(wanted), got.error().toString().c_str());
  }
};

QTEST_GUILESS_MAIN(DebugDumpTest)
#include "tst_debug_dump.moc"
