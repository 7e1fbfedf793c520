#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "cluster/messages.h"
#include "cluster/proto/worker.pb.h"
#include "cluster_of_tasks.h"
#include "rpc/channel.h"
#include "rpc/rpc_server.h"
#include "weft/cond_var.h"
#include "weft/mutex.h"

using namespace weft;
using namespace weft::cluster;
using namespace weft::rpc;

/// Calls between tasks: answers, errors, time limits, cancellation, many at once.
class TestClusterRpc : public QObject {
  Q_OBJECT
 private slots:
  void anAnswerComesBack();
  void anErrorKeepsItsCode();
  void aCallEndsAtItsDeadline();
  void aCallToNobodyEndsAtItsDeadline();
  void aCallerThatGivesUpIsNoticed();
  void startedCallsAnswerLater();
  void blockedHandlersDoNotHoldUpOthers();
  void aPortInUseIsAnError();
  void aServerMayStopWhileCallsWait();
  void manyThreadsShareAConnection();
  void aServerThatComesBackIsFound();
  void aCallersTimeLimitEndsTheHandlersWait();
  void graphsThatNoStepNeedsAreFreed();
};

namespace {

std::string textOf(const Bytes& buffer) { return buffer.text(); }

/// A server with an echo, a failure, and a method that answers when it is told to or its caller gives up.
struct Fixture {
  Mutex mutex;
  CondVar changed;
  std::vector<std::shared_ptr<RpcCall>> held WEFT_GUARDED_BY(mutex);
  std::atomic<int> cancelled{0}, blocked{0};
  std::atomic<bool> release{false};
  std::unique_ptr<RpcServer> server;
  std::unique_ptr<Channel> channel;

  Fixture() {
    std::vector<RpcMethod> methods;
    methods.push_back({"/test/Echo", false, [](const auto& call) { call->reply(call->request()); }});
    methods.push_back({"/test/Fail", false, [](const auto& call) { call->fail(failedPrecondition("not now: ", std::string(20000, 'x'))); }});
    methods.push_back({"/test/Hold", false, [this](const std::shared_ptr<RpcCall>& call) {
                         call->whenCancelled([this] { ++cancelled; });
                         const MutexLock lock(mutex);
                         held.push_back(call);
                         changed.notify_all();
                       }});
    methods.push_back({"/test/Block", true, [this](const std::shared_ptr<RpcCall>& call) {
                         ++blocked;
                         while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                         call->reply(bufferOf(std::string("done")));
                       }});
    auto started = RpcServer::start("127.0.0.1:0", std::move(methods));
    if (!started.ok()) qFatal("%s", started.error().message.c_str());
    server = std::move(*started);
    channel = std::make_unique<Channel>("127.0.0.1:" + std::to_string(server->port()));
  }
};

}  // namespace

void TestClusterRpc::anAnswerComesBack() {
  Fixture f;
  for (const size_t size : {size_t(0), size_t(5), size_t(20'000'000)}) {
    const std::string text(size, 'q');
    const auto answer = f.channel->call("/test/Echo", bufferOf(std::string(text)), {});
    QVERIFY2(answer.ok(), answer.status().toString().c_str());
    QVERIFY(textOf(*answer) == text);
  }
}

void TestClusterRpc::anErrorKeepsItsCode() {
  Fixture f;
  const auto answer = f.channel->call("/test/Fail", bufferOf(std::string()), {});
  QVERIFY(!answer.ok());
  QCOMPARE(answer.error().code, Code::FailedPrecondition);
  QVERIFY(answer.error().message.starts_with("not now: xxx"));
  QCOMPARE(f.channel->call("/test/Unknown", bufferOf(std::string()), {}).error().code, Code::Unimplemented);
}

void TestClusterRpc::aCallEndsAtItsDeadline() {
  Fixture f;
  const auto begin = std::chrono::steady_clock::now();
  CallLimits limits;
  limits.timeoutMs = 100;
  QCOMPARE(f.channel->call("/test/Hold", bufferOf(std::string()), limits).error().code, Code::DeadlineExceeded);
  QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  QTRY_COMPARE(f.cancelled.load(), 1);
}

void TestClusterRpc::aCallToNobodyEndsAtItsDeadline() {
  Channel nobody("127.0.0.1:1");
  CallLimits limits;
  limits.timeoutMs = 200;
  QCOMPARE(nobody.call("/test/Echo", bufferOf(std::string()), limits).error().code, Code::DeadlineExceeded);
}

void TestClusterRpc::aCallerThatGivesUpIsNoticed() {
  Fixture f;
  std::atomic<bool> stop{false};
  CallLimits limits;
  limits.stopped = [&] { return stop.load(); };
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  QCOMPARE(f.channel->call("/test/Hold", bufferOf(std::string()), limits).error().code, Code::Cancelled);
  later.join();
  QTRY_COMPARE(f.cancelled.load(), 1);
}

void TestClusterRpc::startedCallsAnswerLater() {
  Fixture f;
  std::atomic<int> good{0}, ended{0};
  for (int i = 0; i < 100; ++i)
    f.channel->start("/test/Echo", bufferOf(std::to_string(i)), 0, [&, i](Result<Bytes> r) { good += r.ok() && textOf(*r) == std::to_string(i); });
  QTRY_COMPARE(good.load(), 100);
  const auto cancel = f.channel->start("/test/Hold", bufferOf(std::string()), 0, [&](Result<Bytes> r) { ended = int(r.error().code); });
  cancel();
  QTRY_COMPARE(ended.load(), int(Code::Cancelled));
  cancel();
}

void TestClusterRpc::blockedHandlersDoNotHoldUpOthers() {
  Fixture f;
  std::atomic<int> done{0};
  for (int i = 0; i < 20; ++i) f.channel->start("/test/Block", bufferOf(std::string()), 0, [&](const Result<Bytes>& r) { done += r.ok(); });
  QTRY_COMPARE(f.blocked.load(), 20);
  QVERIFY(f.channel->call("/test/Echo", bufferOf(std::string("x")), {}).ok());
  f.release = true;
  QTRY_COMPARE(done.load(), 20);
}

void TestClusterRpc::aPortInUseIsAnError() {
  Fixture f;
  const auto second = RpcServer::start("127.0.0.1:" + std::to_string(f.server->port()), {});
  QVERIFY(!second.ok());
  QCOMPARE(second.error().code, Code::Unknown);
  QVERIFY(second.error().message.starts_with("Could not start gRPC server"));
}

void TestClusterRpc::aServerMayStopWhileCallsWait() {
  auto f = std::make_unique<Fixture>();
  std::atomic<int> ended{-1};
  f->channel->start("/test/Hold", bufferOf(std::string()), 0, [&](const Result<Bytes>& r) { ended = r.ok() ? 0 : int(r.error().code); });
  QTRY_VERIFY(([&] {
    const MutexLock lock(f->mutex);
    return f->held.size() == 1;
  }()));
  f->server.reset();
  QTRY_VERIFY(ended.load() > 0);
}

void TestClusterRpc::manyThreadsShareAConnection() {
  Fixture f;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        std::string text(i % 50 == 0 ? 300'000 : 100, char('a' + t));
        text += std::to_string(i);
        const auto answer = f.channel->call("/test/Echo", bufferOf(std::string(text)), {});
        good += answer.ok() && answer->text() == text;
        if (i % 20 == 0)
          f.channel->start("/test/Echo", bufferOf(std::string(text)), 60000, [&, text](Result<Bytes> r) { good += r.ok() && r->text() == text; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  QTRY_COMPARE(good.load(), 8 * 210);
}

void TestClusterRpc::aServerThatComesBackIsFound() {
  auto f = std::make_unique<Fixture>();
  const int port = f->server->port();
  QVERIFY(f->channel->call("/test/Echo", bufferOf(std::string("x")), {}).ok());
  f->server.reset();
  std::atomic<int> later{0};
  std::thread back([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    auto again = RpcServer::start("127.0.0.1:" + std::to_string(port), {{"/test/Echo", false, [](const auto& call) { call->reply(call->request()); }}});
    if (again.ok()) f->server = std::move(*again);
  });
  CallLimits limits;
  limits.timeoutMs = 20000;
  f->channel->start("/test/Echo", bufferOf(std::string("y")), 20000, [&](Result<Bytes> r) { later += r.ok(); });
  const auto answer = f->channel->call("/test/Echo", bufferOf(std::string("z")), limits);
  back.join();
  VERIFY_OK(answer);
  QTRY_COMPARE(later.load(), 1);
}

void TestClusterRpc::aCallersTimeLimitEndsTheHandlersWait() {
  Fixture f;
  std::atomic<int> ended{0};
  f.channel->start("/test/Hold", bufferOf(std::string()), 100, [&](Result<Bytes> r) { ended = int(r.error().code); });
  QTRY_COMPARE(ended.load(), int(Code::DeadlineExceeded));
  QTRY_COMPARE(f.cancelled.load(), 1);
}

void TestClusterRpc::graphsThatNoStepNeedsAreFreed() {
  ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
  QCOMPARE(cluster.startAll(), std::string());
  auto session = cluster.session("node { name: 'a' op: 'NoOp' device: '/job:ps/task:0' }");
  VERIFY_OK(session);
  VERIFY_OK((*session)->run({}, {}, {"a"}));
  auto runFirstGraph = [&, step = 0]() mutable -> Status {
    pb::RunGraphRequest request;
    request.set_graph_handle("0000000000000001");
    request.set_step_id(++step);
    CallLimits limits;
    limits.timeoutMs = 10000;
    return Channel::to(cluster.addresses.at("ps").at(0))->call("/tensorflow.WorkerService/RunGraph", bufferOf(request), limits).status();
  };
  VERIFY_OK(runFirstGraph());
  Graph grown = *(*session)->graph();
  Node more;
  more.name = "b";
  more.op = "NoOp";
  VERIFY_OK(grown.add(std::move(more)));
  QVERIFY((*session)->extend(std::move(grown)).ok());
  Status status;
  for (int i = 0; i < 500 && status.ok(); ++i) {  // it is freed in the background
    status = runFirstGraph();
    if (status.ok()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  QCOMPARE(status.code(), Code::Aborted);
  QVERIFY(status.error().message.starts_with("Graph handle is not found: 0000000000000001"));
}

QTEST_GUILESS_MAIN(TestClusterRpc)
#include "tst_cluster_rpc.moc"
