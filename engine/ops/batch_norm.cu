#include "ops/batch_norm.h"

#include "device/cuda/channel_sums.cuh"
#include "device/cuda/registration.h"

// Batch normalization: FusedBatchNorm in its versions, and TensorFlow's first one. Statistics are computed in float, for any order of dims.
namespace weft::cuda {
namespace {

Channels channelsOf(const BatchNormSizes& s) { return {s.outer, s.channels, s.inner}; }

/// Vectors per channel.
struct Statistics {
  float *mean, *variance, *savedMean, *savedVariance;
};
template <typename T>
struct Value {
  const T* x;
  __device__ Sums<1, float> operator()(int64_t i, int64_t) const { return {{float(x[i])}}; }
};
struct SetMean {
  Statistics to;
  float rows;
  __device__ void operator()(int64_t channel, const Sums<1, float>& s) const { to.mean[channel] = to.savedMean[channel] = s.v[0] / rows; }
};
template <typename T>
struct SquaredDistance {
  const T* x;
  const float* mean;
  __device__ Sums<1, float> operator()(int64_t i, int64_t channel) const {
    const float d = float(x[i]) - mean[channel];
    return {{d * d}};
  }
};
/// The variance for moving averages is unbiased, the saved one is not.
struct SetVariance {
  Statistics to;
  float rows, unbias;
  __device__ void operator()(int64_t channel, const Sums<1, float>& s) const {
    const float variance = s.v[0] / rows;
    to.savedVariance[channel] = variance;
    to.variance[channel] = variance * unbias;
  }
};

/// Inputs: x, scale, offset, mean, variance.
template <typename T>
Status runForward(KernelContext& c) {
  WEFT_LET(const BatchNormSizes sizes, batchNormSizes(c, false));
  const Channels shape = channelsOf(sizes);
  const AttrMap& attrs = c.node().attrs;
  const float epsilon = attrs.number("epsilon", 1e-4f);
  CudaDevice& d = deviceOf(c);
  float* outputs[4];
  for (int i = 0; i < 4; ++i) {
    WEFT_LET(Tensor * t, c.allocate(i + 1, {shape.channels}));
    outputs[i] = mutableDataOf<float>(*t);
  }
  const Statistics s{outputs[0], outputs[1], outputs[2], outputs[3]};
  if (c.outputCount() > 5) {
    WEFT_LET(Tensor * unused, c.allocate(5, {}));
    WEFT_CUDA_TRY(cudaMemsetAsync(unused->mutableRaw(), 0, unused->bytes(), d.stream()));
  }
  const T* x = input<T>(c, 0);
  const float *scale = input<float>(c, 1), *offset = input<float>(c, 2);
  if (attrs.flag("is_training", true)) {
    const int64_t rows = shape.rows();
    WEFT_TRY((channelSums<1, float>(d, shape, Value<T>{x}, SetMean{s, float(rows)})));
    const float unbias = float(rows) / float(rows > 1 ? rows - 1 : 1);
    WEFT_TRY((channelSums<1, float>(d, shape, SquaredDistance<T>{x, s.savedMean}, SetVariance{s, float(rows), unbias})));
  } else {
    const float *mean = input<float>(c, 3), *variance = input<float>(c, 4);
    WEFT_TRY(forEach(d, shape.channels, [=] __device__(int64_t i) {
      s.mean[i] = s.savedMean[i] = mean[i];
      s.variance[i] = s.savedVariance[i] = variance[i];
    }));
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  T* y = mutableDataOf<T>(*out);
  return forEach(d, out->elements(), [=] __device__(int64_t i) {
    const int64_t k = shape.channelOf(i);
    y[i] = T((float(x[i]) - s.savedMean[k]) * (scale[k] / sqrtf(s.savedVariance[k] + epsilon)) + offset[k]);
  });
}

template <typename T>
struct GradientSums {
  const T *dy, *x;
  const float* mean;
  __device__ Sums<2, float> operator()(int64_t i, int64_t channel) const {
    const float g = dy[i];
    return {{g, g * (float(x[i]) - mean[channel])}};
  }
};
/// dx = factor · (dy - a - (x - mean) · b).
struct Coefficients {
  float *factor, *a, *b;
};
struct SetGradients {
  const float *scale, *variance;
  float *dScale, *dOffset;
  Coefficients to;
  float epsilon, rows;
  bool training;
  __device__ void operator()(int64_t k, const Sums<2, float>& s) const {
    const float root = 1.0f / sqrtf(variance[k] + epsilon);
    to.factor[k] = scale[k] * root;
    dScale[k] = s.v[1] * root;
    dOffset[k] = s.v[0];
    to.a[k] = training ? s.v[0] / rows : 0.0f;
    to.b[k] = training ? root * root * (s.v[1] / rows) : 0.0f;
  }
};

/// Inputs: the gradient of y, x, scale, and the saved mean and variance.
template <typename T>
Status runGradient(KernelContext& c) {
  WEFT_LET(const BatchNormSizes sizes, batchNormGradSizes(c, false));
  const Channels shape = channelsOf(sizes);
  const AttrMap& attrs = c.node().attrs;
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor * dScale, c.allocate(1, {shape.channels}));
  WEFT_LET(Tensor * dOffset, c.allocate(2, {shape.channels}));
  for (int i = 3; i < 5; ++i) {
    WEFT_LET(Tensor * unused, c.allocate(i, {}));
    WEFT_CUDA_TRY(cudaMemsetAsync(unused->mutableRaw(), 0, unused->bytes(), d.stream()));
  }
  WEFT_LET(Tensor room, scratch(d, size_t(3 * shape.channels) * sizeof(float)));
  float* rooms = static_cast<float*>(room.mutableRaw());
  const Coefficients k{rooms, rooms + shape.channels, rooms + 2 * shape.channels};
  const T *dy = input<T>(c, 0), *x = input<T>(c, 1);
  const float* mean = input<float>(c, 3);
  const SetGradients finish{input<float>(c, 2),
                            input<float>(c, 4),
                            mutableDataOf<float>(*dScale),
                            mutableDataOf<float>(*dOffset),
                            k,
                            attrs.number("epsilon", 1e-4f),
                            float(shape.rows()),
                            attrs.flag("is_training", true)};
  WEFT_TRY((channelSums<2, float>(d, shape, GradientSums<T>{dy, x, mean}, finish)));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(1).shape(), {0, 1}));
  T* dx = mutableDataOf<T>(*out);
  return forEach(d, out->elements(), [=] __device__(int64_t i) {
    const int64_t at = shape.channelOf(i);
    dx[i] = T(k.factor[at] * (float(dy[i]) - k.a[at] - (float(x[i]) - mean[at]) * k.b[at]));
  });
}

// ---- TensorFlow's first batch normalization, with mean and variance as inputs

template <typename T>
Status runGlobal(KernelContext& c) {
  WEFT_TRY(checkGlobalNorm(c));
  const Tensor& in = c.input(0);
  const float epsilon = c.node().attrs.number("variance_epsilon");
  const bool scaled = c.node().attrs.flag("scale_after_normalization");
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  const T *x = dataOf<T>(in), *mean = input<T>(c, 1), *variance = input<T>(c, 2), *beta = input<T>(c, 3), *gamma = input<T>(c, 4);
  T* y = mutableDataOf<T>(*out);
  const int64_t channels = in.dim(3);
  return forEach(deviceOf(c), in.elements(), [=] __device__(int64_t i) {
    const int64_t k = i % channels;
    const float factor = 1.0f / sqrtf(float(variance[k]) + epsilon) * (scaled ? float(gamma[k]) : 1.0f);
    y[i] = T((float(x[i]) - float(mean[k])) * factor + float(beta[k]));
  });
}

template <typename T>
struct GlobalSums {
  const T *dy, *x, *mean;
  __device__ Sums<2, double> operator()(int64_t i, int64_t channel) const {
    const double g = float(dy[i]);
    return {{g, g * (double(float(x[i])) - double(float(mean[channel])))}};
  }
};
template <typename T>
struct SetGlobalGradients {
  const T *variance, *gamma;
  T *dMean, *dVariance, *dBeta, *dGamma;
  double epsilon;
  bool scaled;
  __device__ void operator()(int64_t k, const Sums<2, double>& s) const {
    const double factor = scaled ? float(gamma[k]) : 1.0f, spread = float(variance[k]) + epsilon, root = 1 / sqrt(spread);
    dMean[k] = T(float(-s.v[0] * factor * root));
    dVariance[k] = T(float(s.v[1] * factor * -0.5 * root / spread));
    dBeta[k] = T(float(s.v[0]));
    dGamma[k] = T(float(scaled ? s.v[1] * root : 0.0));
  }
};

/// Inputs: x, mean, variance, gamma, the gradient of y.
template <typename T>
Status runGlobalGradient(KernelContext& c) {
  WEFT_TRY(checkGlobalNormGrad(c));
  const Tensor& in = c.input(0);
  const int64_t channels = in.dim(3);
  const double epsilon = c.node().attrs.number("variance_epsilon");
  const bool scaled = c.node().attrs.flag("scale_after_normalization");
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  T* vectors[4];
  for (int i = 0; i < 4; ++i) {
    WEFT_LET(Tensor * t, c.allocate(i + 1, Shape{channels}));
    vectors[i] = mutableDataOf<T>(*t);
  }
  CudaDevice& d = deviceOf(c);
  const T *x = dataOf<T>(in), *mean = input<T>(c, 1), *variance = input<T>(c, 2), *gamma = input<T>(c, 3), *dy = input<T>(c, 4);
  const SetGlobalGradients<T> finish{variance, gamma, vectors[0], vectors[1], vectors[2], vectors[3], epsilon, scaled};
  const Channels shape{channels ? in.elements() / channels : 0, channels, 1};
  WEFT_TRY((channelSums<2, double>(d, shape, GlobalSums<T>{dy, x, mean}, finish)));
  T* dx = mutableDataOf<T>(*out);
  return forEach(d, in.elements(), [=] __device__(int64_t i) {
    const int64_t k = i % channels;
    dx[i] = T(float(double(float(dy[i])) / sqrt(float(variance[k]) + epsilon) * (scaled ? double(float(gamma[k])) : 1.0)));
  });
}

}  // namespace

void registerBatchNormGpu(OpRegistry& ops) {
  addFor<float>(ops, "FusedBatchNorm", []<typename T>(KernelContext& c) { return runForward<T>(c); });
  addFor<float>(ops, "FusedBatchNormGrad", []<typename T>(KernelContext& c) { return runGradient<T>(c); });
  for (const char* op : {"FusedBatchNormV2", "FusedBatchNormV3"}) addFor<Half, float>(ops, op, []<typename T>(KernelContext& c) { return runForward<T>(c); });
  for (const char* op : {"FusedBatchNormGradV2", "FusedBatchNormGradV3"}) {
    addFor<Half, float>(ops, op, []<typename T>(KernelContext& c) { return runGradient<T>(c); });
  }
  addFor<Half, float>(ops, "BatchNormWithGlobalNormalization", []<typename T>(KernelContext& c) { return runGlobal<T>(c); });
  addFor<Half, float>(ops, "BatchNormWithGlobalNormalizationGrad", []<typename T>(KernelContext& c) { return runGlobalGradient<T>(c); });
}

}  // namespace weft::cuda
