// Sweeps: the dock "Experiments" by script and by mouse, and `weft sweep`.
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <csignal>

#include "document/document.h"
#include "document/experiments.h"
#include "experiments/scatter_matrix.h"
#include "experiments/small_multiples.h"
#include "plot/parallel_axes.h"
#include "shell/action_registry.h"
#include "studio_script.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

struct Ended {
  int status = -1;
  QByteArray out, err;
};

class Cli {
 public:
  explicit Cli(const QString& folder) : folder_(folder) {}
  Ended run(const QStringList& words) const {
    QProcess process;
    process.setWorkingDirectory(folder_);
    process.start(QStringLiteral(WEFT_PROGRAM), words);
    process.waitForFinished(120000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
  }

 private:
  QString folder_;
};

}  // namespace

class TestSweeps : public WindowFixture {
  Q_OBJECT
 private:
  QWidget* dock() { return window_->viewWidget(QStringLiteral("experiments")); }
  template <typename T>
  T* part(const char* name) {
    return dock()->findChild<T*>(QLatin1String(name));
  }
  Experiments& experiments() { return Experiments::of(window_->workspace()); }
  /// A window with a sweep of six runs of two parameters.
  void sweepSix() {
    openTemplate();
    document_ = folder_.filePath(QStringLiteral("%1.weft").arg(QTest::currentTestFunction()));
    QVERIFY(run("file.save", {document_}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().current()->path(), document_, 20000);
    run("view.show", {"experiments"});
    QVERIFY(run("sweep.start", {"lr=choice:0.0005,0.005,0.05", "hidden1.units=choice:8,32", "--method", "grid", "--epochs", "2"}));
    waitForSweep(6);
  }
  void waitForSweep(qint64 finished) {
    QTRY_VERIFY_WITH_TIMEOUT(!experiments().isActive(), 60000);
    QCOMPARE(experiments().state().error, QString());
    QCOMPARE(experiments().state().finished, finished);
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!experiments().isBusy(), 20000);
    QTest::qWait(30);
  }
  QString document_;

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theFormBeginsASweep() {
    openTemplate();
    run("view.show", {"experiments"});
    settle();
    auto* list = part<QTreeWidget>("sweep_parameters");
    QVERIFY(list && list->isVisible());
    auto* begin = part<QPushButton>("sweep_begin");
    QVERIFY(begin->isEnabled());  // the learning rate is chosen
    QTreeWidgetItem* rate = list->topLevelItem(0);
    QCOMPARE(rate->text(0), QString("learning_rate"));
    rate->setText(2, "log:1:0.1");
    QVERIFY(!begin->isEnabled());
    rate->setText(2, "log:0.001:0.1:2");
    QVERIFY(begin->isEnabled());
    auto* method = part<QComboBox>("sweep_method");
    method->setCurrentIndex(method->findData("grid"));
    part<QSpinBox>("sweep_epochs")->setValue(1);
    QTest::mouseClick(begin, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(experiments().state().total == 2, 20000);
    waitForSweep(2);
    QCOMPARE(part<QTableView>("sweep_table")->model()->rowCount(), 2);
    QCOMPARE(part<QTabWidget>("sweep_pages")->currentIndex(), 1);  // the curves
  }

  void theTableSortsFiltersAndGroups() {
    sweepSix();
    auto* table = part<QTableView>("sweep_table");
    QCOMPARE(table->model()->rowCount(), 6);
    int metric = -1;
    for (int i = 0; i < table->model()->columnCount(); ++i)
      if (table->model()->headerData(i, Qt::Horizontal).toString() == "test_accuracy") metric = i;
    QVERIFY(metric > 0);
    const auto value = [&](int row) { return table->model()->index(row, metric).data().toString().toDouble(); };
    QHeaderView* header = table->horizontalHeader();
    const QPoint at(header->sectionViewportPosition(metric) + 12, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    settle();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
    settle();
    const bool down = header->sortIndicatorOrder() == Qt::DescendingOrder;
    for (int i = 0; i + 1 < 6; ++i) QVERIFY(down ? value(i) >= value(i + 1) : value(i) <= value(i + 1));
    QTest::keyClicks(part<QLineEdit>("sweep_filter"), "hidden1.units=8");
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 3, 5000);
    part<QLineEdit>("sweep_filter")->setText("nothing=1");
    QTRY_VERIFY_WITH_TIMEOUT(experiments().page()->error.contains("there is no column nothing"), 5000);
    part<QLineEdit>("sweep_filter")->clear();
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 6, 5000);
    QVERIFY(run("panels.option", {"experiments", "group", "hidden1.units"}));
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 8, 5000);  // two heads
    QVERIFY(table->model()->index(0, 0).data().toString().startsWith("hidden1.units = 8 · 3 run"));
    QVERIFY(table->model()->index(0, metric).data().toString().contains(QChar(0xb1)));
  }

  void aSelectionInOneViewIsOneInAll() {
    sweepSix();
    auto* table = part<QTableView>("sweep_table");
    const auto selectedRows = [&] { return table->selectionModel()->selectedRows().size(); };
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(2, 0)).center());
    QCOMPARE(experiments().selection().size(), 1);

    QVERIFY(run("panels.option", {"experiments", "page", "parallel"}));
    QTest::qWait(50);
    auto* axes = part<weft::widgets::ParallelAxes>("sweep_parallel_axes");
    // Dragging over the upper half of the axis of the units selects the runs with 32.
    const QPoint top = axes->place(1, 1.4).toPoint(), middle = axes->place(1, 0.6).toPoint();
    QTest::mousePress(axes, Qt::LeftButton, {}, top);
    QTest::mouseMove(axes, middle);
    QTest::mouseRelease(axes, Qt::LeftButton, {}, middle);
    QCOMPARE(experiments().selection().size(), 3);
    QCOMPARE(selectedRows(), 3);
    QTest::mouseClick(axes, Qt::LeftButton, {}, top);  // removes the range
    QCOMPARE(experiments().selection().size(), 0);

    QVERIFY(run("panels.option", {"experiments", "page", "scatter"}));
    QTest::qWait(50);
    auto* scatter = part<weft::widgets::ScatterMatrix>("sweep_scatter");
    QTest::mouseClick(scatter, Qt::LeftButton, {}, scatter->place(0, 2, 4).toPoint());
    QCOMPARE(experiments().selection().size(), 1);
    QCOMPARE(selectedRows(), 1);

    QVERIFY(run("panels.option", {"experiments", "page", "curves"}));
    QTest::qWait(50);
    auto* curves = part<weft::widgets::SmallMultiples>("sweep_curves");
    QTest::mouseClick(curves, Qt::LeftButton, {}, curves->chart(0).center().toPoint());
    QTest::mouseClick(curves, Qt::LeftButton, Qt::ControlModifier, curves->chart(1).center().toPoint());
    QCOMPARE(selectedRows(), 2);
  }

  void oneKeyPromotesTheBestRun() {
    sweepSix();
    Document* document = window_->workspace().current();
    const int steps = document->history().index();
    const auto best = experiments().page()->parametersOf(experiments().page()->best);
    QTest::keyClick(window_.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(document->history().index(), steps + 1, 20000);
    QVERIFY(document->history().undoText().startsWith("Use the parameters of run-00"));
    const auto valueOf = [&](const QString& name) {
      for (const SweepParameterInfo& p : sweepParameters(*document->contents()))
        if (p.name == name || (name == "lr" && p.name == "learning_rate")) return p.value;
      return QString();
    };
    for (const auto& [name, value] : best) QCOMPARE(valueOf(name), value);
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE_WITH_TIMEOUT(document->history().index(), steps, 20000);
    QCOMPARE(valueOf("hidden1.units"), QString("64"));
    // A selected run comes before the best one.
    QVERIFY(run("sweep.select", {"1"}));
    QVERIFY(run("sweep.promote"));
    QTRY_COMPARE_WITH_TIMEOUT(document->history().index(), steps + 1, 20000);
    QCOMPARE(valueOf("hidden1.units"), QString("8"));
  }

  void aSweepPausesStopsAndGoesOn() {
    openTemplate();
    run("view.show", {"experiments"});
    QVERIFY(run("sweep.start", {"seed=int:1:6:6", "--method", "grid", "--epochs", "30", "--parallel", "1"}));
    QTRY_VERIFY_WITH_TIMEOUT(experiments().state().running == 1, 20000);
    QTest::mouseClick(part<QToolButton>("sweep_pause"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(experiments().state().phase, SweepState::Phase::Paused, 5000);
    QVERIFY(part<QToolButton>("sweep_pause")->isChecked());
    QTest::mouseClick(part<QToolButton>("sweep_stop"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!experiments().isActive(), 20000);
    QCOMPARE(experiments().state().phase, SweepState::Phase::Stopped);
    settle();
    QVERIFY(part<QToolButton>("sweep_continue")->isEnabled());
    QVERIFY(run("sweep.continue"));
    waitForSweep(6);
  }

  void wrongSweepsAreRefusedInOneSentence() {
    QVERIFY(!run("sweep.start", {"lr=log:1:2"}));  // no graph
    openTemplate();
    const auto message = [&](const QStringList& words) {
      CommandResult result = window_->actionRegistry().run("sweep.start", words);
      for (int i = 0; i < 400 && result.ok && result.later; ++i) {
        if (const auto later = result.later()) result = *later;
        QTest::qWait(10);
      }
      return result.message;
    };
    QCOMPARE(message({"lr=log:0:1"}), QString("lr begins at 0, expected a number above 0 for a logarithmic range"));
    QCOMPARE(message({"lr=log:1:2", "--runs", "0"}), QString("--runs is 0, expected a whole number from 1 to 1000000."));
    QVERIFY(message({"lr=log:1:2", "--method", "guess"}).contains("expected grid, random, sobol or bayesian"));
    QVERIFY(message({"nothing=int:1:2"}).contains("there is no parameter nothing"));
  }

  void scriptsDriveASweep() {
    const Outcome outcome =
        runStudio(folder_.path(),
                  "file.new mlp\nwait idle\nview.show experiments\nsweep.start lr=log:0.001:0.01 seed=int:1:3 --method sobol --runs 4 --epochs 1\n"
                  "wait idle\npanels.option experiments page importance\npanels.option experiments sort test_accuracy down\nwait idle\n"
                  "print experiments\nsweep.promote\nwait idle\nprint document\nquit\n");
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errors));
    const QJsonObject state = outcome.object(0);
    QCOMPARE(state["state"].toString(), QString("done"));
    QCOMPARE(state["finished"].toInt(), 4);
    QCOMPARE(state["runs"].toArray().size(), 4);
    QCOMPARE(state["importance"].toArray().size(), 2);
    QCOMPARE(state["order"].toArray()[0].toInt(), state["best"].toString().right(1).toInt());
    QCOMPARE(outcome.object(1)["undo"].toInt(), 1);
  }

  void theCommandSweepsStopsAndGoesOn() {
    openTemplate();
    const QTemporaryDir folder;
    const QString file = folder.filePath("net.weft");
    QVERIFY(run("file.save", {file}));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20000);
    const Cli cli(folder.path());
    // Wrong usage, a wrong name, a run that fails.
    QCOMPARE(cli.run({"sweep", "net.weft"}).status, 2);
    QCOMPARE(cli.run({"sweep", "net.weft", "--param", "lr=log:0:1"}).status, 2);
    QCOMPARE(cli.run({"sweep", "net.weft", "--resume", "--param", "lr=log:1:2"}).status, 2);
    const Ended wrong = cli.run({"sweep", "net.weft", "--param", "nothing=int:1:2"});
    QCOMPARE(wrong.status, 1);
    QVERIFY2(wrong.err.startsWith("weft: net.weft: there is no parameter nothing, expected "), wrong.err);
    const Ended swept = cli.run({"sweep", "net.weft", "--param", "optimizer=choice:Adam,Nothing", "--epochs", "1", "--json"});
    QVERIFY2(swept.status == 0, swept.err);
    const QJsonObject result = QJsonDocument::fromJson(swept.out).object();
    QCOMPARE(result["finished"].toInt(), 1);
    QCOMPARE(result["failed"].toInt(), 1);
    QCOMPARE(result["best"].toObject()["parameters"].toObject()["optimizer"].toString(), QString("Adam"));
    QVERIFY(result["runs"].toArray()[1].toObject()["error"].toString().contains("'Nothing'"));
    // Ctrl+C, then --resume.
    QProcess long_;
    long_.setWorkingDirectory(folder.path());
    long_.start(QStringLiteral(WEFT_PROGRAM), {"sweep", "net.weft", "--param", "seed=int:1:8:8", "--method", "grid", "--epochs", "20", "--parallel", "1"});
    QByteArray told;
    QTRY_VERIFY_WITH_TIMEOUT((told += long_.readAllStandardError()).contains("run-001"), 60000);
    ::kill(pid_t(long_.processId()), SIGINT);
    QVERIFY(long_.waitForFinished(30000));
    QCOMPARE(long_.exitCode(), 130);
    const Ended resumed = cli.run({"sweep", "net.weft", "--resume", "--json"});
    QVERIFY2(resumed.status == 0, resumed.err);
    QCOMPARE(QJsonDocument::fromJson(resumed.out).object()["finished"].toInt(), 8);
    // The table, and the document of the best run.
    const Ended shown = cli.run({"sweep", "net.weft", "--show", "--where", "status=finished", "--sort", "test_accuracy", "--descending", "--json"});
    QCOMPARE(QJsonDocument::fromJson(shown.out).object()["count"].toInt(), 9);
    QCOMPARE(cli.run({"sweep", "net.weft", "--show", "--where", "loss"}).status, 2);
    QCOMPARE(cli.run({"sweep", "net.weft", "--best", "best.weft"}).status, 0);
    QVERIFY(QFile::exists(folder.filePath("best.weft")));
    const Ended bench = cli.run({"bench", "--experiments", "--runs", "2000", "--metrics", "5", "--json"});
    QCOMPARE(QJsonDocument::fromJson(bench.out).object()["runs"].toInt(), 2000);
  }
};

QTEST_MAIN(TestSweeps)
#include "tst_sweeps.moc"
