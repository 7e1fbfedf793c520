// tf.layers: dense, convolutions of all kinds, flatten, dropout.
#include "api/layer_functions.h"

#include <algorithm>

#include "api/control_flow.h"

namespace weft::api::layers {

Initializer initializerOf(const Call& c, const std::string& parameter) {
  const auto* given = std::get_if<Callback>(&c[parameter]);
  if (!given) return {};
  return [make = *given](GraphBuilder& b, const Shape& shape, DType type) -> Output {
    Values v;
    v.others = {Argument(type), Argument(shape)};
    auto made = make(b, v);
    if (!made.ok()) b.fail(made.error());
    return made.ok() && !made->outputs.empty() ? made->outputs[0] : Output{};
  };
}

LayerCall::LayerCall(Call& c, std::string_view base) : c_(c) {
  if (c.name() != "/") scope_.emplace(c.b, c.name(), base, c.a.flag("reuse"));
}

VariablePtr LayerCall::weight(std::string_view name, const Shape& shape, const std::string& initializer, const std::string& regularizer, bool trainable,
                              const Initializer& otherwise, DType type) const {
  VariableOptions options;
  options.dtype = type;
  options.trainable = trainable && (!c_.has("trainable") || c_.a.flag("trainable"));
  Initializer make = initializerOf(c_, initializer);
  const int before = b().graph().size();
  const VariablePtr v = getVariable(b(), name, shape, make ? make : otherwise, options);
  const auto* penalty = std::get_if<Callback>(&c_[regularizer]);
  if (!penalty || !b().ok() || b().graph().size() == before) return v;  // an existing variable already has its loss
  const py::Scope scope(b(), std::string(name) + "/Regularizer");
  Values arguments;
  arguments.others = {Argument(v)};
  auto loss = (*penalty)(b(), arguments);
  if (!loss.ok()) b().fail(loss.error());
  else if (!loss->outputs.empty() && loss->outputs[0].valid()) b().addToCollection("regularization_losses", b().graph().tensorName(loss->outputs[0]));
  return v;
}

Output LayerCall::activated(Output x) const {
  if (const auto* name = std::get_if<std::string>(&c_["activation"])) {
    auto made = buildApi(b(), "nn." + *name,
                         {{*name == "sigmoid" || *name == "tanh"          ? "x"
                           : *name == "softmax" || *name == "log_softmax" ? "logits"
                                                                          : "features",
                           x}});
    if (!made.ok()) b().fail(made.error());
    return made.ok() ? made->outputs[0] : Output{};
  }
  return c_.has("activation") ? c_.callback("activation", {x}) : x;
}

Output LayerCall::finished(Output x, const VariablePtr& bias, bool channelsFirst) const {
  if (bias) x = nn::biasAdd(b(), x, bias, channelsFirst ? "NCHW" : "NHWC");
  return activated(x);
}

std::optional<bool> knownTraining(Call& c) {
  const Argument& t = c["training"];
  if (isNone(t)) return false;
  const auto known = knownValue(c.b, t);
  return known ? std::optional(known->asDouble(0) != 0) : std::nullopt;
}

std::vector<Output> ifTraining(Call& c, const std::function<std::vector<Output>()>& yes, const std::function<std::vector<Output>()>& no) {
  if (const auto known = knownTraining(c)) return *known ? yes() : no();
  return cond(c.b, c.tensor("training"), yes, no);
}

std::vector<int64_t> spread(const Call& c, const std::string& parameter, size_t n) {
  std::vector<int64_t> v = c.a.integers(parameter);
  if (v.size() == 1) v.assign(n, v[0]);
  if (v.size() != n && c.b.ok()) {
    c.b.fail(invalidArgument("The `", parameter, "` argument must be a tuple of ", n, " integers. Received: ", v.size()));
    v.assign(n, 1);
  }
  return v;
}

std::string upper(std::string s) {
  for (char& ch : s) ch = ch >= 'a' && ch <= 'z' ? char(ch - 32) : ch;
  return s;
}

bool expectRank(GraphBuilder& b, Output x, int rank, std::string_view layer, bool atLeast) {
  if (!b.ok()) return false;
  const Shape s = b.shape(x);
  if (s.hasRank() && (atLeast ? s.rank() >= rank : s.rank() == rank)) return true;
  if (!s.hasRank())
    b.fail(invalidArgument("Input 0 of layer ", layer, " is incompatible with the layer: its rank is undefined, but the layer requires a defined rank."));
  else
    b.fail(invalidArgument("Input 0 of layer ", layer, " is incompatible with the layer: : expected ", atLeast ? "min_ndim=" : "ndim=", rank,
                           ", found ndim=", s.rank(), ". Full shape received: ", s.toPythonString()));
  return false;
}

namespace {

const char* kRest =
    "|activity_regularizer: callback=None|kernel_constraint: callback=None|bias_constraint: callback=None|trainable: bool=true|name|reuse: bool=None";

Output known(GraphBuilder& b, Output x, int axis, std::string_view layer) {
  if (b.ok() && b.shape(x).dim(axis) <= 0)
    b.fail(invalidArgument("The ", axis == 1 ? "channel dimension" : "last dimension", " of the inputs to `", layer, "` should be defined. Found `None`."));
  return x;
}

void penalize(Call& c, Output x) {
  if (!c.has("activity_regularizer") || !c.b.ok()) return;
  const py::Scope scope(c.b, "ActivityRegularizer");
  const Output loss = c.callback("activity_regularizer", {x});
  if (c.b.ok() && loss.valid()) c.b.addToCollection("regularization_losses", c.b.graph().tensorName(loss));
}

Built dense(Call& c) {
  GraphBuilder& b = c.b;
  const Output x = toTensor(b, c["inputs"], {});
  const int64_t units = c.a.integer("units");
  if (!expectRank(b, x, 2, c.name("dense"), true)) return b.status().error();
  const Shape s = b.shape(x);
  if (s.dim(s.rank() - 1) <= 0) return invalidArgument("The last dimension of the inputs to `Dense` should be defined. Found `None`.");
  const LayerCall layer(c, "dense");
  const DType type = b.dtype(x);
  const VariablePtr kernel = layer.weight("kernel", Shape{s.dim(s.rank() - 1), units}, "kernel_initializer", "kernel_regularizer", true, {}, type);
  VariablePtr bias;
  if (c.a.flag("use_bias")) bias = layer.weight("bias", Shape{units}, "bias_initializer", "bias_regularizer", true, zerosInitializer(), type);
  Output y;
  if (s.rank() > 2) {
    y = tf::tensordot(b, x, kernel, ArgumentList{std::vector<int64_t>{s.rank() - 1}, std::vector<int64_t>{0}});
    Shape out = s.slice(0, s.rank() - 1);
    out.append(units);
    b.setShape(y, out);
  } else {
    y = emit(b, "MatMul", {x, kernel});
  }
  y = layer.finished(y, bias);
  penalize(c, y);
  return c.one(y);
}

/// Common start of the convolution layers: an input of the right rank with known channels, and sizes for each of its `n` spatial dimensions.
struct SpatialCall {
  Output x;
  bool first = false;  ///< Channels come before the spatial dimensions.
  int axis = 0;        ///< Of the channels.
  std::vector<int64_t> size, strides;
  int64_t filters = 0;
};

Result<SpatialCall> spatialCall(Call& c, size_t n, const std::string& base, const std::string& className) {
  GraphBuilder& b = c.b;
  SpatialCall s;
  s.x = toTensor(b, c["inputs"], {});
  s.first = c.a.text("data_format") == "channels_first";
  if (!expectRank(b, s.x, int(n) + 2, c.name(base))) return b.status().error();
  s.axis = s.first ? 1 : int(n) + 1;
  known(b, s.x, s.axis, className);
  s.size = spread(c, "kernel_size", n);
  s.strides = spread(c, "strides", n);
  s.filters = c.a.integer("filters");
  if (!b.ok()) return b.status().error();
  return s;
}

/// Strides for all dimensions of the input: 1 for samples and channels.
std::vector<int64_t> allStrides(std::vector<int64_t> strides, bool first) {
  strides.insert(strides.begin(), first ? 2 : 1, 1);
  if (!first) strides.push_back(1);
  return strides;
}

Built convolution(Call& c, size_t n) {
  GraphBuilder& b = c.b;
  const std::string base = "conv" + std::to_string(n) + "d";
  WEFT_LET(const SpatialCall s, spatialCall(c, n, base, "Conv" + std::to_string(n) + "D"));
  const auto& [x, first, axis, size, strides, filters] = s;
  const auto rate = spread(c, "dilation_rate", n);
  if (!b.ok()) return b.status().error();
  const LayerCall layer(c, base);
  Shape shape(size);
  shape.append(b.shape(x).dim(axis));
  shape.append(filters);
  const DType type = b.dtype(x);
  const VariablePtr kernel = layer.weight("kernel", shape, "kernel_initializer", "kernel_regularizer", true, {}, type);
  VariablePtr bias;
  if (c.a.flag("use_bias")) bias = layer.weight("bias", Shape{filters}, "bias_initializer", "bias_regularizer", true, zerosInitializer(), type);
  static const char* kFormats[2][3] = {{"NWC", "NHWC", "NDHWC"}, {"NCW", "NCHW", "NCDHW"}};
  const std::string format = kFormats[first][n - 1];
  const std::vector<int64_t> steps = allStrides(strides, first), ones(n + 2, 1);
  const auto apply = [&](Output value, const std::string& padding) {
    if (n == 1) return nn::conv1d(b, value, kernel, s.strides, padding, format, {});
    return emit(b, n == 2 ? "Conv2D" : "Conv3D", {value, kernel}, {{"strides", steps}, {"padding", padding}, {"data_format", format}, {"dilations", ones}});
  };
  std::string padding = upper(c.a.text("padding"));
  Output in = x;
  if (padding == "CAUSAL") {
    // Zeros in front, so that no step depends on a later one.
    const int64_t left = rate[0] * (size[0] - 1);
    using Ints = std::vector<int64_t>;
    in = tf::pad(b, x, first ? ArgumentList{Ints{0, 0}, Ints{0, 0}, Ints{left, 0}} : ArgumentList{Ints{0, 0}, Ints{left, 0}, Ints{0, 0}});
    padding = "VALID";
  }
  Output y = nn::withSpaceToBatch(b, in, rate, padding, apply, shape, {}, format);
  y = layer.finished(y, bias, first);
  penalize(c, y);
  return c.one(y);
}

Built separable(Call& c, size_t n) {
  GraphBuilder& b = c.b;
  const std::string base = "separable_conv" + std::to_string(n) + "d";
  WEFT_LET(const SpatialCall s, spatialCall(c, n, base, "SeparableConv" + std::to_string(n) + "D"));
  const auto& [x, first, axis, size, strides, filters] = s;
  const auto rate = spread(c, "dilation_rate", n);
  const int64_t multiplier = c.a.integer("depth_multiplier");
  if (!b.ok()) return b.status().error();
  const int64_t depth = b.shape(x).dim(axis);
  const LayerCall layer(c, base);
  Shape wide(size), narrow(std::vector<int64_t>(n, 1));
  wide.append(depth);
  wide.append(multiplier);
  narrow.append(depth * multiplier);
  narrow.append(filters);
  const VariablePtr depthwise = layer.weight("depthwise_kernel", wide, "depthwise_initializer", "depthwise_regularizer");
  const VariablePtr pointwise = layer.weight("pointwise_kernel", narrow, "pointwise_initializer", "pointwise_regularizer");
  VariablePtr bias;
  if (c.a.flag("use_bias")) bias = layer.weight("bias", Shape{filters}, "bias_initializer", "bias_regularizer", true, zerosInitializer());
  Argument in = x, w = depthwise, p = pointwise;
  std::vector<int64_t> spreadRate = rate;
  const int64_t space = first ? 2 : 1;
  if (n == 1) {
    in = tf::expandDims(b, x, space);
    w = tf::expandDims(b, depthwise, 0);
    p = tf::expandDims(b, pointwise, 0);
    spreadRate = {1, rate[0]};
  }
  const std::vector<int64_t> steps = allStrides(n == 1 ? std::vector{strides[0], strides[0]} : strides, first);
  WEFT_LET(const Values made, buildApi(b, "nn.separable_conv2d", {{"input", in}, {"depthwise_filter", w}, {"pointwise_filter", p}, {"strides", steps}, {"padding", upper(c.a.text("padding"))},
                                                                  {"rate", spreadRate}, {"data_format", std::string(first ? "NCHW" : "NHWC")}}));
  Output y = made.outputs[0];
  if (bias) y = nn::biasAdd(b, y, bias, first ? "NCHW" : "NHWC");
  if (n == 1) y = tf::squeeze(b, y, {space});
  y = layer.activated(y);
  penalize(c, y);
  return c.one(y);
}

Built transposed(Call& c, size_t n) {
  GraphBuilder& b = c.b;
  const std::string base = "conv" + std::to_string(n) + "d_transpose";
  WEFT_LET(const SpatialCall call, spatialCall(c, n, base, "Conv" + std::to_string(n) + "DTranspose"));
  const auto& [x, first, axis, size, strides, filters] = call;
  const bool valid = upper(c.a.text("padding")) == "VALID";
  const int space = first ? 2 : 1;
  const Shape s = b.shape(x);
  const LayerCall layer(c, base);
  Shape shape(size);
  shape.append(filters);
  shape.append(s.dim(axis));
  const VariablePtr kernel = layer.weight("kernel", shape, "kernel_initializer", "kernel_regularizer");
  VariablePtr bias;
  if (c.a.flag("use_bias")) bias = layer.weight("bias", Shape{filters}, "bias_initializer", "bias_regularizer", true, zerosInitializer());
  const Output dims = tf::shape(b, x);
  const Output batch = tf::at(b, dims, 0);
  std::vector<Output> lengths;
  for (size_t i = 0; i < n; ++i) lengths.push_back(tf::at(b, dims, space + int64_t(i)));
  Shape known = s;
  for (size_t i = 0; i < n; ++i) {
    const int64_t more = valid ? std::max<int64_t>(size[i] - strides[i], 0) : 0;
    lengths[i] = tf::times(b, lengths[i], strides[i]);
    if (valid) lengths[i] = tf::plus(b, lengths[i], more);
    const int64_t d = s.dim(space + int(i));
    known.setDim(space + int(i), d < 0 ? -1 : d * strides[i] + more);
  }
  known.setDim(axis, filters);
  ArgumentList parts = {batch};
  if (first) parts.emplace_back(filters);
  parts.insert(parts.end(), lengths.begin(), lengths.end());
  if (!first) parts.emplace_back(filters);
  const Output outShape = tf::stack(b, parts);
  const std::vector<int64_t> steps = allStrides(strides, first);
  Output y;
  if (n == 2) {
    tf::at(b, outShape, 0);  // TensorFlow reads the batch size again without using it
    y = emit(b, "Conv2DBackpropInput", {outShape, kernel, x},
             {{"strides", steps}, {"padding", upper(c.a.text("padding"))}, {"data_format", first ? "NCHW" : "NHWC"}}, "conv2d_transpose");
  } else {
    y = emit(b, "Conv3DBackpropInputV2", {outShape, kernel, x},
             {{"strides", steps}, {"padding", upper(c.a.text("padding"))}, {"data_format", first ? "NCDHW" : "NDHWC"}}, "conv3d_transpose");
  }
  b.setShape(y, known);
  y = layer.finished(y, bias, first);
  penalize(c, y);
  return c.one(y);
}

Built flatten(Call& c) {
  GraphBuilder& b = c.b;
  Output x = toTensor(b, c["inputs"], {});
  const LayerCall layer(c, "flatten");
  const Shape s = b.shape(x);
  const int64_t batch = s.hasRank() && s.rank() > 0 ? s.dim(0) : -1;
  Output y;
  if (batch >= 0) {
    y = tf::reshape(b, x, std::vector<int64_t>{batch, -1});
  } else {
    const Output rows = tf::at(b, tf::shape(b, x), 0);
    y = tf::reshape(b, x, ArgumentList{rows, -1});
  }
  if (s.hasRank() && s.rank() > 0) b.setShape(y, Shape{batch, s.slice(1).elements()});
  return c.one(y);
}

Built dropout(Call& c) {
  const Output x = toTensor(c.b, c["inputs"], {});
  const LayerCall layer(c, "dropout");
  const auto out = ifTraining(
      c, [&]() -> std::vector<Output> { return {nn::dropout(c.b, x, c["rate"], c["noise_shape"], c.seed())}; },
      [&]() -> std::vector<Output> { return {tf::identity(c.b, x)}; });
  if (!c.b.ok()) return c.b.status().error();
  return c.one(out[0]);
}

}  // namespace
}  // namespace weft::api::layers

namespace weft::api {

void registerLayerFunctions(ApiRegistry& r) {
  using namespace layers;
  const std::string rest = kRest;
  const std::string inits =
      "kernel_initializer: callback=None|bias_initializer: callback=None|kernel_regularizer: callback=None|bias_regularizer: callback=None";
  def(r, "layers.dense", "inputs|units: int -- Number of outputs.|activation: callback=None|use_bias: bool=true|" + inits + rest, "Fully connected layer.",
      "A tensor.", dense);
  for (size_t n = 1; n <= 3; ++n) {
    const std::string d = std::to_string(n) + "d";
    const std::string head =
        "inputs|filters: int -- Number of filters (output channels).|kernel_size: ints -- Size of the window.|strides: ints=1|padding: "
        "string=valid|data_format: string=channels_last|dilation_rate: ints=1 -- Dilation of the window.|activation: callback=None|use_bias: bool=true|";
    def(r, "layers.conv" + d + " layers.convolution" + d, head + inits + rest, "Convolution layer.", "A tensor.", [n](Call& c) { return convolution(c, n); });
    if (n < 3) {
      std::string separableHead = head;
      separableHead.insert(separableHead.find("|activation"), "|depth_multiplier: int=1 -- Filters per input channel.");
      def(r, "layers.separable_conv" + d + (n == 2 ? " layers.separable_convolution2d" : ""),
          separableHead +
              "depthwise_initializer: callback=None -- Initializer of the depthwise filters.|pointwise_initializer: callback=None -- Initializer of the "
              "pointwise filters.|bias_initializer: callback=None|depthwise_regularizer: callback=None -- Regularizer of the depthwise "
              "filters.|pointwise_regularizer: callback=None -- Regularizer of the pointwise filters.|bias_regularizer: callback=None|activity_regularizer: "
              "callback=None|depthwise_constraint: callback=None -- Projection of the depthwise filters after each update.|pointwise_constraint: "
              "callback=None -- Projection of the pointwise filters after each update.|bias_constraint: callback=None|trainable: bool=true|name|reuse: "
              "bool=None",
          "Depthwise convolution followed by a pointwise convolution.", "A tensor.", [n](Call& c) { return separable(c, n); });
    }
    if (n > 1) {
      def(r, "layers.conv" + d + "_transpose",
          "inputs|filters: int -- Number of filters (output channels).|kernel_size: ints -- Size of the window.|strides: ints=1|padding: "
          "string=valid|data_format: string=channels_last|activation: callback=None|use_bias: bool=true|" +
              inits + rest,
          "Transposed convolution layer.", "A tensor.", [n](Call& c) { return transposed(c, n); });
    }
  }
  def(r, "layers.flatten", "inputs|name|data_format: string=channels_last", "Flattens all dimensions but the batch.", "[batch, values]", flatten);
  def(r, "layers.dropout",
      "inputs|rate=0.5 -- Fraction of the values to drop.|noise_shape=None -- Shape of the random mask; None: that of the input.|seed: int=None|training: "
      "any=false|name",
      "Dropout: sets a random fraction of the values to zero during training and scales the others up.", "A tensor.", dropout);
  registerPooling(r);
  registerBatchNormalization(r);
}

}  // namespace weft::api
