// tf.layers: pooling, batch normalization.
#include <algorithm>

#include "api/layer_functions.h"

namespace weft::api::layers {
namespace {

Built pooled(Call& c, bool max, size_t n) {
  GraphBuilder& b = c.b;
  const std::string base = std::string(max ? "max" : "average") + "_pooling" + std::to_string(n) + "d";
  const Output x = toTensor(b, c["inputs"], {});
  if (!expectRank(b, x, int(n) + 2, c.name(base))) return b.status().error();
  const bool first = c.a.text("data_format") == "channels_first";
  std::vector<int64_t> window = spread(c, "pool_size", n), strides = c.has("strides") ? spread(c, "strides", n) : window;
  const LayerCall layer(c, base);
  Output in = x;
  const int64_t flat = first ? 3 : 2;
  if (n == 1) {
    in = tf::expandDims(b, x, flat);
    window.push_back(1);
    strides.push_back(1);
  }
  const bool turned = n == 3 && first;
  if (turned) in = tf::transpose(b, in, std::vector<int64_t>{0, 2, 3, 4, 1});
  const bool front = first && !turned;
  for (auto* v : {&window, &strides}) {
    v->insert(v->begin(), front ? 2 : 1, 1);
    if (!front) v->push_back(1);
  }
  const std::string op = std::string(max ? "MaxPool" : "AvgPool") + (n == 3 ? "3D" : "");
  Output y = b.op(op, {in},
                  {{"ksize", window},
                   {"strides", strides},
                   {"padding", upper(c.a.text("padding"))},
                   {"data_format", n == 3  ? "NDHWC"
                                   : front ? "NCHW"
                                           : "NHWC"}});
  if (turned) y = tf::transpose(b, y, std::vector<int64_t>{0, 4, 1, 2, 3});
  return c.one(n == 1 ? tf::squeeze(b, y, {flat}) : y);
}

// variable -= (variable - value) * (1 - momentum)
Output updateAverage(GraphBuilder& b, const VariablePtr& v, Output value, const Argument& momentum) {
  const py::Scope scope(b, "AssignMovingAvg");
  const auto beside = b.colocateWith(v->handle.node);
  Output rate = holdsTensor(momentum) ? tf::minus(b, 1.0, momentum) : toTensor(b, 1.0 - Arguments{{"m", momentum}}.number("m"), "decay");
  rate = tf::cast(b, rate, v->dtype);
  const Output difference = tf::minus(b, v, tf::cast(b, value, v->dtype));
  const Output step = tf::times(b, difference, rate);
  if (!v->resource) return emit(b, "AssignSub", {v, step}, {}, scope.name());
  const int id = emitNode(b, "AssignSubVariableOp", {v, step}, {{"dtype", v->dtype}});
  const auto wait = b.controlDependencies({id});
  return read(b, *v);
}

void updated(GraphBuilder& b, Output o) {
  if (b.ok() && o.valid()) b.addToCollection("update_ops", b.nodeAt(o.node).name);
}

struct Averages {
  VariablePtr mean, variance;
};

Output fused(Call& c, Output x, const Argument& gamma, const Argument& beta, const Averages& moving, const std::string& format) {
  GraphBuilder& b = c.b;
  const double momentum = c.a.number("momentum"), epsilon = std::max(c.a.number("epsilon"), 1.001e-5);
  const auto normalized = [&](bool train) -> std::vector<Output> {
    const Output scale = toTensor(b, gamma, "scale"), offset = toTensor(b, beta, "offset");
    const Argument mean = train ? Argument(b.constant(Tensor::zeros(DType::Float, {0}))) : Argument(moving.mean);
    const Argument variance = train ? Argument(b.constant(Tensor::zeros(DType::Float, {0}))) : Argument(moving.variance);
    auto all = emitAll(b, "FusedBatchNormV3", {x, scale, offset, mean, variance}, {{"epsilon", epsilon}, {"data_format", format}, {"is_training", train}});
    if (!b.ok()) return {};
    all.resize(3);
    return all;
  };
  const auto out = ifTraining(
      c, [&] { return normalized(true); }, [&] { return normalized(false); });
  if (!b.ok() || out.size() < 3) return {};
  const auto known = knownTraining(c);
  Argument rate;
  if (known) rate = tf::constant(b, momentum);
  else
    rate = ifTraining(
        c, [&]() -> std::vector<Output> { return {tf::constant(b, momentum)}; }, [&]() -> std::vector<Output> { return {tf::constant(b, 1.0)}; })[0];
  if (!known || *known) {
    updated(b, updateAverage(b, moving.mean, out[1], rate));
    updated(b, updateAverage(b, moving.variance, out[2], rate));
  }
  return out[0];
}

Output composed(Call& c, Output x, const VariablePtr& gamma, const VariablePtr& beta, const Averages& moving, int axis) {
  GraphBuilder& b = c.b;
  const Shape s = b.shape(x);
  std::vector<int64_t> axes, wide(static_cast<size_t>(s.rank()), 1);
  for (int i = 0; i < s.rank(); ++i) {
    if (i != axis) axes.push_back(i);
  }
  wide[size_t(axis)] = s.dim(axis);
  const auto broadcast = [&](const Argument& v) -> Argument {
    if (isNone(v) || axis == s.rank() - 1) return v;
    return tf::reshape(b, v, wide);
  };
  const Argument scale = broadcast(gamma ? Argument(gamma) : Argument()), offset = broadcast(beta ? Argument(beta) : Argument());
  Argument mean = moving.mean, variance = moving.variance;
  const auto known = knownTraining(c);
  if (!known || *known) {
    const auto [batchMean, batchVariance] = nn::moments(b, x, axes, false);
    const auto pick = [&](Output batch, const VariablePtr& v) {
      const auto out = ifTraining(
          c, [&]() -> std::vector<Output> { return {batch}; }, [&]() -> std::vector<Output> { return {toTensor(b, v, {})}; });
      return out.empty() ? Output{} : out[0];
    };
    const Output m = pick(batchMean, moving.mean), v = pick(batchVariance, moving.variance);
    mean = m;
    variance = v;
    const auto update = [&](const VariablePtr& target, Output value) {
      const auto out = ifTraining(
          c, [&]() -> std::vector<Output> { return {updateAverage(b, target, value, c["momentum"])}; },
          [&]() -> std::vector<Output> { return {toTensor(b, target, {})}; });
      if (!out.empty()) updated(b, out[0]);
    };
    update(moving.mean, m);
    update(moving.variance, v);
  }
  const auto typed = [&](const Argument& v) -> Argument {
    return isNone(v) || std::holds_alternative<VariablePtr>(v) ? v : Argument(tf::cast(b, v, b.dtype(x)));
  };
  const Argument wideMean = broadcast(typed(mean)), wideVariance = broadcast(typed(variance)), shift = typed(offset), stretch = typed(scale);
  const Output y = nn::batchNormalization(b, x, wideMean, wideVariance, shift, stretch, c.a.number("epsilon"));
  b.setShape(y, s);
  return y;
}

Built batchNormalization(Call& c) {
  GraphBuilder& b = c.b;
  const Output x = toTensor(b, c["inputs"], {});
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  if (!s.hasRank()) return invalidArgument("Input has undefined rank:", s.toPythonString());
  int64_t axis = c.a.integer("axis");
  if (axis < 0) axis += s.rank();
  if (axis < 0 || axis >= s.rank()) return invalidArgument("Invalid axis: ", axis);
  if (s.dim(int(axis)) <= 0) return invalidArgument("Input has undefined `axis` dimension. Input shape: ", s.toPythonString());
  if (c.a.flag("renorm")) return unimplemented("batch_normalization with renorm");
  const bool inOne = s.rank() == 4 && (axis == 1 || axis == 3) && (!c.has("fused") || c.a.flag("fused"));
  const Shape channels{s.dim(int(axis))};
  const LayerCall layer(c, "batch_normalization");
  VariablePtr gamma, beta;
  Argument one, zero;
  if (c.a.flag("scale")) gamma = layer.weight("gamma", channels, "gamma_initializer", "gamma_regularizer", true, onesInitializer());
  else if (inOne) one = b.constant(Tensor::of(std::vector<float>(size_t(channels.dim(0)), 1.f), channels));
  if (c.a.flag("center")) beta = layer.weight("beta", channels, "beta_initializer", "beta_regularizer", true, zerosInitializer());
  else if (inOne) zero = b.constant(Tensor::zeros(DType::Float, channels));
  Averages moving;
  moving.mean = layer.weight("moving_mean", channels, "moving_mean_initializer", {}, false, zerosInitializer());
  moving.variance = layer.weight("moving_variance", channels, "moving_variance_initializer", {}, false, onesInitializer());
  if (!inOne) return c.one(composed(c, x, gamma, beta, moving, int(axis)));
  return c.one(fused(c, x, gamma ? Argument(gamma) : one, beta ? Argument(beta) : zero, moving, axis == 1 ? "NCHW" : "NHWC"));
}

}  // namespace

void registerPooling(ApiRegistry& r) {
  for (size_t n = 1; n <= 3; ++n) {
    for (const bool max : {true, false}) {
      def(r, std::string("layers.") + (max ? "max" : "average") + "_pooling" + std::to_string(n) + "d",
          "inputs|pool_size: ints -- Size of the window.|strides: ints|padding: string=valid|data_format: string=channels_last|name", "Pooling layer.",
          "A tensor.", [max, n](Call& c) { return pooled(c, max, n); });
    }
  }
}

void registerBatchNormalization(ApiRegistry& r) {
  def(r, "layers.batch_normalization",
      "inputs|axis: int=-1 -- Channel dimension.|momentum: float=0.99 -- Momentum of the moving averages.|epsilon: float=0.001 -- Small constant added to "
      "the variance.|center: bool=true -- Whether to add a learned offset, beta.|scale: bool=true -- Whether to multiply by a learned scale, "
      "gamma.|beta_initializer: callback=None -- Initializer of beta.|gamma_initializer: callback=None -- Initializer of gamma.|moving_mean_initializer: "
      "callback=None -- Initializer of the moving mean.|moving_variance_initializer: callback=None -- Initializer of the moving variance.|beta_regularizer: "
      "callback=None -- Regularizer of beta.|gamma_regularizer: callback=None -- Regularizer of gamma.|beta_constraint: callback=None -- Projection of beta "
      "after each update.|gamma_constraint: callback=None -- Projection of gamma after each update.|training: any=false|trainable: bool=true|name|reuse: "
      "bool=None|renorm: bool=false -- Batch renormalization; not supported.|renorm_clipping: any=None -- Bounds of the renormalization.|renorm_momentum: "
      "float=0.99 -- Momentum of the renormalization.|fused: bool=None -- Use the fused op; None: where possible.|virtual_batch_size: int=None -- Size of "
      "sub-batches that are normalized separately.|adjustment: callback=None -- Function that changes scale and offset during training.",
      "Batch normalization: normalizes each channel over the batch to mean 0 and variance 1, then applies a learned scale and offset.", "A tensor.",
      batchNormalization);
}

}  // namespace weft::api::layers
