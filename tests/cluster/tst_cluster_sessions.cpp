#include <QTest>
#include <atomic>
#include <set>
#include <thread>

#include "cluster_of_tasks.h"
#include "weft/partial_run.h"
#include "weft/profile.h"

using namespace weft;

/// Sessions on Weft's own servers: values over tasks, state that sessions share, everything that a client may ask for.
class TestClusterSessions : public QObject {
  Q_OBJECT
 private slots:
  void oneTaskAdds();
  void aVariableLivesOnItsTask();
  void valuesOfAllKindsCrossTasks();
  void controlEdgesCrossTasks();
  void branchesCrossTasks();
  void loopsCrossTasks();
  void queuesAreShared();
  void graphsGrow();
  void partialRunsFeedStepByStep();
  void theLastCallOfAPartialRunWaitsForTargets();
  void aTensorMayBeFetchedTwice();
  void tracesTellOfAllTasks();
  void randomStreamsContinue();
  void resetForgetsVariables();
  void concurrentStepsOfSeveralSessions();
  void thirtyTwoTasks();
};

namespace {

std::string constant(const char* name, const char* value, const char* device, const char* more = "") {
  return std::string("node { name: '") + name + "' op: 'Const' device: '" + device + "' " + more +
         " attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: " + value +
         " } } } }\n";
}

std::string node(const char* name, const char* op, std::initializer_list<const char*> inputs, const char* device,
                 const char* attrs = "attr { key: 'T' value { type: DT_FLOAT } }") {
  std::string out = std::string("node { name: '") + name + "' op: '" + op + "' device: '" + device + "' ";
  for (const char* input : inputs) out += std::string("input: '") + input + "' ";
  return out + attrs + " }\n";
}

constexpr const char* kFloatVariable = "attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape {} } }";
constexpr const char *kPs = "/job:ps/task:0", *kWorker = "/job:worker/task:0";

/// v on the ps; assign sets it to 10, add adds the placeholder's value.
const std::string kCounter = node("v", "VariableV2", {}, kPs, kFloatVariable) + constant("ten", "10", kPs) + node("assign", "Assign", {"v", "ten"}, kPs) +
                             node("x", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_FLOAT } }") +
                             node("add", "AssignAdd", {"v", "x"}, kPs) + node("read", "Identity", {"v"}, kPs) + node("twice", "Add", {"read", "read"}, kWorker);

}  // namespace

void TestClusterSessions::oneTaskAdds() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(constant("a", "2", "") + node("x", "Placeholder", {}, "", "attr { key: 'dtype' value { type: DT_FLOAT } }") +
                                 node("y", "Add", {"a", "x"}, ""));
  VERIFY_OK(session);
  for (int i = 0; i < 3; ++i) {
    const auto y = (*session)->run({{"x:0", Tensor::scalar(float(i))}}, {"y:0"});
    VERIFY_OK(y);
    QCOMPARE((*y)[0].at<float>(0), 2.f + float(i));
  }
  QCOMPARE((*session)->devices(), std::vector<std::string>{"/job:worker/replica:0/task:0/device:CPU:0"});
  const auto missing = (*session)->run({}, {"y:0"});
  QVERIFY(!missing.ok());
  QVERIFY2(missing.error().message.starts_with("From /job:worker/replica:0/task:0:\nYou must feed a value for placeholder tensor 'x'"),
           missing.error().message.c_str());
  QCOMPARE(missing.error().node, std::string("x"));
}

void TestClusterSessions::aVariableLivesOnItsTask() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 2}});
  QCOMPARE(cluster.startAll(), std::string());
  auto first = cluster.session(kCounter, "worker", 0), second = cluster.session(kCounter, "worker", 1);
  VERIFY_OK(first);
  VERIFY_OK(second);
  const auto unset = (*first)->run({}, {"read:0"});
  QVERIFY(!unset.ok());
  QCOMPARE(unset.error().code, Code::FailedPrecondition);
  QVERIFY2(unset.error().message.starts_with("From /job:ps/replica:0/task:0:\nAttempting to use uninitialized value v"), unset.error().message.c_str());
  VERIFY_OK((*first)->run({}, {}, {"assign"}));
  VERIFY_OK((*second)->run({{"x:0", Tensor::scalar(5.f)}}, {}, {"add"}));
  const auto twice = (*first)->run({}, {"twice:0"});
  VERIFY_OK(twice);
  QCOMPARE((*twice)[0].at<float>(0), 30.f);
  QCOMPARE((*second)->variables().at("v").at<float>(0), 15.f);
  QVERIFY((*second)->setVariable("v", Tensor::scalar(1.f)).ok());
  QCOMPARE((*first)->variables().at("v").at<float>(0), 1.f);
  (*first)->close();
  QCOMPARE((*first)->run({}, {"twice:0"}).error().code, Code::Cancelled);
  VERIFY_OK((*second)->run({}, {"twice:0"}));
}

void TestClusterSessions::valuesOfAllKindsCrossTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  std::string text;
  const std::vector<std::pair<const char*, Tensor>> kinds = {{"DT_STRING", Tensor::vector<std::string>({"a", std::string(5000, 'b')})},
                                                             {"DT_BOOL", Tensor::vector<bool>({true, false})},
                                                             {"DT_INT64", Tensor::scalar(int64_t(1) << 40)},
                                                             {"DT_DOUBLE", Tensor::zeros(DType::Double, {2, 0, 3})},
                                                             {"DT_FLOAT", Tensor::zeros(DType::Float, {200000})}};
  for (const auto& [kind, value] : kinds) {
    const std::string type = std::string("attr { key: 'T' value { type: ") + kind + " } }",
                      dtype = std::string("attr { key: 'dtype' value { type: ") + kind + " } }";
    text += node((std::string("x") + kind).c_str(), "Placeholder", {}, kWorker, dtype.c_str());
    text += node((std::string("there") + kind).c_str(), "Identity", {(std::string("x") + kind).c_str()}, kPs, type.c_str());
    text += node((std::string("back") + kind).c_str(), "Identity", {(std::string("there") + kind).c_str()}, kWorker, type.c_str());
  }
  auto session = cluster.session(text);
  VERIFY_OK(session);
  for (const auto& [kind, value] : kinds) {
    const auto back = (*session)->run({{std::string("x") + kind + ":0", value}}, {std::string("back") + kind + ":0"});
    VERIFY_OK(back);
    QVERIFY2((*back)[0].identicalTo(value), kind);
  }
}

void TestClusterSessions::controlEdgesCrossTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kCounter + node("after", "NoOp", {"^add"}, kWorker, "") + node("done", "Identity", {"x", "^after"}, kWorker));
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"done:0"}));
  QCOMPARE((*session)->variables().at("v").at<float>(0), 11.f);
}

void TestClusterSessions::branchesCrossTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(node("p", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_BOOL } }") + constant("c", "3", kWorker) +
                                 node("s", "Switch", {"c", "p"}, kWorker) + node("f", "Neg", {"s:0"}, kPs) + node("t", "Square", {"s:1"}, kPs) +
                                 node("m", "Merge", {"f", "t"}, kWorker, "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'N' value { i: 2 } }"));
  VERIFY_OK(session);
  for (const bool taken : {true, false, true}) {
    const auto m = (*session)->run({{"p:0", Tensor::scalar(taken)}}, {"m:0"});
    VERIFY_OK(m);
    QCOMPARE((*m)[0].at<float>(0), taken ? 9.f : -3.f);
  }
  const auto dead = (*session)->run({{"p:0", Tensor::scalar(true)}}, {"f:0"});
  QVERIFY(!dead.ok());
  QVERIFY2(dead.error().message.find("was not valid") != std::string::npos, dead.error().message.c_str());
}

void TestClusterSessions::loopsCrossTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  // i = 1; while i < limit: i = i + i, where the body's sum is on the ps.
  const char* frame = "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'frame_name' value { s: 'loop' } }";
  const char* constantFrame =
      "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'frame_name' value { s: 'loop' } } attr { key: 'is_constant' value { b: true } }";
  auto session =
      cluster.session(constant("one", "1", kWorker) + node("limit", "Placeholder", {}, kWorker, "attr { key: 'dtype' value { type: DT_FLOAT } }") +
                      node("enter", "Enter", {"one"}, kWorker, frame) + node("bound", "Enter", {"limit"}, kWorker, constantFrame) +
                      node("merge", "Merge", {"enter", "next"}, kWorker, "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'N' value { i: 2 } }") +
                      node("less", "Less", {"merge", "bound"}, kWorker) + node("cond", "LoopCond", {"less"}, kWorker, "") +
                      node("switch", "Switch", {"merge", "cond"}, kWorker) + node("body", "Identity", {"switch:1"}, kWorker) +
                      node("sum", "Add", {"body", "body"}, kPs) + node("next", "NextIteration", {"sum"}, kWorker) + node("exit", "Exit", {"switch"}, kWorker));
  VERIFY_OK(session);
  for (const float limit : {100.f, 1.f, 1000.f}) {
    const auto last = (*session)->run({{"limit:0", Tensor::scalar(limit)}}, {"exit:0"});
    VERIFY_OK(last);
    QCOMPARE((*last)[0].at<float>(0), limit == 1.f ? 1.f : limit == 100.f ? 128.f : 1024.f);
  }
}

void TestClusterSessions::queuesAreShared() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 2}});
  QCOMPARE(cluster.startAll(), std::string());
  const std::string queue =
      node("q", "FIFOQueueV2", {}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shared_name' value { s: 'tokens' } }") +
      node("x", "Placeholder", {}, kPs, "attr { key: 'dtype' value { type: DT_FLOAT } }") +
      node("put", "QueueEnqueueV2", {"q", "x"}, kPs, "attr { key: 'Tcomponents' value { list { type: DT_FLOAT } } }") +
      node("get", "QueueDequeueV2", {"q"}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } }");
  auto first = cluster.session(queue, "worker", 0), second = cluster.session(queue, "worker", 1);
  VERIFY_OK(first);
  VERIFY_OK(second);
  Result<std::vector<Tensor>> got = std::vector<Tensor>();
  std::thread waiting([&] { got = (*second)->run({}, {"get:0"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  VERIFY_OK((*first)->run({{"x:0", Tensor::scalar(7.f)}}, {}, {"put"}));
  waiting.join();
  VERIFY_OK(got);
  QCOMPARE((*got)[0].at<float>(0), 7.f);
}

void TestClusterSessions::graphsGrow() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kCounter);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  const auto more = loadGraphBytes(std::make_shared<const std::string>(kCounter + node("thrice", "Add", {"twice", "read"}, kWorker)), "more");
  VERIFY_OK(more);
  const Status extended = (*session)->extend(more->meta.graph);
  QVERIFY2(extended.ok(), extended.toString().c_str());
  const auto thrice = (*session)->run({}, {"thrice:0"});
  VERIFY_OK(thrice);
  QCOMPARE((*thrice)[0].at<float>(0), 30.f);
}

void TestClusterSessions::partialRunsFeedStepByStep() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  const char* dtype = "attr { key: 'dtype' value { type: DT_FLOAT } }";
  auto session = cluster.session(node("a", "Placeholder", {}, kWorker, dtype) + node("b", "Placeholder", {}, kWorker, dtype) +
                                 node("a2", "Square", {"a"}, kPs) + node("sum", "Add", {"a2", "b"}, kWorker));
  VERIFY_OK(session);
  const auto handle = partialRunSetup(**session, {"a:0", "b:0"}, {"a2:0", "sum:0"});
  VERIFY_OK(handle);
  const auto square = partialRun(**session, *handle, {{"a:0", Tensor::scalar(3.f)}}, {"a2:0"});
  VERIFY_OK(square);
  QCOMPARE((*square)[0].at<float>(0), 9.f);
  const auto sum = partialRun(**session, *handle, {{"b:0", Tensor::scalar(1.f)}}, {"sum:0"});
  VERIFY_OK(sum);
  QCOMPARE((*sum)[0].at<float>(0), 10.f);
  QVERIFY(!partialRun(**session, *handle, {}, {"sum:0"}).ok());
}

void TestClusterSessions::theLastCallOfAPartialRunWaitsForTargets() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(
      node("x", "Placeholder", {}, kPs, "attr { key: 'dtype' value { type: DT_FLOAT } }") + node("y", "Identity", {"x"}, kPs) +
      node("check", "CheckNumerics", {"x"}, kPs, "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'message' value { s: 'not a number' } }"));
  VERIFY_OK(session);
  const auto handle = partialRunSetup(**session, {"x:0"}, {"y:0"}, {"check"});
  VERIFY_OK(handle);
  const auto y = partialRun(**session, *handle, {{"x:0", Tensor::scalar(std::numeric_limits<float>::quiet_NaN())}}, {"y:0"});
  QVERIFY(!y.ok());
  QVERIFY2(y.error().message.find("not a number : Tensor had NaN") != std::string::npos, y.error().message.c_str());
}

void TestClusterSessions::aTensorMayBeFetchedTwice() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kCounter);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  const auto both = (*session)->run({}, {"read:0", "twice:0", "read:0"});
  VERIFY_OK(both);
  QCOMPARE((*both)[0].at<float>(0), 10.f);
  QCOMPARE((*both)[1].at<float>(0), 20.f);
  QCOMPARE((*both)[2].at<float>(0), 10.f);
}

void TestClusterSessions::tracesTellOfAllTasks() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kCounter);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  RunOptions options;
  options.trace = true;
  RunReport report;
  VERIFY_OK((*session)->run({}, {"twice:0"}, {}, options, &report));
  QVERIFY(report.trace);
  std::set<std::string> devices, names;
  for (const TraceEvent& event : report.trace->events) {
    devices.insert(event.device);
    names.insert(event.name);
  }
  QVERIFY(devices.contains("/job:ps/replica:0/task:0/device:CPU:0"));
  QVERIFY(devices.contains("/job:worker/replica:0/task:0/device:CPU:0"));
  QVERIFY(names.contains("twice"));
  // What went from task to task, by the same clock.
  const auto trace = readTraceBytes(report.trace->toRunMetadata(), "the step");
  VERIFY_OK(trace);
  QCOMPARE(trace->tasks.size(), size_t(2));
  for (const TraceTask& task : trace->tasks) QCOMPARE(task.movedNs, int64_t(0));
  QVERIFY(!trace->transfers.empty());
  for (const TraceTransfer& transfer : trace->transfers) {
    QCOMPARE(transfer.from, std::string("/job:ps/replica:0/task:0/device:CPU:0"));
    QCOMPARE(transfer.to, std::string("/job:worker/replica:0/task:0/device:CPU:0"));
    QCOMPARE(transfer.bytes, int64_t(4));
    QVERIFY(transfer.send >= 0 && transfer.receive >= 0 && transfer.transitNs() >= 0);
  }
  QVERIFY(trace->problems.empty());
  // The server's placement comes with the first traced step of a signature.
  const TraceNode* twice = trace->node("twice");
  QVERIFY(twice);
  QCOMPARE(twice->device, std::string("/job:worker/replica:0/task:0/device:CPU:0"));
}

void TestClusterSessions::randomStreamsContinue() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  const std::string noise =
      "node { name: 'shape' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { tensor { dtype: DT_INT32 "
      "tensor_shape { dim { size: 1 } } int_val: 4 } } } }\n" +
      node("r", "RandomUniform", {"shape"}, "",
           "attr { key: 'T' value { type: DT_INT32 } } attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'seed' value { i: 3 } }") +
      node("n", "Neg", {"r"}, "");
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(noise), "noise");
  VERIFY_OK(loaded);
  auto local = Session::create(loaded->meta.graph);
  auto remote = cluster.session(noise);
  VERIFY_OK(local);
  VERIFY_OK(remote);
  // The second signature is another graph for the worker, but the same stream.
  for (const char* fetch : {"r:0", "n:0", "r:0"}) {
    const auto a = (*local)->run({}, {fetch}), b = (*remote)->run({}, {fetch});
    VERIFY_OK(a);
    VERIFY_OK(b);
    QVERIFY2((*a)[0].identicalTo((*b)[0]), fetch);
  }
}

void TestClusterSessions::resetForgetsVariables() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kCounter);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"assign"}));
  const Status reset = resetServer(cluster.target("worker"), {});
  QVERIFY2(reset.ok(), reset.toString().c_str());
  const auto old = (*session)->run({}, {"read:0"});
  QCOMPARE(old.error().code, Code::Aborted);
  auto fresh = cluster.session(kCounter);
  VERIFY_OK(fresh);
  QCOMPARE((*fresh)->run({}, {"read:0"}).error().code, Code::FailedPrecondition);
}

void TestClusterSessions::concurrentStepsOfSeveralSessions() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 2}});
  QCOMPARE(cluster.startAll(), std::string());
  auto first = cluster.session(kCounter, "worker", 0), second = cluster.session(kCounter, "worker", 1);
  VERIFY_OK(first);
  VERIFY_OK(second);
  VERIFY_OK((*first)->run({}, {}, {"assign"}));
  constexpr int kSteps = 50;
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (Session* session : {first->get(), second->get(), first->get(), second->get()}) {
    threads.emplace_back([&, session] {
      for (int i = 0; i < kSteps; ++i) failed += !session->run({{"x:0", Tensor::scalar(1.f)}}, {}, {"add"}).ok();
    });
  }
  for (std::thread& thread : threads) thread.join();
  QCOMPARE(failed.load(), 0);
  QCOMPARE((*first)->variables().at("v").at<float>(0), 10.f + 4 * kSteps);
}

void TestClusterSessions::thirtyTwoTasks() {
  ClusterOfTasks cluster({{"worker", 32}});
  QCOMPARE(cluster.startAll(), std::string());
  std::string text, sum;
  for (int i = 0; i < 32; ++i) {
    const std::string name = "c" + std::to_string(i), device = "/job:worker/task:" + std::to_string(i);
    text += constant(name.c_str(), std::to_string(i).c_str(), device.c_str()) + node((name + "_").c_str(), "Square", {name.c_str()}, device.c_str());
    sum += "input: '" + name + "_' ";
  }
  text +=
      "node { name: 'sum' op: 'AddN' device: '/job:worker/task:0' " + sum + " attr { key: 'N' value { i: 32 } } attr { key: 'T' value { type: DT_FLOAT } } }";
  auto session = cluster.session(text);
  VERIFY_OK(session);
  for (int i = 0; i < 5; ++i) {
    const auto got = (*session)->run({}, {"sum:0"});
    VERIFY_OK(got);
    QCOMPARE((*got)[0].at<float>(0), 31.f * 32 * 63 / 6);
  }
}

QTEST_GUILESS_MAIN(TestClusterSessions)
#include "tst_cluster_sessions.moc"
