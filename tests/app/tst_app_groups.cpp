// Groups in the window: made by key and dialog, inserted from the palette, changed in the Inspector and in the dock Groups, kept in libraries; undo and redo.
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QMenu>
#include <QPushButton>
#include <QTreeWidget>

#include "adapters/group_facts.h"
#include "document/group_store.h"
#include "layers_fixture.h"
#include "shell/action_registry.h"
#include "studio_script.h"
#include "weft/groups.h"

using namespace weft::app;

class GroupsTest : public LayersFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theSelectionBecomesAGroupByKey() {
    network();
    selectOnCanvas({"first", "second"});
    QTest::keyClick(canvas(), Qt::Key_F, Qt::ControlModifier | Qt::AltModifier);
    auto* dialog = window_->findChild<QDialog*>(QStringLiteral("group_dialog"));
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->isVisible());
    dialog->findChild<QLineEdit*>(QStringLiteral("group_name"))->setText(QStringLiteral("my block"));
    auto* places = dialog->findChild<QTreeWidget*>(QStringLiteral("group_places"));
    QTreeWidgetItem* units = nullptr;
    for (int i = 0; i < places->topLevelItemCount() && !units; ++i)
      if (places->topLevelItem(i)->text(0) == QLatin1String("first.units")) units = places->topLevelItem(i);
    QVERIFY(units);
    QCOMPARE(units->text(1), QStringLiteral("32"));
    const QRect box = places->visualItemRect(units);
    QTest::mouseClick(places->viewport(), Qt::LeftButton, {}, QPoint(box.left() + 12, box.center().y()));
    QCOMPARE(units->checkState(0), Qt::Checked);
    // A name that cannot be: the dialog stays and says why.
    QTest::mouseClick(button(*dialog, QStringLiteral("Make group")), Qt::LeftButton);
    auto* problem = dialog->findChild<QLabel*>(QStringLiteral("group_problem"));
    QTRY_VERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(QLatin1String("'my block' cannot name a group")), qPrintable(problem->text()));
    dialog->findChild<QLineEdit*>(QStringLiteral("group_name"))->setText(QStringLiteral("block"));
    QTest::mouseClick(button(*dialog, QStringLiteral("Make group")), Qt::LeftButton);
    QTRY_VERIFY(document()->hasScope(QStringLiteral("block/first")));
    QCOMPARE(document()->history().undoText(), QStringLiteral("Make the group block"));
    const QVector<GroupFacts> groups = GroupStore::of(window_->workspace()).groups();
    QCOMPARE(groups.size(), 1);
    QCOMPARE(groups[0].parameters.size(), 1);
    QCOMPARE(groups[0].parameters[0].name, QStringLiteral("units"));
    // Undo and redo are one step each.
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY(document()->hasScope(QStringLiteral("first")));
    QTRY_VERIFY(GroupStore::of(window_->workspace()).groups().isEmpty());
    QVERIFY(run("edit.redo"));
    QTRY_COMPARE(GroupStore::of(window_->workspace()).groups().size(), 1);
  }

  void theInspectorShowsAndResetsAValueOfItsOwn() {
    block();
    ok("graph.add", {"group:block", "--name", "again", "--from", "block:0"});
    selectOnCanvas({"again"});
    QTRY_VERIFY(editor(QStringLiteral("units")));
    QTest::qWait(300);  // the page is made again once the costs are known
    auto* field = editor(QStringLiteral("units"))->findChild<QLineEdit*>();
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("64"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(values(QStringLiteral("again")).value(QStringLiteral("units")), QStringLiteral("64"));
    QCOMPARE(values(QStringLiteral("block")).size(), 0);
    QTRY_VERIFY(instanceFacts(*document()->contents(), QStringLiteral("again")).parameters[0].isDefault == false);
    // What cannot be stands below the field.
    QTRY_VERIFY(editor(QStringLiteral("units")) && editor(QStringLiteral("units"))->findChild<QLineEdit*>()->text() == QLatin1String("64"));
    field = editor(QStringLiteral("units"))->findChild<QLineEdit*>();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("-3"));
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(100);
    QCOMPARE(values(QStringLiteral("again")).value(QStringLiteral("units")), QStringLiteral("64"));
    ok("group.reset", {"again", "units"});
    QCOMPARE(values(QStringLiteral("again")).size(), 0);
  }

  void theDockChangesAllInstances() {
    block();
    ok("graph.add", {"group:block", "--name", "again", "--from", "block:0"});
    ok("graph.add", {"group:block", "--name", "own", "--from", "again:0", "--set", "units=8"});
    QVERIFY(run("view.show", {QStringLiteral("groups")}));
    QTRY_VERIFY(sheet());
    QTRY_VERIFY(sheet()->editor(QStringLiteral("units")));
    auto* field = sheet()->editor(QStringLiteral("units"))->findChild<QLineEdit*>();
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("48"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,48]"));
    QCOMPARE(shape(QStringLiteral("block/first/kernel")), QStringLiteral("[16,48]"));
    QCOMPARE(shape(QStringLiteral("own/first/kernel")), QStringLiteral("[16,8]"));
    const int steps = document()->history().count();
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(shape(QStringLiteral("again/first/kernel")), QStringLiteral("[16,32]"));
    QCOMPARE(document()->history().count(), steps);
    // All of them at once.
    auto* all = button(*window_, QStringLiteral("Select 3 instances"));
    QVERIFY(all);
    QTest::mouseClick(all, Qt::LeftButton);
    QTRY_COMPARE(document()->selection().size(), 3);
  }

  void anEditedInstanceUpdatesTheOthers() {
    block();
    ok("graph.add", {"group:block", "--name", "again", "--from", "block:0"});
    ok("graph.set", {"again/second", "activation=tanh"});
    selectOnCanvas({"again"});
    QTest::keyClick(canvas(), Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(document()->hasNode(QStringLiteral("block/second/Tanh")));
    QCOMPARE(document()->history().undoText(), QStringLiteral("Update the group from again"));
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY(!document()->hasNode(QStringLiteral("block/second/Tanh")));
    QVERIFY(document()->hasNode(QStringLiteral("again/second/Tanh")));
  }

  void wiresGoToPorts() {
    block();
    ok("graph.add", {"group:block", "--name", "free"});
    ok("graph.connect", {"block:0", "free:inputs"});
    QCOMPARE(reads(QStringLiteral("free/first/MatMul")), QStringLiteral("block/second/BiasAdd:0"));
    ok("graph.disconnect", {"free:inputs"});
    QVERIFY(reads(QStringLiteral("free/first/MatMul")).startsWith(QLatin1String("open_inputs/")));
    QCOMPARE(failure("graph.connect", {"block:0", "free:image"}), QStringLiteral("free: free has no input image; it has inputs"));
    // On a wire, it takes the wire's place.
    ok("graph.insert", {"y:0", "group:block", "--name", "between"});
    QCOMPARE(reads(QStringLiteral("y")), QStringLiteral("between/second/BiasAdd:0"));
    QCOMPARE(reads(QStringLiteral("between/first/MatMul")), QStringLiteral("block/second/BiasAdd:0"));
  }

  void aLibraryOffersItsGroupsInOtherDocuments() {
    block();
    const QString path = folder_.filePath(QStringLiteral("own.weftgroups"));
    ok("group.save-library", {path});
    GroupStore& store = GroupStore::of(window_->workspace());
    QTRY_COMPARE(store.libraries().size(), 1);
    QVERIFY(run("file.new-empty"));
    QTRY_VERIFY(store.groups().isEmpty());
    QCOMPARE(store.items().size(), 1);
    QVERIFY(store.items()[0].summary.contains(QLatin1String("inputs float32")));
    QVERIFY(run("view.show", {QStringLiteral("palette")}));
    ok("graph.add", {store.items()[0].type, "--name", "taken"});
    QTRY_VERIFY(document()->hasScope(QStringLiteral("taken/first")));
    QCOMPARE(store.groups().size(), 1);  // the definition came along
    // Another group of that name is not replaced by the way.
    ok("group.default", {"block", "units=5"});
    QCOMPARE(failure("graph.add", {store.libraries()[0].groups.isEmpty() ? QString() : QStringLiteral("group:block@") + path}),
             QStringLiteral("This document has another group block; rename it, or replace it by that of the library"));
    ok("group.take", {path, "block", "replace"});
    QCOMPARE(shape(QStringLiteral("taken/first/kernel")), QStringLiteral("[16,32]"));
    QVERIFY(run("group.remove-library", {path}));
    QCOMPARE(store.libraries().size(), 0);
  }

  void aBadLibraryIsRefused() {
    const QString text = write(QStringLiteral("bad.weftgroups"), "not a library");
    QVERIFY2(failure("group.add-library", {text}).contains(QLatin1String("bad.weftgroups")), qPrintable(failure("group.add-library", {text})));
    block();
    ok("group.detach", {"block"});
    ok("group.remove", {"block"});
    const QString plain = folder_.filePath(QStringLiteral("plain.weft"));
    ok("file.save", {plain});
    QVERIFY2(failure("group.add-library", {plain}).contains(QLatin1String("There are no groups in this file")),
             qPrintable(failure("group.add-library", {plain})));
    QVERIFY(GroupStore::of(window_->workspace()).libraries().isEmpty());
  }

  void theMenuStaysLow() {
    network();
    for (QMenu* menu : window_->findChildren<QMenu*>())
      if (menu->title() == QLatin1String("&Graph") && !menu->menuAction()->text().isEmpty())
        QVERIFY2(menu->sizeHint().height() <= 760, qPrintable(QString::number(menu->sizeHint().height())));
  }

  void inChinese() {
    block();
    QVERIFY(run("view.show", {QStringLiteral("groups")}));
    window_->setLanguage("zh_CN");
    QTRY_VERIFY(button(*window_, QStringLiteral("插入")));
  }

 private:
  void selectOnCanvas(const QStringList& names) {
    canvas()->selectNames(names);
    QTRY_COMPARE(document()->selection(), names);
    canvas()->setFocus();
  }
  /// x → first → second → y
  void network() {
    chain();
    ok("graph.add", {"Identity", "--name", "y", "--from", "second:0"});
  }
  void block() {
    network();
    ok("group.make", {"first", "second", "--name", "block", "--parameter", "first.units"});
  }
  QMap<QString, QString> values(const QString& scope) {
    QMap<QString, QString> out;
    for (const weft::widgets::Property& p : instanceFacts(*document()->contents(), scope).parameters)
      if (!p.isDefault) out.insert(p.name, p.value);
    return out;
  }
  QString reads(const QString& node) {
    // An open input has no source here: its stand-in is in the graph.
    const NodePorts ports = nodePorts(*document()->contents(), node);
    if (ports.inputs.isEmpty()) return {};
    return ports.inputs[0].source.isEmpty() ? QStringLiteral("open_inputs/") : ports.inputs[0].source;
  }
  QPushButton* button(const QWidget& in, const QString& text) {
    for (QPushButton* b : in.findChildren<QPushButton*>())
      if (b->text() == text && b->isVisible()) return b;
    return nullptr;
  }
  weft::widgets::PropertySheet* sheet() { return window_->findChild<weft::widgets::PropertySheet*>(QStringLiteral("group_defaults")); }
};

QTEST_MAIN(GroupsTest)
#include "tst_app_groups.moc"
