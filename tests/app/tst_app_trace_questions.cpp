// Questions to a trace in the window, by mouse and keys: two traces compared, idle times in table and timeline, a step with imagined changes; what cannot be answered says why.
#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <cmath>

#include "document/document.h"
#include "document/profile_store.h"
#include "document/trace_questions.h"
#include "main_window/compose_gestures.h"
#include "shell/action_registry.h"
#include "timeline/timeline_view.h"
#include "window_fixture.h"

using namespace weft::app;

class TraceQuestionsTest : public WindowFixture {
  Q_OBJECT

  ProfileStore& store() { return ProfileStore::of(window_->workspace()); }
  TraceQuestions& questions() { return TraceQuestions::of(window_->workspace()); }
  QWidget* dock() { return window_->viewWidget(QStringLiteral("profile")); }
  QJsonObject report() { return QJsonDocument::fromJson(dock()->property("report").toString().toUtf8()).object(); }
  template <typename T>
  T* part(const char* name) {
    return dock()->findChild<T*>(QLatin1String(name));
  }
  void showPage(const QString& title) {
    QVERIFY(run("view.show", {QStringLiteral("profile")}));
    QTabBar* tabs = nullptr;
    for (QTabBar* t : dock()->findChildren<QTabBar*>())
      if (t->accessibleName() == QLatin1String("Tables of the trace")) tabs = t;
    QVERIFY(tabs);
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == title) return QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
    QFAIL(qPrintable(title));
  }
  weft::widgets::TimelineView* timeline() { return window_->viewWidget(QStringLiteral("timeline"))->findChild<weft::widgets::TimelineView*>(); }
  /// A Chrome trace of two threads, of `steps` steps: thread 1 computes a and d, thread 2 computes c, whose input is a. `slow`: a takes so many times longer.
  QString chrome(const QString& name, int steps, double slow, const QByteArray& prefix = "net/") {
    QByteArray out = "[";
    for (int s = 0; s < steps; ++s) {
      const double at = s * 1000, jitter = (s * 7) % 3, a = 100 * slow + jitter;
      const auto slice = [&](const char* node, const char* op, int thread, double start, double duration) {
        out += QByteArray(out.size() > 1 ? "," : "") + "{\"ph\":\"X\",\"cat\":\"Op\",\"name\":\"" + op + "\",\"args\":{\"name\":\"" + prefix + node +
               "\",\"op\":\"" + op + "\",\"step\":" + QByteArray::number(s + 1) + "},\"pid\":1,\"tid\":" + QByteArray::number(thread) +
               ",\"ts\":" + QByteArray::number(at + start) + ",\"dur\":" + QByteArray::number(duration) + "}";
      };
      slice("a", "MatMul", 1, 0, a);
      slice("c", "Relu", 2, a + 5, 50 + jitter);
      slice("d", "Tanh", 1, a + 70, 20);
    }
    return write(name, out + "]");
  }
  void traced(int steps = 10) {
    openTemplate();
    QVERIFY(run("profile.trace", {QStringLiteral("--steps"), QString::number(steps)}));
    QTRY_VERIFY_WITH_TIMEOUT(store().current() && !store().isBusy() && !window_->workspace().runs().isActive(), 60000);
    QVERIFY(run("layout.use", {QStringLiteral("profile")}));
  }
  static void clickRow(QTreeView* view, int row) {
    const QModelIndex index = view->model()->index(row, 0);
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void nothingTraced() {
    openTemplate();
    for (const char* id : {"profile.compare", "profile.compare-earlier", "profile.compare-clear", "profile.color-difference", "profile.find-idle",
                           "profile.idle-times", "profile.show-idle", "profile.what-if"})
      QVERIFY2(!run(id), id);
    QCOMPARE(window_->actionRegistry().disabledReason(QStringLiteral("profile.what-if")), QStringLiteral("There is no trace yet: record or open one."));
  }

  void twoTracesOfADocument() {
    traced();
    const ProfilePtr before = store().current();
    showPage(QStringLiteral("Compare"));
    QVERIFY(!run("profile.compare-earlier"));  // there is none yet
    QVERIFY(run("profile.trace", {QStringLiteral("--steps"), QStringLiteral("10")}));
    QTRY_VERIFY_WITH_TIMEOUT(store().current() != before && !store().isBusy() && !window_->workspace().runs().isActive(), 60000);
    QCOMPARE(questions().earlier().size(), 1);
    showPage(QStringLiteral("Compare"));
    QTRY_VERIFY(named(QStringLiteral("Compare with the trace before")));
    QTest::mouseClick(named(QStringLiteral("Compare with the trace before")), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(store().comparison(), 30000);
    const TraceComparison& c = *store().comparison();
    QCOMPARE(c.beforeOnly + c.afterOnly, 0);
    QVERIFY(c.matched > 10);
    QVERIFY(c.step.hasInterval());
    auto* view = part<QTreeView>("comparison");
    QTRY_VERIFY(view->isVisible());
    QCOMPARE(view->model()->rowCount(), int(c.lines[size_t(DifferenceKey::Op)].size()));
    // By node: a click selects the node on the canvas, and a selected node its row.
    QVERIFY(run("panels.option", {QStringLiteral("profile"), QStringLiteral("by"), QStringLiteral("node")}));
    QCOMPARE(view->model()->rowCount(), int(c.lines[size_t(DifferenceKey::Node)].size()));
    QLineEdit* filter = nullptr;
    for (QLineEdit* e : dock()->findChildren<QLineEdit*>())
      if (e->accessibleName() == QLatin1String("Filter the changes")) filter = e;
    QTest::mouseClick(filter, Qt::LeftButton);
    QTest::keyClicks(filter, QStringLiteral("MatMul"));
    QVERIFY(view->model()->rowCount() > 0 && view->model()->rowCount() < int(c.lines[size_t(DifferenceKey::Node)].size()));
    clickRow(view, 0);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{view->model()->index(0, 0).data().toString()});
    const QString second = view->model()->index(1, 0).data().toString();
    window_->canvas()->selectNames({second});
    QTRY_COMPARE(view->currentIndex().row(), 1);
    // Colours of canvas and timeline.
    QTest::mouseClick(part<QToolButton>("compare_canvas"), Qt::LeftButton);
    const auto* gestures = window_->canvas()->findChild<ComposeGestures*>();
    QCOMPARE(gestures->colorMode(), QStringLiteral("difference"));
    QVERIFY(window_->workspace().current()->model()->signedHeat);
    QCOMPARE(gestures->legendText(QStringLiteral("0.5")), QStringLiteral("the same"));
    QTest::mouseClick(part<QToolButton>("compare_timeline"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(store().colors(), SliceColors::Difference, 10000);
    QTRY_VERIFY(
        std::any_of(timeline()->data()->categories().begin(), timeline()->data()->categories().end(), [](const auto& k) { return k.signedValue.has_value(); }));
    // Without the other trace, both are as before.
    QVERIFY(run("profile.compare-clear"));
    QTRY_COMPARE(store().colors(), SliceColors::Category);
    QTRY_COMPARE(gestures->colorMode(), QStringLiteral("category"));
    QVERIFY(!window_->workspace().current()->model()->signedHeat);
  }

  void aSlowOpIsCertain() {
    QVERIFY(run("profile.open", {chrome(QStringLiteral("fast.json"), 12, 1)}));
    QTRY_VERIFY(store().current() && !store().isBusy());
    QVERIFY(run("profile.open", {chrome(QStringLiteral("slow.json"), 12, 2)}));
    QTRY_VERIFY(!store().isBusy() && store().current()->title.contains(QLatin1String("slow")));
    QVERIFY(run("profile.compare", {folder_.filePath(QStringLiteral("fast.json"))}));
    QTRY_VERIFY_WITH_TIMEOUT(store().comparison(), 10000);
    const TraceChange& most = store().comparison()->lines[size_t(DifferenceKey::Op)].first();
    QCOMPARE(most.name, QStringLiteral("MatMul"));
    QVERIFY(most.isCertain());
    QVERIFY(std::fabs(most.deltaNs() - 100000) < 2000);
    auto* view = part<QTreeView>("comparison");
    QTRY_VERIFY(view->isVisible());
    QVERIFY(view->model()->index(0, 4).data().toString().startsWith(QStringLiteral("▲ +")));
    QVERIFY(says(QRegularExpression(QStringLiteral("with 95 % confidence between"))));
    // Only what is certain.
    const int all = view->model()->rowCount();
    for (QCheckBox* box : dock()->findChildren<QCheckBox*>())
      if (box->text() == QLatin1String("certain only")) QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QCOMPARE(view->model()->rowCount(), 1);
    QVERIFY(all > 1);
    QCOMPARE(report()[QStringLiteral("comparison")].toObject()[QStringLiteral("step")].toObject()[QStringLiteral("certain")].toBool(), true);
  }

  void tracesOfOtherGraphs() {
    QVERIFY(run("profile.open", {chrome(QStringLiteral("one.json"), 3, 1)}));
    QTRY_VERIFY(store().current() && !store().isBusy());
    QVERIFY(run("profile.compare", {chrome(QStringLiteral("other.json"), 1, 1, "other/")}));
    QTRY_VERIFY_WITH_TIMEOUT(store().comparison(), 10000);
    QCOMPARE(store().comparison()->matched, 0);
    QVERIFY(says(QRegularExpression(QStringLiteral("No node is in both traces: they are of different graphs"))));
    QVERIFY(says(QRegularExpression(QStringLiteral("a single step, so chance is not known"))));
    // A file that is none leaves the comparison as it is.
    run("profile.compare", {write(QStringLiteral("broken.json"), "{ nothing")});
    QTRY_VERIFY(!store().isBusy());
    QVERIFY2(store().lastError().contains(QLatin1String("broken.json")), qPrintable(store().lastError()));
    QVERIFY(store().comparison());
    QVERIFY(!run("profile.compare-earlier", {QStringLiteral("9")}));
  }

  void idleTimesInTableAndTimeline() {
    QVERIFY(run("layout.use", {QStringLiteral("profile")}));
    // The graph says what c reads.
    open(write(QStringLiteral("net.pbtxt"),
               "node { name: 'net/a' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
               "node { name: 'net/c' op: 'Relu' input: 'net/a' attr { key: 'T' value { type: DT_FLOAT } } }\n"
               "node { name: 'net/d' op: 'Tanh' input: 'net/c' attr { key: 'T' value { type: DT_FLOAT } } }\n"));
    QVERIFY(run("profile.open", {chrome(QStringLiteral("idle.json"), 6, 1)}));
    QTRY_VERIFY(store().current() && !store().isBusy());
    showPage(QStringLiteral("Idle times"));
    QTRY_VERIFY_WITH_TIMEOUT(questions().idleTimes(), 10000);
    const IdleTimes& times = *questions().idleTimes();
    QVERIFY(!times.causes.isEmpty());
    auto* view = part<QTreeView>("idle_causes");
    QCOMPARE(view->model()->rowCount(), int(times.causes.size()));
    int row = -1;
    for (int r = 0; r < view->model()->rowCount(); ++r)
      if (view->model()->index(r, 1).data().toString() == QLatin1String("net/a")) row = r;
    QVERIFY(row >= 0);
    QCOMPARE(view->model()->index(row, 0).data().toString(), QStringLiteral("waits for an input"));
    // A click shows the longest gap in the timeline, with what waited and what it waited for on the canvas.
    QVERIFY(!timeline()->gaps());
    clickRow(view, row);
    QTRY_VERIFY(timeline()->gaps() && timeline()->selectedGap() >= 0);
    const IdlePart& part = times.gaps[size_t(questions().selectedGap())];
    QCOMPARE(int(part.reason), int(IdlePart::Reason::Input));
    QTRY_COMPARE(window_->workspace().current()->selection(), (QStringList{QStringLiteral("net/c"), QStringLiteral("net/a")}));
    QVERIFY(says(QRegularExpression(QStringLiteral("net/c waited for its input net/a, which ran on"))));
    const int first = questions().selectedGap();
    QTest::mouseClick(this->part<QToolButton>("idle_next"), Qt::LeftButton);
    QTRY_VERIFY(questions().selectedGap() != first);
    QTest::mouseClick(this->part<QToolButton>("idle_before"), Qt::LeftButton);
    QTRY_COMPARE(questions().selectedGap(), first);
    // A click on a gap in the timeline selects it, a key goes to the next one, and a slice ends that.
    questions().selectGap(-1);
    timeline()->fitAll();
    QTest::keyClick(timeline(), Qt::Key_G);
    QTRY_VERIFY(questions().selectedGap() >= 0);
    const int chosen = questions().selectedGap();
    const QRectF box = timeline()->gapRect(chosen);
    QVERIFY(!box.isEmpty());
    questions().selectGap(-1);
    QTest::mouseClick(timeline()->viewport(), Qt::LeftButton, {}, box.center().toPoint());
    QTRY_COMPARE(questions().selectedGap(), chosen);
    store().selectSlice(0);
    QCOMPARE(questions().selectedGap(), -1);
    // The switch above the timeline.
    auto* shown = window_->viewWidget(QStringLiteral("timeline"))->findChild<QToolButton*>(QStringLiteral("show_gaps"));
    QVERIFY(shown->isChecked());
    QTest::mouseClick(shown, Qt::LeftButton);
    QTRY_VERIFY(!timeline()->gaps());
    QVERIFY(!run("profile.show-idle", {QStringLiteral("99")}));
    QVERIFY(!run("profile.idle-times", {QStringLiteral("perhaps")}));
  }

  void idleTimesFollowTheTrace() {
    QVERIFY(run("profile.open", {chrome(QStringLiteral("i1.json"), 2, 1)}));
    QTRY_VERIFY(store().current() && !store().isBusy());
    QVERIFY(run("profile.idle-times", {QStringLiteral("on")}));
    QTRY_VERIFY_WITH_TIMEOUT(questions().idleTimes() && timeline()->gaps(), 10000);
    const auto before = questions().idleTimes();
    QVERIFY(run("profile.open", {chrome(QStringLiteral("i2.json"), 4, 1)}));
    QTRY_VERIFY_WITH_TIMEOUT(!store().isBusy() && questions().idleTimes() && questions().idleTimes() != before, 10000);
    QTRY_COMPARE(timeline()->gaps(), questions().idleTimes()->rows.get());
  }

  void aStepWithChanges() {
    traced(5);
    showPage(QStringLiteral("What if"));
    auto* what = part<QComboBox>("what_if_what");
    QTRY_VERIFY(what->isVisible());
    QVERIFY(what->count() > 3);  // the op types
    QTest::mouseClick(what->lineEdit(), Qt::LeftButton);
    what->lineEdit()->selectAll();
    QTest::keyClicks(what->lineEdit(), QStringLiteral("MatMul"));
    QTest::keyClick(what->lineEdit(), Qt::Key_Escape);
    QTest::mouseClick(part<QPushButton>("what_if_add"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(questions().prediction(), 10000);
    const PredictedStep& p = *questions().prediction();
    QVERIFY2(p.error.isEmpty(), qPrintable(p.error));
    QVERIFY(p.predictedNs > 0 && p.predictedNs <= p.measuredNs * 1.001);
    QVERIFY(p.changed > 0 && !p.path.isEmpty());
    QVERIFY(says(QRegularExpression(QStringLiteral("critical path of step"))));
    QVERIFY(says(QRegularExpression(QStringLiteral("they were off by up to 9 %"))));
    // The path's rows select slices and nodes.
    auto* path = part<QTreeView>("predicted_path");
    QCOMPARE(path->model()->rowCount(), int(p.path.size()));
    clickRow(path, 0);
    QTRY_COMPARE(store().selectedSlice(), p.path[0].slice);
    // A second change, another device; honest words about it. Delete removes it again.
    QVERIFY(run("profile.what-if", {QStringLiteral("MatMul=2x"), QStringLiteral("MatMul@GPU:7=10x")}));
    QTRY_VERIFY_WITH_TIMEOUT(questions().prediction() && questions().prediction()->moves, 10000);
    QVERIFY(says(QRegularExpression(QStringLiteral("This has not been checked by measuring"))));
    auto* list = part<QListWidget>("imagined_changes");
    QCOMPARE(list->count(), 2);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
    QTest::keyClick(list, Qt::Key_Delete);
    QTRY_COMPARE(list->count(), 1);
    QCOMPARE(questions().changes().first().word(), QStringLiteral("MatMul=2x"));
    // The changes stay when steps are traced anew.
    const auto before = questions().prediction();
    QVERIFY(run("profile.trace", {QStringLiteral("--steps"), QStringLiteral("3")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive() && questions().prediction() && questions().prediction() != before, 60000);
    QVERIFY(run("profile.what-if", {QStringLiteral("clear")}));
    QTRY_VERIFY(questions().changes().isEmpty() && !questions().prediction());
  }

  void changesThatConcernNothing() {
    QVERIFY(run("profile.open", {chrome(QStringLiteral("w.json"), 2, 1)}));
    QTRY_VERIFY(store().current() && !store().isBusy());
    // Its file does not say what ops read.
    QVERIFY(run("profile.what-if", {QStringLiteral("MatMul=2x")}));
    QTRY_VERIFY_WITH_TIMEOUT(questions().prediction(), 10000);
    QVERIFY(says(QRegularExpression(QStringLiteral("This trace does not say what its ops read"))));
    for (const char* wrong : {"MatMul", "MatMul=0x", "=2x", "MatMul=fused"}) QVERIFY2(!run("profile.what-if", {QLatin1String(wrong)}), wrong);
    QCOMPARE(questions().changes().size(), 1);  // wrong words change nothing
  }
};

QTEST_MAIN(TraceQuestionsTest)
#include "tst_app_trace_questions.moc"
