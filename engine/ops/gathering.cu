#include <cstring>
#include <vector>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/gathers.h"
#include "ops/index_vectors.h"

// Rows and slices read at indices. An index out of range reads zeros and is reported at the end of the step.
namespace weft::cuda {
namespace {

/// The largest element size in which rows of `bytes` bytes can be moved between these addresses.
size_t widestUnit(int64_t bytes, const void* from, const void* to) {
  const auto odd = uint64_t(bytes) | reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to);
  for (size_t size = 16; size > 1; size /= 2) {
    if (odd % size == 0) return size;
  }
  return 1;
}
DType unitType(size_t size) {
  return size == 16 ? DType::Complex128 : size == 8 ? DType::Int64 : size == 4 ? DType::Int32 : size == 2 ? DType::Int16 : DType::Int8;
}

template <typename T, typename I>
Status gatherRows(CudaDevice& d, const GatherPlan& g, int64_t row, const T* from, const I* indices, T* to, ErrorSlot wrong) {
  const int64_t outer = g.outer, count = g.count, limit = g.limit;
  return forEach(d, g.batches * outer * count * row, [=] __device__(int64_t i) {
    const int64_t slice = i / row, o = slice / count, where = o / outer * count + slice % count;
    const int64_t index = int64_t(indices[where]);
    const bool inside = index >= 0 && index < limit;
    if (!inside) wrong.report(where);
    to[i] = inside ? from[(o * limit + index) * row + i % row] : T(0);
  });
}

Status gatherFrom(KernelContext& c, const Tensor& params, const GatherPlan& g) {
  const Tensor& indices = c.input(1);
  WEFT_LET(Tensor * out, c.allocate(0, g.shape));
  if (out->elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, indices, [limit = g.limit](int64_t i, const Tensor& t) { return indexOutside(t, i, limit); }));
  const int64_t bytes = g.row * int64_t(sizeOf(params.dtype()));
  const size_t unit = widestUnit(bytes, params.raw(), out->raw());
  return forSizeOf(unitType(unit), [&]<typename T>() {
    const T* from = static_cast<const T*>(params.raw());
    T* to = static_cast<T*>(out->mutableRaw());
    const int64_t row = bytes / int64_t(unit);
    return indices.dtype() == DType::Int64 ? gatherRows(d, g, row, from, dataOf<int64_t>(indices), to, wrong)
                                           : gatherRows(d, g, row, from, dataOf<int32_t>(indices), to, wrong);
  });
}

Status runGather(KernelContext& c) {
  WEFT_LET(const GatherPlan g, planGather(c));
  return gatherFrom(c, c.input(0), g);
}

Status runResourceGather(KernelContext& c) {
  WEFT_LET(const Tensor params, gatheredVariable(c));
  const int64_t batch = c.node().attrs.integer("batch_dims");
  return gatherFrom(c, params, planGather(params.shape(), c.input(1).shape(), batch, batch));
}

constexpr int kMostIndexed = 12;
struct IndexedDims {
  int64_t size[kMostIndexed] = {};
};

template <typename T, typename I>
Status gatherSlices(CudaDevice& d, const GatherNdPlan& g, const IndexedDims& dims, int64_t row, const T* from, const I* indices, T* to, ErrorSlot wrong) {
  const int64_t depth = g.depth;
  return forEach(d, g.count * row, [=] __device__(int64_t i) {
    const int64_t slice = i / row;
    int64_t at = 0;
    bool inside = true;
    for (int64_t k = 0; k < depth; ++k) {
      const int64_t index = int64_t(indices[slice * depth + k]);
      inside = inside && index >= 0 && index < dims.size[k];
      at = at * dims.size[k] + index;
    }
    if (!inside) wrong.report(slice);
    to[i] = inside ? from[at * row + i % row] : T(0);
  });
}

Status gatherNdFrom(KernelContext& c, const Tensor& params) {
  const Tensor& indices = c.input(1);
  WEFT_LET(const GatherNdPlan g, planGatherNd(params.shape(), indices.shape()));
  if (g.depth > kMostIndexed) return unimplemented(c.node().op, " on the GPU takes up to ", kMostIndexed, " indexed dims, got ", g.depth);
  WEFT_LET(Tensor * out, c.allocate(0, g.shape));
  if (g.count == 0 || g.row == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong,
           d.errorSlot(c, indices, [shape = params.shape()](int64_t i, const Tensor& t) { return outsideOf(t, i, "param shape", shape); }));
  IndexedDims dims;
  for (int64_t k = 0; k < g.depth; ++k) dims.size[k] = params.dim(int(k));
  const int64_t bytes = g.row * int64_t(sizeOf(params.dtype()));
  const size_t unit = widestUnit(bytes, params.raw(), out->raw());
  return forSizeOf(unitType(unit), [&]<typename T>() {
    const T* from = static_cast<const T*>(params.raw());
    T* to = static_cast<T*>(out->mutableRaw());
    const int64_t row = bytes / int64_t(unit);
    return indices.dtype() == DType::Int64 ? gatherSlices(d, g, dims, row, from, dataOf<int64_t>(indices), to, wrong)
                                           : gatherSlices(d, g, dims, row, from, dataOf<int32_t>(indices), to, wrong);
  });
}

Status runGatherNd(KernelContext& c) { return gatherNdFrom(c, c.input(0)); }

Status runResourceGatherNd(KernelContext& c) {
  WEFT_LET(const Tensor params, gatheredNdVariable(c));
  return gatherNdFrom(c, params);
}

/// Row i comes from address places[i]; 0 is a row of zeros.
template <typename T>
Status gatherPlaces(CudaDevice& d, const Tensor& places, int64_t row, T* to) {
  const int64_t* from = dataOf<int64_t>(places);
  return forEach(d, places.elements() * row, [=] __device__(int64_t i) {
    const T* source = reinterpret_cast<const T*>(from[i / row]);
    to[i] = source ? source[i % row] : T(0);
  });
}

/// DynamicStitch: the indices are on the host, which finds the source of each row.
Status runStitch(KernelContext& c) {
  WEFT_LET(const Shape shape, stitchedShape(c));
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  const int n = c.inputCount() / 2;
  const int64_t rows = shape.dim(0), row = out->elements() / rows, bytes = row * int64_t(sizeOf(out->dtype()));
  std::vector<int64_t> places(size_t(rows), 0);
  for (int i = 0; i < n; ++i) {
    auto from = int64_t(reinterpret_cast<intptr_t>(c.input(n + i).raw()));
    for (const int32_t at : c.input(i).flat<int32_t>()) {
      if (at < 0 || at >= rows) return invalidArgument("indices[", i, "] is out of range");
      places[size_t(at)] = from;
      from += bytes;
    }
  }
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const Tensor onDevice, d.fromHost(Tensor::vector(places)));
  return forSizeOf(out->dtype(), [&]<typename T>() { return gatherPlaces(d, onDevice, row, static_cast<T*>(out->mutableRaw())); });
}

}  // namespace

void registerGatheringGpu(OpRegistry& ops) {
  std::vector<DType> moved = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Complex64, DType::Complex128};
  addAny(ops, "GatherNd", runGatherNd, {}, {{"Tparams", moved}});
  addAny(ops, "DynamicStitch", runStitch, {"indices"}, {{"T", moved}});
  keepOnHost(ops, "ParallelDynamicStitch", moved);
  moved.push_back(DType::Bool);
  addAny(ops, "Gather", runGather, {}, {{"Tparams", moved}});
  addAny(ops, "GatherV2", runGather, {"axis"}, {{"Tparams", moved}});
  const std::vector<DType> floats = {DType::Half, DType::Float, DType::Double};
  addAny(ops, "ResourceGather", runResourceGather, {"resource"}, {{"dtype", floats}});
  addAny(ops, "ResourceGatherNd", runResourceGatherNd, {"resource"}, {{"dtype", floats}});
}

}  // namespace weft::cuda
