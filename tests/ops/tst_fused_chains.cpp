#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

/// Normal numbers, and some values that expose differences in comparisons and signs.
Tensor values(const Shape& shape, std::mt19937& random) {
  Tensor t = Tensor::zeros(DType::Float, shape);
  std::normal_distribution<float> normal;
  const float odd[] = {0.f, -0.f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::nanf(""), 1e-40f, 3e38f};
  float* out = t.mutableData<float>();
  for (int64_t i = 0; i < t.elements(); ++i) out[i] = random() % 16 ? normal(random) : odd[random() % 7];
  return t;
}

bool sameNumber(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

/// `length` ops, each of the value before it, or of an earlier one now and then, and of something that is fed.
struct RandomGraph {
  MetaGraph meta;
  std::vector<std::string> feedNames;
  std::vector<Tensor> feeds;
  std::string fetch, ops;

  RandomGraph(const Shape& shape, int length, std::mt19937& random) {
    GraphBuilder b(meta);
    std::vector<Output> fed;
    const std::vector<Shape> shapes{shape, shape, {}, {}, {shape.dim(1)}, {shape.dim(0), 1}};
    for (size_t i = 0; i < shapes.size(); ++i) {
      feedNames.push_back("x" + std::to_string(i) + ":0");
      fed.push_back(b.placeholder(DType::Float, shapes[i], "x" + std::to_string(i)));
      feeds.push_back(values(shapes[i], random));
    }
    const char* const unary[] = {"Relu", "Neg", "Square", "Reciprocal", "Abs", "Tanh"};
    const char* const binary[] = {"Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "SquaredDifference", "AddV2", "Less"};
    const char* const gradients[] = {"ReluGrad", "SigmoidGrad", "TanhGrad"};  // of two values of one shape
    std::vector<Output> made{fed[0]};
    for (int i = 0; i < length; ++i) {
      const Output value = random() % 8 ? made.back() : made[random() % made.size()];
      const Output other = random() % 4 ? fed[random() % fed.size()] : made[random() % made.size()];
      std::string op;
      Output result;
      switch (random() % 6) {
        case 0:
        case 1: result = b.op(op = unary[random() % std::size(unary)], {value}); break;
        case 2:
          op = gradients[random() % std::size(gradients)];
          result = random() % 2 ? b.op(op, {value, fed[1]}) : b.op(op, {fed[1], value});
          break;
        default:
          op = binary[random() % std::size(binary)];
          if (op == "Less") {
            result = b.op("Select", {b.op(op, {value, fed[0]}), value, fed[1]});
          } else {
            result = random() % 2 ? b.op(op, {value, other}) : b.op(op, {other, value});
          }
      }
      made.push_back(result);
      ops += op + " ";
    }
    if (!b.ok()) qFatal("%s", b.status().toString().c_str());
    fetch = meta.graph.tensorName(made.back());
  }

  Tensor run(bool fused, std::string& plan) const {
    SessionOptions options;
    if (!fused) options.disabledPasses = {"elementwise_fusion"};
    auto session = Session::create(meta.graph, options);
    if (!session.ok()) qFatal("%s", session.error().toString().c_str());
    auto step = (*session)->prepare(feedNames, {fetch});
    if (!step.ok()) qFatal("%s", step.error().toString().c_str());
    auto result = step->run(feeds);
    if (!result.ok()) qFatal("%s", result.error().toString().c_str());
    plan = step->explain();
    return (*result)[0];
  }
};

}  // namespace

/// Element-wise ops fused in registers give the results of the single ops, bit for bit.
class FusedChainsTest : public QObject {
  Q_OBJECT

 private slots:
  void fusedGroupsGiveTheSameBits_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 3}, {3, 5}, {1, 127}, {2, 64}, {3, 43}, {5, 409}, {3, 5000}, {300, 301}}) {
      QTest::addRow("%d x %d", rows, columns) << rows << columns;
    }
  }
  void fusedGroupsGiveTheSameBits() {
    QFETCH(int, rows);
    QFETCH(int, columns);
    std::mt19937 random(unsigned(rows * 7919 + columns));
    int fusedOnes = 0;
    for (int round = 0; round < 24; ++round) {
      // Sometimes longer than one chain can be.
      const RandomGraph graph({rows, columns}, round % 6 == 5 ? 90 : 2 + int(random() % 14), random);
      std::string plan, unused;
      const Tensor fused = graph.run(true, plan), apart = graph.run(false, unused);
      fusedOnes += plan.find("elementwise_fusion") != plan.npos;
      QCOMPARE(fused.shape().toString(), apart.shape().toString());
      for (int64_t i = 0; i < fused.elements(); ++i) {
        const float a = fused.data<float>()[i], b = apart.data<float>()[i];
        if (sameNumber(a, b)) continue;
        QFAIL(qPrintable(QStringLiteral("%1 at %2: %3, one by one %4").arg(graph.ops.c_str()).arg(i).arg(a).arg(b)));
      }
    }
    QVERIFY(fusedOnes > 12);
  }
};

QTEST_APPLESS_MAIN(FusedChainsTest)
#include "tst_fused_chains.moc"
