#include "device/cuda/elementwise.cuh"

// Conversions between element types.
namespace weft::cuda {
namespace {

/// Floats out of an integer's range, and NaN, become what the device makes of them, as in TensorFlow.
template <typename To, typename From>
__device__ To converted(From x) {
  if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return To(decltype(To::re)(x.re), decltype(To::re)(x.im));
  } else if constexpr (kIsComplex<From>) {
    return converted<To>(x.re);
  } else if constexpr (kIsComplex<To>) {
    return To(decltype(To::re)(Wide<From>(x)));
  } else if constexpr (std::is_same_v<To, bool>) {
    return Wide<From>(x) != Wide<From>(0);
  } else {
    return To(Wide<To>(Wide<From>(x)));
  }
}

template <typename From, typename To>
Status runCast(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  const From* from = dataOf<From>(x);
  To* to = mutableDataOf<To>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) { to[i] = converted<To>(from[i]); });
}

template <typename From, typename... To>
void addFrom(OpRecord& cast) {
  (cast.kernel("GPU", {{"SrcT", {kDType<From>}}, {"DstT", {kDType<To>}}}, {}, simpleKernel(runCast<From, To>)), ...);
}
template <typename... From>
void addAmong(OpRecord& cast) {
  (addFrom<From, Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, bool, Complex64, Complex128>(cast), ...);
}

}  // namespace

void registerCastGpu(OpRegistry& ops) {
  OpRecord* cast = ops.findMutable("Cast");
  if (!cast) return;
  addAmong<Half, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, bool, Complex64, Complex128>(*cast);
  addFrom<BFloat16, float>(*cast);
  addFrom<float, BFloat16>(*cast);
}

}  // namespace weft::cuda
