// Cells of the Spreadsheet: pasted from the clipboard by key, in one step or not at all; columns that are moved keep their places.
#include <QClipboard>
#include <QHeaderView>

#include "sheet_fixture.h"
#include "shell/action_registry.h"

using namespace weft::app;

class SheetCellsTest : public SheetFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    openGraph();
  }
  void cleanup() { closeWindow(); }

  void linesAndTabsGoIntoCells() {
    order({QStringLiteral("name"), QStringLiteral("device")});
    click(1, columnOf(QStringLiteral("name")));
    paste(QStringLiteral("c/first\t/device:CPU:0\nc/second\t/device:CPU:1\n"));
    QTRY_COMPARE(cells(QStringLiteral("name")),
                 QStringList({QStringLiteral("x"), QStringLiteral("c/first"), QStringLiteral("c/second"), QStringLiteral("b/w")}));
    QCOMPARE(cells(QStringLiteral("device")), QStringList({QString(), QStringLiteral("/device:CPU:0"), QStringLiteral("/device:CPU:1"), QString()}));
    QCOMPARE(document()->history().count(), 1);
    QCOMPARE(document()->history().undoText(), QStringLiteral("Paste 4 values"));
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(cells(QStringLiteral("device")), QStringList(4, QString()));
    QCOMPARE(cells(QStringLiteral("name"))[1], QStringLiteral("a/y"));
  }

  void oneValueIsForAllSelectedCells() {
    click(0, columnOf(QStringLiteral("device")));
    click(2, columnOf(QStringLiteral("device")), Qt::ShiftModifier);
    paste(QStringLiteral("/device:CPU:0"));
    QTRY_COMPARE(cells(QStringLiteral("device")),
                 QStringList({QStringLiteral("/device:CPU:0"), QStringLiteral("/device:CPU:0"), QStringLiteral("/device:CPU:0"), QString()}));
    QCOMPARE(document()->history().count(), 1);
    // Pasted again, nothing changes.
    paste(QStringLiteral("/device:CPU:0"));
    QCOMPARE(document()->history().count(), 1);
  }

  void whatDoesNotFitIsRefusedAsAWhole() {
    click(3, columnOf(QStringLiteral("device")));
    paste(QStringLiteral("/device:CPU:0\n/device:CPU:1"));
    QTRY_VERIFY2(says(QStringLiteral("The clipboard has 2 lines, which is more than there are rows from here on.")), qPrintable(message()));
    click(0, columnOf(QStringLiteral("op")));
    paste(QStringLiteral("Relu\nTanh"));
    QTRY_VERIFY2(says(QStringLiteral("op of x cannot be changed here.")), qPrintable(message()));
    paste(QStringLiteral("Relu"));
    QTRY_VERIFY2(says(QStringLiteral("None of the selected cells can be changed.")), qPrintable(message()));
    click(0, columnOf(QStringLiteral("device")));
    paste(QStringLiteral("/device:CPU:0\nthe big one"));
    QTRY_VERIFY2(says(QStringLiteral("the big one")), qPrintable(message()));
    QTRY_VERIFY(!store().isBusy());
    QCOMPARE(cells(QStringLiteral("device")), QStringList(4, QString()));
    QCOMPARE(document()->history().count(), 0);
  }

  void variablesAreTrainableOrNot() {
    openTemplate();
    QVERIFY(run("sheet.show", {QStringLiteral("variables")}));
    const auto trainable = [this] { return trainableNames(); };
    QTRY_VERIFY(!store().isBusy() && trainable().size() == 6);
    const QStringList all = trainable();
    const QString column = QStringLiteral("trainable");
    const auto rowOf = [this](const QString& name) { return int(cells(QStringLiteral("name")).indexOf(name)); };
    const int before = document()->history().count();
    QVERIFY(document()->hasNode(all[0] + QStringLiteral("/Adam")));
    // Typed for the rows that a filter leaves.
    QVERIFY(run("sheet.filter", {QStringLiteral("trainable = 1 bias")}));
    QTRY_VERIFY(!store().isBusy() && table()->model()->rowCount() == 3);
    table()->selectAll();
    QVERIFY(run("sheet.set", {column, QStringLiteral("0")}));
    QVERIFY(run("sheet.filter", {QString()}));
    QTRY_VERIFY(!store().isBusy() && trainable() == all.filter(QStringLiteral("kernel")));
    QCOMPARE(document()->history().count(), before + 1);
    // The optimizer has no state for them any more.
    for (const QString& name : all) QCOMPARE(document()->hasNode(name + QStringLiteral("/Adam")), name.endsWith(QLatin1String("kernel")));
    // Pasted.
    click(rowOf(all.filter(QStringLiteral("bias"))[0]), columnOf(column));
    paste(QStringLiteral("1"));
    QTRY_COMPARE(trainable().size(), 4);
    QCOMPARE(document()->history().count(), before + 2);
    // A state of the optimizer, a counter, and a text that is neither.
    click(rowOf(all.filter(QStringLiteral("kernel"))[0] + QStringLiteral("/Adam")), columnOf(column));
    paste(QStringLiteral("1"));
    QTRY_VERIFY2(says(QStringLiteral("is the state of an optimizer")), qPrintable(message()));
    click(rowOf(QStringLiteral("global_step")), columnOf(column));
    paste(QStringLiteral("1"));
    QTRY_VERIFY2(says(QStringLiteral("global_step holds int64; only floating-point variables can be trained")), qPrintable(message()));
    click(rowOf(all[0]), columnOf(column));
    paste(QStringLiteral("perhaps"));
    QTRY_VERIFY2(says(QStringLiteral("trainable is 'perhaps', expected true or false")), qPrintable(message()));
    QCOMPARE(document()->history().count(), before + 2);
    QVERIFY(run("edit.undo", {QStringLiteral("2")}));
    QTRY_COMPARE(trainable(), all);
    for (const QString& name : all) QVERIFY(document()->hasNode(name + QStringLiteral("/Adam")));
  }

  void movedColumnsAreRemembered() {
    QHeaderView* header = table()->horizontalHeader();
    const int device = store().table()->column(QStringLiteral("device"));
    header->moveSection(header->visualIndex(device), 0);  // as the mouse does
    QTRY_COMPARE(store().columnOrder().value(0), QStringLiteral("device"));
    QCOMPARE(store().table()->columns[store().shownColumns()[0]].name, QStringLiteral("device"));
    // Another sheet has its own, and this one comes back.
    store().setKind(SheetKind::Variables);
    QTRY_VERIFY(!store().isBusy());
    store().setKind(SheetKind::Nodes);
    QTRY_VERIFY(!store().isBusy() && table()->model()->rowCount() == 4);
    QCOMPARE(table()->horizontalHeader()->visualIndex(device), 0);
    // The next window starts with it.
    QCOMPARE(window_->workspace().settings().value(QStringLiteral("sheet/order-nodes")).toStringList(), store().columnOrder());
    store().showDefaultColumns();
    QCOMPARE(table()->horizontalHeader()->visualIndex(0), 0);
    QVERIFY(store().columnOrder().isEmpty());
  }

 private:
  void order(const QStringList& names) { store().setColumnOrder(names); }
  void paste(const QString& text) {
    QApplication::clipboard()->setText(text);
    QTest::keyClick(table(), Qt::Key_V, Qt::ControlModifier);
    QTRY_VERIFY(!store().isBusy());
  }
  QStringList trainableNames() {
    QStringList out;
    const QStringList names = cells(QStringLiteral("name")), values = cells(QStringLiteral("trainable"));
    for (qsizetype i = 0; i < names.size(); ++i)
      if (values[i] == QLatin1String("1")) out << names[i];
    return out;
  }
};

QTEST_MAIN(SheetCellsTest)
#include "tst_app_sheet_cells.moc"
