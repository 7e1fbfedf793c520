// Documents and their notifications between threads.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <limits>
#include <thread>

#include "adapters/event_queue.h"
#include "adapters/graph_edit.h"
#include "adapters/graph_files.h"
#include "adapters/latest_value.h"
#include "adapters/node_details.h"
#include "adapters/shape_hints.h"
#include "adapters/step_costs.h"
#include "adapters/tasks.h"
#include "common/format.h"
#include "document/document.h"
#include "document/settings.h"
#include "document/workspace.h"

using namespace weft::app;

namespace {

const char* kGraph = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } } }
node { name: "dense/kernel" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 3 } dim { size: 2 } } } }
       attr { key: "container" value { s: "" } } attr { key: "shared_name" value { s: "" } } }
node { name: "dense/kernel/read" op: "Identity" input: "dense/kernel" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "dense/MatMul" op: "MatMul" input: "x" input: "dense/kernel/read" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "odd" op: "NobodyKnowsThisOp" input: "dense/MatMul" }
)";

QString writeGraph(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
  QFile file(folder.filePath(name));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(bytes);
  return file.fileName();
}

QByteArray contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class DocumentTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  /// The canvas data of a large graph is computed by its reader; the first view gets the matching snapshot while it is valid.
  void aLargeGraphIsPreparedByWhoReadsIt() {
    QByteArray bytes;
    for (int i = 0; i < 2500; ++i) bytes += "node { name: \"s" + QByteArray::number(i % 50) + "/n" + QByteArray::number(i) + "\" op: \"NoOp\" }\n";
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "large.pbtxt", bytes), task);
    QVERIFY2(outcome.contents, qPrintable(outcome.error));
    const auto arrays = Document::prepare(outcome.contents);
    const Document prepared(outcome.contents, {}, "large", nullptr, arrays), plain(outcome.contents, {}, "large");
    QCOMPARE(prepared.model()->nodes.size(), size_t(2500));
    QCOMPARE(prepared.model()->nodes.size(), plain.model()->nodes.size());
    QCOMPARE(prepared.model()->scopes.size(), plain.model()->scopes.size());
    QCOMPARE(prepared.model()->nodeName(2499), plain.model()->nodeName(2499));
    const auto first = prepared.model()->snapshot();
    QVERIFY(first);
    QCOMPARE(first->nodeName(2499), prepared.model()->nodeName(2499));
    QVERIFY(prepared.model()->snapshot() != first);  // it may have changed since
    emit plain.model()->statusChanged();
    plain.model()->nodes[7].status.badges |= weft::widgets::BadgeBreakpoint;
    QVERIFY(plain.model()->snapshot()->nodeStatus(7).badges & weft::widgets::BadgeBreakpoint);
    // Arrays with other contents are refused.
    const OpenOutcome small = openGraphFile(writeGraph(folder_, "small.pbtxt", kGraph), task);
    const Document other(small.contents, {}, "small", nullptr, Document::prepare(outcome.contents));
    QCOMPARE(other.model()->nodes.size(), size_t(5));
    QVERIFY(!Document::prepare(nullptr));
  }
  void namesBecomeScopes() {
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "g.pbtxt", kGraph), task);
    QVERIFY2(outcome.contents, qPrintable(outcome.error));
    const GraphContents& c = *outcome.contents;
    QCOMPARE(c.summary.nodes, 5);
    QCOMPARE(c.summary.scopes, 2);  // dense, dense/kernel
    QCOMPARE(c.summary.variables, 1);
    QCOMPARE(c.summary.parameters, 6);
    QCOMPARE(c.summary.unknownOps, 1);
    const Document document(outcome.contents, {}, "g");
    const int kernel = document.nodeIndex("dense/kernel"), scope = document.scopeIndex("dense/kernel");
    QCOMPARE(c.arrays.nodes[size_t(kernel)].scope, scope);
    QCOMPARE(c.arrays.scopes[size_t(scope)].shape, weft::widgets::NodeShape::Variable);
    QCOMPARE(c.arrays.scopes[size_t(scope)].parent, document.scopeIndex("dense"));
  }
  void anUnknownOpIsAWarningNotARefusal() {
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "u.pbtxt", kGraph), task);
    QVERIFY(outcome.contents);
    bool told = false;
    for (const Problem& p : outcome.contents->problems) told = told || (p.severity == Problem::Severity::Warning && p.message.contains("NobodyKnowsThisOp"));
    QVERIFY(told);
  }
  void detailsNameInputsAndShapes() {
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "d.pbtxt", kGraph), task);
    const NodeDetails d = nodeDetails(*outcome.contents, "dense/MatMul", false);
    QVERIFY(d.found);
    QCOMPARE(d.op, QStringLiteral("MatMul"));
    QCOMPARE(d.inputs.size(), 2);
    QCOMPARE(d.inputs[0].other, QStringLiteral("x"));
    QCOMPARE(d.inputs[1].shape, QStringLiteral("3×2"));
    QCOMPARE(d.outputs.size(), 1);
    QCOMPARE(d.outputs[0].shape, QStringLiteral("?×2"));
    QCOMPARE(d.outputs[0].targets, QStringList{"odd"});
  }
  void anUntouchedFileIsSavedAsItsBytes_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("text") << "same.pbtxt";
  }
  void anUntouchedFileIsSavedAsItsBytes() {
    QFETCH(QString, name);
    TaskState task;
    const QByteArray bytes = QByteArray("# a comment that only the original has\n") + kGraph;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, name, bytes), task);
    const QString copy = folder_.filePath("copy-" + name);
    QCOMPARE(saveGraph(*outcome.contents, copy), QString());
    QCOMPARE(contentsOf(copy), bytes);
  }
  void otherFormsHoldTheSameGraph_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"o.pb", "o.pbtxt", "o.meta", "o.weft", "o.weft.pbtxt"}) QTest::newRow(name) << name;
  }
  void otherFormsHoldTheSameGraph() {
    QFETCH(QString, name);
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "form.pbtxt", kGraph), task);
    const QString path = folder_.filePath(name);
    QCOMPARE(saveGraph(*outcome.contents, path), QString());
    const OpenOutcome again = openGraphFile(path, task);
    QVERIFY2(again.contents, qPrintable(again.error));
    QCOMPARE(again.contents->summary.nodes, 5);
    QCOMPARE(again.contents->summary.parameters, 6);
  }
  void aFileKeepsItsFormUnderItsEnding() {
    TaskState task;
    const QString path = writeGraph(folder_, "text.pb", kGraph);  // text, although such files are binary
    const OpenOutcome outcome = openGraphFile(path, task);
    QVERIFY2(outcome.contents, qPrintable(outcome.error));
    const auto bytes = [](const QString& name) {
      QFile f(name);
      return f.open(QFile::ReadOnly) ? f.readAll() : QByteArray();
    };
    QCOMPARE(saveGraph(*outcome.contents, folder_.filePath("again.pb"), path), QString());
    QCOMPARE(bytes(folder_.filePath("again.pb")), QByteArray(kGraph));
    QCOMPARE(saveGraph(*outcome.contents, folder_.filePath("binary.pb")), QString());
    QVERIFY(bytes(folder_.filePath("binary.pb")) != QByteArray(kGraph));
  }
  void anUnknownEndingIsRefused() {
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "e.pbtxt", kGraph), task);
    QVERIFY(saveGraph(*outcome.contents, folder_.filePath("x.txt")).contains("x.txt"));
    QVERIFY(!QFile::exists(folder_.filePath("x.txt")));
  }
  void badFilesGiveOneErrorThatNamesThem_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("noise") << QByteArray("\x93\x00\xff\xfe\x01 garbage", 13);
    QTest::newRow("open brace") << QByteArray("node { name: \"x\" op: ");
  }
  void badFilesGiveOneErrorThatNamesThem() {
    QFETCH(QByteArray, bytes);
    TaskState task;
    const QString path = writeGraph(folder_, "bad.pbtxt", bytes);
    const OpenOutcome outcome = openGraphFile(path, task);
    QVERIFY(!outcome.contents);
    QVERIFY2(outcome.error.contains("bad.pbtxt"), qPrintable(outcome.error));
    QVERIFY2(!outcome.error.contains('\n'), qPrintable(outcome.error));
  }

  void graphsThatTensorFlowWouldRefuseAreShown_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("node");
    QTest::newRow("duplicate names") << QByteArray("node { name: \"x\" op: \"NoOp\" }\nnode { name: \"x\" op: \"NoOp\" }\n") << "x_1";
    QTest::newRow("missing input") << QByteArray("node { name: \"x\" op: \"Identity\" input: \"y\" attr { key: \"T\" value { type: DT_FLOAT } } }\n") << "x";
  }
  void graphsThatTensorFlowWouldRefuseAreShown() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, node);
    TaskState task;
    const OpenOutcome outcome = openGraphFile(writeGraph(folder_, "refused.pbtxt", bytes), task);
    QVERIFY2(outcome.contents, qPrintable(outcome.error));
    const auto& problems = outcome.contents->problems;
    QVERIFY(std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return p.node == node && p.severity == Problem::Severity::Error; }));
    QVERIFY(!outcome.contents->training.reason.isEmpty());  // why it cannot be run
  }

  void theWorkspaceOpensBesideTheGuiThread() {
    Workspace workspace(Settings::Kind::InMemory);
    QSignalSpy added(&workspace, &Workspace::documentAdded);
    QString error = "not called";
    const QString path = writeGraph(folder_, "w.pbtxt", kGraph);
    workspace.open(path, [&](const QString& e) { error = e; });
    QVERIFY(workspace.isBusy());
    QVERIFY(workspace.documents().isEmpty());
    QTRY_COMPARE(added.size(), 1);
    QCOMPARE(error, QString());
    QVERIFY(workspace.current());
    QCOMPARE(workspace.settings().recentFiles(), QStringList{path});
    workspace.open(path);  // open already: only shown
    QCOMPARE(workspace.documents().size(), 1);
    workspace.close(workspace.current());
    QVERIFY(!workspace.current());
  }
  void aFileThatIsNotThereIsOneError() {
    Workspace workspace(Settings::Kind::InMemory);
    QSignalSpy failed(&workspace, &Workspace::failed);
    workspace.open(folder_.filePath("missing.pb"));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().contains("missing.pb"));
    QVERIFY(workspace.documents().isEmpty());
  }

  void aCancelledTaskIsDropped() {
    Tasks tasks;
    bool finished = false, cancelled = false;
    const int id = tasks.start(
        "wait",
        [](TaskState& state) {
          while (!state.cancelled) QThread::msleep(1);
        },
        [&] { finished = true; }, [&] { cancelled = true; });
    QCOMPARE(tasks.running().size(), 1);
    tasks.cancel(id);
    QVERIFY(cancelled);
    QVERIFY(tasks.isEmpty());
    QTest::qWait(50);
    QVERIFY(!finished);
  }
  void fansAndPaddingAreWorkedOut() {
    const OpenOutcome lenet = openTemplate("lenet");
    QVERIFY2(lenet.contents, qPrintable(lenet.error));
    const auto value = [&](const char* node, int row) { return shapeHints(*lenet.contents, node).value(row).value; };
    const auto* engine = lenet.contents.get();
    QString kernel, convolution;
    for (const auto& node : engine->arrays.nodes) {
      if (kernel.isEmpty() && (node.op == "VariableV2" || node.op == "VarHandleOp") && node.name.contains("conv") && node.name.endsWith("kernel"))
        kernel = node.name;
      if (convolution.isEmpty() && node.op == "Conv2D") convolution = node.name;
    }
    QVERIFY(!kernel.isEmpty() && !convolution.isEmpty());
    const QString shape = tensorText(*lenet.contents, kernel + ":0").section(' ', 1);
    const QStringList dims = shape.split(u'×');
    QCOMPARE(dims.size(), 4);
    const double field = dims[0].toDouble() * dims[1].toDouble();
    QCOMPARE(value(qPrintable(kernel), 0).toDouble(), field * dims[2].toDouble());
    QCOMPARE(value(qPrintable(kernel), 1).toDouble(), field * dims[3].toDouble());
    const auto padding = shapeHints(*lenet.contents, convolution);
    QCOMPARE(padding.size(), 2);
    const QString out = tensorText(*lenet.contents, convolution + ":0").section(' ', 1).section(u'×', 1, 1);
    QVERIFY2(padding[0].value.contains("→ " + out), qPrintable(padding[0].value + " / " + out));
    QVERIFY(shapeHints(*lenet.contents, "no such node").isEmpty());
  }
  /// Fed tensors have an open first dimension: costs that depend on it use the requested batch; initializers are not part of a step.
  void aStepCostsWhatTheBatchMakesIt() {
    TaskState task;
    const QByteArray initial =
        "node { name: \"dense/one\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } dim { size: 2 } } float_val: 1 } } } }\n"
        "node { name: \"dense/two\" op: \"Add\" input: \"dense/one\" input: \"dense/one\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"
        "node { name: \"dense/kernel/Assign\" op: \"Assign\" input: \"dense/kernel\" input: \"dense/two\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    const OpenOutcome opened = openGraphFile(writeGraph(folder_, "costs.pbtxt", kGraph + initial), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    const weft::StepCosts one = *stepCosts(*opened.contents, 1), ten = *stepCosts(*opened.contents, 10);
    QVERIFY(one.dependsOnBatch());
    QCOMPARE(one.ofNode("dense/MatMul").flops, 2.0 * 3 * 2);
    QCOMPARE(ten.ofNode("dense/MatMul").flops, 2.0 * 10 * 3 * 2);
    QCOMPARE(ten.ofNode("dense/MatMul").outputBytes, int64_t(10 * 2 * 4));
    QCOMPARE(ten.ofScope("dense").flops, 2.0 * 10 * 3 * 2);  // without the six additions of the initial value
    QCOMPARE(ten.total().flops, 2.0 * 10 * 3 * 2);
    QVERIFY(!ten.ofNode("nobody").any);
    // The document's own shapes stay as they are.
    QCOMPARE(tensorText(*opened.contents, "dense/MatMul:0").section(' ', 1), QStringLiteral("?×2"));
    const OpenOutcome lenet = openTemplate("lenet");
    QVERIFY2(lenet.contents, qPrintable(lenet.error));
    QCOMPARE(stepCosts(*lenet.contents, 32)->ofScope("conv2").flops, 2.0 * 32 * (8 * 8 * 32) * (3 * 3 * 16));
  }
  /// Canvas and inspector count the same parameters: the trainable ones, without an optimizer's slots.
  void canvasAndInspectorCountTheSameParameters() {
    const OpenOutcome lenet = openTemplate("lenet-digits");
    QVERIFY2(lenet.contents, qPrintable(lenet.error));
    int compared = 0;
    for (const auto& scope : lenet.contents->arrays.scopes) {
      for (const QString& line : scope.detail) {
        if (!line.endsWith(QStringLiteral(" parameters"))) continue;
        ++compared;
        QCOMPARE(line, weft::widgets::formatCountShort(nodeDetails(*lenet.contents, scope.name, true).parameters) + QStringLiteral(" parameters"));
      }
    }
    QVERIFY(compared >= 3);
    // Names of 128 letters and more take two bytes for their length.
    const QByteArray
        longName = "s/" + QByteArray(140, 'v'),
        variable = " op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 10 } } } } }\n";
    const QByteArray meta = "graph_def { node { name: \"" + longName + "\"" + variable + "node { name: \"s/slot\"" + variable + "node { name: \"s/w\"" +
                            variable + "} collection_def { key: \"trainable_variables\" value { bytes_list { value: \"\\n\\220\\001" + longName +
                            ":0\" value: \"\\n\\005s/w:0\" } } }\n";
    TaskState task;
    const OpenOutcome opened = openGraphFile(writeGraph(folder_, "long.pbtxt", meta), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    QCOMPARE(nodeDetails(*opened.contents, "s", true).parameters, qint64(20));
    QCOMPARE(opened.contents->arrays.scopes[0].detail.filter("parameters"), QStringList{"20 parameters"});
  }
  /// Work of open sizes is not known, and not the few operations that are.
  void openSizesAreNotCountedAsWork() {
    const QByteArray open =
        "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { unknown_rank: true } } } }\n";
    QByteArray graph = open;
    QByteArray before = "x";
    for (int i = 0; i < 20; ++i) {
      const QByteArray name = "n" + QByteArray::number(i);
      graph +=
          "node { name: \"" + name + "\" op: \"MatMul\" input: \"" + before + "\" input: \"" + before + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
      before = name;
    }
    TaskState task;
    const OpenOutcome opened = openGraphFile(writeGraph(folder_, "open.pbtxt", graph), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    const weft::StepCosts costs = *stepCosts(*opened.contents, 1);
    QVERIFY2(costs.total().unknown >= 20, qPrintable(QString::number(costs.total().unknown)));
    QCOMPARE(costs.total().flops, 0.0);
  }
  /// Sizes that a file states may be more than an integer counts: then the largest is said, nothing below zero and nothing small.
  void sizesBeyondAnIntegerAreTheLargest() {
    QByteArray graph;
    const QByteArray shape = "attr { key: \"shape\" value { shape { dim { size: 4611686018427387904 } } } }";
    for (const char* name : {"s/a", "s/b", "s/c"}) {
      graph += QByteArray("node { name: \"") + name + "\" op: \"VariableV2\" attr { key: \"dtype\" value { type: DT_FLOAT } } " + shape + " }\n";
      graph += QByteArray("node { name: \"") + name + "/read\" op: \"Identity\" input: \"" + name + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    }
    TaskState task;
    const OpenOutcome opened = openGraphFile(writeGraph(folder_, "huge.pbtxt", graph), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    constexpr qint64 kMost = std::numeric_limits<qint64>::max();
    QCOMPARE(opened.contents->summary.parameters, kMost);
    QCOMPARE(opened.contents->summary.parameterBytes, kMost);
    QCOMPARE(opened.contents->arrays.edges.size(), size_t(3));
    for (const auto& edge : opened.contents->arrays.edges) QCOMPARE(edge.bytes, kMost);
    const weft::StepCosts costs = *stepCosts(*opened.contents, 1);
    QCOMPARE(costs.ofNode("s/a").outputBytes, kMost);
    QCOMPARE(costs.total().outputBytes, kMost);
    QCOMPARE(nodeDetails(*opened.contents, "s", true).parameters, kMost);
  }
  /// An op may have more inputs than 16 bits count.
  void everyInputKeepsItsNumber() {
    constexpr int kInputs = 40000;
    QByteArray graph =
        "node { name: \"c\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }\n"
        "node { name: \"sum\" op: \"AddN\" attr { key: \"T\" value { type: DT_FLOAT } } attr { key: \"N\" value { i: 40000 } }";
    for (int i = 0; i < kInputs; ++i) graph += " input: \"c\"";
    TaskState task;
    const OpenOutcome opened = openGraphFile(writeGraph(folder_, "wide.pbtxt", graph + " }\n"), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    const auto& arrays = opened.contents->arrays;
    QCOMPARE(int(arrays.nodes[size_t(arrays.nodeIndex.value("sum"))].inputs), kInputs);
    QCOMPARE(arrays.edges.size(), size_t(kInputs));
    for (int i = 0; i < kInputs; ++i) QCOMPARE(int(arrays.edges[size_t(i)].ends.toInput), i);
  }
  /// Each scope costs its full name: for a name of only slashes, their number is limited.
  void aNameOfSlashesHasAnEnd() {
    const QByteArray name = "a" + QByteArray("/a").repeated(50000);
    TaskState task;
    const OpenOutcome opened =
        openGraphFile(writeGraph(folder_, "deep.pbtxt", "node { name: \"" + name + "\" op: \"NoOp\" }\nnode { name: \"b/c/d\" op: \"NoOp\" }\n"), task);
    QVERIFY2(opened.contents, qPrintable(opened.error));
    const auto& arrays = opened.contents->arrays;
    QCOMPARE(arrays.nodes.size(), size_t(2));
    QCOMPARE(arrays.nodes[0].name, QString::fromLatin1(name));
    QCOMPARE(arrays.scopes.size(), size_t(256 + 2));
    QCOMPARE(arrays.scopes[size_t(arrays.nodes[0].scope)].name, QString::fromLatin1(name.first(256 * 2 - 1)));
    QCOMPARE(arrays.scopes[size_t(arrays.nodes[1].scope)].name, QStringLiteral("b/c"));
  }
  /// The add menu of a wire: each op with its resulting shape, without those that refuse the tensor.
  void opsThatFitSayWhatComesOut() {
    const OpenOutcome lenet = openTemplate("lenet");
    QVERIFY2(lenet.contents, qPrintable(lenet.error));
    QHash<QString, QString> shapes;
    for (const FittingType& fit : fittingTypes(*lenet.contents, "images:0")) shapes.insert(fit.type, fit.shape);
    QCOMPARE(shapes.value("Softmax"), QStringLiteral("?×64"));
    QCOMPARE(shapes.value("Shape"), QStringLiteral("2"));
    QVERIFY(shapes.contains("MatMul"));  // the result depends on the other factor
    QVERIFY(!shapes.contains("LRN"));    // wants four dimensions
    QVERIFY(!shapes.contains("LogicalNot"));
  }
  void theQueueKeepsEveryEventInOrder() {
    constexpr int kCount = 200000;
    EventQueue<int> queue;
    std::thread producer([&] {
      for (int i = 0; i < kCount; ++i) queue.push(i);
    });
    int expected = 0, item = 0;
    while (expected < kCount) {
      if (!queue.pop(item)) continue;
      if (item != expected) break;
      ++expected;
    }
    producer.join();
    QCOMPARE(expected, kCount);
    QVERIFY(!queue.pop(item));
  }
  void theQueueHandsOverPieces() {
    constexpr int kCount = 200000;
    EventQueue<int> queue;
    std::thread producer([&] {
      for (int i = 0; i < kCount; ++i) queue.push(i);
    });
    int expected = 0;
    bool right = true;
    while (expected < kCount && right)
      queue.popAll([&](std::span<int> piece) {
        for (const int item : piece) right = right && item == expected++;
      });
    producer.join();
    QVERIFY(right);
    QCOMPARE(expected, kCount);
  }
  void theLatestValueIsWholeAndTheNewest() {
    struct Pair {
      int a = 0, b = 0;
    };
    constexpr int kCount = 200000;
    LatestValue<Pair> latest;
    Pair seen;
    QVERIFY(!latest.take(seen));
    std::thread producer([&] {
      for (int i = 1; i <= kCount; ++i) latest.set({i, -i});
    });
    int before = 0;
    bool right = true;
    while (right && before < kCount) {
      if (!latest.take(seen)) continue;
      right = seen.a == -seen.b && seen.a > before;
      before = seen.a;
    }
    producer.join();
    QVERIFY(right);
    QVERIFY(!latest.take(seen));
  }
  void recentFilesAreKeptNewestFirst() {
    Settings settings(Settings::Kind::InMemory);
    for (int i = 0; i < 20; ++i) settings.addRecentFile(QString::number(i));
    settings.addRecentFile("15");
    QCOMPARE(settings.recentFiles().size(), 12);
    QCOMPARE(settings.recentFiles().first(), QStringLiteral("15"));
    QCOMPARE(settings.recentFiles().count("15"), 1);
  }

 private:
  QTemporaryDir folder_;
};

QTEST_MAIN(DocumentTest)
#include "tst_document.moc"
