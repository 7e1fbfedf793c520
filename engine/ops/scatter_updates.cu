#include "device/cuda/row_groups.cuh"
#include "ops/index_vectors.h"
#include "ops/state_ops.h"

// ScatterAdd and similar ops: rows of a variable, changed by index. Updates of one row happen in their order, so that all runs give the same result.
namespace weft::cuda {
namespace {

enum class RowUpdate { Update, Add, Sub, Mul, Div, Min, Max };

template <typename T, RowUpdate kCombine>
struct Combined {
  __device__ T operator()(T oldValue, T update) const {
    const Wide<T> a = Wide<T>(oldValue), b = Wide<T>(update);
    if constexpr (kCombine == RowUpdate::Add) return T(a + b);
    if constexpr (kCombine == RowUpdate::Sub) return T(a - b);
    if constexpr (kCombine == RowUpdate::Mul) return T(a * b);
    if constexpr (kCombine == RowUpdate::Div) return T(a / b);
    if constexpr (kCombine == RowUpdate::Min) return b < a ? update : oldValue;
    if constexpr (kCombine == RowUpdate::Max) return a < b ? update : oldValue;
    return update;
  }
};

/// The updates of an index; one for all if `perIndex` is 0.
template <typename T>
struct Updates {
  const T* from;
  int64_t perIndex;
  __device__ T operator()(int64_t i, int64_t k) const { return perIndex ? from[i * perIndex + k] : *from; }
};

template <typename I>
Status placesOf(CudaDevice& d, const Tensor& indices, int64_t rows, ErrorSlot wrong, uint32_t* to) {
  const I* from = dataOf<I>(indices);
  return forEach(d, indices.elements(), [=] __device__(int64_t i) {
    const int64_t row = int64_t(from[i]);
    const bool inside = row >= 0 && row < rows;
    if (!inside) wrong.report(i);
    to[i] = inside ? uint32_t(row) : kNowhere;
  });
}

template <typename T, RowUpdate kCombine, bool kResource>
Status runScatter(KernelContext& c) {
  const Tensor &indices = c.input(1), &updates = c.input(2);
  if (kResource) WEFT_TRY(requireInitialized(c, {0}, updates.dtype(), noSuchVariable));
  WEFT_LET(auto locked, c.update({0}));
  Tensor& value = locked[0].value();
  WEFT_TRY(checkRowUpdate(kResource, value.shape(), indices.shape(), updates.shape()));
  const int64_t n = indices.elements(), rows = value.dim(0), width = value.shape().slice(1).elements();
  if (n > 0 && width > 0) {
    CudaDevice& d = deviceOf(c);
    const bool scalar = updates.shape().isScalar() && !(indices.shape().isScalar() && value.rank() == 1);
    const int64_t perIndex = scalar ? 0 : updates.elements() / n;
    WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, indices, [rows](int64_t i, const Tensor& t) { return invalidArgument("indices", indexLabel(t.shape(), i), " = ", t.asInt(i), " is not in [0, ", rows, ")");
             }));
    WEFT_LET(const Places places, placesFor(d, n, rows));
    WEFT_TRY(indices.dtype() == DType::Int32 ? placesOf<int32_t>(d, indices, rows, wrong, places.at) : placesOf<int64_t>(d, indices, rows, wrong, places.at));
    const int64_t changed = scalar ? width : std::min(width, perIndex);
    WEFT_TRY(joinRows(d, places.at, n, rows, changed, width, mutableDataOf<T>(value), Updates<T>{dataOf<T>(updates), perIndex}, Combined<T, kCombine>()));
  }
  if (!kResource) c.forwardRef(0, 0);
  return {};
}

template <RowUpdate kCombine, typename... Ts>
void add(OpRegistry& ops, const std::string& suffix) {
  addFor<Ts...>(ops, ("Scatter" + suffix).c_str(), []<typename T>(KernelContext& c) { return runScatter<T, kCombine, false>(c); });
  addFor<float, double>(
      ops, ("ResourceScatter" + suffix).c_str(), []<typename T>(KernelContext& c) { return runScatter<T, kCombine, true>(c); }, {"resource"}, "dtype");
}

}  // namespace

void registerScatterUpdatesGpu(OpRegistry& ops) {
  add<RowUpdate::Update, float, double>(ops, "Update");
  addAny(ops, "ResourceScatterUpdate", runScatter<bool, RowUpdate::Update, true>, {"resource"}, {{"dtype", {DType::Bool}}, {"Tindices", {DType::Int32}}});
  add<RowUpdate::Add, float, double>(ops, "Add");
  add<RowUpdate::Sub, float, double>(ops, "Sub");
  add<RowUpdate::Mul, float, double>(ops, "Mul");
  add<RowUpdate::Div, float, double>(ops, "Div");
  add<RowUpdate::Min, Half, float, double>(ops, "Min");
  add<RowUpdate::Max, Half, float, double>(ops, "Max");
}

}  // namespace weft::cuda
