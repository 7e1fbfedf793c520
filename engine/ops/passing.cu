#include "device/cuda/elementwise.cuh"
#include "device/cuda/launch.cuh"

// Numbers that are checked or clamped; cross products.
namespace weft::cuda {
namespace {

/// Passes its input on. The error comes at the end of the step.
template <typename T>
Status runCheckNumerics(KernelContext& c) {
  const Tensor& x = c.input(0);
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, x, [message = c.node().attrs.text("message")](int64_t, const Tensor& t) {
    bool nan = false, infinite = false;
    for (int64_t i = 0; i < t.elements(); ++i) {
      nan = nan || std::isnan(t.asDouble(i));
      infinite = infinite || std::isinf(t.asDouble(i));
    }
    return invalidArgument(message, " : Tensor had ", nan && infinite ? "Inf and NaN" : nan ? "NaN" : "Inf", " values");
  }));
  const T* from = dataOf<T>(x);
  c.setOutput(0, x);
  return forEach(d, x.elements(), [=] __device__(int64_t i) {
    const Wide<T> v = Wide<T>(from[i]);
    if (!(v - v == Wide<T>(0))) wrong.report(i);
  });
}

template <typename T>
Status runClipByValue(KernelContext& c) {
  const Tensor &x = c.input(0), &low = c.input(1), &high = c.input(2);
  const auto fits = [&](const Tensor& t) { return t.rank() == 0 || t.shape() == x.shape(); };
  if (!fits(low) || !fits(high)) {
    return invalidArgument("clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. input shape: ", x.shape().toString(),
                           "clip_value_min shape: ", low.shape().toString(), "clip_value_max shape: ", high.shape().toString());
  }
  const T *from = dataOf<T>(x), *lowest = dataOf<T>(low), *highest = dataOf<T>(high);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  T* to = mutableDataOf<T>(*out);
  const int64_t lowStep = low.rank() != 0, highStep = high.rank() != 0;
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) {
    const T v = from[i], least = lowest[i * lowStep], most = highest[i * highStep];
    const T atMost = most < v ? most : v;
    to[i] = atMost < least ? least : atMost;
  });
}

template <typename T>
Status runCross(KernelContext& c) {
  const Tensor &u = c.input(0), &v = c.input(1);
  if (!(u.shape() == v.shape())) return invalidArgument("Both inputs must be of same shape: ", u.shape().toString(), " vs. ", v.shape().toString());
  if (u.rank() < 1) return invalidArgument("Input must be at least 1D");
  if (u.dim(u.rank() - 1) != 3) return failedPrecondition("Cross-products are only defined for 3-element vectors.");
  WEFT_LET(Tensor * out, c.allocate(0, u.shape()));
  const T *a = dataOf<T>(u), *b = dataOf<T>(v);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), u.elements(), [=] __device__(int64_t i) {
    const int64_t first = i / 3 * 3, m = first + (i + 1) % 3, n = first + (i + 2) % 3;
    to[i] = T(Wide<T>(T(Wide<T>(a[m]) * Wide<T>(b[n]))) - Wide<T>(T(Wide<T>(a[n]) * Wide<T>(b[m]))));
  });
}

}  // namespace

void registerPassingGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "CheckNumerics", []<typename T>(KernelContext& c) { return runCheckNumerics<T>(c); });
  addFor<Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int64_t>(ops, "ClipByValue",
                                                                           []<typename T>(KernelContext& c) { return runClipByValue<T>(c); });
  keepOnHost(ops, "ClipByValue");
  addFor<Half, BFloat16, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, int64_t>(ops, "Cross",
                                                                                              []<typename T>(KernelContext& c) { return runCross<T>(c); });
}

}  // namespace weft::cuda
