#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

#include "adapters/towers.h"
#include "code_editor/code_editor.h"
#include "code_editor/find_bar.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/program_notes.h"
#include "main_window/probes.h"
#include "main_window/value_lens.h"
#include "shell/page_bar.h"
#include "views/editor/fix_strip.h"
#include "views/editor/program_page.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::CodeEditor;
using weft::widgets::Verdict;

namespace {
constexpr int kLong = 60000;  // an interpreter starts slowly where all processors are busy

const QByteArray kModel =
    "import tensorflow as tf\n"                                  // 1
    "def layer(x):\n"                                            // 2
    "  with tf.variable_scope('layer', reuse=tf.AUTO_REUSE):\n"  // 3
    "    w = tf.get_variable('w', [2, 3])\n"                     // 4
    "    return tf.matmul(x, w, name='product')\n"               // 5
    "x = tf.placeholder(tf.float32, [None, 2], name='x')\n"      // 6
    "with tf.variable_scope('net') as net:\n"                    // 7
    "  y = layer(x)\n"                                           // 8
    "with tf.variable_scope(net):\n"                             // 9
    "  z = layer(y[:, :2])\n"                                    // 10
    "a = tf.constant(7, name='a') + 8\n"                         // 11
    "s = tf.Session()\n"                                         // 12
    "open('ran', 'w')\n"                                         // 13
    "s.run(tf.global_variables_initializer())\n"                 // 14
    "print(s.run(a))  # 15\n"                                    // 15
    "print(s.run(a) + 1)  # prints 10\n"                         // 16
    "big = s.run(z, {x: [[1, 2]] * 40})\n"                       // 17
    "print(a)\n"                                                 // 18
    "print(z)\n"                                                 // 19
    "print(y)\n";                                                // 20

QString textOf(const weft::widgets::GhostText& ghost) {
  QStringList parts;
  for (const auto& part : ghost) parts << part.text;
  return parts.join(" | ");
}
}  // namespace

/// Python programs in the editor: written, saved, run, with the run's results beside the lines and on the wires.
class TestEditor : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() {
    window_->workspace().program().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().program().isAlive(), kLong);
    closeWindow();
  }
  void opensEditsAndSaves();
  void unsavedWorkIsAskedFor();
  void findsInTheText();
  void breakpointsMoveWithTheirLines();
  void namesWithoutASingleStep();
  void valuesAndVerdictsAfterARun();
  void theLensShowsTheLastValue();
  void variablesAreConverted();
  void theLintIsASetting();
  void changesOnTheDiskAreSeen();
  void newProgramsRunAsTheyStand_data();
  void newProgramsRunAsTheyStand();
  void towersAreShownOneByOne();

 private:
  ProgramPage* page() const { return window_->findChild<ProgramPage*>(); }
  CodeEditor* editor() const { return page()->editor(); }
  void openProgram(const QByteArray& text, const QString& name = "model.py") {
    path_ = write(name, text);
    window_->workspace().open(path_);
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->isVisible(), 10000);
    editor()->setFocus();
  }
  void runTo(const char* id) {
    QVERIFY(run(id));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().program().state() == Program::State::Ended, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && window_->workspace().tasks().isEmpty(), kLong);
  }
  QString path_;
};

void TestEditor::opensEditsAndSaves() {
  openProgram("x = 1\n");
  auto* tabs = window_->findChild<QTabBar*>("document_tabs");
  QTest::keyClicks(editor(), "yy");
  QTRY_COMPARE(tabs->tabText(0), QString("model.py*"));
  QVERIFY(run("edit.undo"));
  QTRY_COMPARE(tabs->tabText(0), QString("model.py"));
  QVERIFY(run("edit.redo"));
  QCOMPARE(editor()->text(), QString("yyx = 1\n"));
  QCOMPARE(onDisk(path_), QByteArray("x = 1\n"));
  QVERIFY(run("file.save"));
  QCOMPARE(onDisk(path_), QByteArray("yyx = 1\n"));
  QTRY_COMPARE(tabs->tabText(0), QString("model.py"));
  QCOMPARE(window_->workspace().program().state(), Program::State::None);  // opened, edited and saved: nothing has run
}

void TestEditor::unsavedWorkIsAskedFor() {
  openProgram("x = 1\n");
  QTest::keyClicks(editor(), "y");
  QVERIFY(run("file.close", {"ask"}));
  auto* dialog = window_->findChild<QDialog*>("unsaved_text_dialog");
  QVERIFY(dialog && dialog->isVisible());
  for (auto* button : dialog->findChildren<QPushButton*>())
    if (button->text().contains("Save")) QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(window_->workspace().files().isEmpty());
  QCOMPARE(onDisk(path_), QByteArray("yx = 1\n"));
}

void TestEditor::findsInTheText() {
  openProgram("a = b\nb = c\n");
  QVERIFY(run("edit.find"));
  auto* bar = page()->findChild<weft::widgets::FindBar*>();
  QVERIFY(bar->isVisible());
  QTest::keyClicks(bar->findChild<QLineEdit*>("find_text"), "b");
  QCOMPARE(bar->matches(), 2);
  QTest::keyClick(bar->findChild<QLineEdit*>("find_text"), Qt::Key_Escape);
  QVERIFY(!bar->isVisible());
}

void TestEditor::breakpointsMoveWithTheirLines() {
  openProgram("a = 1\nb = 2\nc = 3\n");
  const int height = int(editor()->SendScintilla(CodeEditor::SCI_TEXTHEIGHT, 0L));
  QTest::mouseClick(editor()->viewport(), Qt::LeftButton, {}, QPoint(5, height + height / 2));
  ProgramDebug& debug = window_->workspace().programDebug();
  QTRY_COMPARE(debug.points(path_), (QVector<LinePoint>{{2, {}}}));
  QCOMPARE(editor()->breakpoints().keys(), QList<int>{2});
  debug.setPoint(path_, 2, "b > 1");
  editor()->goToLine(1);
  QTest::keyClick(editor(), Qt::Key_Return);
  QTRY_COMPARE(debug.points(path_), (QVector<LinePoint>{{3, "b > 1"}}));
  QTest::mouseClick(editor()->viewport(), Qt::LeftButton, {}, QPoint(5, 2 * height + height / 2));
  QTRY_VERIFY(debug.points(path_).isEmpty());
}

void TestEditor::namesWithoutASingleStep() {
  openProgram(kModel);
  runTo("program.names");
  QTRY_VERIFY(!editor()->ghosts().isEmpty());
  const auto ghosts = editor()->ghosts();
  QVERIFY2(textOf(ghosts[6]).contains("→ x:0  ?×2 f32"), qPrintable(textOf(ghosts[6])));
  QVERIFY2(textOf(ghosts[4]).contains("variable net/layer/w  2×3 f32"), qPrintable(textOf(ghosts[4])));
  QVERIFY2(textOf(ghosts[5]).contains("net/layer/product:0  ?×3 f32"), qPrintable(textOf(ghosts[5])));
  // Entering the scope object keeps the variables in net; the ops get a separate scope.
  QVERIFY2(textOf(ghosts[9]).contains("enters net | ops in net_1/"), qPrintable(textOf(ghosts[9])));
  QCOMPARE(QString(textOf(ghosts[7])).section(" | ", 0, 0), QString("enters net"));
  QVERIFY(!textOf(ghosts[11]).contains("="));  // no value: nothing was computed
  QVERIFY(!ghosts.contains(15));
  QVERIFY(page()->isVisible());  // the graph has opened behind it
  QCOMPARE(window_->workspace().documents().size(), 1);
  // The line in the function was run from two places.
  editor()->goToLine(5);
  auto* crumbs = page()->findChild<CrumbBar*>("call_site");
  QTRY_COMPARE(crumbs->path().size(), 2);
  QCOMPARE(crumbs->path()[0].text, QString("net"));
  QVERIFY(crumbs->path()[0].target.endsWith(":7"));
  QCOMPARE(crumbs->path()[1].text, QString("layer"));
  QVERIFY2(crumbs->toolTip().contains("net_1 (line 9)"), qPrintable(crumbs->toolTip()));
  // Edited lines lose their results.
  editor()->goToLine(6, 3);
  QTest::keyClicks(editor(), "1");
  QVERIFY(!editor()->ghosts().contains(6));
}

void TestEditor::valuesAndVerdictsAfterARun() {
  openProgram(kModel);
  runTo("program.run");
  QTRY_VERIFY(editor()->verdicts().contains(16));
  QCOMPARE(editor()->verdicts(), (QMap<int, Verdict>{{15, Verdict::Right}, {16, Verdict::Wrong}}));
  const auto ghosts = editor()->ghosts();
  QVERIFY2(textOf(ghosts[11]).endsWith("i32 | = 15"), qPrintable(textOf(ghosts[11])));
  QVERIFY2(textOf(ghosts[16]).contains("printed 16"), qPrintable(textOf(ghosts[16])));
  QVERIFY2(textOf(ghosts[17]).contains("40×3 f32 | = min "), qPrintable(textOf(ghosts[17])));
  QVERIFY2(textOf(ghosts[18]).endsWith("| = 15"), qPrintable(textOf(ghosts[18])));  // printing a tensor shows its value
  QVERIFY2(textOf(ghosts[20]).endsWith("a symbolic tensor without a value; session.run computes it"), qPrintable(textOf(ghosts[20])));
  // A symbolic tensor and its value look different.
  QVERIFY(ghosts[11].first().role != ghosts[11].last().role);
}

void TestEditor::theLensShowsTheLastValue() {
  openProgram(
      "import tensorflow as tf\nx = tf.constant([1., 2.], name='x')\ny = tf.square(x, name='y')\nz = tf.reduce_sum(y, name='z')\nprint(tf.Session().run([y, z]))\n");
  runTo("program.run");
  QCOMPARE(window_->workspace().documents().size(), 1);
  Document* document = window_->workspace().documents().first();
  QTRY_VERIFY(window_->workspace().programGraphs().notes().valueOf(document, "y:0").has_value());
  window_->workspace().setCurrent(document);
  QTRY_VERIFY(window_->canvas() && window_->canvas()->isVisible());
  QTRY_VERIFY(window_->isSettled());
  const auto* lens = window_->canvas()->findChild<ValueLens*>();
  const auto between = [&](const char* from, const char* to) {  // a point of the wire
    const QRectF a = window_->canvas()->itemRect(weft::widgets::Item::node(document->nodeIndex(from))),
                 b = window_->canvas()->itemRect(weft::widgets::Item::node(document->nodeIndex(to)));
    for (double x = a.right() + 1; x < b.left(); x += 1)
      for (double y = std::min(a.top(), b.top()); y < std::max(a.bottom(), b.bottom()); y += 1)
        if (window_->canvas()->edgeAt({x, y}) >= 0 && !window_->canvas()->itemAt({x, y})) return QPoint(int(x), int(y));
    return QPoint();
  };
  const QPoint at = between("y", "z");
  QVERIFY(!at.isNull());
  QVERIFY2(lens->textAt(at).contains("<b>= [1. 4.]</b>"), qPrintable(lens->textAt(at)));
  QTest::mouseMove(window_->canvas(), at);
  QTRY_COMPARE(lens->tensorUnderPointer(), QString("y:0"));
  QTest::keyClick(window_->canvas(), Qt::Key_P);
  QTRY_COMPARE(window_->canvas()->findChild<Probes*>()->shown(), QStringList("y:0: = [1. 4.]"));
  QTest::keyClick(window_->canvas(), Qt::Key_P);
  QTRY_VERIFY(window_->canvas()->findChild<Probes*>()->tensors().isEmpty());
  // From a node to its line.
  QVERIFY(run("program.source", {"y"}));
  QTRY_VERIFY(page()->isVisible());
  QCOMPARE(editor()->cursorLine(), 3);
  QCOMPARE(editor()->marked(), QVector<int>{3});
}

void TestEditor::variablesAreConverted() {
  const QByteArray program =
      "import tensorflow as tf\ndef layer(x):\n  with tf.name_scope('layer'):\n    w = tf.Variable(tf.ones([2]), name='w')\n    return x * w\ny = layer(layer(tf.constant([1., 2.])))\n"
      "print(sorted(v.name for v in tf.global_variables()))\ns = tf.Session()\ns.run(tf.global_variables_initializer())\n";
  openProgram(program);
  runTo("program.names");
  QTRY_VERIFY(editor()->ghosts().contains(4));
  editor()->goToLine(4);
  QVERIFY(run("problems.fix"));
  auto* strip = page()->findChild<FixStrip*>();
  QVERIFY(strip->isVisible());
  QCOMPARE(strip->namesText(), QString("Names now: layer/w, layer_1/w. Then: …/layer/w, shared by all of them."));
  QTest::mouseClick(strip->findChild<QPushButton*>("fix_convert"), Qt::LeftButton);
  QCOMPARE(editor()->lineText(3), QString("  with tf.variable_scope('layer', reuse=tf.AUTO_REUSE):"));
  QCOMPARE(editor()->lineText(4), QString("    w = tf.get_variable('w', initializer=tf.ones([2]))"));
  // The program matches the preview.
  runTo("program.run");
  QStringList printed;
  for (const auto& line : window_->workspace().program().lines()) printed << line.text;
  QVERIFY2(printed.contains("['layer/w:0']"), qPrintable(printed.join('\n')));
  editor()->setFocus();
  QVERIFY(run("edit.undo"));
  QCOMPARE(editor()->text().toUtf8(), program);
}

void TestEditor::theLintIsASetting() {
  openProgram("import tensorflow as tf\nw = tf.Variable(1.)\n");
  QTRY_COMPARE(editor()->hints().size(), 1);
  QCOMPARE(editor()->hints()[0].line, 2);
  QVERIFY(editor()->hints()[0].text.contains("get_variable"));
  window_->workspace().settings().setValue("editor/variable-lint", "off");
  QTRY_VERIFY(editor()->hints().isEmpty());
}

void TestEditor::changesOnTheDiskAreSeen() {
  openProgram("x = 1\n");
  write("model.py", "x = 2\n");
  QTRY_COMPARE_WITH_TIMEOUT(editor()->text(), QString("x = 2\n"), 10000);
  QTest::keyClicks(editor(), "y");
  write("model.py", "x = 3\n");
  QTRY_VERIFY_WITH_TIMEOUT(window_->shownMessages().join(' ').contains("changed both here and by another program or window"), 10000);
  QCOMPARE(editor()->text(), QString("yx = 2\n"));
  QVERIFY(window_->pressMessageButton("Reload"));
  QCOMPARE(editor()->text(), QString("x = 3\n"));
}

void TestEditor::newProgramsRunAsTheyStand_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("printed");
  QTest::newRow("empty") << "empty"
                         << "[1. 4.]";
  QTest::newRow("supervised") << "supervised"
                              << "first loss ";
  QTest::newRow("towers") << "towers"
                          << "last loss ";
}

void TestEditor::newProgramsRunAsTheyStand() {
  QFETCH(QString, name);
  QFETCH(QString, printed);
  path_ = folder_.filePath("new-" + name + ".py");
  QVERIFY(run("program.new", {name, path_}));
  QTRY_VERIFY_WITH_TIMEOUT(page() && page()->isVisible(), 10000);
  QVERIFY(!run("program.new", {name, path_}));  // it is there already
  runTo("program.run");
  QCOMPARE(window_->workspace().program().ending(), QString("finished"));
  QStringList lines;
  for (const auto& line : window_->workspace().program().lines()) lines << line.text;
  QVERIFY2(lines.join('\n').contains(printed), qPrintable(lines.join('\n')));
}

void TestEditor::towersAreShownOneByOne() {
  QVERIFY(run("program.new", {"towers", folder_.filePath("towers.py")}));
  QTRY_VERIFY_WITH_TIMEOUT(page() && page()->isVisible(), 10000);
  runTo("program.names");
  Document* document = window_->workspace().documents().first();
  const QVector<Tower> towers = towersOf(*document->contents());
  QCOMPARE(towers.size(), 2);
  QCOMPARE(towers[1].name, QString("tower_1"));
  QVERIFY2(towers[1].device.contains("gpu:1", Qt::CaseInsensitive), qPrintable(towers[1].device));
  QVERIFY(towers[1].scopes.contains("tower_1") && towers[1].size > 20);
  QVERIFY(!run("graph.tower"));  // the program is in front
  window_->workspace().setCurrent(document);
  QTRY_VERIFY(window_->canvas());
  const auto shown = [this] { return window_->canvas()->property("weft_tower"); };
  QVERIFY(run("graph.tower"));
  QCOMPARE(shown().toInt(), 0);
  QVERIFY(run("graph.tower"));
  QCOMPARE(shown().toInt(), 1);
  QVERIFY(run("graph.tower"));
  QVERIFY(!shown().isValid());
  QVERIFY(!run("graph.tower", {"tower_7"}));
}

QTEST_MAIN(TestEditor)
#include "tst_editor.moc"
