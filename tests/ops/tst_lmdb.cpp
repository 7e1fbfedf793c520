#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

const QString kFiles = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/lmdb/");

/// LMDBReader behind a queue of names, with the ops that ask it.
std::unique_ptr<Session> readerSession() {
  const std::string strings = "list { type: DT_STRING }";
  const std::string graph = node("q", "FIFOQueue", {}, attr("component_types", strings) + attr("shapes", "list { shape {} }") + attr("capacity", "i: 10")) +
                            node("names", "Placeholder", {}, attr("dtype", "type: DT_STRING")) +
                            node("put", "QueueEnqueueMany", {"q", "names"}, attr("Tcomponents", strings)) + node("close", "QueueClose", {"q"}) +
                            node("reader", "LMDBReader", {}) + node("read", "ReaderRead", {"reader", "q"}) +
                            node("count", "Placeholder", {}, attr("dtype", "type: DT_INT64")) + node("some", "ReaderReadUpTo", {"reader", "q", "count"}) +
                            node("produced", "ReaderNumRecordsProduced", {"reader"}) + node("done", "ReaderNumWorkUnitsCompleted", {"reader"}) +
                            node("reset", "ReaderReset", {"reader"});
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(graph), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

/// A session with a closed queue that contains these names.
std::unique_ptr<Session> sessionFor(const std::vector<std::string>& names) {
  auto s = readerSession();
  const auto put = s->run({{"names:0", Tensor::vector(names)}}, {}, {"put"});
  if (!put.ok()) qFatal("%s", put.error().toString().c_str());
  const auto closed = s->run({}, {}, {"close"});
  if (!closed.ok()) qFatal("%s", closed.error().toString().c_str());
  return s;
}

/// How many records a file gives before the end or an error, which is kept.
int64_t recordsOf(const std::string& file, Error* error) {
  auto s = sessionFor({file});
  int64_t n = 0;
  for (;;) {
    auto got = s->run({{"count:0", Tensor::scalar(int64_t(1000))}}, {"some:0", "some:1"});
    if (!got.ok()) {
      *error = got.error();
      return n;
    }
    n += (*got)[0].elements();
  }
}

std::string text(const Tensor& t) { return t.data<std::string>()[0]; }

}  // namespace

/// LMDBReader: TensorFlow 1.15.5's results for the same files, and files that are not LMDB.
class LmdbTest : public QObject {
  Q_OBJECT

 private slots:
  void keysInOrder() {
    const std::string folder = (kFiles + "deep").toStdString(), file = (kFiles + "small.mdb").toStdString();
    auto s = sessionFor({folder, file});
    // 200 short values on several leaves, one empty, and one of 20,000 bytes on overflow pages.
    for (int i = 0; i < 201; ++i) {
      auto got = s->run({}, {"read:0", "read:1"});
      QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
      if (i == 200) {
        QCOMPARE(text((*got)[0]), std::string("zbg"));
        QCOMPARE(text((*got)[1]), std::string(20000, 'z'));
        continue;
      }
      QCOMPARE(text((*got)[0]), QString::asprintf("key%03d", i).toStdString());
      QCOMPARE(text((*got)[1]), i == 1 ? "" : "value " + std::to_string(i) + (i == 2 ? "" : "x"));
    }
    auto counts = s->run({}, {"produced:0", "done:0"});
    QVERIFY(counts.ok());
    QCOMPARE((*counts)[0].at<int64_t>(0), int64_t(201));
    QCOMPARE((*counts)[1].at<int64_t>(0), int64_t(0));
    // No more than one file has: first nothing is left of the folder, then come two of the file.
    auto rest = s->run({{"count:0", Tensor::scalar(int64_t(100))}}, {"some:0"});
    QVERIFY2(rest.ok(), rest.ok() ? "" : rest.error().toString().c_str());
    QCOMPARE((*rest)[0].elements(), int64_t(2));
    counts = s->run({}, {"produced:0", "done:0"});
    QCOMPARE((*counts)[0].at<int64_t>(0), int64_t(203));
    QCOMPARE((*counts)[1].at<int64_t>(0), int64_t(2));
    const auto end = s->run({}, {"read:0"});
    QVERIFY(!end.ok());
    QVERIFY(end.error().code == Code::OutOfRange);
    QVERIFY(s->run({}, {}, {"reset"}).ok());
  }

  void noDatabase() {
    QTemporaryDir folder;
    Error e;
    QCOMPARE(recordsOf(folder.filePath("missing").toStdString(), &e), int64_t(0));
    QVERIFY2(e.code == Code::NotFound, e.toString().c_str());
    QCOMPARE(recordsOf(folder.path().toStdString(), &e), int64_t(0));
    QVERIFY2(e.code == Code::NotFound && e.message.find("data.mdb") != std::string::npos, e.toString().c_str());
    QFile plain(folder.filePath("data.mdb"));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    plain.write(QByteArray(5000, 'x'));
    plain.close();
    QCOMPARE(recordsOf(folder.path().toStdString(), &e), int64_t(0));
    QVERIFY2(e.code == Code::DataLoss, e.toString().c_str());
  }

  /// Cut off anywhere, or with any byte changed: fewer records and an error that names the file, or other records; never more than fit.
  void damaged() {
    QFile good(kFiles + "deep/data.mdb");
    QVERIFY(good.open(QIODevice::ReadOnly));
    const QByteArray bytes = good.readAll();
    QTemporaryDir folder;
    const QString path = folder.filePath("db");
    const auto tryBytes = [&](const QByteArray& b) -> Error {
      QFile out(path);
      if (!out.open(QIODevice::WriteOnly | QIODevice::Truncate)) qFatal("cannot write");
      out.write(b);
      out.close();
      Error e;
      const int64_t n = recordsOf(path.toStdString(), &e);
      if (n > 10000) qFatal("%lld records", static_cast<long long>(n));
      return e;
    };
    for (int length = 0; length < bytes.size(); length += 1000) {
      const Error e = tryBytes(bytes.left(length));
      if (length > bytes.size() - 1000 && e.code == Code::OutOfRange) continue;  // the cut part belongs to no record
      QVERIFY2(e.code == Code::DataLoss && e.message.find(path.toStdString()) != std::string::npos, e.toString().c_str());
    }
    std::mt19937 random(7);
    for (int k = 0; k < 400; ++k) {
      QByteArray b = bytes;
      // Mostly where pages, entries and meta pages begin.
      for (int change = 0; change < 3; ++change) {
        const int page = int(random() % unsigned(bytes.size() / 4096)), at = random() % 2 ? int(random() % 64) : int(random() % 4096);
        b[page * 4096 + at] = char(random() % 3 == 0 ? 255 : random() % 256);
      }
      const Error e = tryBytes(b);
      QVERIFY2(e.code == Code::DataLoss || e.code == Code::OutOfRange || e.code == Code::Unimplemented, e.toString().c_str());
    }
  }
};

QTEST_GUILESS_MAIN(LmdbTest)
#include "tst_lmdb.moc"
