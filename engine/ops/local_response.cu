#include <algorithm>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/operand_checks.h"

// Local response normalization, and its gradient.
namespace weft::cuda {
namespace {

/// Neighbours in the channel dim.
struct Neighbours {
  int64_t channels, radius;
  float bias, alpha;
  __device__ int64_t begin(int64_t k) const { return max(int64_t(0), k - radius); }
  __device__ int64_t end(int64_t k) const { return min(channels, k + radius + 1); }
  __device__ float norm(const float* pixel, int64_t k) const {
    float sum = 0;
    for (int64_t j = begin(k); j < end(k); ++j) sum += pixel[j] * pixel[j];
    return bias + alpha * sum;
  }
};
Neighbours neighboursOf(const LocalResponse& s, const Shape& shape) {
  return {shape.dim(3), s.radius < 0 ? s.radius : std::min(s.radius, shape.dim(3)), s.bias, s.alpha};
}

Status runForward(KernelContext& c) {
  WEFT_LET(const LocalResponse s, checkLocalResponse(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const Neighbours n = neighboursOf(s, in.shape());
  const float* x = dataOf<float>(in);
  float* to = mutableDataOf<float>(*out);
  const float beta = s.beta;
  return forEach(deviceOf(c), in.elements(), [=] __device__(int64_t i) {
    const int64_t k = i % n.channels;
    const float norm = n.norm(x + i - k, k);
    to[i] = beta == 1 ? x[i] / norm : beta == 0.5f ? x[i] / sqrtf(norm) : x[i] * expf(logf(norm) * -beta);
  });
}

/// Inputs: the gradient of the result, the images, the result.
Status runGradient(KernelContext& c) {
  WEFT_LET(const LocalResponse s, checkLocalResponse(c));
  const Shape& shape = c.input(1).shape();
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t count = shape.elements();
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor room, scratch(d, size_t(count) * sizeof(float)));
  const Neighbours n = neighboursOf(s, shape);
  const float *dy = input<float>(c, 0), *x = input<float>(c, 1), *y = input<float>(c, 2), beta = s.beta, factor = -2 * s.alpha * s.beta;
  float *norms = static_cast<float*>(room.mutableRaw()), *dx = mutableDataOf<float>(*out);
  WEFT_TRY(forEach(d, count, [=] __device__(int64_t i) {
    const int64_t k = i % n.channels;
    norms[i] = n.norm(x + i - k, k);
  }));
  return forEach(d, count, [=] __device__(int64_t i) {
    const int64_t k = i % n.channels, pixel = i - k;
    float sum = 0;
    for (int64_t j = n.begin(k); j < n.end(k); ++j) {
      const int64_t at = pixel + j;
      float slope = factor * x[i] * y[at] / norms[at];
      if (j == k) slope += powf(norms[at], -beta);
      sum += slope * dy[at];
    }
    dx[i] = sum;
  });
}

}  // namespace

void registerLocalResponseGpu(OpRegistry& ops) {
  addAny(ops, "LRN", runForward, {}, {{"T", {DType::Float}}});
  addAny(ops, "LRNGrad", runGradient, {}, {{"T", {DType::Float}}});
}

}  // namespace weft::cuda
