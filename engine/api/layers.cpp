#include "api/layers.h"

#include "api/control_flow.h"
#include "api/narrow.h"
#include "api/nn.h"
#include "ops/grad_ops.h"

namespace weft::api::layers {
namespace {

bool requireRank(GraphBuilder& b, Output x, int rank, std::string_view layer) {
  if (!b.ok()) return false;
  const Shape s = b.shape(x);
  if (s.hasRank() && s.rank() == rank) return true;
  b.fail(invalidArgument("Input 0 of layer ", layer, " is incompatible with the layer: expected ndim=", rank, ", found ",
                         s.hasRank() ? "ndim=" + std::to_string(s.rank()) : std::string("an unknown rank"), ". Full shape received: ", s.toPythonString()));
  return false;
}

bool requireKnown(GraphBuilder& b, Output x, int axis, std::string_view layer) {
  if (b.shape(x).dim(axis) > 0) return true;
  b.fail(invalidArgument("The last dimension of the inputs to `", layer, "` should be defined. Found `None`."));
  return false;
}

std::vector<int64_t> pair(std::vector<int64_t> v) {
  if (v.size() == 1) v.push_back(v[0]);
  if (v.size() != 2) v = {1, 1};
  return v;
}

std::string upper(std::string s) {
  for (char& c : s) c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  return s;
}

VariablePtr weight(GraphBuilder& b, std::string_view name, const Shape& shape, const Initializer& initializer, const LayerOptions& o) {
  VariableOptions options;
  options.trainable = o.trainable;
  options.resource = o.resource;
  return getVariable(b, name, shape, initializer, options);
}

Output finished(GraphBuilder& b, Output x, const VariablePtr& bias, const LayerOptions& o) {
  if (bias) x = call(b, "BiasAdd", {x, bias});
  return activation(b, x, o.activation);
}

Output pooled(GraphBuilder& b, std::string_view op, std::string_view base, Output x, std::vector<int64_t> pool, std::vector<int64_t> strides,
              const std::string& padding, const std::string& name) {
  if (!requireRank(b, x, 4, base)) return {};
  pool = pair(pool);
  strides = strides.empty() ? pool : pair(strides);
  for (const int64_t size : pool)
    if (!requireSize(b, size, "pool_size")) return {};
  for (const int64_t stride : strides)
    if (!requireSize(b, stride, "strides")) return {};
  const LayerScope scope(b, name, base);
  return b.op(
      op, {x},
      {{"ksize", std::vector<int64_t>{1, pool[0], pool[1], 1}}, {"strides", std::vector<int64_t>{1, strides[0], strides[1], 1}}, {"padding", upper(padding)}});
}

bool requireWindow(GraphBuilder& b, int64_t filters, const std::vector<int64_t>& kernelSize, const std::vector<int64_t>& strides) {
  bool fits = requireSize(b, filters, "filters");
  for (const int64_t size : kernelSize) fits = fits && requireSize(b, size, "kernel_size");
  for (const int64_t stride : strides) fits = fits && requireSize(b, stride, "strides");
  return fits;
}

}  // namespace

Output dense(GraphBuilder& b, Output x, int64_t units, const LayerOptions& o) {
  if (!requireRank(b, x, 2, "dense") || !requireKnown(b, x, 1, "Dense") || !requireSize(b, units, "units")) return {};
  const LayerScope scope(b, o.name, "dense", o.reuse);
  const VariablePtr kernel = weight(b, "kernel", Shape{b.shape(x).dim(1), units}, o.kernelInitializer, o);
  const VariablePtr bias = o.useBias ? weight(b, "bias", Shape{units}, o.biasInitializer ? o.biasInitializer : zerosInitializer(), o) : nullptr;
  return finished(b, call(b, "MatMul", {x, kernel}), bias, o);
}

Output conv2d(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernelSize, std::vector<int64_t> strides, const std::string& padding,
              const LayerOptions& o) {
  if (!requireRank(b, x, 4, "conv2d") || !requireKnown(b, x, 3, "Conv2D")) return {};
  kernelSize = pair(kernelSize);
  strides = pair(strides);
  if (!requireWindow(b, filters, kernelSize, strides)) return {};
  const LayerScope scope(b, o.name, "conv2d", o.reuse);
  const VariablePtr kernel = weight(b, "kernel", Shape{kernelSize[0], kernelSize[1], b.shape(x).dim(3), filters}, o.kernelInitializer, o);
  const VariablePtr bias = o.useBias ? weight(b, "bias", Shape{filters}, o.biasInitializer ? o.biasInitializer : zerosInitializer(), o) : nullptr;
  b.ints({1, 1}, "dilation_rate");
  const Output y = call(b, "Conv2D", {x, kernel}, {{"strides", std::vector<int64_t>{1, strides[0], strides[1], 1}}, {"padding", upper(padding)}});
  return finished(b, y, bias, o);
}

Output conv2dTranspose(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernelSize, std::vector<int64_t> strides, const std::string& padding,
                       const LayerOptions& o) {
  if (!requireRank(b, x, 4, "conv2d_transpose") || !requireKnown(b, x, 3, "Conv2DTranspose")) return {};
  kernelSize = pair(kernelSize);
  strides = pair(strides);
  if (!requireWindow(b, filters, kernelSize, strides)) return {};
  const LayerScope scope(b, o.name, "conv2d_transpose", o.reuse);
  const Shape in = b.shape(x);
  const VariablePtr kernel = weight(b, "kernel", Shape{kernelSize[0], kernelSize[1], filters, in.dim(3)}, o.kernelInitializer, o);
  const VariablePtr bias = o.useBias ? weight(b, "bias", Shape{filters}, o.biasInitializer ? o.biasInitializer : zerosInitializer(), o) : nullptr;
  const Output shape = py::shape(b, x);
  const Output batch = py::at(b, shape, 0), height = py::at(b, shape, 1), width = py::at(b, shape, 2);
  const bool valid = upper(padding) == "VALID";
  const auto grown = [&](Output size, int i) {
    const Output scaled = py::mul(b, size, int(strides[size_t(i)]));
    return valid ? py::add(b, scaled, int(std::max<int64_t>(kernelSize[size_t(i)] - strides[size_t(i)], 0))) : scaled;
  };
  const Output outHeight = grown(height, 0), outWidth = grown(width, 1);
  const Output outShape = py::stack(b, {batch, outHeight, outWidth, int(filters)});
  py::at(b, outShape, 0);
  const Output y = call(b, "Conv2DBackpropInput", {outShape, kernel, x},
                        {{"strides", std::vector<int64_t>{1, strides[0], strides[1], 1}}, {"padding", upper(padding)}}, "conv2d_transpose");
  Shape known = {in.dim(0), Shape::kUnknownDim, Shape::kUnknownDim, filters};
  for (int i = 0; i < 2; ++i) {
    if (in.dim(i + 1) >= 0) {
      known.setDim(i + 1, in.dim(i + 1) * strides[size_t(i)] + (valid ? std::max<int64_t>(kernelSize[size_t(i)] - strides[size_t(i)], 0) : 0));
    }
  }
  b.setShape(y, known);
  return finished(b, y, bias, o);
}

Output separableConv2d(GraphBuilder& b, Output x, int64_t filters, std::vector<int64_t> kernelSize, std::vector<int64_t> strides, const std::string& padding,
                       int64_t multiplier, const LayerOptions& o) {
  if (!requireRank(b, x, 4, "separable_conv2d") || !requireKnown(b, x, 3, "SeparableConv2D")) return {};
  kernelSize = pair(kernelSize);
  strides = pair(strides);
  if (!requireWindow(b, filters, kernelSize, strides) || !requireSize(b, multiplier, "depth_multiplier")) return {};
  const LayerScope scope(b, o.name, "separable_conv2d", o.reuse);
  const int64_t depth = b.shape(x).dim(3);
  const VariablePtr depthwise = weight(b, "depthwise_kernel", Shape{kernelSize[0], kernelSize[1], depth, multiplier}, o.kernelInitializer, o);
  const VariablePtr pointwise = weight(b, "pointwise_kernel", Shape{1, 1, depth * multiplier, filters}, o.kernelInitializer, o);
  const VariablePtr bias = o.useBias ? weight(b, "bias", Shape{filters}, o.biasInitializer ? o.biasInitializer : zerosInitializer(), o) : nullptr;
  Output y;
  {
    const py::Scope inside(b, "separable_conv2d");
    const Output wide = read(b, *depthwise), narrow = read(b, *pointwise);
    b.ints({int32_t(kernelSize[0]), int32_t(kernelSize[1]), int32_t(depth), int32_t(multiplier)}, "Shape");
    b.ints({1, 1}, "dilation_rate");
    const Output each =
        b.op("DepthwiseConv2dNative", {x, wide}, {{"strides", std::vector<int64_t>{1, strides[0], strides[1], 1}}, {"padding", upper(padding)}}, "depthwise");
    y = b.op("Conv2D", {each, narrow}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", std::string("VALID")}}, inside.name());
  }
  return finished(b, y, bias, o);
}

Output maxPooling2d(GraphBuilder& b, Output x, std::vector<int64_t> pool, std::vector<int64_t> strides, const std::string& padding, const std::string& name) {
  return pooled(b, "MaxPool", "max_pooling2d", x, std::move(pool), std::move(strides), padding, name);
}
Output averagePooling2d(GraphBuilder& b, Output x, std::vector<int64_t> pool, std::vector<int64_t> strides, const std::string& padding,
                        const std::string& name) {
  return pooled(b, "AvgPool", "average_pooling2d", x, std::move(pool), std::move(strides), padding, name);
}

Output flatten(GraphBuilder& b, Output x, const std::string& name) {
  if (!b.ok()) return {};
  const LayerScope scope(b, name, "flatten");
  const Shape s = b.shape(x);
  Output out;
  if (s.hasRank() && s.rank() > 0 && s.dim(0) >= 0) {
    out = py::reshape(b, x, std::vector<int64_t>{s.dim(0), -1});
  } else {
    const Output batch = py::at(b, py::shape(b, x), 0);
    const py::Scope own(b, "Reshape");
    Output dims;
    {
      const py::Scope pack(b, "shape");
      const Output rest = b.scalar<int32_t>(-1, "1");
      dims = b.op("Pack", {batch, rest}, {{"axis", 0}}, pack.name());
    }
    out = b.op("Reshape", {x, dims}, {}, own.name());
  }
  if (s.hasRank()) {
    const int64_t rest = s.slice(1).elements();
    b.setShape(out, Shape{s.rank() > 0 ? s.dim(0) : 1, rest});
  }
  return out;
}

Output dropout(GraphBuilder& b, Output x, double rate, const Training& training, std::optional<int64_t> seed, const std::string& name) {
  if (!b.ok()) return {};
  const LayerScope scope(b, name, "dropout");
  if (training.tensor.valid()) {
    const auto out = cond(
        b, training.tensor, [&] { return std::vector<Output>{api::dropout(b, x, rate, seed)}; }, [&] { return std::vector<Output>{b.identity(x)}; });
    return out.empty() ? Output{} : out[0];
  }
  return training.value ? api::dropout(b, x, rate, seed) : b.identity(x);
}

namespace {

// variable -= (variable - value) * (1 - momentum)
void updateAverage(GraphBuilder& b, const VariablePtr& v, Output value, Output momentum, double fixedMomentum, std::string_view name) {
  const py::Scope scope(b, name);
  const auto with = b.colocateWith(v->handle.node);
  Output rate, difference;
  if (momentum.valid()) {
    rate = py::sub(b, 1, momentum);
  } else {
    rate = b.number(b.dtype(value), 1 - fixedMomentum, "decay");
  }
  if (v->resource) {
    Output current;
    {
      current = read(b, *v);
      difference = py::sub(b, current, value);
    }
    const Output step = py::mul(b, difference, rate);
    const int id = b.node("AssignSubVariableOp", {v->handle, step}, {{"dtype", v->dtype}});
    if (b.ok()) b.addToCollection("update_ops", b.nodeAt(id).name);
    return;
  }
  difference = py::sub(b, v->snapshot, value);
  const Output step = py::mul(b, difference, rate);
  const Output update = b.op("AssignSub", {v->handle, step}, {}, scope.name());
  if (b.ok()) b.addToCollection("update_ops", b.graph().tensorName(update));
}

}  // namespace

Output batchNormalization(GraphBuilder& b, Output x, const Training& training, double momentum, double epsilon, const std::string& name,
                          std::optional<bool> resource) {
  if (!b.ok()) return {};
  const Shape s = b.shape(x);
  if (!s.hasRank() || (s.rank() != 2 && s.rank() != 4) || s.dim(s.rank() - 1) <= 0) {
    b.fail(invalidArgument("batch_normalization: expected an input of rank 2 or 4 with a known last dimension, found ", s.toPythonString()));
    return {};
  }
  const int64_t channels = s.dim(s.rank() - 1);
  const LayerScope scope(b, name, "batch_normalization");
  LayerOptions own;
  own.resource = resource;
  const VariablePtr gamma = weight(b, "gamma", Shape{channels}, onesInitializer(), own);
  const VariablePtr beta = weight(b, "beta", Shape{channels}, zerosInitializer(), own);
  own.trainable = false;
  const VariablePtr mean = weight(b, "moving_mean", Shape{channels}, zerosInitializer(), own);
  const VariablePtr variance = weight(b, "moving_variance", Shape{channels}, onesInitializer(), own);

  if (s.rank() == 4) {
    const auto fused = [&](bool train) {
      std::vector<Arg> args = {x, gamma, beta};
      if (train) {
        args.emplace_back(b.constant(Tensor::zeros(DType::Float, Shape{0})));
        args.emplace_back(b.constant(Tensor::zeros(DType::Float, Shape{0})));
      } else {
        args.emplace_back(mean);
        args.emplace_back(variance);
      }
      const int id = callNode(b, "FusedBatchNormV3", args, {{"epsilon", epsilon}, {"is_training", train}});
      return std::vector<Output>{{id, 0}, {id, 1}, {id, 2}};
    };
    if (!training.tensor.valid()) {
      const auto out = fused(training.value);
      const Output m = b.number(DType::Float, momentum);
      if (!training.value) return out[0];
      updateAverage(b, mean, out[1], m, momentum, "AssignMovingAvg");
      updateAverage(b, variance, out[2], m, momentum, "AssignMovingAvg");
      return out[0];
    }
    const auto out = cond(
        b, training.tensor, [&] { return fused(true); }, [&] { return fused(false); });
    const auto rate = cond(
        b, training.tensor, [&] { return std::vector<Output>{b.number(DType::Float, momentum)}; },
        [&] { return std::vector<Output>{b.number(DType::Float, 1)}; });
    if (out.empty() || rate.empty()) return {};
    updateAverage(b, mean, out[1], rate[0], momentum, "AssignMovingAvg");
    updateAverage(b, variance, out[2], rate[0], momentum, "AssignMovingAvg");
    return out[0];
  }
  if (training.tensor.valid()) {
    b.fail(unimplemented("batch_normalization of rank 2 with a tensor for `training`; say true or false"));
    return {};
  }
  Output batchMean = mean->snapshot, batchVariance = variance->snapshot;
  if (training.value) {
    {
      const auto inside = b.nameScope("moments");
      const auto meanOf = [&](Output v, std::string_view as) {
        const py::Scope own2(b, as);
        const Output axes = b.ints({0}, "reduction_indices");
        return b.op("Mean", {v, axes}, {{"keep_dims", true}}, own2.name());
      };
      const Output m = meanOf(x, "mean");
      const Output still = b.op("StopGradient", {m});
      const Output v = meanOf(b.op("SquaredDifference", {x, still}), "variance");
      batchMean = b.op("Squeeze", {m}, {{"squeeze_dims", std::vector<int64_t>{0}}});
      batchVariance = b.op("Squeeze", {v}, {{"squeeze_dims", std::vector<int64_t>{0}}});
    }
    updateAverage(b, mean, batchMean, {}, momentum, "AssignMovingAvg");
    updateAverage(b, variance, batchVariance, {}, momentum, "AssignMovingAvg");
  }
  const auto inside = b.nameScope("batchnorm");
  const Output shifted = py::add(b, batchVariance, epsilon);
  const Output inverse = b.op("Rsqrt", {shifted});
  const Output scale = py::mul(b, inverse, read(b, *gamma));
  const Output scaled = py::mul(b, x, scale);
  const Output offset = py::mul(b, batchMean, scale);
  return py::add(b, scaled, py::sub(b, read(b, *beta), offset));
}

}  // namespace weft::api::layers
