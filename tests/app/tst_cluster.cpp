// The dock of a cluster's tasks, the editor of clusters, and tasks on this machine, by mouse and keys.
#include <signal.h>

#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTableWidget>
#include <QTcpServer>
#include <QTextStream>
#include <QToolButton>
#include <QTreeWidget>
#include <thread>

#include "adapters/graph_contents.h"
#include "adapters/training_server.h"
#include "cluster/cluster_of_tasks.h"
#include "document/document.h"
#include "document/local_cluster.h"
#include "document/recent_servers.h"
#include "main_window/cluster_dialog.h"
#include "shell/action_registry.h"
#include "support/cluster_spec.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::ClusterJobs;

namespace {

constexpr int kLong = 60000;
const ClusterJobs kThree = {{"ps", {{0, "ps.lab:2222"}}}, {"worker", {{0, "a.lab:2222"}, {1, "localhost:2223"}}}};

QString textOf(const std::string& s) { return QString::fromStdString(s); }

/// `sum` on the worker needs `get` on the ps, which waits for an element that never comes.
const std::string kBlockedStep =
    "node { name: 'q' op: 'FIFOQueueV2' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shared_name' value { s: 'tokens' } } }"
    "node { name: 'get' op: 'QueueDequeueV2' input: 'q' device: '/job:ps/task:0' attr { key: 'component_types' value { list { type: DT_FLOAT } } } }"
    "node { name: 'sum' op: 'Add' input: 'get' input: 'get' device: '/job:worker/task:0' attr { key: 'T' value { type: DT_FLOAT } } }";

/// A training for a supervised session.
const QByteArray kSupervised =
    "graph_def { versions { producer: 134 }"
    " node { name: 'w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { } } } }"
    " node { name: 'rate' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"
    " node { name: 'w/Assign' op: 'Assign' input: 'w' input: 'rate' attr { key: 'T' value { type: DT_FLOAT } } }"
    " node { name: 'update' op: 'ApplyGradientDescent' input: 'w' input: 'rate' input: 'rate' attr { key: 'T' value { type: DT_FLOAT } } }"
    " node { name: 'train' op: 'NoOp' input: '^update' } node { name: 'init' op: 'NoOp' input: '^w/Assign' }%1 }"
    " collection_def { key: 'train_op' value { node_list { value: 'train' } } } collection_def { key: 'init_op' value { node_list { value: 'init' } } }";
const QByteArray kTokenQueue =
    " node { name: 'sync_token_q' op: 'FIFOQueueV2' attr { key: 'component_types' value { list { type: DT_FLOAT } } } attr { key: 'shared_name' value { s: 'sync_token_q' } } }"
    " node { name: 'go_on' op: 'QueueEnqueueV2' input: 'sync_token_q' input: 'rate' input: '^update' attr { key: 'Tcomponents' value { list { type: DT_FLOAT } } } }";

/// Holds local tasks until it is killed: what tst_app_cluster does when it is started with --hold.
int hold(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  LocalCluster cluster;
  QTextStream out(stdout);
  if (const QString error = cluster.start({{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}}}}); !error.isEmpty()) {
    out << error << Qt::endl;
    return 1;
  }
  QObject::connect(&cluster, &LocalCluster::changed, &app, [&] {
    QStringList pids;
    for (const LocalCluster::Task& task : cluster.tasks())
      if (task.state == LocalCluster::State::Running) pids << QString::number(task.pid);
    if (pids.size() == 2) out << pids.join(u'\n') << Qt::endl;
  });
  return app.exec();
}

}  // namespace

class ClusterTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void textsStartTheTasks() {
    const auto config = weft::readTfConfig(weft::tfConfig(kThree, "worker", 1));
    QVERIFY(config.ok());
    QCOMPARE(config->cluster, kThree);
    QCOMPARE(config->job, std::string("worker"));
    QCOMPARE(config->task.value_or(-1), 1);
    QCOMPARE(textOf(weft::serverLine(kThree, "worker", 1, {})),
             QStringLiteral("weft server --cluster ps=ps.lab:2222 --cluster worker=a.lab:2222,localhost:2223 --job worker --task 1"));
    const QString ssh = textOf(weft::sshLines(kThree));
    QVERIFY2(ssh.contains(QLatin1String(
                 "\nssh ps.lab 'weft server --cluster ps=ps.lab:2222 --cluster worker=a.lab:2222,localhost:2223 --job ps --task 0 --listen 0.0.0.0' &\n")),
             qPrintable(ssh));
    QVERIFY2(ssh.contains(QLatin1String("\nweft server --cluster ps=ps.lab:2222 --cluster worker=a.lab:2222,localhost:2223 --job worker --task 1 &\n")),
             qPrintable(ssh));
    const QString manifest = textOf(weft::kubernetesManifest(kThree, "My net", "lab/weft:1"));
    QCOMPARE(manifest.count(QLatin1String("kind: Service\n")), 2);
    QCOMPARE(manifest.count(QLatin1String("kind: StatefulSet\n")), 2);
    QVERIFY2(manifest.contains(QLatin1String("replicas: 2\n")) && manifest.contains(QLatin1String("image: \"lab/weft:1\"\n")), qPrintable(manifest));
    QVERIFY2(manifest.contains(
                 QLatin1String("--cluster worker=my-net-worker-0.my-net-worker:2222,my-net-worker-1.my-net-worker:2222 --job ps --task ${HOSTNAME##*-}")),
             qPrintable(manifest));
  }

  void tasksWithGapsAreWrittenAsTfConfig() {
    const ClusterJobs gaps = {{"worker", {{0, "a:1"}, {2, "b:1"}}}};
    QCOMPARE(textOf(weft::clusterJson(gaps)), QStringLiteral("{\"worker\":{\"0\":\"a:1\",\"2\":\"b:1\"}}"));
    QVERIFY(weft::serverLine(gaps, "worker", 2, {}).starts_with("TF_CONFIG='{"));
    const auto read = weft::readClusterJson(weft::clusterJson(gaps));
    QVERIFY(read.ok());
    QCOMPARE(*read, gaps);
  }

  void wrongClustersAreRefused_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("says");
    QTest::newRow("no port") << R"({"ps": ["host"]})"
                             << "host:port";
    QTest::newRow("port 0") << R"({"ps": ["host:0"]})"
                            << "expected a port from 1 to 65535";
    QTest::newRow("the same address") << R"({"ps": ["localhost:1"], "worker": ["127.0.0.1:1"]})"
                                      << "ps:0 and worker:0 have the same address";
    QTest::newRow("a name") << R"({"my job": ["host:1"]})"
                            << "\"my job\" is no job's name";
    QTest::newRow("a shell's characters") << R"({"ps": ["host;reboot:1"]})"
                                          << "expected \"host:port\"";
  }
  void wrongClustersAreRefused() {
    QFETCH(QString, json);
    QFETCH(QString, says);
    const auto jobs = weft::readClusterJson(json.toStdString());
    const QString why = textOf(jobs.ok() ? weft::checkCluster(*jobs).error().message : jobs.error().message);
    QVERIFY2(why.contains(says), qPrintable(why));
  }

  void theEmptyDockLeadsToTheEditor() {
    QVERIFY(run("view.show", {"cluster"}));
    QTRY_VERIFY(dock()->isVisible());
    QCOMPARE(tree()->isVisible(), false);
    QPushButton* button = nullptr;
    for (QPushButton* b : dock()->findChildren<QPushButton*>())
      if (b->isVisible() && b->property("kind") != QStringLiteral("flat")) button = b;
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(dialog());
  }

  void theEditorSaysWhatIsWrong() {
    edit();
    QCOMPARE(table()->rowCount(), 3);
    type(1, 2, "nonsense");
    QVERIFY2(message().contains(QLatin1String("expected \"host:port\"")), qPrintable(message()));
    QVERIFY(!child<QPushButton>("cluster_start")->isEnabled() && !child<QPushButton>("cluster_copy")->isEnabled());
    QVERIFY(dialog()->cluster().empty());
    type(1, 2, "trainer:2230");
    QCOMPARE(message(), QStringLiteral("3 tasks"));
    QVERIFY(child<QPushButton>("cluster_start")->isEnabled());
    // A task that moves to another job takes its next number.
    type(1, 0, "ps");
    QCOMPARE(table()->item(1, 1)->text(), QStringLiteral("1"));
    QTest::mouseClick(child<QPushButton>("cluster_add"), Qt::LeftButton);
    QCOMPARE(table()->rowCount(), 4);
    QCOMPARE(table()->item(3, 0)->text(), QStringLiteral("ps"));
    QCOMPARE(table()->item(3, 1)->text(), QStringLiteral("2"));
    QCOMPARE(table()->item(3, 2)->text(), QStringLiteral("trainer:2231"));
    QTest::mouseClick(child<QPushButton>("cluster_remove"), Qt::LeftButton);
    QCOMPARE(table()->rowCount(), 3);
    for (int row = 2; row >= 0; --row) {
      table()->selectRow(row);
      QTest::mouseClick(child<QPushButton>("cluster_remove"), Qt::LeftButton);
    }
    QCOMPARE(message(), QStringLiteral("the cluster has no task"));
  }

  void aPastedTfConfigIsRead() {
    edit();
    QGuiApplication::clipboard()->setText("export TF_CONFIG='" + textOf(weft::tfConfig(kThree, "ps", 0)) + "'\n");
    QTest::mouseClick(child<QPushButton>("cluster_paste"), Qt::LeftButton);
    QCOMPARE(dialog()->cluster(), kThree);
    QVERIFY(child<QComboBox>("cluster_server")->currentText().startsWith(QLatin1String("worker:0")));
    QGuiApplication::clipboard()->setText("--cluster chief=c:1 --cluster worker=d:1,e:1");
    QTest::mouseClick(child<QPushButton>("cluster_paste"), Qt::LeftButton);
    QCOMPARE(dialog()->cluster().size(), size_t(2));
    QVERIFY(child<QComboBox>("cluster_server")->currentText().startsWith(QLatin1String("chief:0")));
    QGuiApplication::clipboard()->setText("{\"cluster\": {\"ps\": 3}}");
    QTest::mouseClick(child<QPushButton>("cluster_paste"), Qt::LeftButton);
    QVERIFY2(message().contains(QLatin1String("the tasks of job ps are 3")), qPrintable(message()));
    QCOMPARE(dialog()->cluster().size(), size_t(2));  // as before
  }

  void textsAreCopiedAndTheClusterIsRemembered() {
    edit();
    dialog()->setCluster(kThree);
    for (int kind = 0; kind < child<QComboBox>("cluster_kind")->count(); ++kind) {
      child<QComboBox>("cluster_kind")->setCurrentIndex(kind);
      QTest::mouseClick(child<QPushButton>("cluster_copy"), Qt::LeftButton);
      const QString copied = QGuiApplication::clipboard()->text();
      QVERIFY(copied.contains(kind == 3 ? QLatin1String("weft-ps-0.weft-ps:2222") : QLatin1String("ps.lab:2222")));
      QCOMPARE(copied, child<QPlainTextEdit>("cluster_text")->toPlainText());
    }
    QTest::keyClick(dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!dialog());
    QCOMPARE(lastCluster(window_->workspace().settings()), kThree);
    edit();
    QCOMPARE(dialog()->cluster(), kThree);
  }

  void localTasksTrainAndStop() {
    openTemplate();
    edit();
    QTest::mouseClick(child<QPushButton>("cluster_start"), Qt::LeftButton);
    QTRY_VERIFY(!dialog());
    QTRY_VERIFY(dock()->isVisible());
    LocalCluster& local = window_->workspace().localCluster();
    QCOMPARE(local.tasks().size(), 3);
    const QString server = usualMaster(local.addresses());
    QCOMPARE(serverAddress(runs().nextRun(window_->workspace().current()).set.value("device")), server);
    QVERIFY(recentServers(window_->workspace().settings()).isEmpty());  // its port is another one next time
    for (const char* name : {"ps:0", "worker:0", "worker:1"}) {
      QTRY_VERIFY2_WITH_TIMEOUT(row(name), name, kLong);
      QTRY_COMPARE_WITH_TIMEOUT(row(name)->text(1), QStringLiteral("answers"), kLong);
      QVERIFY2(row(name)->text(3).contains(QLatin1String("MB")), qPrintable(row(name)->text(3)));
    }
    QTRY_COMPARE(verdict(), QStringLiteral("3 tasks, all well."));
    // The output of the chosen task.
    tree()->setCurrentItem(row("ps:0"));
    auto* output = dock()->findChild<QPlainTextEdit*>("cluster_output");
    QTRY_VERIFY2(output->isVisible() && output->toPlainText().contains(QLatin1String("/job:ps/task:0 grpc://localhost:")), qPrintable(output->toPlainText()));

    QVERIFY(run("run.train", {"--steps", "20"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), RunController::State::Finished, kLong);
    QCOMPARE(runs().currentRun()->error, QString());
    QVERIFY(run("view.show", {"cluster"}));  // the curves came to the front
    QTRY_VERIFY2_WITH_TIMEOUT(row("worker:0")->text(4).remove(u',').toInt() >= 20, qPrintable(row("worker:0")->text(4)), kLong);

    // One task goes, and comes back.
    local.stopTask("ps:0");
    QTRY_COMPARE_WITH_TIMEOUT(row("ps:0")->text(1), QStringLiteral("stopped"), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(verdict(), QStringLiteral("No answer from ps:0."), kLong);
    QCOMPARE(local.restartTask("worker:0"), QStringLiteral("worker:0 is running."));
    QCOMPARE(local.restartTask("ps:0"), QString());
    QTRY_VERIFY2_WITH_TIMEOUT(row("ps:0")->text(1).startsWith(QLatin1String("answers; restarted")), qPrintable(row("ps:0")->text(1)), kLong);
    QTRY_VERIFY2(verdict().startsWith(QLatin1String("ps:0 restarted")), qPrintable(verdict()));

    QTest::mouseClick(dock()->findChild<QPushButton*>("cluster_stop"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!local.isRunning(), kLong);
    QCOMPARE(runs().nextRun(window_->workspace().current()).set.value("device"), QString());
    QTRY_VERIFY(!dock()->findChild<QPushButton*>("cluster_stop")->isVisible());
  }

  void theDockNamesWhoWaitsForWhom() {
    weft::ClusterOfTasks cluster({{"ps", 1}, {"worker", 1}});
    QCOMPARE(cluster.startAll(), std::string());
    auto session = cluster.session(kBlockedStep);
    VERIFY_OK(session);
    weft::RunOptions options;
    std::thread waits([&] { (void)(*session)->run({}, {"sum:0"}, {}, options); });
    openTemplate();
    QVERIFY(run("run.choose-server", {textOf(cluster.addresses["worker"][0])}));
    QVERIFY(run("view.show", {"cluster"}));
    const auto told = [&] { return verdict().startsWith(QLatin1String("worker:0 has waited")); };
    const bool seen = QTest::qWaitFor(told, kLong);
    const QString sentence = verdict(), worker = row("worker:0") ? row("worker:0")->text(2) : QString(), ps = row("ps:0") ? row("ps:0")->text(2) : QString();
    const QString detail = row("worker:0") && row("worker:0")->childCount() == 1 ? row("worker:0")->child(0)->text(0) : QString();
    options.cancellation.cancel();
    waits.join();
    QVERIFY2(seen, qPrintable(sentence));
    QVERIFY2(sentence.endsWith(QLatin1String("for ps:0, which waits for an element of the queue tokens.")), qPrintable(sentence));
    QVERIFY2(worker.startsWith(QLatin1String("ps:0 (")), qPrintable(worker));
    QCOMPARE(ps, QStringLiteral("an element of tokens"));
    QVERIFY2(detail.contains(QLatin1String("get")) && detail.contains(QLatin1String("of ps:0")), qPrintable(detail));
    QTRY_COMPARE_WITH_TIMEOUT(verdict(), QStringLiteral("2 tasks, all well."), kLong);
  }

  void aHiddenDockConnectsToNothing() {
    QTcpServer server;  // takes connections and says nothing
    QVERIFY(server.listen(QHostAddress::LocalHost));
    openTemplate();
    QVERIFY(run("run.choose-server", {QStringLiteral("localhost:%1").arg(server.serverPort())}));
    QTest::qWait(1500);
    QVERIFY(!server.hasPendingConnections());
    QVERIFY(run("view.show", {"cluster"}));
    QTRY_VERIFY_WITH_TIMEOUT(server.hasPendingConnections(), kLong);
    QTRY_VERIFY2_WITH_TIMEOUT(verdict().startsWith(QLatin1String("No answer from localhost:")), qPrintable(verdict()), kLong);
    window_->showView("cluster", false);
  }

  void aServerWithoutAnOpenDocumentIsNotChosen() {
    edit();
    QTest::mouseClick(child<QPushButton>("cluster_use"), Qt::LeftButton);
    QVERIFY2(message().startsWith(QLatin1String("Open a graph first")), qPrintable(message()));
    QVERIFY(dialog());
  }

  void aSupervisedTrainingWithoutStepGetsOne() {
    open(write("supervised.pbtxt", QByteArray(kSupervised).replace("%1", "")));
    QVERIFY(!problem("sync-replicas"));
    const Problem* missing = problem("no-global-step");
    QVERIFY(missing);
    QCOMPARE(missing->node, QStringLiteral("train"));
    QCOMPARE(missing->fixCommands, (QVector<QStringList>{{"graph.add-global-step", "train"}}));
    QVERIFY(run("graph.add-global-step", {"train"}));
    QTRY_VERIFY(!window_->workspace().isBusy() && !problem("no-global-step"));
    QVERIFY(!problem("global-step"));  // the training op increments it
    // The same for an op that is the update itself.
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY(problem("no-global-step"));
    QVERIFY(run("graph.add-global-step", {"update"}));
    QTRY_VERIFY(!window_->workspace().isBusy() && !problem("no-global-step"));
    QVERIFY(!problem("cycle"));
  }

  void replicasThatWaitForEachOtherAreExplained() {
    open(write("sync.pbtxt", QByteArray(kSupervised).replace("%1", kTokenQueue)));
    const Problem* list = problem("sync-replicas");
    QVERIFY(list);
    QCOMPARE(list->node, QStringLiteral("sync_token_q"));
    QCOMPARE(list->severity, Problem::Severity::Warning);  // there is no step
    QVERIFY2(list->message.contains(QStringLiteral("– There is no global_step")) &&
                 list->message.contains(QStringLiteral("– No op puts the tokens of the first step")) &&
                 list->message.contains(QStringLiteral("– No queue runner of this graph runs the update, go_on")),
             qPrintable(list->message));
    QVERIFY(run("graph.add-global-step", {"train"}));
    QTRY_VERIFY(problem("sync-replicas")->severity == Problem::Severity::Note);
    QVERIFY(problem("sync-replicas")->message.contains(QStringLiteral("✓ There is a global_step.")));
  }

  void tooManyLocalTasksAreRefused() {
    ClusterJobs many;
    for (int i = 0; i < 33; ++i) many["worker"][i] = "host:" + std::to_string(i + 1);
    LocalCluster local;
    QVERIFY2(local.start(many).contains(QLatin1String("33")), qPrintable(local.start(many)));
    QVERIFY(!local.isRunning());
  }

  void localTasksEndWithAKilledWindow() {
    QProcess holder;
    holder.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--hold")});
    QVERIFY(holder.waitForStarted());
    QVector<pid_t> pids;
    while (pids.size() < 2) {
      QVERIFY2(holder.canReadLine() || holder.waitForReadyRead(kLong), qPrintable(holder.errorString()));
      const pid_t pid = pid_t(holder.readLine().trimmed().toLongLong());
      QVERIFY(pid > 1);
      QCOMPARE(::kill(pid, 0), 0);
      pids << pid;
    }
    holder.kill();  // SIGKILL: nothing of its own can run any more
    QVERIFY(holder.waitForFinished());
    for (const pid_t pid : pids) QTRY_VERIFY_WITH_TIMEOUT(isGone(pid), 10000);
  }

 private:
  /// Ended, or a zombie that nobody has asked for.
  static bool isGone(pid_t pid) {
    QFile status(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!status.open(QIODevice::ReadOnly)) return true;
    const QByteArray text = status.readAll();
    return text.mid(text.lastIndexOf(')') + 2).startsWith('Z');
  }
  const Problem* problem(const char* code) {
    for (const Problem& p : window_->workspace().current()->contents()->problems)
      if (p.code == QLatin1String(code)) return &p;
    return nullptr;
  }
  RunController& runs() { return window_->workspace().runs(); }
  QWidget* dock() { return window_->viewWidget("cluster"); }
  QTreeWidget* tree() { return dock()->findChild<QTreeWidget*>("cluster_tasks"); }
  /// The row of a task; its name may be marked as the server's.
  QTreeWidgetItem* row(const QString& name) {
    for (int j = 0; j < tree()->topLevelItemCount(); ++j)
      for (int t = 0; t < tree()->topLevelItem(j)->childCount(); ++t)
        if (tree()->topLevelItem(j)->child(t)->text(0).section(u' ', 0, 0) == name) return tree()->topLevelItem(j)->child(t);
    return nullptr;
  }
  QString verdict() {
    QString text = dock()->findChild<QLabel*>("cluster_verdict")->text();
    return text.startsWith(QLatin1String("<span")) ? text.section(u'>', 1).section(QLatin1String("</span"), 0, 0) : text;
  }
  ClusterDialog* dialog() {
    auto* found = window_->findChild<ClusterDialog*>();
    return found && found->isVisible() ? found : nullptr;
  }
  void edit() {
    QVERIFY(run("cluster.edit"));
    QTRY_VERIFY(dialog());
  }
  QTableWidget* table() { return child<QTableWidget>("cluster_table"); }
  template <typename T>
  T* child(const char* name) {
    return dialog()->findChild<T*>(QLatin1String(name));
  }
  QString message() { return child<QLabel>("cluster_message")->text(); }
  /// Types into a cell as a user does.
  void type(int row, int column, const char* text) {
    const QPoint at = table()->visualItemRect(table()->item(row, column)).center();
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
    auto* field = table()->viewport()->findChild<QLineEdit*>();
    QVERIFY(field);
    field->selectAll();
    QTest::keyClicks(field, QLatin1String(text));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(table()->item(row, column)->text(), QLatin1String(text));
  }
};

int main(int argc, char** argv) {
  if (argc == 2 && qstrcmp(argv[1], "--hold") == 0) return hold(argc, argv);
  QApplication app(argc, argv);
  ClusterTest test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_cluster.moc"
