#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/format_places.h"

// Axes and sizes in another order of dims.
namespace weft::cuda {
namespace {

struct Places {
  int64_t count = 0, of[5] = {};
};
Places placesOf(const std::vector<size_t>& all) {
  Places p;
  for (const size_t at : all) p.of[p.count++] = int64_t(at);
  return p;
}

template <typename T>
Status runDimMap(KernelContext& c) {
  WEFT_LET(const std::vector<size_t> all, formatPlaces(c.node().attrs, false));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Places p = placesOf(all);
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), in.elements(), [=] __device__(int64_t i) { to[i] = T(p.of[(int64_t(from[i]) % p.count + p.count) % p.count]); });
}

template <typename T>
Status runVecPermute(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const std::vector<size_t> all, vectorPlaces(c.node().attrs, in.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Places p = placesOf(all);
  const int64_t row = in.rank() == 2 ? 2 : 1;
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), in.elements(), [=] __device__(int64_t i) { to[i] = from[p.of[i / row] * row + i % row]; });
}

}  // namespace

void registerDataFormatsGpu(OpRegistry& ops) {
  addFor<int32_t, int64_t>(ops, "DataFormatDimMap", []<typename T>(KernelContext& c) { return runDimMap<T>(c); });
  addFor<int32_t, int64_t>(ops, "DataFormatVecPermute", []<typename T>(KernelContext& c) { return runVecPermute<T>(c); });
}

}  // namespace weft::cuda
