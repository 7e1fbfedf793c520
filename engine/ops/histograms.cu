#include "device/cuda/row_groups.cuh"
#include "ops/ordering.h"

// Counts of numbers: Bincount, HistogramFixedWidth, and Bucketize. Counts are integers, so they are added in any order.
namespace weft::cuda {
namespace {

class BucketizeKernel final : public Kernel {
 public:
  explicit BucketizeKernel(std::vector<float> boundaries) : boundaries_(std::move(boundaries)) {}
  Status compute(KernelContext& c) override {
    const Tensor& in = c.input(0);
    WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
    if (in.elements() == 0) return {};
    CudaDevice& d = deviceOf(c);
    if (boundaries_.empty()) return check(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()), "cudaMemsetAsync");
    WEFT_LET(const Tensor boundaries, d.fromHost(Tensor::vector(boundaries_)));
    switch (in.dtype()) {
      case DType::Float: return find<float>(d, in, boundaries, *out);
      case DType::Double: return find<double>(d, in, boundaries, *out);
      case DType::Int32: return find<int32_t>(d, in, boundaries, *out);
      default: return find<int64_t>(d, in, boundaries, *out);
    }
  }
  template <typename T>
  static Status find(CudaDevice& d, const Tensor& in, const Tensor& boundaries, Tensor& out) {
    const float* limits = dataOf<float>(boundaries);
    const int64_t n = boundaries.elements();
    const T* from = dataOf<T>(in);
    int32_t* to = mutableDataOf<int32_t>(out);
    return forEach(d, in.elements(), [=] __device__(int64_t i) {
      const float v = float(from[i]);
      int64_t low = 0, count = n;
      while (count > 0) {
        const int64_t half = count / 2;
        const bool later = !(v < limits[low + half]);
        if (later) low += half + 1;
        count = later ? count - half - 1 : half;
      }
      to[i] = int32_t(low);
    });
  }

 private:
  const std::vector<float> boundaries_;
};

Result<std::unique_ptr<Kernel>> makeBucketize(KernelInit& init) {
  WEFT_LET(std::vector<float> boundaries, bucketBoundaries(init.attrs()));
  return std::unique_ptr<Kernel>(std::make_unique<BucketizeKernel>(std::move(boundaries)));
}

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Weights {
  const float* from;
  __device__ float operator()(int64_t i, int64_t) const { return from[i]; }
};

Status runBincount(KernelContext& c) {
  const Tensor &values = c.input(0), &weights = c.input(2);
  WEFT_LET(const int64_t bins, binsOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{bins}));
  CudaDevice& d = deviceOf(c);
  const int64_t n = values.elements();
  if (bins > 0) WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), d.stream()));
  if (n == 0) return {};
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, values, [](int64_t, const Tensor&) { return invalidArgument("Input arr must be non-negative!"); }));
  const int32_t* x = dataOf<int32_t>(values);
  const bool weighted = weights.elements() != 0;
  if (out->dtype() == DType::Int32) {
    const int32_t* w = weighted ? dataOf<int32_t>(weights) : nullptr;
    int32_t* to = mutableDataOf<int32_t>(*out);
    return forEach(d, n, [=] __device__(int64_t i) {
      if (x[i] < 0) wrong.report(i);
      else if (x[i] < bins) atomicAdd(&to[x[i]], w ? w[i] : 1);
    });
  }
  float* to = mutableDataOf<float>(*out);
  if (weighted) {
    WEFT_LET(const Places places, placesFor(d, n, bins));
    uint32_t* at = places.at;
    WEFT_TRY(forEach(d, n, [=] __device__(int64_t i) {
      if (x[i] < 0) wrong.report(i);
      at[i] = x[i] < 0 || x[i] >= bins ? kNowhere : uint32_t(x[i]);
    }));
    return joinRows(d, at, n, bins, 1, 1, to, Weights{dataOf<float>(weights)}, Sum());
  }
  WEFT_LET(Tensor memory, scratch(d, size_t(bins) * sizeof(unsigned long long)));
  auto* counts = static_cast<unsigned long long*>(memory.mutableRaw());
  if (bins > 0) WEFT_CUDA_TRY(cudaMemsetAsync(counts, 0, size_t(bins) * sizeof *counts, d.stream()));
  WEFT_TRY(forEach(d, n, [=] __device__(int64_t i) {
    if (x[i] < 0) wrong.report(i);
    else if (x[i] < bins) atomicAdd(&counts[x[i]], 1ull);
  }));
  // A float that counts in steps of 1 stops where the next number is 2 away.
  return forEach(d, bins, [=] __device__(int64_t b) { to[b] = counts[b] < (1ull << 24) ? float(counts[b]) : float(1 << 24); });
}

template <typename T>
Status runHistogram(KernelContext& c) {
  WEFT_LET(const HistogramRange r, histogramRange(c));
  const Tensor& values = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, Shape{r.bins}));
  CudaDevice& d = deviceOf(c);
  const double low = r.low, high = r.high, last = double(r.bins - 1), step = (r.high - r.low) / double(r.bins);
  const T* x = dataOf<T>(values);
  int32_t* to = mutableDataOf<int32_t>(*out);
  WEFT_CUDA_TRY(cudaMemsetAsync(to, 0, out->bytes(), d.stream()));
  return forEach(d, values.elements(), [=] __device__(int64_t i) {
    const double v = double(Wide<T>(x[i]));
    const double at = v < low ? 0 : v >= high ? last : floor((v - low) / step);
    // NaN goes into the first bin.
    atomicAdd(&to[int64_t(at > 0 ? (at < last ? at : last) : 0)], 1);
  });
}

}  // namespace

void registerHistogramsGpu(OpRegistry& ops) {
  if (OpRecord* r = ops.findMutable("Bucketize")) r->kernel("GPU", {{"T", {DType::Int32, DType::Int64, DType::Float, DType::Double}}}, {}, makeBucketize);
  addAny(ops, "Bincount", runBincount, {"size"}, {{"T", {DType::Int32, DType::Float}}});
  const auto add = [&]<typename T>() {
    addAny(ops, "HistogramFixedWidth", runHistogram<T>, {"value_range", "nbins"}, {{"T", {kDType<T>}}, {"dtype", {DType::Int32}}});
  };
  add.template operator()<float>();
  add.template operator()<double>();
}

}  // namespace weft::cuda
