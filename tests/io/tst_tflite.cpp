#include <QTest>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "io/tflite_fixtures.h"
#include "weft/builder.h"
#include "weft/file_kinds.h"

using namespace weft;
using namespace weft::tflite_fixtures;
using Json = nlohmann::json;

namespace {

/// y = relu(batch_norm(conv(x)) ), then a softmax of one dense layer: as a graph with constants.
std::string frozenNetwork(bool withUnknown = false) {
  MetaGraph meta;
  GraphBuilder b(meta);
  std::vector<float> kernel, dense;
  for (int i = 0; i < 3 * 3 * 2 * 4; ++i) kernel.push_back(float(i % 7) * 0.1f - 0.3f);
  for (int i = 0; i < 4 * 3; ++i) dense.push_back(float(i % 5) * 0.2f - 0.4f);
  const auto four = [&](float first) { return b.constant(Tensor::vector(std::vector<float>{first, first + 0.1f, first + 0.2f, first + 0.3f})); };
  const Output x = b.placeholder(DType::Float, Shape{-1, 6, 6, 2}, "x");
  Output y =
      b.op("Conv2D", {x, b.constant(Tensor::of(kernel, {3, 3, 2, 4}), "kernel")}, {{"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}}, "conv");
  const int norm = b.node("FusedBatchNormV3", {y, four(0.5f), four(-0.2f), four(0.1f), four(0.7f)}, {{"is_training", false}}, "norm");
  y = b.op("Relu", {Output{norm, 0}}, {}, "relu");
  y = b.op("Mean", {y, b.ints({1, 2})}, {}, "mean");
  if (withUnknown) y = b.op("Digamma", {y}, {}, "strange");
  y = b.op("BiasAdd", {b.op("MatMul", {y, b.constant(Tensor::of(dense, {4, 3}), "dense")}, {}, "product"),
                       b.constant(Tensor::vector(std::vector<float>{0.1f, 0.2f, 0.3f}))});
  b.op("Softmax", {y}, {}, "probabilities");
  return b.ok() ? *serializeGraph(meta, GraphFormat::MetaBinary) : b.status().toString();
}

}  // namespace

/// TensorFlow Lite models as graphs, and graphs as models.
class TfliteTest : public QObject {
  Q_OBJECT

 private slots:
  void computesWhatTensorFlowLiteComputes_data() {
    QTest::addColumn<QString>("file");
    const Json all = Json::parse(bytesOf(kGolden + "values.json"));
    for (const auto& [file, values] : all.items()) QTest::newRow(file.c_str()) << QString::fromStdString(file);
  }
  void computesWhatTensorFlowLiteComputes() {
    QFETCH(QString, file);
    const Json values = Json::parse(bytesOf(kGolden + "values.json"))[file.toStdString()];
    const auto outputs = runModel(bytesOf(kGolden + file.toStdString()), values["input"].get<std::vector<double>>());
    QVERIFY2(outputs.ok(), outputs.ok() ? "" : outputs.error().toString().c_str());
    QCOMPARE(outputs->size(), values["outputs"].size());
    for (size_t i = 0; i < outputs->size(); ++i) {
      const Tensor& got = (*outputs)[i];
      const auto expected = values["outputs"][i].get<std::vector<double>>();
      QCOMPARE(QString::fromStdString(Shape(got.shape()).toString()),
               QString::fromStdString(Shape(values["shapes"][i].get<std::vector<int64_t>>()).toString()));
      const double most = got.dtype() == DType::Int8 ? 1 : file.contains("int16") ? 4e-5 : 2e-5;  // one quantisation step
      for (size_t k = 0; k < expected.size(); ++k)
        QVERIFY2(std::abs(got.asDouble(int64_t(k)) - expected[k]) <= most,
                 qPrintable(QStringLiteral("element %1: %2, expected %3").arg(k).arg(got.asDouble(int64_t(k))).arg(expected[k])));
    }
  }

  /// A second call, as tf.lite.Interpreter makes it: 2 * [2, 3, 4] + [0.5, 0, 2].
  void variablesGoOnFromTheirNextValue() {
    const auto model = tfliteToGraph(bytesOf(kGolden + "op_variable.tflite"));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    const LoadedGraph loaded = graphOf(*model->serialized());
    const auto session = Session::create(loaded.meta.graph);
    QVERIFY(session.ok());
    const Node* y = nodeOfTensor(loaded.meta.graph, readTfliteTensors(bytesOf(kGolden + "op_variable.tflite"))->outputs.at(0), nullptr);
    const Node* x = nodeOfTensor(loaded.meta.graph, readTfliteTensors(bytesOf(kGolden + "op_variable.tflite"))->inputs.at(0), nullptr);
    QVERIFY(x && y);
    const auto row = [](std::vector<float> v) { return Tensor::of(v, {1, 3}); };
    const auto first = (*session)->run({{x->name + ":0", row({1, 1, 1})}}, {y->name + ":0", "memory/next:0"});
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().toString().c_str());
    const auto second = (*session)->run({{x->name + ":0", row({0.5f, 0, 2})}, {"memory:0", (*first)[1]}}, {y->name + ":0"});
    QVERIFY2(second.ok(), second.ok() ? "" : second.error().toString().c_str());
    for (const auto& [i, expected] : {std::pair(0, 4.5), {1, 6.0}, {2, 10.0}}) QCOMPARE((*second)[0].asDouble(i), expected);
  }

  void quantisationIsInTheGraph() {
    const auto model = tfliteToGraph(bytesOf(kGolden + "../files/tflite/int8.tflite"));
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    const LoadedGraph loaded = graphOf(*model->serialized());
    const Graph& graph = loaded.meta.graph;
    bool perChannel = false, rounds = false;
    for (int id = 0; id < graph.size(); ++id) {
      const Node* n = graph.node(id);
      if (!n) continue;
      const auto scales = n->attrs.list<float>("_quantization_scale");
      if (scales.size() > 1) perChannel = n->attrs.find("_quantization_axis") && n->attrs.integers("_quantization_zero_point").size() == scales.size();
      rounds |= n->op == "FakeQuantWithMinMaxArgs";
      if (n->op == "Placeholder") QCOMPARE(n->outputTypes[0], DType::Int8);
    }
    QVERIFY(perChannel);
    QVERIFY(rounds);
  }

  void isRecognisedAsAFileWithAGraph() {
    const auto loaded = openModelGraph(kFixture);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
    QVERIFY(loaded->problems.empty());
    const FileKind* kind = findFileKind("tflite");
    QVERIFY(kind && kind->hasGraph && kind->writesGraph);
  }

  void networksAreWrittenAndReadAgain() {
    const std::string frozen = frozenNetwork();
    const auto written = graphToTflite(frozen, {{"x:0"}, {"probabilities:0"}});
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
    std::vector<double> input;
    for (int i = 0; i < 72; ++i) input.push_back((i * 37 % 101) / 50.0 - 1);
    const auto again = runModel(*written, input);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
    const LoadedGraph original = graphOf(frozen);
    const Graph& graph = original.meta.graph;
    auto session = Session::create(graph, {});
    QVERIFY(session.ok());
    const auto expected = (*session)->run({{"x:0", tensorLike(graph, *graph.findOutput("x:0"), input)}}, {"probabilities:0"}, {});
    QVERIFY2(expected.ok(), expected.ok() ? "" : expected.error().toString().c_str());
    for (int64_t i = 0; i < 3; ++i) QVERIFY(std::abs((*again)[0].asDouble(i) - (*expected)[0].asDouble(i)) < 1e-6);
  }

  void layersAreMerged() {
    const auto written = graphToTflite(frozenNetwork(), {});
    QVERIFY(written.ok());
    const auto tensors = readTfliteTensors(*written);
    QVERIFY(tensors.ok());
    std::vector<std::string> names;
    for (const TfliteTensor& t : tensors->tensors) names.push_back(t.name);
    // No tensor between convolution, normalisation and activation is left.
    for (const char* merged : {"conv", "norm", "product"}) QVERIFY2(std::find(names.begin(), names.end(), merged) == names.end(), merged);
    for (const char* kept : {"x", "relu", "mean", "probabilities"}) QVERIFY2(std::find(names.begin(), names.end(), kept) != names.end(), kept);
  }

  void whatCannotBeWrittenIsNamed() {
    const auto strange = graphToTflite(frozenNetwork(true), {});
    QVERIFY(!strange.ok());
    QCOMPARE(strange.error().code, Code::Unimplemented);
    QCOMPARE(strange.error().message, std::string("'strange' (Digamma) has no counterpart in TensorFlow Lite"));
    const auto missing = graphToTflite(frozenNetwork(), {{"x:0"}, {"nowhere:0"}});
    QVERIFY(!missing.ok() && missing.error().message.find("nowhere") != std::string::npos);
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output v = b.op("VariableV2", {}, {{"shape", Shape{2}}, {"dtype", DType::Float}}, "weights");
    b.op("Mul", {b.placeholder(DType::Float, Shape{2}, "x"), b.identity(v)}, {}, "y");
    QVERIFY(b.ok());
    const auto variable = graphToTflite(*serializeGraph(meta, GraphFormat::GraphBinary), {{"x:0"}, {"y:0"}});
    QVERIFY(!variable.ok());
    QCOMPARE(variable.error().code, Code::FailedPrecondition);
    QVERIFY(variable.error().message.find("weights") != std::string::npos);
  }

  void shapesOfInputsCanBeReplaced() {
    const std::string dilated = bytesOf(kGolden + "op_depthwise_dilated.tflite");
    const auto tensors = readTfliteTensors(dilated);
    QVERIFY(tensors.ok());
    const auto model = tfliteToGraph(dilated, {{tensors->inputs[0], {1, 7, 5, 4}}});
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().toString().c_str());
    const LoadedGraph loaded = graphOf(*model->serialized());
    const Node* out = nodeOfTensor(loaded.meta.graph, tensors->outputs[0], nullptr);
    QVERIFY(out);
    QCOMPARE(out->outputShapes[0].toString(), (Shape{1, 7, 5, 4}).toString());
  }

  void valuesAreReadAsTheyAreStored() {
    const auto kernel = readTfliteValue(bytesOf(kFixture), 1);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().toString().c_str());
    QCOMPARE(Shape(kernel->shape()).toString(), (Shape{5, 3, 3, 4}).toString());
    const auto integers = readTfliteValue(bytesOf(kGolden + "../files/tflite/int8.tflite"), 4);
    QVERIFY2(integers.ok(), integers.ok() ? "" : integers.error().toString().c_str());
    QCOMPARE(integers->dtype(), DType::Int8);
    QCOMPARE(readTfliteValue(bytesOf(kFixture), 0).error().code, Code::NotFound);
    for (const int none : {-1, 99}) QCOMPARE(readTfliteValue(bytesOf(kFixture), none).error().code, Code::InvalidArgument);
  }

  void truncatedModelsAreRefused() {
    const std::string whole = bytesOf(kGolden + "op_hard_swish.tflite");
    QVERIFY(whole.size() > 100);
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto model = tfliteToGraph(std::string_view(whole).substr(0, size));
      // Alignment may leave bytes at the end that nothing refers to.
      if (model.ok()) QVERIFY2(whole.size() - size < 16, qPrintable(QString::number(size)));
      else QVERIFY(!model.error().message.empty() && model.error().message.find('\n') == std::string::npos);
    }
  }

  void damagedModelsAreRefusedOrRead() {
    std::mt19937 random(5);
    std::vector<std::string> fixtures;
    for (const char* name :
         {"op_conv.tflite", "op_transpose_conv.tflite", "op_strided_slice.tflite", "op_depthwise_dilated.tflite", "../files/tflite/int8.tflite"})
      fixtures.push_back(bytesOf(kGolden + name));
    for (int i = 0; i < 2000; ++i) {
      std::string bytes = fixtures[size_t(i) % fixtures.size()];
      for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % bytes.size()] = char(random() % 3 ? random() : random() % 2 ? 0xff : 0);
      const auto start = std::chrono::steady_clock::now();
      const auto model = tfliteToGraph(bytes);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      QVERIFY2(seconds < 2, qPrintable(QStringLiteral("mutation %1 took %2 s").arg(i).arg(seconds)));
      if (model.ok()) (void)graphOf(*model->serialized());
      else QVERIFY2(model.error().message.find('\n') == std::string::npos, model.error().message.c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TfliteTest)
#include "tst_tflite.moc"
