#include <QTest>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "support/graph_text.h"
#include "weft/debug.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string types(const std::string& key) { return attr(key, "list { type: DT_INT32 }"); }
std::string number(const std::string& name, int v) {
  return node(name, "Const", {},
              attr("dtype", "type: DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: " + std::to_string(v) + " }"));
}

/// A queue of int32 scalars with every op on it, of version "" or "V2".
std::string queueGraph(const std::string& v, int capacity) {
  return node("q", "FIFOQueue" + v, {}, types("component_types") + attr("shapes", "list { shape {} }") + attr("capacity", "i: " + std::to_string(capacity))) +
         node("x", "Placeholder", {}, attr("dtype", "type: DT_INT32")) + node("xs", "Placeholder", {}, attr("dtype", "type: DT_INT32")) + number("two", 2) +
         node("put", "QueueEnqueue" + v, {"q", "x"}, types("Tcomponents")) + node("putMany", "QueueEnqueueMany" + v, {"q", "xs"}, types("Tcomponents")) +
         node("get", "QueueDequeue" + v, {"q"}, types("component_types")) + node("get2", "QueueDequeueMany" + v, {"q", "two"}, types("component_types")) +
         node("close", "QueueClose" + v, {"q"}) + node("end", "QueueClose" + v, {"q"}, attr("cancel_pending_enqueues", "b: true")) +
         node("size", "QueueSize" + v, {"q"}) + number("minus", -1) + node("fails", "QueueDequeueMany" + v, {"q", "minus"}, types("component_types"));
}

std::unique_ptr<Session> sessionOf(const std::string& pbtxt) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(pbtxt), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

std::pair<std::string, Tensor> feed(int v) { return {"x:0", Tensor::scalar(int32_t(v))}; }
void soon() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
QString text(const Status& s) { return QString::fromStdString(s.toString()); }

}  // namespace

/// Ops that wait: in one run, for other runs, and how waiting ends.
class QueueTest : public QObject {
  Q_OBJECT

 private slots:
  void versions_data() {
    QTest::addColumn<QString>("v");
    QTest::newRow("references") << "";
    QTest::newRow("handles") << "V2";
  }

  void versions() {
    QFETCH(QString, v);
    auto s = sessionOf(queueGraph(v.toStdString(), 10));
    QVERIFY(s->run({feed(7)}, {}, {"put"}).ok());
    QVERIFY(s->run({{"xs:0", Tensor::vector<int32_t>({8, 9})}}, {}, {"putMany"}).ok());
    QCOMPARE((*s->run({}, {"size:0"}))[0].at<int32_t>(0), 3);
    QCOMPARE((*s->run({}, {"get:0"}))[0].at<int32_t>(0), 7);
    const auto batch = s->run({}, {"get2:0"});
    QVERIFY2(batch.ok(), qPrintable(text(batch.status())));
    QCOMPARE((*batch)[0].at<int32_t>(1), 9);
  }

  void oneRunFillsAndEmpties() {
    auto s = sessionOf(queueGraph("V2", 1));
    // Two elements pass through one place: neither op could end without the other.
    const auto got = s->run({{"xs:0", Tensor::vector<int32_t>({3, 4})}}, {"get2:0"}, {"putMany"});
    QVERIFY2(got.ok(), qPrintable(text(got.status())));
    QCOMPARE((*got)[0].at<int32_t>(0) + (*got)[0].at<int32_t>(1), 7);
  }

  void anotherRunWakes() {
    auto s = sessionOf(queueGraph("V2", 10));
    int got = 0;
    std::thread waits([&] { got = (*s->run({}, {"get:0"}))[0].at<int32_t>(0); });
    soon();
    QVERIFY(s->run({feed(5)}, {}, {"put"}).ok());
    waits.join();
    QCOMPARE(got, 5);
  }

  void waitingEnds_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("phrase");
    QTest::newRow("token") << "token" << int(Code::Cancelled) << "Dequeue operation was cancelled";
    QTest::newRow("session") << "session" << int(Code::Cancelled) << "Dequeue operation was cancelled";
    QTest::newRow("timeout") << "timeout" << int(Code::DeadlineExceeded) << "Timed out";
    QTest::newRow("timeout, stepped") << "timeout stepped" << int(Code::DeadlineExceeded) << "Timed out";
    QTest::newRow("token, stepped") << "token stepped" << int(Code::Cancelled) << "Dequeue operation was cancelled";
    QTest::newRow("close") << "close" << int(Code::OutOfRange) << "is closed and has insufficient elements (requested 1, current size 0)";
  }

  void waitingEnds() {
    QFETCH(QString, how);
    QFETCH(int, code);
    QFETCH(QString, phrase);
    auto s = sessionOf(queueGraph("V2", 10));
    struct : StepController {
      void runBegins(const Graph&, std::span<const int>) override {}
      void fed(Output, const Tensor&) override {}
      StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
      StepVerdict after(StepPoint&, const Status&) override { return StepVerdict::Go; }
      void dead(const Node&, const std::vector<LoopPlace>&) override {}
      void runEnds(const Status&) override {}
    } controller;
    RunOptions options;
    if (how.endsWith("stepped")) options.controller = &controller;
    if (how.startsWith("timeout")) options.timeoutMs = 100;
    Status status;
    std::thread waits([&] { status = s->run({}, {"get:0"}, {}, options).status(); });
    soon();
    if (how.startsWith("token")) options.cancellation.cancel();
    if (how == "session") s->close();
    if (how == "close") QVERIFY(s->run({}, {}, {"close"}).ok());
    waits.join();
    QCOMPARE(int(status.code()), code);
    QVERIFY2(text(status).contains(phrase), qPrintable(text(status)));
  }

  void blockedEnqueueIsCancelledByClose() {
    auto s = sessionOf(queueGraph("V2", 1));
    QVERIFY(s->run({feed(1)}, {}, {"put"}).ok());
    Status status;
    std::thread waits([&] { status = s->run({feed(2)}, {}, {"put"}).status(); });
    soon();
    QVERIFY(s->run({}, {}, {"end"}).ok());
    waits.join();
    QCOMPARE(int(status.code()), int(Code::Cancelled));
    QVERIFY(text(status).contains("Enqueue operation was cancelled"));
    QCOMPARE((*s->run({}, {"get:0"}))[0].at<int32_t>(0), 1);  // its contents are kept
  }

  void anErrorElsewhereEndsTheWait() {
    auto s = sessionOf(queueGraph("V2", 10));
    const auto got = s->run({}, {"get:0", "fails:0"});
    QCOMPARE(int(got.error().code), int(Code::InvalidArgument));
    // Nothing of that run is left in the queue's line.
    QVERIFY(s->run({feed(6)}, {}, {"put"}).ok());
    QCOMPARE((*s->run({}, {"get:0"}))[0].at<int32_t>(0), 6);
  }

  void manyThreadsLoseNothing() {
    auto s = sessionOf(queueGraph("V2", 3));
    constexpr int kThreads = 4, kEach = 200;
    std::atomic<int64_t> sum{0};
    std::atomic<int> failed{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kEach; ++i) failed += !s->run({feed(t * kEach + i)}, {}, {"put"}).ok();
      });
      threads.emplace_back([&] {
        for (int i = 0; i < kEach / 2; ++i) {
          const auto got = s->run({}, {"get2:0"});
          if (got.ok()) sum += (*got)[0].at<int32_t>(0) + (*got)[0].at<int32_t>(1);
          else ++failed;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(failed.load(), 0);
    const int64_t n = kThreads * kEach;
    QCOMPARE(sum.load(), n * (n - 1) / 2);
    QCOMPARE((*s->run({}, {"size:0"}))[0].at<int32_t>(0), 0);
  }
};

QTEST_GUILESS_MAIN(QueueTest)
#include "tst_queues.moc"
