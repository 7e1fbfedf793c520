#include "device/cuda/launch.cuh"

// BiasAdd and its gradient, channels last.
namespace weft::cuda {
namespace {

__global__ void addBias(const float* x, const float* bias, float* out, int64_t n, int64_t channels) {
  WEFT_GRID_STRIDE(i, n) out[i] = x[i] + bias[i % channels];
}

/// One block per channel. Threads add up rows in a fixed order, so the sum is the same in every run.
__global__ void sumRows(const float* dy, float* out, int64_t rows, int64_t channels) {
  __shared__ float part[kThreads];
  for (int64_t channel = blockIdx.x; channel < channels; channel += gridDim.x) {
    float sum = 0;
    for (int64_t r = threadIdx.x; r < rows; r += blockDim.x) sum += dy[r * channels + channel];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[channel] = part[0];
    __syncthreads();
  }
}

Status channelsLast(KernelContext& c) {
  if (c.node().attrs.text("data_format", "NHWC") != "NHWC") return unimplemented(c.node().op, " on the GPU takes data_format NHWC");
  return {};
}

Status runBiasAdd(KernelContext& c) {
  WEFT_TRY(channelsLast(c));
  const Tensor &x = c.input(0), &bias = c.input(1);
  if (x.rank() < 2 || bias.rank() != 1 || bias.dim(0) != x.dim(x.rank() - 1)) {
    return invalidArgument("Must provide as many biases as the last dimension of the input tensor: ", bias.shape().toString(), " vs. ", x.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  const int64_t n = x.elements();
  WEFT_LAUNCH(deviceOf(c), n, addBias, x.data<float>(), bias.data<float>(), out->mutableData<float>(), n, bias.dim(0));
  return {};
}

Status runBiasAddGrad(KernelContext& c) {
  WEFT_TRY(channelsLast(c));
  const Tensor& dy = c.input(0);
  if (dy.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", dy.shape().toString());
  const int64_t channels = dy.dim(dy.rank() - 1);
  WEFT_LET(Tensor * out, c.allocate(0, Shape{channels}));
  if (channels == 0) return {};
  const int64_t rows = dy.elements() / channels;
  const unsigned blocks = unsigned(channels < 65535 ? channels : 65535);
  sumRows<<<blocks, kThreads, 0, deviceOf(c).stream()>>>(dy.data<float>(), out->mutableData<float>(), rows, channels);
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace

void registerBiasGpu(OpRegistry& ops) {
  addFloat(ops, "BiasAdd", runBiasAdd);
  addFloat(ops, "BiasAddGrad", runBiasAddGrad);
}

}  // namespace weft::cuda
