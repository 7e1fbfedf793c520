// A file that is no graph in front: its own bar, its own graph, and nothing of another document. Also the inspector's width and the lines of programs among the breakpoints.
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "document/checkpoint_graph.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/profile_store.h"
#include "document/program_debug.h"
#include "document/program_failure.h"
#include "weft/events.h"
#include "weft/inspect.h"
#include "window_fixture.h"

using namespace weft::app;

class FileFrontTest : public WindowFixture {
  Q_OBJECT

  const QString kGolden = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/");
  const QString kRuns = kGolden + "events/v1_kinds/train/events.out.tfevents.1500000000.hostA";
  const QString kCheckpoint = kGolden + "metagraphs/collections_ref.index";

  Workspace& workspace() { return window_->workspace(); }
  FileTab* file() { return workspace().currentFile(); }
  void openFile(const QString& path) {
    workspace().open(path);
    QTRY_VERIFY_WITH_TIMEOUT(file() != nullptr, 30000);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!workspace().isBusy() && workspace().tasks().isEmpty() && window_->isSettled(), 60000); }
  QToolButton* action(const QString& id) {
    for (auto* button : window_->findChildren<QToolButton*>(QStringLiteral("file_action_") + id))
      if (button->isVisible()) return button;
    return nullptr;
  }
  bool isSaid(const QString& words) {
    const auto labels = window_->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->isVisible() && (l->text() + l->toolTip()).contains(words); });
  }
  /// A folder with an event file that contains a graph of two nodes, and optionally a curve.
  QString events(const QString& name, bool curve) {
    const QString folder = folder_.filePath(name);
    auto writer = weft::EventWriter::create(folder.toStdString());
    if (!writer.ok()) qFatal("no writer");
    const std::string graph = weft::convertGraphBytes(kGraph, "pb").value();
    bool ok = (*writer)->addGraph(graph).ok();
    for (int step = 0; curve && step < 5; ++step) ok = ok && (*writer)->addScalar("loss", 1.0f / float(step + 1), step).ok();
    if (!ok || !(*writer)->close().ok()) qFatal("not written");
    return folder + '/' + QDir(folder).entryList(QDir::Files).first();
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theBarOfACheckpointHasItsActionsAndNoTraining() {
    openTemplate();
    QVERIFY(window_->actionRegistry().disabledReason("run.train").isEmpty());
    openFile(kCheckpoint);
    for (const char* id : {"inspect.compare", "file.open", "inspect.freeze"}) QVERIFY2(action(id), id);
    QVERIFY2(window_->actionRegistry().disabledReason("run.train").contains("collections_ref"),
             qPrintable(window_->actionRegistry().disabledReason("run.train")));
    // Its graph is the one beside it.
    QTest::mouseClick(action("file.open"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(workspace().current() && workspace().current()->title().contains("collections_ref") && !file(), 30000);
    settle();
    QVERIFY(!window_->actionRegistry().disabledReason("run.train").contains("choose the tab"));
  }

  void aCheckpointIsHeldAgainstItsOwnGraph() {
    openTemplate();
    openFile(kCheckpoint);
    window_->useLayout("inspect");
    settle();
    CheckpointGraph& held = CheckpointGraph::of(*file(), workspace());
    QTRY_VERIFY_WITH_TIMEOUT(held.graph(), 30000);
    QCOMPARE(held.title(), QString("collections_ref.meta"));
    auto* text = window_->findChild<QLabel*>(QStringLiteral("file_match_text"));
    QTRY_VERIFY_WITH_TIMEOUT(text->isVisible() && text->text().startsWith("All "), 30000);
    // Another graph, from the list.
    auto* list = window_->findChild<QComboBox*>(QStringLiteral("file_against"));
    int at = -1;
    for (int i = 0; i < list->count(); ++i)
      if (list->itemText(i).startsWith("mlp")) at = i;
    QVERIFY(at > 0);
    list->setCurrentIndex(at);
    emit list->activated(at);
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(text->text().contains("restoring would fail"), 30000);
    QVERIFY(run("inspect.against"));
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(text->text().startsWith("All "), 30000);
  }

  void aCheckpointIsFrozenFromItsBar() {
    openFile(kCheckpoint);
    CheckpointGraph& held = CheckpointGraph::of(*file(), workspace());
    QTRY_VERIFY_WITH_TIMEOUT(held.graph(), 30000);
    const auto& nodes = held.graph()->arrays.nodes;
    QString output;
    for (const auto& node : nodes)
      if (node.op == "MatMul" || node.op == "Add" || node.op == "Softmax") output = node.name;
    if (output.isEmpty()) QSKIP("this graph computes nothing");
    QVERIFY(run("inspect.freeze", {output}));
    QTRY_VERIFY_WITH_TIMEOUT(workspace().current() && workspace().current()->title().contains("frozen"), 30000);
  }

  void aFolderWithACheckpointOpensIt() {
    const QString folder = folder_.filePath("copied");
    QVERIFY(QDir().mkpath(folder));
    for (const char* part : {".index", ".data-00000-of-00001"})
      QVERIFY(QFile::copy(kGolden + "metagraphs/collections_ref" + part, folder + "/model" + part) || QFile::exists(folder + "/model" + part));
    openFile(folder);
    QCOMPARE(file()->contents()->kind, QString("checkpoint"));
    QVERIFY(!action("file.open"));  // there is no .meta
  }

  /// Kernels, how another file differs and how the values are spread, side by side where there is room.
  void kernelsStandBesideTheirDifferenceAndHistogram() {
    workspace().open(kGolden + "keras/functional.h5");
    settle();
    // The model's graph is in front; its weights are on its page.
    QVERIFY(run("inspect.show-model"));
    QVERIFY(file());
    QVERIFY(run("inspect.compare", {kGolden + "keras/functional.h5"}));
    settle();
    QVERIFY(run("inspect.select", {"model_weights/conv/conv/kernel:0"}));
    settle();
    auto* detail = window_->findChild<QWidget*>(QStringLiteral("tensor_detail"));
    window_->resize(1700, 900);
    QTRY_VERIFY(detail->findChild<QWidget*>(QStringLiteral("kernel_histogram"))->isVisible());
    QVERIFY(detail->findChild<QWidget*>(QStringLiteral("kernel_difference"))->isVisible());
    detail->setFixedWidth(500);
    // Where there is no room side by side, they are stacked.
    const auto top = [detail](const char* name) { return detail->findChild<QWidget*>(QLatin1String(name))->mapTo(detail, QPoint()).y(); };
    QTRY_VERIFY(top("kernel_histogram") > top("kernel_difference"));
  }

  void anEventFilesGraphOpens() {
    openFile(events("run1", true));
    QVERIFY(action("inspect.open-event-graph"));
    QTest::mouseClick(action("inspect.open-event-graph"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(workspace().current() && workspace().current()->hasNode("a/y") && !file(), 30000);
    QCOMPARE(workspace().current()->title(), QString("run1.pb"));
  }

  void aSessionRunOpensBesideItsGraph() {
    openFile(kRuns);
    QVERIFY(action("inspect.open-session-run"));
    auto* tree = window_->findChild<QTreeWidget*>(QStringLiteral("file_report"));
    QVERIFY(tree);
    QTreeWidgetItem* second = nullptr;
    for (QTreeWidgetItemIterator it(tree); *it; ++it)
      if ((*it)->text(1) == QLatin1String("step020")) second = *it;
    QVERIFY(second);
    emit tree->itemActivated(second, 1);
    ProfileStore& store = ProfileStore::of(workspace());
    QTRY_VERIFY_WITH_TIMEOUT(store.current() && store.current()->title == QLatin1String("step020"), 30000);
    QVERIFY(workspace().current() && !file());
    QTRY_VERIFY_WITH_TIMEOUT(window_->isViewVisible("timeline"), 30000);
    QVERIFY(store.current()->slices > 0);
    const qsizetype documents = workspace().documents().size();
    // Another run of the same events is shown beside the same document.
    QVERIFY(run("profile.open", {kRuns, "--run", "step010"}));
    QTRY_COMPARE_WITH_TIMEOUT(store.current()->title, QString("step010"), 30000);
    openFile(kRuns);
    QVERIFY(run("inspect.open-session-run"));
    QTRY_VERIFY_WITH_TIMEOUT(!file(), 30000);
    settle();
    QCOMPARE(workspace().documents().size(), documents);
    openFile(kRuns);
    const CommandResult wrong = window_->actionRegistry().run("inspect.open-session-run", {"none"});
    QVERIFY(!wrong.ok);
    QVERIFY2(wrong.message.contains("step010, step020"), qPrintable(wrong.message));
  }

  void thePanelsSayWhatTheyShow() {
    openFile(events("run2", true));
    window_->useLayout("inspect");
    settle();
    QVERIFY(!window_->isViewOpen("scalars"));  // opening the file left the layout alone
    QTest::mouseClick(action("panels.show-logdir"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->isViewVisible("scalars"), 30000);
    QCOMPARE(window_->layout(), QString("train"));
    window_->useLayout("inspect");
    QVERIFY(!window_->isViewOpen("scalars"));
  }

  void nothingToShowIsSaid() {
    openFile(events("run3", false));
    window_->useLayout("inspect");
    settle();
    QTest::mouseClick(action("panels.show-logdir"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(isSaid("nothing to show in the panels"), 30000);
    QCOMPARE(window_->layout(), QString("inspect"));
  }

  void datesAreDates() {
    openFile(events("run4", true));
    auto* tree = window_->findChild<QTreeWidget*>(QStringLiteral("file_report"));
    QVERIFY(tree);
    QStringList values;
    for (QTreeWidgetItemIterator it(tree); *it; ++it) values << (*it)->text(1);
    QVERIFY2(values.join('|').contains(QDateTime::currentDateTime().toString("yyyy-MM-dd")), qPrintable(values.join('|').left(400)));
  }

  void aTrainingLeavesOtherLayoutsAlone() {
    openTemplate();
    window_->useLayout("debug");
    settle();
    QVERIFY(run("run.train", {"--steps", "2"}));
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(!workspace().runs().isActive(), 60000);
    QVERIFY(!window_->isViewOpen("scalars"));
  }

  /// Every kind of layer, with counts of ten digits: the inspector is never wider than the dock.
  void theInspectorIsNeverWiderThanItsDock() {
    workspace().newFromTemplate("empty");
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    QVERIFY(run("graph.add", {"Placeholder", "--name", "rows", "shape=[50,123456]"}));
    QVERIFY(run("graph.add", {"Placeholder", "--name", "images", "shape=[50,1280,1280,512]"}));
    settle();
    window_->showView("inspector");
    QWidget* dock = window_->viewWidget("inspector");
    auto* area = dock->findChild<QScrollArea*>();
    QVERIFY(dock->minimumWidth() <= 240);
    const std::pair<const char*, QStringList> layers[] = {{"layers.dense", {"units=123456", "--from", "rows"}},
                                                          {"layers.conv2d", {"filters=1234567", "kernel_size=[13,13]", "--from", "images"}},
                                                          {"layers.max_pooling2d", {"pool_size=[200,200]", "strides=[200,200]", "--from", "images"}},
                                                          {"layers.batch_normalization", {"--from", "images"}},
                                                          {"layers.dropout", {"--from", "rows"}},
                                                          {"layers.flatten", {"--from", "images"}},
                                                          {"losses.sparse_softmax_cross_entropy", {}}};
    for (const auto& [type, words] : layers) {
      QVERIFY2(run("graph.add", QStringList{type, "--name", "l"} + words), type);
      settle();
      QTRY_VERIFY_WITH_TIMEOUT(!workspace().current()->isEditing(), 30000);
      workspace().current()->requestSelection({"l"});
      QTRY_VERIFY_WITH_TIMEOUT(area->isVisible() && area->widget()->findChild<QWidget*>("page:l"), 30000);
      dock->window()->setFocus();
      area->setFixedWidth(240);
      QCoreApplication::processEvents();
      QTRY_VERIFY2_WITH_TIMEOUT(area->widget()->width() <= area->viewport()->width(),
                                qPrintable(QStringLiteral("%1: %2 in %3").arg(type).arg(area->widget()->width()).arg(area->viewport()->width())), 5000);
      for (QWidget* part : area->widget()->findChildren<QWidget*>()) {
        if (!part->isVisible() || part->parentWidget()->width() == 0) continue;
        const int right = part->mapTo(area->widget(), QPoint(part->width(), 0)).x();
        QVERIFY2(right <= area->viewport()->width(), qPrintable(QStringLiteral("%1: %2 reaches %3").arg(type, part->metaObject()->className()).arg(right)));
      }
      area->setMinimumWidth(0);
      area->setMaximumWidth(QWIDGETSIZE_MAX);
      QVERIFY(run("graph.delete", {"l"}));
      settle();
    }
  }

  /// The tensor dock shows the next op's inputs and nothing of another document; a single stop removes the marks.
  void theDebuggersValuesAndMarksAreOfItsDocument() {
    open(write("small.pbtxt", kGraph));
    window_->useLayout("debug");
    settle();
    DebugController& debug = workspace().debugger();
    Document* document = workspace().current();
    QVERIFY(run("debug.start", {"--fetch", "a/y:0", "--feed", "x:0=1"}));
    QTRY_VERIFY_WITH_TIMEOUT(debug.isStopped(), 30000);
    for (int i = 0; i < 4 && debug.state().node() != QLatin1String("a/y"); ++i) {
      QVERIFY(run("debug.step-op"));
      QTRY_VERIFY_WITH_TIMEOUT(debug.isStopped() && !debug.isBusy(), 30000);
    }
    QCOMPARE(debug.state().node(), QString("a/y"));
    auto* name = window_->viewWidget("tensor")->findChild<QLineEdit*>();
    QTRY_COMPARE(name->text(), QString("x:0"));
    workspace().newFromTemplate("empty");
    QTRY_VERIFY_WITH_TIMEOUT(workspace().current() != document, 30000);
    QTRY_COMPARE(name->text(), QString());
    workspace().setCurrent(document);
    QTRY_COMPARE(name->text(), QString("x:0"));
    const auto marked = [document] {
      const auto& nodes = document->model()->nodes;
      return std::any_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.status.tint != weft::widgets::NodeTint::None; });
    };
    QVERIFY(marked());
    QVERIFY(run("debug.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(!debug.isActive(), 30000);
    QVERIFY(!marked());
  }

  void linesOfProgramsAreAmongTheBreakpoints() {
    const QString script = write("steps.py", "a = 1\nb = 2\n");
    window_->useLayout("debug");
    window_->showView("breakpoints");
    workspace().programDebug().setPoint(script, 2, "a > 0");
    auto* list = window_->viewWidget("breakpoints")->findChild<QTreeWidget*>();
    QTRY_COMPARE(list->topLevelItemCount(), 1);
    QCOMPARE(list->topLevelItem(0)->text(0), QString("steps.py:2"));
    QCOMPARE(list->topLevelItem(0)->text(1), QString("a > 0"));
    list->topLevelItem(0)->setText(1, "b > 1");
    QCOMPARE(workspace().programDebug().points(script).first().condition, QString("b > 1"));
    QTRY_COMPARE(list->topLevelItemCount(), 1);
    list->setCurrentItem(list->topLevelItem(0));
    QTest::keyClick(list, Qt::Key_Delete);
    QTRY_COMPARE(list->topLevelItemCount(), 0);
    QVERIFY(workspace().programDebug().points(script).isEmpty());
  }

  void tracebacksAreRead() {
    const QString script = write("fails.py", "def f():\n  raise ValueError('no')\nf()\n");
    std::deque<Program::Line> lines;
    for (const QString& l :
         {QString("printed"), QString("Traceback (most recent call last):"), QString("  File \"%1\", line 3, in <module>").arg(script), QString("    f()"),
          QString("  File \"%1\", line 2, in f").arg(script), QString("    raise ValueError('no')"), QString("ValueError: no"), QString("hint: something")})
      lines.push_back({l != "printed", l});
    const auto failure = failureOf(lines, script);
    QVERIFY(failure);
    QCOMPARE(failure->message, QString("ValueError: no"));
    QCOMPARE(failure->stack.size(), 2);
    QCOMPARE(failure->stack.first().line, 2);
    QVERIFY(failure->text.contains("hint: something"));
    // A syntax error has no headline.
    std::deque<Program::Line> syntax{
        {true, QString("  File \"%1\", line 1").arg(script)}, {true, "    def"}, {true, "       ^"}, {true, "SyntaxError: invalid syntax"}};
    const auto wrong = failureOf(syntax, script);
    QVERIFY(wrong);
    QCOMPARE(wrong->stack.first().line, 1);
    QVERIFY(!failureOf({{true, "just a warning"}}, script));
  }
};

QTEST_MAIN(FileFrontTest)
#include "tst_file_front.moc"
