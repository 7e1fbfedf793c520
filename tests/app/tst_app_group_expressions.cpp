// Expressions inside of groups, with mouse and keys: a parameter of the dock Groups, a field inside an instance that follows it, and all instances after the update.
#include <QPushButton>

#include "adapters/expression_facts.h"
#include "adapters/group_facts.h"
#include "document/group_store.h"
#include "layers_fixture.h"
#include "shell/action_registry.h"

using namespace weft::app;

class GroupExpressionsTest : public LayersFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void aFieldInsideFollowsAParameterOfTheGroup() {
    twoInstances();
    declare(QStringLiteral("units=4"));
    QTRY_COMPARE(GroupStore::of(window_->workspace()).groups()[0].parameters.size(), 1);
    QTRY_VERIFY(defaults()->editor(QStringLiteral("units")));
    // One instance has a value of its own.
    type(QStringLiteral("again"), QStringLiteral("units"), QStringLiteral("6"));
    QTRY_VERIFY(!instanceFacts(*document()->contents(), QStringLiteral("again")).parameters[0].isDefault);
    // The field inside follows; the result stands beneath it while it is typed.
    QLineEdit* field = fieldOf(QStringLiteral("block/first"), QStringLiteral("units"));
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("=2*uni"));
    QTRY_VERIFY(popup());
    QTest::keyClick(popup(), Qt::Key_Return);
    QTRY_COMPARE(field->text(), QStringLiteral("=2*units"));
    QTRY_COMPARE(editor(QStringLiteral("units"))->result(), QStringLiteral("= 8"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("block/first/kernel")), QStringLiteral("[16,8]"));
    QCOMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,32]"));
    // The group takes it: one step for all instances.
    const int steps = document()->history().count();
    QVERIFY(select({QStringLiteral("block")}));
    // Without a window system, the closed popup of names leaves no window active, and shortcuts work in the active window alone.
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,12]"));
    QCOMPARE(document()->history().count(), steps + 1);
    // Everywhere it shows as an expression, with the instance's own result.
    field = fieldOf(QStringLiteral("again/first"), QStringLiteral("units"));
    QVERIFY(field);
    QTRY_COMPARE(field->text(), QStringLiteral("=2*units"));
    QCOMPARE(editor(QStringLiteral("units"))->result(), QStringLiteral("= 12"));
    QVERIFY(mark(QStringLiteral("units")));
    QTRY_COMPARE(window_->findChild<QLabel*>(QStringLiteral("group_follows"))->text(), QStringLiteral("first.units = 2*units"));
    // Another value of one instance, another default, and back again.
    type(QStringLiteral("again"), QStringLiteral("units"), QStringLiteral("10"));
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,20]"));
    QCOMPARE(shape(QStringLiteral("block/first/kernel")), QStringLiteral("[16,8]"));
    auto* value = defaults()->editor(QStringLiteral("units"))->findChild<QLineEdit*>();
    value->setFocus();
    value->selectAll();
    QTest::keyClicks(value, QStringLiteral("7"));
    QTest::keyClick(value, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("block/first/kernel")), QStringLiteral("[16,14]"));
    QCOMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,20]"));
    for (int i = 0; i < 3; ++i) {
      const int index = document()->history().index();
      QVERIFY(run("edit.undo"));
      QTRY_COMPARE(document()->history().index(), index - 1);
    }
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,32]"));
    QVERIFY(run("edit.redo"));
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,12]"));
  }

  void whatCannotBeIsSaidWhereItWasTyped() {
    twoInstances();
    declare(QStringLiteral("units=5"));
    QTRY_COMPARE(GroupStore::of(window_->workspace()).groups()[0].parameters.size(), 1);
    auto* problem = window_->findChild<QLabel*>(QStringLiteral("group_problem_line"));
    declare(QStringLiteral("max=3"));
    QTRY_COMPARE(problem->text(), QStringLiteral("'max' cannot name a parameter that expressions use: it is a word of expressions"));
    QTRY_VERIFY(problem->isVisible());
    declare(QStringLiteral("units"));
    QTRY_VERIFY2(problem->text().contains(QLatin1String("a parameter needs a name and a value")), qPrintable(problem->text()));
    QLineEdit* field = fieldOf(QStringLiteral("again/first"), QStringLiteral("units"));
    QVERIFY(field);
    for (const auto& [typed, reason] : {std::pair("=2*unts", "again/first.units = 2*unts: there is no name unts; did you mean units?"),
                                        std::pair("=units/2", "again/first.units = units/2 is 2.5, expected a whole number")}) {
      field->setFocus();
      field->setText(QString());
      QTest::keyClicks(field, QLatin1String(typed));
      if (popup()) popup()->hide();
      QTRY_VERIFY2(editor(QStringLiteral("units"))->problem().contains(QLatin1String(reason)), qPrintable(editor(QStringLiteral("units"))->problem()));
    }
    QTest::keyClick(field, Qt::Key_Escape);
    // A value that does not fit the expressions inside.
    ok("parameter.follow", {"again/first.units=2*units"});
    ok("group.update", {"again"});
    QLineEdit* own = fieldOf(QStringLiteral("again"), QStringLiteral("units"));
    QVERIFY(own);
    own->setFocus();
    own->selectAll();
    QTest::keyClicks(own, QStringLiteral("-3"));
    QTest::keyClick(own, Qt::Key_Return);
    QTRY_VERIFY2(editor(QStringLiteral("units"))->problem().contains(QLatin1String("first.units = 2*units: units is -6, expected 1 to 2147483647")),
                 qPrintable(editor(QStringLiteral("units"))->problem()));
    QCOMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,10]"));
  }

  void inChinese() {
    twoInstances();
    window_->setLanguage("zh_CN");
    auto* line = window_->findChild<QLineEdit*>(QStringLiteral("group_parameter"));
    QTRY_VERIFY(line->placeholderText().contains(QStringLiteral("参数")));
  }

 private:
  /// x → block (first → second) → again, with the dock Groups.
  void twoInstances() {
    chain();
    ok("group.make", {"first", "second", "--name", "block"});
    ok("graph.add", {"group:block", "--name", "again", "--from", "block:0"});
    QVERIFY(run("view.show", {QStringLiteral("groups")}));
    QTRY_VERIFY(window_->findChild<QLineEdit*>(QStringLiteral("group_parameter")));
    QTRY_VERIFY(window_->findChild<QLineEdit*>(QStringLiteral("group_parameter"))->isVisible());
  }
  void declare(const QString& text) {
    auto* line = window_->findChild<QLineEdit*>(QStringLiteral("group_parameter"));
    line->setFocus();
    line->clear();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  void type(const QString& node, const QString& name, const QString& value) {
    QLineEdit* field = fieldOf(node, name);
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, value);
    QTest::keyClick(field, Qt::Key_Return);
  }
  weft::widgets::PropertySheet* defaults() { return window_->findChild<weft::widgets::PropertySheet*>(QStringLiteral("group_defaults")); }
};

QTEST_MAIN(GroupExpressionsTest)
#include "tst_app_group_expressions.moc"
