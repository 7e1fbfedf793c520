#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

// Second derivatives of the commonest ops against finite differences of the first: of L = sum(w * y * y), whose gradient G uses the op's gradient, and of
// S = sum(v * G), whose gradient uses the gradients of that. Everything in float64, at points where the ops are smooth.

namespace {

/// Numbers between low and high that do not repeat.
Tensor numbers(const Shape& shape, double low, double high, int seed) {
  Tensor t = Tensor::zeros(DType::Double, shape);
  double x = 0.37 + 0.11 * seed;
  for (int64_t i = 0; i < t.elements(); ++i) {
    x = std::fmod(x + 0.6180339887498949, 1.0);
    t.mutableData<double>()[i] = low + (high - low) * x;
  }
  return t;
}
Tensor ints(std::vector<int32_t> v) { return Tensor::vector(v); }
Tensor integer(int32_t v) { return Tensor::scalar(v); }

struct Case {
  const char* name;
  const char* op;
  std::vector<Tensor> inputs;
  AttrMap attrs;
  size_t variables = 9;  ///< How many of the inputs are differentiated.
};

std::vector<Case> cases() {
  const Tensor a = numbers({2, 3}, -2, 2, 1), b = numbers({2, 3}, 0.5, 2, 2), row = numbers({3}, 0.6, 1.9, 3), column = numbers({2, 1}, -1.5, 1.7, 4);
  const Tensor c = numbers({3, 4}, -1, 1, 5), picture = numbers({1, 5, 5, 2}, -1, 1, 6), batch = numbers({2, 2, 3}, -1, 1, 7);
  const Tensor filter = numbers({3, 3, 2, 2}, -1, 1, 8), square = numbers({3, 3}, -1, 1, 9);
  const std::vector<int64_t> ones{1, 1, 1, 1}, twos{1, 2, 2, 1};
  const AttrMap same{{"strides", ones}, {"padding", "SAME"}}, pool{{"ksize", twos}, {"strides", twos}, {"padding", "VALID"}};
  Tensor regular = square;
  for (int k = 0; k < 3; ++k) {
    regular = regular.clone().value();
    regular.mutableData<double>()[k * 4] += 3;
  }
  const Tensor truth = Tensor::of(std::vector<double>{0.2, 0.5, 0.3, 0.7, 0.1, 0.2}, {2, 3});  // rows of labels sum to 1
  Tensor yes = Tensor::zeros(DType::Bool, {2, 3});
  for (int i = 0; i < 6; i += 2) yes.mutableData<bool>()[i] = true;
  std::vector<Case> out = {
      {"Add", "Add", {a, row}, {}},
      {"AddV2", "AddV2", {a, column}, {}},
      {"AddN", "AddN", {a, b, a}, {}},
      {"Sub", "Sub", {row, a}, {}},
      {"Mul", "Mul", {a, row}, {}},
      {"RealDiv", "RealDiv", {a, b}, {}},
      {"Div", "Div", {column, b}, {}},
      {"Pow", "Pow", {b, row}, {}},
      {"Maximum", "Maximum", {a, b}, {}},
      {"Minimum", "Minimum", {a, row}, {}},
      {"SquaredDifference", "SquaredDifference", {a, row}, {}},
      {"Square", "Square", {a}, {}},
      {"Sqrt", "Sqrt", {b}, {}},
      {"Rsqrt", "Rsqrt", {b}, {}},
      {"Reciprocal", "Reciprocal", {b}, {}},
      {"Exp", "Exp", {a}, {}},
      {"Log", "Log", {b}, {}},
      {"Log1p", "Log1p", {b}, {}},
      {"Neg", "Neg", {a}, {}},
      {"Abs", "Abs", {a}, {}},
      {"Sin", "Sin", {a}, {}},
      {"Cos", "Cos", {a}, {}},
      {"Atan", "Atan", {a}, {}},
      {"Erf", "Erf", {a}, {}},
      {"Sigmoid", "Sigmoid", {a}, {}},
      {"Tanh", "Tanh", {a}, {}},
      {"Relu", "Relu", {a}, {}},
      {"Relu6", "Relu6", {a}, {}},
      {"LeakyRelu", "LeakyRelu", {a}, {{"alpha", 0.3f}}},
      {"Elu", "Elu", {a}, {}},
      {"Selu", "Selu", {a}, {}},
      {"Softplus", "Softplus", {a}, {}},
      {"Softmax", "Softmax", {a}, {}},
      {"LogSoftmax", "LogSoftmax", {a}, {}},
      {"L2Loss", "L2Loss", {a}, {}},
      {"SoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits", {a, truth}, {}, 1},
      {"MatMul", "MatMul", {a, c}, {}},
      {"MatMul transposed", "MatMul", {c, a}, {{"transpose_a", true}, {"transpose_b", true}}},
      {"BatchMatMul", "BatchMatMul", {batch, numbers({2, 3, 2}, -1, 1, 12)}, {}},
      {"BatchMatMulV2", "BatchMatMulV2", {batch, c}, {}},
      {"BiasAdd", "BiasAdd", {a, row}, {}},
      {"Conv2D", "Conv2D", {picture, filter}, same},
      {"Conv2D strided", "Conv2D", {picture, filter}, {{"strides", twos}, {"padding", "VALID"}}},
      {"Conv2DBackpropInput", "Conv2DBackpropInput", {ints({1, 5, 5, 2}), filter, numbers({1, 5, 5, 2}, -1, 1, 13)}, same},
      {"DepthwiseConv2dNative", "DepthwiseConv2dNative", {picture, filter}, same},
      {"MaxPool", "MaxPool", {picture}, pool},
      {"AvgPool", "AvgPool", {picture}, pool},
      {"Sum", "Sum", {a, ints({1})}, {{"keep_dims", true}}},
      {"Mean", "Mean", {a, ints({0})}, {}},
      {"Max", "Max", {a, ints({1})}, {}},
      {"Min", "Min", {a, ints({0})}, {}},
      {"Prod", "Prod", {b, ints({1})}, {}},
      {"Reshape", "Reshape", {a, ints({3, 2})}, {}},
      {"Transpose", "Transpose", {a, ints({1, 0})}, {}},
      {"ExpandDims", "ExpandDims", {a, integer(1)}, {}},
      {"Squeeze", "Squeeze", {column}, {}},
      {"ConcatV2", "ConcatV2", {a, b, integer(0)}, {}},
      {"Pack", "Pack", {a, b}, {}},
      {"Unpack", "Unpack", {a}, {{"num", 2}}},
      {"Split", "Split", {integer(1), numbers({2, 4}, -1, 1, 14)}, {{"num_split", 2}}},
      {"Slice", "Slice", {a, ints({0, 1}), ints({2, 2})}, {}},
      {"StridedSlice", "StridedSlice", {a, ints({0, 2}), ints({2, 0}), ints({1, -1})}, {}},
      {"Pad", "Pad", {a, Tensor::of(std::vector<int32_t>{1, 0, 0, 2}, {2, 2})}, {}},
      {"Tile", "Tile", {a, ints({2, 1})}, {}},
      {"GatherV2", "GatherV2", {a, ints({1, 1, 0}), integer(0)}, {}},
      {"Select", "Select", {yes, a, b}, {}},
      {"Cumsum", "Cumsum", {a, integer(1)}, {}},
      {"ClipByValue", "ClipByValue", {a, Tensor::scalar(-1.1), Tensor::scalar(1.3)}, {}},
      {"MatrixInverse", "MatrixInverse", {regular}, {}},
      {"Identity", "Identity", {a}, {}},
  };
  return out;
}

/// sum(weights * x), with weights that differ from element to element; of an empty list nothing.
Output weighted(GraphBuilder& b, Output x, int seed) {
  const Tensor weights = numbers(b.shape(x), 0.5, 1.5, seed);
  const Output product = b.op("Mul", {x, b.constant(weights)});
  std::vector<int32_t> axes;
  for (int d = 0; d < weights.rank(); ++d) axes.push_back(d);
  return b.op("Sum", {product, b.ints(axes)});
}

Output sum(GraphBuilder& b, const std::vector<Output>& list) { return list.size() == 1 ? list[0] : b.op("AddN", Inputs(list)); }

}  // namespace

class SecondDerivativesTest : public QObject {
  Q_OBJECT

 private slots:
  void agree_data() {
    QTest::addColumn<int>("index");
    const auto all = cases();
    for (size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }

  void agree() {
    QFETCH(int, index);
    const Case c = cases()[size_t(index)];
    MetaGraph meta;
    GraphBuilder b(meta);
    std::vector<Output> inputs, xs;
    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const Tensor& t : c.inputs) {
      if (t.dtype() != DType::Double || xs.size() == c.variables) {
        inputs.push_back(b.constant(t));
        continue;
      }
      inputs.push_back(b.placeholder(DType::Double, t.shape(), "x" + std::to_string(xs.size())));
      xs.push_back(inputs.back());
      feeds.emplace_back(b.graph().tensorName(xs.back()), t);
    }
    const int id = b.node(c.op, inputs, c.attrs, "op");
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    std::vector<Output> losses;
    for (const Output y : b.outputsOf(id)) {
      // The second outputs of losses are gradients that TensorFlow does not differentiate.
      if (b.dtype(y) != DType::Double || (y.index > 0 && std::string(c.op).starts_with("SoftmaxCross"))) continue;
      losses.push_back(weighted(b, b.op("Mul", {y, y}), 20 + y.index));
    }
    const auto first = addGradients(b, {sum(b, losses)}, xs);
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().toString().c_str());
    std::vector<Output> parts;
    for (size_t k = 0; k < xs.size(); ++k) {
      const Gradient& g = (*first)[k];
      QVERIFY(!g.none());
      Output dense = g.dense;
      if (g.slices) {
        const Output rows = b.constant(integer(int32_t(b.shape(xs[k]).dim(0))));
        dense = b.op("UnsortedSegmentSum", {g.slices->values, g.slices->indices, rows});
      }
      parts.push_back(weighted(b, dense, 30 + int(k)));
    }
    const Output total = sum(b, parts);
    const auto second = addGradients(b, {total}, xs);
    QVERIFY2(second.ok(), second.ok() ? "" : second.error().toString().c_str());
    std::vector<std::string> fetches;
    std::vector<size_t> which;
    for (size_t k = 0; k < xs.size(); ++k) {
      const Gradient& g = (*second)[k];
      QVERIFY(!g.none());
      Output dense = g.dense;
      if (g.slices) {
        const Output rows = b.constant(integer(int32_t(b.shape(xs[k]).dim(0))));
        dense = b.op("UnsortedSegmentSum", {g.slices->values, g.slices->indices, rows});
      }
      fetches.push_back(b.graph().tensorName(dense));
      which.push_back(k);
    }
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    auto session = Session::create(b.graph());
    QVERIFY2(session.ok(), session.ok() ? "" : session.error().toString().c_str());
    const auto values = (*session)->run(feeds, fetches);
    QVERIFY2(values.ok(), values.ok() ? "" : values.error().toString().c_str());
    const std::string target = b.graph().tensorName(total);
    int compared = 0;
    for (size_t k = 0; k < which.size(); ++k) {
      const Tensor& x = feeds[which[k]].second;
      QCOMPARE((*values)[k].shape().toString(), x.shape().toString());
      for (int64_t i = 0; i < x.elements(); i += std::max<int64_t>(1, x.elements() / 10)) {
        const double step = 1e-5;
        double at[2] = {0, 0};
        for (int side = 0; side < 2; ++side) {
          auto moved = feeds;
          moved[which[k]].second = x.clone().value();
          moved[which[k]].second.mutableData<double>()[i] += side ? step : -step;
          const auto got = (*session)->run(moved, {target});
          QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
          at[side] = (*got)[0].at<double>(0);
        }
        const double want = (at[1] - at[0]) / (2 * step), got = (*values)[k].at<double>(i);
        QVERIFY2(std::abs(want - got) <= 2e-5 * std::max({1.0, std::abs(want), std::abs(at[0])}),
                 qPrintable(QString("input %1, element %2: %3, differences give %4").arg(which[k]).arg(i).arg(got, 0, 'g', 12).arg(want, 0, 'g', 12)));
        ++compared;
      }
    }
    QVERIFY(compared > 0);
  }

  /// Where TensorFlow refuses to differentiate once more.
  void refused_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("sparse cross entropy") << "SparseSoftmaxCrossEntropyWithLogits"
                                          << "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits";
    QTest::newRow("softsign") << "Softsign"
                              << "No gradient defined for operation 'gradients/op_grad/SoftsignGrad' (op type: SoftsignGrad)";
    QTest::newRow("pictures") << "ResizeBilinear"
                              << "No gradient defined for operation 'gradients/op_grad/ResizeBilinearGrad' (op type: ResizeBilinearGrad)";
  }

  void refused() {
    QFETCH(QString, op);
    QFETCH(QString, wanted);
    MetaGraph meta;
    GraphBuilder b(meta);
    const bool pictures = op == "ResizeBilinear";
    const Output x = b.placeholder(DType::Float, pictures ? Shape{1, 2, 2, 1} : Shape{2, 3}, "x");
    Inputs inputs{x};
    if (op != "Softsign") inputs.add(b.constant(pictures ? ints({4, 4}) : ints({0, 2})));
    const Output y = b.op(op.toStdString(), inputs, {}, "op");
    const auto first = addGradients(b, {b.op("Square", {y})}, {x});
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().toString().c_str());
    const auto second = addGradients(b, {b.op("Square", {(*first)[0].dense})}, {x});
    QVERIFY(!second.ok());
    QVERIFY2(QString::fromStdString(second.error().toString()).contains(wanted), second.error().toString().c_str());
  }
};

QTEST_GUILESS_MAIN(SecondDerivativesTest)
#include "tst_second_derivatives.moc"
