#include <QLineEdit>
#include <QTest>

#include "code_editor/code_editor.h"
#include "code_editor/find_bar.h"
#include "common/theme.h"

using namespace weft::widgets;

/// The editor of programs and text graphs: its marks move with their lines, ghost texts are no part of the text, find and replace are steps of the history.
class TestCodeEditor : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { editor_.reset(); }
  void loadsWithoutHistory();
  void marksMoveWithTheirLines();
  void ghostsGoWithTheEditOfTheirLine();
  void ghostsArePaintedBehindTheText();
  void errorsHaveALineAndAToolTip();
  void replacingLinesIsOneStep();
  void findsAndReplaces();
  void lineEndsAreKept();
  void followsTheTheme();

 private:
  QImage picture() {
    QImage image(editor_->viewport()->size(), QImage::Format_RGB32);
    editor_->viewport()->render(&image);
    return image;
  }
  std::unique_ptr<CodeEditor> editor_;
};

void TestCodeEditor::init() {
  editor_ = std::make_unique<CodeEditor>(CodeEditor::Language::Python);
  editor_->resize(700, 300);
  editor_->load("a = 1\nb = 2\nc = 3\n");
  editor_->show();
  QVERIFY(QTest::qWaitForWindowExposed(editor_.get()));
}

void TestCodeEditor::loadsWithoutHistory() {
  QVERIFY(!editor_->isModified());
  QVERIFY(!editor_->isUndoAvailable());
  QCOMPARE(editor_->lineText(2), QString("b = 2"));
  QTest::keyClicks(editor_.get(), "x");
  QCOMPARE(editor_->lineText(1), QString("xa = 1"));
  QVERIFY(editor_->isModified());
  QTest::keyClick(editor_.get(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(editor_->lineText(1), QString("a = 1"));
  QVERIFY(!editor_->isModified());
}

void TestCodeEditor::marksMoveWithTheirLines() {
  editor_->setBreakpoints({{2, false}, {3, true}});
  editor_->setVerdicts({{3, Verdict::Wrong}});
  editor_->setGhosts({{2, {{"b:0", Role::Text3}}}});
  editor_->goToLine(1);
  QTest::keyClick(editor_.get(), Qt::Key_End);
  QTest::keyClick(editor_.get(), Qt::Key_Return);  // a line between a and b
  QCOMPARE(editor_->breakpoints(), (QMap<int, bool>{{3, false}, {4, true}}));
  QCOMPARE(editor_->verdicts().keys(), QList<int>{4});
  QCOMPARE(editor_->ghosts().keys(), QList<int>{3});
}

void TestCodeEditor::ghostsGoWithTheEditOfTheirLine() {
  editor_->setGhosts({{1, {{"a:0", Role::Text3}}}, {2, {{"b:0", Role::Text3}}}});
  editor_->goToLine(2, 1);
  QTest::keyClicks(editor_.get(), "x");
  QCOMPARE(editor_->ghosts().keys(), QList<int>{1});
  QCOMPARE(editor_->text(), QString("a = 1\nbx = 2\nc = 3\n"));
}

void TestCodeEditor::ghostsArePaintedBehindTheText() {
  const QImage before = picture();
  editor_->setGhosts({{2, {{"→ b:0  scalar f32", Role::Text3}, {"= 2", Role::Ok}}}});
  const QRect rect = editor_->ghostRect(2);
  QVERIFY(!rect.isEmpty());
  const QImage after = picture();
  QVERIFY(before.copy(rect) != after.copy(rect));
  QCOMPARE(before.copy(0, rect.top(), rect.left() - 1, rect.height()), after.copy(0, rect.top(), rect.left() - 1, rect.height()));
  QCOMPARE(editor_->toolTipAt(rect.center()), QString("→ b:0  scalar f32  = 2"));
}

void TestCodeEditor::errorsHaveALineAndAToolTip() {
  editor_->setErrors({{3, "what is wrong"}});
  QCOMPARE(editor_->errors(), (QMap<int, QString>{{3, "what is wrong"}}));
  const QRect rect(0, 0, 1, 1);
  editor_->setGhosts({{3, {{"x", Role::Text3}}}});
  QCOMPARE(editor_->toolTipAt(editor_->ghostRect(3).center()), QString("what is wrong"));
  editor_->setErrors({});
  QVERIFY(editor_->errors().isEmpty());
}

void TestCodeEditor::replacingLinesIsOneStep() {
  editor_->replaceLines(2, 3, "one = 1\ntwo = 2\nthree = 3");
  QCOMPARE(editor_->text(), QString("a = 1\none = 1\ntwo = 2\nthree = 3\n"));
  editor_->undo();
  QCOMPARE(editor_->text(), QString("a = 1\nb = 2\nc = 3\n"));
}

void TestCodeEditor::findsAndReplaces() {
  editor_->load("x = tf.add(x, y)\nX = x\n");
  FindBar bar(editor_.get(), nullptr);
  bar.open(true);
  auto* text = bar.findChild<QLineEdit*>("find_text");
  QTest::keyClicks(text, "x");
  QCOMPARE(bar.matches(), 4);
  QVERIFY(editor_->hasSelectedText());
  bar.findChild<QLineEdit*>("replace_text")->setText("z");
  QCOMPARE(bar.replaceAll(), 4);
  QCOMPARE(editor_->text(), QString("z = tf.add(z, y)\nz = z\n"));
  editor_->undo();
  QCOMPARE(editor_->text(), QString("x = tf.add(x, y)\nX = x\n"));
  QTest::keyClick(text, Qt::Key_Escape);
  QVERIFY(bar.isHidden());
}

void TestCodeEditor::lineEndsAreKept() {
  editor_->load("a = 1\r\nb = 2\r\n");
  editor_->goToLine(1);
  QTest::keyClick(editor_.get(), Qt::Key_End);
  QTest::keyClick(editor_.get(), Qt::Key_Return);
  QCOMPARE(editor_->text(), QString("a = 1\r\n\r\nb = 2\r\n"));
}

void TestCodeEditor::followsTheTheme() {
  const auto ground = [this] { return picture().pixelColor(editor_->viewport()->width() - 3, editor_->viewport()->height() - 3); };
  for (const Theme::Kind kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
    Theme::apply(*qApp, kind);
    QTRY_COMPARE(ground(), Theme::current().color(Role::Surface0));
  }
}

QTEST_MAIN(TestCodeEditor)
#include "tst_code_editor.moc"
