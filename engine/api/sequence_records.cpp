// Records of layers for sequences and of normalisation: embeddings, recurrent cells unrolled over a known number of steps, attention.
#include <cmath>

#include "api/layers.h"
#include "api/narrow.h"
#include "api/nn.h"
#include "api/records.h"
#include "api/sequence_loop.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {
using namespace records;

namespace {

Error wrongShape(std::string_view layer, std::string_view expected, const Shape& found) {
  return invalidArgument(layer, " expects ", expected, ", found ", found.toPythonString());
}

VariablePtr weight(GraphBuilder& b, std::string_view name, const Shape& shape, const Initializer& initializer = {}) {
  return getVariable(b, name, shape, initializer);
}

/// The steps of [batch, time, features] as matrices.
std::vector<Output> steps(GraphBuilder& b, Output x, int64_t count) {
  const int id = b.node("Unpack", {x}, {{"num", count}, {"axis", 1}}, "unstack");
  return b.outputsOf(id);
}

Output zerosOf(GraphBuilder& b, Output like, int64_t units, std::string_view name) {
  // As many rows as the batch has.
  const py::Scope scope(b, name);
  const Output rows = py::at(b, py::shape(b, like), 0);
  const Output dims = py::stack(b, {rows, int(units)});
  const Output zero = b.number(b.dtype(like), 0);
  const Output out = b.op("Fill", {dims, zero}, {}, scope.name());
  b.setShape(out, Shape{b.shape(like).dim(0), units});
  return out;
}

Result<Shape> sequenceShape(GraphBuilder& b, Output x, std::string_view layer) {
  const Shape s = b.shape(x);
  if (!s.hasRank() || s.rank() != 3 || s[1] <= 0 || s[2] <= 0) return wrongShape(layer, "[batch, time, features] with known time and features", s);
  return s;
}

/// Common end of both recurrent layers: returns the last state, or all of them.
Values recurrent(GraphBuilder& b, const std::vector<Output>& outputs, bool all) {
  if (!all) return one(b.identity(outputs.back(), "output"));
  Inputs list(outputs);
  return one(b.op("Pack", list, {{"axis", 1}}, "output"));
}

Built lstm(GraphBuilder& b, const Arguments& a) {
  const Output x = a.tensor("inputs");
  const int64_t units = a.integer("units");
  WEFT_LET(const Shape shape, sequenceShape(b, x, "lstm"));
  if (!requireSize(b, units, "units") || !requireSize(b, 4 * units, "4 · units")) return b.status().error();
  const LayerScope scope(b, a.text("name"), "lstm");
  const VariablePtr kernel = weight(b, "kernel", Shape{shape[2] + units, 4 * units});
  const VariablePtr bias = weight(b, "bias", Shape{4 * units}, zerosInitializer());
  const Output axis = b.scalar<int32_t>(1, "axis");
  const Output forget = b.number(b.dtype(x), a.number("forget_bias"), "forget_bias");
  Output c = zerosOf(b, x, units, "zero_state"), h = c;
  std::vector<Output> outputs;
  for (const Output step : steps(b, x, shape[1])) {
    const auto inside = b.nameScope("cell");
    const Output joined = b.op("ConcatV2", {step, h, axis}, {}, "concat");
    const Output gates = call(b, "BiasAdd", {call(b, "MatMul", {joined, kernel}), bias});
    const int split = b.node("Split", {axis, gates}, {{"num_split", 4}}, "split");
    const Output i{split, 0}, j{split, 1}, f{split, 2}, o{split, 3};
    const Output kept = b.op("Mul", {c, b.op("Sigmoid", {b.op("Add", {f, forget})})});
    const Output fresh = b.op("Mul", {b.op("Sigmoid", {i}), b.op("Tanh", {j})});
    c = b.op("Add", {kept, fresh});
    h = b.op("Mul", {b.op("Tanh", {c}), b.op("Sigmoid", {o})});
    outputs.push_back(h);
  }
  return recurrent(b, outputs, a.flag("return_sequences"));
}

Built gru(GraphBuilder& b, const Arguments& a) {
  const Output x = a.tensor("inputs");
  const int64_t units = a.integer("units");
  WEFT_LET(const Shape shape, sequenceShape(b, x, "gru"));
  if (!requireSize(b, units, "units") || !requireSize(b, 2 * units, "2 · units")) return b.status().error();
  const LayerScope scope(b, a.text("name"), "gru");
  const VariablePtr gateKernel = weight(b, "gates/kernel", Shape{shape[2] + units, 2 * units});
  const VariablePtr gateBias = weight(b, "gates/bias", Shape{2 * units}, onesInitializer());
  const VariablePtr kernel = weight(b, "candidate/kernel", Shape{shape[2] + units, units});
  const VariablePtr bias = weight(b, "candidate/bias", Shape{units}, zerosInitializer());
  const Output axis = b.scalar<int32_t>(1, "axis");
  Output h = zerosOf(b, x, units, "zero_state");
  std::vector<Output> outputs;
  for (const Output step : steps(b, x, shape[1])) {
    const auto inside = b.nameScope("cell");
    const Output joined = b.op("ConcatV2", {step, h, axis}, {}, "concat");
    const Output gates = b.op("Sigmoid", {call(b, "BiasAdd", {call(b, "MatMul", {joined, gateKernel}), gateBias})});
    const int split = b.node("Split", {axis, gates}, {{"num_split", 2}}, "split");
    const Output reset{split, 0}, update{split, 1};
    const Output past = b.op("Mul", {reset, h});
    const Output candidate = b.op("Tanh", {call(b, "BiasAdd", {call(b, "MatMul", {b.op("ConcatV2", {step, past, axis}, {}, "concat_1"), kernel}), bias})});
    const Output kept = b.op("Mul", {update, h});
    const Output fresh = b.op("Mul", {py::sub(b, 1, update), candidate});
    h = b.op("Add", {kept, fresh});
    outputs.push_back(h);
  }
  return recurrent(b, outputs, a.flag("return_sequences"));
}

Built attention(GraphBuilder& b, const Arguments& a) {
  const Output query = a.tensor("query"), value = a.tensor("value");
  const Output key = a.given("key") ? a.tensor("key") : value;
  const Shape q = b.shape(query), v = b.shape(value);
  if (!q.hasRank() || q.rank() != 3 || q[2] <= 0) return wrongShape("attention", "a query of shape [batch, time, features]", q);
  if (!v.hasRank() || v.rank() != 3) return wrongShape("attention", "values of shape [batch, time, features]", v);
  const auto scope = b.nameScope(a.text("name").empty() ? std::string("attention") : a.text("name"));
  const Output scores = b.op("BatchMatMulV2", {query, key}, {{"adj_y", true}}, "scores");
  const Output scaled = a.flag("scale") ? py::mul(b, scores, b.number(b.dtype(query), 1.0 / std::sqrt(double(q[2])), "scale")) : scores;
  const Output weights = b.op("Softmax", {scaled}, {}, "weights");
  const Output out = b.op("BatchMatMulV2", {weights, value}, {}, "output");
  return Values{{out, weights}, {}};
}

Built layerNorm(GraphBuilder& b, const Arguments& a) {
  const Output x = a.tensor("inputs");
  const Shape s = b.shape(x);
  if (!s.hasRank() || s.rank() < 2 || s[s.rank() - 1] <= 0) return wrongShape("layer_norm", "a known last dimension", s);
  const int64_t features = s[s.rank() - 1];
  const LayerScope scope(b, a.text("name"), "layer_norm");
  const VariablePtr gamma = weight(b, "gamma", Shape{features}, onesInitializer()), beta = weight(b, "beta", Shape{features}, zerosInitializer());
  const Output axes = b.ints({s.rank() - 1}, "axes");
  const Output mean = b.op("Mean", {x, axes}, {{"keep_dims", true}}, "mean");
  const Output variance = b.op("Mean", {b.op("SquaredDifference", {x, b.op("StopGradient", {mean})}), axes}, {{"keep_dims", true}}, "variance");
  const Output inverse = b.op("Rsqrt", {py::add(b, variance, a.number("epsilon"))});
  const Output normal = b.op("Mul", {b.op("Sub", {x, mean}), inverse});
  return one(b.op("Add", {b.op("Mul", {normal, read(b, *gamma)}), read(b, *beta)}, {}, "output"));
}

Built embedding(GraphBuilder& b, const Arguments& a) {
  const Output ids = a.tensor("ids");
  if (!isInteger(b.dtype(ids))) return invalidArgument("embedding expects whole numbers, found ", dtypeName(b.dtype(ids)));
  const LayerScope scope(b, a.text("name"), "embedding");
  const VariablePtr table = weight(b, "embeddings", Shape{a.integer("input_dim"), a.integer("output_dim")}, randomUniformInitializer(-0.05, 0.05));
  const Output axis = b.scalar<int32_t>(0, "axis");
  return one(call(b, "GatherV2", {table, ids, axis}, {}, "embedding_lookup"));
}

Built globalPool(GraphBuilder& b, const Arguments& a, const char* op, const char* base) {
  const Output x = a.tensor("inputs");
  const Shape s = b.shape(x);
  if (!s.hasRank() || s.rank() < 3) return wrongShape(base, "pictures [batch, height, width, channels] or sequences [batch, time, features]", s);
  const auto scope = b.nameScope(a.text("name").empty() ? std::string(base) : a.text("name"));
  std::vector<int32_t> axes;
  for (int i = 1; i + 1 < s.rank(); ++i) axes.push_back(i);
  return one(b.op(op, {x, b.ints(axes, "axes")}, {}, "output"));
}

Built elementLoss(GraphBuilder& b, const Arguments& a, const std::string& kind) {
  const Output labels = b.cast(a.tensor("labels"), b.dtype(a.tensor("predictions"))), predictions = a.tensor("predictions");
  const auto scope = b.nameScope(a.text("scope"));
  if (b.ok() && !b.shape(labels).compatibleWith(b.shape(predictions)))
    return invalidArgument("Shapes ", b.shape(predictions).toPythonString(), " and ", b.shape(labels).toPythonString(), " are incompatible");
  Output loss;
  if (kind == "absolute_difference") {
    loss = b.op("Abs", {b.op("Sub", {predictions, labels})});
  } else if (kind == "huber_loss") {
    const Output delta = b.number(b.dtype(predictions), a.number("delta"), "delta");
    const Output error = b.op("Abs", {b.op("Sub", {predictions, labels})});
    const Output quadratic = b.op("Minimum", {error, delta});
    const Output linear = b.op("Sub", {error, quadratic});
    loss = b.op("Add", {py::mul(b, b.op("Mul", {quadratic, quadratic}), 0.5), b.op("Mul", {delta, linear})});
  } else {  // log_loss
    const Output small = b.number(b.dtype(predictions), 1e-7, "epsilon");
    const Output hit = b.op("Mul", {labels, b.op("Log", {b.op("Add", {predictions, small})})});
    const Output miss = b.op("Mul", {py::sub(b, 1, labels), b.op("Log", {b.op("Add", {py::sub(b, 1, predictions), small})})});
    loss = b.op("Neg", {b.op("Add", {hit, miss})});
  }
  const Output value = reduceAll(b, "Mean", loss, "value");
  if (b.ok()) b.addToCollection("losses", b.graph().tensorName(value));
  return one(value);
}

}  // namespace

void registerSequences(ApiRegistry& r) {
  const ApiParameter input = required("inputs", "tensor", "Sequences: [batch, time, features].");
  const ApiParameter all = optional("return_sequences", "bool", false, "Return the output of every step instead of only the last.");
  add(r, "layers.lstm", "LSTM (long short-term memory): processes a sequence step by step.", "[batch, units], or [batch, time, units].",
      {input, required("units", "int", "Number of units (size of the state)."), all,
       optional("forget_bias", "float", 1.0, "Constant added to the bias of the forget gate."), nameParameter()},
      lstm, ApiRecipe{"recurrent", "Sequences", {"units"}}, "tf.nn.static_rnn with tf.nn.rnn_cell.LSTMCell of TensorFlow 1.15");
  add(r, "layers.gru", "GRU (gated recurrent unit): processes a sequence step by step.", "[batch, units], or [batch, time, units].",
      {input, required("units", "int", "Number of units (size of the state)."), all, nameParameter()}, gru, ApiRecipe{"recurrent", "Sequences", {"units"}},
      "tf.nn.static_rnn with tf.nn.rnn_cell.GRUCell of TensorFlow 1.15");
  add(r, "layers.attention", "Dot-product attention: averages values, weighted by how well their keys match a query.",
      "[batch, query time, features], and the attention weights.",
      {required("query", "tensor", "Queries, [batch, query time, features]."), required("value", "tensor", "Values, [batch, time, features]."),
       optional("key", "tensor", std::monostate(), "Keys, compared with the query; the values if not given."),
       optional("scale", "bool", true, "Whether to divide scores by the square root of the number of features."), nameParameter()},
      attention, ApiRecipe{"attention", "Sequences", {"scale"}}, "tf.keras.layers.Attention of TensorFlow 1.15");
  add(r, "layers.layer_norm", "Layer normalization: normalizes each sample to mean 0 and variance 1 over its features.", "A tensor in the shape of the input.",
      {required("inputs", "tensor", "Values; the last dimension is normalized."), optional("epsilon", "float", 1e-5, "Small constant added to the variance."),
       nameParameter()},
      layerNorm, ApiRecipe{"normalize", "Layers", {}}, "tf.keras.layers.LayerNormalization of TensorFlow 1.15");
  add(r, "layers.embedding", "Looks up an embedding vector for each integer id.", "The embeddings; shape ids.shape + [output_dim].",
      {required("ids", "tensor", "Integers."), required("input_dim", "int", "Number of distinct ids."),
       required("output_dim", "int", "Size of an embedding vector."), nameParameter()},
      embedding, ApiRecipe{"embedding", "Sequences", {"input_dim", "output_dim"}}, "tf.keras.layers.Embedding of TensorFlow 1.15");
  const ApiParameter pictures = required("inputs", "tensor", "Images or sequences.");
  add(
      r, "layers.global_average_pooling", "Global average pooling: the mean of each channel over all positions.", "[batch, channels]",
      {pictures, nameParameter()}, [](GraphBuilder& b, const Arguments& a) { return globalPool(b, a, "Mean", "global_average_pooling"); },
      ApiRecipe{"pool", "Layers", {}}, "tf.keras.layers.GlobalAveragePooling2D of TensorFlow 1.15");
  add(
      r, "layers.global_max_pooling", "Global max pooling: the maximum of each channel over all positions.", "[batch, channels]", {pictures, nameParameter()},
      [](GraphBuilder& b, const Arguments& a) { return globalPool(b, a, "Max", "global_max_pooling"); }, ApiRecipe{"pool", "Layers", {}},
      "tf.keras.layers.GlobalMaxPooling2D of TensorFlow 1.15");
  const auto loss = [&](const char* kind, std::string summary, Parameters more) {
    Parameters p = {required("labels", "tensor", "The true labels."), required("predictions", "tensor", "Outputs of the network.")};
    p.insert(p.end(), more.begin(), more.end());
    p.push_back(optional("scope", "string", std::string(kind), "Name of the scope."));
    add(
        r, std::string("losses.") + kind, std::move(summary), "A scalar, also added to the collection `losses`.", std::move(p),
        [kind = std::string(kind)](GraphBuilder& b, const Arguments& a) { return elementLoss(b, a, kind); }, ApiRecipe{"loss", "Losses", {}},
        std::string("tf.losses.") + kind + " of TensorFlow 1.15, reduced by the mean");
  };
  loss("absolute_difference", "Mean absolute error.", {});
  loss("huber_loss", "Huber loss: quadratic for small differences, linear for large ones.",
       {optional("delta", "float", 1.0, "Difference at which the loss changes from quadratic to linear.")});
  loss("log_loss", "Log loss: binary cross entropy of probabilities.", {});
  registerLoops(r);
}

}  // namespace weft::api
