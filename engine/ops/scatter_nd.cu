#include "device/cuda/indexing.cuh"
#include "device/cuda/row_groups.cuh"
#include "ops/index_vectors.h"
#include "ops/state_ops.h"

// Slices written at index vectors: ScatterNd, TensorScatter…, and the same for variables. Updates of one slice happen in their order.
namespace weft::cuda {
namespace {

enum class Combine { Replace, Add, Sub };

template <typename T, Combine kCombine>
struct Combined {
  __device__ T operator()(T oldValue, T update) const {
    if constexpr (kCombine == Combine::Add) return T(Wide<T>(oldValue) + Wide<T>(update));
    if constexpr (kCombine == Combine::Sub) return T(Wide<T>(oldValue) - Wide<T>(update));
    return update;
  }
};

template <typename T>
struct Slices {
  const T* from;
  int64_t width;
  __device__ T operator()(int64_t i, int64_t k) const { return from[i * width + k]; }
};

struct Dims {
  int depth = 0;
  int64_t size[kMostDims] = {};
};

/// The number of the slice that each index vector selects.
template <typename I>
Status placesOf(CudaDevice& d, const Tensor& indices, int64_t count, const Dims& dims, ErrorSlot wrong, uint32_t* to) {
  const I* from = dataOf<I>(indices);
  return forEach(d, count, [=] __device__(int64_t i) {
    int64_t at = 0;
    bool inside = true;
    for (int k = 0; k < dims.depth; ++k) {
      const int64_t index = int64_t(from[i * dims.depth + k]);
      inside = inside && index >= 0 && index < dims.size[k];
      at = at * dims.size[k] + index;
    }
    if (!inside) wrong.report(i);
    to[i] = inside ? uint32_t(at) : kNowhere;
  });
}

/// REQUIRES: the shapes fit.
template <typename T, Combine kCombine>
Status scatter(KernelContext& c, Tensor& out, const Tensor& indices, const Tensor& updates) {
  const int outer = indices.rank() - 1;
  const int64_t count = indices.shape().slice(0, outer).elements();
  Dims dims;
  if (indices.dim(outer) > kMostDims) return unimplemented(c.node().op, " on a GPU takes up to ", kMostDims, " indices per slice, got ", indices.dim(outer));
  dims.depth = int(indices.dim(outer));
  int64_t rows = 1;
  for (int k = 0; k < dims.depth; ++k) rows *= dims.size[k] = out.dim(k);
  const int64_t width = out.shape().slice(dims.depth).elements();
  if (count == 0 || width == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong,
           d.errorSlot(c, indices, [shape = out.shape()](int64_t i, const Tensor& t) { return outsideOf(t, i, "shape", shape); }));
  WEFT_LET(const Places places, placesFor(d, count, rows));
  WEFT_TRY(indices.dtype() == DType::Int32 ? placesOf<int32_t>(d, indices, count, dims, wrong, places.at)
                                           : placesOf<int64_t>(d, indices, count, dims, wrong, places.at));
  return joinRows(d, places.at, count, rows, width, width, mutableDataOf<T>(out), Slices<T>{dataOf<T>(updates), width}, Combined<T, kCombine>());
}

template <typename T>
Status runScatterNd(KernelContext& c) {
  const Tensor &indices = c.input(0), &updates = c.input(1), &dims = c.input(2);
  if (dims.rank() != 1) return invalidArgument("Shape must be a vector");
  Shape shape;
  for (int64_t i = 0; i < dims.elements(); ++i) {
    if (dims.asInt(i) < 0) return invalidArgument("Dimension ", dims.asInt(i), " must be >= 0");
    shape.append(dims.asInt(i));
  }
  WEFT_TRY(checkScatter(shape, indices.shape(), updates.shape()));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  WEFT_CUDA_TRY(cudaMemsetAsync(out->mutableRaw(), 0, out->bytes(), deviceOf(c).stream()));
  return scatter<T, Combine::Add>(c, *out, indices, updates);
}

template <typename T, Combine kCombine>
Status runTensorScatter(KernelContext& c) {
  const Tensor &input = c.input(0), &indices = c.input(1), &updates = c.input(2);
  WEFT_TRY(checkScatter(input.shape(), indices.shape(), updates.shape()));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, input.shape(), {0}));
  if (out->elements() == 0) return {};
  if (out->raw() != input.raw()) {
    WEFT_CUDA_TRY(cudaMemcpyAsync(out->mutableRaw(), input.raw(), input.bytes(), cudaMemcpyDeviceToDevice, deviceOf(c).stream()));
  }
  return scatter<T, kCombine>(c, *out, indices, updates);
}

template <typename T, Combine kCombine, bool kResource>
Status runScatterUpdate(KernelContext& c) {
  const Tensor &indices = c.input(1), &updates = c.input(2);
  if (kResource) WEFT_TRY(requireInitialized(c, {0}, updates.dtype(), noSuchVariable));
  WEFT_LET(auto locked, c.update({0}));
  Tensor& value = locked[0].value();
  WEFT_TRY(checkScatterUpdate(value.shape(), indices.shape(), updates.shape()));
  WEFT_TRY((scatter<T, kCombine>(c, value, indices, updates)));
  if (!kResource) c.forwardRef(0, 0);
  return {};
}

template <Combine kCombine>
void addUpdate(OpRegistry& ops, const std::string& suffix) {
  addFor<Half, float, double, int32_t, Complex64, Complex128>(ops, ("ScatterNd" + suffix).c_str(),
                                                              []<typename T>(KernelContext& c) { return runScatterUpdate<T, kCombine, false>(c); });
  addFor<Half, float, double, int32_t, Complex64, Complex128>(ops, ("ResourceScatterNd" + suffix).c_str(),
                                                              []<typename T>(KernelContext& c) { return runScatterUpdate<T, kCombine, true>(c); }, {"ref"});
}

}  // namespace

void registerScatterNdGpu(OpRegistry& ops) {
  addFor<Half, float, double, int32_t, Complex64, Complex128>(ops, "ScatterNd", []<typename T>(KernelContext& c) { return runScatterNd<T>(c); }, {"shape"});
  addFor<Half, float, double, int32_t, Complex64, Complex128>(ops, "ScatterNdNonAliasingAdd",
                                                              []<typename T>(KernelContext& c) { return runTensorScatter<T, Combine::Add>(c); });
  addFor<float, double>(ops, "TensorScatterUpdate", []<typename T>(KernelContext& c) { return runTensorScatter<T, Combine::Replace>(c); });
  addFor<float, double>(ops, "TensorScatterAdd", []<typename T>(KernelContext& c) { return runTensorScatter<T, Combine::Add>(c); });
  addFor<float, double>(ops, "TensorScatterSub", []<typename T>(KernelContext& c) { return runTensorScatter<T, Combine::Sub>(c); });
  addUpdate<Combine::Replace>(ops, "Update");
  addUpdate<Combine::Add>(ops, "Add");
  addUpdate<Combine::Sub>(ops, "Sub");
}

}  // namespace weft::cuda
