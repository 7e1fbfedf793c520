// The debugger on Weft servers, by keys and commands: two tasks of a cluster run in this process and listen on free ports.
#include <QLabel>

#include "cluster/cluster_of_tasks.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/log.h"
#include "document/run_controller.h"
#include "main_window/run_progress.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

constexpr int kWait = 30000;

/// scale on the ps; y = relu(x * scale) on the worker.
constexpr const char* kTwoTasks = R"(
node { name: "x" op: "Placeholder" device: "/job:worker/task:0" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "scale" op: "VariableV2" device: "/job:ps/task:0" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } } }
node { name: "three" op: "Const" device: "/job:ps/task:0" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 3 } } } }
node { name: "init" op: "Assign" input: "scale" input: "three" device: "/job:ps/task:0" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "scale/read" op: "Identity" input: "scale" device: "/job:ps/task:0" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "product" op: "Mul" input: "x" input: "scale/read" device: "/job:worker/task:0" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "product" device: "/job:worker/task:0" attr { key: "T" value { type: DT_FLOAT } } }
)";

}  // namespace

class ServerDebuggingTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() {
    stopAndClose();
    cluster_.reset();
  }

  void opsOfTwoTasksAreSteppedThrough() {
    openTwoTasks();
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=2"}));
    QTRY_VERIFY2_WITH_TIMEOUT(isAt("scale"), qPrintable(debugger().state().failure), kWait);
    QCOMPARE(debugger().state().task(), QStringLiteral("/job:ps/task:0"));
    step();
    QTRY_VERIFY2_WITH_TIMEOUT(isAt("scale/read"), qPrintable(where()), 8000);
    step();
    QTRY_VERIFY2_WITH_TIMEOUT(isAt("product"), qPrintable(where()), 8000);
    QCOMPARE(debugger().state().task(), QStringLiteral("/job:worker/task:0"));
    QTRY_VERIFY(shows("product on /job:worker/task:0: Stopped after a step"));
    // Values of both tasks.
    QCOMPARE(value("scale/read:0"), QStringLiteral("3"));
    QCOMPARE(value("scale"), QStringLiteral("3"));
    QVERIFY(!debugger().state().whyNotBack.empty());
    step();
    QTRY_VERIFY2_WITH_TIMEOUT(isAt("y"), qPrintable(where()), 8000);
    QCOMPARE(value("product:0"), QStringLiteral("6"));
    QVERIFY(run("debug.set", {"product:0", "-1"}));
    QTRY_VERIFY_WITH_TIMEOUT(!debugger().isBusy(), kWait);
    QCOMPARE(debugger().setError(), QString());
    QCOMPARE(debugger().state().changed(), QStringList{QStringLiteral("product:0")});
    QVERIFY(run("debug.set", {"scale", "5"}));
    QTRY_VERIFY_WITH_TIMEOUT(!debugger().isBusy(), kWait);
    QVERIFY(run("debug.continue"));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    QCOMPARE(debugger().state().failure, QString());
    QCOMPARE(value("y:0"), QStringLiteral("0"));

    // Variables of a server outlive the run, and a later one does not reset them.
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=2"}));
    QTRY_VERIFY_WITH_TIMEOUT(isAt("scale"), kWait);
    QCOMPARE(value("scale"), QStringLiteral("5"));
  }

  void breakpointsAndConditionsCount() {
    openTwoTasks();
    QVERIFY(run("debug.break", {"y", "--if", "mean > 5"}));
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=2"}));
    QTRY_VERIFY_WITH_TIMEOUT(isAt("y"), kWait);
    QCOMPARE(debugger().state().stop.reason, weft::StopReason::Breakpoint);
    QVERIFY(debugger().state().stop.computed);
    QVERIFY(run("debug.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=1"}));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    QCOMPARE(debugger().state().failure, QString());
  }

  void stoppingFreesTheTasks() {
    openTwoTasks();
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=2"}));
    QTRY_VERIFY_WITH_TIMEOUT(isAt("scale"), kWait);
    QVERIFY(run("debug.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    auto session = cluster_->session(kTwoTasks);
    QVERIFY(session.ok());
    const auto y = (*session)->run({{"x:0", weft::Tensor::scalar(2.f)}}, {"y:0"});
    QVERIFY(y.ok());
    QCOMPARE((*y)[0].at<float>(0), 6.f);
  }

  void aTaskThatIsGoneEndsTheRun() {
    openTwoTasks();
    QVERIFY(run("debug.start", {"--fetch", "y:0", "--feed", "x:0=2"}));
    QTRY_VERIFY_WITH_TIMEOUT(isAt("scale"), kWait);
    cluster_->stop("ps", 0);
    step();
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    QVERIFY2(debugger().state().failure.contains(QLatin1String("/job:ps")), qPrintable(debugger().state().failure));
  }

  void aStepOfARunningTrainingIsDebugged() {
    cluster_ = std::make_unique<weft::ClusterOfTasks>(std::map<std::string, int>{{"worker", 1}});
    QCOMPARE(cluster_->startAll(), std::string());
    openTemplate();
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 5, kWait);
    QVERIFY(run("debug.train"));
    QTRY_VERIFY2_WITH_TIMEOUT(debugger().isStopped(), qPrintable(debugger().state().failure), kWait);
    QVERIFY(debugger().holdsTraining());
    QCOMPARE(debugger().state().task(), QStringLiteral("/job:worker/task:0"));
    const qint64 stopped = debugger().state().step;
    QTest::qWait(4000);  // longer than a step may take before the progress says that it waits for the server
    QVERIFY2(!progress().contains(QLatin1String("Waiting")), qPrintable(progress()));
    step();
    QTRY_VERIFY_WITH_TIMEOUT(debugger().isStopped() && debugger().state().stop.index == 1, kWait);
    QVERIFY(run("debug.continue"));
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kWait);
    QCOMPARE(debugger().state().failure, QString());
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), RunController::State::Paused, kWait);
    QTRY_COMPARE_WITH_TIMEOUT(runs().progress().step, stopped, kWait);
  }

 private:
  RunController& runs() { return window_->workspace().runs(); }
  DebugController& debugger() { return window_->workspace().debugger(); }
  QString address() { return QString::fromStdString(cluster_->addresses.at("worker").at(0)); }
  void openTwoTasks() {
    cluster_ = std::make_unique<weft::ClusterOfTasks>(std::map<std::string, int>{{"ps", 1}, {"worker", 1}});
    QCOMPARE(cluster_->startAll(), std::string());
    open(write("two-tasks.pbtxt", kTwoTasks));
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), kWait);
    QVERIFY(run("run.choose-server", {address()}));
  }
  void step() {
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QTRY_VERIFY(window_->actionRegistry().disabledReason(QStringLiteral("debug.step-op")).isEmpty() && window_->isSettled());
    QTest::keyClick(window_.get(), Qt::Key_F10);
  }
  bool isAt(const char* node) { return debugger().isStopped() && debugger().state().node() == QLatin1String(node); }
  /// For messages.
  QString where() {
    return QStringLiteral("%1, phase %2, %3").arg(debugger().state().node()).arg(int(debugger().state().phase)).arg(debugger().state().failure);
  }
  bool hasEnded() { return debugger().state().phase == weft::DebugPhase::Ended; }
  QString value(const char* expression) {
    bool ok = false;
    return debugger().evaluate(QLatin1String(expression), &ok);
  }
  bool shows(const char* text) {
    for (const auto* label : window_->findChildren<QLabel*>())
      if (label->isVisible() && label->text().startsWith(QLatin1String(text))) return true;
    return false;
  }
  QString progress() { return window_->findChild<RunProgressBox*>()->toolTip(); }

  std::unique_ptr<weft::ClusterOfTasks> cluster_;
};

QTEST_MAIN(ServerDebuggingTest)
#include "tst_server_debugging.moc"
