// Problems said at the node: the card on hover, by F8 and after a wire that does not fit, with its fixes by mouse and key.
#include <QApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include "adapters/data_columns.h"
#include "adapters/graph_edit.h"
#include "adapters/shape_words.h"
#include "document/document.h"
#include "graph_view/drawing.h"
#include "main_window/fix_cards.h"
#include "palette/add_menu.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::GraphView;
using weft::widgets::Item;

class FixCardsTest : public WindowFixture {
  Q_OBJECT

  FixCard* card() { return canvas()->findChild<FixCard*>(); }
  QString title() {
    auto* label = card()->findChild<QLabel*>(QStringLiteral("fix_card_title"));
    return label ? label->text() : QString();
  }
  QList<QPushButton*> buttons() { return card()->findChild<QWidget*>(QStringLiteral("fix_card_body"))->findChildren<QPushButton*>(); }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!document()->isEditing() && !canvas()->isLayoutPending() && window_->isSettled(), 30000); }
  void edit(const char* id, const QStringList& words) {
    QVERIFY(run(id, words));
    settle();
  }
  /// An image of 28×28 as a row, which a convolution does not take.
  void rowsIntoConvolution() {
    edit("graph.add", {"Placeholder", "--name", "x", "shape=[50,784]"});
    edit("graph.add", {"layers.conv2d", "--name", "c", "filters=4", "kernel_size=[3,3]", "--from", "x"});
    QCOMPARE(document()->problems().size(), 1);
    canvas()->fitAll();
  }
  void move(QPointF to, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, to, canvas()->mapToGlobal(to), Qt::NoButton, buttons, {});
    QApplication::sendEvent(canvas(), &event);
  }
  QPoint port(const QString& node, bool output) {
    for (const GraphView::ShownPort& p : canvas()->portsOf(Item::node(document()->nodeIndex(node))))
      if (p.port.output == output) return p.at.toPoint();
    return {-1000, -1000};
  }
  QString source(const QString& node) { return nodePorts(*document()->contents(), node).inputs.value(0).source; }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    window_->workspace().newFromTemplate("empty");
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    settle();
    canvas()->setFocus();
  }
  void cleanup() { closeWindow(); }

  void shapeRulesSpeakOurWords_data() {
    QTest::addColumn<QString>("said");
    QTest::addColumn<QStringList>("sources");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("rank") << "Shape must be rank 4 but is rank 2 for 'MaxPool' (op: 'MaxPool') with input shapes: [50,784]." << QStringList()
                          << "pool expects 4 dimensions, but 50×784 has 2.";
    QTest::newRow("source") << "Shape must be rank 2 but is rank 4 for 'MatMul' (op: 'MatMul') with input shapes: [50,7,7,64], [3136,10]."
                            << QStringList{"conv2/MaxPool:0", "w:0"} << "pool expects 2 dimensions, but 50×7×7×64 has 4 (from conv2/MaxPool:0).";
    QTest::newRow("at least") << "Shape must be at least rank 1 but is rank 0 for 'A' (op: 'A') with input shapes: []." << QStringList()
                              << "pool expects at least 1 dimension, got a scalar.";
    QTest::newRow("sizes") << "Dimensions must be equal, but are 784 and 100 for 'MatMul' (op: 'MatMul') with input shapes: [50,784], [100,10]."
                           << QStringList() << "pool: the sizes 784 and 100 must be equal (50×784 and 100×10).";
    QTest::newRow("window") << "Negative dimension size caused by subtracting 5 from 3 for 'Conv2D' (op: 'Conv2D') with input shapes: [1,3,3,1], [5,5,1,8]."
                            << QStringList() << "pool needs a size of at least 5, but the input has 3.";
    QTest::newRow("layer") << "Input 0 of layer conv2d is incompatible with the layer: expected ndim=4, found ndim=2. Full shape received: (50, 784)"
                           << QStringList{"x:0"} << "pool expects 4 dimensions, but 50×784 has 2 (from x:0).";
    QTest::newRow("reshape")
        << "Cannot reshape a tensor with 100 elements to shape [3,4] (12 elements) for 'Reshape' (op: 'Reshape') with input shapes: [100], [2]."
        << QStringList() << "pool: 100 values do not fit 3×4, which holds 12.";
    QTest::newRow("other") << "Something else for 'X' (op: 'X') with input shapes: [1]." << QStringList() << "pool: Something else";
  }
  void shapeRulesSpeakOurWords() {
    QFETCH(QString, said);
    QFETCH(QStringList, sources);
    QFETCH(QString, sentence);
    QCOMPARE(shapeWords("pool", said, sources), sentence);
  }

  void nextProblemShowsItsCardAndTheKeyMends() {
    rowsIntoConvolution();
    QVERIFY(!card()->isVisible());
    QTest::keyClick(canvas(), Qt::Key_F8);
    QTRY_VERIFY(card()->isVisible());
    QVERIFY2(title().contains("expects 4 dimensions, but 50×784 has 2"), qPrintable(title()));
    QVERIFY(window_->isViewVisible("problems"));
    QVERIFY(!buttons().isEmpty());
    QVERIFY2(buttons().first()->text().contains("Reshape") && buttons().first()->text().contains("28"), qPrintable(buttons().first()->text()));
    QVERIFY(canvas()->rect().contains(card()->geometry()));
    const int steps = document()->history().index();
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_COMPARE(document()->history().index(), steps + 1);
    settle();
    QVERIFY(document()->problems().isEmpty());
    QTRY_VERIFY(!card()->isVisible());
    run("edit.undo");
    settle();
    QCOMPARE(document()->problems().size(), 1);
  }

  /// A graph with a training says what a layer without takes amiss, with the same fix; so does its file when it is read again.
  void aLayerBesideATrainingShowsTheSameProblem() {
    edit("file.new", {"lenet"});
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("images"), 30000);
    settle();
    canvas()->setFocus();
    const int steps = document()->history().index();
    edit("graph.add", {"layers.conv2d", "--name", "c", "filters=4", "kernel_size=[3,3]", "--from", "images"});
    QTRY_COMPARE(document()->history().index(), steps + 1);
    const auto isTold = [this] { return document()->problems().size() == 1 && document()->problems().first().node == QLatin1String("c"); };
    QVERIFY(isTold());
    edit("edit.undo", {});
    QVERIFY(document()->problems().isEmpty());
    edit("edit.redo", {});
    QVERIFY(isTold());
    const QString path = folder_.filePath(QStringLiteral("waits.weft"));
    edit("file.save", {path});
    QTRY_VERIFY_WITH_TIMEOUT(!document()->isModified(), 30000);
    edit("file.close", {});
    open(path);
    settle();
    QVERIFY(isTold());
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_F8);
    QTRY_VERIFY(card()->isVisible());
    QVERIFY2(title().contains("expects 4 dimensions, but ?×64 has 2"), qPrintable(title()));
    QTRY_VERIFY(!buttons().isEmpty());
    QVERIFY2(buttons().first()->text().contains("Reshape to [-1,8,8,1]"), qPrintable(buttons().first()->text()));
    QTRY_VERIFY(window_->actionRegistry().action(QStringLiteral("problems.fix"))->isEnabled());
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("c/kernel"), 30000);
    for (const Problem& p : document()->problems()) QVERIFY2(p.code != QLatin1String("layer"), qPrintable(p.message));
    settle();
  }

  /// Removing a wire to ops outside any layer gives one problem, and drawing it again restores the network and its training.
  void aWireTakenAwayAndDrawnAgainLeavesTheTrainingWhole() {
    edit("file.new", {"lenet"});
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("images"), 30000);
    settle();
    edit("graph.disconnect", {"fc1:0"});
    QStringList nodes;
    for (const Problem& p : document()->problems()) nodes << p.node;
    QCOMPARE(nodes, (QStringList{"fc1", QString()}));  // and that the training waits
    edit("graph.connect", {"flatten:0", "fc1:0"});
    QVERIFY2(document()->problems().isEmpty(), qPrintable(document()->problems().value(0).message));
    QVERIFY(document()->contents()->training.present);
  }

  void labelsAndLogitsOfDifferentWidthsAreToldWhenTheyAreWired_data() {
    QTest::addColumn<QString>("loss");
    for (const char* loss : {"softmax_cross_entropy", "sigmoid_cross_entropy", "mean_squared_error"})
      QTest::newRow(loss) << QStringLiteral("losses.") + QLatin1String(loss);
  }
  void labelsAndLogitsOfDifferentWidthsAreToldWhenTheyAreWired() {
    QFETCH(QString, loss);
    edit("graph.add", {"Placeholder", "--name", "x", "shape=[?,4]"});
    edit("graph.add", {"Placeholder", "--name", "labels", "shape=[?,8]"});
    edit("graph.add", {"layers.dense", "--name", "d", "units=10", "--from", "x"});
    edit("graph.add", {loss, "--name", "loss", "--from", "labels"});
    edit("graph.connect", {"d:0", "loss:1"});
    QCOMPARE(document()->problems().size(), 1);
    const Problem problem = document()->problems().first();
    QCOMPARE(problem.node, QString("loss"));
    QCOMPARE(problem.message, QString("loss expects inputs of the same shape, got ?×8 (from labels:0) and ?×10 (from d/BiasAdd:0)."));
    QCOMPARE(problem.fixes.size(), 1);
    QVERIFY2(problem.fixes.first().startsWith("Give d 8 units"), qPrintable(problem.fixes.first()));
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_F8);
    QTRY_VERIFY(!buttons().isEmpty() && window_->actionRegistry().action(QStringLiteral("problems.fix"))->isEnabled());
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(document()->problems().isEmpty(), 20000);
    settle();
  }

  /// A loss without labels: the first thing offered is a placeholder of the type and shape that it takes, never its own logits.
  void missingLabelsAreAPlaceholder_data() {
    QTest::addColumn<QString>("loss");
    QTest::addColumn<QString>("type");
    QTest::newRow("one-hot rows") << "losses.softmax_cross_entropy"
                                  << "float32 ?×10";
    QTest::newRow("numbers of classes") << "losses.sparse_softmax_cross_entropy"
                                        << "int32 ?";
  }
  void missingLabelsAreAPlaceholder() {
    QFETCH(QString, loss);
    QFETCH(QString, type);
    edit("graph.add", {"Placeholder", "--name", "x", "shape=[?,4]"});
    edit("graph.add", {"layers.dense", "--name", "d", "units=10", "--from", "x"});
    edit("graph.add", {loss, "--name", "loss", "--from", "logits=d"});
    QCOMPARE(document()->problems().size(), 1);
    QCOMPARE(document()->problems().first().message, QString("Not connected: labels"));
    QCOMPARE(document()->problems().first().fixes, QStringList{"Add a placeholder for labels"});
    const CommandResult training = window_->actionRegistry().run("graph.add-training", {"loss"});
    QVERIFY(training.later);
    std::optional<CommandResult> said;
    QTRY_VERIFY_WITH_TIMEOUT((said = training.later()), 30000);
    QVERIFY2(!said->ok && said->message.contains("the input labels of loss is not connected"), qPrintable(said->message));
    settle();
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_F8);
    QTRY_VERIFY(!buttons().isEmpty() && window_->actionRegistry().action(QStringLiteral("problems.fix"))->isEnabled());
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasNode("labels"), 20000);
    settle();
    QVERIFY2(document()->problems().isEmpty(), qPrintable(document()->problems().value(0).message));
    QCOMPARE(dataColumnsOf(*document()->contents(), "digits", {}).placeholders.value(1).type, type);
  }

  void theListStaysBehindWhereTheLayoutHasNone() {
    rowsIntoConvolution();
    window_->useLayout("profile");
    settle();
    QVERIFY(run("problems.next"));
    QTRY_VERIFY(card()->isVisible());
    QVERIFY(!window_->isViewOpen("problems"));
  }

  void hoveringTheBadgeShowsTheCardWhileThePointerIsThere() {
    rowsIntoConvolution();
    const QRectF rect = canvas()->itemRect(Item::scope(document()->scopeIndex("c")));
    QVERIFY(!rect.isEmpty());
    move(rect.topLeft() + QPointF(1, 1));
    QTRY_VERIFY(card()->isVisible());
    QVERIFY2(title().contains("expects 4 dimensions"), qPrintable(title()));
    move(QPointF(3, 3));
    QTRY_VERIFY(!card()->isVisible());
    // A click keeps it.
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, (rect.topLeft() + QPointF(1, 1)).toPoint());
    QVERIFY(card()->isVisible());
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(!card()->isVisible());
  }

  void aButtonOfTheCardMends() {
    rowsIntoConvolution();
    QVERIFY(run("problems.next"));
    QTRY_VERIFY(card()->isVisible());
    QTest::mouseClick(buttons().first(), Qt::LeftButton);
    settle();
    QTRY_VERIFY(document()->problems().isEmpty());
  }

  void aWireThatDoesNotFitOffersWhatMakesItFit() {
    edit("graph.add", {"Placeholder", "--name", "rows", "shape=[50,784]", "--at", "0,0"});
    edit("graph.add", {"Placeholder", "--name", "image", "shape=[50,28,28,1]", "--at", "0,160"});
    edit("graph.add",
         {"MaxPool", "--name", "pool", "--from", "image", "--at", "260,80", "--set", "ksize=[1,2,2,1]", "--set", "strides=[1,2,2,1]", "--set", "padding=SAME"});
    canvas()->setZoom(1);
    canvas()->fitAll();
    const QPoint from = port("rows", true), to = port("pool", false);
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    for (const double t : {0.3, 0.7, 1.0}) move(from + (QPointF(to - from) * t), Qt::LeftButton);
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to);
    QVERIFY(window_->findChild<weft::widgets::AddMenu*>() == nullptr);
    QVERIFY(card()->isVisible());
    QVERIFY2(title().contains("pool expects 4 dimensions, but 50×784 has 2"), qPrintable(title()));
    QCOMPARE(source("pool"), QString("image:0"));  // nothing has changed yet
    QTRY_VERIFY_WITH_TIMEOUT(!buttons().isEmpty(), 20000);
    QVERIFY2(buttons().first()->text().contains("Reshape"), qPrintable(buttons().first()->text()));
    QTRY_VERIFY(window_->actionRegistry().action(QStringLiteral("problems.fix"))->isEnabled());  // a moment after the card came
    const int steps = document()->history().index();
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_COMPARE(document()->history().index(), steps + 1);
    settle();
    QVERIFY2(source("pool").contains("eshape"), qPrintable(source("pool")));
    QVERIFY(document()->problems().isEmpty() || document()->problems().first().node != QLatin1String("pool"));
  }

  /// From a mismatch to a Flatten by F8 and Alt+Enter: it stands between its neighbours, and no wire runs backwards.
  void flattenComesBetweenAndNoWireLoops() {
    edit("graph.add", {"Placeholder", "--name", "labels", "shape=[50]", "dtype=int32", "--at", "0,200"});
    edit("graph.add", {"Placeholder", "--name", "image", "shape=[50,5,2,1]", "--at", "0,0"});
    edit("graph.add", {"layers.conv2d", "--name", "conv", "filters=1", "kernel_size=[1,1]", "--from", "image", "--at", "200,0"});
    edit("graph.add", {"losses.sparse_softmax_cross_entropy", "--name", "loss", "--from", "labels=labels:0", "--from", "logits=conv:0", "--at", "420,0"});
    QVERIFY(!document()->problems().isEmpty());
    canvas()->fitAll();
    QTest::keyClick(canvas(), Qt::Key_F8);
    QTRY_VERIFY_WITH_TIMEOUT(card()->isVisible(), 30000);  // the machine may be busy
    QTRY_VERIFY_WITH_TIMEOUT(!buttons().isEmpty(), 20000);
    QVERIFY2(buttons().first()->text().contains("Flatten"), qPrintable(buttons().first()->text()));
    QTRY_VERIFY(window_->actionRegistry().action(QStringLiteral("problems.fix"))->isEnabled());
    QTest::keyClick(canvas(), Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasScope("flatten"), 20000);
    settle();
    QVERIFY(document()->problems().isEmpty());
    const auto box = [&](const char* scope) { return canvas()->itemRect(Item::scope(document()->scopeIndex(scope))); };
    QVERIFY2(box("flatten").left() > box("conv").right() && box("flatten").right() < box("loss").left(),
             qPrintable(QStringLiteral("conv ends at %1, flatten is from %2 to %3, loss begins at %4")
                            .arg(box("conv").right())
                            .arg(box("flatten").left())
                            .arg(box("flatten").right())
                            .arg(box("loss").left())));
    int wires = 0;
    for (const auto& wire : canvas()->drawing()->wires) {
      ++wires;
      for (size_t i = 1; i < wire.way.points.size(); ++i) QVERIFY2(wire.way.points[i].x >= wire.way.points[i - 1].x - 1, "a wire runs back");
    }
    QVERIFY(wires >= 4);
  }

  void aMissingWireOfALayerIsOneProblem() {
    edit("graph.add", {"Placeholder", "--name", "image", "shape=[50,28,28,1]"});
    edit("graph.add", {"layers.flatten", "--name", "flatten", "--from", "image"});
    edit("graph.delete", {"image"});
    QStringList nodes;
    for (const Problem& p : document()->problems())
      if (p.code == QLatin1String("open-input")) nodes << p.node;
    QCOMPARE(nodes, QStringList{"flatten"});
    // One input, and a wire to it makes the layer whole again.
    int inputs = 0;
    for (const GraphView::ShownPort& p : canvas()->portsOf(Item::scope(document()->scopeIndex("flatten")))) inputs += p.port.output ? 0 : 1;
    QCOMPARE(inputs, 1);
    edit("graph.add", {"Placeholder", "--name", "other", "shape=[50,4,4,2]"});
    QVERIFY(run("problems.fix", {"flatten", "open-input"}));
    settle();
    QVERIFY(document()->problems().isEmpty() || document()->problems().first().code != QLatin1String("open-input"));
  }
};

QTEST_MAIN(FixCardsTest)
#include "tst_fix_cards.moc"
