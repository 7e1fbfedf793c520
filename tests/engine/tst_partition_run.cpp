#include <QElapsedTimer>
#include <QTest>

#include "partitions.h"

using namespace weft;
using namespace weft::tests;

namespace {

std::string variable(const std::string& name) { return node(name, "VariableV2", {}, typed("dtype") + attr("shape", "shape {}")); }
/// A variable w of a parameter server that `set` sets to 1.
std::string server() { return variable("w") + scalar("one", 1) + op("set", "Assign", {"w", "one"}); }

/// Adds 1 to what it is fed.
std::string adder(char task) { return feed("f", "x:0", task) + scalar("k", 1) + op("y", "AddV2", {"f", "k"}) + fetch("s", "y", "y:0", task); }

/// Sends and receives a constant of one type between two tasks.
QString carried(const std::string& type, const std::string& content) {
  Tasks tasks("pw");
  const std::string constant = node("c", "Const", {}, typed("dtype", type) + attr("value", "tensor { dtype: " + type + " tensor_shape {} " + content + " }"));
  const auto p = tasks.add('p', constant + send("s", "c", "edge_1_c", 'p', 'w', type));
  const auto w = tasks.add('w', recv("r", "edge_1_c", 'p', 'w', type) + node("i", "Identity", {"r"}, typed("T", type)) + fetch("f", "i", "i:0", 'w', type));
  const auto out = together({{p.get()}, {w.get(), {}, {keyOf("i:0", 'w', 'w')}}});
  return out[0] + "|" + out[1];
}

}  // namespace

/// Registered graphs of several tasks in one process, which meet in one rendezvous.
class PartitionRunTest : public QObject {
  Q_OBJECT

 private slots:
  void feedsAndFetchesAreOnePlan() {
    Tasks tasks("w");
    const auto w = tasks.add('w', adder('w'));
    QCOMPARE(w->explain(), std::string("one plan"));
    QCOMPARE(w->feedKeys(), std::vector<std::string>{keyOf("x:0", 'w', 'w')});
    QCOMPARE(w->fetchKeys(), std::vector<std::string>{keyOf("y:0", 'w', 'w')});
    for (const float v : {1.0f, 2.0f})
      QCOMPARE(inWords(w->run({1, nullptr}, NamedTensors{{w->feedKeys()[0], Tensor::scalar(v)}}, w->fetchKeys())), QString::number(v + 1));
    QCOMPARE(inWords(w->run({1, nullptr}, {}, w->fetchKeys())), QString("INVALID_ARGUMENT: The step has neither the feeds of its graph nor a rendezvous"));
    QVERIFY(
        inWords(w->run({1, nullptr}, NamedTensors{{w->feedKeys()[0], Tensor::scalar(1.0f)}}, std::vector<std::string>{"z"})).startsWith("INVALID_ARGUMENT"));
  }

  void feedsAndFetchesInAnyOrder() {
    Tasks tasks("w");
    const auto w = tasks.add('w', feed("fa", "a:0", 'w') + feed("fb", "b:0", 'w') + op("d", "Sub", {"fa", "fb"}) + op("m", "Mul", {"fa", "fb"}) +
                                      fetch("sd", "d", "d:0", 'w') + fetch("sm", "m", "m:0", 'w'));
    const std::string a = keyOf("a:0", 'w', 'w'), b = keyOf("b:0", 'w', 'w'), d = keyOf("d:0", 'w', 'w'), m = keyOf("m:0", 'w', 'w');
    const auto run = [&](const NamedTensors& feeds, const std::vector<std::string>& fetches) { return inWords(w->run({1, nullptr}, feeds, fetches)); };
    QCOMPARE(run({{a, Tensor::scalar(5.0f)}, {b, Tensor::scalar(3.0f)}}, {d, m}), QString("2, 15"));
    QCOMPARE(run({{b, Tensor::scalar(3.0f)}, {a, Tensor::scalar(5.0f)}}, {m, d}), QString("15, 2"));
    QCOMPARE(run({{b, Tensor::scalar(3.0f)}, {a, Tensor::scalar(5.0f)}}, {m}), QString("15"));
  }

  /// A node that waits for a fed one waits for nothing.
  void controlEdgesFromFeeds() {
    Tasks tasks("w");
    const auto w = tasks.add('w', feed("f", "x:0", 'w') + scalar("k", 7, {"^f"}) + fetch("s", "k", "k:0", 'w'));
    QCOMPARE(inWords(w->run({1, nullptr}, NamedTensors{{keyOf("x:0", 'w', 'w'), Tensor::scalar(1.0f)}}, w->fetchKeys())), QString("7"));
  }

  void feedsPieceByPiece() {
    Tasks tasks("w");
    const auto w = tasks.add('w', adder('w'));
    const auto rendezvous = std::make_shared<LocalRendezvous>();
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      QVERIFY(rendezvous->send(w->feedKeys()[0], Tensor::scalar(4.0f), false).ok());
    });
    QCOMPARE(together({{w.get(), {}, w->fetchKeys()}}, rendezvous)[0], QString("5"));
    later.join();
    const auto another = std::make_shared<LocalRendezvous>();
    QVERIFY(another->send(w->feedKeys()[0], Tensor::scalar(6.0f), false).ok());
    QVERIFY(w->run({2, another}).ok());
    QString got;
    another->receive(w->fetchKeys()[0], [&](Result<Received> r) { got = QString::number(r->value.at<float>(0)); });
    QCOMPARE(got, QString("7"));
  }

  void everyType() {
    QCOMPARE(carried("DT_FLOAT", "float_val: 2.5"), QString("|2.5"));
    QCOMPARE(carried("DT_STRING", "string_val: 'text'"), QString("|text"));
    QCOMPARE(carried("DT_BOOL", "bool_val: true"), QString("|1"));
    QCOMPARE(carried("DT_INT64", "int64_val: -8"), QString("|-8"));
  }

  void ofAnotherType() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', scalar("c", 1) + send("s", "c", "e", 'p', 'w'));
    for (const std::string& more : {std::string(), scalar("pred", 1) + node("flow", "ControlTrigger", {"^r"})}) {
      const auto w = tasks.add('w', recv("r", "e", 'p', 'w', "DT_INT32") + more);
      QCOMPARE(together({{p.get()}, {w.get()}})[1],
               QString("INTERNAL: r: Output 0 of type float does not match declared output type int32 for node {{node r}}"));
    }
  }

  /// A control edge between tasks is an edge with an empty tensor, and an Identity behind it.
  void controlEdge() {
    Tasks tasks("pw");
    const std::string empty = typed("dtype") + attr("value", "tensor { dtype: DT_FLOAT tensor_shape { dim {} } }");
    const auto p = tasks.add('p', server() + node("c", "Const", {"^set"}, empty) + send("s", "c", "edge_1_set", 'p', 'w'));
    const auto w = tasks.add('w', recv("r", "edge_1_set", 'p', 'w') + op("i", "Identity", {"r"}) + scalar("k", 3, {"^i"}) + fetch("f", "k", "k:0", 'w'));
    QCOMPARE(w->explain(), std::string("two stages"));
    const auto out = together({{p.get()}, {w.get(), {}, w->fetchKeys()}});
    QCOMPARE(out[0] + out[1], QString("3"));
    const auto read = tasks.add('p', variable("w") + fetch("f", "w", "w:0", 'p'));
    QCOMPARE(inWords(read->run({1, nullptr}, {}, read->fetchKeys())), QString("1"));
  }

  /// A training step: the server sends its variable, the worker a gradient, which the server applies.
  void serverAndWorker() {
    Tasks tasks("pw");
    const auto init = tasks.add('p', server());
    const auto p = tasks.add('p', variable("w") + op("w/read", "Identity", {"w"}) + send("s", "w/read", "edge_5_w/read", 'p', 'w') +
                                      recv("g", "edge_9_g", 'w', 'p') + scalar("rate", 0.5f) + op("apply", "ApplyGradientDescent", {"w", "rate", "g"}));
    const auto w = tasks.add('w', feed("f", "x:0", 'w') + recv("r", "edge_5_w/read", 'p', 'w') + op("g", "Mul", {"f", "r"}) +
                                      send("sg", "g", "edge_9_g", 'w', 'p') + fetch("l", "g", "g:0", 'w'));
    QCOMPARE(p->explain() + ", " + w->explain(), std::string("two stages, two stages"));
    QCOMPARE(together({{init.get()}})[0], QString());
    for (const char* want : {"1", "0.5", "0.25"}) {
      const auto out = together({{p.get()}, {w.get(), {{w->feedKeys()[0], Tensor::scalar(1.0f)}}, w->fetchKeys()}});
      QCOMPARE(out[0] + "|" + out[1], QString("|") + want);
    }
  }

  /// What was sent does not change with the variable.
  void sentValuesStay() {
    Tasks tasks("pw");
    QCOMPARE(together({{tasks.add('p', server()).get()}})[0], QString());
    const auto p = tasks.add('p', variable("w") + op("read", "Identity", {"w"}) + send("s", "read", "e", 'p', 'w') + scalar("k", 5) +
                                      node("up", "AssignAdd", {"w", "k", "^s"}, typed("T")) + fetch("f", "up", "up:0", 'p'));
    const auto rendezvous = std::make_shared<LocalRendezvous>();
    QCOMPARE(together({{p.get(), {}, p->fetchKeys()}}, rendezvous)[0], QString("6"));
    QString got;
    rendezvous->receive(keyOf("e", 'p', 'w'), [&](Result<Received> r) { got = QString::number(r->value.at<float>(0)); });
    QCOMPARE(got, QString("1"));
  }

  void receiveBeforeTheRun() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', scalar("c", 8) + send("s", "c", "e", 'p', 'w'));
    const auto rendezvous = std::make_shared<LocalRendezvous>();
    QString got;
    rendezvous->receive(keyOf("e", 'p', 'w'), [&](Result<Received> r) { got = QString::number(r->value.at<float>(0)); });
    QVERIFY(got.isEmpty());
    QCOMPARE(together({{p.get()}}, rendezvous)[0], QString());
    QCOMPARE(got, QString("8"));
  }

  void duplicateSend() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', scalar("c", 8) + send("s", "c", "e", 'p', 'w'));
    const auto rendezvous = std::make_shared<LocalRendezvous>();
    QCOMPARE(together({{p.get()}}, rendezvous)[0], QString());
    QCOMPARE(together({{p.get()}}, rendezvous)[0], "ABORTED: s: Duplicated send: " + QString::fromStdString(keyOf("e", 'p', 'w')));
  }

  /// Sends wait for different receives, so no order of waiting is right, and nodes run while receives wait.
  void receivesHoldUpNoSend() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', recv("a", "ea", 'w', 'p') + op("b", "Neg", {"a"}) + send("sb", "b", "eb", 'p', 'w') + recv("c", "ec", 'w', 'p') +
                                      op("d", "Neg", {"c"}) + send("sd", "d", "ed", 'p', 'w'));
    const auto w = tasks.add('w', recv("d", "ed", 'p', 'w') + op("a", "Neg", {"d"}) + send("sa", "a", "ea", 'w', 'p') + scalar("c", 3) +
                                      send("sc", "c", "ec", 'w', 'p') + recv("b", "eb", 'p', 'w') + fetch("f", "b", "b:0", 'w'));
    QCOMPARE(p->explain() + ", " + w->explain(), std::string("dataflow, dataflow"));
    const auto out = together({{p.get()}, {w.get(), {}, w->fetchKeys()}});
    QCOMPARE(out[0] + "|" + out[1], QString("|-3"));
  }

  void threeTasks() {
    Tasks tasks("pwx");
    const auto p = tasks.add('p', scalar("c", 2) + send("s1", "c", "e1", 'p', 'w') + send("s2", "c", "e2", 'p', 'x') + recv("a", "ea", 'w', 'p') +
                                      recv("b", "eb", 'x', 'p') + op("sum", "AddV2", {"a", "b"}) + fetch("f", "sum", "sum:0", 'p'));
    const auto w = tasks.add('w', recv("r", "e1", 'p', 'w') + op("n", "Neg", {"r"}) + send("s", "n", "ea", 'w', 'p'));
    const auto x = tasks.add('x', recv("r", "e2", 'p', 'x') + op("q", "Square", {"r"}) + send("s", "q", "eb", 'x', 'p'));
    const auto out = together({{p.get(), {}, p->fetchKeys()}, {w.get()}, {x.get()}});
    QCOMPARE(out[0] + "|" + out[1] + "|" + out[2], QString("2||"));
  }

  void twoDevicesOfOneTask() {
    Tasks tasks("w", 2);
    const auto on = [](int cpu, std::string text) { return text.insert(text.rfind(" }"), " device: '" + deviceOf('w', cpu) + "'"); };
    const auto w = tasks.add('w', on(0, scalar("c", 3)) + on(0, send("s", "c", "e", 'w', 'w')) + on(1, recv("r", "e", 'w', 'w')) +
                                      on(1, op("n", "Neg", {"r"})) + on(1, fetch("f", "n", "n:0", 'w')));
    QCOMPARE(together({{w.get(), {}, w->fetchKeys()}})[0], QString("-3"));
    const std::vector<TaskDevice>& devices = tasks.server('w').devices();
    QCOMPARE(devices.size(), size_t(2));
    QCOMPARE(devices[1].name, deviceOf('w', 1));
    QVERIFY(devices[0].incarnation != 0 && devices[0].incarnation != devices[1].incarnation);
    QVERIFY(Tasks("w").server('w').devices()[0].incarnation != devices[0].incarnation);
  }

  void errorEndsTheOtherTasks() {
    Tasks tasks("pw");
    const auto w = tasks.add('w', scalar("zero", 0) + op("log", "Log", {"zero"}) + op("bad", "CheckNumerics", {"log"}, attr("message", "s: 'oops'")) +
                                      send("s", "bad", "e", 'w', 'p'));
    for (const bool dataflow : {false, true}) {
      const auto p = tasks.add('p', recv("r", "e", 'w', 'p') + fetch("f", "r", "r:0", 'p') +
                                        (dataflow ? recv("r2", "e2", 'w', 'p') + send("s2", "r2", "e3", 'p', 'w') : std::string()));
      QCOMPARE(p->explain(), std::string(dataflow ? "dataflow" : "two stages"));
      const auto out = together({{p.get(), {}, p->fetchKeys()}, {w.get()}});
      QVERIFY2(out[1].startsWith("INVALID_ARGUMENT: bad: oops"), qPrintable(out[1]));
      QVERIFY2(out[0].startsWith("INVALID_ARGUMENT: ") && out[0].contains("oops"), qPrintable(out[0]));
    }
  }

  void cancelAndTimeLimit() {
    Tasks tasks("pw");
    const std::string simple = recv("r", "e", 'w', 'p') + fetch("f", "r", "r:0", 'p');
    for (const std::string& text : {simple, simple + recv("r2", "e2", 'w', 'p') + send("s2", "r2", "e3", 'p', 'w')}) {
      const auto p = tasks.add('p', text);
      RunOptions options;
      std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        options.cancellation.cancel();
      });
      const auto rendezvous = std::make_shared<LocalRendezvous>();
      QElapsedTimer timer;
      timer.start();
      const QString cancelled = together({{p.get(), {}, p->fetchKeys()}}, rendezvous, options)[0];
      canceller.join();
      QVERIFY2(cancelled.startsWith("CANCELLED: "), qPrintable(cancelled));
      QVERIFY(timer.elapsed() < 5000);
      QVERIFY(rendezvous->send("k", Tensor(), true).ok());  // left to the caller, whose cancellation is not the cause
      RunOptions limited;
      limited.timeoutMs = 30;
      QCOMPARE(together({{p.get(), {}, p->fetchKeys()}}, nullptr, limited)[0], QString("DEADLINE_EXCEEDED: Timed out waiting for notification"));
      QVERIFY(timer.elapsed() < 10000);
    }
  }

  void stepsAtTheSameTime() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', recv("r", "e", 'w', 'p') + op("n", "Neg", {"r"}) + send("s", "n", "e2", 'p', 'w'));
    const auto w = tasks.add('w', feed("f", "x:0", 'w') + send("s", "f", "e", 'w', 'p') + recv("r", "e2", 'p', 'w') + fetch("o", "r", "r:0", 'w'));
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 25; ++i) {
          const float v = float(100 * t + i);
          right += together({{p.get()}, {w.get(), {{w->feedKeys()[0], Tensor::scalar(v)}}, w->fetchKeys()}})[1] == QString::number(-v);
        }
      });
    }
    for (std::thread& t : threads) t.join();
    QCOMPARE(right, 100);
  }

  void variablesAreTheTasks() {
    Tasks tasks("p");
    const auto init = tasks.add('p', server());
    const std::string text = variable("w") + fetch("f", "w", "w:0", 'p');
    const auto read = tasks.add('p', text);
    QVERIFY(inWords(read->run({1, nullptr}, {}, read->fetchKeys())).startsWith("FAILED_PRECONDITION: "));
    QCOMPARE(together({{init.get()}})[0], QString());
    QCOMPARE(inWords(read->run({1, nullptr}, {}, read->fetchKeys())), QString("1"));
    const auto valueIn = [&](bool isolated) {
      const auto other = std::make_shared<WorkerSession>(tasks.server('p'), SessionOptions(), isolated);
      const auto runner = PartitionRunner::create(other, partition(text));
      return inWords((*runner)->run({1, nullptr}, {}, (*runner)->fetchKeys()));
    };
    QCOMPARE(valueIn(false), QString("1"));
    QVERIFY(valueIn(true).startsWith("FAILED_PRECONDITION: "));
    tasks.server('p').reset({});
    const QString gone = inWords(read->run({1, nullptr}, {}, read->fetchKeys()));
    QVERIFY2(gone.startsWith("FAILED_PRECONDITION: ") && gone.contains("Attempting to use uninitialized value w"), qPrintable(gone));
  }

  /// Graphs of one session share the states of their nodes by name.
  void randomStreamsGoOn() {
    Tasks tasks("w");
    const std::string draw =
        node("shape", "Const", {}, typed("dtype", "DT_INT32") + attr("value", "tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } }")) +
        node("u", "RandomUniform", {"shape"}, typed("T", "DT_INT32") + typed("dtype") + attr("seed", "i: 3") + attr("seed2", "i: 4"));
    const auto first = tasks.add('w', draw + fetch("f", "u", "u:0", 'w'));
    const auto second = tasks.add('w', draw + op("n", "Neg", {"u"}) + op("m", "Neg", {"n"}) + fetch("f", "m", "m:0", 'w'));
    QStringList drawn, wanted;
    for (const auto* runner : {&first, &second, &first, &second}) drawn << inWords((*runner)->run({1, nullptr}, {}, (*runner)->fetchKeys()));
    auto session = Session::create(partition(draw));
    for (int i = 0; i < 4; ++i) wanted << QString::number((*(*session)->run({}, {"u:0"}))[0].at<float>(0));
    QCOMPARE(drawn, wanted);
    const auto another = PartitionRunner::create(std::make_shared<WorkerSession>(tasks.server('w')), partition(draw + fetch("f", "u", "u:0", 'w')));
    QCOMPARE(inWords((*another)->run({1, nullptr}, {}, first->fetchKeys())), wanted[0]);
  }

  void tracesHoldAllStages() {
    Tasks tasks("pw");
    const auto p = tasks.add('p', scalar("c", 8) + op("early", "Neg", {"c"}) + send("s", "early", "e", 'p', 'w') + recv("r", "e2", 'w', 'p') +
                                      op("late", "Neg", {"r"}) + fetch("f", "late", "late:0", 'p'));
    const auto rendezvous = std::make_shared<LocalRendezvous>();
    QVERIFY(rendezvous->send(keyOf("e2", 'w', 'p'), Tensor::scalar(1.0f), false).ok());
    RunOptions options;
    options.trace = true;
    RunReport report;
    QCOMPARE(inWords(p->run({1, rendezvous}, {}, p->fetchKeys(), options, &report)), QString("-1"));
    QStringList names;
    int64_t last = 0;
    for (const TraceEvent& e : report.trace->events) {
      names << QString::fromStdString(e.name);
      QVERIFY(e.endNs >= e.startNs && e.startNs >= 0);
      last = std::max(last, e.endNs);
    }
    for (const char* name : {"s", "r", "late"}) QVERIFY2(names.contains(name), qPrintable(names.join(' ')));
    QVERIFY(report.trace->durationNs >= last && report.trace->startUnixUs > 0);
    QVERIFY(report.trace->toRunMetadata().find("late") != std::string::npos);
  }

  void graphsThatCannotRun() {
    Tasks tasks("w");
    const auto made = PartitionRunner::create(tasks.session('w'), partition(node("x", "NoSuchOp", {})));
    QVERIFY(!made.ok() && made.error().code == Code::NotFound);
    const auto plain = Session::create(partition(scalar("c", 1) + send("s", "c", "e", 'p', 'w')));
    const auto r = (*plain)->run({}, {}, {"s"});
    QVERIFY(!r.ok() && r.error().code == Code::FailedPrecondition);
  }
};

QTEST_APPLESS_MAIN(PartitionRunTest)
#include "tst_partition_run.moc"
