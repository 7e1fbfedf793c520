// The dock Spreadsheet by mouse and keys: sheets, filters, orders, columns, sums, copies, edits of many nodes in one step, what is refused, and the canvas.
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QTabBar>
#include <QToolButton>

#include "graph_view/graph_view.h"
#include "sheet_fixture.h"
#include "shell/action_registry.h"
#include "views/sheet/sheet_parts.h"
#include "views/sheet/sheet_view.h"

using namespace weft::app;

class SpreadsheetTest : public SheetFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void openedByKeys() {
    openTemplate();
    QTest::keyClick(window_.get(), Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(view() && filter()->hasFocus());
    QTRY_COMPARE(rows(), int(window_->workspace().current()->model()->nodes.size()));
    QCOMPARE(header(0), QStringLiteral("name"));
    QVERIFY(says(QStringLiteral("rows")));
    // Down leads to the rows.
    QTest::keyClick(filter(), Qt::Key_Down);
    QTRY_VERIFY(table()->hasFocus());
    QCOMPARE(table()->currentIndex().row(), 0);
  }

  void withoutADocument() {
    QVERIFY(run("sheet.show"));  // the start page covers the docks
    window_->workspace().open(write(QStringLiteral("table.csv"), "a,b\n1,2\n3,4\n"));
    QTRY_VERIFY(!window_->workspace().files().isEmpty());
    QVERIFY(run("sheet.show"));
    QTRY_VERIFY(view()->isVisible() && !store().isBusy());
    QTRY_VERIFY(says(QStringLiteral("No graph is open")));
    QVERIFY(!run("sheet.set", {QStringLiteral("device"), QStringLiteral("/cpu:0")}));
    QVERIFY(!run("sheet.export", {folder_.filePath(QStringLiteral("nothing.csv"))}));
    choose(SheetKind::Runs);
    QTRY_VERIFY(says(QStringLiteral("There are no runs yet")));
    choose(SheetKind::Tensors);
    QTRY_VERIFY(says(QStringLiteral("There are no values yet")));
  }

  void filteredByWordsAndConditions() {
    showSheet();
    const int all = rows();
    type(QStringLiteral("matmul"));
    QTRY_VERIFY(rows() > 0 && rows() < all);
    type(QStringLiteral("op = MatMul and inputs = 2"));
    QTRY_COMPARE(distinct(QStringLiteral("op")), QSet<QString>{QStringLiteral("MatMul")});
    QVERIFY(says(QStringLiteral(" of ")));
    type(QStringLiteral("bytes > 1k or device = \"/nowhere\""));
    QTRY_VERIFY(rows() > 0 && cells(QStringLiteral("bytes")).first().toLongLong() > 1000);
    type(QStringLiteral("nothing_is_called_this"));
    QTRY_COMPARE(rows(), 0);
    QVERIFY(table()->isVisible());
    QTest::keyClick(filter(), Qt::Key_Escape);
    QTRY_COMPARE(rows(), all);
  }

  void badFiltersAreSaid() {
    showSheet();
    const int all = rows();
    type(QStringLiteral("byts > 3"));
    QTRY_VERIFY(says(QStringLiteral("did you mean 'bytes'?")));
    QCOMPARE(rows(), all);
    QVERIFY(run("sheet.filter", {QStringLiteral("bytes > many")}));  // the result comes later
    QTRY_VERIFY(says(QStringLiteral("'many' is not a number")));
    QVERIFY(run("sheet.filter"));
    QTRY_VERIFY(!says(QStringLiteral("is not a number")));
  }

  void sortedByHeaders() {
    showSheet();
    clickHeader(QStringLiteral("bytes"));
    QTRY_VERIFY(isSorted(QStringLiteral("bytes"), false));
    clickHeader(QStringLiteral("bytes"));
    QTRY_VERIFY(isSorted(QStringLiteral("bytes"), true));
    // Equal rows keep the order of the sort before.
    clickHeader(QStringLiteral("op"));
    QTRY_VERIFY(store().orders().size() == 2 && !store().isBusy());
    const QStringList ops = cells(QStringLiteral("op")), sizes = cells(QStringLiteral("bytes"));
    for (int i = 1; i < ops.size(); ++i)
      if (ops[i] == ops[i - 1] && !sizes[i].isEmpty()) QVERIFY(sizes[i].toLongLong() <= sizes[i - 1].toLongLong());
    clickHeader(QStringLiteral("op"));
    clickHeader(QStringLiteral("op"));
    QTRY_VERIFY(store().orders().isEmpty() && !store().isBusy());
    QCOMPARE(store().selected().size(), size_t(0));  // a click on a title selects nothing
    QVERIFY(!run("sheet.sort", {QStringLiteral("nothing")}));
    QVERIFY(!run("sheet.sort", {QStringLiteral("op"), QStringLiteral("sideways")}));
  }

  void columnsAreChosenAndRemembered() {
    showSheet();
    QVERIFY(!table()->isColumnHidden(columnOf(QStringLiteral("flops"))));
    auto* menu = tool(QStringLiteral("Columns"))->menu();
    emit menu->aboutToShow();
    for (QAction* action : menu->actions())
      if (action->text() == QLatin1String("flops")) action->trigger();
    QTRY_VERIFY(table()->isColumnHidden(columnOf(QStringLiteral("flops"))));
    QCOMPARE(window_->workspace().settings().value(QStringLiteral("sheet/hidden-nodes")).toStringList().contains(QStringLiteral("flops")), true);
    QVERIFY(run("sheet.column", {QStringLiteral("flops"), QStringLiteral("show")}));
    QVERIFY(!table()->isColumnHidden(columnOf(QStringLiteral("flops"))));
    QVERIFY(!run("sheet.column", {QStringLiteral("flopps")}));
    // An attribute becomes a column; cells of ops without it are empty.
    QVERIFY(run("sheet.attribute", {QStringLiteral("transpose_a")}));
    QTRY_VERIFY(columnOf(QStringLiteral("transpose_a")) >= 0);
    QVERIFY(run("sheet.filter", {QStringLiteral("transpose_a = false")}));
    QTRY_COMPARE(distinct(QStringLiteral("op")), QSet<QString>{QStringLiteral("MatMul")});
    QVERIFY(!run("sheet.attribute", {QStringLiteral("no_such_attribute"), QStringLiteral("show")}));
    QVERIFY(run("sheet.attribute", {QStringLiteral("transpose_a"), QStringLiteral("hide")}));
    QTRY_VERIFY(columnOf(QStringLiteral("transpose_a")) < 0);
    QTRY_VERIFY(says(QStringLiteral("There is no column 'transpose_a'")));  // the filter still names it
  }

  void cellsAreSummedCopiedAndSaved() {
    showSheet();
    QVERIFY(run("sheet.filter", {QStringLiteral("op = VariableV2 bytes > 0")}));
    QTRY_VERIFY(!store().isBusy() && rows() > 1);
    const int bytes = columnOf(QStringLiteral("bytes"));
    click(0, bytes);
    click(1, bytes, Qt::ShiftModifier);
    QTRY_VERIFY(says(QStringLiteral("2 numbers · sum ")));
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), cells(QStringLiteral("bytes")).mid(0, 2).join(u'\n'));
    const QString path = folder_.filePath(QStringLiteral("nodes.csv"));
    QVERIFY(run("sheet.export", {path}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().startsWith("name,op,device,"));
    QVERIFY(!run("sheet.export", {QStringLiteral("/nowhere/at/all.csv")}));
  }

  void rowsAndCanvasSelectTogether() {
    showSheet();
    Document* document = window_->workspace().current();
    QVERIFY(run("sheet.filter", {QStringLiteral("op = MatMul")}));
    QTRY_VERIFY(!store().isBusy() && rows() > 1);
    click(0, 0);
    QTRY_COMPARE(document->selection(), QStringList{text(0, 0)});
    window_->canvas()->setFocus();
    window_->canvas()->selectNames({text(1, 0)});
    QTRY_COMPARE(selectedNames(), QStringList{text(1, 0)});
    // Sorting keeps the selection by name.
    const QString name = text(1, 0);
    clickHeader(QStringLiteral("name"));
    QTRY_VERIFY(!store().isBusy());
    QCOMPARE(selectedNames(), QStringList{name});
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Return);
    QTRY_VERIFY(window_->canvas()->hasFocus());
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(table()->model()->index(0, 1)).center());
    QTRY_COMPARE(document->selection(), QStringList{text(0, 0)});
  }

  void oneValueIsTypedForManyCells() {
    openGraph();
    Document* document = window_->workspace().current();
    const int device = columnOf(QStringLiteral("device"));
    click(0, device);
    click(2, device, Qt::ShiftModifier);
    QTest::keyClicks(table(), QStringLiteral("/"));
    auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(editor && table()->isAncestorOf(editor));
    editor->setText(QStringLiteral("/device:CPU:0"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(cells(QStringLiteral("device")),
                 QStringList({QStringLiteral("/device:CPU:0"), QStringLiteral("/device:CPU:0"), QStringLiteral("/device:CPU:0"), QString()}));
    QCOMPARE(document->history().count(), 1);
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(cells(QStringLiteral("device")), QStringList(4, QString()));
    // The cells are still selected.
    QTRY_COMPARE(selectedNames().size(), 3);
  }

  void refusedEditsChangeNothing() {
    openGraph();
    Document* document = window_->workspace().current();
    QVERIFY(run("sheet.attribute", {QStringLiteral("T"), QStringLiteral("show")}));
    QTRY_VERIFY(columnOf(QStringLiteral("T")) >= 0);
    selectRows({1, 2});
    edit(QStringLiteral("T"), QStringLiteral("banana"));
    QTRY_VERIFY2(says(QStringLiteral("a/y: ")), qPrintable(message()));
    QVERIFY2(says(QStringLiteral("banana")), qPrintable(message()));
    edit(QStringLiteral("device"), QStringLiteral("the big one"));
    QTRY_VERIFY2(says(QStringLiteral("the big one")), qPrintable(message()));
    edit(QStringLiteral("name"), QStringLiteral("x"));  // both, and it is taken
    QTRY_VERIFY2(says(QStringLiteral("would be called x")), qPrintable(message()));
    selectRows({1});
    edit(QStringLiteral("name"), QStringLiteral("x"));
    QTRY_VERIFY2(says(QStringLiteral("x")) && !says(QStringLiteral("would be called")), qPrintable(message()));
    edit(QStringLiteral("name"), QStringLiteral("no good"));
    QTRY_VERIFY2(says(QStringLiteral("is not a valid node name")), qPrintable(message()));
    QCOMPARE(document->history().count(), 0);
    QCOMPARE(cells(QStringLiteral("name")), QStringList({QStringLiteral("x"), QStringLiteral("a/y"), QStringLiteral("a/z"), QStringLiteral("b/w")}));
    // Columns that are computed cannot be typed into.
    QVERIFY(!(table()->model()->flags(table()->model()->index(0, columnOf(QStringLiteral("bytes")))) & Qt::ItemIsEditable));
  }

  void namesByTemplateAndReplacement() {
    openGraph();
    Document* document = window_->workspace().current();
    selectRows({1, 2, 3});
    QVERIFY(run("sheet.set"));
    auto* bar = view()->findChild<SheetEditBar*>();
    QTRY_VERIFY(bar->isVisible());
    const auto boxes = bar->findChildren<QComboBox*>();
    const auto fields = bar->findChildren<QLineEdit*>();
    boxes[0]->setCurrentText(QStringLiteral("name"));
    boxes[1]->setCurrentIndex(0);
    QTest::keyClicks(fields[1], QStringLiteral("net/{last}_{n}"));
    auto* apply = bar->findChild<QPushButton*>();
    QCOMPARE(apply->text(), QStringLiteral("Set for 3 rows"));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_COMPARE(cells(QStringLiteral("name")),
                 QStringList({QStringLiteral("x"), QStringLiteral("net/y_1"), QStringLiteral("net/z_2"), QStringLiteral("net/w_3")}));
    QCOMPARE(document->history().count(), 1);
    QTRY_COMPARE(selectedNames().size(), 3);
    // A part of the names, then back to a scope.
    boxes[1]->setCurrentIndex(1);
    QVERIFY(fields[0]->isVisible());
    fields[0]->setText(QStringLiteral("net/"));
    fields[1]->setText(QStringLiteral("deep/net/"));
    QTest::keyClick(fields[1], Qt::Key_Return);
    QTRY_VERIFY(cells(QStringLiteral("name")).contains(QStringLiteral("deep/net/w_3")));
    fields[0]->setText(QStringLiteral("not there"));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY2(says(QStringLiteral("No name of these nodes holds 'not there'")), qPrintable(message()));
    QTRY_COMPARE(selectedNames().size(), 3);
    QVERIFY(run("sheet.set", {QStringLiteral("scope"), QStringLiteral("{op}")}));
    QTRY_VERIFY(cells(QStringLiteral("name")).contains(QStringLiteral("Relu/y_1")));
    QTest::keyClick(fields[1], Qt::Key_Escape);
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(run("edit.undo", {QStringLiteral("3")}));
    QTRY_VERIFY(cells(QStringLiteral("name")).contains(QStringLiteral("a/y")));
  }

  void namesAreExchanged() {
    openGraph();
    QVERIFY(
        run("graph.set-all", {QStringLiteral("a/y"), QStringLiteral("a/z"), QStringLiteral("name=a/z"), QStringLiteral("--replace"), QStringLiteral("a/y")}));
    QTest::qWait(100);
    QVERIFY(cells(QStringLiteral("name")).contains(QStringLiteral("a/y")));  // a/z would be there twice
    QVERIFY(!run("graph.set-all", {QStringLiteral("a/y")}));
    QVERIFY(run("graph.set-all", {QStringLiteral("a/y"), QStringLiteral("a/z"), QStringLiteral("name=a/step{n}")}));
    QTRY_VERIFY(cells(QStringLiteral("name")).contains(QStringLiteral("a/step2")));
    // step2 becomes step1 while step1 becomes step2.
    QVERIFY(run("graph.set-all", {QStringLiteral("a/step2"), QStringLiteral("a/step1"), QStringLiteral("name=a/step{n}")}));
    QTRY_COMPARE(cells(QStringLiteral("name")).mid(1, 2), QStringList({QStringLiteral("a/step2"), QStringLiteral("a/step1")}));
  }

  void variablesWithTheirValues() {
    openTemplate();
    QVERIFY(run("sheet.show", {QStringLiteral("variables")}));
    QTRY_VERIFY(view() && rows() > 1 && !store().isBusy());
    QVERIFY(says(QStringLiteral("no values yet")));
    QVERIFY(cells(QStringLiteral("trainable")).contains(QStringLiteral("1")));
    QVERIFY(cells(QStringLiteral("initializer")).contains(QStringLiteral("zeros")));
    QVERIFY(run("run.train", {QStringLiteral("--steps"), QStringLiteral("3")}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive() && window_->workspace().runs().state() == RunController::State::Finished, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(says(QStringLiteral("values: run 1, step 3")), 20000);
    QVERIFY(run("sheet.filter", {QStringLiteral("norm > 0 trainable = 1")}));
    QTRY_VERIFY(!store().isBusy() && rows() > 1);
    choose(SheetKind::Runs);
    QTRY_COMPARE(cells(QStringLiteral("run")), QStringList{QStringLiteral("run 1")});
    QCOMPARE(cells(QStringLiteral("step")), QStringList{QStringLiteral("3")});
    QVERIFY(columnOf(QStringLiteral("loss")) > 0);
    // Each sheet has its own filter.
    QCOMPARE(filter()->text(), QString());
    choose(SheetKind::Variables);
    QTRY_COMPARE(filter()->text(), QStringLiteral("norm > 0 trainable = 1"));
  }

  void tensorsOfADebuggedRun() {
    openGraph();
    choose(SheetKind::Tensors);
    QVERIFY(run("debug.start", {QStringLiteral("--fetch"), QStringLiteral("a/z:0"), QStringLiteral("--feed"), QStringLiteral("x:0=[-1,2,3]")}));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().debugger().isStopped(), 20000);
    QVERIFY(run("sheet.show", {QStringLiteral("tensors")}));  // the layout of the debugger came to the front
    QVERIFY(run("debug.continue"));
    QTRY_VERIFY_WITH_TIMEOUT(cells(QStringLiteral("name")).contains(QStringLiteral("a/y:0")), 20000);
    const int row = int(cells(QStringLiteral("name")).indexOf(QStringLiteral("a/y:0")));
    QCOMPARE(cells(QStringLiteral("max"))[row].toDouble(), 3.0);
    QCOMPARE(cells(QStringLiteral("zeros"))[row], QStringLiteral("1"));
    QCOMPARE(cells(QStringLiteral("shape"))[row], QStringLiteral("[3]"));
    click(row, 0);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{QStringLiteral("a/y")});
  }

  void closedWhileItSorts() {
    showSheet();
    for (const char* column : {"name", "op", "bytes", "name"}) {
      clickHeader(QLatin1String(column));
      store().setFilter(QLatin1String(column));
    }
    QVERIFY(store().isBusy());
    window_->workspace().close(window_->workspace().current());
    QTRY_VERIFY(!store().isBusy());
    QCOMPARE(store().table() ? store().table()->rows() : 0, 0);
    QCOMPARE(rows(), 0);
  }

  void menusOfHeadersAndCells() {
    showSheet();
    emit table()->horizontalHeader()->customContextMenuRequested(
        QPoint(table()->horizontalHeader()->sectionViewportPosition(columnOf(QStringLiteral("op"))) + 10, 8));
    QMenu* only = nullptr;
    for (QMenu* menu : view()->findChildren<QMenu*>())
      if (menu->title() == QLatin1String("Only rows with")) only = menu;
    QVERIFY(only && only->actions().size() > 2);
    const QString op = only->actions().first()->text().section(u'\t', 0, 0);
    only->actions().first()->trigger();
    QTRY_COMPARE(filter()->text(), QStringLiteral("op = %1").arg(op));
    QTRY_COMPARE(distinct(QStringLiteral("op")), QSet<QString>{op});
  }

  void inChinese() {
    showSheet();
    window_->setLanguage("zh_CN");
    QTRY_COMPARE(view()->findChild<QTabBar*>()->tabText(0), QStringLiteral("节点"));
  }

 private:
  void showSheet() {
    openTemplate();
    QVERIFY(run("sheet.show", {QStringLiteral("nodes")}));
    QTRY_VERIFY(view() && rows() > 10 && !store().isBusy());
  }
  QLineEdit* filter() {
    for (auto* field : view()->findChildren<QLineEdit*>())
      if (field->accessibleName() == QLatin1String("Filter of the sheet")) return field;
    return nullptr;
  }
  QToolButton* tool(const QString& name) {
    for (auto* b : view()->findChildren<QToolButton*>())
      if (b->accessibleName() == name) return b;
    return nullptr;
  }
  void choose(SheetKind kind) {
    auto* tabs = view()->findChild<QTabBar*>();
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(int(kind)).center());
    QTRY_VERIFY(store().kind() == kind && !store().isBusy());
  }
  void type(const QString& text) {
    filter()->setFocus();
    filter()->selectAll();
    QTest::keyClicks(filter(), text);
    QTest::keyClick(filter(), Qt::Key_Return);
    QTRY_VERIFY(store().filter() == text && !store().isBusy());
  }
  QString header(int column) { return table()->model()->headerData(column, Qt::Horizontal).toString(); }
  QSet<QString> distinct(const QString& column) {
    const QStringList all = cells(column);
    return {all.begin(), all.end()};
  }
  bool isSorted(const QString& column, bool descending) {
    const QStringList all = cells(column);
    bool ended = false;  // rows without a value come last
    for (int i = 1; i < all.size(); ++i) {
      if (all[i].isEmpty()) ended = true;
      else if (ended || (descending ? all[i].toDouble() > all[i - 1].toDouble() : all[i].toDouble() < all[i - 1].toDouble())) return false;
    }
    return !store().isBusy() && !store().orders().isEmpty() && store().orders().first().descending == descending;
  }
  void clickHeader(const QString& column) {
    QHeaderView* h = table()->horizontalHeader();
    const int c = columnOf(column);
    table()->scrollTo(table()->model()->index(0, c));
    QTest::mouseClick(h->viewport(), Qt::LeftButton, {}, QPoint(h->sectionViewportPosition(c) + 12, h->height() / 2));
  }
  void selectRows(const QList<int>& all) {
    table()->clearSelection();
    for (const int row : all) click(row, 0, row == all.first() ? Qt::NoModifier : Qt::ControlModifier);
    QTRY_COMPARE(store().selected().size(), size_t(all.size()));
  }
  QStringList selectedNames() {
    QStringList out;
    for (const int row : store().selected()) out << store().table()->name(row);
    return out;
  }
  /// Sets a value for the selected rows; waits for the end.
  void edit(const QString& column, const QString& value) {
    run("sheet.set", {column, value});
    QTRY_VERIFY(!store().isBusy());
  }
};

QTEST_MAIN(SpreadsheetTest)
#include "tst_app_spreadsheet.moc"
