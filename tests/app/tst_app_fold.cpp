// Folding ops into layers in the window: the preview with its checkboxes, what it shows on the canvas, one step of the history, what stays.
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

#include "adapters/graph_edit.h"
#include "adapters/property_list.h"
#include "document/document.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

class FoldTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theCheckedOnesBecomeLayers() {
    open(write(QStringLiteral("net.pbtxt"), kNet));
    QDialog* dialog = ask();
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTreeWidget*>(QStringLiteral("fold_offers"));
    QCOMPARE(table->topLevelItemCount(), 2);
    QCOMPARE(table->topLevelItem(0)->text(1), QStringLiteral("layers.dense"));
    QCOMPARE(table->topLevelItem(0)->text(2), QStringLiteral("units 3, activation relu"));
    QCOMPARE(table->topLevelItem(0)->text(3), QStringLiteral("3 ops move into the scope"));
    // What a row stands for is selected on the canvas.
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->topLevelItem(1)).center());
    QTRY_COMPARE(document()->selection(), QStringList{QStringLiteral("logits")});
    // Only the first one.
    table->topLevelItem(1)->setCheckState(0, Qt::Unchecked);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("fold_checked")), Qt::LeftButton);
    QTRY_VERIFY(document()->hasScope(QStringLiteral("dense")));
    QCOMPARE(document()->history().undoText(), QStringLiteral("Fold into layers"));
    QCOMPARE(document()->history().count(), 1);
    const LayerDetails layer = layerDetails(*document()->contents(), QStringLiteral("dense"));
    QVERIFY(layer.found);
    QCOMPARE(layer.kind, QStringLiteral("layers.dense"));
    QVERIFY(document()->hasNode(QStringLiteral("W1")));
    QVERIFY(document()->hasNode(QStringLiteral("logits")));
    // It is a layer like any other.
    ok("graph.set", {"dense", "units=4"});
    QCOMPARE(nodePorts(*document()->contents(), QStringLiteral("W1")).outputs[0].shape, QStringLiteral("5×4"));
    QVERIFY(run("edit.undo"));
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY(document()->hasNode(QStringLiteral("hidden")));
    QVERIFY(!document()->hasScope(QStringLiteral("dense")));
    QVERIFY(run("edit.redo"));
    QTRY_VERIFY(document()->hasScope(QStringLiteral("dense")));
  }

  void whatStaysIsSaid() {
    open(write(QStringLiteral("plain.pbtxt"), kGraph));
    QDialog* dialog = ask();
    QVERIFY(dialog);
    auto* left = dialog->findChild<QTreeWidget*>(QStringLiteral("fold_left"));
    QCOMPARE(left->topLevelItemCount(), 1);
    QVERIFY(left->topLevelItem(0)->text(0).contains(QLatin1String("the graph has no variables")));
    QVERIFY(!dialog->findChild<QPushButton*>(QStringLiteral("fold_checked"))->isVisible());
    QCOMPARE(failure("group.fold", {"all"}), QStringLiteral("No part of this graph is exactly a layer"));
    QCOMPARE(failure("group.fold", {"a"}), QStringLiteral("a: there is nothing to fold at a"));
    dialog->reject();
  }

  void allAtOnceByCommand() {
    open(write(QStringLiteral("net.pbtxt"), kNet));
    ok("group.fold", {"all"});
    QVERIFY(document()->hasScope(QStringLiteral("dense_1")));
    QCOMPARE(document()->selection(), (QStringList{QStringLiteral("dense"), QStringLiteral("dense_1")}));
  }

  void inChinese() {
    open(write(QStringLiteral("net.pbtxt"), kNet));
    window_->setLanguage("zh_CN");
    QDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = ask()));  // the document's texts are translated first
    QCOMPARE(dialog->windowTitle(), QStringLiteral("识别为层"));
    dialog->reject();
  }

 private:
  /// x → MatMul, BiasAdd, Relu with W1 and b1 → MatMul with W2
  static constexpr const char* kNet =
      "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: -1 } dim { size: 5 } } } } }\n"
      "node { name: \"W1\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 5 } dim { size: 3 } } } } }\n"
      "node { name: \"W1/read\" op: \"Identity\" input: \"W1\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"b1\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 3 } } } } }\n"
      "node { name: \"b1/read\" op: \"Identity\" input: \"b1\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"product\" op: \"MatMul\" input: \"x\" input: \"W1/read\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"sum\" op: \"BiasAdd\" input: \"product\" input: \"b1/read\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"hidden\" op: \"Relu\" input: \"sum\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"W2\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 3 } dim { size: 2 } } } } }\n"
      "node { name: \"W2/read\" op: \"Identity\" input: \"W2\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
      "node { name: \"logits\" op: \"MatMul\" input: \"hidden\" input: \"W2/read\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";

  /// Runs the command without words; the dialog that it opens.
  QDialog* ask() {
    if (!failure("group.fold", {}).isEmpty()) return nullptr;
    auto* dialog = window_->findChild<QDialog*>(QStringLiteral("fold_dialog"));
    return dialog && dialog->isVisible() ? dialog : nullptr;
  }
};

QTEST_MAIN(FoldTest)
#include "tst_app_fold.moc"
