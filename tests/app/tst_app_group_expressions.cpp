// Expressions inside of groups, with mouse and keys: a parameter of the dock Groups, a field inside an instance that follows it, and all instances after the update.
#include <QAbstractItemView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "adapters/expression_facts.h"
#include "adapters/group_facts.h"
#include "document/document.h"
#include "document/group_store.h"
#include "property_sheet/property_editor.h"
#include "property_sheet/property_sheet.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

class GroupExpressionsTest : public WindowFixture {
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
    widgets()->setFocus();
    QTest::keyClick(widgets(), Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
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
  Document* document() { return window_->workspace().current(); }
  void ok(const char* id, const QStringList& words) {
    const CommandResult result = window_->actionRegistry().run(id, words);
    QVERIFY2(result.ok, qPrintable(result.message));
    if (!result.later) return;
    std::optional<CommandResult> answer;
    QTRY_VERIFY_WITH_TIMEOUT((answer = result.later()).has_value(), 15000);
    QVERIFY2(answer->ok, qPrintable(answer->message));
  }
  /// x → block (first → second) → again, with the dock Groups.
  void twoInstances() {
    QVERIFY(run("file.new-empty"));
    QTRY_VERIFY(document() && window_->canvas());
    ok("graph.add", {"Placeholder", "--name", "x", "--set", "dtype=float32", "--set", "shape=[?,16]"});
    ok("graph.add", {"layers.dense", "--name", "first", "--from", "x:0", "--set", "units=32", "--set", "activation=relu"});
    ok("graph.add", {"layers.dense", "--name", "second", "--from", "first:0", "--set", "units=16"});
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
  bool select(const QStringList& names) {
    if (document()->selection() != names) (void)window_->actionRegistry().run("graph.select", names);
    return document()->selection() == names;
  }
  QString shape(const QString& node) {
    const NodePorts ports = nodePorts(*document()->contents(), node);
    return ports.outputs.isEmpty() ? QString() : u'[' + QString(ports.outputs[0].shape).replace(u'×', u',') + u']';
  }
  weft::widgets::PropertySheet* defaults() { return window_->findChild<weft::widgets::PropertySheet*>(QStringLiteral("group_defaults")); }
  weft::widgets::PropertyEditor* editor(const QString& name) {
    for (auto* s : window_->findChildren<weft::widgets::PropertySheet*>(QStringLiteral("property_sheet")))
      if (s->isVisible() && s->editor(name)) return s->editor(name);
    return nullptr;
  }
  /// The field of a parameter, once the Inspector has settled.
  QLineEdit* fieldOf(const QString& node, const QString& name) {
    for (int i = 0; i < 100 && !(select({node}) && editor(name)); ++i) QTest::qWait(20);
    QTest::qWait(300);  // the page is made again once the costs are known
    auto* e = editor(name);
    if (!e) return nullptr;
    for (QLineEdit* field : e->findChildren<QLineEdit*>())
      if (!field->isHidden()) return field;
    return nullptr;
  }
  bool mark(const QString& name) {
    auto* label = editor(name) ? editor(name)->findChild<QLabel*>(QStringLiteral("expression_mark")) : nullptr;
    return label && label->isVisible();
  }
  QAbstractItemView* popup() {
    for (QWidget* w : QApplication::topLevelWidgets())
      if (w->objectName() == QLatin1String("expression_words") && w->isVisible()) return qobject_cast<QAbstractItemView*>(w);
    return nullptr;
  }
};

QTEST_MAIN(GroupExpressionsTest)
#include "tst_app_group_expressions.moc"
