// The dock Query: asked by keys, with completion and history; results select, highlight, colour and stop at nodes of the canvas; endless queries are cancelled.
#include <QAbstractItemView>
#include <QClipboard>
#include <QCompleter>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include "document/document.h"
#include "document/query_store.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "shell/action_registry.h"
#include "views/query/query_view.h"
#include "window_fixture.h"

using namespace weft::app;

class QueryTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void askedByKeys() {
    openTemplate();
    QTest::keyClick(window_.get(), Qt::Key_Q, Qt::ControlModifier | Qt::AltModifier);
    QTRY_VERIFY(field() && field()->hasFocus());
    ask(QStringLiteral("select name, op from nodes where op = 'MatMul' order by name"));
    QVERIFY2(store().page()->error.isEmpty(), qPrintable(store().page()->error));
    QVERIFY(!store().page()->rows.empty());
    QCOMPARE(table()->model()->rowCount(), int(store().page()->rows.size()));
    QCOMPARE(table()->model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("op"));
    QVERIFY(says(QStringLiteral("row")));
    // A second one; Up and Down at the ends of the field bring the first back.
    ask(QStringLiteral("select count(*) as n from nodes"));
    QCOMPARE(store().page()->rows.front().front().toInt(),
             window_->workspace().current()->model()->nodes.size() > 0 ? int(window_->workspace().current()->model()->nodes.size()) : 0);
    QTest::keyClick(field(), Qt::Key_Up);
    QTest::keyClick(field(), Qt::Key_Up);
    QVERIFY2(field()->toPlainText().contains(QLatin1String("MatMul")), qPrintable(field()->toPlainText()));
  }

  void wordsAreOffered() {
    openTemplate();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field() && field()->hasFocus());
    field()->clear();
    QTest::keyClicks(field(), QStringLiteral("select dura"));
    auto* popup = field()->findChild<QCompleter*>()->popup();
    QTRY_VERIFY(popup->isVisible());
    QCOMPARE(field()->findChild<QCompleter*>()->currentCompletion(), QStringLiteral("duration_us"));
    QTest::keyClick(popup, Qt::Key_Return);
    QTRY_COMPARE(field()->toPlainText(), QStringLiteral("select duration_us"));
    // So are tables and columns.
    field()->clear();
    QTest::keyClicks(field(), QStringLiteral("select name from slic"));
    QTRY_VERIFY(popup->isVisible());
    QCOMPARE(field()->findChild<QCompleter*>()->currentCompletion(), QStringLiteral("slices"));
    QTest::keyClick(popup, Qt::Key_Return);
    QTRY_COMPARE(field()->toPlainText(), QStringLiteral("select name from slices"));
    field()->clear();
    QTest::keyClicks(field(), QStringLiteral("select duration_us"));
    // Op types of the graph in front are words, too.
    QTest::keyClicks(field(), QStringLiteral(" SparseSoftmaxCr"));
    QTRY_VERIFY(popup->isVisible());
    QTest::keyClick(popup, Qt::Key_Escape);
    QTRY_VERIFY(!popup->isVisible());
  }

  void examplesRunAsTheyAre() {
    openTemplate();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field() && field()->hasFocus());
    QToolButton* examples = nullptr;
    for (QToolButton* b : window_->viewWidget(QStringLiteral("query"))->findChildren<QToolButton*>())
      if (b->accessibleName() == QLatin1String("Examples")) examples = b;
    QVERIFY(examples);
    emit examples->menu()->aboutToShow();
    int tried = 0;
    for (QAction* example : examples->menu()->actions()) {
      if (example->isSeparator() || !example->toolTip().contains(QLatin1String("nodes"))) continue;
      example->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(!store().isBusy(), 30000);
      QVERIFY2(store().page()->error.isEmpty(), qPrintable(store().page()->error));
      QCOMPARE(field()->toPlainText(), example->toolTip());
      ++tried;
    }
    QVERIFY(tried > 2);
  }

  void mistakesAreSaidWithTheNearestName() {
    openTemplate();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field());
    ask(QStringLiteral("select durration from slices"));
    QVERIFY2(store().page()->error.contains(QLatin1String("did you mean 'duration_us'?")), qPrintable(store().page()->error));
    QVERIFY(says(QStringLiteral("did you mean")));
    ask(QStringLiteral("delete from nodes"));
    QVERIFY(store().page()->error.contains(QLatin1String("queries only read")));
  }

  void rowsAreNodesOfTheCanvas() {
    openTemplate();
    Document* document = window_->workspace().current();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field());
    ask(QStringLiteral("select name, inputs, bytes from nodes where op = 'MatMul' order by name"));
    QTRY_VERIFY(table()->isVisible());
    const QString first = table()->model()->index(0, 0).data().toString();
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(table()->model()->index(0, 0)).center());
    QTRY_COMPARE(document->selection(), QStringList{first});
    // The canvas selects rows, too.
    const QString second = table()->model()->index(1, 0).data().toString();
    window_->canvas()->selectNames({second});
    QTRY_COMPARE(store().selectedRows(), QVector<int>{1});
    table()->clearSelection();
    QTRY_VERIFY(store().selectedRows().isEmpty());
    QTest::mouseClick(button(QStringLiteral("Select")), Qt::LeftButton);
    QTRY_COMPARE(document->selection().size(), int(store().page()->rows.size()));
    QTest::mouseClick(button(QStringLiteral("Highlight")), Qt::LeftButton);
    QTest::mouseClick(button(QStringLiteral("Highlight")), Qt::LeftButton);
    table()->clearSelection();
    QTest::mouseClick(button(QStringLiteral("Set breakpoints")), Qt::LeftButton);
    QTRY_COMPARE(window_->workspace().debugger().breakpoints(document).size(), size_t(store().page()->rows.size()));
    QVERIFY(run("query.color", {QStringLiteral("inputs")}));
    QCOMPARE(window_->canvas()->findChild<ComposeGestures*>()->colorMode(), QStringLiteral("query"));
    QVERIFY(document->model()->nodes[size_t(document->nodeIndex(first))].heat >= 0);
    QVERIFY(!run("query.color", {QStringLiteral("nothing")}));
  }

  void sortedCopiedSaved() {
    openTemplate();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field());
    ask(QStringLiteral("select op, count(*) as n from nodes group by op order by op"));
    QTRY_VERIFY(table()->isVisible());
    QHeaderView* header = table()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(header->sectionViewportPosition(1) + 10, 10));
    QTRY_VERIFY(table()->model()->index(0, 1).data().toInt() >= table()->model()->index(1, 1).data().toInt());
    QVERIFY(table()->model()->index(0, 1).data().toInt() > 1);
    table()->selectRow(0);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text().section(u'\n', 0, 0), QStringLiteral("op\tn"));
    QCOMPARE(QApplication::clipboard()->text().count(u'\n'), 1);
    const QString path = folder_.filePath(QStringLiteral("result.csv"));
    QVERIFY(run("query.export", {path}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(), QByteArray("op,n\n"));
    QVERIFY(!run("query.export", {QStringLiteral("/nowhere/at/all.csv")}));
    QVERIFY(run("query.copy-command"));
    QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1String("weft query 'select op, count(*)")));
  }

  void endlessQueriesAreCancelled() {
    openTemplate();
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field());
    field()->setPlainText(QStringLiteral("with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"));
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_VERIFY(store().isBusy());
    QTRY_VERIFY(says(QStringLiteral("Running for")));
    QTest::qWait(300);
    QTest::mouseClick(tool(QStringLiteral("Cancel the query")), Qt::LeftButton);
    QTRY_VERIFY(!store().isBusy());
    QVERIFY(store().page()->cancelled);
    ask(QStringLiteral("select 1 + 1 as two"));
    QCOMPARE(store().page()->rows.front().front().toInt(), 2);
  }

  void filesAndExamples() {
    QVERIFY(run("query.show"));
    QTRY_VERIFY(field());
    QVERIFY(!run("query.add-file", {QStringLiteral("/nowhere")}));
    QFile file(folder_.filePath(QStringLiteral("g.pbtxt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("node { name: 'x' op: 'NoOp' }\n");
    file.close();
    QVERIFY(run("query.add-file", {file.fileName()}));
    ask(QStringLiteral("select name, op from nodes"));
    QVERIFY2(store().page()->error.isEmpty(), qPrintable(store().page()->error));
    QCOMPARE(store().page()->rows.size(), size_t(1));
    auto* examples = tool(QStringLiteral("Examples"));
    emit examples->menu()->aboutToShow();
    QVERIFY(examples->menu()->actions().size() > 10);
    examples->menu()->actions().first()->trigger();
    QTRY_VERIFY(!store().isBusy() && store().page()->sql.contains(QLatin1String("GROUP BY op")));
    QVERIFY(run("query.remove-files"));
    ask(QStringLiteral("select count(*) from nodes"));
    QCOMPARE(store().page()->rows.front().front().toInt(), 0);
  }

  void theCommand() {
    const QString graph = write(QStringLiteral("two.pbtxt"), "node { name: 'a/x' op: 'NoOp' }\nnode { name: 'y' op: 'NoOp' input: '^a/x' }\n");
    const QString sql = QStringLiteral("SELECT name, scope, controls FROM nodes ORDER BY name");
    QCOMPARE(weft({sql, graph, QStringLiteral("--csv")}), QStringLiteral("0: name,scope,controls\na/x,a,0\ny,,1\n"));
    QVERIFY(weft({sql, graph}).contains(QLatin1String("2 rows")));
    QVERIFY(weft({sql, graph, QStringLiteral("--limit"), QStringLiteral("1")}).contains(QLatin1String("1 row; there are more")));
    QVERIFY(weft({sql, graph, QStringLiteral("--json")}).startsWith(QLatin1String("0: {\"columns\":[\"name\",\"scope\",\"controls\"],\"rows\":[{")));
    QVERIFY(weft({QStringLiteral("--tables"), graph}).contains(QLatin1String("nodes (2 rows)")));
    const QString examples = weft({QStringLiteral("--examples"), graph});
    QVERIFY(examples.contains(QLatin1String("GROUP BY op")) && !examples.contains(QLatin1String("FROM slices")));
    QCOMPARE(weft({QStringLiteral("SELECT nam FROM nodes"), graph}),
             QStringLiteral("1: weft: there is no column 'nam' in nodes; did you mean 'name'? (at character 8)\n"));
    QVERIFY(weft({sql, QStringLiteral("/nowhere.pb")}).startsWith(QLatin1String("1: weft: /nowhere.pb")));
    QVERIFY(weft({sql}).startsWith(QLatin1String("2: ")));
    QVERIFY(weft({}).startsWith(QLatin1String("2: ")));
    QVERIFY(weft({sql, graph, QStringLiteral("--csv"), QStringLiteral("--json")}).startsWith(QLatin1String("2: ")));
  }

  void inChinese() {
    QVERIFY(run("query.show"));
    window_->setLanguage("zh_CN");
    QTRY_VERIFY(says(QStringLiteral("查询")));
  }

 private:
  /// "STATUS: OUTPUT" of `weft query`.
  static QString weft(const QStringList& words) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(WEFT), QStringList{QStringLiteral("query")} + words);
    process.waitForFinished();
    return QStringLiteral("%1: %2").arg(process.exitCode()).arg(QString::fromUtf8(process.readAll()));
  }
  QueryStore& store() { return QueryStore::of(window_->workspace()); }
  QueryField* field() { return window_->findChild<QueryField*>(); }
  QTableView* table() { return window_->viewWidget(QStringLiteral("query"))->findChild<QTableView*>(); }
  void ask(const QString& sql) {
    field()->setPlainText(sql);
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!store().isBusy() && store().page()->sql == sql, 20000);
  }
  QPushButton* button(const QString& text) {
    for (auto* b : window_->viewWidget(QStringLiteral("query"))->findChildren<QPushButton*>())
      if (b->text() == text) return b;
    return nullptr;
  }
  QToolButton* tool(const QString& name) {
    for (auto* b : window_->viewWidget(QStringLiteral("query"))->findChildren<QToolButton*>())
      if (b->accessibleName() == name) return b;
    return nullptr;
  }
  bool says(const QString& part) {
    for (auto* label : window_->viewWidget(QStringLiteral("query"))->findChildren<QLabel*>())
      if (label->text().contains(part)) return true;
    return false;
  }
};

QTEST_MAIN(QueryTest)
#include "tst_app_query.moc"
