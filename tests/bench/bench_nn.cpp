// Times the kernels of dense and convolutional training on the shapes of the reference workloads, compared with direct oneDNN calls.
#include <benchmark/benchmark.h>
#include <dnnl.h>

#include <cmath>
#include <memory>
#include <vector>

#include "device/cpu/convolution.h"
#include "device/cpu/gemm.h"
#include "device/cpu/hot_nn.h"

using namespace weft::cpu;

namespace {

struct Aligned {
  explicit Aligned(size_t floats) : memory(new (std::align_val_t(64)) float[floats + 16]()) {}
  ~Aligned() { ::operator delete[](memory, std::align_val_t(64)); }
  Aligned(const Aligned&) = delete;
  float* memory;
};

/// batch, image, in channels, kernel, out channels, stride
const std::vector<std::vector<int64_t>> kConvolutions = {{50, 28, 1, 5, 32, 1},  {50, 14, 32, 5, 64, 1}, {32, 28, 1, 3, 16, 2},  {32, 14, 16, 3, 32, 2},
                                                         {32, 32, 3, 3, 16, 1},  {32, 32, 16, 3, 16, 1}, {32, 32, 16, 3, 32, 2}, {32, 32, 16, 1, 32, 2},
                                                         {32, 16, 32, 3, 32, 1}, {32, 16, 32, 3, 64, 2}, {32, 8, 64, 3, 64, 1}};

void convolution(benchmark::State& state, ConvDirection direction) {
  const auto& s = kConvolutions[size_t(state.range(0))];
  ConvGeometry g;
  g.batch = s[0];
  g.inHeight = g.inWidth = s[1];
  g.inChannels = s[2];
  g.kernelHeight = g.kernelWidth = s[3];
  g.outChannels = s[4];
  g.strideHeight = g.strideWidth = s[5];
  g.outHeight = g.outWidth = (s[1] + s[5] - 1) / s[5];
  const int64_t pad = std::max<int64_t>(0, (g.outHeight - 1) * s[5] + s[3] - s[1]);
  g.padTop = g.padLeft = pad / 2;
  g.padBottom = g.padRight = pad - pad / 2;
  auto made = DnnlConvolution::make(direction, g);
  if (!made.ok()) {
    state.SkipWithError(made.error().message.c_str());
    return;
  }
  Aligned in(size_t(g.inputElements())), filter(size_t(g.filterElements())), out(size_t(g.outputElements())), scratch((*made)->scratchBytes() / 4);
  for (auto _ : state) (void)(*made)->run(in.memory, filter.memory, out.memory, scratch.memory).ok();
  state.SetLabel((*made)->implementation());
  state.counters["GFLOP/s"] = benchmark::Counter(2.0 * double(g.outputElements()) * double(g.filterElements() / g.outChannels),
                                                 benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}
BENCHMARK_CAPTURE(convolution, output, ConvDirection::Output)->DenseRange(0, 10)->UseRealTime();
BENCHMARK_CAPTURE(convolution, input, ConvDirection::Input)->DenseRange(0, 10)->UseRealTime();
BENCHMARK_CAPTURE(convolution, filter, ConvDirection::Filter)->DenseRange(0, 10)->UseRealTime();

const std::vector<GemmShape> kProducts = {
    {128, 156, 512, false, false}, {128, 512, 156, false, true},  {156, 128, 512, true, false},   {32, 400, 800, false, false},   {32, 800, 400, false, true},
    {400, 32, 800, true, false},   {128, 784, 256, false, false}, {784, 128, 256, true, false},   {50, 3136, 1024, false, false}, {50, 1024, 3136, false, true},
    {3136, 50, 1024, true, false}, {100, 784, 10, false, false},  {1024, 128, 128, false, false}, {64, 32, 64, false, true},      {8, 8, 8, false, false}};

void product(benchmark::State& state, bool bare) {
  const GemmShape& s = kProducts[size_t(state.range(0))];
  Aligned a(size_t(s.m * s.k)), b(size_t(s.k * s.n)), c(size_t(s.m * s.n));
  for (auto _ : state) {
    if (bare) {
      dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, 1.f, a.memory, s.transposeA ? s.m : s.k, b.memory, s.transposeB ? s.k : s.n,
                 0.f, c.memory, s.n);
    } else {
      gemm(s, a.memory, b.memory, c.memory);
    }
  }
  state.counters["GFLOP/s"] = benchmark::Counter(2.0 * double(s.m * s.n * s.k), benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}
BENCHMARK_CAPTURE(product, weft, false)->DenseRange(0, 14)->UseRealTime();
BENCHMARK_CAPTURE(product, sgemm, true)->DenseRange(0, 14)->UseRealTime();

PoolGeometry halves(int64_t size, int64_t channels) { return {size, size, (size + 1) / 2, (size + 1) / 2, channels, 2, 2, 2, 2, 0, 0}; }

void maxPool(benchmark::State& state) {
  const PoolGeometry g = halves(state.range(0), state.range(1));
  const int64_t batch = 50;
  Aligned in(size_t(batch * g.inHeight * g.inWidth * g.channels)), out(size_t(batch * g.outHeight * g.outWidth * g.channels));
  for (auto _ : state) nnKernels().maxPool(out.memory, in.memory, g, 0, batch * g.outHeight);
}
BENCHMARK(maxPool)->Args({28, 32})->Args({14, 64})->UseRealTime();

void maxPoolGrad(benchmark::State& state) {
  const PoolGeometry g = halves(state.range(0), state.range(1));
  Aligned in(size_t(g.inHeight * g.inWidth * g.channels)), back(size_t(g.inHeight * g.inWidth * g.channels)),
      grad(size_t(g.outHeight * g.outWidth * g.channels));
  for (auto _ : state) {
    for (int image = 0; image < 50; ++image) nnKernels().maxPoolGrad(back.memory, in.memory, grad.memory, g, false);
  }
}
BENCHMARK(maxPoolGrad)->Args({28, 32})->Args({14, 64})->UseRealTime();

void crossEntropy(benchmark::State& state) {
  const int64_t rows = state.range(0), columns = state.range(1);
  Aligned logits(size_t(rows * columns)), loss(static_cast<size_t>(rows)), back(size_t(rows * columns));
  const std::vector<int64_t> labels(size_t(rows), columns / 2);
  for (auto _ : state) nnKernels().sparseCrossEntropy64(loss.memory, back.memory, logits.memory, labels.data(), rows, columns);
}
BENCHMARK(crossEntropy)->Args({128, 10})->Args({32, 1000})->UseRealTime();

void softmax(benchmark::State& state) {
  const int64_t rows = state.range(0), columns = state.range(1);
  Aligned in(size_t(rows * columns)), out(size_t(rows * columns));
  for (auto _ : state) nnKernels().softmax(out.memory, in.memory, rows, columns);
}
BENCHMARK(softmax)->Args({4096, 64})->Args({128, 10})->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
