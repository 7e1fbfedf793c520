#include <QTest>
#include <atomic>
#include <thread>

#include "cluster/messages.h"
#include "cluster/proto/master.pb.h"
#include "cluster/proto/worker.pb.h"
#include "cluster_of_tasks.h"
#include "rpc/rpc_server.h"
#include "weft/cluster_status.h"

using namespace weft;

/// What a cluster's tasks say of themselves: all of them, dead ones, restarted ones, and tasks that are not Weft's.
class TestClusterStatus : public QObject {
  Q_OBJECT
 private slots:
  void oneTaskTellsOfTheWholeCluster();
  void aTaskThatIsNotThereIsSilent();
  void aRestartIsNoticed();
  void theTaskThatAStepWaitsForIsNamed();
  void aMasterNamesTheTasksThatANewSessionWaitsFor();
  void bothNamesOfThisMachineAreOneTask();
  void aTaskWithAnotherNameIsAProblem();
  void tasksOfTensorFlowAreListed();
  void aTensorFlowClusterWithKnownAddressesIsAskedTaskByTask();
  void anEndedLookIsShort();
  void otherTargetsAreRefused();
};

namespace {

using State = TaskStatus::State;
constexpr int64_t kPatience = 2000;

ClusterStatus look(ClusterWatch& watch, int64_t patience = kPatience) { return watch.look(patience, CancellationToken()); }

const TaskStatus* find(const ClusterStatus& status, const std::string& name) {
  for (const TaskStatus& task : status.tasks)
    if (task.name == name) return &task;
  return nullptr;
}

/// Looks until `f` holds for the named task, at most ten seconds.
template <typename F>
bool waitFor(ClusterWatch& watch, const std::string& name, F f) {
  for (int i = 0; i < 100; ++i) {
    const ClusterStatus status = look(watch);
    if (const TaskStatus* task = find(status, name); task && f(*task)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

constexpr const char *kPsTask = "/job:ps/replica:0/task:0", *kWorkerTask = "/job:worker/replica:0/task:0";

/// `sum` on the worker needs `get` on the ps, which waits for an element that never comes.
const std::string kBlocked =
    "node { name: 'q' op: 'FIFOQueueV2' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shared_name' value { s: 'tokens' } } }"
    "node { name: 'get' op: 'QueueDequeueV2' input: 'q' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } }"
    "node { name: 'sum' op: 'Add' input: 'get' input: 'get' device: '/job:worker/task:0' attr { key: 'T' value { type: DT_FLOAT } } }";

/// A task that answers GetStatus and, once told to, ListDevices, and nothing else: what TensorFlow's tasks have of what is asked here.
struct PlainTask {
  std::atomic<bool> complete{true};
  std::atomic<int> listings{0};
  std::unique_ptr<rpc::RpcServer> server;
  PlainTask(const std::string& device, const std::string& other) {
    const auto add = [](auto* d, const std::string& name) {
      d->set_name(name);
      d->set_device_type("CPU");
      d->set_memory_limit(1 << 28);
      d->set_incarnation(7);
    };
    std::vector<rpc::RpcMethod> methods;
    methods.push_back({"/tensorflow.WorkerService/GetStatus", false, [=](const auto& call) {
                         cluster::pb::GetStatusResponse response;
                         add(response.add_device_attributes(), device);
                         call->reply(cluster::bufferOf(response));
                       }});
    methods.push_back({"/tensorflow.MasterService/ListDevices", true, [=, this](const auto& call) {
                         ++listings;
                         while (!complete) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                         cluster::pb::ListDevicesResponse response;
                         add(response.add_local_device(), device);
                         add(response.add_remote_device(), other);
                         call->reply(cluster::bufferOf(response));
                       }});
    auto started = rpc::RpcServer::start("127.0.0.1:0", std::move(methods));
    if (!started.ok()) qFatal("%s", started.error().message.c_str());
    server = std::move(*started);
  }
  std::string address() const { return "localhost:" + std::to_string(server->port()); }
};

}  // namespace

void TestClusterStatus::oneTaskTellsOfTheWholeCluster() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 2}});
  QCOMPARE(cluster.startAll(), std::string());
  auto watch = ClusterWatch::start(cluster.target("worker", 1));
  VERIFY_OK(watch);
  const ClusterStatus status = look(**watch);
  QCOMPARE(status.tasks.size(), size_t(3));
  QVERIFY(!status.waitsForTasks);
  for (const TaskStatus& task : status.tasks) {
    QCOMPARE(task.state, State::Answers);
    QCOMPARE(task.problem, std::string());
    QCOMPARE(task.devices.size(), size_t(1));
    QCOMPARE(task.devices[0].name, task.name + "/device:CPU:0");
    QVERIFY(task.devices[0].incarnation != 0 && task.devices[0].memoryBytes > 0);
    QVERIFY(task.report);
    QVERIFY(task.report->residentBytes > 1 << 20);
    QCOMPARE(task.report->version, engineVersion());
    QVERIFY(task.report->steps.empty() && task.report->queues.empty() && task.report->missing.empty());
    QCOMPARE(task.isTarget, task.name == "/job:worker/replica:0/task:1");
  }
  QCOMPARE(status.tasks[0].name, std::string(kPsTask));
  QCOMPARE(status.tasks[0].address, cluster.addresses["ps"][0]);
}

void TestClusterStatus::aTaskThatIsNotThereIsSilent() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.start("worker", 0), std::string());
  auto watch = ClusterWatch::start(cluster.target("worker"));
  VERIFY_OK(watch);
  const auto begin = std::chrono::steady_clock::now();
  ClusterStatus status = look(**watch, 300);
  QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  const TaskStatus* ps = find(status, kPsTask);
  QVERIFY(ps);
  QCOMPARE(ps->state, State::Silent);
  QCOMPARE(ps->problem, std::string("no answer within 300 ms"));
  QCOMPARE(ps->address, cluster.addresses["ps"][0]);
  QVERIFY(ps->sinceAnswer < 0);
  QCOMPARE(find(status, kWorkerTask)->state, State::Answers);
  // It comes, and goes again.
  QCOMPARE(cluster.start("ps", 0), std::string());
  QVERIFY(waitFor(**watch, kPsTask, [](const TaskStatus& task) { return task.state == State::Answers; }));
  cluster.stop("ps", 0);
  status = look(**watch, 300);
  QCOMPARE(find(status, kPsTask)->state, State::Silent);
  QVERIFY(find(status, kPsTask)->sinceAnswer >= 0);
  QCOMPARE(find(status, kPsTask)->devices.size(), size_t(1));
  // Not even the server itself.
  cluster.stop("worker", 0);
  status = look(**watch, 300);
  QCOMPARE(status.tasks.size(), size_t(2));
  for (const TaskStatus& task : status.tasks) QCOMPARE(task.state, State::Silent);
}

void TestClusterStatus::aRestartIsNoticed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto watch = ClusterWatch::start(cluster.target("worker"));
  VERIFY_OK(watch);
  QCOMPARE(find(look(**watch), kPsTask)->restarts, 0);
  cluster.stop("ps", 0);
  QCOMPARE(cluster.start("ps", 0), std::string());
  QVERIFY(waitFor(**watch, kPsTask, [](const TaskStatus& task) { return task.restarts == 1 && task.sinceRestart >= 0; }));
  QCOMPARE(find(look(**watch), kPsTask)->restarts, 1);
  QCOMPARE(find(look(**watch), kWorkerTask)->restarts, 0);
}

void TestClusterStatus::theTaskThatAStepWaitsForIsNamed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session(kBlocked);
  VERIFY_OK(session);
  RunOptions options;
  std::thread waits([&] { (void)(*session)->run({}, {"sum:0"}, {}, options); });
  auto watch = ClusterWatch::start(cluster.target("worker"));
  const bool seen = watch.ok() && waitFor(**watch, kWorkerTask, [](const TaskStatus& task) {
                      return task.report && !task.report->steps.empty() && !task.report->steps[0].awaited.empty();
                    });
  const ClusterStatus status = look(**watch);
  options.cancellation.cancel();
  waits.join();
  QVERIFY(seen);
  const TaskStatus *worker = find(status, kWorkerTask), *ps = find(status, kPsTask);
  QVERIFY(worker && worker->report && worker->report->steps.size() == 1);
  const RunningStep& step = worker->report->steps[0];
  QCOMPARE(step.awaitedInAll, int64_t(1));
  QCOMPARE(step.awaited[0].from, std::string(kPsTask));
  QVERIFY2(step.awaited[0].tensor.find("get") != std::string::npos, step.awaited[0].tensor.c_str());
  QVERIFY(step.awaited[0].seconds > 0 && step.awaited[0].seconds <= step.seconds);
  QCOMPARE(worker->report->clients, int64_t(1));
  QCOMPARE(worker->report->sessions, int64_t(1));
  // The other end of the chain: the ps waits for nobody, but for an element of its queue.
  QVERIFY(ps && ps->report && ps->report->steps.size() == 1);
  QCOMPARE(ps->report->steps[0].id, step.id);
  QCOMPARE(ps->report->steps[0].awaitedInAll, int64_t(0));
  QCOMPARE(ps->report->queues.size(), size_t(1));
  QCOMPARE(ps->report->queues[0].name, std::string("tokens"));
  QCOMPARE(ps->report->queues[0].waitingDequeues, int64_t(1));
  QCOMPARE(ps->report->graphs, int64_t(1));
  // Afterwards nothing runs.
  QVERIFY(waitFor(**watch, kWorkerTask, [](const TaskStatus& task) { return task.report && task.report->steps.empty() && task.report->stepsDone >= 1; }));
}

void TestClusterStatus::aMasterNamesTheTasksThatANewSessionWaitsFor() {
  ClusterOfTasks cluster({{"ps", 2}, {"worker", 1}});
  QCOMPARE(cluster.start("worker", 0), std::string());
  QCOMPARE(cluster.start("ps", 0), std::string());
  SessionOptions options;
  options.operationTimeoutMs = 20000;
  std::thread waits([&] { (void)cluster.session(kBlocked, "worker", 0, options); });
  auto watch = ClusterWatch::start(cluster.target("worker"));
  const bool named = watch.ok() && waitFor(**watch, kWorkerTask, [](const TaskStatus& task) {
                       return task.report && task.report->missing.size() == 1 && task.report->missing[0].first == "/job:ps/replica:0/task:1";
                     });
  options.connecting.cancel();
  waits.join();
  QVERIFY(named);
}

void TestClusterStatus::bothNamesOfThisMachineAreOneTask() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  std::string numbers = cluster.target("worker");
  numbers.replace(numbers.find("localhost"), 9, "127.0.0.1");
  auto watch = ClusterWatch::start(numbers);
  VERIFY_OK(watch);
  QCOMPARE(look(**watch).tasks.size(), size_t(1));
}

void TestClusterStatus::aTaskWithAnotherNameIsAProblem() {
  ClusterOfTasks cluster({{"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto watch = ClusterWatch::start(cluster.target("worker"), {{"chief", {{0, cluster.addresses["worker"][0]}}}});
  VERIFY_OK(watch);
  const ClusterStatus status = look(**watch);
  QCOMPARE(status.tasks[0].problem, std::string("it answers as /job:worker/replica:0/task:0, expected /job:chief/replica:0/task:0"));
}

void TestClusterStatus::tasksOfTensorFlowAreListed() {
  PlainTask task("/job:worker/replica:0/task:0/device:CPU:0", "/job:ps/replica:0/task:0/device:CPU:0");
  task.complete = false;
  auto watch = ClusterWatch::start("grpc://" + task.address());
  VERIFY_OK(watch);
  ClusterStatus status = look(**watch);
  QCOMPARE(status.tasks.size(), size_t(1));
  QCOMPARE(status.tasks[0].state, State::Answers);
  QVERIFY(!status.tasks[0].report);
  // The master waits for a task: it is asked once, however often one looks.
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  status = look(**watch);
  const bool waits = status.waitsForTasks;
  const int listings = task.listings;
  task.complete = true;
  QVERIFY(waits);
  QCOMPARE(listings, 1);
  QVERIFY(waitFor(**watch, kPsTask, [](const TaskStatus& ps) { return ps.state == State::Listed && ps.address.empty() && ps.devices.size() == 1; }));
  QVERIFY(!look(**watch).waitsForTasks);
}

void TestClusterStatus::aTensorFlowClusterWithKnownAddressesIsAskedTaskByTask() {
  PlainTask worker("/job:worker/replica:0/task:0/device:CPU:0", ""), ps("/job:ps/replica:0/task:0/device:CPU:0", "");
  auto watch = ClusterWatch::start("grpc://" + worker.address(), {{"worker", {{0, worker.address()}}}, {"ps", {{0, ps.address()}}}});
  VERIFY_OK(watch);
  ClusterStatus status = look(**watch);
  QCOMPARE(status.tasks.size(), size_t(2));
  for (const TaskStatus& task : status.tasks) QCOMPARE(task.state, State::Answers);
  ps.server.reset();
  status = look(**watch, 300);
  QCOMPARE(find(status, kPsTask)->state, State::Silent);
  QCOMPARE(worker.listings.load(), 0);
}

void TestClusterStatus::anEndedLookIsShort() {
  auto watch = ClusterWatch::start("grpc://localhost:1");
  VERIFY_OK(watch);
  const CancellationToken token;
  std::thread later([token] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    token.cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  const ClusterStatus status = (*watch)->look(20000, token);
  later.join();
  QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  QCOMPARE(status.tasks.size(), size_t(1));
  QCOMPARE(status.tasks[0].state, State::Silent);
}

void TestClusterStatus::otherTargetsAreRefused() {
  for (const char* target : {"", "localhost:2222", "grpc://"}) QCOMPARE(ClusterWatch::start(target).error().code, Code::InvalidArgument);
}

QTEST_GUILESS_MAIN(TestClusterStatus)
#include "tst_cluster_status.moc"
