// The window around documents: small windows, banners, opening by a typed path, the start page, the search field, recovery.
#include <QCompleter>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStatusTipEvent>
#include <QTabBar>
#include <QTreeWidget>

#include "adapters/history_files.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "main_window/find_field.h"
#include "main_window/message_bar.h"
#include "main_window/start_cards.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

class FrameTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void everyLayoutFitsASmallWindow_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("a laptop at 200 %") << QSize(960, 540);
    QTest::newRow("an old laptop") << QSize(1280, 800);
  }
  void everyLayoutFitsASmallWindow() {
    QFETCH(QSize, size);
    window_->resize(size);
    QTRY_COMPARE(window_->size(), size);
    openTemplate();
    for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
      window_->setLanguage(language);
      for (const QString& mode : window_->layouts()) {
        window_->useLayout(mode);
        QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), 30000);
        QCoreApplication::processEvents();
        const QSize least = window_->minimumSizeHint();
        QVERIFY2(least.width() <= size.width() && least.height() <= size.height(),
                 qPrintable(QStringLiteral("%1 %2: %3x%4").arg(mode, language).arg(least.width()).arg(least.height())));
        QCOMPARE(window_->size(), size);
        for (const QString& id : window_->viewIds()) {
          const QWidget* view = window_->viewWidget(id);
          if (!window_->isViewVisible(id)) continue;
          QVERIFY2(window_->rect().contains(QRect(view->parentWidget()->mapTo(window_.get(), QPoint()), view->parentWidget()->size())),
                   qPrintable(mode + u' ' + id));
        }
      }
    }
  }
  void everyDockCanBeMadeSmall() {
    openTemplate();
    for (const QString& id : window_->viewIds()) {
      window_->showView(id);
      const auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("dock_") + id);
      QVERIFY2(dock->minimumSizeHint().width() <= 200 && dock->minimumSizeHint().height() <= 140,
               qPrintable(QStringLiteral("%1: %2x%3").arg(id).arg(dock->minimumSizeHint().width()).arg(dock->minimumSizeHint().height())));
    }
  }

  void aBannerLeavesTheCanvasAlone() {
    openTemplate();
    QTRY_VERIFY(window_->isSettled());
    const QSize size = canvas()->size();
    const double zoom = canvas()->zoom();
    window_->showError("broken");
    QTRY_VERIFY(window_->findChild<MessageBar*>()->isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(canvas()->size(), size);
    QCOMPARE(canvas()->zoom(), zoom);
    const auto* bar = window_->findChild<MessageBar*>();
    QVERIFY(bar->visibleRegion().boundingRect() == bar->rect());
    // A file makes room for it.
    window_->workspace().open(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/arrays/float32.npy"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile(), 10000);
    window_->showError("broken again");
    QCoreApplication::processEvents();
    const QWidget* page = bar->parentWidget()->findChild<QStackedWidget*>();
    QTRY_VERIFY(page->y() >= bar->geometry().bottom());
  }
  void whatDidNotOpenIsForgottenWithTheNextThatDoes() {
    window_->workspace().open(write("empty.pb", ""));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownError().isEmpty(), 10000);
    QTest::qWait(1600);  // long enough to be read
    open(write("g.pbtxt", kGraph));
    QTRY_VERIFY2(window_->shownError().isEmpty(), qPrintable(window_->shownError()));
  }
  /// A step's cost follows from the shapes: the batch may be open, because one is assumed, but nothing else.
  void theStatusBarSaysThatOpenSizesHaveNoKnownCost_data() {
    QTest::addColumn<QByteArray>("shape");
    QTest::addColumn<QRegularExpression>("cost");
    const QRegularExpression unknown(QStringLiteral(" · cost unknown$"));
    QTest::newRow("no shape") << QByteArray() << unknown;
    QTest::newRow("an open width") << QByteArray("dim { size: -1 } dim { size: -1 }") << unknown;
    QTest::newRow("an open batch") << QByteArray("dim { size: -1 } dim { size: 64 }")
                                   << QRegularExpression(QStringLiteral(" · [0-9.]+ ?.?FLOP per step at batch [0-9]+$"));
    QTest::newRow("all known") << QByteArray("dim { size: 8 } dim { size: 64 }") << QRegularExpression(QStringLiteral(" · [0-9.]+ ?.?FLOP per step$"));
  }
  void theStatusBarSaysThatOpenSizesHaveNoKnownCost() {
    QFETCH(QByteArray, shape);
    QFETCH(QRegularExpression, cost);
    const QByteArray stated = shape.isEmpty() ? QByteArray() : "attr { key: \"shape\" value { shape { " + shape + " } } } ";
    const QByteArray graph = "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } " + stated +
                             "}\n"
                             "node { name: \"product\" op: \"MatMul\" input: \"x\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } "
                             "attr { key: \"transpose_b\" value { b: true } } }\n";
    open(write(QStringLiteral("sizes.pbtxt"), graph));
    QLabel* said = nullptr;
    const auto find = [&] {
      for (QLabel* label : window_->findChild<QStatusBar*>()->findChildren<QLabel*>())
        if (label->isVisible() && cost.match(label->text()).hasMatch()) said = label;
      return said != nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(find(), 10000);
    const bool unknown = said->text().endsWith(QLatin1String("unknown"));
    QCOMPARE(said->toolTip().startsWith(QLatin1String("Cost unknown for 1 op")), unknown);
  }

  void aReasonInTheStatusBarEnds() {
    auto* status = window_->findChild<QStatusBar*>();
    QStatusTipEvent tip("No run is stopped in the debugger.");
    QCoreApplication::sendEvent(window_.get(), &tip);
    QCOMPARE(status->currentMessage(), QStringLiteral("No run is stopped in the debugger."));
    QTRY_VERIFY_WITH_TIMEOUT(status->currentMessage().isEmpty(), 8000);  // though the pointer never leaves
  }

  void aTypedPathOpensEveryTime() {
    const QStringList files = {write("one.pbtxt", kGraph), write("two.pbtxt", kGraph), write("three.pbtxt", kGraph)};
    for (const QString& file : files) {
      window_->actionRegistry().action("file.open")->trigger();
      QFileDialog* dialog = nullptr;
      QTRY_VERIFY_WITH_TIMEOUT((dialog = window_->findChild<QFileDialog*>("open_dialog")) && dialog->isVisible(), 10000);
      auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
      name->setFocus();
      QTest::keyClicks(name, file);
      QTest::qWait(100);  // a list of completions comes
      QWidget* popup = name->completer() ? name->completer()->popup() : nullptr;
      QCOMPARE(name->text(), file);
      QTest::keyClick(popup && popup->isVisible() ? popup : name, Qt::Key_Return);
      QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().current() && window_->workspace().current()->path() == file, 10000);
      QTRY_VERIFY(!window_->findChild<QFileDialog*>("open_dialog"));
    }
    QCOMPARE(window_->workspace().documents().size(), 3);
  }
  void columnsOfTheOpenDialogAreWideEnough() {
    write("some_graph.pbtxt", kGraph);
    window_->workspace().settings().setValue("file/folder", folder_.path());
    window_->actionRegistry().action("file.open")->trigger();
    QFileDialog* dialog = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((dialog = window_->findChild<QFileDialog*>("open_dialog")) && dialog->isVisible(), 10000);
    auto* tree = dialog->findChild<QTreeView*>("treeView");
    QTRY_VERIFY_WITH_TIMEOUT(tree->model()->rowCount(tree->rootIndex()) > 0, 10000);
    for (int column = 1; column < tree->model()->columnCount(); ++column) {
      const QString text = tree->rootIndex().model()->index(0, column, tree->rootIndex()).data().toString();
      QVERIFY2(tree->fontMetrics().horizontalAdvance(text) + 8 <= tree->columnWidth(column), qPrintable(text));
    }
    QVERIFY(dialog->findChild<QListView*>("sidebar")->model()->rowCount() >= 2);
    dialog->reject();
  }

  void anEmptyGraphOpensInComposeAndNothingTrainsIt() {
    window_->useLayout("train");
    QPushButton* fresh = nullptr;
    QTRY_VERIFY((fresh = buttonWith(window_.get(), "New graph")) && fresh->isVisible());
    QTest::mouseClick(fresh, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas() && window_->layout() == QLatin1String("compose"), 30000);
    for (const char* id : {"run.train", "run.step", "run.steps", "graph.add-training"}) {
      const QAction* action = window_->actionRegistry().action(QLatin1String(id));
      QTRY_VERIFY2(!action->isEnabled(), id);
      const QString reason = window_->actionRegistry().disabledReason(QLatin1String(id));
      QVERIFY2(!reason.isEmpty(), id);
      QTRY_VERIFY2(action->toolTip().contains(reason), qPrintable(action->toolTip()));
    }
    window_->showView("scalars");
    QPushButton* train = nullptr;
    QTRY_VERIFY((train = buttonWith(window_->viewWidget("scalars"), "Train")) && train->isVisible());
    QVERIFY(!train->isEnabled());
    QCOMPARE(train->toolTip(), window_->actionRegistry().action("run.train")->toolTip());
    // A loss, or any number that is selected, can be trained.
    QVERIFY(run("graph.add", {"Placeholder", "--name", "x", "shape=[]"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().current()->isEditing(), 30000);
    window_->workspace().current()->setSelection({"x"});
    QTRY_VERIFY(window_->actionRegistry().action("graph.add-training")->isEnabled());
    // The same from the File menu and its key.
    window_->useLayout("train");
    const auto before = window_->workspace().documents().size();
    QTest::keyClick(window_.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), before + 1, 30000);
    QTRY_COMPARE(window_->layout(), QString("compose"));
  }
  void theUsualKeyRenamesOnTheCanvas() {
    open(write("renamed.pbtxt", kGraph));
    QTRY_VERIFY(window_->isSettled());
    canvas()->setFocus();
    canvas()->select({weft::widgets::Item::node(window_->workspace().current()->nodeIndex("x"))});
    QTest::keyClick(canvas(), Qt::Key_F2);
    auto* editor = canvas()->findChild<QLineEdit*>(QStringLiteral("rename"));
    QVERIFY(editor);
    QTest::keyClicks(editor, QStringLiteral("input"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().current()->hasNode("input"), 30000);
    bool inMenu = false;
    for (const QAction* menu : window_->menuBar()->actions())
      for (const QAction* entry : menu->menu()->actions()) inMenu |= entry == window_->actionRegistry().action("graph.rename-in-place");
    QVERIFY(inMenu);
  }
  void theStartPageIsNoDocument() {
    openTemplate();
    window_->showStartPage();
    QCoreApplication::processEvents();
    QVERIFY(window_->findChild<QTabBar*>("document_tabs")->property("quiet").toBool());
    for (const QLabel* label : window_->findChild<QStatusBar*>()->findChildren<QLabel*>())
      QVERIFY2(!label->isVisible() || !label->text().contains("parameters"), qPrintable(label->text()));
    auto* page = window_->findChild<QWidget*>("start_page");
    QPushButton* fresh = nullptr;
    QTRY_VERIFY((fresh = buttonWith(page, "New graph")) && fresh->isVisible());
    QTest::mouseClick(fresh, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 2, 10000);
    QCOMPARE(window_->workspace().current()->title(), QStringLiteral("graph.weft"));
    QVERIFY(run("file.new", {"empty"}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 3, 10000);
    QCOMPARE(window_->workspace().current()->title(), QStringLiteral("graph-2.weft"));
  }
  void recentFilesHaveTheirPicture() {
    const QString path = write("a_graph_with_quite_a_long_name_that_goes_on_and_on_until_it_does_not_fit_any_more_block4_conv2.pbtxt", kGraph);
    open(path);
    QTRY_VERIFY(window_->isSettled());
    window_->showStartPage();
    QTRY_VERIFY_WITH_TIMEOUT(window_->isSettled(), 30000);
    QWidget* card = nullptr;
    const auto find = [&]() -> QWidget* {
      for (Card* c : window_->findChild<QWidget*>("start_page")->findChildren<Card*>())
        if (c->toolTip() == path && c->isVisible()) return c;
      return nullptr;
    };
    QTRY_VERIFY((card = find()));
    QStringList texts;
    for (const QLabel* label : card->findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.first().endsWith("block4_conv2.pbtxt") && texts.first().startsWith(u'…'), qPrintable(texts.join('|')));
    // Something was drawn: not one colour everywhere.
    const QImage picture = card->grab(QRect(10, 8, 90, 44)).toImage();
    QSet<QRgb> colours;
    for (int x = 0; x < picture.width(); ++x)
      for (int y = 0; y < picture.height(); ++y) colours << picture.pixel(x, y);
    QVERIFY(colours.size() > 3);
  }

  void theSearchFieldStandsInTheMiddleAndIsNeverCut() {
    const auto* field = window_->findChild<FindField*>();
    for (const int width : {1600, 1280, 960}) {
      window_->resize(width, 700);
      QTRY_COMPARE(window_->menuBar()->width(), width);
      QTRY_VERIFY(field->isVisible() && field->geometry().right() < width);
      if (width >= 1600) QTRY_COMPARE(field->geometry().center().x() / 2, window_->menuBar()->rect().center().x() / 2);
      for (const QAction* action : window_->menuBar()->actions())
        QVERIFY(!window_->menuBar()->actionGeometry(const_cast<QAction*>(action)).intersects(field->geometry()));
    }
    QTest::mouseClick(const_cast<FindField*>(field), Qt::LeftButton);
    QTRY_VERIFY(window_->findChild<QWidget*>("finder"));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
  }
  void theVeryNameIsFoundFirst() {
    open(write("names.pbtxt", "node { name: \"gradients/loop/cell/root_grad\" op: \"NoOp\" }\nnode { name: \"loop/cell/root\" op: \"NoOp\" }\n"));
    QVERIFY(run("edit.find", {"cell/root"}));
    auto* popup = window_->findChild<QWidget*>("find_popup");
    QVERIFY(popup);
    QTRY_VERIFY(popup->findChild<QTreeWidget*>()->topLevelItemCount() >= 2);
    QCOMPARE(popup->findChild<QTreeWidget*>()->topLevelItem(0)->text(0), QStringLiteral("loop/cell/root"));
    QTest::keyClick(popup->findChild<QLineEdit*>(), Qt::Key_Return);
    QCOMPARE(window_->workspace().current()->selection(), QStringList{"loop/cell/root"});
  }

  /// A journal of changes that were all undone, or saved, is no lost work.
  void undoneChangesAreNotLost() {
    open(write("lost.pbtxt", kGraph));
    Document* document = window_->workspace().current();
    auto journal = std::make_shared<Journal>(folder_.filePath("journals"), 1, document->path(), document->title());
    document->setJournal(journal);
    QVERIFY(run("graph.rename", {"a/y", "a/z"}));
    QTRY_VERIFY_WITH_TIMEOUT(document->hasNode("a/z"), 10000);
    QTRY_VERIFY(summaryOf(folder_.filePath("journals"), 1).changed);
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY_WITH_TIMEOUT(document->hasNode("a/y"), 10000);
    QTRY_VERIFY(!summaryOf(folder_.filePath("journals"), 1).changed);
    QCOMPARE(summaryOf(folder_.filePath("journals"), 1).steps, 1);
    document->setJournal(nullptr);
  }
  /// A recovered document replaces the open saved version of the same file; a neighbour whose changes were undone is not mentioned.
  void recoveryOpensOneDocument() {
    const QString session = folder_.filePath("recovery/ended"), lost = write("recovered.pbtxt", kGraph), undone = write("undone.pbtxt", kGraph);
    for (const bool undo : {false, true}) {
      open(undo ? undone : lost);
      Document* document = window_->workspace().current();
      document->setJournal(std::make_shared<Journal>(session, undo ? 2 : 1, document->path(), document->title()));
      QVERIFY(run("graph.rename", {"a/y", "a/z"}));
      QTRY_VERIFY_WITH_TIMEOUT(document->hasNode("a/z"), 10000);
      if (undo) {
        QVERIFY(run("edit.undo"));
        QTRY_VERIFY_WITH_TIMEOUT(document->hasNode("a/y"), 10000);
      }
      document->setJournal(nullptr);
    }
    closeWindow();
    qputenv("WEFT_RECOVERY", folder_.filePath("recovery").toUtf8());
    showWindow();
    open(lost);
    QTRY_VERIFY2(window_->shownMessages().join('|').contains("recovered.pbtxt") && !window_->shownMessages().join('|').contains("undone.pbtxt"),
                 qPrintable(window_->shownMessages().join('|')));
    QVERIFY(window_->pressMessageButton("Recover"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().current() && window_->workspace().current()->hasNode("a/z"), 10000);
    QTRY_COMPARE(window_->workspace().documents().size(), 1);
    QVERIFY(window_->workspace().current()->isModified());
    qunsetenv("WEFT_RECOVERY");
  }

 private:
  static QPushButton* buttonWith(const QWidget* parent, const QString& text) {
    for (auto* button : parent->findChildren<QPushButton*>())
      if (button->text() == text) return button;
    return nullptr;
  }
};

QTEST_MAIN(FrameTest)
#include "tst_frame.moc"
