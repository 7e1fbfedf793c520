#include "ops/paddings.h"

#include <cstring>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Borders around a tensor, constant or mirrored, and the gradient of the mirrored ones.
namespace weft::cuda {
namespace {

constexpr int kMostPadded = 8;

/// Dims from the inside out of the inner (`in`) and the padded tensor (`out`). A dim without padding is joined with the one outside of it.
struct PadDims {
  int rank = 0;
  int64_t before[kMostPadded] = {}, in[kMostPadded] = {}, out[kMostPadded] = {};
};
Result<PadDims> padDims(KernelContext& c, const Shape& in, const Paddings& paddings) {
  PadDims p;
  for (int d = 0; d < in.rank(); ++d) {
    const auto [before, after] = paddings[size_t(d)];
    const int64_t n = in.dim(d);
    if (before == 0 && after == 0 && p.rank > 0) {
      p.before[p.rank - 1] *= n;
      p.in[p.rank - 1] *= n;
      p.out[p.rank - 1] *= n;
      continue;
    }
    if (p.rank == kMostPadded) return unimplemented(c.node().op, " on the GPU takes up to ", kMostPadded, " padded dims");
    p.before[p.rank] = before;
    p.in[p.rank] = n;
    p.out[p.rank++] = before + n + after;
  }
  return p;
}
/// The same for borders that mirror single dims.
Result<PadDims> mirrorDims(KernelContext& c, const Shape& in, const Paddings& paddings) {
  if (in.rank() > kMostPadded) return unimplemented(c.node().op, " on the GPU takes up to ", kMostPadded, " dims");
  PadDims p;
  p.rank = in.rank();
  for (int d = 0; d < p.rank; ++d) {
    p.before[d] = paddings[size_t(d)].first;
    p.in[d] = in.dim(d);
    p.out[d] = in.dim(d) + paddings[size_t(d)].first + paddings[size_t(d)].second;
  }
  return p;
}

template <typename T>
Status pad(CudaDevice& d, const PadDims& p, const Tensor& x, const Tensor* value, Tensor& out) {
  T filling = T(0);
  if (value) std::memcpy(static_cast<void*>(&filling), value->raw(), sizeof filling);
  const T* from = static_cast<const T*>(x.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    int64_t rest = i, at = 0, stride = 1;
    bool inside = true;
    for (int d = p.rank - 1; d >= 0; --d) {
      const int64_t k = rest % p.out[d] - p.before[d];
      rest /= p.out[d];
      inside = inside && k >= 0 && k < p.in[d];
      at += k * stride;
      stride *= p.in[d];
    }
    to[i] = inside ? from[at] : filling;
  });
}

Status runPad(KernelContext& c) {
  const Tensor& x = c.input(0);
  const Tensor* value = c.inputCount() > 2 ? &c.input(2) : nullptr;
  WEFT_LET(const Paddings paddings, readPaddings(x, c.input(1), "Paddings"));
  WEFT_LET(const Shape shape, paddedShape(x, paddings, value));
  if (shape == x.shape()) {
    c.setOutput(0, x);
    return {};
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(const PadDims p, padDims(c, x.shape(), paddings));
  return forSizeOf(x.dtype(), [&]<typename T>() { return pad<T>(deviceOf(c), p, x, value, *out); });
}

template <typename T>
Status mirror(CudaDevice& d, const PadDims& p, int64_t offset, const Tensor& x, Tensor& out) {
  const T* from = static_cast<const T*>(x.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    int64_t rest = i, at = 0, stride = 1;
    for (int d = p.rank - 1; d >= 0; --d) {
      int64_t k = rest % p.out[d] - p.before[d];
      rest /= p.out[d];
      if (k < 0) k = -k - 1 + offset;
      else if (k >= p.in[d]) k = 2 * p.in[d] - 1 - k - offset;
      at += k * stride;
      stride *= p.in[d];
    }
    to[i] = from[at];
  });
}

int64_t mirrorOffset(const KernelContext& c) { return c.node().attrs.text("mode") == "REFLECT" ? 1 : 0; }

Status runMirrorPad(KernelContext& c) {
  const Tensor& x = c.input(0);
  const int64_t offset = mirrorOffset(c);
  WEFT_LET(const Paddings paddings, readPaddings(x, c.input(1), "paddings"));
  WEFT_LET(const Shape shape, mirroredShape(x.shape(), paddings, offset));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(const PadDims p, mirrorDims(c, x.shape(), paddings));
  return forSizeOf(x.dtype(), [&]<typename T>() { return mirror<T>(deviceOf(c), p, offset, x, *out); });
}

/// The places of a padded dim that show element k: in the border before, in the middle, in the border after. Returns their number.
__device__ int placesOf(int64_t k, int64_t before, int64_t n, int64_t padded, int64_t offset, int64_t* places) {
  int count = 0;
  const int64_t left = before - 1 - k + offset, right = before + 2 * n - 1 - k - offset;
  if (left >= 0 && left < before) places[count++] = left;
  places[count++] = before + k;
  if (right >= before + n && right < padded) places[count++] = right;
  return count;
}

/// Each element of the result adds up the places that show it, in the order of the padded tensor.
template <typename T>
Status runMirrorPadGrad(KernelContext& c) {
  const Tensor& dy = c.input(0);
  const int64_t offset = mirrorOffset(c);
  WEFT_LET(const Paddings paddings, readPaddings(dy, c.input(1), "Paddings"));
  WEFT_LET(const Shape shape, unmirroredShape(dy.shape(), paddings, offset));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(const PadDims p, mirrorDims(c, shape, paddings));
  const T* from = dataOf<T>(dy);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    int64_t places[kMostPadded][3];
    int count[kMostPadded], chosen[kMostPadded];
    int64_t rest = i;
    for (int d = p.rank - 1; d >= 0; --d) {
      count[d] = placesOf(rest % p.in[d], p.before[d], p.in[d], p.out[d], offset, places[d]);
      chosen[d] = 0;
      rest /= p.in[d];
    }
    T sum = T(0);
    for (bool more = true; more;) {
      int64_t at = 0;
      for (int d = 0; d < p.rank; ++d) at = at * p.out[d] + places[d][chosen[d]];
      sum = T(Wide<T>(sum) + Wide<T>(from[at]));
      more = false;
      for (int d = p.rank - 1; d >= 0 && !more; --d) {
        more = ++chosen[d] < count[d];
        if (!more) chosen[d] = 0;
      }
    }
    to[i] = sum;
  });
}

}  // namespace

void registerPaddingGpu(OpRegistry& ops) {
  const std::vector<DType> padded = {DType::Half, DType::Float, DType::Double, DType::Int8, DType::UInt8, DType::Bool, DType::Complex64, DType::Complex128};
  addAny(ops, "Pad", runPad, {"paddings"}, {{"T", padded}});
  addAny(ops, "PadV2", runPad, {"paddings", "constant_values"}, {{"T", padded}});
  keepOnHost(ops, "Pad");
  keepOnHost(ops, "PadV2");
  addAny(ops, "MirrorPad", runMirrorPad, {"paddings"}, {{"T", {DType::Half, DType::Float, DType::Double}}});
  addFor<Half, float, double>(ops, "MirrorPadGrad", []<typename T>(KernelContext& c) { return runMirrorPadGrad<T>(c); }, {"paddings"});
}

}  // namespace weft::cuda
