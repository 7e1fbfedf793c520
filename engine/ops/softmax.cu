#include "device/cuda/launch.cuh"

// Softmax and the two cross entropies: one block per row.
namespace weft::cuda {
namespace {

template <typename Join>
__device__ float acrossBlock(float value, Join join, float* part) {
  part[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = part[0];
  __syncthreads();
  return result;
}

struct RowStatistics {
  float largest, sum;  // of the row, and of exp(x - largest)
};
__device__ RowStatistics statisticsOf(const float* x, int64_t classes, float* part) {
  float largest = -INFINITY;
  for (int64_t k = threadIdx.x; k < classes; k += blockDim.x) largest = fmaxf(largest, x[k]);
  largest = acrossBlock(
      largest, [](float a, float b) { return fmaxf(a, b); }, part);
  float sum = 0;
  for (int64_t k = threadIdx.x; k < classes; k += blockDim.x) sum += expf(x[k] - largest);
  return {largest, acrossBlock(
                       sum, [](float a, float b) { return a + b; }, part)};
}

__global__ void softmaxRows(const float* x, float* out, int64_t rows, int64_t classes, bool logarithm) {
  __shared__ float part[kThreads];
  for (int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
    const RowStatistics s = statisticsOf(x + r * classes, classes, part);
    for (int64_t k = threadIdx.x; k < classes; k += blockDim.x) {
      const float shifted = x[r * classes + k] - s.largest;
      out[r * classes + k] = logarithm ? shifted - logf(s.sum) : expf(shifted) / s.sum;
    }
  }
}

template <typename Label>
__global__ void sparseEntropy(const float* x, const Label* labels, float* loss, float* backprop, int64_t rows, int64_t classes) {
  __shared__ float part[kThreads];
  for (int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
    const float* row = x + r * classes;
    const RowStatistics s = statisticsOf(row, classes, part);
    const int64_t label = labels[r];
    const bool valid = label >= 0 && label < classes;
    for (int64_t k = threadIdx.x; k < classes; k += blockDim.x) {
      backprop[r * classes + k] = valid ? expf(row[k] - s.largest) / s.sum - (k == label ? 1.0f : 0.0f) : NAN;
    }
    if (threadIdx.x == 0) loss[r] = valid ? logf(s.sum) - (row[label] - s.largest) : NAN;
    __syncthreads();
  }
}

__global__ void denseEntropy(const float* x, const float* labels, float* loss, float* backprop, int64_t rows, int64_t classes) {
  __shared__ float part[kThreads];
  for (int64_t r = blockIdx.x; r < rows; r += gridDim.x) {
    const float *row = x + r * classes, *want = labels + r * classes;
    const RowStatistics s = statisticsOf(row, classes, part);
    const float logSum = logf(s.sum);
    float sum = 0;
    for (int64_t k = threadIdx.x; k < classes; k += blockDim.x) {
      const float shifted = row[k] - s.largest;
      sum += want[k] * (logSum - shifted);
      backprop[r * classes + k] = expf(shifted) / s.sum - want[k];
    }
    sum = acrossBlock(
        sum, [](float a, float b) { return a + b; }, part);
    if (threadIdx.x == 0) loss[r] = sum;
  }
}

unsigned rowBlocks(int64_t rows) { return unsigned(rows < 65535 ? rows : 65535); }

template <bool kLogarithm>
Status runSoftmax(KernelContext& c) {
  const Tensor& x = c.input(0);
  if (x.rank() < 1) return invalidArgument("logits must have >= 1 dimension, got ", x.shape().toString());
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  const int64_t classes = x.dim(x.rank() - 1);
  if (x.elements() == 0) return {};
  const int64_t rows = x.elements() / classes;
  softmaxRows<<<rowBlocks(rows), kThreads, 0, deviceOf(c).stream()>>>(x.data<float>(), out->mutableData<float>(), rows, classes, kLogarithm);
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

template <typename Label>
Status runSparse(KernelContext& c) {
  const Tensor &x = c.input(0), &labels = c.input(1);
  if (x.rank() != 2 || labels.rank() != 1 || labels.dim(0) != x.dim(0)) {
    return invalidArgument("logits and labels must have the same first dimension, got logits shape ", x.shape().toString(), " and labels shape ",
                           labels.shape().toString());
  }
  WEFT_LET(Tensor * loss, c.allocate(0, Shape{x.dim(0)}));
  WEFT_LET(Tensor * backprop, c.allocate(1, x.shape()));
  if (x.elements() == 0) return {};
  sparseEntropy<<<rowBlocks(x.dim(0)), kThreads, 0, deviceOf(c).stream()>>>(x.data<float>(), labels.data<Label>(), loss->mutableData<float>(),
                                                                            backprop->mutableData<float>(), x.dim(0), x.dim(1));
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

Status runDense(KernelContext& c) {
  const Tensor &x = c.input(0), &labels = c.input(1);
  if (x.rank() != 2 || !(x.shape() == labels.shape())) {
    return unimplemented("SoftmaxCrossEntropyWithLogits on the GPU takes logits and labels of one shape, got ", x.shape().toString(), " and ",
                         labels.shape().toString());
  }
  WEFT_LET(Tensor * loss, c.allocate(0, Shape{x.dim(0)}));
  WEFT_LET(Tensor * backprop, c.allocate(1, x.shape()));
  if (x.elements() == 0) return {};
  denseEntropy<<<rowBlocks(x.dim(0)), kThreads, 0, deviceOf(c).stream()>>>(x.data<float>(), labels.data<float>(), loss->mutableData<float>(),
                                                                           backprop->mutableData<float>(), x.dim(0), x.dim(1));
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace

void registerSoftmaxGpu(OpRegistry& ops) {
  addFloat(ops, "Softmax", runSoftmax<false>);
  addFloat(ops, "LogSoftmax", runSoftmax<true>);
  addFloat(ops, "SoftmaxCrossEntropyWithLogits", runDense);
  if (OpRecord* record = ops.findMutable("SparseSoftmaxCrossEntropyWithLogits")) {
    record->kernel("GPU", {{"T", {DType::Float}}, {"Tlabels", {DType::Int32}}}, {}, simpleKernel(runSparse<int32_t>));
    record->kernel("GPU", {{"T", {DType::Float}}, {"Tlabels", {DType::Int64}}}, {}, simpleKernel(runSparse<int64_t>));
  }
}

}  // namespace weft::cuda
