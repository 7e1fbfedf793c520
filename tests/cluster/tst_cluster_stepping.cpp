#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTest>
#include <atomic>
#include <set>
#include <thread>

#include "cluster/debug_service.h"
#include "cluster/graph_bytes.h"
#include "cluster/messages.h"
#include "cluster/proto/debug.pb.h"
#include "cluster/proto/master.pb.h"
#include "cluster_of_tasks.h"
#include "rpc/channel.h"
#include "rpc/rpc_server.h"
#include "weft/debugger.h"

using namespace weft;

/// Steps on Weft's servers, op by op over all tasks.
class TestClusterStepping : public QObject {
  Q_OBJECT
 private slots:
  void everyOpIsVisitedOnItsTask();
  void theDebuggerStopsAndReadsValues();
  void valuesAreReadWhileTheRunGoesOn();
  void aChangedValueCounts();
  void loopsAndBranchesCrossTasks();
  void tasksThatWaitForEachOther();
  void aFailingOpIsNamed();
  void endingFreesTheTasks();
  void cancellingFreesTheTasks();
  void closingTheSessionFreesTheTasks();
  void aClientThatGoesAwayFreesTheTasks();
  void timeLimitsDoNotCountStops();
  void aTaskThatIsGoneEndsTheStep();
  void serversOfTensorFlowSaySo();
};

namespace {

constexpr const char *kPs = "/job:ps/task:0", *kWorker = "/job:worker/task:0";
constexpr const char* kFloatVariable = "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape {} } }";
constexpr const char* kFloat = "attr { key: 'T' value { type: DT_FLOAT } }";

std::string constant(const char* name, const char* value, const char* device) {
  return std::string("node { name: '") + name + "' op: 'Const' device: '" + device + "' attr { key: 'dtype' value { type: DT_FLOAT } } " +
         "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: " + value + " } } } }\n";
}

std::string node(const char* name, const char* op, std::initializer_list<const char*> inputs, const char* device, const char* attrs = kFloat) {
  std::string out = std::string("node { name: '") + name + "' op: '" + op + "' device: '" + device + "' ";
  for (const char* input : inputs) out += std::string("input: '") + input + "' ";
  return out + attrs + " }\n";
}

/// v (on the ps) is 10 after assign; y = (v + x)² on the worker; back = y + v on the ps.
const std::string kModel = node("v", "VariableV2", {}, kPs, kFloatVariable) + constant("ten", "10", kPs) + node("assign", "Assign", {"v", "ten"}, kPs) +
                           node("x", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_FLOAT } }") + node("read", "Identity", {"v"}, kPs) +
                           node("sum", "Add", {"read", "x"}, kWorker) + node("y", "Mul", {"sum", "sum"}, kWorker) + node("back", "Add", {"y", "read"}, kPs);

/// Records the ops; `onBefore` and `onAfter` may look at them.
struct Recorder : StepController {
  std::vector<std::string> ops, notStepped_;
  std::map<std::string, std::string> tasks;
  std::set<std::string> dead_;
  std::vector<std::string> fed_;
  std::function<StepVerdict(StepPoint&)> onBefore;
  std::function<StepVerdict(StepPoint&, const Status&)> onAfter;
  int begins = 0, ends = 0;
  Status end;
  const Graph* graph = nullptr;
  void runBegins(const Graph& g, std::span<const int>) override {
    graph = &g;
    ++begins;
  }
  void fed(Output tensor, const Tensor&) override { fed_.push_back(graph->tensorName(tensor)); }
  StepVerdict before(StepPoint& p) override {
    ops.push_back(p.node().name);
    tasks[p.node().name] = p.task();
    return onBefore ? onBefore(p) : StepVerdict::Go;
  }
  StepVerdict after(StepPoint& p, const Status& s) override { return onAfter ? onAfter(p, s) : StepVerdict::Go; }
  void dead(const Node& node, const std::vector<LoopPlace>&) override { dead_.insert(node.name); }
  void runEnds(const Status& s) override {
    ++ends;
    end = s;
  }
  void notStepped(const std::string& task) override { notStepped_.push_back(task); }
};

RunOptions under(StepController& c) {
  RunOptions options;
  options.controller = &c;
  return options;
}

const std::string kPsTask = "/job:ps/replica:0/task:0", kWorkerTask = "/job:worker/replica:0/task:0";

}  // namespace

void TestClusterStepping::everyOpIsVisitedOnItsTask() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  for (int again = 0; again < 3; ++again) {
    Recorder r;
    const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0", "y:0"}, {}, under(r));
    VERIFY_OK(back);
    QCOMPARE((*back)[0].at<float>(0), 154.f);
    QCOMPARE((*back)[1].at<float>(0), 144.f);
    QCOMPARE(r.ops, (std::vector<std::string>{"v", "read", "sum", "y", "back"}));
    QCOMPARE(r.tasks["read"], kPsTask);
    QCOMPARE(r.tasks["sum"], kWorkerTask);
    QCOMPARE(r.tasks["back"], kPsTask);
    QCOMPARE(r.fed_, std::vector<std::string>{"x:0"});
    QCOMPARE(r.begins, 1);
    QCOMPARE(r.ends, 1);
    VERIFY_OK(r.end);
    QCOMPARE(r.notStepped_.size(), size_t(0));
  }
  const auto plain = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"});
  VERIFY_OK(plain);
  QCOMPARE((*plain)[0].at<float>(0), 154.f);
}

void TestClusterStepping::theDebuggerStopsAndReadsValues() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  Debugger debugger({});
  Breakpoint condition;
  condition.place = "y:0";
  condition.condition = "mean > 100";
  VERIFY_OK(debugger.setBreakpoint(condition));
  std::atomic<bool> done{false};
  Result<std::vector<Tensor>> result = internalError("not run");
  std::thread run([&] {
    result = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(debugger));
    done = true;
  });
  const auto ended = qScopeGuard([&] {
    debugger.detach();
    if (run.joinable()) run.join();
  });
  const auto stopsAt = [&](const std::string& name) {
    return QTest::qWaitFor([&] { return debugger.view().phase == DebugPhase::Stopped && debugger.view().stop.name == name; }, 10000);
  };
  QVERIFY(stopsAt("v"));
  QCOMPARE(debugger.view().stop.task, kPsTask);
  const auto v = debugger.value("v");
  VERIFY_OK(v);
  QCOMPARE(v->tensor.at<float>(0), 10.f);
  VERIFY_OK(debugger.stepOp());
  QVERIFY(stopsAt("read"));
  VERIFY_OK(debugger.stepOp());
  QVERIFY(stopsAt("sum"));
  const Status back = debugger.stepBack();
  QVERIFY(!back.ok());
  QVERIFY2(back.error().message.find("This run cannot go back: the step runs on grpc://") != std::string::npos, back.error().message.c_str());
  QCOMPARE(debugger.view().stop.task, kWorkerTask);
  QCOMPARE(debugger.value("read:0")->tensor.at<float>(0), 10.f);
  QCOMPARE(debugger.value("v")->tensor.at<float>(0), 10.f);  // of the other task
  VERIFY_OK(debugger.resume());
  QVERIFY(stopsAt("y"));
  QCOMPARE(debugger.view().stop.reason, StopReason::Breakpoint);
  QCOMPARE(debugger.value("y:0")->tensor.at<float>(0), 144.f);
  VERIFY_OK(debugger.resume());
  run.join();
  VERIFY_OK(result);
  QCOMPARE((*result)[0].at<float>(0), 154.f);
  QCOMPARE(debugger.view().phase, DebugPhase::Ended);
}

void TestClusterStepping::valuesAreReadWhileTheRunGoesOn() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  Debugger debugger({});
  std::atomic<bool> done{false};
  std::atomic<int> read{0}, wrong{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      while (!done) {
        const auto v = debugger.value("v");
        if (v.ok()) ++(v->tensor.at<float>(0) == 10.f ? read : wrong);
        (void)debugger.evaluate("mean(y:0)");
        (void)debugger.view();
      }
    });
  int steps = 0;
  std::string failed;
  for (int run = 0; run < 40 && failed.empty(); ++run) {
    std::atomic<bool> ended{false};
    std::thread runner([&] {
      const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(debugger));
      if (!back.ok()) failed = back.error().toString();
      ended = true;
    });
    while (!ended)
      if (debugger.stepOp().ok()) ++steps;
    runner.join();
  }
  // The same with runs that are ended while values are read.
  for (int run = 0; run < 20 && failed.empty(); ++run) {
    const RunOptions options = under(debugger);
    std::thread runner([&] {
      const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, options);
      if (back.ok() || back.error().code != Code::Cancelled) failed = back.ok() ? "not ended" : back.error().toString();
    });
    for (int ops = 0; ops < run % 4;) ops += debugger.stepOp().ok();
    while (debugger.view().phase != DebugPhase::Stopped) QTest::qSleep(1);
    options.cancellation.cancel();
    debugger.stop();
    runner.join();
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  QCOMPARE(failed, std::string());
  QCOMPARE(wrong.load(), 0);
  QVERIFY(read > 0);
  QCOMPARE(steps, 40 * 5);
}

void TestClusterStepping::aChangedValueCounts() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  const auto with = [&](const char* at, bool after, auto change) {
    Recorder r;
    const auto visit = [&](StepPoint& p) {
      if (p.node().name == at) change(p);
      return StepVerdict::Go;
    };
    if (after) r.onAfter = [&](StepPoint& p, const Status&) { return visit(p); };
    else r.onBefore = visit;
    const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r));
    return back.ok() ? (*back)[0].at<float>(0) : -1.f;
  };
  const auto output = [](StepPoint& p, const char* name) { return Output{p.graph().find(name)->id, 0}; };
  // Right after its op, both for readers of its own task and of others.
  QCOMPARE(with("read", true, [&](StepPoint& p) { QCOMPARE(problemOf(p.setTensor(output(p, "read"), Tensor::scalar(1.f))), std::string()); }), 10.f);
  QCOMPARE(with("y", false, [&](StepPoint& p) { QCOMPARE(problemOf(p.setTensor(output(p, "sum"), Tensor::scalar(3.f))), std::string()); }), 19.f);
  // Later it has been sent.
  QCOMPARE(with("sum", false,
                [&](StepPoint& p) {
                  const Status status = p.setTensor(output(p, "read"), Tensor::scalar(1.f));
                  QVERIFY(!status.ok());
                }),
           154.f);
  // A variable of another task.
  QCOMPARE(with("sum", false, [&](StepPoint& p) { QCOMPARE(problemOf(p.setVariable("v", Tensor::scalar(7.f))), std::string()); }), 151.f);
  const auto v = (*session)->run({}, {"read:0"});
  VERIFY_OK(v);
  QCOMPARE((*v)[0].at<float>(0), 7.f);
  Recorder r;
  std::vector<float> inputs;
  Status missing, wrongShape;
  r.onBefore = [&](StepPoint& p) {
    if (p.node().name != "sum") return StepVerdict::Go;
    for (int i = 0; i < 2; ++i) inputs.push_back(p.input(i)->at<float>(0));
    missing = p.variable("nothing").status();
    wrongShape = p.setVariable("v", Tensor::zeros(DType::Float, Shape{3}));
    return StepVerdict::Go;
  };
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r)));
  QCOMPARE(inputs, (std::vector<float>{7, 2}));
  QCOMPARE(missing.code(), Code::NotFound);
  QCOMPARE(wrongShape.code(), Code::InvalidArgument);
  QVERIFY2(wrongShape.error().message.find("Variable v has shape [], not [3]") != std::string::npos, wrongShape.error().message.c_str());
}

void TestClusterStepping::loopsAndBranchesCrossTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  const char* frame = "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'frame_name' value { s: 'loop' } }";
  const char* constantFrame =
      "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'frame_name' value { s: 'loop' } } attr { key: 'is_constant' value { b: true } }";
  const char* two = "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'N' value { i: 2 } }";
  auto session = cluster.session(
      constant("one", "1", kWorker) + node("limit", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_FLOAT } }") +
      node("enter", "Enter", {"one"}, kWorker, frame) + node("bound", "Enter", {"limit"}, kWorker, constantFrame) +
      node("merge", "Merge", {"enter", "next"}, kWorker, two) + node("less", "Less", {"merge", "bound"}, kWorker) +
      node("cond", "LoopCond", {"less"}, kWorker, "") + node("switch", "Switch", {"merge", "cond"}, kWorker) + node("body", "Identity", {"switch:1"}, kWorker) +
      node("sum", "Add", {"body", "body"}, kPs) + node("next", "NextIteration", {"sum"}, kWorker) + node("exit", "Exit", {"switch"}, kWorker) +
      node("p", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_BOOL } }") + node("s", "Switch", {"exit", "p"}, kWorker) +
      node("f", "Neg", {"s:0"}, kPs) + node("t", "Square", {"s:1"}, kPs) + node("m", "Merge", {"f", "t"}, kWorker, two));
  VERIFY_OK(session);
  for (const bool taken : {true, false}) {
    Recorder r;
    std::vector<int64_t> iterations;
    std::vector<float> sums;
    r.onAfter = [&](StepPoint& p, const Status& s) {
      if (p.node().name != "sum" || !s.ok()) return StepVerdict::Go;
      iterations.push_back(p.loops().empty() ? -1 : p.loops().back().iteration);
      sums.push_back(p.output(0)->at<float>(0));
      return StepVerdict::Go;
    };
    const auto m = (*session)->run({{"limit:0", Tensor::scalar(5.f)}, {"p:0", Tensor::scalar(taken)}}, {"m:0"}, {}, under(r));
    VERIFY_OK(m);
    QCOMPARE((*m)[0].at<float>(0), taken ? 64.f : -8.f);
    QCOMPARE(sums, (std::vector<float>{2, 4, 8}));
    QCOMPARE(iterations, (std::vector<int64_t>{0, 1, 2}));
    QVERIFY(r.dead_.contains(taken ? "f" : "t"));
    QVERIFY(!r.dead_.contains(taken ? "t" : "f"));
  }
}

void TestClusterStepping::tasksThatWaitForEachOther() {
  ClusterOfTasks cluster({{"ps", 2}, {"worker", 2}});
  QCOMPARE(cluster.startAll(), std::string());
  // Each task's first nodes need what the other one's last nodes compute, three times there and back.
  const char *a = "/job:ps/task:1", *b = "/job:worker/task:1";
  auto session =
      cluster.session(node("a3", "Neg", {"b2"}, a) + node("b3", "Neg", {"a3"}, b) + node("a2", "Neg", {"b1"}, a) + node("b2", "Neg", {"a2"}, b) +
                      node("a1", "Square", {"two"}, a) + node("b1", "Neg", {"a1"}, b) + constant("two", "2", kPs) + node("all", "Add", {"b3", "a1"}, kWorker));
  VERIFY_OK(session);
  Recorder r;
  const auto all = (*session)->run({}, {"all:0"}, {}, under(r));
  VERIFY_OK(all);
  QCOMPARE((*all)[0].at<float>(0), 0.f);
  QCOMPARE(r.ops, (std::vector<std::string>{"two", "a1", "b1", "a2", "b2", "a3", "b3", "all"}));
  QCOMPARE(r.tasks["b3"], std::string("/job:worker/replica:0/task:1"));
}

void TestClusterStepping::aFailingOpIsNamed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session =
      cluster.session(node("x", "Placeholder", {}, kPs, "attr { key: 'dtype' value { type: DT_FLOAT } }") +
                      node("checked", "CheckNumerics", {"x"}, kPs, "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'message' value { s: 'so' } }") +
                      node("y", "Neg", {"checked"}, kWorker));
  VERIFY_OK(session);
  Recorder r;
  std::string seen;
  r.onAfter = [&](StepPoint& p, const Status& s) {
    if (!s.ok()) seen = p.node().name + ": " + s.error().message;
    return StepVerdict::Go;
  };
  const auto y = (*session)->run({{"x:0", Tensor::scalar(std::numeric_limits<float>::quiet_NaN())}}, {"y:0"}, {}, under(r));
  QVERIFY(!y.ok());
  QVERIFY2(seen.starts_with("checked: so"), seen.c_str());
  QCOMPARE(y.error().node, std::string("checked"));
  QVERIFY2(y.error().message.starts_with("From " + kPsTask), y.error().message.c_str());
  QCOMPARE(r.ends, 1);
  QVERIFY(!r.end.ok());
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"y:0"}));
}

void TestClusterStepping::endingFreesTheTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  for (const char* at : {"v", "sum", "back"}) {
    Recorder r;
    r.onBefore = [&](StepPoint& p) { return p.node().name == at ? StepVerdict::End : StepVerdict::Go; };
    QElapsedTimer clock;
    clock.start();
    const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r));
    QVERIFY(!back.ok());
    QCOMPARE(back.error().code, Code::Cancelled);
    QCOMPARE(back.error().message, std::string("The run was ended by its debugger."));
    QCOMPARE(r.ends, 1);
    QVERIFY(clock.elapsed() < 5000);
    VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}));
  }
}

void TestClusterStepping::cancellingFreesTheTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  // `get` waits for an element that never comes.
  auto session = cluster.session(node("q", "FIFOQueueV2", {}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } }") +
                                 node("get", "QueueDequeueV2", {"q"}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } }") +
                                 node("sum", "Add", {"get", "get"}, kWorker));
  VERIFY_OK(session);
  Recorder r;
  RunOptions options = under(r);
  std::thread stopper([token = options.cancellation] {
    QTest::qSleep(500);
    token.cancel();
  });
  QElapsedTimer clock;
  clock.start();
  const auto sum = (*session)->run({}, {"sum:0"}, {}, options);
  stopper.join();
  QVERIFY(!sum.ok());
  QCOMPARE(sum.error().code, Code::Cancelled);
  QVERIFY(clock.elapsed() < 5000);
  QCOMPARE(r.ends, 1);
}

void TestClusterStepping::closingTheSessionFreesTheTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  // The session is closed while its step is stopped at an op.
  Recorder r;
  std::atomic<bool> stopped{false}, goOn{false};
  r.onBefore = [&](StepPoint& p) {
    if (p.node().name == "sum") {
      stopped = true;
      while (!goOn) QTest::qSleep(5);
    }
    return StepVerdict::Go;
  };
  Result<std::vector<Tensor>> back = internalError("not run");
  std::thread run([&] { back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r)); });
  while (!stopped) QTest::qSleep(5);
  (*session)->close();
  goOn = true;
  run.join();
  QVERIFY(!back.ok());
  QElapsedTimer clock;
  clock.start();
  cluster.servers.clear();  // waits for the calls that they answer
  QVERIFY(clock.elapsed() < 5000);
}

void TestClusterStepping::timeLimitsDoNotCountStops() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  SessionOptions options;
  options.operationTimeoutMs = 700;
  auto session = cluster.session(kModel, "worker", 0, options);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  Recorder r;
  r.onBefore = [&](StepPoint& p) {
    if (p.node().name == "y") QTest::qSleep(1500);
    return StepVerdict::Go;
  };
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r)));
}

void TestClusterStepping::aTaskThatIsGoneEndsTheStep() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kModel);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  Recorder r;
  r.onBefore = [&](StepPoint& p) {
    if (p.node().name == "y") cluster.stop("ps", 0);
    return StepVerdict::Go;
  };
  QElapsedTimer clock;
  clock.start();
  const auto back = (*session)->run({{"x:0", Tensor::scalar(2.f)}}, {"back:0"}, {}, under(r));
  QVERIFY(!back.ok());
  QVERIFY2(back.error().message.find("/job:ps") != std::string::npos, back.error().message.c_str());
  QVERIFY(clock.elapsed() < 10000);
  QCOMPARE(r.ends, 1);
}

void TestClusterStepping::aClientThatGoesAwayFreesTheTasks() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(constant("a", "2", "") + node("b", "Neg", {"a"}, ""));
  VERIFY_OK(session);
  {
    // A client that asks for nothing after the beginning of its step, and whose connection breaks.
    rpc::Channel client(cluster.addresses["worker"][0]);
    cluster::pb::CreateSessionRequest create;
    const auto bytes = cluster::graphBytes(*(*session)->graph());
    VERIFY_OK(bytes);
    create.set_graph_def(*bytes);
    const auto created = client.call("/tensorflow.MasterService/CreateSession", cluster::bufferOf(create), {});
    VERIFY_OK(created);
    cluster::pb::CreateSessionResponse made;
    VERIFY_OK(cluster::parse(*created, "CreateSessionResponse", &made));
    cluster::pb::RunStepRequest step;
    step.set_session_handle(made.session_handle());
    step.add_fetch("b:0");
    step.set_stepped(77);
    std::atomic<bool> answered{false};
    client.start(cluster::kSteppedRunStep, cluster::bufferOf(step), 0, [&](const Result<rpc::Bytes>&) { answered = true; });
    cluster::pb::StepTasksRequest tasks;
    tasks.set_run(77);
    VERIFY_OK(client.call(cluster::kSteppedTasks, cluster::bufferOf(tasks), {}));
    QTest::qWait(100);
    QVERIFY(!answered);
  }
  QElapsedTimer clock;
  clock.start();
  cluster.stop("worker", 0);  // waits for the handlers that still run
  QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
}

void TestClusterStepping::serversOfTensorFlowSaySo() {
  // A server that knows TensorFlow's methods only.
  std::atomic<int> steps{0};
  const auto answer = [](const char* name, auto response) {
    return rpc::RpcMethod{std::string("/tensorflow.MasterService/") + name, false,
                          [response](const std::shared_ptr<rpc::RpcCall>& call) { call->reply(cluster::bufferOf(response)); }};
  };
  cluster::pb::CreateSessionResponse made;
  made.set_session_handle("session");
  std::vector<rpc::RpcMethod> methods;
  methods.push_back(answer("CreateSession", made));
  methods.push_back(answer("CloseSession", cluster::pb::CloseSessionResponse()));
  methods.push_back({"/tensorflow.MasterService/RunStep", false, [&](const std::shared_ptr<rpc::RpcCall>& call) {
                       ++steps;
                       call->reply(cluster::bufferOf(cluster::pb::RunStepResponse()));
                     }});
  auto server = rpc::RpcServer::start("127.0.0.1:0", std::move(methods));
  VERIFY_OK(server);
  const std::string target = "grpc://localhost:" + std::to_string((*server)->port());
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(constant("a", "2", "")), "the test's graph");
  VERIFY_OK(loaded);
  SessionOptions options;
  options.target = target;
  auto session = Session::create(std::move(loaded->meta.graph), options);
  VERIFY_OK(session);
  Recorder r;
  const auto run = (*session)->run({}, {}, {"a"}, under(r));
  QVERIFY(!run.ok());
  QCOMPARE(run.error().code, Code::Unimplemented);
  QCOMPARE(run.error().message,
           "The server at " + target + " runs steps as a whole, so their ops cannot be stepped through. Weft's servers can do that, TensorFlow's cannot.");
  QCOMPARE(steps.load(), 0);
  QCOMPARE(r.begins + r.ends, 0);
  QCOMPARE(canStepOn(target).error().message, run.error().message);
  VERIFY_OK((*session)->run({}, {}, {"a"}));

  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  VERIFY_OK(canStepOn(cluster.target("worker")));
}

QTEST_GUILESS_MAIN(TestClusterStepping)
#include "tst_cluster_stepping.moc"
