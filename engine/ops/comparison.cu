#include "device/cuda/elementwise.cuh"
#include "ops/operand_checks.h"

// Comparisons and logic with broadcasting, and choices between two tensors.
namespace weft::cuda {
namespace {

struct IsEqual {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a == b;
  }
};
struct IsDifferent {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a != b;
  }
};
struct IsGreater {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a > b;
  }
};
struct IsGreaterEqual {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a >= b;
  }
};
struct IsLess {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a < b;
  }
};
struct IsLessEqual {
  template <typename T>
  static __device__ bool of(T a, T b) {
    return a <= b;
  }
};
struct And {
  static __device__ bool of(bool a, bool b) { return a && b; }
};
struct Or {
  static __device__ bool of(bool a, bool b) { return a || b; }
};

template <typename F, typename... Ts>
void add(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return runBinary<F, T, bool>(c); });
  keepOnHost(ops, op);
}

template <typename T>
Status select(CudaDevice& d, const bool* picks, int64_t per, const T* x, const T* y, Tensor& out) {
  T* to = mutableDataOf<T>(out);
  return forEach(d, out.elements(), [=] __device__(int64_t i) { to[i] = picks[i / per] ? x[i] : y[i]; });
}
template <typename T>
Status selectBroadcast(CudaDevice& d, const bool* picks, const Broadcast& p, const T* x, const T* y, const Broadcast& r, Tensor& out) {
  T* to = mutableDataOf<T>(out);
  return forEach(d, out.elements(), [=] __device__(int64_t i) { to[i] = picks[p.a(i)] ? x[r.a(i)] : y[r.b(i)]; });
}

/// Select: the condition has the shape of the branches, or one element, or one element per row.
Status runSelect(KernelContext& c) {
  const Tensor &pick = c.input(0), &a = c.input(1), &b = c.input(2);
  WEFT_TRY(checkSelect(c));
  const int64_t n = a.elements();
  const bool scalar = pick.rank() == 0, rows = !scalar && pick.shape() != a.shape();
  WEFT_LET(Tensor * out, c.allocateOrForward(0, a.shape(), {1, 2}));
  const int64_t per = scalar ? n : rows ? n / std::max<int64_t>(1, pick.dim(0)) : 1;
  const bool* picks = dataOf<bool>(pick);
  return forSizeOf(a.dtype(), [&]<typename T>() { return select(deviceOf(c), picks, per, dataOf<T>(a), dataOf<T>(b), *out); });
}

/// SelectV2: all three are broadcast.
Status runSelectV2(KernelContext& c) {
  const Tensor &pick = c.input(0), &a = c.input(1), &b = c.input(2);
  const auto branches = broadcastShapes(a.shape(), b.shape());
  if (!branches.ok()) return notBroadcastable(c);
  const auto all = broadcastShapes(*branches, pick.shape());
  if (!all.ok()) return notBroadcastable(c);
  const Shape& shape = *all;
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  if (shape.elements() == 0) return {};
  // Places of the three operands; the joined dims of one pair may differ from those of the other, and both cover the output in order.
  WEFT_LET(const Broadcast r, broadcastOf(shape, a.shape(), b.shape()));
  WEFT_LET(const Broadcast p, broadcastOf(shape, pick.shape(), pick.shape()));
  const bool* picks = dataOf<bool>(pick);
  return forSizeOf(a.dtype(), [&]<typename T>() { return selectBroadcast(deviceOf(c), picks, p, dataOf<T>(a), dataOf<T>(b), r, *out); });
}

}  // namespace

void registerComparisonGpu(OpRegistry& ops) {
  add<IsEqual, Half, float, double, int8_t, uint8_t, int16_t, int64_t, bool, Complex64, Complex128>(ops, "Equal");
  add<IsDifferent, Half, float, double, int8_t, uint8_t, int16_t, int64_t, bool, Complex64, Complex128>(ops, "NotEqual");
  add<IsGreater, Half, float, double, int8_t, uint8_t, int16_t, int64_t>(ops, "Greater");
  add<IsGreaterEqual, Half, float, double, int8_t, uint8_t, int16_t, int64_t>(ops, "GreaterEqual");
  add<IsLess, Half, float, double, int8_t, uint8_t, int16_t, int64_t>(ops, "Less");
  add<IsLessEqual, Half, float, double, int8_t, uint8_t, int16_t, int64_t>(ops, "LessEqual");
  addAny(ops, "LogicalAnd", runBinary<And, bool>);
  addAny(ops, "LogicalOr", runBinary<Or, bool>);
  const std::vector<DType> moved = {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Bool, DType::Complex64, DType::Complex128};
  addAny(ops, "Select", runSelect, {}, {{"T", moved}});
  addAny(ops, "SelectV2", runSelectV2, {}, {{"T", moved}});
}

}  // namespace weft::cuda
