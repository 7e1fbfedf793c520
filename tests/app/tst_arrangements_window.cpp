// Views of a graph, rules for helpers and hidden wires in the window, by mouse and keys.
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>

#include "adapters/helper_rules.h"
#include "canvas_fixture.h"
#include "common/theme.h"
#include "graph_view/drawing.h"
#include "layout/chosen_part.h"
#include "main_window/helper_rules_dialog.h"
#include "main_window/view_chooser.h"

using namespace weft::app;
using weft::widgets::Arrangement;
using weft::widgets::GraphView;
using weft::widgets::Item;

class ArrangementsTest : public CanvasFixture {
  Q_OBJECT

  ViewChooser* chooser() const { return window_->findChild<ViewChooser*>(); }
  ViewNote* note() const { return canvas()->findChild<ViewNote*>(); }
  Item item(const QString& name) const {
    return document()->scopeIndex(name) >= 0 ? Item::scope(document()->scopeIndex(name)) : Item::node(document()->nodeIndex(name));
  }
  QRectF rect(const QString& name) const { return canvas()->itemRect(item(name)); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    canvas()->setFocus();
    QTest::keyClick(canvas(), key, modifiers);
    settle();
  }
  QMap<QString, QPointF> places() const {
    QMap<QString, QPointF> out;
    const auto& arrays = document()->contents()->arrays;
    for (auto it = arrays.scopeIndex.cbegin(); it != arrays.scopeIndex.cend(); ++it)
      if (const QRectF r = canvas()->itemRect(Item::scope(*it)); !r.isEmpty()) out.insert(it.key() + u'/', canvas()->toWorld(r.topLeft()));
    for (auto it = arrays.nodeIndex.cbegin(); it != arrays.nodeIndex.cend(); ++it)
      if (const QRectF r = canvas()->itemRect(Item::node(*it)); !r.isEmpty()) out.insert(it.key(), canvas()->toWorld(r.topLeft()));
    return out;
  }
  QMap<QString, QPointF> without(QMap<QString, QPointF> all, const QString& name) const {
    all.remove(name);
    all.remove(name + u'/');
    return all;
  }
  weft::layout::Part part(const QString& node) const { return document()->model()->nodePart(document()->nodeIndex(node)); }
  QAction* menuAction(const QString& name, const char* id) {
    canvas()->selectNames({name});
    settle();
    emit canvas()->contextMenuRequested(item(name), canvas()->mapToGlobal(rect(name).center().toPoint()));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    return menu && menu->actions().contains(window_->actionRegistry().action(QLatin1String(id))) ? window_->actionRegistry().action(QLatin1String(id))
                                                                                                 : nullptr;
  }

 private slots:
  void initTestCase() { useOwnFolder(); }
  void init() { begin("lenet"); }
  void cleanup() { closeWindow(); }

  void keysSwitchAndEverythingStays() {
    perform("graph.move", {"conv1", "40,260"});
    canvas()->setExpanded(document()->scopeIndex("conv2"), true);
    settle();
    const auto before = places();
    const QPointF seen = canvas()->toWorld({0, 0});
    const auto index = document()->history().index();
    struct Step {
      Qt::Key key;
      Arrangement::Kind kind;
      const char* word;
    };
    for (const Step& step : {Step{Qt::Key_L, Arrangement::Kind::Layers, "layers"},
                             {Qt::Key_O, Arrangement::Kind::Ops, "ops"},
                             {Qt::Key_D, Arrangement::Kind::Devices, "devices"}}) {
      press(step.key, Qt::ShiftModifier);
      QCOMPARE(canvas()->arrangement().kind, step.kind);
      QCOMPARE(chooser()->currentData().toString(), QLatin1String(step.word));
      QVERIFY(!note()->text().isEmpty());
      QVERIFY(places() != before);
      press(Qt::Key_S, Qt::ShiftModifier);
      QCOMPARE(places(), before);
      QCOMPARE(canvas()->toWorld({0, 0}), seen);
      QVERIFY(note()->text().isEmpty());
    }
    press(Qt::Key_E);
    QCOMPARE(canvas()->arrangement(), (Arrangement{Arrangement::Kind::Depth, 1}));
    press(Qt::Key_E);
    QCOMPARE(canvas()->arrangement().depth, 2);
    press(Qt::Key_E, Qt::ShiftModifier);
    press(Qt::Key_E, Qt::ShiftModifier);
    QVERIFY(canvas()->arrangement().isComposed());
    QCOMPARE(places(), before);
    QCOMPARE(document()->history().index(), index);  // nothing was changed
  }

  void theListIsChosenFromByKeys() {
    press(Qt::Key_V);
    QTRY_VERIFY(chooser()->view()->isVisible());
    QTest::keyClick(chooser()->view(), Qt::Key_Down);
    QTest::keyClick(chooser()->view(), Qt::Key_Down);
    QTest::keyClick(chooser()->view(), Qt::Key_Return);
    settle();
    QCOMPARE(canvas()->arrangement().kind, Arrangement::Kind::Ops);
    QVERIFY(canvas()->hasFocus());
    // The text view does not change the drawing.
    QVERIFY(!window_->isViewOpen("graph_text"));
    perform("graph.view", {"text"});
    QVERIFY(window_->isViewOpen("graph_text"));
    QCOMPARE(chooser()->currentData().toString(), QStringLiteral("ops"));
    press(Qt::Key_T, Qt::ShiftModifier);
    QVERIFY(!window_->isViewOpen("graph_text"));
  }

  void wordsThatMeanNoViewAreRefused() {
    const auto said = [&](const QStringList& words) { return window_->actionRegistry().run("graph.view", words).message; };
    QVERIFY(said({"clouds"}).startsWith("clouds is not a view of the graph"));
    QVERIFY(said({"depth", "0"}).startsWith("0 is not a level: expected a number from 1 to"));
    QVERIFY(said({"depth", "12"}).startsWith("12 is not a level"));
    QVERIFY(canvas()->arrangement().isComposed());
  }

  void otherViewsAreForReading() {
    perform("graph.view", {"layers"});
    for (const char* id : {"graph.tidy", "graph.frame", "graph.comment", "graph.add-menu", "graph.rename-in-place", "graph.align-left"}) {
      canvas()->selectAll();
      const CommandResult result = window_->actionRegistry().run(QLatin1String(id));
      QVERIFY2(!result.ok && result.message.contains("view by scope"), id);
    }
    // Commands that use names work: the graph changes, the view stays.
    perform("graph.mute", {"pool1"});
    QCOMPARE(canvas()->arrangement().kind, Arrangement::Kind::Layers);
    perform("edit.undo");
    // The link of the note leads back.
    note()->findChild<QLabel*>()->linkActivated(QStringLiteral("back"));
    settle();
    QVERIFY(canvas()->arrangement().isComposed());
  }

  void movedToTheHelpersAndBack() {
    perform("graph.add", {"Square", "--name", "metrics/mine", "--from", "conv1:0"});
    perform("graph.add", {"Mean", "--name", "metrics/mean", "--from", "metrics/mine:0"});
    canvas()->collapseAll();
    settle();
    canvas()->fitAll();
    QVERIFY(!rect("metrics").isEmpty());
    const auto before = places();
    QCOMPARE(part("metrics/mine"), weft::layout::Part::Network);
    QAction* move = menuAction("metrics", "graph.to-helpers");
    QVERIFY(move != nullptr && move->isEnabled());
    move->trigger();
    QApplication::activePopupWidget()->close();
    settle();
    QCOMPARE(part("metrics/mine"), weft::layout::kChosenHelper);
    QCOMPARE(without(places(), "metrics"), without(before, "metrics"));
    QVERIFY(places().value("metrics/") != before.value("metrics/"));
    const auto aside = places();
    QCOMPARE(helperRulesOf(*document()->contents()), (QVector<HelperRule>{{"metrics", true}}));
    // It is one step of the history.
    perform("edit.undo");
    QCOMPARE(places(), before);
    perform("edit.redo");
    QCOMPARE(places(), aside);
    // And part of the document.
    const QString path = folder_.filePath("rules.weft");
    bool saved = false;
    window_->workspace().save(document(), path, [&](const QString& error) { saved = error.isEmpty(); });
    QTRY_VERIFY(saved);
    window_->workspace().close(document());
    open(path);
    QTRY_VERIFY(canvas() != nullptr);
    settle();
    QCOMPARE(part("metrics/mine"), weft::layout::kChosenHelper);
    QCOMPARE(places(), aside);
    // Back: the default part of a name needs no rule.
    canvas()->selectNames({"metrics"});
    canvas()->setFocus();
    QCOMPARE(window_->actionRegistry().shortcuts("graph.to-network"), (QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_H)}));
    window_->actionRegistry().action("graph.to-network")->trigger();
    QTRY_COMPARE(part("metrics/mine"), weft::layout::Part::Network);
    settle();
    QVERIFY(helperRulesOf(*document()->contents()).isEmpty());
    QCOMPARE(without(places(), "metrics"), without(aside, "metrics"));
  }

  void whatIsThereAlreadySaysSo() {
    const auto said = [&](const char* id, const QStringList& words) {
      QString why;
      bool done = false;
      document()->apply(editFromWords(QLatin1String(id), words, {}, {}).edit, [&](const QString& error) { why = error, done = true; });
      [&] { QTRY_VERIFY(done); }();
      return why;
    };
    QVERIFY2(said("graph.to-network", {"conv1"}).contains("conv1 is in the network already"), qPrintable(said("graph.to-network", {"conv1"})));
    QVERIFY(said("graph.to-helpers", {"nowhere"}).contains("There is no node or scope nowhere in this graph"));
    QVERIFY(said("graph.helper-rule", {"a*", "none"}).contains("There is no rule for a*"));
    QVERIFY(editFromWords("graph.helper-rule", {"a*", "sky"}, {}, {}).error.contains("sky is not a part of the drawing"));
  }

  void rulesAreWrittenInTheDialog() {
    const auto before = places();
    perform("graph.helper-rules", {"conv*/MaxPool"});
    auto* dialog = window_->findChild<HelperRulesDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    auto* table = dialog->findChild<QTableWidget*>();
    QCOMPARE(table->rowCount(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);  // ends the editing, not the dialog
    QVERIFY(dialog->isVisible());
    table->item(0, 0)->setText("pool1");
    QVERIFY(table->item(0, 2)->text().toInt() > 0);
    dialog->findChild<QPushButton*>("add_rule")->click();
    QCOMPARE(table->rowCount(), 2);
    table->item(1, 0)->setText("*/nothing/here");
    QCOMPARE(table->item(1, 2)->text(), QStringLiteral("0"));
    qobject_cast<QComboBox*>(table->cellWidget(1, 1))->setCurrentIndex(1);
    table->setCurrentCell(1, 0);
    dialog->findChild<QPushButton*>("rule_up")->click();
    QCOMPARE(dialog->rules(), (QVector<HelperRule>{{"*/nothing/here", false}, {"pool1", true}}));
    dialog->accept();  // closes alone: nothing was applied
    settle();
    QVERIFY(helperRulesOf(*document()->contents()).isEmpty());
    perform("graph.helper-rules");
    dialog = nullptr;
    QTRY_VERIFY((dialog = window_->findChild<HelperRulesDialog*>()) != nullptr && dialog->isVisible());
    dialog->findChild<QPushButton*>("add_rule")->click();
    table = dialog->findChild<QTableWidget*>();
    table->item(0, 0)->setText("pool?");
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    settle();
    QCOMPARE(helperRulesOf(*document()->contents()), (QVector<HelperRule>{{"pool?", true}}));
    // Only the pools have moved.
    const auto after = places();
    for (auto it = before.cbegin(); it != before.cend(); ++it)
      if (!it.key().startsWith("pool")) QCOMPARE(after.value(it.key()), *it);
    perform("edit.undo");
    QCOMPARE(places(), before);
  }

  void hiddenWiresByKey() {
    perform("graph.to-helpers", {"pool1"});
    canvas()->setZoom(1);
    canvas()->selectNames({"conv1"});
    press(Qt::Key_W);
    QVERIFY(canvas()->areHiddenWiresShown(item("conv1")));
    press(Qt::Key_W);
    QVERIFY(!canvas()->areHiddenWiresShown(item("conv1")));
    canvas()->clearSelection();
    QVERIFY(!window_->actionRegistry().run("graph.show-hidden-wires").ok);
  }
};

QTEST_MAIN(ArrangementsTest)
#include "tst_arrangements_window.moc"
