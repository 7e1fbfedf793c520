// A step over several tasks in the window: one timeline with what the tasks sent each other, and the canvas by task. By mouse, with a step that TensorFlow recorded and
// with trainings on two tasks of this process.
#include <QLabel>

#include "adapters/training_server.h"
#include "cluster/cluster_of_tasks.h"
#include "common/elided_label.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "timeline/timeline_view.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::TimelineView;

namespace {

constexpr int kWait = 60000;
const QString kProfiles = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/profiles/");

}  // namespace

class ClusterStepsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    window_->resize(1400, 1300);  // both tasks are in the timeline without scrolling
  }
  void cleanup() {
    stopAndClose();
    cluster_.reset();
  }

  void aRecordedStepIsOneTimelineOverItsTasks() {
    openRecordedStep();
    QStringList titles;
    for (const auto& group : store().current()->timeline->groups()) titles << group.title;
    QCOMPARE(titles, QStringList({"ps:0", "worker:0", "all tasks"}));
    QVERIFY2(store().current()->problems.isEmpty(), qPrintable(store().current()->problems.join(u'\n')));
    QVERIFY(!timeline()->window()->findChild<QLabel*>("trace_title")->text().contains(QStringLiteral("with problems")));
    QCOMPARE(store().current()->transfers.size(), 3);
    QCOMPARE(store().current()->timeline->arrows().size(), size_t(3));
  }

  void aClickOnAnArrowSaysWhatItCarried() {
    openRecordedStep();
    const int arrow = arrowOf(QStringLiteral("gradients/MatMul_grad/MatMul_1"));
    QVERIFY(arrow >= 0);
    const ProfileTransfer& t = store().current()->transfers[arrow];
    timeline()->setRange(t.sentNs - 50000, t.receivedNs + 50000);
    timeline()->grab();
    QVERIFY(clickArrow(arrow));
    QCOMPARE(store().current()->transferOf.value(store().selectedSlice(), -1), arrow);
    const QString said = told()->full();
    for (const char* word : {"MatMul_1", "12 B", "worker:0 CPU:0 → ps:0 CPU:0", "in transit", "waited"})
      QVERIFY2(said.contains(QString::fromUtf8(word)), qPrintable(said));
    // Another slice says nothing of transfers.
    store().selectSlice(store().current()->slicesOf.value(QStringLiteral("Square")).first());
    QVERIFY(told()->full().isEmpty() && !told()->isVisible());
  }

  void theCanvasShowsWhichTaskRanWhat() {
    openRecordedStep();
    QVERIFY(run("graph.color-by", {"device"}));
    QTRY_VERIFY(legend().contains(QStringLiteral("ps:0")) && legend().contains(QStringLiteral("worker:0")));
    const Document& document = *window_->workspace().current();
    const auto& nodes = document.model()->nodes;
    QCOMPARE(nodes[size_t(document.nodeIndex(QStringLiteral("w/read")))].placed, QStringLiteral("/job:ps/replica:0/task:0/device:CPU:0"));
    QCOMPARE(nodes[size_t(document.nodeIndex(QStringLiteral("MatMul")))].placed, QStringLiteral("/job:worker/replica:0/task:0/device:CPU:0"));
    // The optimiser of the server has removed tuple/control_dependency_1, so the gradient counts at the wire from there.
    QCOMPARE(trafficInto(QStringLiteral("GradientDescent/update_w/ApplyGradientDescent")), qint64(12 + 4));
    QCOMPARE(trafficInto(QStringLiteral("MatMul")), qint64(12));
  }

  void requestedTasksAreShownWithoutATrace() {
    open(kProfiles + "cluster_graph.pb");
    const auto& edges = window_->workspace().current()->model()->edges;
    QVERIFY(std::any_of(edges.begin(), edges.end(), [](const auto& e) { return e.crossesTasks; }));
    QVERIFY(std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.traffic < 0; }));
    QVERIFY(run("graph.color-by", {"device"}));
    QTRY_VERIFY(legend().contains(QStringLiteral("ps:0")) && legend().contains(QStringLiteral("worker:0")));
  }

  void anotherTraceTakesThePlacesBack() {
    openRecordedStep();
    QVERIFY(run("profile.open", {kProfiles + "run_metadata.pb"}));
    QTRY_VERIFY_WITH_TIMEOUT(store().current() && store().current()->tasks.isEmpty(), kWait);
    const auto& nodes = window_->workspace().current()->model()->nodes;
    QTRY_VERIFY(std::all_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.placed.isEmpty(); }));
    QVERIFY(store().current()->timeline->groups().isEmpty());
  }

  void aTrainingOnTwoTasksIsTraced() {
    cluster_ = std::make_unique<weft::ClusterOfTasks>(std::map<std::string, int>{{"ps", 1}, {"local", 1}});
    QCOMPARE(cluster_->startAll(), std::string());
    openTemplate();
    Document* document = window_->workspace().current();
    QStringList variables;
    for (const auto& node : document->model()->nodes)
      if (node.op.startsWith(QLatin1String("Variable"))) variables << node.name;
    QVERIFY(variables.size() >= 2);
    for (const QString& name : variables) QVERIFY2(run("graph.set", {name, "device=/job:ps/task:0"}), qPrintable(name));
    QTRY_VERIFY_WITH_TIMEOUT(
        std::all_of(variables.begin(), variables.end(),
                    [&](const QString& name) { return document->model()->nodes[size_t(document->nodeIndex(name))].device == QLatin1String("/job:ps/task:0"); }),
        kWait);
    QVERIFY(run("run.choose-server", {serverAddress(QString::fromStdString(cluster_->target("local")))}));
    QVERIFY(run("profile.trace", {"--steps", "3"}));
    QTRY_VERIFY2_WITH_TIMEOUT(store().current(), qPrintable(store().lastError()), kWait);
    const ProfileContents& profile = *store().current();
    QCOMPARE(profile.steps, 3);
    QVERIFY2(profile.problems.isEmpty(), qPrintable(profile.problems.join(u'\n')));
    QCOMPARE(profile.tasks.size(), 2);
    QCOMPARE(profile.tasks[0].title, QStringLiteral("local:0"));
    for (const ProfileTask& task : profile.tasks) QCOMPARE(task.movedNs, 0);  // of one process
    QVERIFY(profile.transfers.size() >= 3 * variables.size() / 2);
    int whole = 0;
    for (const ProfileTransfer& t : profile.transfers) {
      QVERIFY2(t.bytes >= 0, qPrintable(t.tensor));
      QVERIFY2(t.receivedNs >= t.sentNs && t.sentNs >= 0, qPrintable(t.tensor));
      whole += t.send >= 0 && t.receive >= 0;
    }
    QCOMPARE(whole, int(profile.transfers.size()));
    // The canvas.
    QVERIFY(run("graph.color-by", {"device"}));
    QTRY_VERIFY2(legend().contains(QStringLiteral("ps:0")) && legend().contains(QStringLiteral("local:0")), qPrintable(legend().join(u'|')));
    const auto carries = [&] {
      const auto& edges = document->model()->edges;
      return std::any_of(edges.begin(), edges.end(), [](const auto& e) { return e.crossesTasks && e.traffic > 0; });
    };
    QTRY_VERIFY(carries());
    // An edit keeps it.
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive(), kWait);
    const auto before = document->contents();
    QVERIFY(run("graph.add", {"Relu", "--name", "added"}));
    QTRY_VERIFY(document->contents() != before);
    QTRY_VERIFY(carries());
  }

 private:
  ProfileStore& store() { return ProfileStore::of(window_->workspace()); }
  TimelineView* timeline() { return window_->findChild<TimelineView*>(); }
  weft::widgets::ElidedLabel* told() { return dynamic_cast<weft::widgets::ElidedLabel*>(window_->findChild<QLabel*>("timeline_transfer")); }
  QStringList legend() {
    QStringList labels;
    for (const auto& entry : window_->canvas()->legend()) labels << entry.label;
    return labels;
  }
  void openRecordedStep() {
    open(kProfiles + "cluster_graph.pb");
    QVERIFY(run("layout.use", {"profile"}));
    QVERIFY(run("profile.open", {kProfiles + "cluster_run_metadata.pb"}));
    QTRY_VERIFY_WITH_TIMEOUT(store().current(), kWait);
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty() && window_->isSettled(), kWait);
    QTRY_VERIFY(timeline() && timeline()->isVisible() && timeline()->data() == store().timeline().get());
  }
  int arrowOf(const QString& node) {
    const auto& transfers = store().current()->transfers;
    for (int i = 0; i < transfers.size(); ++i)
      if (transfers[i].node == node) return i;
    return -1;
  }
  /// Where nothing lies over it.
  bool clickArrow(int arrow) {
    const QPoint middle = timeline()->arrowMiddle(arrow).toPoint();
    for (int dy = 0; dy <= 40; dy += 4)
      for (int dx = -40; dx <= 40; dx += 4) {
        const QPoint at = middle + QPoint(dx, dy);
        if (timeline()->arrowAt(at) != arrow) continue;
        store().selectSlice(-1);
        QTest::mouseClick(timeline()->viewport(), Qt::LeftButton, {}, at);
        if (store().current()->transferOf.value(store().selectedSlice(), -1) == arrow) return true;
      }
    return false;
  }
  qint64 trafficInto(const QString& name) {
    const Document& document = *window_->workspace().current();
    qint64 sum = 0;
    for (const auto& e : document.model()->edges)
      if (e.ends.to == document.nodeIndex(name)) sum += std::max<qint64>(0, e.traffic);
    return sum;
  }

  std::unique_ptr<weft::ClusterOfTasks> cluster_;
};

QTEST_MAIN(ClusterStepsTest)
#include "tst_cluster_steps.moc"
