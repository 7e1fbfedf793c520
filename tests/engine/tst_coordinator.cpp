#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/graph_text.h"
#include "weft/coordinator.h"
#include "weft/graph.h"
#include "weft/session.h"

using namespace weft;
using std::chrono::milliseconds;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string types(const std::string& key) { return attr(key, "list { type: DT_INT32 }"); }
std::string queue(const std::string& name, int capacity) {
  return node(name, "FIFOQueueV2", {}, types("component_types") + attr("shapes", "list { shape {} }") + attr("capacity", "i: " + std::to_string(capacity))) +
         node(name + "Get", "QueueDequeueV2", {name}, types("component_types")) + node(name + "Close", "QueueCloseV2", {name}) +
         node(name + "Cancel", "QueueCloseV2", {name}, attr("cancel_pending_enqueues", "b: true"));
}

/// Elements of the queue `from` move to the queue `to`, two at a time.
std::unique_ptr<Session> pipeline(int capacity) {
  const std::string text =
      queue("from", 100) + queue("to", capacity) + node("xs", "Placeholder", {}, attr("dtype", "type: DT_INT32")) +
      node("fill", "QueueEnqueueManyV2", {"from", "xs"}, types("Tcomponents")) + node("move", "QueueEnqueueV2", {"to", "fromGet"}, types("Tcomponents")) +
      node("wrong", "QueueDequeueManyV2", {"from", "minus"}, types("component_types")) +
      node("minus", "Const", {}, attr("dtype", "type: DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape {} int_val: -1 }"));
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

QueueRunner mover(std::vector<std::string> ops) {
  QueueRunner runner;
  runner.queueName = "to";
  runner.enqueueOps = std::move(ops);
  runner.closeOp = "toClose";
  runner.cancelOp = "toCancel";
  return runner;
}

Status fill(Session& s, std::vector<int32_t> values) { return s.run({{"xs:0", Tensor::vector(values)}}, {}, {"fill"}).status(); }

}  // namespace

/// Threads that stop together, and threads that fill queues.
class CoordinatorTest : public QObject {
  Q_OBJECT

 private slots:
  void allStopWhenOneAsks() {
    Coordinator c;
    std::atomic<int> ended = 0;
    for (int i = 0; i < 4; ++i) {
      c.start("worker", [&, i]() -> Status {
        for (int k = 0; !c.shouldStop(); ++k) {
          if (i == 2 && k == 3) c.requestStop();
          (void)c.waitForStop(milliseconds(1));
        }
        ++ended;
        return {};
      });
    }
    QVERIFY(c.join().ok());
    QCOMPARE(ended.load(), 4);
  }

  void firstErrorIsHandedOn() {
    Coordinator c;
    c.start("fails", [] { return Status(invalidArgument("first")); });
    c.start("follows", [&]() -> Status {
      (void)c.waitForStop();
      return internalError("because of the first");
    });
    const Status s = c.join();
    QCOMPARE(int(s.code()), int(Code::InvalidArgument));
    QCOMPARE(s.error().message, std::string("first"));
    QVERIFY(c.shouldStop());
    c.clearStop();
    QVERIFY(!c.shouldStop());
    QVERIFY(c.join().ok());
  }

  void endOfDataIsNoError() {
    Coordinator c;
    c.start("reads", [] { return Status(outOfRange("no more")); });
    QVERIFY(c.join().ok());
    QVERIFY(c.shouldStop());
  }

  void threadsThatDoNotStopAreNamed() {
    Coordinator c;
    auto release = std::make_shared<std::atomic<bool>>(false);
    c.start("deaf", [release]() -> Status {
      while (!*release) std::this_thread::sleep_for(milliseconds(1));
      return {};
    });
    c.requestStop();
    const Status s = c.join(milliseconds(20));
    QVERIFY(!s.ok());
    QCOMPARE(s.error().message, std::string("Coordinator stopped with threads still running: deaf"));
    *release = true;
  }

  void waitingHasAnEnd() {
    Coordinator c;
    QVERIFY(!c.waitForStop(milliseconds(1)));
    c.requestStop();
    QVERIFY(c.waitForStop());
  }

  void runnersMoveAllAndClose() {
    const auto s = pipeline(100);
    QVERIFY(fill(*s, {1, 2, 3, 4, 5}).ok());
    QVERIFY(s->run({}, {}, {"fromClose"}).ok());
    Coordinator c;
    mover({"move", "move"}).start(*s, c);
    int sum = 0;
    Status last;
    for (;;) {
      auto r = s->run({}, {"toGet:0"});
      if (!r.ok()) {
        last = r.error();
        break;
      }
      sum += (*r)[0].at<int32_t>(0);
    }
    QCOMPARE(sum, 15);
    QCOMPARE(int(last.code()), int(Code::OutOfRange));
    QVERIFY(c.join().ok());  // all threads ended by themselves
  }

  void stoppingWakesWhoWaitsForRoom() {
    const auto s = pipeline(1);
    QVERIFY(fill(*s, {1, 2, 3, 4, 5}).ok());
    Coordinator c;
    mover({"move", "move"}).start(*s, c);
    std::this_thread::sleep_for(milliseconds(30));
    c.requestStop();
    const Status joined = c.join(std::chrono::seconds(20));
    QVERIFY2(joined.ok(), joined.toString().c_str());
  }

  void threadsMayOutliveTheirCoordinator() {
    const auto s = pipeline(1);
    QVERIFY(fill(*s, std::vector<int32_t>(50, 1)).ok());
    {
      Coordinator c;
      mover({"move", "move"}).start(*s, c);
      QTest::qWait(30);
    }
    // It asked them to stop; what they look at is still there. Nobody waits for room any more.
    QTRY_COMPARE(int(s->run({}, {}, {"move"}).status().code()), int(Code::Cancelled));
    QTest::qWait(300);
  }

  void errorsOfRunnersStopAll() {
    const auto s = pipeline(1);
    QVERIFY(fill(*s, {1, 2, 3}).ok());
    Coordinator c;
    mover({"move", "wrong"}).start(*s, c);
    const Status joined = c.join(std::chrono::seconds(20));
    QCOMPARE(int(joined.code()), int(Code::InvalidArgument));
  }

  void runnersAreReadFromCollections() {
    // queue_name "q", enqueue_op_name "a", "b", close_op_name "c", cancel_op_name "d", queue_closed_exception_types [11, 1]
    const std::string bytes = std::string(
        "\x0a\x01q\x12\x01"
        "a\x12\x01"
        "b\x1a\x01"
        "c\x22\x01"
        "d\x2a\x02\x0b\x01");
    auto runner = QueueRunner::parse(bytes);
    QVERIFY(runner.ok());
    QCOMPARE(runner->queueName, std::string("q"));
    QCOMPARE(runner->enqueueOps, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(runner->closeOp, std::string("c"));
    QCOMPARE(runner->cancelOp, std::string("d"));
    QCOMPARE(runner->closedCodes, (std::vector<Code>{Code::OutOfRange, Code::Cancelled}));
    QVERIFY(!QueueRunner::parse("\x0a\x7f").ok());
    QVERIFY(!QueueRunner::parse("").ok());
  }
};

QTEST_GUILESS_MAIN(CoordinatorTest)
#include "tst_coordinator.moc"
