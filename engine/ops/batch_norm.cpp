// FusedBatchNorm in its three versions, with gradients.
// Training: y = (x - mean) * rsqrt(var + epsilon) * scale + offset, with mean and (biased) variance of the batch. The variance output for moving averages is
// unbiased; the one saved for the gradient is biased. All arithmetic is in float32.
#include "ops/batch_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_nn.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {
namespace {

int versionOf(const std::string& op) { return op.ends_with("V3") ? 3 : op.ends_with("V2") ? 2 : 1; }
bool channelsFirst(const std::string& format) { return format == "NCHW" || format == "NCDHW"; }
int rankOf(const std::string& format) { return format.size() == 5 ? 5 : 4; }

// ---- shapes

Status forwardShape(ShapeContext& c) {
  const std::string format = c.attrs().text("data_format", "NHWC");
  const Shape& x = c.input(0);
  WEFT_TRY(c.requireRank(x, rankOf(format)));
  const int at = channelsFirst(format) ? 1 : rankOf(format) - 1;
  int64_t channels = x.hasRank() ? x.dim(at) : Shape::kUnknownDim;
  const int checked = c.attrs().flag("is_training", true) ? 3 : 5;
  for (int i = 1; i < checked; ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 1));
    if (c.input(i).hasRank()) {
      WEFT_LET(channels, c.mergeDims(channels, c.input(i).dim(0)));
    }
  }
  Shape y = x.hasRank() ? x : Shape::unknownOfRank(rankOf(format));
  y.setDim(at, channels);
  c.setOutput(0, std::move(y));
  for (int i = 1; i < 5; ++i) c.setOutput(i, Shape{channels});
  return {};
}

Status batchNormGradShape(ShapeContext& c) {
  const std::string format = c.attrs().text("data_format", "NHWC");
  const int rank = rankOf(format), at = channelsFirst(format) ? 1 : rank - 1;
  WEFT_TRY(c.requireRank(c.input(0), rank));
  WEFT_TRY(c.requireRank(c.input(1), rank));
  int64_t channels = Shape::kUnknownDim;
  for (int i = 0; i < 2; ++i) {
    if (!c.input(i).hasRank()) continue;
    WEFT_LET(channels, c.mergeDims(channels, c.input(i).dim(at)));
  }
  for (int i = 2; i < 5; ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 1));
    if (!c.input(i).hasRank()) continue;
    WEFT_LET(channels, c.mergeDims(channels, c.input(i).dim(0)));
  }
  Shape dx = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(rank);
  dx.setDim(at, channels);
  c.setOutput(0, std::move(dx));
  c.setOutput(1, Shape{channels});
  c.setOutput(2, Shape{channels});
  // The last two: TensorFlow infers empty vectors but outputs scalars, so their shapes stay unknown.
  return {};
}

// ---- gradients

Output transposed(GraphBuilder& b, Output x, const std::vector<int32_t>& order) {
  const py::Scope scope(b, "transpose");
  const Output perm = b.ints(order, "perm");
  return b.op("Transpose", {x, perm}, {}, scope.name());
}

Result<std::vector<Output>> forwardGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int version = versionOf(c.node().op);
  const char* op = version == 3 ? "FusedBatchNormGradV3" : version == 2 ? "FusedBatchNormGradV2" : "FusedBatchNormGrad";
  const bool training = c.attrs().flag("is_training", true);
  std::string format = c.attrs().text("data_format", "NHWC");
  Output x = c.input(0), dy = c.grad();
  const bool transpose = !training && format == "NCHW";
  if (transpose) {
    x = transposed(b, x, {0, 2, 3, 1});
    dy = transposed(b, dy, {0, 2, 3, 1});
  }
  if (!training) format = "NHWC";
  Inputs in{dy, x, c.input(1), training ? c.output(3) : c.input(3), training ? c.output(4) : c.input(4)};
  if (version == 3) in.add(c.output(5));
  const auto out = b.outputsOf(b.node(op, in, {{"epsilon", c.attrs().number("epsilon", 1e-4f)}, {"data_format", format}, {"is_training", training}}));
  if (out.size() < 5) return b.status().error();
  if (training) return out;
  return std::vector<Output>{transpose ? transposed(b, out[0], {0, 3, 1, 2}) : out[0], out[1], out[2], Output{}, Output{}};
}

/// Second derivative: expresses the gradient in ordinary ops and differentiates those.
Result<std::vector<Output>> gradGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool training = c.attrs().flag("is_training", true), first = c.attrs().text("data_format", "NHWC") == "NCHW";
  const double epsilon = c.attrs().number("epsilon", 1e-4f);
  const Output dyIn = c.input(0), xIn = c.input(1);
  const DType type = b.dtype(xIn);
  Output dy = dyIn, x = xIn, scale = c.input(2), mean = c.input(3), variance = c.input(4);
  if (type == DType::Half) {
    x = b.cast(x, DType::Float);
    dy = b.cast(dy, DType::Float);
  }
  const std::vector<int64_t> axes = first ? std::vector<int64_t>{0, 2, 3} : std::vector<int64_t>{0, 1, 2};
  const auto perChannel = [&](Output v) { return first ? py::reshape(b, v, std::vector<int64_t>{1, -1, 1, 1}) : v; };
  const auto average = [&](Output v) {
    const py::Scope scope(b, "Mean");
    const Output over = b.ints(std::vector<int32_t>(axes.begin(), axes.end()), "reduction_indices");
    return b.op("Mean", {v, over}, {{"keep_dims", first}}, scope.name());
  };
  Output dx, dScale;
  const Output dOffset = py::reduceSum(b, dy, axes);
  if (training) {
    scale = perChannel(scale);
    const Output meanDy = average(dy), meanX = average(x);
    const Output fixedMean = b.op("StopGradient", {meanX});
    const Output var = average(b.op("SquaredDifference", {x, fixedMean}));
    const Output centred = py::sub(b, x, meanX), spread = py::add(b, var, epsilon);
    const Output root = b.op("Rsqrt", {spread});
    const Output correlation = average(py::mul(b, dy, centred));
    const Output pull = py::mul(b, py::mul(b, b.op("Reciprocal", {spread}), correlation), centred);
    const Output steep = py::mul(b, scale, root), centredDy = py::sub(b, dy, meanDy);
    dx = py::mul(b, steep, py::sub(b, centredDy, pull));
    dScale = py::mul(b, root, py::reduceSum(b, py::mul(b, dy, centred), axes, first));
    if (first) dScale = py::reshape(b, dScale, std::vector<int64_t>{-1});
  } else {
    scale = perChannel(scale);
    const Output root = b.op("Rsqrt", {py::add(b, perChannel(variance), epsilon)});
    dScale = py::reduceSum(b, py::mul(b, py::mul(b, dy, py::sub(b, x, perChannel(mean))), root), axes);
    dx = py::mul(b, py::mul(b, dy, scale), root);
  }
  if (type == DType::Half) dx = b.cast(dx, DType::Half);
  std::vector<Output> ys, dys;
  const Output all[] = {dx, dScale, dOffset};
  for (int i = 0; i < 3; ++i) {
    if (!c.grad(i).valid()) continue;
    ys.push_back(all[i]);
    dys.push_back(c.grad(i));
  }
  GradientsOptions options;
  options.gradYs = dys;
  WEFT_LET(const auto found, addGradients(b, ys, {dyIn, xIn, c.input(2)}, options));
  std::vector<Output> out{found[0].dense, found[1].dense, found[2].dense, Output{}, Output{}};
  if (c.inputCount() == 6) out.push_back(Output{});
  return out;
}

// ---- kernels

/// Per-channel sums over rows on all threads: partial sums of fixed parts, added in order, so the result does not depend on the number of threads.
template <typename F>
void channelSums(int64_t rows, int64_t channels, int outputs, float* out, F&& add) {
  const int64_t width = channels * outputs;
  const int64_t parts = std::clamp<int64_t>(rows * channels / 32768, 1, std::min<int64_t>(32, std::max<int64_t>(1, rows)));
  if (parts <= 1) {
    std::fill(out, out + width, 0.f);
    add(out, int64_t(0), rows);
    return;
  }
  const int64_t padded = (width + 15) / 16 * 16 + 16;  // so that threads do not share cache lines
  std::vector<float> partial(size_t(parts * padded), 0.f);
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) add(partial.data() + p * padded, rows * p / parts, rows * (p + 1) / parts);
  });
  for (int64_t i = 0; i < width; ++i) {
    float s = 0;
    for (int64_t p = 0; p < parts; ++p) s += partial[size_t(p * padded + i)];
    out[i] = s;
  }
}

int64_t normalizationRowGrain(int64_t channels) { return std::max<int64_t>(1, 32768 / std::max<int64_t>(1, channels)); }

constexpr int64_t kConversionGrain = 16384;

/// A float view of a float or half tensor; half is widened into scratch memory.
Result<Tensor> asFloat(KernelContext& c, const Tensor& t) {
  if (t.dtype() == DType::Float) return t;
  WEFT_LET(Tensor wide, c.scratch(DType::Float, t.shape()));
  const uint16_t* in = static_cast<const uint16_t*>(t.raw());
  float* out = wide.mutableData<float>();
  parallelFor(t.elements(), kConversionGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.widen(in + begin, out + begin, end - begin); });
  return wide;
}

void narrow(const Tensor& from, Tensor& to) {
  const float* in = from.data<float>();
  uint16_t* out = static_cast<uint16_t*>(to.mutableRaw());
  parallelFor(from.elements(), kConversionGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.narrow(in + begin, out + begin, end - begin); });
}

Status checkVector(const Tensor& t, const char* name) {
  if (t.rank() != 1) return invalidArgument(name, " must be 1-dimensional", t.shape().toString());
  return {};
}

BatchNormSizes sizesOf(const Shape& x, const std::string& format) {
  const int at = channelsFirst(format) ? 1 : x.rank() - 1;
  return {x.slice(0, at).elements(), x.dim(at), x.slice(at + 1).elements()};
}

}  // namespace

Result<BatchNormSizes> batchNormSizes(const KernelContext& c, bool onCpu) {
  const Tensor &x = c.input(0), &scale = c.input(1), &offset = c.input(2), &mean = c.input(3), &variance = c.input(4);
  const std::string format = c.node().attrs.text("data_format", "NHWC");
  const bool training = c.node().attrs.flag("is_training", true);
  if (x.rank() != rankOf(format)) return invalidArgument("input must be ", rankOf(format), "-dimensional", x.shape().toString());
  WEFT_TRY(checkVector(scale, "scale"));
  WEFT_TRY(checkVector(offset, "offset"));
  WEFT_TRY(checkVector(mean, "estimated_mean"));
  WEFT_TRY(checkVector(variance, "estimated_variance"));
  if (training) {
    if (mean.dim(0) != 0) return invalidArgument("estimated_mean must be empty for training", mean.shape().toString());
    if (variance.dim(0) != 0) return invalidArgument("estimated_variance must be empty for training", variance.shape().toString());
  }
  if (onCpu && format != "NHWC") return internalError("The CPU implementation of FusedBatchNorm only supports NHWC tensor format for now.");
  const BatchNormSizes sizes = sizesOf(x.shape(), format);
  const auto fits = [&](const Tensor& t, const char* name) -> Status {
    if (t.dim(0) != sizes.channels) {
      return invalidArgument(name, " must have the same number of elements as the channels of x, got ", t.dim(0), " and ", sizes.channels);
    }
    return {};
  };
  WEFT_TRY(fits(scale, "scale"));
  WEFT_TRY(fits(offset, "offset"));
  if (!training) {
    WEFT_TRY(fits(mean, "estimated_mean"));
    WEFT_TRY(fits(variance, "estimated_variance"));
  }
  return sizes;
}

Result<BatchNormSizes> batchNormGradSizes(const KernelContext& c, bool onCpu) {
  const Tensor &dy = c.input(0), &x = c.input(1), &scale = c.input(2), &mean = c.input(3), &variance = c.input(4);
  const std::string format = c.node().attrs.text("data_format", "NHWC");
  if (dy.rank() != rankOf(format)) return invalidArgument("input must be ", rankOf(format), "-dimensional", dy.shape().toString());
  if (x.rank() != rankOf(format)) return invalidArgument("input must be ", rankOf(format), "-dimensional", x.shape().toString());
  WEFT_TRY(checkVector(scale, "scale"));
  WEFT_TRY(checkVector(mean, "saved mean"));
  WEFT_TRY(checkVector(variance, "saved variance"));
  if (onCpu && format != "NHWC") return internalError("The CPU implementation of FusedBatchNormGrad only supports NHWC tensor format for now.");
  if (!(dy.shape() == x.shape())) {
    return invalidArgument("x and y_backprop must have the same shape, got ", x.shape().toString(), " and ", dy.shape().toString());
  }
  const BatchNormSizes sizes = sizesOf(x.shape(), format);
  for (const Tensor* t : {&scale, &mean, &variance}) {
    if (t->dim(0) != sizes.channels) return invalidArgument("scale, mean and variance must have ", sizes.channels, " elements, got ", t->dim(0));
  }
  return sizes;
}

namespace {

class BatchNormKernel final : public Kernel {
 public:
  explicit BatchNormKernel(KernelInit& init) : epsilon_(init.attrs().number("epsilon", 1e-4f)), training_(init.attrs().flag("is_training", true)) {}

  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &scale = c.input(1), &offset = c.input(2), &mean = c.input(3), &variance = c.input(4);
    WEFT_LET(const BatchNormSizes sizes, batchNormSizes(c));
    const int64_t channels = sizes.channels, rows = channels ? sizes.outer : 0;
    float* stats[4];  // batch_mean, batch_variance, reserve_space_1, reserve_space_2
    for (int i = 0; i < 4; ++i) {
      WEFT_LET(Tensor * t, c.allocate(i + 1, {channels}));
      stats[i] = t->mutableData<float>();
    }
    if (c.outputCount() > 5) c.setOutput(5, Tensor::scalar(0.f));
    WEFT_LET(const Tensor wide, asFloat(c, x));
    const float* in = wide.data<float>();
    const auto& k = cpu::nnKernels();
    if (training_) {
      channelSums(rows, channels, 1, stats[0], [&](float* to, int64_t begin, int64_t end) { k.columnSums(to, in + begin * channels, end - begin, channels); });
      for (int64_t i = 0; i < channels; ++i) stats[0][i] /= float(rows);
      channelSums(rows, channels, 1, stats[3],
                  [&](float* to, int64_t begin, int64_t end) { k.columnSquares(to, in + begin * channels, stats[0], end - begin, channels); });
      const float unbias = float(rows) / float(rows > 1 ? rows - 1 : 1);
      for (int64_t i = 0; i < channels; ++i) {
        stats[3][i] /= float(rows);
        stats[1][i] = stats[3][i] * unbias;
        stats[2][i] = stats[0][i];
      }
    } else {
      for (int64_t i = 0; i < channels; ++i) {
        stats[0][i] = stats[2][i] = mean.data<float>()[i];
        stats[1][i] = stats[3][i] = variance.data<float>()[i];
      }
    }
    std::vector<float> factor(static_cast<size_t>(channels));
    for (int64_t i = 0; i < channels; ++i) factor[size_t(i)] = scale.data<float>()[i] / std::sqrt(stats[3][i] + epsilon_);
    const bool half = x.dtype() == DType::Half;
    WEFT_LET(Tensor * y, half ? c.allocate(0, x.shape()) : c.allocateOrForward(0, x.shape(), {0}));
    Tensor result = *y;
    if (half) {
      WEFT_LET(result, c.scratch(DType::Float, x.shape()));
    }
    float* out = result.mutableData<float>();
    parallelFor(rows, normalizationRowGrain(channels), [&](int64_t begin, int64_t end) {
      k.normalize(out + begin * channels, in + begin * channels, stats[2], factor.data(), offset.data<float>(), end - begin, channels);
    });
    if (half) narrow(result, *y);
    return {};
  }

 private:
  float epsilon_;
  bool training_;
};

class BatchNormGradKernel final : public Kernel {
 public:
  explicit BatchNormGradKernel(KernelInit& init) : epsilon_(init.attrs().number("epsilon", 1e-4f)), training_(init.attrs().flag("is_training", true)) {}

  Status compute(KernelContext& c) override {
    const Tensor &dyIn = c.input(0), &xIn = c.input(1), &scale = c.input(2), &mean = c.input(3), &variance = c.input(4);
    WEFT_LET(const BatchNormSizes sizes, batchNormGradSizes(c));
    const int64_t channels = sizes.channels, rows = channels ? sizes.outer : 0;
    WEFT_LET(const Tensor dyWide, asFloat(c, dyIn));
    WEFT_LET(const Tensor xWide, asFloat(c, xIn));
    const float *dy = dyWide.data<float>(), *x = xWide.data<float>(), *mu = mean.data<float>();
    WEFT_LET(Tensor * dScale, c.allocate(1, {channels}));
    WEFT_LET(Tensor * dOffset, c.allocate(2, {channels}));
    c.setOutput(3, Tensor::scalar(0.f));
    c.setOutput(4, Tensor::scalar(0.f));
    const auto& k = cpu::nnKernels();
    const size_t n = size_t(channels);
    std::vector<float> sums(2 * n);  // of dy, then of dy * (x - mean)
    channelSums(rows, channels, 2, sums.data(), [&](float* to, int64_t begin, int64_t end) {
      k.columnDots(to, to + channels, dy + begin * channels, x + begin * channels, mu, end - begin, channels);
    });
    std::vector<float> factor(n), a(n, 0.f), b(n, 0.f);
    for (size_t i = 0; i < n; ++i) {
      const float root = 1.f / std::sqrt(variance.data<float>()[i] + epsilon_);
      factor[i] = scale.data<float>()[i] * root;
      dScale->mutableData<float>()[i] = sums[n + i] * root;
      dOffset->mutableData<float>()[i] = sums[i];
      if (training_) {
        a[i] = sums[i] / float(rows);
        b[i] = root * root * (sums[n + i] / float(rows));
      }
    }
    const bool half = xIn.dtype() == DType::Half;
    WEFT_LET(Tensor * dx, half ? c.allocate(0, xIn.shape()) : c.allocateOrForward(0, xIn.shape(), {0, 1}));
    Tensor result = *dx;
    if (half) {
      WEFT_LET(result, c.scratch(DType::Float, xIn.shape()));
    }
    float* out = result.mutableData<float>();
    parallelFor(rows, normalizationRowGrain(channels), [&](int64_t begin, int64_t end) {
      const int64_t at = begin * channels;
      k.normalizeGrad(out + at, dy + at, x + at, mu, factor.data(), a.data(), b.data(), end - begin, channels);
    });
    if (half) narrow(result, *dx);
    return {};
  }

 private:
  float epsilon_;
  bool training_;
};

void addForward(OpRegistry& ops, int version) {
  const std::string t = version == 1 ? "T" : "U";
  OpRecord& r = ops.add(version == 1 ? "FusedBatchNorm" : concat("FusedBatchNormV", version))
                    .category("Normalization")
                    .keywords("batch normalization moments")
                    .summary("Batch normalization per channel, using the batch's statistics (training) or given ones (inference).")
                    .input("x: T", "Images or other tensors with channels, [batch, height, width, channels].")
                    .input("scale: " + t, "Scale per channel (gamma).")
                    .input("offset: " + t, "Offset per channel (beta).")
                    .input("mean: " + t, "Mean per channel, for inference; empty in training.")
                    .input("variance: " + t, "Variance per channel, for inference; empty in training.")
                    .output("y: T", "The normalized tensor.")
                    .output("batch_mean: " + t, "Batch mean of each channel; in inference, the given mean.")
                    .output("batch_variance: " + t, "Unbiased batch variance of each channel; in inference, the given variance.")
                    .output("reserve_space_1: " + t, "Mean, saved for the gradient.")
                    .output("reserve_space_2: " + t, "Biased variance, saved for the gradient.");
  if (version == 3) r.output("reserve_space_3: U", "Unused on the CPU.");
  r.attr(version == 1 ? "T: {float}" : "T: {half, bfloat16, float}", "Type of the images.");
  if (version > 1) r.attr("U: {float}", "Type of the parameters.");
  r.attr("epsilon: float = 0.0001", "Small constant added to the variance to avoid division by zero.")
      .attr(version == 3 ? "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'" : "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
            "Position of the channel dimension.")
      .attr("is_training: bool = true", "Use the statistics of the batch (true) or the given ones (false).")
      .shape(forwardShape)
      .gradient(forwardGradient)
      .cpu(version == 1 ? std::vector<KernelConstraint>{{"T", types::kFloat}}
                        : std::vector<KernelConstraint>{{"T", {DType::Half, DType::Float}}, {"U", types::kFloat}},
           kernelOf<BatchNormKernel>());
}

void addBackward(OpRegistry& ops, int version) {
  const std::string t = version == 1 ? "T" : "U";
  OpRecord& r = ops.add(version == 1 ? "FusedBatchNormGrad" : concat("FusedBatchNormGradV", version))
                    .category("Gradients")
                    .summary("Gradients of batch normalization with respect to its input, scale and offset.")
                    .input("y_backprop: T", "Gradient with respect to the normalized tensor.")
                    .input("x: T", "The input of the forward op.")
                    .input(version == 1 ? "scale: T" : "scale: float", "Factor per channel.")
                    .input("reserve_space_1: " + t, "The mean used by the forward op.")
                    .input("reserve_space_2: " + t, "The variance used by the forward op.");
  if (version == 3) r.input("reserve_space_3: U", "Unused on the CPU.");
  r.output("x_backprop: T", "Gradient of the input.")
      .output("scale_backprop: " + t, "Gradient of the scale.")
      .output("offset_backprop: " + t, "Gradient of the offset.")
      .output((version == 3 ? "reserve_space_4: " : "reserve_space_3: ") + t, "Unused: zeros, in place of a gradient for the mean.")
      .output((version == 3 ? "reserve_space_5: " : "reserve_space_4: ") + t, "Unused: zeros, in place of a gradient for the variance.")
      .attr(version == 1 ? "T: {float}" : "T: {half, bfloat16, float}", "Type of the images.");
  if (version > 1) r.attr("U: {float}", "Type of the parameters.");
  r.attr("epsilon: float = 0.0001", "Small constant added to the variance to avoid division by zero.")
      .attr(version == 3 ? "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'" : "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
            "Position of the channel dimension.")
      .attr("is_training: bool = true", "Use the statistics of the batch (true) or the given ones (false).")
      .shape(batchNormGradShape)
      .gradient(gradGradient)
      .cpu(version == 1 ? std::vector<KernelConstraint>{{"T", types::kFloat}}
                        : std::vector<KernelConstraint>{{"T", {DType::Half, DType::Float}}, {"U", types::kFloat}},
           kernelOf<BatchNormGradKernel>());
}

}  // namespace

void registerBatchNorm(OpRegistry& ops) {
  for (int version = 1; version <= 3; ++version) {
    addForward(ops, version);
    addBackward(ops, version);
  }
  state(ops, OpRole::BatchNorm, Effect::None, "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3");
  makeFresh(ops, "FusedBatchNorm FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3");
  countFlops(ops, 8, "FusedBatchNorm");
  misstateShapes(ops, 3, "FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3");  // the rest are scalars, not empty vectors
}

}  // namespace weft
