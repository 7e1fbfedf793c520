#include "ops/inplace_ops.h"

#include "device/cuda/elementwise.cuh"
#include "device/moves.h"

// Rows written into a copy, sums of tiles, approximate comparison. Empty, DeepCopy, Snapshot and ParallelConcat are the CPU kernels, which move elements.
namespace weft::cuda {
namespace {

struct Puts {
  template <typename T>
  static __device__ T of(T, T value) {
    return value;
  }
};
struct Adds {
  template <typename T>
  static __device__ T of(T old, T value) {
    return T(Wide<T>(old) + Wide<T>(value));
  }
};
struct Subtracts {
  template <typename T>
  static __device__ T of(T old, T value) {
    return T(Wide<T>(old) - Wide<T>(value));
  }
};

/// A thread writes a column: indices may repeat, and are applied in order.
template <typename F, typename T>
Status runInplace(KernelContext& c) {
  WEFT_TRY(checkInplace(c));
  const Tensor &x = c.input(0), &index = c.input(1), values = c.input(2);
  const int64_t rows = x.dim(0), length = rows > 0 ? x.elements() / rows : 0, count = index.elements();
  WEFT_LET(Tensor * out, copyToOutput(c, 0));
  const int32_t* at = dataOf<int32_t>(index);
  const T* from = dataOf<T>(values);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), length, [=] __device__(int64_t column) {
    for (int64_t k = 0; k < count; ++k) {
      const int64_t row = (int64_t(at[k]) % rows + rows) % rows;
      T& element = to[row * length + column];
      element = F::of(element, from[k * length + column]);
    }
  });
}

template <typename T>
Status runApproximateEqual(KernelContext& c) {
  const Tensor &x = c.input(0), &y = c.input(1);
  if (!(x.shape() == y.shape())) {
    return invalidArgument("x and y must be of the same shape. x shape: ", x.shape().toString(), ". y shape: ", y.shape().toString());
  }
  const T tolerance = T(float(c.node().attrs.number("tolerance", 1e-5f)));
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  const T *a = dataOf<T>(x), *b = dataOf<T>(y);
  bool* to = mutableDataOf<bool>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) { to[i] = fabs(a[i] - b[i]) <= tolerance; });
}

constexpr int kMostTiled = 8;
struct TiledDims {
  int rank = 0;
  int64_t copies = 1, size[kMostTiled] = {}, times[kMostTiled] = {};
};

/// Each element adds up its copies, in their order.
template <typename T>
Status runTileGrad(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const Shape shape, untiledShape(in.shape(), c.input(1)));
  TiledDims t;
  t.rank = shape.rank();
  if (t.rank > kMostTiled) return unimplemented("TileGrad on the GPU takes up to ", kMostTiled, " dims, got ", t.rank);
  for (int d = 0; d < t.rank; ++d) {
    t.size[d] = shape.dim(d);
    t.times[d] = shape.dim(d) > 0 ? in.dim(d) / shape.dim(d) : 1;
    t.copies *= t.times[d];
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    T sum = T(0);
    for (int64_t copy = 0; copy < t.copies; ++copy) {
      int64_t rest = i, tile = copy, at = 0, stride = 1;
      for (int d = t.rank - 1; d >= 0; --d) {
        at += (rest % t.size[d] + tile % t.times[d] * t.size[d]) * stride;
        rest /= t.size[d];
        tile /= t.times[d];
        stride *= t.size[d] * t.times[d];
      }
      sum = T(Wide<T>(sum) + Wide<T>(from[at]));
    }
    to[i] = sum;
  });
}

}  // namespace

void registerInplaceOpsGpu(OpRegistry& ops) {
  addFor<Half, float, double, int64_t, bool>(ops, "InplaceUpdate", []<typename T>(KernelContext& c) { return runInplace<Puts, T>(c); });
  addFor<Half, float, double, int64_t>(ops, "InplaceAdd", []<typename T>(KernelContext& c) { return runInplace<Adds, T>(c); });
  addFor<Half, float, double, int64_t>(ops, "InplaceSub", []<typename T>(KernelContext& c) { return runInplace<Subtracts, T>(c); });
  shareWithCpu(ops, "DeepCopy", {}, {DType::Half, DType::Float, DType::Double, DType::Int64});
  for (const char* op : {"InplaceUpdate", "InplaceAdd", "InplaceSub", "DeepCopy"}) keepOnHost(ops, op);
  shareWithCpu(ops, "Empty", {"shape"}, {DType::Half, DType::Float, DType::Double, DType::Int32, DType::Int64}, "dtype");
  shareWithCpu(ops, "ParallelConcat", {}, {DType::Half, DType::Float, DType::Double});
  shareWithCpu(ops, "Snapshot", {},
               {DType::Half, DType::BFloat16, DType::Float, DType::Double, DType::Int8, DType::UInt8, DType::Int16, DType::UInt16, DType::Int32, DType::Int64,
                DType::Bool, DType::Complex64, DType::Complex128});
  addFor<float, double>(ops, "ApproximateEqual", []<typename T>(KernelContext& c) { return runApproximateEqual<T>(c); });
  addFor<Half, float, double, int16_t, int32_t, int64_t, Complex64, Complex128>(ops, "TileGrad", []<typename T>(KernelContext& c) { return runTileGrad<T>(c); },
                                                                                {"multiples"});
}

}  // namespace weft::cuda
