#include <QtTest>

#include "api/control_flow.h"
#include "api/layers.h"
#include "api/metrics.h"
#include "api/nn.h"
#include "api/training.h"
#include "support/graph_compare.h"
#include "weft/api.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;
using namespace weft::api;

class TestApiGraphs : public QObject {
  Q_OBJECT

 private slots:
  void optimizers_data();
  void optimizers();
  void losses();
  void layersOfAllKinds();
  void separableConvolutions();
  void metricsOverBatches();
  void summaries();
  void controlFlow();
  void variableReuse();
  void records();
  void templates_data();
  void templates();

 private:
  static void compare(const MetaGraph& got, const QString& name);
};

namespace {

// x op number, as Python writes it: the number is a Const in the op's scope.
Output with(GraphBuilder& b, const char* op, const char* scope, Output x, int32_t number) {
  const auto guard = b.nameScope(scope);
  const std::string full = b.currentScope();
  const Output y = b.scalar<int32_t>(number, "y");
  return b.op(op, {x, y}, {}, full);
}

Output reshaped(GraphBuilder& b, Output x, const std::vector<int32_t>& shape) {
  const auto guard = b.nameScope("Reshape");
  const std::string full = b.currentScope();
  const Output dims = b.ints(shape, "shape");
  return b.op("Reshape", {x, dims}, {}, full);
}

}  // namespace

void TestApiGraphs::compare(const MetaGraph& got, const QString& name) {
  LoadOptions plain;
  plain.inferShapes = false;
  auto want = loadGraphFile((QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/graphs/api/") + name + ".pbtxt").toStdString(), plain);
  QVERIFY2(want.ok(), want.ok() ? "" : want.error().toString().c_str());
  const QString differences = graphDifferences(want->meta.graph, got.graph);
  QVERIFY2(differences.isEmpty(), qPrintable(differences));
}

void TestApiGraphs::optimizers_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<double>("rate");
  QTest::addColumn<bool>("resource");
  QTest::addColumn<bool>("step");
  QTest::addColumn<double>("clip");
  QTest::newRow("sgd") << "GradientDescent" << .1 << false << false << 0.;
  QTest::newRow("momentum_resource") << "Momentum" << .1 << true << false << 0.;
  QTest::newRow("rmsprop_clip") << "RMSProp" << .1 << false << true << 5.;
  QTest::newRow("adam_resource") << "Adam" << .001 << true << true << 0.;
}

void TestApiGraphs::optimizers() {
  QFETCH(QString, kind);
  QFETCH(double, rate);
  QFETCH(bool, resource);
  QFETCH(bool, step);
  QFETCH(double, clip);
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(1);
  const Output x = b.placeholder(DType::Float, Shape{-1, 64}, "images"), y = b.placeholder(DType::Int32, Shape{-1}, "labels");
  layers::LayerOptions conv, dense;
  conv.name = "conv1";
  conv.activation = "relu";
  conv.resource = dense.resource = resource;
  Output h = layers::conv2d(b, reshaped(b, x, {-1, 8, 8, 1}), 4, {3}, {1}, "same", conv);
  h = layers::maxPooling2d(b, h, {2}, {2}, "valid", "pool1");
  h = layers::averagePooling2d(b, h, {2}, {2});
  const Output logits = layers::dense(b, layers::flatten(b, h), 10, dense);
  const Output loss = reduceAll(b, "Mean", sparseSoftmaxCrossEntropy(b, y, logits));
  OptimizerOptions options = optimizerDefaults(kind.toStdString());
  options.learningRate = rate;
  options.clipGlobalNorm = clip;
  if (step) options.globalStep = globalStep(b);
  {
    const auto scope = b.nameScope("train");
    auto train = minimize(b, loss, options);
    QVERIFY2(train.ok(), train.ok() ? "" : train.error().toString().c_str());
  }
  globalVariablesInitializer(b);
  auto saver = addSaver(b);
  QVERIFY(saver.ok());
  QCOMPARE(saver->saveTensor, std::string("save/control_dependency:0"));
  compare(meta, QTest::currentDataTag());
}

void TestApiGraphs::losses() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output y = b.placeholder(DType::Float, Shape{-1, 3}, "y"), p = b.placeholder(DType::Float, Shape{-1, 3}, "p");
  const Output c = b.placeholder(DType::Int64, Shape{-1}, "c");
  api::losses::meanSquaredError(b, y, p);
  api::losses::softmaxCrossEntropy(b, y, p);
  api::losses::sigmoidCrossEntropy(b, y, p);
  api::losses::sparseSoftmaxCrossEntropy(b, c, p);
  softmaxCrossEntropy(b, y, p);
  sigmoidCrossEntropy(b, y, p);
  dropout(b, p, .4);
  QVERIFY2(b.ok(), b.status().toString().c_str());
  QCOMPARE(meta.collections["losses"].nodes.size(), size_t(4));
  compare(meta, "losses");
}

void TestApiGraphs::layersOfAllKinds() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{4, 3}, "x"), x4 = b.placeholder(DType::Float, Shape{2, 4, 4, 3}, "x4");
  const Output training = b.placeholder(DType::Bool, Shape{}, "training");
  using namespace layers;
  batchNormalization(b, x, true);
  batchNormalization(b, x, false);
  batchNormalization(b, x4, true);
  batchNormalization(b, x4, training);
  batchNormalization(b, x4, false);
  layers::dropout(b, x, .4, true);
  layers::dropout(b, x, .4, training);
  layers::dropout(b, x, .4, false);
  conv2dTranspose(b, x4, 4, {3}, {2}, "same");
  conv2dTranspose(b, x4, 4, {3}, {2}, "valid");
  QVERIFY2(b.ok(), b.status().toString().c_str());
  compare(meta, "layers");
}

void TestApiGraphs::separableConvolutions() {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(1);
  const Output x = b.placeholder(DType::Float, Shape{-1, 8, 8, 3}, "x");
  layers::LayerOptions named, bare;
  named.name = "sep";
  named.activation = "relu";
  bare.useBias = false;
  layers::separableConv2d(b, x, 5, {3, 3}, {1, 1}, "same", 1, named);
  layers::separableConv2d(b, x, 4, {3, 3}, {2, 2}, "valid", 2, bare);
  QVERIFY2(b.ok(), b.status().toString().c_str());
  compare(meta, "separable");
  QCOMPARE(b.shape({meta.graph.find("separable_conv2d/separable_conv2d")->id, 0}).toString(), std::string("[?,3,3,4]"));
}

void TestApiGraphs::metricsOverBatches() {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(1);
  const Output l = b.placeholder(DType::Int64, Shape{-1}, "l"), p = b.placeholder(DType::Int64, Shape{-1}, "p");
  const Output q = b.placeholder(DType::Float, Shape{-1}, "q"), lb = b.placeholder(DType::Bool, Shape{-1}, "lb");
  metrics::precision(b, l, p);
  metrics::recall(b, l, p);
  metrics::mean(b, q);
  metrics::auc(b, lb, q);
  QVERIFY2(b.ok(), b.status().toString().c_str());
  compare(meta, "metrics");
  QCOMPARE(meta.collections["local_variables"].bytes.size(), size_t(10));
  QVERIFY(!meta.collections.count("variables"));
  // Inconsistent arguments are refused.
  metrics::precision(b, l, b.placeholder(DType::Int64, Shape{3, 2}, "wide"));
  QVERIFY(!b.ok());
}

void TestApiGraphs::summaries() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{}, "x"), v = b.placeholder(DType::Float, Shape{4}, "v");
  const Output pictures = b.placeholder(DType::Float, Shape{2, 3, 3, 1}, "im");
  scalarSummary(b, "loss", x);
  histogramSummary(b, "w", v);
  imageSummary(b, "pic", pictures, 2);
  mergeAllSummaries(b);
  QVERIFY2(b.ok(), b.status().toString().c_str());
  compare(meta, "summaries");
}

void TestApiGraphs::controlFlow() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output i = b.scalar<int32_t>(0, "i");
  const auto m = getVariable(b, "m", Shape{2, 2}, zerosInitializer());
  const Output one = ones(b, Shape{2, 2}, DType::Float);
  WhileOptions first, second;
  first.name = "mm";
  first.parallelIterations = 4;
  using List = std::vector<Output>;
  const auto r = whileLoop(
      b, [&](const List& v) { return with(b, "Less", "Less", v[0], 3); },
      [&](const List& v) {
        const Output next = with(b, "AddV2", "add", v[0], 1);
        return List{next, b.op("MatMul", {v[1], m->snapshot})};
      },
      {i, one}, first);
  second.maximumIterations = 7;
  whileLoop(
      b, [&](const List& v) { return with(b, "Less", "Less", v[0], 100); }, [&](const List& v) { return List{with(b, "AddV2", "add", v[0], 1)}; }, {i}, second);
  const Output p = b.placeholder(DType::Bool, Shape{}, "p");
  cond(
      b, p,
      [&] {
        return cond(
            b, p, [&] { return List{r[1]}; }, [&] { return List{b.op("Neg", {r[1]})}; });
      },
      [&] {
        return List{b.constant(Tensor::zeros(DType::Float, Shape{2, 2}))};
      });
  QVERIFY2(b.ok(), b.status().toString().c_str());
  QCOMPARE(meta.collections["while_context"].bytes.size(), size_t(2));
  QCOMPARE(meta.collections["cond_context"].bytes.size(), size_t(2));
  compare(meta, "control");
}

void TestApiGraphs::variableReuse() {
  MetaGraph meta;
  GraphBuilder b(meta);
  VariablePtr first;
  {
    const VariableScope scope(b, "foo");
    first = getVariable(b, "v", Shape{1});
    QCOMPARE(first->name, std::string("foo/v"));
  }
  {
    const VariableScope scope(b, "foo", {}, Reuse::Yes);
    QVERIFY(getVariable(b, "v", Shape{1}) == first);
  }
  {
    const VariableScope scope(b, "foo");
    getVariable(b, "v", Shape{1});
  }
  QCOMPARE(b.status().error().message,
           std::string("Variable foo/v already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"));
}

// A small classifier built from records alone, as a document's recipes do; and refused calls.
void TestApiGraphs::records() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const auto built = [&](const char* name, Arguments a) {
    auto v = buildApi(b, name, std::move(a));
    return v.ok() && !v->outputs.empty() ? v->outputs[0] : Output{};
  };
  const Output x = built("placeholder", {{"dtype", DType::Float}, {"shape", Shape{-1, 4}}, {"name", std::string("x")}});
  const Output y = built("placeholder", {{"dtype", DType::Int32}, {"shape", Shape{-1}}, {"name", std::string("y")}});
  const Output logits = built("layers.dense", {{"inputs", x}, {"units", int64_t(3)}});
  const Output loss = built("losses.sparse_softmax_cross_entropy", {{"labels", y}, {"logits", logits}});
  QVERIFY2(loss.valid(), b.status().toString().c_str());
  auto train = buildApi(b, "train.AdamOptimizer", {{"loss", loss}});
  QVERIFY2(train.ok(), train.ok() ? "" : train.error().toString().c_str());
  QCOMPARE(b.nodeAt(train->nodes[0]).name, std::string("Adam"));
  QCOMPARE(buildApi(b, "layers.dense", {{"inputs", x}}).error().message, std::string("layers.dense() missing a required argument: 'units'"));
  QVERIFY(!buildApi(b, "layers.dense", {{"inputs", x}, {"units", std::string("many")}}).ok());
  QVERIFY(!buildApi(b, "layers.dense", {{"inputs", x}, {"units", int64_t(3)}, {"activation", std::string("magic")}}).ok());
}

void TestApiGraphs::templates_data() {
  QTest::addColumn<QString>("name");
  for (const Template& t : api::templates()) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
}

void TestApiGraphs::templates() {
  QFETCH(QString, name);
  auto meta = buildTemplate(name.toStdString());
  QVERIFY2(meta.ok(), meta.ok() ? "" : meta.error().toString().c_str());
  auto training = trainingSettingsOf(*meta);
  QVERIFY(training.ok());
  QVERIFY(meta->graph.find(training->trainOp));
  QVERIFY(meta->graph.findOutput(training->loss).ok());
  auto data = datasetBindingsOf(*meta);
  QVERIFY(data.ok());
  QCOMPARE(data->size(), size_t(1));
  QVERIFY(!data->front().builtin.empty());
  QVERIFY(meta->saver.has_value());
  // A document is a valid meta graph: it is read as it was written.
  auto bytes = serializeGraph(*meta, GraphFormat::MetaBinary);
  QVERIFY(bytes.ok());
  auto again = loadGraphBytes(std::make_shared<const std::string>(*bytes), "template");
  QVERIFY2(again.ok(), again.ok() ? "" : again.error().toString().c_str());
  QVERIFY(again->problems.empty());
  QVERIFY(*serializeGraph(again->meta, GraphFormat::MetaBinary) == *bytes);
}

QTEST_GUILESS_MAIN(TestApiGraphs)
#include "tst_api_graphs.moc"
