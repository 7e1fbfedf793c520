#include <algorithm>
#include <limits>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/quantize.h"

// Quantization and back, and results of comparisons packed into bytes.
namespace weft::cuda {
namespace {

template <typename T>
struct Extremes {
  T low, high;
};
template <typename T>
struct Joined {
  __device__ Extremes<T> operator()(Extremes<T> a, Extremes<T> b) const { return {b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high}; }
};

/// Finds the range of x[0, n) by `blocks` blocks and then by one thread, which makes the function from it.
template <typename T>
Status makeFunction(CudaDevice& d, const T* x, int64_t n, const QuantizeSettings& s, Extremes<T>* parts, int64_t blocks, QuantizeDequantize<T>* made) {
  constexpr T kMost = std::numeric_limits<T>::max();
  WEFT_TRY(forEachBlock(d, blocks, [=] __device__(int64_t b) {
    WEFT_SHARED(Extremes<T>, part, kThreads);
    Extremes<T> found{kMost, -kMost};
    for (int64_t i = b * kThreads + threadIdx.x; i < n; i += blocks * kThreads) found = Joined<T>()(found, Extremes<T>{x[i], x[i]});
    found = acrossBlock(found, Joined<T>(), part);
    if (threadIdx.x == 0) parts[b] = found;
  }));
  return forEach(d, 1, [=] __device__(int64_t) {
    Extremes<T> found{kMost, -kMost};
    for (int64_t b = 0; b < blocks; ++b) found = Joined<T>()(found, parts[b]);
    *made = QuantizeDequantize<T>(found.low, found.high, int(s.bits), s.isSigned, s.narrow, s.given, s.up);
  });
}

template <typename T>
Status run(KernelContext& c, QuantizeSettings s, QuantizeInputs where) {
  WEFT_TRY(readQuantizeInputs(c, where, s));
  const Tensor& in = c.input(0);
  T low = T(s.least), high = T(s.most);
  if (s.given && where != QuantizeInputs::None) {
    low = *input<T>(c, 1);
    high = *input<T>(c, 2);
    if (!(low <= high)) return invalidArgument("Invalid range: input_min ", low, " > input_max ", high);
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, in.shape(), {0}));
  const int64_t n = in.elements();
  if (n == 0) return {};
  CudaDevice& d = deviceOf(c);
  const T* x = dataOf<T>(in);
  T* y = mutableDataOf<T>(*out);
  if (s.given) {
    const QuantizeDequantize<T> f(low, high, int(s.bits), s.isSigned, s.narrow, true, s.up);
    return forEach(d, n, [=] __device__(int64_t i) { y[i] = f(x[i]); });
  }
  const int64_t blocks = std::clamp<int64_t>(n / (8 * kThreads), 1, 256);
  WEFT_LET(Tensor memory, scratch(d, size_t(blocks) * sizeof(Extremes<T>) + sizeof(QuantizeDequantize<T>)));
  auto* parts = static_cast<Extremes<T>*>(memory.mutableRaw());
  auto* made = reinterpret_cast<QuantizeDequantize<T>*>(parts + blocks);
  WEFT_TRY(makeFunction(d, x, n, s, parts, blocks, made));
  return forEach(d, n, [=] __device__(int64_t i) { y[i] = (*made)(x[i]); });
}

template <typename T, QuantizeInputs kWhere>
KernelFactory factory() {
  return [](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    WEFT_LET(const QuantizeSettings s, quantizeSettings(init.attrs(), kWhere));
    return functionKernel([s](KernelContext& c) { return run<T>(c, s, kWhere); });
  };
}
template <QuantizeInputs kWhere>
void addQuantize(OpRegistry& ops, const char* op, const std::vector<std::string>& hostMemory) {
  OpRecord* r = ops.findMutable(op);
  if (!r) return;
  r->kernel("GPU", {{"T", {DType::Float}}}, hostMemory, factory<float, kWhere>());
  r->kernel("GPU", {{"T", {DType::Double}}}, hostMemory, factory<double, kWhere>());
}

/// Booleans need no threshold.
template <typename T>
Status runPack(KernelContext& c) {
  WEFT_LET(const Shape shape, packedShape(c.input(0), c.input(1)));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const T *x = input<T>(c, 0), *threshold = input<T>(c, 1);
  uint8_t* y = mutableDataOf<uint8_t>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    unsigned bits = 0;
    for (int k = 0; k < 8; ++k) {
      const T v = x[i * 8 + k];
      bits = bits << 1 | unsigned(std::is_same_v<T, bool> ? bool(v) : Wide<T>(v) > Wide<T>(*threshold));
    }
    y[i] = uint8_t(bits);
  });
}

}  // namespace

void registerQuantizeGpu(OpRegistry& ops) {
  addQuantize<QuantizeInputs::None>(ops, "QuantizeAndDequantize", {});
  addQuantize<QuantizeInputs::Range>(ops, "QuantizeAndDequantizeV2", {"input_min", "input_max"});
  addQuantize<QuantizeInputs::RangeAndBits>(ops, "QuantizeAndDequantizeV3", {"input_min", "input_max", "num_bits"});
  addFor<Half, float, double, bool>(ops, "CompareAndBitpack", []<typename T>(KernelContext& c) { return runPack<T>(c); });
}

}  // namespace weft::cuda
