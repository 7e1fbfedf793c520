#include <QTest>
#include <thread>

#include "support/graph_text.h"
#include "weft/debug.h"
#include "weft/graph.h"
#include "weft/queues.h"
#include "weft/session.h"

using namespace weft;
using weft::tests::attr;
using weft::tests::node;

namespace {

std::string types(const std::string& key, const std::string& list) { return attr(key, "list { " + list + " }"); }
std::string int64(const std::string& name, int v) {
  return node(name, "Const", {},
              attr("dtype", "type: DT_INT64") + attr("value", "tensor { dtype: DT_INT64 tensor_shape {} int64_val: " + std::to_string(v) + " }"));
}

std::unique_ptr<Session> sessionOf(const std::string& pbtxt) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(pbtxt), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  auto s = Session::create(loaded->meta.graph);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

/// Goes back to the start this many times after the op `after` was computed.
class GoesBack : public StepController {
 public:
  GoesBack(std::string op, int times) : op_(std::move(op)), times_(times) {}
  void runBegins(const Graph&, std::span<const int>) override { ++passes; }
  void fed(Output, const Tensor&) override {}
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint& point, const Status& status) override {
    if (point.node().name != op_) return StepVerdict::Go;
    if (status.ok())
      if (const auto value = point.output(0); value.ok() && value->hasValue()) seen.push_back(value->asDouble(0));
    why = point.cannotRestart();
    return passes <= times_ ? StepVerdict::Restart : StepVerdict::Go;
  }
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}

  int passes = 0;
  std::string why;
  std::vector<double> seen;

 private:
  const std::string op_;
  const int times_;
};

/// A queue of int64 of some kind, with two dequeues, the second after the first, and an enqueue after both.
std::string queueGraph(const std::string& kind, const std::string& v) {
  const bool priority = kind == "PriorityQueue", random = kind == "RandomShuffleQueue";
  std::string make = types("component_types", priority ? "" : "type: DT_INT64") + types("shapes", priority ? "" : "shape {}") + attr("capacity", "i: 20");
  if (random) make += attr("min_after_dequeue", "i: 1") + attr("seed", "i: 7") + attr("seed2", "i: 9");
  const std::string components = priority ? "type: DT_INT64" : "type: DT_INT64";
  return node("q", kind + v, {}, make) + node("xs", "Placeholder", {}, attr("dtype", "type: DT_INT64")) +
         node("putMany", "QueueEnqueueMany" + v, {"q", "xs"}, types("Tcomponents", components)) +
         node("first", "QueueDequeue" + v, {"q"}, types("component_types", components)) +
         node("second", "QueueDequeue" + v, {"q", "^first"}, types("component_types", components)) + int64("nine", 9) +
         node("put", "QueueEnqueue" + v, {"q", "nine", "^second"}, types("Tcomponents", components)) + node("close", "QueueClose" + v, {"q", "^put"});
}

}  // namespace

/// Runs that begin again although they took from queues and iterators.
class RestoringTest : public QObject {
  Q_OBJECT

 private slots:
  void queues_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("version");
    for (const char* kind : {"FIFOQueue", "RandomShuffleQueue", "PriorityQueue", "PaddingFIFOQueue"})
      for (const char* version : {"", "V2"}) QTest::addRow("%s%s", kind, version) << kind << version;
  }
  void queues() {
    QFETCH(QString, kind);
    QFETCH(QString, version);
    const std::string graph = queueGraph(kind.toStdString(), version.toStdString());
    const Tensor elements = Tensor::vector<int64_t>({5, 3, 8, 1, 7, 2});
    // The reference is an ordinary session.
    const auto truth = sessionOf(graph);
    QVERIFY(truth->run({{"xs:0", elements}}, {}, {"putMany"}).ok());
    const auto wanted = truth->run({}, {"first:0", "second:0"}, {"close"});
    QVERIFY2(wanted.ok(), wanted.ok() ? "" : wanted.error().toString().c_str());

    const auto session = sessionOf(graph);
    QVERIFY(session->run({{"xs:0", elements}}, {}, {"putMany"}).ok());
    GoesBack controller("close", 3);
    RunOptions options;
    options.controller = &controller;
    const auto got = session->run({}, {"first:0", "second:0"}, {"close"}, options);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE(controller.passes, 4);
    QVERIFY2(controller.why.empty(), controller.why.c_str());
    for (int i = 0; i < 2; ++i) QCOMPARE((*got)[size_t(i)].asDouble(0), (*wanted)[size_t(i)].asDouble(0));
    const auto states = queueStates(*session), same = queueStates(*truth);
    QCOMPARE(states.size(), size_t(1));
    QCOMPARE(QString::fromStdString(states[0].name), QStringLiteral("q"));
    QCOMPARE(QString::fromStdString(states[0].kind), kind);
    QCOMPARE(states[0].size, int64_t(5));
    QCOMPARE(states[0].put, same[0].put);
    QCOMPARE(states[0].taken, same[0].taken);
    QVERIFY(states[0].closed && same[0].closed);
    // The remaining elements come out in the same order.
    for (int i = 0; i < 5; ++i) {
      const auto a = truth->run({}, {"first:0"}), b = session->run({}, {"first:0"});
      QVERIFY(a.ok() && b.ok());
      QCOMPARE((*b)[0].asDouble(0), (*a)[0].asDouble(0));
    }
  }

  void iterators() {
    const std::string types64 = types("output_types", "type: DT_INT64"), shapes = types("output_shapes", "shape {}");
    const std::string graph = int64("zero", 0) + int64("ten", 10) + int64("one", 1) + node("range", "RangeDataset", {"zero", "ten", "one"}, types64 + shapes) +
                              node("it", "IteratorV2", {}, attr("shared_name", "s: ''") + attr("container", "s: ''") + types64 + shapes) +
                              node("begin", "MakeIterator", {"range", "it"}) + node("next", "IteratorGetNext", {"it"}, types64 + shapes) +
                              node("after", "IteratorGetNext", {"it", "^next"}, types64 + shapes) + node("again", "MakeIterator", {"range", "it", "^after"}) +
                              node("anew", "IteratorGetNext", {"it", "^again"}, types64 + shapes);
    const auto session = sessionOf(graph);
    QVERIFY(session->run({}, {}, {"begin"}).ok());
    RunOptions options;
    GoesBack once("after", 2);
    options.controller = &once;
    auto got = session->run({}, {"next:0", "after:0"}, {}, options);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QVERIFY2(once.why.empty(), once.why.c_str());
    QCOMPARE(once.seen, (std::vector<double>{1, 1, 1}));
    QCOMPARE((*got)[0].asDouble(0), 0.0);
    // A walk that was replaced within the run comes back, too.
    GoesBack replaced("anew", 1);
    options.controller = &replaced;
    got = session->run({}, {"next:0", "after:0", "anew:0"}, {}, options);
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    QCOMPARE((*got)[0].asDouble(0), 2.0);
    QCOMPARE((*got)[1].asDouble(0), 3.0);
    QCOMPARE((*got)[2].asDouble(0), 0.0);
    const auto next = session->run({}, {"next:0"});
    QVERIFY(next.ok());
    QCOMPARE((*next)[0].asDouble(0), 1.0);
  }

  void theEndOfAnIteratorComesAgain() {
    const std::string types64 = types("output_types", "type: DT_INT64"), shapes = types("output_shapes", "shape {}");
    const auto session = sessionOf(int64("zero", 0) + int64("one", 1) + node("range", "RangeDataset", {"zero", "one", "one"}, types64 + shapes) +
                                   node("it", "IteratorV2", {}, attr("shared_name", "s: ''") + attr("container", "s: ''") + types64 + shapes) +
                                   node("begin", "MakeIterator", {"range", "it"}) + node("next", "IteratorGetNext", {"it"}, types64 + shapes) +
                                   node("after", "IteratorGetNext", {"it", "^next"}, types64 + shapes));
    QVERIFY(session->run({}, {}, {"begin"}).ok());
    GoesBack controller("after", 1);
    RunOptions options;
    options.controller = &controller;
    const auto got = session->run({}, {"after:0"}, {}, options);
    QVERIFY(!got.ok() && got.error().code == Code::OutOfRange);
    QCOMPARE(controller.passes, 2);
  }

  void readersCannotGoBack() {
    const std::string graph = node("q", "FIFOQueueV2", {}, types("component_types", "type: DT_STRING") + types("shapes", "shape {}")) +
                              node("name", "Placeholder", {}, attr("dtype", "type: DT_STRING")) +
                              node("put", "QueueEnqueueV2", {"q", "name"}, types("Tcomponents", "type: DT_STRING")) + node("reader", "WholeFileReaderV2", {}) +
                              node("read", "ReaderReadV2", {"reader", "q"});
    const auto session = sessionOf(graph);
    QVERIFY(session->run({{"name:0", Tensor::scalar(std::string("/proc/self/cmdline"))}}, {}, {"put"}).ok());
    GoesBack controller("read", 1);
    RunOptions options;
    options.controller = &controller;
    QVERIFY(session->run({}, {"read:0"}, {}, options).ok());
    QCOMPARE(controller.passes, 1);
    QVERIFY2(controller.why.find("read") != std::string::npos, controller.why.c_str());
  }

  void statesWhileSomebodyWaits() {
    const auto session = sessionOf(queueGraph("FIFOQueue", "V2"));
    QVERIFY(queueStates(*session).empty());
    Result<std::vector<Tensor>> got = notFound("nothing yet");
    std::thread waits([&] { got = session->run({}, {"first:0"}); });
    QTRY_VERIFY(!queueStates(*session).empty() && queueStates(*session)[0].waitingDequeues == 1);
    const QueueState state = queueStates(*session)[0];
    QCOMPARE(state.wanted, int64_t(1));
    QCOMPARE(state.size, int64_t(0));
    QCOMPARE(state.capacity, int64_t(20));
    QVERIFY(!state.closed && state.waitingEnqueues == 0);
    std::thread puts([&] { (void)session->run({{"xs:0", Tensor::vector<int64_t>(std::vector<int64_t>(30, 4))}}, {}, {"putMany"}); });
    waits.join();
    QVERIFY(got.ok());
    QTRY_COMPARE(queueStates(*session)[0].waitingEnqueues, int64_t(1));
    QCOMPARE(queueStates(*session)[0].size, int64_t(20));
    QCOMPARE(queueStates(*session)[0].put, int64_t(21));
    QCOMPARE(queueStates(*session)[0].taken, int64_t(1));
    session->close();
    puts.join();
  }
};

QTEST_GUILESS_MAIN(RestoringTest)
#include "tst_restoring.moc"
