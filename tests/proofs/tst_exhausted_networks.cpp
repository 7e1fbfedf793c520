#include <QTest>
#include <cmath>

#include "exhaust.h"

using namespace weft;
using namespace exhaust;

namespace {

std::string text(const std::vector<int64_t>& v) {
  std::string out = "[";
  for (int64_t i : v) out += (out.size() > 1 ? "," : "") + std::to_string(i);
  return out + "]";
}

/// Whole numbers that sums of a few products of them keep, so that no order of adding matters; or the special values.
Tensor values(const Shape& shape, int first, bool special) {
  if (!special) return filled(DType::Float, shape, [&](int64_t i) { return double((first + i * 7) % 13 - 6); });
  const std::vector<double> some{1, std::nan(""), -1, HUGE_VAL, 0.0, -HUGE_VAL, -0.0, 2, 3};
  return filled(DType::Float, shape, [&](int64_t i) { return (i + first) % 4 ? double((first + i * 7) % 13 - 6) : some[size_t(i + first) / 4 % some.size()]; });
}

}  // namespace

/// Rewrites around convolutions, pools and products: all small sizes, with the rewrite and without any.
class ExhaustedNetworksTest : public QObject {
  Q_OBJECT

 private slots:
  // RULE convolution_fusion.bias, convolution_fusion.relu
  void convolutionsWithBias() {
    Tally tally;
    int64_t position = 0;
    const auto each = [&](int64_t n, int64_t height, int64_t width, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t biases,
                          const char* padding, bool relu, bool special) {
      if (!isLong() && position++ % 7 != 0) return;
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), w = b.placeholder(DType::Float, Shape::unknown(), "w"),
                   c = b.placeholder(DType::Float, Shape::unknown(), "c");
      const Output sum = b.op("BiasAdd", {b.op("Conv2D", {x, w}, {{"strides", std::vector<int64_t>{1, stride, stride, 1}}, {"padding", padding}}), c});
      b.op(relu ? "Relu" : "Identity", {sum}, {}, "z");
      QVERIFY(b.ok());
      const Shape xs{n, height, width, in}, ws{kernel, kernel, in, out}, cs{biases};
      tally.compare([&] { return "Conv2D " + xs.toString() + ws.toString() + cs.toString() + padding + std::to_string(stride) + (relu ? " Relu" : ""); },
                    meta.graph, {{"x:0", values(xs, 1, special)}, {"w:0", values(ws, 5, false)}, {"c:0", values(cs, 9, special)}}, {"z:0"},
                    {"convolution_fusion"}, Same::NaNsAlike);
    };
    for (int64_t n : {0, 1, 2})
      for (int64_t height : {0, 1, 2, 3})
        for (int64_t width : {1, 2, 3})
          for (int64_t in : {1, 2, 3})
            for (int64_t out : {0, 1, 2, 3})
              for (int64_t kernel : {1, 2, 3})
                for (int64_t stride : {1, 2})
                  for (const char* padding : {"SAME", "VALID"})
                    for (const bool relu : {false, true})
                      for (const int values : {0, 1, 2}) each(n, height, width, in, out, kernel, stride, values == 2 ? 1 : out, padding, relu, values == 1);
    VERIFY_SAME(tally, "convolutions", 500);
  }

  // RULE convolution_fusion.affine, convolution_fusion.batch_norm, convolution_fusion.added, convolution_fusion.packed
  void convolutionsWithWhatFollows() {
    Tally tally;
    int64_t position = 0;
    // What follows, by its letter: bias, Mul and Add of a vector or of other shapes, a normalisation, Relu, Relu6, Add of an image.
    const std::vector<const char*> tails{"",   "m",  "a",  "ma", "am", "n",   "nr", "ns", "nsr", "nst", "t",     "bt",   "rt", "mas", "mast", "matr", "tn",
                                         "bn", "nt", "tt", "ff", "rs", "srr", "w",  "wa", "v",   "mv",  "matrs", "btrt", "u",  "nu",  "y",    "ny"};
    const auto each = [&](const char* tail, bool depthwise, int64_t n, int64_t height, int64_t in, int64_t out, int64_t kernel, int64_t stride, bool constant,
                          bool swapped, bool special) {
      if (!isLong() && position++ % 11 != 0) return;
      MetaGraph meta;
      GraphBuilder b(meta);
      const int64_t channels = depthwise ? in : out;
      const Shape xs{n, height, 3, in}, ws{kernel, kernel, in, depthwise ? 1 : out};
      const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), z = b.placeholder(DType::Float, Shape::unknown(), "z");
      const Output w = constant ? b.constant(values(ws, 5, false)) : b.placeholder(DType::Float, Shape::unknown(), "w");
      const auto vector = [&](const Shape& s, int first) { return b.constant(values(s, first, special)); };
      Output y = b.op(depthwise ? "DepthwiseConv2dNative" : "Conv2D", {x, w}, {{"strides", std::vector<int64_t>{1, stride, stride, 1}}, {"padding", "SAME"}});
      const auto binary = [&](const char* op, Output other) { y = swapped ? b.op(op, {other, y}) : b.op(op, {y, other}); };
      for (const char* t = tail; *t; ++t) {
        if (*t == 'b') y = b.op("BiasAdd", {y, vector({channels}, 9)});
        if (*t == 'm') binary("Mul", vector({channels}, 2));
        if (*t == 'a') binary("Add", vector({channels}, 3));
        if (*t == 'v') binary("AddV2", vector({1, 1, 1, channels}, 4));
        if (*t == 'w') binary("Mul", vector({}, 4));
        if (*t == 'f') binary("Add", vector({3, 1}, 4));  // one value per column
        if (*t == 'r') y = b.op("Relu", {y});
        if (*t == 's') y = b.op("Relu6", {y});
        if (*t == 't') binary("Add", z);
        if (*t == 'y') binary("Add", y);
        if (*t == 'n' || *t == 'u') {
          const int node = b.node(*t == 'n' ? "FusedBatchNorm" : "FusedBatchNormV3",
                                  {y, vector({channels}, 2), vector({channels}, 3), b.constant(values({channels}, 4, special)),
                                   b.constant(filled(DType::Float, {channels}, [](int64_t i) { return std::pow(4.0, double(i)); }))},
                                  {{"is_training", false}, {"epsilon", 0.0}});
          y = b.outputsOf(node)[0];
        }
      }
      b.op("Identity", {y}, {}, "result");
      if (!b.ok()) return;
      const Shape zs{n, (height + stride - 1) / stride, (3 + stride - 1) / stride, channels};
      std::vector<std::pair<std::string, Tensor>> feeds{{"x:0", values(xs, 1, special)}, {"z:0", values(zs, 7, special)}};
      if (!constant) feeds.push_back({"w:0", values(ws, 5, false)});
      tally.compare([&] { return std::string(depthwise ? "depthwise " : "Conv2D ") + tail + xs.toString() + ws.toString() + std::to_string(stride); },
                    meta.graph, feeds, {"result:0"}, {"constant_folding", "convolution_fusion"}, Same::NaNsAlike);
    };
    for (const char* tail : tails)
      for (const bool depthwise : {false, true})
        for (const int64_t n : {0, 1, 2})
          for (const int64_t height : {1, 3})
            for (const int64_t in : {1, 2, 3})
              for (const int64_t out : {1, 3})
                for (const int64_t kernel : {1, 3})
                  for (const int64_t stride : {1, 2})
                    for (const int rest : {0, 1, 2, 3}) each(tail, depthwise, n, height, in, out, kernel, stride, rest != 1, rest == 2, rest == 3);
    VERIFY_SAME(tally, "convolutions with what follows them", 500);
  }

  // RULE pool_gradient_fusion.relu
  void gradientsOfPools() {
    Tally tally;
    for (int64_t n : {0, 1, 2})
      for (int64_t height : {0, 1, 2, 3})
        for (int64_t width : {1, 2, 3, 5})
          for (int64_t channels : {0, 1, 2, 3, 17})
            for (int64_t window : {1, 2, 3})
              for (int64_t stride : {1, 2})
                for (const char* padding : {"SAME", "VALID"})
                  for (const int kind : {0, 1, 2, 3}) {
                    if (!isLong() && (n + height + width + channels + window + kind) % 3 != 0) continue;
                    MetaGraph meta;
                    GraphBuilder b(meta);
                    const AttrMap attrs{
                        {"ksize", std::vector<int64_t>{1, window, window, 1}}, {"strides", std::vector<int64_t>{1, stride, stride, 1}}, {"padding", padding}};
                    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), dy = b.placeholder(DType::Float, Shape::unknown(), "dy");
                    const Output other = b.placeholder(DType::Float, Shape::unknown(), "other");
                    const Output y = b.op("MaxPool", {x}, attrs);
                    const Output dx = b.op("MaxPoolGrad", {x, y, dy}, attrs, "dx");
                    b.op("ReluGrad", {dx, kind == 3 ? other : x}, {}, "z");
                    QVERIFY(b.ok());
                    const bool same = std::string_view(padding) == "SAME";
                    const auto pooled = [&](int64_t size) {
                      return std::max<int64_t>(0, same ? (size + stride - 1) / stride : (size - window) / stride + (size >= window));
                    };
                    const Shape xs{n, height, width, channels}, ys{n, pooled(height), pooled(width), channels};
                    tally.compare(
                        [&] {
                          return "MaxPoolGrad " + xs.toString() + padding + std::to_string(window) + std::to_string(stride) + " kind " + std::to_string(kind);
                        },
                        meta.graph, {{"x:0", values(xs, 1, kind > 0)}, {"dy:0", values(ys, 3, kind == 2)}, {"other:0", values(xs, 8, false)}}, {"z:0"},
                        {"pool_gradient_fusion"});
                  }
    VERIFY_SAME(tally, "gradients of pools", 500);
  }

  // RULE product_slicing.columns
  void slicesOfProducts() {
    Tally tally;
    int64_t position = 0;
    for (int64_t rows : {0, 1, 2, 3})
      for (int64_t inner : {0, 1, 2, 3})
        for (int64_t columns : {1, 2, 3, 9})
          for (int64_t from : {0, 1, 2, 8, 9})
            for (int64_t size : {-1, 0, 1, 2})
              for (int64_t second : {-1, 0, 1})
                for (const int rest : {0, 1, 2, 3, 4, 5}) {
                  if (from > columns || (!isLong() && position++ % 3 != 0)) continue;
                  MetaGraph meta;
                  GraphBuilder b(meta);
                  const bool transposeA = rest == 1, special = rest == 2, fewerRows = rest == 3 && rows > 0, longs = rest == 4, wrong = rest == 5;
                  const Output a = b.placeholder(DType::Float, Shape::unknown(), "a"), w = b.placeholder(DType::Float, Shape::unknown(), "w");
                  const Output product = b.op("MatMul", {a, w}, {{"transpose_b", true}, {"transpose_a", transposeA}}, "product");
                  const auto place = [&](int64_t r, int64_t c) {
                    return longs ? b.constant(Tensor::vector<int64_t>({r, c})) : b.constant(Tensor::vector<int32_t>({int32_t(r), int32_t(c)}));
                  };
                  b.op("Slice", {product, place(fewerRows, from), place(-1, size)}, {}, "z");
                  std::vector<std::string> fetches{"z:0"};
                  if (second >= 0) {
                    b.op("Slice", {product, place(0, second), place(-1, 1)}, {}, "z2");
                    fetches.push_back("z2:0");
                  }
                  if (!b.ok()) continue;  // invalid combinations are refused at once
                  const Shape as = transposeA ? Shape{inner, rows} : Shape{rows, inner}, ws{columns, inner + wrong};
                  tally.compare(
                      [&] {
                        return "Slice of MatMul " + as.toString() + ws.toString() + text({from, size, second, rest});
                      },
                      meta.graph, {{"a:0", values(as, 1, special)}, {"w:0", values(ws, 4, special)}}, fetches, {"product_slicing"}, Same::NaNsAlike);
                }
    VERIFY_SAME(tally, "slices of products", 200);
  }

  // RULE product_sums.terms: whole numbers, for which the order of adding does not matter, and special values.
  void sumsOfProducts() {
    Tally tally;
    int64_t position = 0;
    // Terms: a product in one of four ways, a bias's gradient, something fed, or the first term again.
    for (int64_t rows : {0, 1, 2, 3})
      for (int64_t inner : {0, 1, 2, 3})
        for (int code = 0; code < 7 * 7 * 7 * 2; ++code)
          for (const char* op : {"AddN", "Add", "AddV2"})
            for (const bool special : {false, true}) {
              const bool list = std::string_view(op) == "AddN";
              if (!list && code >= 49) continue;
              if (!isLong() && position++ % 9 != 0) continue;
              const int64_t columns = (code + inner) % 4;
              MetaGraph meta;
              GraphBuilder b(meta);
              const auto feed = [&](const char* name) { return b.placeholder(DType::Float, Shape::unknown(), name); };
              const Output m = feed("m"), mt = feed("mt"), w = feed("w"), wt = feed("wt"), x = feed("x"), bias = feed("bias");
              std::vector<Output> terms;
              const bool vectors = list && code / 343 != 0;  // sums over rows instead of matrices
              int rest = code;
              for (int k = 0; k < (list ? 3 : 2); ++k, rest /= 7) {
                const int kind = rest % 7;
                if (kind == 6 && !terms.empty()) terms.push_back(terms[0]);
                else if (vectors) terms.push_back(kind < 4 ? b.op("BiasAddGrad", {kind % 2 ? x : b.op("Neg", {x})}) : bias);
                else if (kind < 4)
                  terms.push_back(b.op("MatMul", {kind & 1 ? mt : m, kind & 2 ? wt : w}, {{"transpose_a", (kind & 1) != 0}, {"transpose_b", (kind & 2) != 0}}));
                else terms.push_back(kind == 4 ? x : b.op("Neg", {x}));
              }
              b.op(op, terms, {}, "z");
              QVERIFY2(b.ok(), b.status().toString().c_str());
              const Shape ms{rows, inner}, mts{inner, rows}, wsh{inner, columns}, wts{columns, inner}, xs{rows, columns};
              tally.compare([&] { return std::string(op) + " of terms " + std::to_string(code) + " " + xs.toString() + ", inner " + std::to_string(inner); },
                            meta.graph,
                            {{"m:0", values(ms, 1, special)},
                             {"mt:0", values(mts, 2, special)},
                             {"w:0", values(wsh, 3, false)},
                             {"wt:0", values(wts, 4, false)},
                             {"x:0", values(xs, 5, special)},
                             {"bias:0", values(Shape{columns}, 6, special)}},
                            {"z:0"}, {"product_sums"}, Same::NaNsAlike);
            }
    VERIFY_SAME(tally, "sums of products", 500);
  }
};

QTEST_GUILESS_MAIN(ExhaustedNetworksTest)
#include "tst_exhausted_networks.moc"
