#include "device/cuda/elementwise.cuh"
#include "ops/fake_quant.h"

// Fake quantization: floats rounded to the values representable in a few bits.
namespace weft::cuda {
namespace {

Status runArgs(KernelContext& c) {
  WEFT_LET(const FakeRange r, fakeRangeOfAttrs(c.node().attrs));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  const float *x = input<float>(c, 0), inverse = 1.0f / r.step;
  float* y = mutableDataOf<float>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) { y[i] = floorf((r.clamp(x[i]) - r.low) * inverse + 0.5f) * r.step + r.low; });
}

Status runArgsGradient(KernelContext& c) {
  WEFT_LET(const FakeRange r, fakeRangeOfAttrs(c.node().attrs));
  if (c.input(0).shape() != c.input(1).shape()) return differentSizes(c);
  WEFT_LET(Tensor * out, c.allocate(0, c.input(1).shape()));
  const float *dy = input<float>(c, 0), *x = input<float>(c, 1);
  float* dx = mutableDataOf<float>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) { dx[i] = dy[i] * (r.holds(x[i]) ? 1.0f : 0.0f); });
}

/// One range for all channels goes to kernels as an argument, several in device memory.
struct Ranges {
  FakeRange one;
  const FakeRange* each = nullptr;
  int64_t channels = 1;
  Tensor memory;
  /// What kernels copy.
  struct View {
    FakeRange one;
    const FakeRange* each;
    int64_t channels;
    __device__ FakeRange at(int64_t channel) const { return each ? each[channel] : one; }
  };
  View view() const { return {one, each, channels}; }
};
Result<Ranges> rangesOf(KernelContext& c, int firstInput, bool perChannel, const Shape& in) {
  WEFT_LET(const std::vector<FakeRange> all, fakeRangesOf(c, firstInput, perChannel, in));
  Ranges r;
  r.channels = int64_t(all.size());
  if (!perChannel) {
    r.one = all[0];
  } else if (!all.empty()) {
    std::vector<uint8_t> bytes(all.size() * sizeof(FakeRange));
    memcpy(bytes.data(), all.data(), bytes.size());
    WEFT_LET(r.memory, deviceOf(c).fromHost(Tensor::vector(bytes)));
    r.each = static_cast<const FakeRange*>(r.memory.raw());
  }
  return r;
}

template <bool kPerChannel>
Status runVars(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const Ranges ranges, rangesOf(c, 1, kPerChannel, in.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Ranges::View r = ranges.view();
  const float* x = dataOf<float>(in);
  float* y = mutableDataOf<float>(*out);
  return forEach(deviceOf(c), in.elements(), [=] __device__(int64_t i) {
    const FakeRange q = r.at(i % r.channels);
    y[i] = q.off ? 0 : floorf((q.clamp(x[i]) - q.low) / q.step + 0.5f) * q.step + q.low;
  });
}

struct Outside {
  double below, above;
};
struct SumOfOutside {
  __device__ Outside operator()(Outside a, Outside b) const { return {a.below + b.below, a.above + b.above}; }
};

/// The gradients of the ranges: one block per channel. Products, so that values that are not finite stay visible.
Status sumOutside(CudaDevice& d, const Ranges::View& r, const float* dy, const float* x, int64_t n, float* forMin, float* forMax) {
  const int64_t rows = r.channels > 0 ? n / r.channels : 0;
  return forEachBlock(d, r.channels, [=] __device__(int64_t k) {
    WEFT_SHARED(Outside, part, kThreads);
    const FakeRange q = r.at(k);
    Outside sum{0, 0};
    for (int64_t row = threadIdx.x; !q.off && row < rows; row += kThreads) {
      const int64_t i = row * r.channels + k;
      sum.below += dy[i] * (x[i] < q.low ? 1 : 0);
      sum.above += dy[i] * (x[i] > q.high ? 1 : 0);
    }
    sum = acrossBlock(sum, SumOfOutside(), part);
    if (threadIdx.x == 0) {
      forMin[k] = float(sum.below);
      forMax[k] = float(sum.above);
    }
  });
}

template <bool kPerChannel>
Status runVarsGradient(KernelContext& c) {
  const Tensor &grad = c.input(0), &in = c.input(1);
  if (grad.shape() != in.shape()) return invalidArgument("gradient and input must be the same size");
  WEFT_LET(const Ranges ranges, rangesOf(c, 2, kPerChannel, in.shape()));
  const Ranges::View r = ranges.view();
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Shape sums = kPerChannel ? Shape{r.channels} : Shape();
  WEFT_LET(Tensor * forMin, c.allocate(1, sums));
  WEFT_LET(Tensor * forMax, c.allocate(2, sums));
  const float *dy = dataOf<float>(grad), *x = dataOf<float>(in);
  float* dx = mutableDataOf<float>(*out);
  CudaDevice& d = deviceOf(c);
  WEFT_TRY(forEach(d, in.elements(), [=] __device__(int64_t i) {
    const FakeRange q = r.at(i % r.channels);
    dx[i] = q.off ? dy[i] : dy[i] * (q.holds(x[i]) ? 1.0f : 0.0f);
  }));
  return sumOutside(d, r, dy, x, in.elements(), mutableDataOf<float>(*forMin), mutableDataOf<float>(*forMax));
}

}  // namespace

void registerFakeQuantGpu(OpRegistry& ops) {
  addAny(ops, "FakeQuantWithMinMaxArgs", runArgs);
  addAny(ops, "FakeQuantWithMinMaxArgsGradient", runArgsGradient);
  addAny(ops, "FakeQuantWithMinMaxVars", runVars<false>, {"min", "max"});
  addAny(ops, "FakeQuantWithMinMaxVarsGradient", runVarsGradient<false>, {"min", "max"});
  addAny(ops, "FakeQuantWithMinMaxVarsPerChannel", runVars<true>, {"min", "max"});
  addAny(ops, "FakeQuantWithMinMaxVarsPerChannelGradient", runVarsGradient<true>, {"min", "max"});
}

}  // namespace weft::cuda
