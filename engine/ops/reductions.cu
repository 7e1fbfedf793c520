#include <vector>

#include "device/cuda/indexing.cuh"
#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Reductions over any axes. One block computes each output in a fixed order, so that results are the same in every run.
namespace weft::cuda {
namespace {

struct Adds {
  template <typename T>
  static __device__ T start() {
    return T(0);
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return a + b;
  }
};
struct Multiplies {
  template <typename T>
  static __device__ T start() {
    return T(1);
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return a * b;
  }
};
template <typename T>
__host__ __device__ constexpr T lowest() {
  if constexpr (std::is_floating_point_v<T>) {
    return -T(INFINITY);
  } else {
    return std::is_signed_v<T> ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0);  // device code cannot call std::numeric_limits
  }
}
template <typename T>
__host__ __device__ constexpr T highest() {
  if constexpr (std::is_floating_point_v<T>) {
    return T(INFINITY);
  } else {
    return T(~lowest<T>());
  }
}
struct Maxes {
  template <typename T>
  static __device__ T start() {
    return lowest<T>();
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return a < b ? b : a;
  }
};
struct Mins {
  template <typename T>
  static __device__ T start() {
    return highest<T>();
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return b < a ? b : a;
  }
};
struct Alls {
  template <typename T>
  static __device__ T start() {
    return true;
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return a && b;
  }
};
struct Anys {
  template <typename T>
  static __device__ T start() {
    return false;
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return a || b;
  }
};

/// Which elements belong to which output: `kept` places the first element of an output, `gone` counts through its elements from there.
struct Plan {
  Shape shape;
  Strided kept, gone;
  int64_t outputs = 1, reduced = 1;
};

Result<Plan> planOf(const KernelContext& c) {
  const Tensor &x = c.input(0), &axes = c.input(1);
  if (axes.rank() > 1) return invalidArgument("reduction_indices must be a scalar or a vector, got shape ", axes.shape().toString());
  std::vector<bool> over(size_t(x.rank()), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int64_t a = axes.asInt(i);
    if (a < -x.rank() || a >= x.rank()) return invalidArgument("Invalid reduction dimension (", a, " for input with ", x.rank(), " dimension(s)");
    const auto flag = over.begin() + (a < 0 ? a + x.rank() : a);
    if (*flag) {
      return invalidArgument("Invalid reduction arguments: Axes contains duplicate dimension: ", a);
    }
    *flag = true;
  }
  std::vector<int64_t> strides(size_t(x.rank()));
  rowMajorStrides(x.shape(), strides.data());
  Plan p;
  std::vector<int64_t> keptDims, keptStrides, goneDims, goneStrides;
  for (int d = 0; d < x.rank(); ++d) {
    const bool reduce = over[size_t(d)];
    (reduce ? goneDims : keptDims).push_back(x.dim(d));
    (reduce ? goneStrides : keptStrides).push_back(strides[size_t(d)]);
    (reduce ? p.reduced : p.outputs) *= x.dim(d);
    if (!reduce) p.shape.append(x.dim(d));
    else if (c.node().attrs.flag("keep_dims")) p.shape.append(1);
  }
  WEFT_LET(p.kept, joined(c.node().op, keptDims, keptStrides));
  WEFT_LET(p.gone, joined(c.node().op, goneDims, goneStrides));
  return p;
}

/// out = finish(join of prepare(x)); W is the type in which it is computed.
template <typename F, typename T, typename W, typename Prepare, typename Finish>
Status reduce(KernelContext& c, Prepare prepare, Finish finish) {
  WEFT_LET(const Plan p, planOf(c));
  WEFT_LET(Tensor * out, c.allocate(0, p.shape));
  const T* from = input<T>(c, 0);
  T* to = mutableDataOf<T>(*out);
  const Strided kept = p.kept, gone = p.gone;
  const int64_t reduced = p.reduced;
  if (reduced < kWarp) {  // a thread per output
    return forEach(deviceOf(c), p.outputs, [=] __device__(int64_t o) {
      const int64_t begin = kept(o);
      W value = F::template start<W>();
      for (int64_t r = 0; r < reduced; ++r) value = F::join(value, prepare(W(from[begin + gone(r)])));
      to[o] = T(finish(value));
    });
  }
  return forEachBlock(deviceOf(c), p.outputs, [=] __device__(int64_t o) {
    WEFT_SHARED(W, part, kThreads);
    const int64_t begin = kept(o);
    W value = F::template start<W>();
    for (int64_t r = threadIdx.x; r < reduced; r += kThreads) value = F::join(value, prepare(W(from[begin + gone(r)])));
    value = acrossBlock(
        value, [](W a, W b) { return F::join(a, b); }, part);
    if (threadIdx.x == 0) to[o] = T(finish(value));
  });
}

struct Same {
  template <typename W>
  __device__ W operator()(W x) const {
    return x;
  }
};
template <typename W>
struct Scaled {
  W by;
  __device__ W operator()(W x) const { return x * by; }
};
struct Squared {
  template <typename W>
  __device__ W operator()(W x) const {
    if constexpr (kIsComplex<W>) {
      return W(x.re * x.re + x.im * x.im);
    } else {
      return x * x;
    }
  }
};
struct Root {
  template <typename W>
  __device__ W operator()(W x) const {
    if constexpr (kIsComplex<W>) {
      return W(sqrt(x.re));
    } else {
      return sqrt(x);
    }
  }
};

template <typename F, typename... Ts>
void add(OpRegistry& ops, const char* op) {
  addFor<Ts...>(ops, op, []<typename T>(KernelContext& c) { return reduce<F, T, Wide<T>>(c, Same(), Same()); }, {"reduction_indices"});
}

template <typename T>
Status runMean(KernelContext& c) {
  WEFT_LET(const Plan p, planOf(c));
  if constexpr (kIsComplex<T>) {
    return reduce<Adds, T, T>(c, Same(), Scaled<T>{T(decltype(T::re)(1) / decltype(T::re)(p.reduced))});
  } else {
    return reduce<Adds, T, Wide<T>>(c, Same(), Scaled<Wide<T>>{Wide<T>(1) / Wide<T>(p.reduced)});
  }
}

template <typename T>
Status runNorm(KernelContext& c) {
  WEFT_LET(const Plan p, planOf(c));
  if (p.reduced == 1) {  // signs are kept, as in TensorFlow
    c.setOutput(0, c.input(0).reshaped(p.shape));
    return {};
  }
  return reduce<Adds, T, Wide<T>>(c, Squared(), Root());
}

/// sum(x²) / 2 of all elements: blocks of sums, and one block that adds those.
template <typename T>
Status runL2Loss(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  CudaDevice& d = deviceOf(c);
  const int64_t n = x.elements(), per = int64_t(kThreads) * 16, blocks = std::max<int64_t>(1, (n + per - 1) / per);
  WEFT_LET(Tensor sums, scratch(d, size_t(blocks) * sizeof(Wide<T>)));
  const T* from = dataOf<T>(x);
  Wide<T>* partial = mutableDataOf<Wide<T>>(sums);
  T* to = mutableDataOf<T>(*out);
  WEFT_TRY(forEachBlock(d, blocks, [=] __device__(int64_t b) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    Wide<T> sum = 0;
    for (int64_t i = b * per + threadIdx.x; i < n && i < (b + 1) * per; i += kThreads) sum += Wide<T>(from[i]) * Wide<T>(from[i]);
    sum = acrossBlock(
        sum, [](Wide<T> p, Wide<T> q) { return p + q; }, part);
    if (threadIdx.x == 0) partial[b] = sum;
  }));
  return forEachBlock(d, 1, [=] __device__(int64_t) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    Wide<T> sum = 0;
    for (int64_t i = threadIdx.x; i < blocks; i += kThreads) sum += partial[i];
    sum = acrossBlock(
        sum, [](Wide<T> p, Wide<T> q) { return p + q; }, part);
    if (threadIdx.x == 0) *to = T(sum / 2);
  });
}

}  // namespace

void registerReductionsGpu(OpRegistry& ops) {
  const std::vector<std::string> host = {"reduction_indices"};
  add<Adds, Half, float, double, int64_t, Complex64, Complex128>(ops, "Sum");
  add<Multiplies, Half, float, double, int32_t, Complex64, Complex128>(ops, "Prod");
  add<Maxes, Half, float, double, int64_t>(ops, "Max");
  add<Mins, Half, float, double>(ops, "Min");
  addFor<Half, float, double, Complex64, Complex128>(
      ops, "Mean", []<typename T>(KernelContext& c) { return runMean<T>(c); }, host);
  addFor<Half, float, double, Complex64, Complex128>(
      ops, "EuclideanNorm", []<typename T>(KernelContext& c) { return runNorm<T>(c); }, host);
  addAny(
      ops, "All", +[](KernelContext& c) { return reduce<Alls, bool, bool>(c, Same(), Same()); }, host);
  addAny(
      ops, "Any", +[](KernelContext& c) { return reduce<Anys, bool, bool>(c, Same(), Same()); }, host);
  for (const char* op : {"Sum", "Max", "Min"}) keepOnHost(ops, op);
  addFor<Half, float, double>(ops, "L2Loss", []<typename T>(KernelContext& c) { return runL2Loss<T>(c); });
}

}  // namespace weft::cuda
