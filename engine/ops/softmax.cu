#include "device/cuda/indexing.cuh"
#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "graph/shape_context.h"
#include "ops/operand_checks.h"

// Softmax and the two cross entropies: one block per row.
namespace weft::cuda {
namespace {

struct Add {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Larger {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <typename T>
struct RowStatistics {
  T largest, sum;  // of the row, and of exp(x - largest)
};
/// `at(k)` gives an element of the row.
template <typename T, typename F>
__device__ RowStatistics<T> statisticsOf(F at, int64_t classes, T* part) {
  T largest = T(-INFINITY);
  for (int64_t k = threadIdx.x; k < classes; k += kThreads) largest = Larger()(largest, at(k));
  largest = acrossBlock(largest, Larger(), part);
  T sum = 0;
  for (int64_t k = threadIdx.x; k < classes; k += kThreads) sum += exp(at(k) - largest);
  return {largest, acrossBlock(sum, Add(), part)};
}

template <typename T, bool kLogarithm>
Status runSoftmax(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() < 1) return invalidArgument("logits must have >= 1 dimension, got ", x.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  if (x.elements() == 0) return {};
  const int64_t classes = x.dim(x.rank() - 1);
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEachBlock(deviceOf(c), x.elements() / classes, [=] __device__(int64_t r) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    const T* row = from + r * classes;
    const auto s = statisticsOf([row](int64_t k) { return Wide<T>(row[k]); }, classes, part);
    for (int64_t k = threadIdx.x; k < classes; k += kThreads) {
      const Wide<T> shifted = Wide<T>(row[k]) - s.largest;
      to[r * classes + k] = T(kLogarithm ? shifted - log(s.sum) : exp(shifted) / s.sum);
    }
  });
}

/// Labels outside of the classes give NaN, as on TensorFlow's GPU, and the error of its CPU kernel.
template <typename T, typename Label>
Status runSparse(KernelContext& c) {
  const Tensor &x = c.input(0), &labels = c.input(1);
  WEFT_TRY(checkSparseCrossEntropy(c));
  WEFT_LET(Tensor * loss, c.allocate(0, Shape{x.dim(0)}));
  WEFT_LET(Tensor * backprop, c.allocate(1, x.shape()));
  const int64_t classes = x.dim(1);
  const T* from = dataOf<T>(x);
  const Label* wanted = dataOf<Label>(labels);
  T *losses = mutableDataOf<T>(*loss), *gradients = mutableDataOf<T>(*backprop);
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, labels, [classes](int64_t r, const Tensor& looked) { return wrongLabel(looked, r, classes); }));
  return forEachBlock(d, x.dim(0), [=] __device__(int64_t r) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    const T* row = from + r * classes;
    const auto s = statisticsOf([row](int64_t k) { return Wide<T>(row[k]); }, classes, part);
    const int64_t label = wanted[r];
    const bool valid = label >= 0 && label < classes;
    for (int64_t k = threadIdx.x; k < classes; k += kThreads) {
      gradients[r * classes + k] = T(valid ? exp(Wide<T>(row[k]) - s.largest) / s.sum - Wide<T>(k == label ? 1 : 0) : Wide<T>(NAN));
    }
    if (threadIdx.x == 0 && !valid) wrong.report(r);
    if (threadIdx.x == 0) losses[r] = T(valid ? log(s.sum) - (Wide<T>(row[label]) - s.largest) : Wide<T>(NAN));
  });
}

template <typename T>
Status runDense(KernelContext& c) {
  const Tensor &x = c.input(0), &labels = c.input(1);
  const auto broadcast = broadcastShapes(x.shape(), labels.shape());
  if (!broadcast.ok()) {
    return invalidArgument("logits and labels must be broadcastable: logits_size=", x.shape().toString(), " labels_size=", labels.shape().toString());
  }
  const Shape shape = *broadcast;
  if (shape.rank() != 2) return invalidArgument("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
  WEFT_LET(Tensor * loss, c.allocate(0, Shape{shape.dim(0)}));
  WEFT_LET(Tensor * backprop, c.allocate(1, shape));
  const auto stride = [](const Tensor& t, int axis) {  // in a tensor of up to two dims that are aligned to the right
    const int d = axis - (2 - t.rank());
    return d < 0 || t.dim(d) == 1 ? int64_t(0) : axis == 0 ? t.dim(1) : int64_t(1);
  };
  const int64_t classes = shape.dim(1), rowX = stride(x, 0), stepX = stride(x, 1), rowLabels = stride(labels, 0), stepLabels = stride(labels, 1);
  const T *from = dataOf<T>(x), *wanted = dataOf<T>(labels);
  T *losses = mutableDataOf<T>(*loss), *gradients = mutableDataOf<T>(*backprop);
  return forEachBlock(deviceOf(c), shape.dim(0), [=] __device__(int64_t r) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    const T *row = from + r * rowX, *want = wanted + r * rowLabels;
    const auto s = statisticsOf([row, stepX](int64_t k) { return Wide<T>(row[k * stepX]); }, classes, part);
    const Wide<T> logSum = log(s.sum);
    Wide<T> sum = 0;
    for (int64_t k = threadIdx.x; k < classes; k += kThreads) {
      const Wide<T> shifted = Wide<T>(row[k * stepX]) - s.largest, target = want[k * stepLabels];
      sum += target * (logSum - shifted);
      gradients[r * classes + k] = T(exp(shifted) / s.sum - target);
    }
    sum = acrossBlock(sum, Add(), part);
    if (threadIdx.x == 0) losses[r] = T(sum);
  });
}

template <typename T>
void addSparse(OpRecord& record) {
  record.kernel("GPU", {{"T", {kDType<T>}}, {"Tlabels", {DType::Int32}}}, {}, simpleKernel(runSparse<T, int32_t>));
  record.kernel("GPU", {{"T", {kDType<T>}}, {"Tlabels", {DType::Int64}}}, {}, simpleKernel(runSparse<T, int64_t>));
}

}  // namespace

void registerSoftmaxGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "Softmax", []<typename T>(KernelContext& c) { return runSoftmax<T, false>(c); });
  addFor<Half, float>(ops, "LogSoftmax", []<typename T>(KernelContext& c) { return runSoftmax<T, true>(c); });
  addFor<Half, float, double>(ops, "SoftmaxCrossEntropyWithLogits", []<typename T>(KernelContext& c) { return runDense<T>(c); });
  if (OpRecord* record = ops.findMutable("SparseSoftmaxCrossEntropyWithLogits")) {
    addSparse<Half>(*record);
    addSparse<float>(*record);
  }
}

}  // namespace weft::cuda
