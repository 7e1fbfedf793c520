#include <QTest>
#include <atomic>
#include <thread>

#include "cluster_of_tasks.h"

using namespace weft;

/// What goes wrong between tasks: each failure is one error that names the task, in time, and the tasks go on.
class TestClusterFailures : public QObject {
  Q_OBJECT
 private slots:
  void unknownTargetsAreRefused();
  void aTargetThatIsNotThereEndsAtTheTimeLimit();
  void waitingForAServerCanBeCancelled();
  void aMissingWorkerEndsAtTheTimeLimit();
  void twoTasksOnOnePort();
  void tasksThatAreNotInTheCluster();
  void anErrorOfOneTaskEndsTheOthers();
  void aStepEndsAtItsTimeLimit();
  void aStepCanBeCancelled();
  void closingASessionEndsItsSteps();
  void aRestartedTaskIsNoticed();
  void aTaskThatEndsInAStepIsNamed();
  void aWorkerThatIsGoneHoldsUpItsStepsOnly();
  void aStepThatWaitsForAWorkerEndsAtItsTimeLimit();
  void aServerStopsWhileItWaitsForAWorker();
  void optionsThatAServerCannotKeepAreRefused();
  void devicesThatTheClusterLacks();
};

namespace {

std::string node(const char* name, const char* op, std::initializer_list<const char*> inputs, const char* device,
                 const char* attrs = "attr { key: 'T' value { type: DT_FLOAT } }") {
  std::string out = std::string("node { name: '") + name + "' op: '" + op + "' device: '" + device + "' ";
  for (const char* input : inputs) out += std::string("input: '") + input + "' ";
  return out + attrs + " }\n";
}

constexpr const char* kFloat = "attr { key: 'dtype' value { type: DT_FLOAT } }";
constexpr const char *kPs = "/job:ps/task:0", *kWorker = "/job:worker/task:0";

/// `get` on the ps waits for an element that never comes; `sum` on the worker needs it.
const std::string kWaits = node("q", "FIFOQueueV2", {}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } }") +
                           node("get", "QueueDequeueV2", {"q"}, kPs, "attr { key: 'component_types' value { list { type: DT_FLOAT } } }") +
                           node("sum", "Add", {"get", "get"}, kWorker) + node("x", "Placeholder", {}, kWorker, kFloat) + node("two", "Add", {"x", "x"}, kPs) +
                           node("four", "Add", {"two", "two"}, kWorker);

Graph emptyGraph() { return {}; }

}  // namespace

void TestClusterFailures::unknownTargetsAreRefused() {
  SessionOptions options;
  options.target = "nonsense://x";
  const auto session = Session::create(emptyGraph(), options);
  QCOMPARE(session.error().code, Code::NotFound);
  QVERIFY(session.error().message.starts_with("No session factory registered"));
}

void TestClusterFailures::aTargetThatIsNotThereEndsAtTheTimeLimit() {
  SessionOptions options;
  options.target = "grpc://localhost:1";
  options.operationTimeoutMs = 300;
  QCOMPARE(Session::create(emptyGraph(), options).error().code, Code::DeadlineExceeded);
}

void TestClusterFailures::waitingForAServerCanBeCancelled() {
  SessionOptions options;
  options.target = "grpc://localhost:1";
  std::thread later([token = options.connecting] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    token.cancel();
  });
  QCOMPARE(Session::create(emptyGraph(), options).error().code, Code::Cancelled);
  later.join();
}

void TestClusterFailures::aMissingWorkerEndsAtTheTimeLimit() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.start("worker", 0), std::string());
  SessionOptions options;
  options.operationTimeoutMs = 300;
  QCOMPARE(cluster.session(kWaits, "worker", 0, options).error().code, Code::DeadlineExceeded);
  QCOMPARE(cluster.start("ps", 0), std::string());
  options.operationTimeoutMs = 0;
  VERIFY_OK(cluster.session(kWaits, "worker", 0, options));
}

void TestClusterFailures::twoTasksOnOnePort() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.start("worker", 0), std::string());
  ServerOptions options;
  options.cluster = cluster.addresses;
  options.job = "worker";
  const auto second = ClusterServer::start(options);
  QVERIFY(!second.ok());
  QVERIFY2(second.error().message.starts_with("Could not start gRPC server"), second.error().message.c_str());
}

void TestClusterFailures::tasksThatAreNotInTheCluster() {
  ServerOptions options;
  options.cluster["worker"][0] = "localhost:0";
  options.job = "local";
  QCOMPARE(ClusterServer::start(options).error().message, std::string("Job \"local\" was not defined in cluster"));
  options.job = "worker";
  options.task = 3;
  QCOMPARE(ClusterServer::start(options).error().message, std::string("Task 3 was not defined in job \"worker\""));
  options.task = 0;
  options.cluster["worker"][0] = "nohost";
  QCOMPARE(ClusterServer::start(options).error().message, std::string("Could not parse port for local server from \"nohost\"."));
}

void TestClusterFailures::anErrorOfOneTaskEndsTheOthers() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(
      kWaits + node("check", "CheckNumerics", {"x"}, kPs, "attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'message' value { s: 'not a number' } }") +
      node("both", "Add", {"check", "get"}, kWorker));
  VERIFY_OK(session);
  const auto got = (*session)->run({{"x:0", Tensor::scalar(std::numeric_limits<float>::quiet_NaN())}}, {"both:0"});
  QVERIFY(!got.ok());
  QCOMPARE(got.error().code, Code::InvalidArgument);
  QVERIFY2(got.error().message.starts_with("From /job:ps/replica:0/task:0:\nnot a number : Tensor had NaN"), got.error().message.c_str());
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}));
}

void TestClusterFailures::aStepEndsAtItsTimeLimit() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  RunOptions options;
  options.timeoutMs = 200;
  QCOMPARE((*session)->run({}, {"sum:0"}, {}, options).error().code, Code::DeadlineExceeded);
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}));
}

void TestClusterFailures::aStepCanBeCancelled() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  RunOptions options;
  std::thread later([token = options.cancellation] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    token.cancel();
  });
  QCOMPARE((*session)->run({}, {"sum:0"}, {}, options).error().code, Code::Cancelled);
  later.join();
}

void TestClusterFailures::closingASessionEndsItsSteps() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    (*session)->close();
  });
  QCOMPARE((*session)->run({}, {"sum:0"}).error().code, Code::Cancelled);
  later.join();
}

void TestClusterFailures::aRestartedTaskIsNoticed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}));
  cluster.stop("ps", 0);
  QCOMPARE(cluster.start("ps", 0), std::string());
  const auto lost = (*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"});
  QVERIFY(!lost.ok());
  QVERIFY2(lost.error().code == Code::Aborted || lost.error().code == Code::Unavailable, lost.error().toString().c_str());
  QVERIFY2(lost.error().message.find("/job:ps/replica:0/task:0") != std::string::npos, lost.error().message.c_str());
  auto fresh = cluster.session(kWaits);
  VERIFY_OK(fresh);
  const auto four = (*fresh)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"});
  VERIFY_OK(four);
  QCOMPARE((*four)[0].at<float>(0), 4.f);
}

void TestClusterFailures::aTaskThatEndsInAStepIsNamed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cluster.stop("ps", 0);
  });
  const auto got = (*session)->run({}, {"sum:0"});
  later.join();
  QVERIFY(!got.ok());
  QVERIFY2(got.error().message.find("/job:ps/replica:0/task:0") != std::string::npos, got.error().toString().c_str());
}

void TestClusterFailures::aWorkerThatIsGoneHoldsUpItsStepsOnly() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits + node("here", "Add", {"x", "x"}, kWorker));
  VERIFY_OK(session);
  cluster.stop("ps", 0);
  RunOptions options;
  Result<std::vector<Tensor>> gone = cancelledError("not run");
  std::thread waits([&] { gone = (*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}, {}, options); });  // its graph cannot be registered
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto here = (*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"here:0"});
  options.cancellation.cancel();
  waits.join();
  VERIFY_OK(here);
  QVERIFY(!gone.ok());
}

void TestClusterFailures::aStepThatWaitsForAWorkerEndsAtItsTimeLimit() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  cluster.stop("ps", 0);
  RunOptions options;
  options.timeoutMs = 300;
  const auto begin = std::chrono::steady_clock::now();
  // Its graph cannot be registered. A request on the old connection, before its end is noticed, is lost with it.
  const Code code = (*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}, {}, options).error().code;
  QVERIFY(code == Code::DeadlineExceeded || code == Code::Unavailable);
  QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

void TestClusterFailures::aServerStopsWhileItWaitsForAWorker() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kWaits);
  VERIFY_OK(session);
  cluster.stop("ps", 0);
  std::thread waits([&] { (void)(*session)->run({{"x:0", Tensor::scalar(1.f)}}, {"four:0"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto begin = std::chrono::steady_clock::now();
  cluster.stop("worker", 0);
  const auto took = std::chrono::steady_clock::now() - begin;
  (*session)->close();
  waits.join();
  QVERIFY(took < std::chrono::seconds(20));
}

void TestClusterFailures::optionsThatAServerCannotKeepAreRefused() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  SessionOptions options;
  options.defaultDevice = "/device:CPU:0";
  const auto placed = cluster.session(kWaits, "worker", 0, options);
  QCOMPARE(placed.error().code, Code::InvalidArgument);
  QVERIFY2(placed.error().message.find("/device:CPU:0") != std::string::npos, placed.error().message.c_str());
  options.defaultDevice.clear();
  options.disabledPasses = {"all"};
  QCOMPARE(cluster.session(kWaits, "worker", 0, options).error().code, Code::InvalidArgument);
}

void TestClusterFailures::devicesThatTheClusterLacks() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  const auto session = cluster.session(kWaits);
  QVERIFY(!session.ok());
  QCOMPARE(session.error().code, Code::InvalidArgument);
  QVERIFY2(session.error().message.find("/job:ps/task:0") != std::string::npos, session.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestClusterFailures)
#include "tst_cluster_failures.moc"
