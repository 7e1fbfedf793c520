#include <QTest>

#include "kernel/device.h"
#include "runtime/placement_log.h"
#include "support/graph_text.h"
#include "weft/graph.h"
#include "weft/server.h"

using namespace weft;
using weft::tests::node;

namespace {

Graph graphOf(const std::string& pbtxt) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(pbtxt), "test");
  if (!loaded.ok()) qFatal("%s", loaded.error().toString().c_str());
  return loaded->meta.graph;
}

std::string type(const std::string& key) { return "attr { key: '" + key + "' value { type: DT_FLOAT } } "; }
std::string constant(const std::string& name, const std::string& more = "") {
  return node(name, "Const", {}, type("dtype") + "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } } " + more);
}
std::string counter() {
  return node("v", "VariableV2", {}, type("dtype") + "attr { key: 'shape' value { shape {} } }") + constant("one") +
         node("set", "Assign", {"v", "one"}, type("T")) + node("up", "AssignAdd", {"v", "one"}, type("T"));
}

std::unique_ptr<TaskServer> task(const std::map<std::string, int>& devices = {}) {
  SessionOptions options;
  options.deviceCount = devices;
  auto made = TaskServer::create("/job:worker/replica:0/task:2", options);
  if (!made.ok()) qFatal("%s", made.error().toString().c_str());
  return std::move(*made);
}

std::unique_ptr<Session> sessionIn(TaskServer& server, const std::string& text, SessionOptions options = {}) {
  auto made = server.session(graphOf(text), std::move(options));
  if (!made.ok()) qFatal("%s", made.error().toString().c_str());
  return std::move(*made);
}

float fetched(Session& session, const std::string& name) {
  auto r = session.run({}, {name});
  return r.ok() ? (*r)[0].at<float>(0) : NAN;
}

}  // namespace

/// Sessions of one task, devices of other tasks, and the output of log_device_placement.
class TaskServerTest : public QObject {
  Q_OBJECT

 private slots:
  void sessionsShareVariables() {
    const auto server = task();
    auto a = sessionIn(*server, counter()), b = sessionIn(*server, counter());
    QVERIFY(a->run({}, {}, {"set"}).ok());
    QCOMPARE(fetched(*b, "up:0"), 2.0f);
    QCOMPARE(fetched(*a, "v:0"), 2.0f);
    a.reset();
    QCOMPARE(fetched(*b, "v:0"), 2.0f);
    auto apart = Session::create(graphOf(counter()));
    QVERIFY(apart.ok() && !(*apart)->run({}, {"v:0"}).ok());
  }

  void resetForgets() {
    const auto server = task();
    QVERIFY(sessionIn(*server, counter())->run({}, {}, {"set"}).ok());
    server->reset({"another"});
    QCOMPARE(fetched(*sessionIn(*server, counter()), "v:0"), 1.0f);
    server->reset({});
    const auto r = sessionIn(*server, counter())->run({}, {"v:0"});
    QVERIFY(!r.ok() && r.error().code == Code::FailedPrecondition);
  }

  void devicesAreTheTasks() {
    const auto server = task({{"CPU", 2}, {"GPU", 0}});
    SessionOptions options;
    options.deviceCount["CPU"] = 5;  // the task says which there are
    const std::vector<std::string> want = {"/job:worker/replica:0/task:2/device:CPU:0", "/job:worker/replica:0/task:2/device:CPU:1"};
    QCOMPARE(sessionIn(*server, counter(), options)->devices(), want);
    QCOMPARE(
        fetched(*sessionIn(*server, constant("c", "") + "node { name: 'y' op: 'Identity' input: 'c' device: '/job:worker/task:2/cpu:1' " + type("T") + "}\n"),
                "y:0"),
        1.0f);
  }

  void otherTasksAreRefusedEvenSoftly() {
    const auto server = task();
    const std::string text = constant("c") + "node { name: 'y' op: 'Identity' input: 'c' device: '/job:ps/task:0' " + type("T") + "}\n";
    SessionOptions soft;
    soft.allowSoftPlacement = true;
    const auto r = sessionIn(*server, text, soft)->run({}, {"y:0"});
    QVERIFY(!r.ok() && r.error().code == Code::InvalidArgument);
    QVERIFY(r.error().message.find("/job:ps/task:0") != std::string::npos);
    auto local = Session::create(graphOf(text), soft);
    QVERIFY(local.ok() && !(*local)->run({}, {"y:0"}).ok());
  }

  void namesThatAreNoTask() {
    for (const char* name : {"", "/job:worker", "/job:worker/replica:0/task:0/device:CPU:0", "worker:0"}) {
      const auto made = TaskServer::create(name);
      QVERIFY2(!made.ok() && made.error().code == Code::InvalidArgument, name);
    }
  }

  void processWithoutCpus() {
    SessionOptions none;
    none.deviceCount["CPU"] = 0;
    const auto made = Session::create(graphOf(counter()), none);
    QVERIFY(!made.ok() && made.error().code == Code::NotFound);
    SessionOptions fewer;
    fewer.threads = -1;
    const auto refused = Session::create(graphOf(counter()), fewer);
    QVERIFY(!refused.ok() && refused.error().code == Code::InvalidArgument);
  }

  void placementIsToldInTensorFlowsOrder() {
    const Graph g = graphOf(constant("a") + constant("b") + node("sum", "AddV2", {"a", "b"}, type("T")) +
                            node("v", "VariableV2", {}, type("dtype") + "attr { key: 'shape' value { shape {} } }") + node("wait", "NoOp", {"^sum"}));
    std::vector<Placement> placements;
    for (const char* name : {"a", "b", "sum", "v", "wait"}) placements.push_back({name, "D", ""});
    const std::vector<std::string> want = {"sum: (AddV2): D", "v: (VariableV2): D", "wait: (NoOp): D", "a: (Const): D", "b: (Const): D"};
    QCOMPARE(placementLines(g, placements), want);
    const auto cpu = makeCpuDevice(0);
    Device* const devices[] = {cpu.get()};
    QCOMPARE(deviceMapping(devices), std::vector<std::string>{"Device mapping: no known devices."});
  }

  void stepOfConstantsHasATrace() {
    auto s = Session::create(graphOf(constant("a") + node("sum", "AddV2", {"a", "a"}, type("T"))));
    QVERIFY(s.ok());
    RunOptions options;
    options.trace = true;
    RunReport report;
    QVERIFY((*s)->run({}, {"sum:0"}, {}, options, &report).ok());
    QCOMPARE(report.trace->events.size(), size_t(1));
    QCOMPARE(report.trace->events[0].name, std::string("sum"));
    QVERIFY(report.trace->events[0].endNs > 0);
  }
};

QTEST_APPLESS_MAIN(TaskServerTest)
#include "tst_task_server.moc"
