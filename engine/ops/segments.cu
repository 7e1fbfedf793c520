#include "device/cuda/row_groups.cuh"
#include "ops/index_vectors.h"
#include "ops/tensor_text.h"

// Reductions of rows by segment. Rows are joined in their order, each sum rounded, as on the CPU.
namespace weft::cuda {
namespace {

struct Sum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return T(Wide<T>(a) + Wide<T>(b));
  }
  template <typename T>
  static T start() {
    return T(0);
  }
};
struct Product {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return T(Wide<T>(a) * Wide<T>(b));
  }
  template <typename T>
  static T start() {
    return T(1);
  }
};
/// Empty segments get the lowest (highest) finite number.
struct Largest {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Wide<T>(a) < Wide<T>(b) ? b : a;
  }
  template <typename T>
  static T start() {
    if constexpr (std::is_same_v<T, Half>) return T(-65504.0f);
    else return std::numeric_limits<T>::lowest();
  }
};
struct Smallest {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Wide<T>(b) < Wide<T>(a) ? b : a;
  }
  template <typename T>
  static T start() {
    if constexpr (std::is_same_v<T, Half>) return T(65504.0f);
    else return std::numeric_limits<T>::max();
  }
};

template <typename T>
struct RowsOf {
  const T* from;
  int64_t width;
  __device__ T operator()(int64_t i, int64_t k) const { return from[i * width + k]; }
};

/// The segment of each row. Negative ids drop their rows; too large ones are reported.
template <typename I>
Status placesOf(CudaDevice& d, const Tensor& ids, int64_t segments, ErrorSlot wrong, uint32_t* to) {
  const I* from = dataOf<I>(ids);
  return forEach(d, ids.elements(), [=] __device__(int64_t i) {
    const int64_t id = int64_t(from[i]);
    if (id >= segments) wrong.report(i);
    to[i] = id < 0 || id >= segments ? kNowhere : uint32_t(id);
  });
}

template <typename T, typename Join>
Status runUnsortedSegment(KernelContext& c) {
  const Tensor &data = c.input(0), &ids = c.input(1), &countTensor = c.input(2);
  WEFT_LET(const Shape shape, unsortedSegmentShape(data, ids, countTensor));
  const int64_t segments = shape.dim(0);
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  CudaDevice& d = deviceOf(c);
  const int64_t n = ids.elements(), width = segments > 0 ? out->elements() / segments : 0;
  T* to = mutableDataOf<T>(*out);
  const T start = Join::template start<T>();
  WEFT_TRY(forEach(d, out->elements(), [=] __device__(int64_t i) { to[i] = start; }));
  if (n == 0) return {};
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, ids, [segments](int64_t i, const Tensor& t) { return invalidArgument("segment_ids", indexPosition(t.shape(), i), " = ", t.asInt(i), " is out of range [0, ", segments, ")");
           }));
  WEFT_LET(const Places places, placesFor(d, n, segments));
  WEFT_TRY(ids.dtype() == DType::Int32 ? placesOf<int32_t>(d, ids, segments, wrong, places.at) : placesOf<int64_t>(d, ids, segments, wrong, places.at));
  return joinRows(d, places.at, n, segments, width, width, to, RowsOf<T>{dataOf<T>(data), width}, Join());
}

Error wrongSegment(int64_t i, const Tensor& ids, int64_t segments) {
  const int64_t n = ids.elements();
  if (i + 1 < n && ids.asInt(i + 1) < ids.asInt(i)) return invalidArgument("segment ids are not increasing");
  return invalidArgument("Segment id ", ids.asInt(i), " out of range [0, ", segments, "), possibly because 'segment_ids' input is not sorted.");
}

template <typename I>
Status sortedPlaces(CudaDevice& d, const Tensor& ids, int64_t segments, ErrorSlot wrong, uint32_t* to) {
  const I* from = dataOf<I>(ids);
  const int64_t n = ids.elements();
  return forEach(d, n, [=] __device__(int64_t i) {
    const int64_t id = int64_t(from[i]);
    const bool outside = id < 0 || id >= segments;
    if (outside || (i + 1 < n && from[i + 1] < from[i])) wrong.report(i);
    to[i] = outside ? kNowhere : uint32_t(id);
  });
}

/// The last id, which gives the number of segments, is read on the host.
template <typename T>
Status runSegmentSum(KernelContext& c) {
  const Tensor &data = c.input(0), &ids = c.input(1);
  if (data.rank() < 1) return invalidArgument("input must be at least rank 1");
  if (ids.rank() != 1) return invalidArgument("segment_ids should be a vector.");
  const int64_t n = ids.elements();
  if (n != data.dim(0)) return invalidArgument("segment_ids should be the same size as dimension 0 of input.");
  CudaDevice& d = deviceOf(c);
  int64_t segments = 0;
  if (n > 0) {
    const size_t bytes = sizeOf(ids.dtype());
    WEFT_LET(Tensor last, scratch(d, bytes));
    WEFT_CUDA_TRY(cudaMemcpyAsync(last.mutableRaw(), static_cast<const char*>(ids.raw()) + size_t(n - 1) * bytes, bytes, cudaMemcpyDeviceToDevice, d.stream()));
    WEFT_LET(const Tensor known, d.toHost(last));
    segments = 1 + (ids.dtype() == DType::Int32 ? int64_t(*dataOf<int32_t>(known)) : *dataOf<int64_t>(known));
    if (segments <= 0) return invalidArgument("segment ids must be >= 0");
  }
  Shape shape = data.shape();
  shape.setDim(0, segments);
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  T* to = mutableDataOf<T>(*out);
  WEFT_CUDA_TRY(cudaMemsetAsync(to, 0, out->bytes(), d.stream()));
  if (n == 0) return {};
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, ids, [segments](int64_t i, const Tensor& t) { return wrongSegment(i, t, segments); }));
  WEFT_LET(const Places places, placesFor(d, n, segments));
  WEFT_TRY(ids.dtype() == DType::Int32 ? sortedPlaces<int32_t>(d, ids, segments, wrong, places.at) : sortedPlaces<int64_t>(d, ids, segments, wrong, places.at));
  const int64_t width = data.elements() / n;
  return joinSortedRows(d, places.at, static_cast<const uint32_t*>(nullptr), n, width, width, to, RowsOf<T>{dataOf<T>(data), width}, Sum(), true);
}

template <typename Join, typename... Ts>
void add(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return runUnsortedSegment<T, Join>(c); }, {"num_segments"});
}

}  // namespace

void registerSegmentsGpu(OpRegistry& ops) {
  add<Sum, Half, float, double, int32_t, Complex64, Complex128>(ops, "UnsortedSegmentSum");
  add<Product, Half, float, double, int32_t>(ops, "UnsortedSegmentProd");
  add<Largest, Half, float, double, int32_t>(ops, "UnsortedSegmentMax");
  add<Smallest, Half, float, double, int32_t>(ops, "UnsortedSegmentMin");
  addFor<Half, float, double>(ops, "SegmentSum", []<typename T>(KernelContext& c) { return runSegmentSum<T>(c); });
}

}  // namespace weft::cuda
