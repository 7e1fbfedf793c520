// Trainings on a TensorFlow server, by mouse and keys: the server is chosen in the run bar, runs in this process and listens on a free port.
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <cmath>

#include "adapters/training_server.h"
#include "cluster/cluster_of_tasks.h"
#include "document/document.h"
#include "document/log.h"
#include "document/profile_store.h"
#include "document/recent_servers.h"
#include "document/summaries.h"
#include "main_window/run_progress.h"
#include "plot/series_store.h"
#include "shell/action_registry.h"
#include "timeline/timeline_data.h"
#include "window_fixture.h"

using namespace weft::app;
using State = RunController::State;

namespace {

constexpr int kWait = 60000;
const QString kMenuEntry = QStringLiteral("TensorFlow ser&ver…");

}  // namespace

class ServersTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    openTemplate();
  }
  void cleanup() {
    stopAndClose();
    cluster_.reset();
  }

  void addressesAreChecked_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("target");
    QTest::newRow("host and port") << "localhost:2222"
                                   << "grpc://localhost:2222";
    QTest::newRow("a target") << " grpc://trainer-1.lab:80 "
                              << "grpc://trainer-1.lab:80";
    QTest::newRow("IPv4") << "10.0.0.7:2222"
                          << "grpc://10.0.0.7:2222";
    QTest::newRow("IPv6") << "[::1]:2222"
                          << "grpc://[::1]:2222";
    QTest::newRow("no port") << "localhost"
                             << "";
    QTest::newRow("port 0") << "localhost:0"
                            << "";
    QTest::newRow("a port that is too high") << "localhost:65536"
                                             << "";
    QTest::newRow("another protocol") << "http://localhost:80"
                                      << "";
    QTest::newRow("a path") << "localhost:80/x"
                            << "";
    QTest::newRow("nothing") << ""
                             << "";
  }
  void addressesAreChecked() {
    QFETCH(QString, typed);
    QFETCH(QString, target);
    QCOMPARE(serverTarget(typed), target);
    if (!target.isEmpty()) QCOMPARE(serverTarget(serverAddress(target)), target);
  }

  void theDigitsTrainOnAServerThatWasChosenInTheMenu() {
    startCluster({{"local", 1}});
    choose(kMenuEntry);
    QTRY_VERIFY(dialog());
    // Only an address can be used.
    type("nonsense");
    QVERIFY(!button("server_use")->isEnabled() && !button("server_check")->isEnabled());
    QVERIFY(message()->text().contains(QLatin1String("host:port")));
    type(address());
    QVERIFY(button("server_use")->isEnabled());
    QTest::mouseClick(button("server_check"), Qt::LeftButton);
    auto* devices = dialog()->findChild<QListWidget*>("server_devices");
    QTRY_VERIFY2_WITH_TIMEOUT(devices->count() > 0, qPrintable(message()->text()), kWait);
    QCOMPARE(devices->item(0)->text(), QStringLiteral("/job:local/replica:0/task:0/device:CPU:0"));
    QVERIFY2(message()->text().contains(QLatin1String("1 device")), qPrintable(message()->text()));
    QTest::keyClick(dialog()->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_VERIFY(!dialog());
    QTRY_VERIFY2(device()->text().startsWith(address()), qPrintable(device()->text()));
    QVERIFY(device()->toolTip().contains(QLatin1String("grpc://") + address()));
    QVERIFY(entries().contains(address() + u'*'));
    QCOMPARE(recentServers(window_->workspace().settings()), QStringList{address()});

    QVERIFY(run("run.train", {"--steps", "40"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, kWait);
    const RunRecord& record = *runs().currentRun();
    QCOMPARE(record.error, QString());
    QCOMPARE(serverOf(record), address());
    QCOMPARE(record.checkpoints.size(), 1);
    QVERIFY(QFile::exists(record.checkpoints.last().prefix + ".index"));
    const SummaryRun* curves = window_->workspace().summaries().runOf(record.folder);
    QVERIFY(curves);
    const auto loss = curves->scalars.find("loss");
    QVERIFY(loss != curves->scalars.end());
    QCOMPARE(loss->second->size(), 40);
    QVERIFY(runs().progress().loss < 2.5 && runs().progress().loss > 0);
    QVERIFY(runs().progress().hasTestAccuracy);

    // Back to this machine.
    choose(QStringLiteral("CPU · 1 thread"));
    QTRY_VERIFY2(device()->text().startsWith(QStringLiteral("CPU · 1 thread")), qPrintable(device()->text()));
    QVERIFY(entries().contains(address()));
    choose(address());
    QTRY_VERIFY(device()->text().startsWith(address()));
  }

  void pauseStepAndLiveValuesWork() {
    startCluster({{"local", 1}});
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("run.step"));
    QTRY_VERIFY_WITH_TIMEOUT(runs().state() == State::Paused && runs().progress().step == 1, kWait);
    QVERIFY(run("run.set-live", {"Learning rate", "0.001"}));
    QVERIFY(run("run.steps", {"5"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step == 6 && !runs().isComputing(), kWait);
    // Stopped at once: a fast server would do the document's few hundred steps between two looks.
    QVERIFY(run("run.train"));
    QVERIFY(run("run.stop"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Stopped, kWait);
    const qint64 stopped = runs().progress().step;
    QVERIFY(stopped >= 6);
    QVERIFY(run("run.go-back", {QString::number(stopped)}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().state() == State::Paused && runs().waitsFor().isEmpty(), kWait);
    QVERIFY(run("run.step"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().progress().step, stopped + 1, kWait);
  }

  void anEditIsAppliedToTheRunningTraining() {
    startCluster({{"local", 1}});
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 10, kWait);
    const qint64 before = runs().progress().step;
    const int first = runs().currentRun()->number;
    QVERIFY(run("run.apply"));
    QTRY_VERIFY_WITH_TIMEOUT(runs().currentRun()->number > first && runs().progress().step > before, kWait);
    QVERIFY(runs().lastError().isEmpty());
  }

  void aServerThatDoesNotAnswerIsSaidSo() {
    const QString dead = QStringLiteral("localhost:%1").arg(weft::freePorts(1).at(0));
    QVERIFY(run("run.choose-server"));
    QTRY_VERIFY(dialog());
    type(dead);
    QTest::mouseClick(button("server_check"), Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(message()->text().contains(QLatin1String("did not answer")), qPrintable(message()->text()), kWait);
    QVERIFY(message()->text().contains(dead));
    // Another address ends a check.
    QTest::mouseClick(button("server_check"), Qt::LeftButton);
    type("localhost:1");
    QTRY_VERIFY(window_->workspace().tasks().isEmpty());
    QTest::keyClick(dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!dialog());
    QVERIFY(runs().nextRun(window_->workspace().current()).set.isEmpty());

    // A training waits until it is stopped.
    QVERIFY(run("run.choose-server", {dead}));
    QVERIFY(run("run.train", {"--steps", "5"}));
    QTRY_COMPARE(progress(), QStringLiteral("Waiting for %1…").arg(dead));
    QTest::qWait(500);
    QCOMPARE(runs().state(), State::Running);
    QVERIFY(run("run.stop"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Stopped, 5000);
    QCOMPARE(runs().lastError(), QString());
    QVERIFY(!progress().contains(QLatin1String("Waiting")));
  }

  void watchingForNanIsRefusedInWords() {
    startCluster({{"local", 1}});
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("run.watch-nan", {"on"}));
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 5, kWait);
    QCOMPARE(warningsOf(QStringLiteral("cannot be watched for NaN")), 1);
    const qint64 step = runs().progress().step;
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > step, kWait);
    QVERIFY(run("run.stop"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Stopped, kWait);
  }

  void tracedStepsShowTheDevicesOfTheCluster() {
    startCluster({{"local", 1}});
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("profile.trace", {"--steps", "3"}));
    ProfileStore& store = ProfileStore::of(window_->workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current(), kWait);
    QCOMPARE(store.current()->steps, 3);
    QVERIFY(store.current()->slices > 10);
    QStringList titles;
    for (const auto& track : store.current()->timeline->tracks()) titles << track.title;
    QVERIFY2(titles.filter(QStringLiteral("local:0 CPU:0")).size() > 0, qPrintable(titles.join(u'|')));
    // Nodes of the trace are those of the graph.
    QVERIFY(store.current()->timeOf.size() > 10);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), kWait);
  }

  void aServerThatRestartsEndsTheTrainingWhichCanBeResumed() {
    trainWithCheckpoints();
    cluster_->stop("local", 0);
    QCOMPARE(cluster_->start("local", 0), std::string());
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Failed, kWait);
    QVERIFY2(runs().lastError().contains(address()), qPrintable(runs().lastError()));
    const RunRecord lost = *runs().currentRun();
    const qint64 last = lost.checkpoints.last().step;
    QTRY_VERIFY(shownButton(QStringLiteral("Resume from step %1").arg(last)));
    QTest::mouseClick(shownButton(QStringLiteral("Resume from step %1").arg(last)), Qt::LeftButton);
    // The new run is as long as the document says: it may be over at once, if the lost one had come further.
    QTRY_VERIFY_WITH_TIMEOUT(runs().currentRun()->number > lost.number && (runs().progress().step > last || runs().state() == State::Finished), kWait);
    QVERIFY2(runs().currentRun()->origin.contains(QString::number(last)), qPrintable(runs().currentRun()->origin));
    QVERIFY(runs().lastError().isEmpty());
  }

  void aServerThatIsGoneIsNotWaitedForLongerThanWanted() {
    trainWithCheckpoints();
    cluster_->stop("local", 0);
    QTRY_VERIFY_WITH_TIMEOUT(runs().state() == State::Failed || runs().waitsFor() == address(), kWait);
    if (runs().state() == State::Failed) return;  // it was lost within a step
    QCOMPARE(progress(), QStringLiteral("Waiting for %1…").arg(address()));
    QVERIFY(run("run.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(shownButton("End at once, without a checkpoint"), kWait);
    QTest::mouseClick(shownButton("End at once, without a checkpoint"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Stopped, 10000);
    QCOMPARE(runs().lastError(), QString());
    QVERIFY(!shownButton("End at once, without a checkpoint"));
  }

  void theCommandTakesAnAddressOrOff() {
    const Document* document = window_->workspace().current();
    QVERIFY(run("run.choose-server", {"grpc://trainer:2222"}));
    QCOMPARE(runs().nextRun(document).set.value("device"), QStringLiteral("grpc://trainer:2222"));
    QVERIFY(run("run.choose-server", {"off"}));
    QVERIFY(!runs().nextRun(document).set.contains("device"));
    const CommandResult refused = window_->actionRegistry().run(QStringLiteral("run.choose-server"), {"trainer"});
    QVERIFY(!refused.ok && refused.message.contains(QLatin1String("trainer")));
    // The five used last, newest first.
    for (int port = 1; port <= 7; ++port) QVERIFY(run("run.choose-server", {QStringLiteral("trainer:%1").arg(port)}));
    QCOMPARE(recentServers(window_->workspace().settings()), QStringList({"trainer:7", "trainer:6", "trainer:5", "trainer:4", "trainer:3"}));
  }

  void theDialogKeepsItsResultInAnotherLanguage() {
    startCluster({{"ps", 1}, {"local", 2}});
    QVERIFY(run("run.choose-server"));
    QTRY_VERIFY(dialog());
    type(address());
    QTest::mouseClick(button("server_check"), Qt::LeftButton);
    window_->setLanguage("zh_CN");
    QTRY_COMPARE(dialog()->windowTitle(), QStringLiteral("TensorFlow 服务器"));
    auto* devices = dialog()->findChild<QListWidget*>("server_devices");
    QTRY_COMPARE_WITH_TIMEOUT(devices->count(), 3, kWait);
    QTRY_COMPARE(message()->text(), QStringLiteral("%1 已应答：3 个设备").arg(address()));
    window_->setLanguage("en");
    QTRY_COMPARE(message()->text(), QStringLiteral("%1 answered: 3 devices").arg(address()));
    QCOMPARE(devices->count(), 3);
    QTest::keyClick(dialog(), Qt::Key_Escape);
  }

 private:
  RunController& runs() { return window_->workspace().runs(); }
  void startCluster(const std::map<std::string, int>& jobs) {
    cluster_ = std::make_unique<weft::ClusterOfTasks>(jobs);
    QCOMPARE(cluster_->startAll(), std::string());
  }
  /// By number, so that steps go over a connection as to a server of another process.
  QString address() {
    return serverAddress(QString::fromStdString(cluster_->target("local"))).replace(QStringLiteral("localhost"), QStringLiteral("127.0.0.1"));
  }
  QToolButton* device() {
    for (auto* b : window_->findChild<QToolBar*>("run_bar")->findChildren<QToolButton*>())
      if (b->accessibleName() == QLatin1String("Device") && b->menu()) return b;
    return nullptr;
  }
  /// The entries of the device menu; the chosen one is marked with a star.
  QStringList entries() {
    QStringList texts;
    emit device()->menu()->aboutToShow();
    for (const QAction* action : device()->menu()->actions())
      if (!action->isSeparator()) texts << action->text() + (action->isChecked() ? QStringLiteral("*") : QString());
    return texts;
  }
  void choose(const QString& text) {
    device()->menu()->popup(window_->mapToGlobal(QPoint(20, 60)));
    QTRY_VERIFY(device()->menu()->isVisible());
    for (QAction* action : device()->menu()->actions())
      if (action->text() == text) {
        device()->menu()->setActiveAction(action);
        QTest::keyClick(device()->menu(), Qt::Key_Return);
        return;
      }
    QFAIL(qPrintable(text + QStringLiteral(" is not among ") + entries().join(u'|')));
  }
  QDialog* dialog() {
    auto* found = window_->findChild<QDialog*>("server_dialog");
    return found && found->isVisible() ? found : nullptr;
  }
  QLabel* message() { return dialog()->findChild<QLabel*>("server_message"); }
  QPushButton* button(const char* name) { return dialog()->findChild<QPushButton*>(QLatin1String(name)); }
  void type(const QString& text) {
    auto* field = dialog()->findChild<QLineEdit*>("server_address");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
  }
  void trainWithCheckpoints() {
    startCluster({{"local", 1}});
    QVERIFY(run("run.choose-server", {address()}));
    QVERIFY(run("run.train", {"--steps", "1000000", "--set", "checkpoint_every_steps=10"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().currentRun() && runs().currentRun()->checkpoints.size() > 1, kWait);
  }
  QPushButton* shownButton(const QString& text) {
    for (auto* b : window_->findChildren<QPushButton*>())
      if (b->isVisible() && b->text() == text) return b;
    return nullptr;
  }
  QString progress() { return window_->findChild<RunProgressBox*>()->toolTip(); }
  int warningsOf(const QString& text) {
    int count = 0;
    for (const Log::Line& line : window_->workspace().log().lines()) count += line.level == Log::Level::Warning && line.text.contains(text);
    return count;
  }

  std::unique_ptr<weft::ClusterOfTasks> cluster_;
};

QTEST_MAIN(ServersTest)
#include "tst_servers.moc"
