#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

Tensor numbers(const Shape& shape, int seed) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  float* out = t.mutableData<float>();
  for (int64_t i = 0; i < t.elements(); ++i) out[i] = std::sin(float(i * 7 + seed) * 0.37f);
  return t;
}

/// conv - bias - relu - pool on a fed image, with the gradients of filter and bias; those of all inputs of the convolution are tied together.
struct Network {
  MetaGraph meta;
  Output loss, dFilter, dBias;

  Network() {
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, {2, 9, 9, 3}, "x");
    const Output filter = b.constant(numbers({3, 3, 3, 8}, 1), "filter"), bias = b.constant(numbers({8}, 2), "bias");
    const AttrMap conv{{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
    const AttrMap pool{{"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}};
    const Output image = b.op("Mul", {x, b.scalar(2.f)}, {}, "image");
    const Output y = b.op("Relu", {b.op("BiasAdd", {b.op("Conv2D", {image, filter}, conv), bias})});
    loss = b.op("L2Loss", {b.op("MaxPool", {y}, pool)}, {}, "loss");
    auto gradients = addGradients(b, {loss}, {image, filter, bias});
    if (!gradients.ok() || !b.ok()) qFatal("%s", b.status().toString().c_str());
    dFilter = (*gradients)[1].dense;
    dBias = (*gradients)[2].dense;
    auto wait = b.controlDependencies({(*gradients)[0].dense.node, dFilter.node});
    loss = b.identity(loss, "result");
  }
  std::vector<std::string> fetches() const { return {meta.graph.tensorName(loss), meta.graph.tensorName(dFilter), meta.graph.tensorName(dBias)}; }
};

}  // namespace

/// Rewrites of networks do not change the results.
class NetworkRewritesTest : public QObject {
  Q_OBJECT

 private slots:
  void rewrittenNetworkGivesTheSame() {
    const Network network;
    std::vector<Tensor> results[2];
    std::string plan;
    for (const bool rewritten : {false, true}) {
      SessionOptions options;
      if (!rewritten) options.disabledPasses = {"all"};
      auto session = Session::create(network.meta.graph, options);
      QVERIFY(session.ok());
      auto step = (*session)->prepare({"x:0"}, network.fetches());
      QVERIFY(step.ok());
      const std::vector<Tensor> feeds{numbers({2, 9, 9, 3}, 5)};
      auto values = step->run(feeds);
      QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
      results[rewritten] = *values;
      if (rewritten) plan = step->explain();
    }
    for (size_t k = 0; k < 3; ++k) {
      QCOMPARE(results[0][k].shape().toString(), results[1][k].shape().toString());
      for (int64_t i = 0; i < results[0][k].elements(); ++i) {
        QVERIFY(std::abs(results[0][k].asDouble(i) - results[1][k].asDouble(i)) <= 1e-4 * (1 + std::abs(results[0][k].asDouble(i))));
      }
    }
    for (const char* pass : {"convolution_fusion", "pool_gradient_fusion", "unread_removal"}) QVERIFY2(plan.find(pass) != plan.npos, plan.c_str());
  }

  /// Filters of variables are packed in each step, filters of constants once.
  void fusedConvolutionsSeeUpdatedVariables() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, {2, 9, 9, 3}, "x"), filter = b.placeholder(DType::Float, {3, 3, 3, 8}, "filter"),
                 bias = b.placeholder(DType::Float, {8}, "bias"), variance = b.placeholder(DType::Float, {8}, "variance");
    const AttrMap conv{{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
    const Output sums = b.op("Conv2D", {x, filter}, conv);
    b.op("Relu", {b.op("AddV2", {sums, bias})}, {}, "y");
    const int norm = b.node("FusedBatchNorm", {b.op("Conv2D", {x, filter}, conv), variance, bias, bias, variance}, {{"is_training", false}});
    b.op("Relu6", {b.outputsOf(norm)[0]}, {}, "z");
    QVERIFY(b.ok());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    auto session = Session::create(meta.graph), other = Session::create(meta.graph, plain);
    QVERIFY(session.ok() && other.ok());
    for (const int seed : {1, 2, 3}) {
      Tensor positive = numbers({8}, seed + 40);
      for (int64_t i = 0; i < 8; ++i) positive.mutableData<float>()[i] = 1 + std::abs(positive.at<float>(i));
      const std::vector<std::pair<std::string, Tensor>> feeds{
          {"x:0", numbers({2, 9, 9, 3}, 5)}, {"filter:0", numbers({3, 3, 3, 8}, seed)}, {"bias:0", numbers({8}, seed + 20)}, {"variance:0", positive}};
      auto fused = (*session)->run(feeds, {"y:0", "z:0"}), alone = (*other)->run(feeds, {"y:0", "z:0"});
      QVERIFY(fused.ok() && alone.ok());
      for (size_t k = 0; k < 2; ++k) {
        for (int64_t i = 0; i < (*fused)[k].elements(); ++i) QVERIFY(std::abs((*fused)[k].at<float>(i) - (*alone)[k].at<float>(i)) < 1e-4f);
      }
    }
  }

  void whatIsFetchedIsNotFused() {
    const Network network;
    auto session = Session::create(network.meta.graph);
    QVERIFY(session.ok());
    const std::vector<std::pair<std::string, Tensor>> feeds{{"x:0", numbers({2, 9, 9, 3}, 5)}};
    auto values = (*session)->run(feeds, {"Conv2D:0", "BiasAdd:0", "Relu:0"});
    QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
    const Tensor bias = numbers({8}, 2);
    for (int64_t i = 0; i < (*values)[0].elements(); ++i) {
      const float sum = (*values)[0].at<float>(i) + bias.at<float>(i % 8);
      QCOMPARE((*values)[1].at<float>(i), sum);
      QCOMPARE((*values)[2].at<float>(i), std::max(sum, 0.f));
    }
  }
};

QTEST_APPLESS_MAIN(NetworkRewritesTest)
#include "tst_network_rewrites.moc"
