#include <QTest>
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/direct_convolution.h"

using namespace weft;
using namespace weft::cpu;

namespace {

std::vector<float> numbers(int64_t n, int seed) {
  std::vector<float> v(static_cast<size_t>(n));
  uint32_t state = uint32_t(seed) * 2654435761u + 1;
  for (float& x : v) {
    state = state * 1664525u + 1013904223u;
    x = float(int32_t(state >> 8) - (1 << 23)) / float(1 << 23);
  }
  return v;
}

/// Calls f(output, input, filter) with the indices of each product.
template <typename F>
void eachProduct(const ConvGeometry& g, F&& f) {
  const int64_t inPerGroup = g.inChannels / g.groups, outPerGroup = g.outChannels / g.groups;
  for (int64_t n = 0; n < g.batch; ++n)
    for (int64_t y = 0; y < g.outHeight; ++y)
      for (int64_t x = 0; x < g.outWidth; ++x)
        for (int64_t ky = 0; ky < g.kernelHeight; ++ky)
          for (int64_t kx = 0; kx < g.kernelWidth; ++kx) {
            const int64_t iy = y * g.strideHeight - g.padTop + ky * g.dilationHeight, ix = x * g.strideWidth - g.padLeft + kx * g.dilationWidth;
            if (iy < 0 || iy >= g.inHeight || ix < 0 || ix >= g.inWidth) continue;
            for (int64_t o = 0; o < g.outChannels; ++o)
              for (int64_t c = 0; c < inPerGroup; ++c) {
                const int64_t channel = g.groups == 1 ? c : o / outPerGroup;
                const int64_t in = ((n * g.inHeight + iy) * g.inWidth + ix) * g.inChannels + channel;
                const int64_t w =
                    g.groups == 1 ? ((ky * g.kernelWidth + kx) * g.inChannels + c) * g.outChannels + o : (ky * g.kernelWidth + kx) * g.outChannels + o;
                f(((n * g.outHeight + y) * g.outWidth + x) * g.outChannels + o, in, w);
              }
          }
}

struct Case {
  int64_t batch, height, width, in, out, kernelHeight, kernelWidth, stride, dilation, padTop, padLeft, padBottom, padRight;
};

std::optional<ConvGeometry> geometryOf(const Case& c, bool depthwise) {
  ConvGeometry g;
  g.batch = c.batch, g.inHeight = c.height, g.inWidth = c.width, g.inChannels = c.in, g.outChannels = depthwise ? c.in : c.out;
  g.kernelHeight = c.kernelHeight, g.kernelWidth = c.kernelWidth, g.strideHeight = g.strideWidth = c.stride;
  g.dilationHeight = g.dilationWidth = c.dilation;
  g.padTop = c.padTop, g.padLeft = c.padLeft, g.padBottom = c.padBottom, g.padRight = c.padRight;
  g.groups = depthwise ? c.in : 1;
  const int64_t height = c.height + c.padTop + c.padBottom - (c.kernelHeight - 1) * c.dilation - 1,
                width = c.width + c.padLeft + c.padRight - (c.kernelWidth - 1) * c.dilation - 1;
  if (height < 0 || width < 0) return {};
  g.outHeight = height / c.stride + 1, g.outWidth = width / c.stride + 1;
  return g;
}

/// Many shapes: all small kernels, strides, paddings and odd sizes.
std::vector<ConvGeometry> shapes(bool depthwise) {
  std::vector<ConvGeometry> all;
  int64_t position = 0;
  for (const int64_t batch : {1, 2})
    for (const auto& [height, width] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {2, 3}, {5, 4}, {7, 7}, {9, 33}, {1, 17}, {16, 1}})
      for (const int64_t in : {1, 3, 8, 17, 35})
        for (const int64_t out : {1, 5, 16, 24, 33, 70})
          for (const auto& [kh, kw] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 3}, {5, 5}, {1, 4}, {7, 2}, {2, 2}})
            for (const int64_t stride : {1, 2, 3})
              for (const int64_t dilation : {1, 2})
                for (const int pad : {0, 1, 2, 3}) {
                  if (position++ % 23 != 0) continue;
                  const int64_t reachH = (kh - 1) * dilation, reachW = (kw - 1) * dilation;
                  Case c{batch, height, width, in, out, kh, kw, stride, dilation, 0, 0, 0, 0};
                  if (pad == 1) c.padTop = reachH / 2, c.padBottom = reachH - reachH / 2, c.padLeft = reachW / 2, c.padRight = reachW - reachW / 2;
                  if (pad == 2) c.padBottom = std::min<int64_t>(1, reachH), c.padRight = std::min<int64_t>(1, reachW);
                  if (pad == 3) c.padTop = reachH + 1, c.padBottom = reachH + 2, c.padLeft = reachW + 2, c.padRight = reachW;
                  if (const auto g = geometryOf(c, depthwise)) all.push_back(*g);
                }
  return all;
}

std::string text(const ConvGeometry& g) {
  std::string out;
  for (int64_t v : {g.batch, g.inHeight, g.inWidth, g.inChannels, g.outHeight, g.outWidth, g.outChannels, g.kernelHeight, g.kernelWidth, g.strideHeight,
                    g.dilationHeight, g.padTop, g.padLeft, g.padBottom, g.padRight, g.groups})
    out += " " + std::to_string(v);
  return out;
}

/// Both must agree to a few roundings of the largest sum.
bool near(const std::vector<float>& found, const std::vector<double>& wanted, double terms) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (!(std::abs(double(found[i]) - wanted[i]) <= 1e-6 * (4 + std::sqrt(terms) * 2))) {
      qWarning("element %zu: %g instead of %g", i, double(found[i]), wanted[i]);
      return false;
    }
  }
  return true;
}

double bent(double x, Activation a) {
  if (a != Activation::None && x < 0) x = 0;
  return a == Activation::Relu6 && x > 6 ? 6 : x;
}

}  // namespace

/// The engine's own convolutions give what plain loops give.
class DirectConvolutionTest : public QObject {
  Q_OBJECT

 private slots:
  void outputsOfManyShapes_data() {
    QTest::addColumn<bool>("depthwise");
    QTest::newRow("all channels") << false;
    QTest::newRow("depthwise") << true;
  }
  void outputsOfManyShapes() {
    QFETCH(bool, depthwise);
    int count = 0;
    for (const ConvGeometry& g : shapes(depthwise)) {
      const int kind = count++ % 6;
      const auto x = numbers(g.inputElements(), 1), w = numbers(g.filterElements(), 2), added = numbers(g.outputElements(), 3);
      const auto shift = numbers(g.outChannels, 4), factor = numbers(g.outChannels, 5), offset = numbers(g.outChannels, 6);
      WindowTail tail;
      if (kind == 1 || kind == 4) tail.shift = shift.data();
      if (kind == 1 || kind == 3) tail.factor = factor.data();
      if (kind >= 1) tail.offset = offset.data();
      if (kind == 2 || kind == 3) tail.first = Activation::Relu;
      if (kind == 4) tail.first = Activation::Relu6;
      if (kind == 5 || kind == 3) tail.added = added.data();
      if (kind == 5) tail.second = Activation::Relu;
      std::vector<double> wanted(size_t(g.outputElements()), 0.0);
      eachProduct(g, [&](int64_t o, int64_t i, int64_t k) { wanted[size_t(o)] += double(x[size_t(i)]) * double(w[size_t(k)]); });
      for (size_t i = 0; i < wanted.size(); ++i) {
        const size_t c = i % size_t(g.outChannels);
        double v = wanted[i];
        if (tail.shift) v -= double(shift[c]);
        if (tail.factor) v *= double(factor[c]);
        if (tail.offset) v += double(offset[c]);
        v = bent(v, tail.first);
        if (tail.added) v += double(added[i]);
        wanted[i] = bent(v, tail.second);
      }
      const DirectConvolution convolution(g);
      std::vector<float> packed(size_t(convolution.packedFloats()) + 1), out(size_t(g.outputElements()), NAN);
      if (!convolution.isDepthwise()) convolution.pack(w.data(), packed.data());
      convolution.run(x.data(), convolution.isDepthwise() ? w.data() : packed.data(), out.data(), tail);
      QVERIFY2(near(out, wanted, double(g.filterElements()) / double(g.outChannels)), text(g).c_str());
    }
    QVERIFY2(count > 500, std::to_string(count).c_str());
  }

  void gradientsOfInputs() {
    int count = 0;
    for (const ConvGeometry& g : shapes(false)) {
      if (!DirectConvolution::hasInputGradient(g)) continue;
      ++count;
      const auto dy = numbers(g.outputElements(), 1), w = numbers(g.filterElements(), 2);
      std::vector<double> wanted(size_t(g.inputElements()), 0.0);
      eachProduct(g, [&](int64_t o, int64_t i, int64_t k) { wanted[size_t(i)] += double(dy[size_t(o)]) * double(w[size_t(k)]); });
      const DirectConvolution convolution(DirectConvolution::inputGradient(g));
      std::vector<float> packed(size_t(convolution.packedFloats())), dx(size_t(g.inputElements()), NAN);
      convolution.pack(w.data(), packed.data(), true);
      convolution.run(dy.data(), packed.data(), dx.data(), {});
      QVERIFY2(near(dx, wanted, double(g.filterElements()) / double(g.inChannels)), text(g).c_str());
    }
    QVERIFY2(count > 100, std::to_string(count).c_str());
  }

  void gradientsOfFilters() {
    for (const ConvGeometry& g : shapes(false)) {
      const auto x = numbers(g.inputElements(), 1), dy = numbers(g.outputElements(), 2);
      std::vector<double> wanted(size_t(g.filterElements()), 0.0);
      eachProduct(g, [&](int64_t o, int64_t i, int64_t k) { wanted[size_t(k)] += double(x[size_t(i)]) * double(dy[size_t(o)]); });
      const DirectFilterGradient gradient(g);
      std::vector<float> scratch(size_t(gradient.scratchFloats()) + 1, NAN), dw(size_t(g.filterElements()), NAN);
      gradient.run(x.data(), dy.data(), dw.data(), scratch.data());
      QVERIFY2(near(dw, wanted, double(g.batch * g.outHeight * g.outWidth)), text(g).c_str());
    }
  }

  void threadsDoNotChangeTheBits() {
    for (const auto& c :
         {Case{4, 33, 30, 16, 40, 3, 3, 1, 1, 1, 1, 1, 1}, Case{1, 7, 7, 96, 200, 1, 1, 1, 1, 0, 0, 0, 0}, Case{16, 28, 28, 1, 32, 5, 5, 1, 1, 2, 2, 2, 2}}) {
      const ConvGeometry g = *geometryOf(c, false);
      const auto x = numbers(g.inputElements(), 1), w = numbers(g.filterElements(), 2), dy = numbers(g.outputElements(), 3);
      const DirectConvolution convolution(g);
      const DirectFilterGradient gradient(g);
      std::vector<float> first, firstGrad;
      for (const int threads : {1, 2, 3, 5}) {
        setThreadParallelism(threads);
        std::vector<float> packed(size_t(convolution.packedFloats())), out(size_t(g.outputElements())), dw(size_t(g.filterElements())),
            scratch(size_t(gradient.scratchFloats()) + 1);
        convolution.pack(w.data(), packed.data());
        convolution.run(x.data(), packed.data(), out.data(), {});
        gradient.run(x.data(), dy.data(), dw.data(), scratch.data());
        if (threads == 1) first = out, firstGrad = dw;
        QVERIFY(out == first);
        QVERIFY(dw == firstGrad);
      }
      setThreadParallelism(0);
    }
  }

  void nanStaysNan() {
    const ConvGeometry g = *geometryOf({1, 6, 6, 3, 20, 3, 3, 1, 1, 1, 1, 1, 1}, false);
    auto x = numbers(g.inputElements(), 1);
    const auto w = numbers(g.filterElements(), 2);
    x[0] = NAN;
    for (const Activation a : {Activation::None, Activation::Relu, Activation::Relu6}) {
      const DirectConvolution convolution(g);
      std::vector<float> packed(size_t(convolution.packedFloats())), out(size_t(g.outputElements()));
      convolution.pack(w.data(), packed.data());
      WindowTail tail;
      tail.first = a;
      convolution.run(x.data(), packed.data(), out.data(), tail);
      for (int64_t i = 0; i < g.outputElements(); ++i) {
        const int64_t pixel = i / g.outChannels;
        QCOMPARE(std::isnan(out[size_t(i)]), pixel % 6 < 2 && pixel / 6 < 2);
      }
    }
  }
};

QTEST_APPLESS_MAIN(DirectConvolutionTest)
#include "tst_direct_convolution.moc"
