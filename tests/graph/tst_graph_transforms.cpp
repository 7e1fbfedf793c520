// Graph transforms against TensorFlow 1.15.5's results (tests/golden/graph_transforms, made by tests/interop/tools.py), and what they refuse.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "weft/graph_transforms.h"
#include "weft/inspect.h"

using namespace weft;

namespace {

const QString kGoldens = WEFT_SOURCE_DIR "/tests/golden/graph_transforms/";

std::string contentsOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string textOf(const std::string& graph) {
  const auto text = convertGraphBytes(graph, "graph.pbtxt");
  return text.ok() ? *text : text.error().toString();
}

/// The text of each node, and of the rest of a graph, as lines.
QStringList partsOf(const std::string& graph) { return QString::fromStdString(textOf(graph)).split("\nnode {"); }

std::vector<std::string> namesIn(const QString& text) {
  std::vector<std::string> out;
  for (const QString& name : text.split(',', Qt::SkipEmptyParts)) out.push_back(name.toStdString());
  return out;
}

Result<std::string> transformed(const std::string& graph, const QString& inputs, const QString& outputs, const QString& transforms) {
  const auto calls = parseTransforms(transforms.toStdString());
  if (!calls.ok()) return calls.error();
  return transformGraph(graph, namesIn(inputs), namesIn(outputs), *calls);
}

const char* const kTwoNodes =
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
    "node { name: 'y' op: 'Relu' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } }\n";

}  // namespace

class TestGraphTransforms : public QObject {
  Q_OBJECT
 private slots:
  void resultsAreTensorFlows_data() {
    QTest::addColumn<QJsonObject>("record");
    const QJsonArray records = QJsonDocument::fromJson(QByteArray::fromStdString(contentsOf(kGoldens + "cases.json"))).array();
    QVERIFY(records.size() > 50);
    for (int i = 0; i < records.size(); ++i) {
      const QJsonObject record = records[i].toObject();
      QTest::newRow(qPrintable(QString("%1 %2 %3").arg(i).arg(record["graph"].toString(), record["transforms"].toString()))) << record;
    }
  }
  void resultsAreTensorFlows() {
    QFETCH(QJsonObject, record);
    const std::string graph = contentsOf(kGoldens + record["graph"].toString() + ".pb");
    const auto made = transformed(graph, record["inputs"].toString(), record["outputs"].toString(), record["transforms"].toString());
    if (!record.contains("result")) {
      QVERIFY2(!made.ok(), qPrintable("TensorFlow: " + record["error"].toString()));
      QVERIFY(!made.error().message.empty());
      return;
    }
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    const QStringList ours = partsOf(*made);
    QStringList theirs = partsOf(contentsOf(kGoldens + record["result"].toString()));
    theirs.removeDuplicates();  // fold_old_batch_norms repeats an input that two convolutions read
    for (int i = 0; i < std::min(ours.size(), theirs.size()); ++i) QCOMPARE(ours[i], theirs[i]);
    QCOMPARE(ours.size(), theirs.size());
  }

  void librariesAreTensorFlows_data() {
    QTest::addColumn<QJsonObject>("record");
    const QJsonArray records = QJsonDocument::fromJson(QByteArray::fromStdString(contentsOf(kGoldens + "tools.json"))).array();
    QVERIFY(records.size() > 10);
    for (int i = 0; i < records.size(); ++i) {
      const QJsonObject record = records[i].toObject();
      QTest::newRow(qPrintable(QString("%1 %2 %3").arg(i).arg(record["tool"].toString(), record["graph"].toString()))) << record;
    }
  }
  void librariesAreTensorFlows() {
    QFETCH(QJsonObject, record);
    const std::string graph = contentsOf(kGoldens + record["graph"].toString() + ".pb");
    const auto inputs = namesIn(record["inputs"].toString()), outputs = namesIn(record["outputs"].toString());
    std::vector<std::string> warnings;
    const auto made = record["tool"].toString() == "strip_unused" ? stripUnused(graph, inputs, outputs, {1})
                                                                  : optimizeForInference(graph, inputs, outputs, {1}, false, &warnings);
    if (record["error"].toString().startsWith("list index")) {  // TensorFlow leaves a reader of CheckNumerics without an input, and then fails
      QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
      QVERIFY(textOf(*made).find("CheckNumerics") == std::string::npos);
      return;
    }
    if (!record.contains("result")) {
      QVERIFY(!made.ok());
      QCOMPARE(QString::fromStdString(made.error().message), record["error"].toString());
      return;
    }
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    const QStringList ours = partsOf(*made), theirs = partsOf(contentsOf(kGoldens + record["result"].toString()));
    for (int i = 0; i < std::min(ours.size(), theirs.size()); ++i) QCOMPARE(ours[i], theirs[i]);
    QCOMPARE(ours.size(), theirs.size());
  }

  void everyTransformIsDescribed() {
    QCOMPARE(graphTransforms().size(), size_t(28));
    for (const GraphTransform& transform : graphTransforms()) {
      QVERIFY(!transform.summary.empty());
      QVERIFY(transform.summary.ends_with('.'));
      for (const TransformParameter& parameter : transform.parameters) QVERIFY(!parameter.summary.empty());
      QCOMPARE(findGraphTransform(transform.name), &transform);
    }
    QVERIFY(!findGraphTransform("no_such_transform"));
  }

  void notationIsParsed() {
    const auto calls = parseTransforms(" fold_constants(ignore_errors=true)\tstrip_unused_nodes(type=float, shape=\"1,2\",name=a , name=b/c)remove_device");
    QVERIFY(calls.ok());
    QCOMPARE(calls->size(), size_t(3));
    QCOMPARE(*transformText((*calls)[0]), std::string("fold_constants(ignore_errors=true)"));
    QCOMPARE(*transformText((*calls)[1]), std::string("strip_unused_nodes(name=a, name=b/c, shape=\"1,2\", type=float)"));
    QCOMPARE(*transformText((*calls)[2]), std::string("remove_device"));
    const auto quoted = transformText({"set_device", {{"device", {"a\"b"}}}});
    QVERIFY(!quoted.ok());
    QVERIFY(quoted.error().message.find("set_device's parameter device has a quotation mark") != std::string::npos);
  }

  void badNotationIsRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("no name") << "(a=b)"
                             << "Looking for transform name, but found (a=b)";
    QTest::newRow("no equals sign") << "set_device(device)"
                                    << "Looking for =, but found )";
    QTest::newRow("no value") << "set_device(device=)"
                              << "Looking for the value of parameter device, but found )";
    QTest::newRow("no parameter") << "set_device(device=a"
                                  << "Looking for parameter name, but found the end";
    QTest::newRow("open quote") << "set_device(device=\"a"
                                << "Looking for the closing quote of parameter device, but found a";
  }
  void badNotationIsRefused() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto calls = parseTransforms(text.toStdString());
    QVERIFY(!calls.ok());
    QCOMPARE(QString::fromStdString(calls.error().message), message);
  }

  void badRequestsAreRefused_data() {
    QTest::addColumn<QString>("transforms");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown transform") << "fold_everything"
                                       << "Transform 'fold_everything' not recognized.";
    QTest::newRow("unknown parameter") << "remove_nodes(ops=Relu)"
                                       << "remove_nodes has no parameter 'ops'; it has op, max_inputs, ignore_errors";
    QTest::newRow("not supported") << "quantize_nodes"
                                   << "quantize_nodes is not supported";
    QTest::newRow("not a number") << "round_weights(num_steps=few)"
                                  << "Couldn't interpret the num_steps argument as a number:few";
    QTest::newRow("not positive") << "round_weights(num_steps=0)"
                                  << "num_steps is 0, expected at least 1";
    QTest::newRow("too many inputs") << "remove_nodes(op=Relu, max_inputs=1000000000)"
                                     << "max_inputs is 1000000000, expected 1 to 64";
    QTest::newRow("no inputs") << "remove_nodes(op=Relu, max_inputs=0)"
                               << "max_inputs is 0, expected 1 to 64";
    QTest::newRow("given twice") << "remove_nodes(op=Relu, op=Identity, max_inputs=1, max_inputs=2)"
                                 << "remove_nodes: expected a single 'max_inputs' parameter, but found 2 occurrences";
    QTest::newRow("given twice, of any transform") << "remove_device(ignore_errors=true, ignore_errors=false)"
                                                   << "expected a single 'ignore_errors' parameter, but found 2 occurrences";
    QTest::newRow("bad shape") << "strip_unused_nodes(shape=\"1,x\")"
                               << "Could parse as shape: '1,x'";
    QTest::newRow("bad type") << "strip_unused_nodes(type=float33)"
                              << "Couldn't understand type argument 'float33'";
    QTest::newRow("no log") << "freeze_requantization_ranges(min_max_log_file=/nowhere/log)"
                            << "No such file";
    QTest::newRow("taken name") << "rename_node(old_node_name=x, new_node_name=y)"
                                << "the name 'y' is already in use";
    QTest::newRow("absent node") << "rename_node(old_node_name=z, new_node_name=w)"
                                 << "no node 'z' in the graph";
  }
  void badRequestsAreRefused() {
    QFETCH(QString, transforms);
    QFETCH(QString, message);
    const auto made = transformed(kTwoNodes, "y", "y", transforms);
    QVERIFY(!made.ok());
    QVERIFY2(made.error().toString().find(message.toStdString()) != std::string::npos, made.error().toString().c_str());
  }

  void oddGraphsNeitherCrashNorHang_data() {
    QTest::addColumn<QString>("graph");
    QTest::newRow("missing input") << "node { name: 'x' op: 'Mul' input: 'a' input: 'b' }";
    QTest::newRow("cycle") << "node { name: 'a' op: 'Identity' input: 'b' } node { name: 'b' op: 'Identity' input: 'a' }";
    QTest::newRow("own input") << "node { name: 'x' op: 'Identity' input: 'x' }";
    QTest::newRow("two of a name") << "node { name: 'x' op: 'NoOp' } node { name: 'x' op: 'Const' }";
    QTest::newRow("no names") << "node { op: 'Const' } node { input: '' op: 'Identity' }";
    QTest::newRow("constants without values") << "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } }";
    QTest::newRow("constants of the wrong size")
        << "node { name: 'x' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT "
           "tensor_shape { dim { size: 9000000000000 } } tensor_content: 'abc' } } } }";
    QTest::newRow("batch norm without attributes")
        << "node { name: 'c' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } } } } } "
           "node { name: 'k' op: 'Conv2D' input: 'c' input: 'c' } node { name: 'x' op: 'FusedBatchNorm' input: 'k' input: 'c' input: 'c' input: 'c' input: 'c' } "
           "node { name: 'm' op: 'Mul' input: 'k' input: 'c' }";
    QTest::newRow("convolutions without attributes")
        << "node { name: 'c' op: 'Const' } node { name: 'r' op: 'ResizeBilinear' } node { name: 'p' op: 'MirrorPad' input: 'r' input: 'c' } "
           "node { name: 'k' op: 'Conv2D' input: 'p' input: 'c' } node { name: 's' op: 'SpaceToBatchND' input: 'c' input: 'c' input: 'c' } "
           "node { name: 'l' op: 'Conv2D' input: 's' input: 'c' } node { name: 'x' op: 'BatchToSpaceND' input: 'l' input: 'c' input: 'c' }";
    QTest::newRow("gather")
        << "node { name: 'c' op: 'Const' } node { name: 'i' op: 'Identity' input: 'c' } node { name: 'x' op: 'Gather' input: 'i' input: 'c' }";
    QTest::newRow("strange output numbers")
        << "node { name: 'a' op: 'Const' } node { name: 'x' op: 'Identity' input: 'a:99999999999' input: 'a:' input: '^a:b' }";
  }
  void oddGraphsNeitherCrashNorHang() {
    QFETCH(QString, graph);
    for (const GraphTransform& transform : graphTransforms()) {
      TransformCall call{std::string(transform.name), {}};
      for (const TransformParameter& parameter : transform.parameters)
        if (parameter.required) call.parameters[std::string(parameter.name)] = {"Identity"};
      const auto made = transformGraph(graph.toStdString(), {"x"}, {"x"}, {call});
      if (!made.ok()) QVERIFY(!made.error().message.empty());
    }
    std::vector<std::string> warnings;
    (void)stripUnused(graph.toStdString(), {"x"}, {"x"}, {1}).ok();
    (void)optimizeForInference(graph.toStdString(), {"x"}, {"x"}, {1}, false, &warnings).ok();
    (void)summarizeGraph(graph.toStdString(), "graph.pb", true).ok();
  }

  void ignoredErrorsKeepTheGraph() {
    const auto made = transformed(kTwoNodes, "x", "y", "quantize_nodes(ignore_errors=true) remove_device");
    QVERIFY(made.ok());
    QCOMPARE(graphNodeCount(*made), 2);
  }

  void strippedGraphsHavePlaceholders() {
    const auto made = stripUnused(kTwoNodes, {"y"}, {"y"}, {3});
    QVERIFY(made.ok());
    QCOMPARE(graphNodeCount(*made), 1);
    QVERIFY(textOf(*made).find("DT_INT32") != std::string::npos);
    const auto missing = stripUnused(kTwoNodes, {"z"}, {"y"}, {1});
    QCOMPARE(missing.error().message, std::string("The following input nodes were not found: {'z'}"));
    QCOMPARE(stripUnused(kTwoNodes, {"x"}, {"z"}, {1}).error().message, std::string("z is not in graph"));
    QCOMPARE(stripUnused(kTwoNodes, {"x:0"}, {"y"}, {1}).error().message, std::string("Name 'x:0' appears to refer to a Tensor, not a Operation."));
    QCOMPARE(stripUnused(kTwoNodes, {"x"}, {"y"}, {1, 1}).error().message, std::string("found 2 placeholder types for 1 inputs, expected one or one for each"));
    QCOMPARE(stripUnused(kTwoNodes, {"x"}, {"y"}, {77}).error().message, std::string("placeholder type 77 is not a DataType"));
  }

  void summaryNamesInputsAndOutputs() {
    const auto text = summarizeGraph(kTwoNodes, "model.pb", true);
    QVERIFY(text.ok());
    QVERIFY(text->starts_with(
        "Found 1 possible inputs: (name=x, type=float(1), shape=None) \nNo variables spotted.\nFound 1 possible outputs: (name=y, op=Relu) \n"));
    QVERIFY(text->find("Op types used: 1 Placeholder, 1 Relu\n") != std::string::npos);
    QVERIFY(text->ends_with("x (Placeholder): []\ny (Relu): [x]\n"));
  }

  void scopesMoveNamesAndGroups() {
    const auto made = graphUnderScope(
        "node { name: 'a' op: 'Const' } node { name: 'b' op: 'Identity' input: 'a:0' input: '^a' attr { key: '_class' value { list { s: 'loc:@a' } } } }",
        "import");
    QVERIFY(made.ok());
    const std::string text = textOf(*made);
    for (const char* part : {"\"import/a\"", "\"import/a:0\"", "\"^import/a\"", "loc:@import/a"}) QVERIFY2(text.find(part) != std::string::npos, part);
  }
};

QTEST_GUILESS_MAIN(TestGraphTransforms)
#include "tst_graph_transforms.moc"
