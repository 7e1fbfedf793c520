// Layers of Keras that compute value by value or matrices: dense, activations, normalisation, noise, embeddings, and those that merge several inputs.
#include <algorithm>
#include <cmath>

#include "api/control_flow.h"
#include "api/keras_layer.h"
#include "api/narrow.h"
#include "api/nn.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

Built dense(KerasLayer& l) {
  const Output x = l.input();
  const Shape s = l.b.shape(x);
  if (!l.b.ok()) return l.b.status().error();
  if (s.rank() < 2) return l.fail(invalidArgument("Dense expects an input of rank 2 or more, found ", s.toPythonString()));
  const int64_t in = l.known(x, -1), units = l.a.integer("units");
  const VariablePtr kernel = l.weight("kernel", Shape{in, units});
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{units}, zerosInitializer()) : nullptr;
  if (!l.b.ok()) return l.b.status().error();
  Output y;
  if (s.rank() == 2) {
    y = call(l.b, "MatMul", {x, kernel});
  } else {
    const Output rows = l.b.op("Reshape", {x, ints(l.b, {-1, in}, "rows")});
    y = call(l.b, "MatMul", {rows, kernel});
  }
  if (bias) y = call(l.b, "BiasAdd", {y, bias});
  if (s.rank() > 2) y = reshapedTail(l.b, y, x, s.rank() - 1, {units});
  return l.done(l.activated(y));
}

Built embedding(KerasLayer& l) {
  Output ids = l.a.tensor("inputs");
  if (!isInteger(l.b.dtype(ids))) ids = l.b.cast(ids, DType::Int32);
  const VariablePtr table = l.weight("embeddings", Shape{l.a.integer("input_dim"), l.a.integer("output_dim")}, randomUniformInitializer(-0.05, 0.05));
  if (!l.b.ok()) return l.b.status().error();
  return l.done(call(l.b, "GatherV2", {table, ids, l.b.scalar<int32_t>(0, "axis")}, {}, "embedding_lookup"));
}

/// variable -= (variable - value) * (1 - momentum), as one of the update ops that a training step runs.
void moveAverage(KerasLayer& l, const VariablePtr& v, Output value, std::string_view name) {
  GraphBuilder& b = l.b;
  const py::Scope scope(b, name);
  // Outside of training the average stays.
  const Output step = b.op("Mul", {b.op("Sub", {v->snapshot, value}), b.number(v->dtype, 1 - l.a.number("momentum"), "rate")});
  const Output training = b.cast(l.phase(), v->dtype);
  const Output update = b.op("AssignSub", {v->handle, b.op("Mul", {step, training})}, {}, scope.name());
  if (b.ok()) b.addToCollection("update_ops", b.graph().tensorName(update));
}

Built batchNormalization(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  int axis = int(l.a.integer("axis"));
  if (axis < 0) axis += s.rank();
  if (axis <= 0 || axis >= s.rank()) return l.fail(outOfRange("axis is ", l.a.integer("axis"), ", expected a dimension of ", s.toPythonString()));
  const int64_t channels = l.known(x, axis);
  const double epsilon = l.a.number("epsilon");
  const bool scale = l.a.flag("scale"), center = l.a.flag("center");
  const VariablePtr gamma = scale ? l.weight("gamma", Shape{channels}, onesInitializer()) : nullptr;
  const VariablePtr beta = center ? l.weight("beta", Shape{channels}, zerosInitializer()) : nullptr;
  const VariablePtr mean = l.weight("moving_mean", Shape{channels}, zerosInitializer(), false);
  const VariablePtr variance = l.weight("moving_variance", Shape{channels}, onesInitializer(), false);
  if (!b.ok()) return b.status().error();
  const DType type = b.dtype(x);
  const bool trains = l.phase().valid() && l.a.flag("trainable");
  Output average = mean->snapshot, spread = variance->snapshot;
  const auto constant = [&](double v, std::string_view name) {
    Tensor t = Tensor::zeros(type, Shape{channels});
    for (int64_t i = 0; i < channels; ++i)
      if (type == DType::Double) t.mutableData<double>()[i] = v;
      else t.mutableData<float>()[i] = float(v);
    return b.constant(t, name);
  };
  if (s.rank() == 4 && axis == 3 && type == DType::Float) {
    const Output g = gamma ? gamma->snapshot : constant(1, "gamma_constant"), o = beta ? beta->snapshot : constant(0, "beta_constant");
    const auto fused = [&](bool train) {
      const Output none = train ? b.constant(Tensor::zeros(DType::Float, Shape{0})) : Output();
      const int id = b.node("FusedBatchNormV3", {x, g, o, train ? none : average, train ? none : spread}, {{"epsilon", epsilon}, {"is_training", train}});
      return std::vector<Output>{{id, 0}, {id, 1}, {id, 2}};
    };
    if (!trains) return l.done(fused(false)[0]);
    const auto all = cond(
        b, l.phase(), [&] { return fused(true); }, [&] { return fused(false); });
    if (all.size() != 3) return b.status().error();
    moveAverage(l, mean, all[1], "AssignMovingAvg");
    moveAverage(l, variance, all[2], "AssignMovingAvg_1");
    return l.done(all[0]);
  }
  std::vector<int64_t> others, along(size_t(s.rank()), 1);
  for (int i = 0; i < s.rank(); ++i)
    if (i != axis) others.push_back(i);
  along[size_t(axis)] = channels;
  if (trains) {
    const Output axes = ints(b, others, "axes");
    const Output m = b.op("Mean", {x, axes}, {{"keep_dims", true}}, "batch_mean_wide");
    const Output v = b.op("Mean", {b.op("SquaredDifference", {x, b.op("StopGradient", {m})}), axes}, {{"keep_dims", true}}, "batch_variance_wide");
    const Output own = ints(b, {channels}, "channels");
    const Output batchMean = b.op("Reshape", {m, own}, {}, "batch_mean"), batchVariance = b.op("Reshape", {v, own}, {}, "batch_variance");
    moveAverage(l, mean, batchMean, "AssignMovingAvg");
    moveAverage(l, variance, batchVariance, "AssignMovingAvg_1");
    average = l.whileTraining([&] { return b.identity(batchMean); }, [&] { return b.identity(mean->snapshot); });
    spread = l.whileTraining([&] { return b.identity(batchVariance); }, [&] { return b.identity(variance->snapshot); });
  }
  Output factor = b.op("Rsqrt", {py::add(b, spread, epsilon)});
  if (gamma) factor = b.op("Mul", {factor, l.value(gamma)});
  Output offset = b.op("Neg", {b.op("Mul", {average, factor})});
  if (beta) offset = b.op("Add", {offset, l.value(beta)});
  if (axis != s.rank() - 1) {
    const Output dims = ints(b, along, "broadcast_shape");
    factor = b.op("Reshape", {factor, dims});
    offset = b.op("Reshape", {offset, dims});
  }
  return l.done(b.op("Add", {b.op("Mul", {x, factor}), offset}));
}

Built layerNormalization(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  std::vector<int64_t> axes = l.a.integers("axis"), own;
  std::vector<int64_t> along(size_t(s.rank()), 1);
  for (int64_t& axis : axes) {
    if (axis < 0) axis += s.rank();
    if (axis <= 0 || axis >= s.rank()) return l.fail(outOfRange("axis is ", axis, ", expected dimensions of ", s.toPythonString()));
    along[size_t(axis)] = l.known(x, int(axis));
    own.push_back(along[size_t(axis)]);
  }
  const VariablePtr gamma = l.a.flag("scale") ? l.weight("gamma", Shape(own), onesInitializer()) : nullptr;
  const VariablePtr beta = l.a.flag("center") ? l.weight("beta", Shape(own), zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  const Output over = ints(b, axes, "axes");
  const Output mean = b.op("Mean", {x, over}, {{"keep_dims", true}}, "mean");
  const Output variance = b.op("Mean", {b.op("SquaredDifference", {x, b.op("StopGradient", {mean})}), over}, {{"keep_dims", true}}, "variance");
  Output y = b.op("Mul", {b.op("Sub", {x, mean}), b.op("Rsqrt", {py::add(b, variance, l.a.number("epsilon"))})});
  const Output dims = ints(b, along, "broadcast_shape");
  if (gamma) y = b.op("Mul", {y, b.op("Reshape", {l.value(gamma), dims})});
  if (beta) y = b.op("Add", {y, b.op("Reshape", {l.value(beta), dims})});
  return l.done(y);
}

/// Dropout whose mask has the dims of the input except where `ones` says 1.
Built dropped(KerasLayer& l, const std::vector<int>& ones) {
  GraphBuilder& b = l.b;
  const Output x = ones.empty() ? l.input() : l.input({int(ones.size()) + 2});
  const double rate = l.a.number("rate");
  if (!b.ok()) return b.status().error();
  if (rate < 0 || rate >= 1) return l.fail(outOfRange("rate is ", rate, ", expected 0 to below 1"));
  if (rate == 0) return l.done(x);
  return l.done(l.whileTraining(
      [&] {
        if (ones.empty()) return dropout(b, x, rate);
        const Output dims = py::shape(b, x);
        Tensor still = Tensor::zeros(DType::Int32, Shape{b.shape(x).rank()});
        for (const int axis : ones) still.mutableData<int32_t>()[axis] = 1;
        // Where the mask has size 1 all values of that dimension are dropped together.
        const Output noise = b.op("Select", {b.cast(b.constant(still, "together"), DType::Bool), py::onesLike(b, dims), dims});
        const Output random = randomUniform(b, noise, 0, 1, b.dtype(x), {});
        const Output mask = b.cast(b.op("GreaterEqual", {random, b.number(b.dtype(x), rate, "rate")}), b.dtype(x));
        return b.op("Mul", {py::mul(b, x, 1 / (1 - rate)), mask});
      },
      [&] { return b.identity(x); }));
}

Built gaussian(KerasLayer& l, bool multiplies) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  if (!b.ok()) return b.status().error();
  const double rate = multiplies ? l.a.number("rate") : l.a.number("stddev");
  if (rate < 0 || (multiplies && rate >= 1)) return l.fail(outOfRange(multiplies ? "rate is " : "stddev is ", rate, ", expected 0 or more"));
  const double deviation = multiplies ? std::sqrt(rate / (1 - rate)) : rate;
  return l.done(l.whileTraining(
      [&] {
        const auto [first, second] = b.seedsFor({});
        const Output random = b.op("RandomStandardNormal", {py::shape(b, x)}, {{"dtype", b.dtype(x)}, {"seed", first}, {"seed2", second}});
        const Output noise = py::mul(b, random, deviation);
        return multiplies ? b.op("Mul", {x, py::add(b, noise, 1.0)}) : b.op("Add", {x, noise});
      },
      [&] { return b.identity(x); }));
}

Built prelu(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  std::vector<int64_t> dims;
  const std::vector<int64_t> shared = l.a.integers("shared_axes");
  for (int i = 1; i < s.rank(); ++i) dims.push_back(std::count(shared.begin(), shared.end(), i) ? 1 : l.known(x, i));
  const VariablePtr alpha = l.weight("alpha", Shape(dims), zerosInitializer());
  if (!b.ok()) return b.status().error();
  const Output below = b.op("Mul", {b.op("Neg", {l.value(alpha)}), b.op("Relu", {b.op("Neg", {x})})});
  return l.done(b.op("Add", {b.op("Relu", {x}), below}));
}

Built relu(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  if (!b.ok()) return b.status().error();
  const DType type = b.dtype(x);
  const double top = l.a.number("max_value"), slope = l.a.number("negative_slope"), threshold = l.a.number("threshold");
  Output y;
  if (threshold == 0) {
    y = slope == 0 ? b.op("Relu", {x}) : b.op("LeakyRelu", {x}, {{"alpha", slope}});
  } else {
    const Output above = b.cast(b.op("Greater", {x, b.number(type, threshold, "threshold")}), type);
    y = b.op("Mul", {x, above});
    // Where the threshold is negative, a maximum also cuts off what lies between it and zero.
    if (top >= 0) y = b.op("Maximum", {y, b.number(type, 0, "min_value")});
    if (slope != 0) {
      const Output under = py::mul(b, py::sub(b, x, threshold), slope);
      y = b.op("Add", {y, b.op("Mul", {under, py::sub(b, 1.0, above)})});
    }
  }
  if (top >= 0) y = b.op("Minimum", {y, b.number(type, top, "max_value")});
  return l.done(y);
}

Built softmax(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  int64_t axis = l.a.integer("axis");
  if (axis < 0) axis += s.rank();
  if (axis < 0 || axis >= s.rank()) return l.fail(outOfRange("axis is ", l.a.integer("axis"), ", expected a dimension of ", s.toPythonString()));
  if (axis == s.rank() - 1) return l.done(b.op("Softmax", {x}));
  const Output over = ints(b, {axis}, "axis");
  const Output e = b.op("Exp", {b.op("Sub", {x, b.op("Max", {x, over}, {{"keep_dims", true}})})});
  return l.done(b.op("RealDiv", {e, b.op("Sum", {e, over}, {{"keep_dims", true}})}));
}

/// The tensors with new dimensions of size 1 behind the batch where others have more, as Keras broadcasts: [batch, 3] and [batch, 4, 3] are added sample by sample.
Result<std::vector<Output>> ofOneRank(KerasLayer& l, std::vector<Output> all) {
  int most = 0;
  for (const Output x : all) {
    if (!l.b.shape(x).hasRank()) return l.fail(unimplemented("inputs of unknown rank")).error();
    most = std::max(most, l.b.shape(x).rank());
  }
  for (Output& x : all)
    for (int rank = l.b.shape(x).rank(); rank < most; ++rank) x = l.b.op("ExpandDims", {x, l.b.scalar<int32_t>(rank == 0 ? 0 : 1, "axis")});
  return all;
}

void merge(ApiRegistry& r, const char* kind, const char* op, std::string summary) {
  layer(
      r, kind, std::move(summary), {required("inputs", "tensors", "Two or more tensors.")},
      [op, average = std::string_view(kind) == "Average", two = std::string_view(kind) == "Subtract"](KerasLayer& l) -> Built {
        const std::vector<Output> all = l.a.tensors("inputs");
        if (all.size() < 2 || (two && all.size() != 2)) return l.fail(invalidArgument("expected ", two ? "two" : "two or more", " inputs, got ", all.size()));
        WEFT_LET(const std::vector<Output> same, ofOneRank(l, all));
        Output y = same[0];
        for (size_t i = 1; i < same.size(); ++i) y = l.b.op(op, {y, same[i]});
        if (average) y = l.b.op("RealDiv", {y, l.b.number(l.b.dtype(y), double(all.size()), "count")});
        return l.done(y);
      },
      "merge");
}

Built concatenate(KerasLayer& l) {
  const std::vector<Output> all = l.a.tensors("inputs");
  if (all.size() < 2) return l.fail(invalidArgument("expected two or more inputs, got ", all.size()));
  Inputs list(all);
  list.add(l.b.scalar<int32_t>(fit32(l.b, l.a.integer("axis"), "axis"), "axis"));
  return l.done(l.b.op("ConcatV2", list, {}, "concat"));
}

Built dot(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const std::vector<Output> all = l.a.tensors("inputs");
  if (all.size() != 2) return l.fail(invalidArgument("Dot expects two inputs, got ", all.size()));
  std::vector<int64_t> axes = sizes(l.a.integers("axes"), 2);
  Output x = all[0], y = all[1];
  const Shape s = b.shape(x), t = b.shape(y);
  if (!s.hasRank() || !t.hasRank() || s.rank() != t.rank() || s.rank() < 2 || s.rank() > 3 || axes.size() != 2)
    return l.fail(unimplemented("Dot of inputs of shapes ", s.toPythonString(), " and ", t.toPythonString(), "; expected two of rank 2 or 3"));
  for (int64_t& axis : axes)
    if (axis < 0) axis += s.rank();
  if (l.a.flag("normalize")) {
    const auto normal = [&](Output v, int64_t axis) {
      const Output norm = b.op("Sum", {b.op("Square", {v}), ints(b, {axis}, "axis")}, {{"keep_dims", true}});
      return b.op("Mul", {v, b.op("Rsqrt", {b.op("Maximum", {norm, b.number(b.dtype(v), 1e-12, "least")})})});
    };
    x = normal(x, axes[0]);
    y = normal(y, axes[1]);
  }
  if (s.rank() == 2) return l.done(b.op("Sum", {b.op("Mul", {x, y}), ints(b, {1}, "axis")}, {{"keep_dims", true}}));
  return l.done(b.op("BatchMatMulV2", {x, y}, {{"adj_x", axes[0] == 1}, {"adj_y", axes[1] == 2}}));
}

}  // namespace

void registerBasic(ApiRegistry& r) {
  layer(r, "Dense", "Fully connected layer: each unit computes a weighted sum of all inputs.",
        {inputs(), required("units", "int", "Number of units (outputs)."), activation(), useBias(), trainable()}, dense, "dense", {"units", "activation"});
  layer(r, "Activation", "Applies an activation function.", {inputs(), activation()}, [](KerasLayer& l) { return l.done(l.activated(l.input())); },
        "activation", {"activation"});
  layer(r, "LeakyReLU", "x where it is positive, otherwise alpha times x.", {inputs(), optional("alpha", "float", 0.3, "Slope below zero.")},
        [](KerasLayer& l) {
          return l.done(l.b.op("LeakyRelu", {l.input()}, {{"alpha", l.a.number("alpha")}}));
        },
        "activation", {"alpha"});
  layer(r, "ELU", "Exponential linear unit: x where it is positive, otherwise alpha (e^x - 1).",
        {inputs(), optional("alpha", "float", 1.0, "Factor of the negative part.")},
        [](KerasLayer& l) -> Built {
          const Output x = l.input(), y = l.b.op("Elu", {x});
          if (!l.b.ok() || l.a.number("alpha") == 1) return l.done(y);
          return l.done(l.b.op("Add", {l.b.op("Relu", {x}), py::mul(l.b, l.b.op("Minimum", {y, l.b.number(l.b.dtype(x), 0, "zero")}), l.a.number("alpha"))}));
        },
        "activation", {"alpha"});
  layer(r, "ThresholdedReLU", "x where it is larger than theta, otherwise 0.", {inputs(), optional("theta", "float", 1.0, "The threshold.")},
        [](KerasLayer& l) -> Built {
          const Output x = l.input();
          if (!l.b.ok()) return l.b.status().error();
          return l.done(l.b.op("Mul", {x, l.b.cast(l.b.op("Greater", {x, l.b.number(l.b.dtype(x), l.a.number("theta"), "theta")}), l.b.dtype(x))}));
        },
        "activation", {"theta"});
  layer(r, "ReLU", "Rectified linear unit with a maximum, a slope and a threshold.",
        {inputs(), optional("max_value", "float", -1.0, "The largest output; negative: none."),
         optional("negative_slope", "float", 0.0, "Slope below the threshold."), optional("threshold", "float", 0.0, "Values below it count as negative.")},
        relu, "activation");
  layer(r, "PReLU", "x where it is positive, otherwise a learned slope times x.",
        {inputs(), optional("shared_axes", "ints", std::vector<int64_t>{}, "Dimensions along which the slope is the same."), trainable()}, prelu, "activation");
  layer(r, "Softmax", "Turns the values along a dimension into probabilities.", {inputs(), optional("axis", "int", int64_t(-1), "The dimension.")}, softmax,
        "activation");
  layer(r, "Embedding", "Looks up a vector for each integer id.",
        {inputs(), required("input_dim", "int", "Number of distinct ids."), required("output_dim", "int", "Size of an embedding vector."), trainable()},
        embedding, "embedding", {"input_dim", "output_dim"});
  layer(r, "BatchNormalization",
        "Normalizes each channel over the batch while training, by moving averages otherwise; then applies a learned scale and offset.",
        {inputs(), training(), optional("axis", "int", int64_t(-1), "Dimension of the channels."),
         optional("momentum", "float", 0.99, "Momentum of the moving averages; closer to 1 is slower."),
         optional("epsilon", "float", 1e-3, "Small constant added to the variance."), optional("center", "bool", true, "Whether to add a learned offset."),
         optional("scale", "bool", true, "Whether to multiply by a learned scale."), trainable()},
        batchNormalization, "normalize", {"momentum"});
  layer(r, "LayerNormalization", "Normalizes each sample over the given dimensions, then applies a learned scale and offset.",
        {inputs(), optional("axis", "ints", std::vector<int64_t>{-1}, "The dimensions."),
         optional("epsilon", "float", 1e-3, "Small constant added to the variance."), optional("center", "bool", true, "Whether to add a learned offset."),
         optional("scale", "bool", true, "Whether to multiply by a learned scale."), trainable()},
        layerNormalization, "normalize");
  const ApiParameter rate = optional("rate", "float", 0.5, "Fraction of the values to drop.");
  layer(r, "Dropout", "Sets a random fraction of the values to zero while training and scales the others up.", {inputs(), training(), rate},
        [](KerasLayer& l) { return dropped(l, {}); }, "dropout", {"rate"});
  layer(r, "SpatialDropout1D", "Drops whole channels of sequences while training.", {inputs(), training(), rate}, [](KerasLayer& l) { return dropped(l, {1}); },
        "dropout", {"rate"});
  layer(r, "SpatialDropout2D", "Drops whole channels of images while training.", {inputs(), training(), rate, dataFormat()},
        [](KerasLayer& l) {
          return l.channelsFirst() ? dropped(l, {2, 3}) : dropped(l, {1, 2});
        },
        "dropout", {"rate"});
  layer(r, "GaussianNoise", "Adds normally distributed noise while training.",
        {inputs(), training(), optional("stddev", "float", 0.1, "Standard deviation of the noise.")}, [](KerasLayer& l) { return gaussian(l, false); },
        "dropout", {"stddev"});
  layer(r, "GaussianDropout", "Multiplies by normally distributed noise around 1 while training.", {inputs(), training(), rate},
        [](KerasLayer& l) { return gaussian(l, true); }, "dropout", {"rate"});
  merge(r, "Add", "Add", "Element-wise sum of the inputs.");
  merge(r, "Subtract", "Sub", "The first input minus the second, element-wise.");
  merge(r, "Multiply", "Mul", "Element-wise product of the inputs.");
  merge(r, "Average", "Add", "Element-wise mean of the inputs.");
  merge(r, "Maximum", "Maximum", "Element-wise maximum of the inputs.");
  merge(r, "Minimum", "Minimum", "Element-wise minimum of the inputs.");
  layer(r, "Concatenate", "Concatenates tensors along a dimension.",
        {optional("axis", "int", int64_t(-1), "The dimension."), required("inputs", "tensors", "Two or more tensors.")}, concatenate, "merge", {"axis"});
  layer(r, "Dot", "Dot products of the samples of two tensors.",
        {optional("axes", "ints", std::vector<int64_t>{-1}, "Dimensions that are summed over."),
         optional("normalize", "bool", false, "Whether to scale the vectors to length 1 first."), required("inputs", "tensors", "Two tensors.")},
        dot, "merge", {"axes"});
}

}  // namespace weft::api::keras
