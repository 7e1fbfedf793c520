#include "device/cuda/launch.cuh"
#include "device/cuda/philox.cuh"
#include "device/cuda/registration.h"
#include "ops/random_fill.h"

// Classes sampled by their logits. TensorFlow's GPU kernel adds Gumbel noise to each logit; here the numbers are the CPU's.
namespace weft::cuda {
namespace {

struct LargerOf {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

/// For each row of logits, the partial sums of e^(x - m), m being the largest finite one; logits that are not finite add nothing.
template <typename T>
Status sumRows(CudaDevice& d, const T* x, int64_t rows, int64_t classes, double* sums) {
  return forEachBlock(d, rows, [=] __device__(int64_t r) {
    WEFT_SHARED(double, part, kThreads);
    constexpr double kMost = 1.7976931348623157e308;
    const T* row = x + r * classes;
    double* to = sums + r * classes;
    double best = -kMost;
    for (int64_t i = threadIdx.x; i < classes; i += kThreads) {
      const double v = double(Wide<T>(row[i]));
      if (v > best && v <= kMost) best = v;
    }
    best = acrossBlock(best, LargerOf(), part);
    // Each thread sums up neighbouring classes; what is before them is added then.
    const int64_t per = (classes + kThreads - 1) / kThreads, begin = threadIdx.x * per, end = begin + per < classes ? begin + per : classes;
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      const double v = double(Wide<T>(row[i]));
      if (v >= -kMost && v <= kMost) sum += exp(v - best);
      to[i] = sum;
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    double before = 0;
    for (unsigned t = 0; t < threadIdx.x; ++t) before += part[t];
    for (int64_t i = begin; i < end; ++i) to[i] += before;
  });
}

template <typename T, typename I>
Status drawClassesOn(CudaDevice& d, const cpu::Philox& from, const Tensor& logits, int64_t samples, Tensor& out) {
  const int64_t rows = logits.dim(0), classes = logits.dim(1);
  WEFT_LET(Tensor memory, scratch(d, size_t(rows * classes) * sizeof(double)));
  auto* sums = static_cast<double*>(memory.mutableRaw());
  WEFT_TRY(sumRows(d, dataOf<T>(logits), rows, classes, sums));
  I* to = mutableDataOf<I>(out);
  const Philox base(from);
  return forEach(d, rows * samples, [=] __device__(int64_t s) {
    Philox gen = base;
    gen.skip(uint64_t(s) / 2);
    uint32_t x[4];
    gen.next(x);
    const double* row = sums + s / samples * classes;
    const double wanted = (s % 2 ? uniformDouble(x[2], x[3]) : uniformDouble(x[0], x[1])) * row[classes - 1];
    int64_t low = 0, count = classes;
    while (count > 0) {
      const int64_t half = count / 2;
      const bool later = !(wanted < row[low + half]);
      if (later) low += half + 1;
      count = later ? count - half - 1 : half;
    }
    to[s] = I(low);
  });
}

template <typename T>
Status drawOn(KernelContext& c, const cpu::Philox& from, int64_t samples, Tensor& out) {
  if (out.dtype() == DType::Int32) return drawClassesOn<T, int32_t>(deviceOf(c), from, c.input(0), samples, out);
  return drawClassesOn<T, int64_t>(deviceOf(c), from, c.input(0), samples, out);
}

template <typename T>
class MultinomialKernel final : public Kernel {
 public:
  explicit MultinomialKernel(KernelInit& init) : stream_(cpu::randomStream(init)) {}
  Status compute(KernelContext& c) override {
    WEFT_LET(const int64_t samples, samplesFor(c.input(0), c.input(1)));
    const int64_t rows = c.input(0).dim(0);
    WEFT_LET(Tensor * out, c.allocate(0, Shape{rows, samples}));
    if (out->elements() == 0) return {};
    return drawOn<T>(c, stream_->reserve(multinomialBlocks(rows, samples)), samples, *out);
  }

 private:
  std::shared_ptr<cpu::RandomStream> stream_;
};

template <typename T>
Status runStateless(KernelContext& c) {
  WEFT_LET(const cpu::Philox gen, randomStreamFor(c.input(2)));
  WEFT_LET(const int64_t samples, samplesFor(c.input(0), c.input(1)));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{c.input(0).dim(0), samples}));
  return out->elements() == 0 ? Status() : drawOn<T>(c, gen, samples, *out);
}

template <typename... Ts>
void addMultinomial(OpRegistry& ops) {
  if (OpRecord* r = ops.findMutable("Multinomial")) (r->kernel("GPU", {{"T", {kDType<Ts>}}}, {"num_samples"}, kernelOf<MultinomialKernel<Ts>>()), ...);
}

}  // namespace

void registerRandomChoiceGpu(OpRegistry& ops) {
  addMultinomial<Half, float, double>(ops);
  addFor<Half, float, double>(ops, "StatelessMultinomial", []<typename T>(KernelContext& c) { return runStateless<T>(c); }, {"num_samples", "seed"});
}

}  // namespace weft::cuda
