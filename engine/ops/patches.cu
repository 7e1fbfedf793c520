#include "ops/patches.h"

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Windows of images and volumes, flattened to vectors. Each element of the result looks up its pixel.
namespace weft::cuda {
namespace {

/// What device code needs of a plan.
struct Windows {
  int64_t size[3], window[3], stride[3], rate[3], before[3], output[3], depth;
};

template <typename T>
Status extract(CudaDevice& d, const Windows& w, const Tensor& in, Tensor& out) {
  const T* from = static_cast<const T*>(in.raw());
  T* to = static_cast<T*>(out.mutableRaw());
  return forEach(d, out.elements(), [=] __device__(int64_t i) {
    int64_t rest = i / w.depth, inWindow[3], place[3];
    for (int a = 2; a >= 0; --a) {
      inWindow[a] = rest % w.window[a];
      rest /= w.window[a];
    }
    bool inside = true;
    for (int a = 2; a >= 0; --a) {
      place[a] = rest % w.output[a] * w.stride[a] - w.before[a] + inWindow[a] * w.rate[a];
      rest /= w.output[a];
      inside = inside && place[a] >= 0 && place[a] < w.size[a];
    }
    to[i] = inside ? from[(((rest * w.size[0] + place[0]) * w.size[1] + place[1]) * w.size[2] + place[2]) * w.depth + i % w.depth] : T(0);
  });
}

template <int axes>
Status runPatches(KernelContext& c) {
  WEFT_LET(const PatchPlan p, planPatches(c, axes));
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  Windows w;
  for (int a = 0; a < 3; ++a) {
    w.size[a] = p.size[a];
    w.window[a] = p.window[a];
    w.stride[a] = p.stride[a];
    w.rate[a] = p.rate[a];
    w.before[a] = p.before[a];
    w.output[a] = p.output[a];
  }
  w.depth = p.depth;
  return forSizeOf(out->dtype(), [&]<typename T>() { return extract<T>(deviceOf(c), w, c.input(0), *out); });
}

}  // namespace

void registerPatchesGpu(OpRegistry& ops) {
  const std::vector<DType> floats = {DType::Half, DType::Float, DType::Double};
  addAny(ops, "ExtractImagePatches", runPatches<2>, {}, {{"T", floats}});
  addAny(ops, "ExtractVolumePatches", runPatches<3>, {}, {{"T", floats}});
}

}  // namespace weft::cuda
