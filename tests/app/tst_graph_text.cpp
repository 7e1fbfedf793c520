#include <QLabel>
#include <QToolButton>

#include "adapters/graph_text.h"
#include "code_editor/code_editor.h"
#include "document/document.h"
#include "views/graph_text/graph_text_view.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::CodeEditor;

/// The graph as text beside the canvas: shown, followed, edited, checked, applied as one step.
class TestGraphText : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    open(write("g.pbtxt", kGraph));
    window_->showView("graph_text");
    QTRY_VERIFY_WITH_TIMEOUT(view() && view()->editor()->text().contains("Placeholder"), 10000);
  }
  void cleanup() { closeWindow(); }
  void showsTheGraphAsItsFileHoldsIt();
  void selectionGoesBothWays();
  void editsAreOneStep();
  void errorsStandAtTheirLine_data();
  void errorsStandAtTheirLine();
  void changesOfTheCanvasStayWhenTextIsApplied();
  void discardForgetsWhatWasTyped();
  void largeGraphsShowWhatIsSelected();

 private:
  GraphTextView* view() const { return qobject_cast<GraphTextView*>(window_->viewWidget("graph_text")); }
  CodeEditor* editor() const { return view()->editor(); }
  QString state() const { return view()->findChild<QLabel*>("graph_text_state")->text(); }
  QToolButton* button(const char* name) const { return view()->findChild<QToolButton*>(name); }
};

void TestGraphText::showsTheGraphAsItsFileHoldsIt() {
  QVERIFY(editor()->text().startsWith("node {\n  name: \"x\"\n  op: \"Placeholder\"\n"));
  const auto places = nodePlaces(editor()->text());
  QCOMPARE(places.size(), 2);
  QCOMPARE(places[0].name, QString("x"));
  QCOMPARE(places[0].first, 1);
  QCOMPARE(places[1].name, QString("a/y"));
  QCOMPARE(editor()->lineText(places[1].last), QString("}"));
}

void TestGraphText::selectionGoesBothWays() {
  const auto places = nodePlaces(editor()->text());
  document()->setSelection({"a/y"});
  QTRY_VERIFY(editor()->marked().contains(places[1].first));
  QVERIFY(!editor()->marked().contains(places[0].first));
  editor()->setFocus();
  QTRY_VERIFY(editor()->hasFocus());
  editor()->goToLine(places[0].first + 1);
  QTRY_COMPARE(document()->selection(), QStringList("x"));
}

void TestGraphText::editsAreOneStep() {
  QString text = editor()->text();
  text.replace("\"Relu\"", "\"Tanh\"");
  text += "node {\n  name: \"b\"\n  op: \"Square\"\n  input: \"a/y\"\n  attr { key: \"T\" value { type: DT_FLOAT } }\n}\n";
  editor()->replaceAll(text);
  QTRY_COMPARE_WITH_TIMEOUT(state(), QString("1 changed, 1 new"), 10000);
  QTest::mouseClick(button("graph_text_apply"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("b"), 10000);
  QCOMPARE(document()->history().count(), 1);
  QCOMPARE(document()->model()->nodeOp(document()->nodeIndex("a/y")), QString("Tanh"));
  QTRY_VERIFY(!button("graph_text_apply")->isEnabled());
  QVERIFY(run("edit.undo"));
  QTRY_VERIFY(!document()->hasNode("b"));
  QCOMPARE(document()->model()->nodeOp(document()->nodeIndex("a/y")), QString("Relu"));
  QTRY_VERIFY_WITH_TIMEOUT(editor()->text().contains("Relu") && !editor()->text().contains("Square"), 10000);
}

void TestGraphText::errorsStandAtTheirLine_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  QTest::addColumn<int>("line");
  QTest::addColumn<QString>("message");
  QTest::addColumn<bool>("applies");
  QTest::newRow("a field that there is not") << "  op: \"Placeholder\""
                                             << "  opp: \"Placeholder\"" << 3 << "opp" << false;
  QTest::newRow("a value that is none") << "DT_FLOAT"
                                        << "DT_FLOOT" << 7 << "DT_FLOOT" << false;
  QTest::newRow("two of one name") << "\"a/y\""
                                   << "\"x\"" << 11 << "two nodes are called x" << false;
  QTest::newRow("an input that is not there") << "input: \"x\""
                                              << "input: \"xx\"" << 11 << "xx" << true;
}

void TestGraphText::errorsStandAtTheirLine() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  QFETCH(int, line);
  QFETCH(QString, message);
  QFETCH(bool, applies);
  QString text = editor()->text();
  const qsizetype at = text.indexOf(from);
  QVERIFY(at >= 0);
  editor()->replaceAll(text.replace(at, from.size(), to));
  QTRY_VERIFY_WITH_TIMEOUT(!editor()->errors().isEmpty(), 10000);
  QCOMPARE(editor()->errors().firstKey(), line);
  QVERIFY2(editor()->errors().first().contains(message), qPrintable(editor()->errors().first()));
  QVERIFY2(state().startsWith(QString("Line %1: ").arg(line)), qPrintable(state()));
  QCOMPARE(button("graph_text_apply")->isEnabled(), applies);
  QCOMPARE(document()->history().count(), 0);
}

void TestGraphText::changesOfTheCanvasStayWhenTextIsApplied() {
  QString text = editor()->text();
  editor()->replaceAll(text.replace("\"Relu\"", "\"Tanh\""));
  QTRY_COMPARE_WITH_TIMEOUT(state(), QString("1 changed"), 10000);
  QVERIFY(run("graph.add", {"Const", "--name", "c"}));
  QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("c"), 10000);
  QTRY_VERIFY(state().contains("changed in the meantime"));
  QTest::mouseClick(button("graph_text_apply"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(document()->model()->nodeOp(document()->nodeIndex("a/y")), QString("Tanh"), 10000);
  QVERIFY(document()->hasNode("c"));
  QTRY_VERIFY_WITH_TIMEOUT(editor()->text().contains("\"c\""), 10000);
}

void TestGraphText::discardForgetsWhatWasTyped() {
  const QString before = editor()->text();
  editor()->replaceAll(before + "nonsense");
  QTRY_VERIFY_WITH_TIMEOUT(!editor()->errors().isEmpty(), 10000);
  QTest::mouseClick(button("graph_text_discard"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(editor()->text(), before, 10000);
  QVERIFY(editor()->errors().isEmpty());
  QVERIFY(!button("graph_text_discard")->isEnabled());
}

void TestGraphText::largeGraphsShowWhatIsSelected() {
  QByteArray large;
  for (int i = 0; i < GraphTextView::kMostNodes + 10; ++i)
    large += "node { name: \"s" + QByteArray::number(i / 50) + "/n" + QByteArray::number(i) + "\" op: \"NoOp\" }\n";
  open(write("large.pbtxt", large));
  QTRY_VERIFY(!editor()->isVisible());  // nothing is selected
  document()->setSelection({"s3"});
  QTRY_VERIFY_WITH_TIMEOUT(editor()->isVisible() && nodePlaces(editor()->text()).size() == 50, 10000);
  QCOMPARE(nodePlaces(editor()->text()).first().name, QString("s3/n150"));
}

QTEST_MAIN(TestGraphText)
#include "tst_graph_text.moc"
