#include <QTest>

#include "onnx_models.h"
#include "weft/builder.h"

using namespace onnx_models;

namespace {

Result<std::string> writtenAs(const MetaGraph& meta, int opset = 17, std::vector<std::string> outputs = {}) {
  WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
  return graphToOnnx(bytes, {{}, std::move(outputs), opset});
}

/// What a graph computes.
Result<std::map<std::string, Tensor>> computed(const MetaGraph& meta, const std::map<std::string, Tensor>& feeds, const std::string& output) {
  WEFT_LET(const auto session, Session::create(meta.graph));
  std::vector<std::pair<std::string, Tensor>> fed;
  std::map<std::string, Tensor> arrays;
  for (const auto& [name, value] : feeds) {
    fed.emplace_back(name + ":0", value);
    arrays.emplace("in/" + name, value);
  }
  WEFT_LET(auto got, session->run(fed, {output + ":0"}, {}));
  arrays.emplace("out/" + output, std::move(got[0]));
  return arrays;
}

/// Writes the graph as models of several operator sets, reads them back, and compares what they compute. `absent`: text that the models must not have.
QString changedByWriting(const MetaGraph& meta, const std::map<std::string, Tensor>& feeds, const std::string& absent = {}) {
  const auto arrays = computed(meta, feeds, "z");
  if (!arrays.ok()) return QString::fromStdString(arrays.error().toString());
  for (const int opset : {kOldestOnnxExport, 18, kNewestOnnxExport}) {
    const auto written = writtenAs(meta, opset, {"z"});
    if (!written.ok()) return QString::fromStdString(written.error().toString());
    if (!absent.empty() && written->find(absent) != written->npos) return QString::fromStdString("it has " + absent);
    const auto again = onnxToGraph(*written, "");
    if (!again.ok()) return QString::fromStdString(again.error().toString());
    if (const QString difference = compare(*again->serialized(), *arrays); !difference.isEmpty()) return QStringLiteral("%1: %2").arg(opset).arg(difference);
  }
  return {};
}

struct Building {
  MetaGraph meta;
  GraphBuilder b{meta};
};

}  // namespace

/// Graphs written as ONNX models. What ONNX Runtime computes from such models says tests/interop/onnx_export.py.
class TstOnnxExport : public QObject {
  Q_OBJECT

 private slots:
  /// From ONNX to a graph, to ONNX, and to a graph again.
  void writtenModelsReadBackEqual_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"convolutions", "transposed", "perceptron", "softmax_of_old", "arrays"}) QTest::newRow(name) << name;
  }
  void writtenModelsReadBackEqual() {
    QFETCH(QString, name);
    const std::string path = kFolder + name.toStdString();
    const auto model = onnxToGraph(bytesOf(path + ".onnx"), kFolder);
    QVERIFY(model.ok());
    for (const int opset : {kOldestOnnxExport, 18, kNewestOnnxExport}) {
      const auto written = graphToOnnx(*model->serialized(), {{}, {}, opset});
      QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
      QVERIFY(looksLikeOnnx(*written));
      const auto again = onnxToGraph(*written, "");
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
      const QString difference = compare(*again->serialized(), arraysOf(path + ".npz"));
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
  }

  /// The rest of a division of large numbers by small ones, of infinite ones, and with each combination of signs.
  void restsAreExact() {
    Building g;
    const Output x = g.b.placeholder(DType::Float, {7}, "x"), y = g.b.placeholder(DType::Float, {7}, "y");
    g.b.op("FloorMod", {x, y}, {}, "z");
    const QString difference = changedByWriting(g.meta, {{"x", Tensor::vector<float>({1e6f, 12345.678f, 5, 5, -7, 7, -6})},
                                                         {"y", Tensor::vector<float>({0.1f, 0.3f, INFINITY, -INFINITY, 2.5f, -2.5f, 3})}});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void quotientsOfTheLargestIntegersAreExact() {
    Building g;
    const Output x = g.b.placeholder(DType::Int32, {7}, "x"), y = g.b.placeholder(DType::Int32, {7}, "y");
    g.b.op("FloorDiv", {x, y}, {}, "z");
    const QString difference = changedByWriting(
        g.meta, {{"x", Tensor::vector<int32_t>({INT32_MAX, INT32_MIN, -7, 7, 7, -7, 6})}, {"y", Tensor::vector<int32_t>({-2, 3, 2, -2, 2, -2, -3})}});
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void anyAlongNoAxisIsTheInput() {
    for (const char* op : {"Any", "All"}) {
      Building g;
      const Output x = g.b.placeholder(DType::Bool, {2}, "x"), none = g.b.constant(Tensor::zeros(DType::Int32, {0}));
      g.b.op(op, {x, none}, {}, "z");
      Tensor fed = Tensor::zeros(DType::Bool, {2});
      fed.mutableData<bool>()[1] = true;
      const QString difference = changedByWriting(g.meta, {{"x", fed}});
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
  }

  /// ONNX's Round takes no integers.
  void roundOfIntegersIsTheInput() {
    Building g;
    g.b.op("Round", {g.b.placeholder(DType::Int32, {2}, "x")}, {}, "z");
    const QString difference = changedByWriting(g.meta, {{"x", Tensor::vector<int32_t>({3, -4})}}, field(4, "Round"));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  /// ONNX Runtime refuses auto_pad beside dilations.
  void dilatedWindowsStateTheirPads() {
    Building g;
    const Output x = g.b.placeholder(DType::Float, {1, -1, -1, 1}, "x"),
                 filter = g.b.constant(Tensor::of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {3, 3, 1, 1}));
    g.b.op("Conv2D", {x, filter}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}, {"dilations", std::vector<int64_t>{1, 2, 2, 1}}}, "z");
    std::vector<float> image(30);
    for (size_t i = 0; i < image.size(); ++i) image[i] = float(i % 7);
    const QString difference = changedByWriting(g.meta, {{"x", Tensor::of(image, {1, 5, 6, 1})}}, "auto_pad");
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
  }

  void whatCannotBeWrittenIsNamed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("says");
    QTest::newRow("inverse") << "inverse"
                             << "node 'inverse' (MatrixInverse) cannot be written as ONNX: ONNX has no counterpart";
    QTest::newRow("select")
        << "select"
        << "node 'select' (Select) cannot be written as ONNX: the ranks of its inputs are not known, so its condition may choose rows or elements";
    QTest::newRow("training") << "training"
                              << "node 'training' (Neg) cannot be written as ONNX: it reads 'norm:1', an output of FusedBatchNorm that ONNX does not have";
    QTest::newRow("dilated")
        << "dilated"
        << "node 'dilated' (Conv2D) cannot be written as ONNX: the padding SAME with strides and dilations, and the size of its input is not known";
  }
  void whatCannotBeWrittenIsNamed() {
    QFETCH(QString, name);
    QFETCH(QString, says);
    Building g;
    GraphBuilder& b = g.b;
    const Output x = b.placeholder(DType::Float, {2, 2}, "x"), shape = b.placeholder(DType::Int32, {-1}, "shape"), open = b.op("Reshape", {x, shape});
    const Output image = b.placeholder(DType::Float, {1, -1, -1, 1}, "image"), chosen = b.placeholder(DType::Bool, {-1}, "chosen");
    b.op("MatrixInverse", {x}, {}, "inverse");
    b.op("Select", {chosen, open, open}, {}, "select");
    const Output one = b.constant(Tensor::vector<float>({1}));
    const int norm = b.node("FusedBatchNorm", {image, one, one, one, one}, {{"is_training", false}}, "norm");
    b.op("Neg", {{norm, 1}}, {}, "training");
    const Output filter = b.constant(Tensor::zeros(DType::Float, {3, 3, 1, 1}));
    b.op("Conv2D", {image, filter}, {{"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}, {"dilations", std::vector<int64_t>{1, 2, 2, 1}}},
         "dilated");
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().message.c_str());
    const auto bytes = serializeGraph(g.meta, GraphFormat::GraphBinary);
    const auto written = graphToOnnx(*bytes, {{}, {name.toStdString() + ":0"}, 17});
    QVERIFY(!written.ok());
    QCOMPARE(QString::fromStdString(written.error().message), says);
  }

  void operatorSetsThatAreNotWrittenAreNamed() {
    Building g;
    g.b.op("Neg", {g.b.placeholder(DType::Float, {2}, "x")}, {}, "z");
    const auto old = writtenAs(g.meta, 7);
    QVERIFY(!old.ok());
    QCOMPARE(QString::fromStdString(old.error().message), QStringLiteral("operator set 7 is not supported; expected 13 to 21"));
  }

  /// Without named outputs, a model gives what nothing reads.
  void allOutputsOfTheLastNodesAreTheModels() {
    Building g;
    const Output image = g.b.placeholder(DType::Float, {1, 2, 2, 3}, "x"), one = g.b.constant(Tensor::vector<float>({1, 1, 1})), two = g.b.scalar(int32_t(2));
    g.b.node("TopKV2", {image, two}, {}, "best");
    g.b.node("FusedBatchNorm", {image, one, one, one, one}, {{"is_training", false}}, "norm");
    const auto written = writtenAs(g.meta);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
    const auto again = onnxToGraph(*written, "");
    QVERIFY(again.ok());
    QStringList names;
    const auto signatures = signaturesOf(*again->serialized());
    for (const auto& [name, tensor] : signatures->at(0).outputs) names << QString::fromStdString(name);
    names.sort();
    QCOMPARE(names, QStringList({"best", "best:1", "norm"}));
  }
};

QTEST_GUILESS_MAIN(TstOnnxExport)
#include "tst_onnx_export.moc"
