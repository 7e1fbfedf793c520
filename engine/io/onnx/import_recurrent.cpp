#include <algorithm>
#include <functional>

#include "api/control_flow.h"
#include "io/onnx/import_node.h"

// LSTM, GRU and RNN as a while loop over time for each direction. The products with the inputs of all times are computed at once before the loop.

namespace weft::onnx_io {
namespace {

using Activation = std::function<Output(Output)>;

/// What is common to the three ops.
struct Recurrence {
  Output x;  ///< [time, batch, features]
  Output lengths;
  int64_t hidden = 0, directions = 1;
  bool firstBackward = false, batchFirst = false;
  std::vector<Activation> activations;
  double clip = 0;
};

Output timesNumber(ImportNode& n, Output x, double k) {
  const Output factor = n.scalar(x, k);
  return n.op("Mul", {x, factor});
}

Output plusNumber(ImportNode& n, Output x, double k) {
  const Output term = n.scalar(x, k);
  return n.op("AddV2", {x, term});
}

Output clamped(ImportNode& n, Output x, double low, double high) {
  const Output least = n.scalar(x, low), most = n.scalar(x, high);
  return n.op("Minimum", {n.op("Maximum", {x, least}), most});
}

Result<Activation> activationOf(ImportNode& n, const std::string& name, std::optional<double> alpha, std::optional<double> beta) {
  for (const char* plain : {"Relu", "Tanh", "Sigmoid", "Softsign", "Softplus"})
    if (name == plain) return Activation([&n, plain](Output x) { return n.op(plain, {x}); });
  if (name == "Affine") return Activation([&n, a = alpha.value_or(1), b = beta.value_or(0)](Output x) { return plusNumber(n, timesNumber(n, x, a), b); });
  if (name == "LeakyRelu") return Activation([&n, a = alpha.value_or(0.01)](Output x) { return n.op("LeakyRelu", {x}, {{"alpha", a}}); });
  if (name == "ScaledTanh")
    return Activation([&n, a = alpha.value_or(1), b = beta.value_or(1)](Output x) { return timesNumber(n, n.op("Tanh", {timesNumber(n, x, b)}), a); });
  if (name == "HardSigmoid")
    return Activation([&n, a = alpha.value_or(0.2), b = beta.value_or(0.5)](Output x) { return clamped(n, plusNumber(n, timesNumber(n, x, a), b), 0, 1); });
  if (name == "Elu" && alpha.value_or(1) == 1) return Activation([&n](Output x) { return n.op("Elu", {x}); });
  return unimplemented("the activation ", name);
}

/// An input of rank 3, as the format requires it, where shapes do not tell.
Output ofRank3(ImportNode& n, int input, const Shape& shape) {
  const Output x = n.in(input);
  if (n.rank(input) >= 0) return x;
  const Output same = n.b.identity(x);
  n.b.setShape(same, shape);
  return same;
}

Result<Recurrence> recurrenceOf(ImportNode& n, const std::vector<std::string>& usual) {
  Recurrence r;
  const Shape weights = n.b.shape(n.in(1)), states = n.b.shape(n.in(2));
  r.hidden = n.integer("hidden_size", states.rank() == 3 ? states.dim(2) : -1);
  const std::string direction = n.text("direction", "forward");
  r.directions = direction == "bidirectional" ? 2 : 1;
  r.firstBackward = direction == "reverse";
  r.batchFirst = n.integer("layout") != 0;
  if (r.hidden < 1 || weights.rank() != 3 || weights.dim(0) != r.directions || (n.rank(0) >= 0 && n.rank(0) != 3))
    return unimplemented("weights of shape ", weights.toString(), " for ", r.directions, " directions and ", r.hidden, " hidden units");
  r.x = ofRank3(n, 0, Shape({-1, -1, weights.dim(2)}));
  if (r.batchFirst) r.x = n.transpose(r.x, {1, 0, 2});
  if (n.has(4)) r.lengths = n.b.cast(n.in(4), DType::Int32);
  r.clip = double(n.real("clip", 0));
  std::vector<std::string> names = n.texts("activations");
  if (names.empty())
    for (int64_t d = 0; d < r.directions; ++d) names.insert(names.end(), usual.begin(), usual.end());
  if (names.size() != usual.size() * size_t(r.directions))
    return invalidArgument("it has ", names.size(), " activations; expected ", usual.size() * size_t(r.directions));
  const auto alphas = n.reals("activation_alpha"), betas = n.reals("activation_beta");
  // The lists have entries for the functions that use them only, in their order.
  size_t alpha = 0, beta = 0;
  for (const std::string& name : names) {
    const bool takesAlpha =
        name == "Affine" || name == "LeakyRelu" || name == "ThresholdedRelu" || name == "ScaledTanh" || name == "HardSigmoid" || name == "Elu";
    const bool takesBeta = name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid";
    const auto a = takesAlpha && alpha < alphas.size() ? std::optional(double(alphas[alpha++])) : std::nullopt;
    const auto b = takesBeta && beta < betas.size() ? std::optional(double(betas[beta++])) : std::nullopt;
    WEFT_LET(Activation f, activationOf(n, name, a, b));
    r.activations.push_back(std::move(f));
  }
  return r;
}

/// Slice `d` of the first dimension, without it.
Output ofDirection(ImportNode& n, Output x, int64_t d) {
  const Output at = n.b.scalar(int32_t(d));
  return n.gather(x, at, 0);
}

Output zerosOf(ImportNode& n, const Recurrence& r) {
  const Output batch = n.slice(n.shapeOf(r.x), 0, 1, 2), units = n.intVector({r.hidden});
  const Output shape = n.concat({batch, units}, 0), zero = n.scalar(r.x, 0);
  return n.op("Fill", {shape, zero});
}

Output initialState(ImportNode& n, const Recurrence& r, int input, int64_t d) {
  if (!n.has(input)) return zerosOf(n, r);
  const Output all = ofRank3(n, input, Shape::unknownOfRank(3));
  const Output state = ofDirection(n, r.batchFirst ? n.transpose(all, {1, 0, 2}) : all, d);
  n.b.setShape(state, Shape({-1, r.hidden}));
  return state;
}

Output reversed(ImportNode& n, const Recurrence& r, Output x) {
  if (r.lengths.valid()) return n.op("ReverseSequence", {x, r.lengths}, {{"seq_dim", 0}, {"batch_dim", 1}});
  const Output axis = n.intVector({0});
  return n.op("ReverseV2", {x, axis});
}

/// One step: from the inputs' part of the gates and the states to the new states, of which the first is the output.
using Step = std::function<Outputs(Output gates, const Outputs& states)>;

/// The outputs of all times, and the last states.
std::pair<Output, Outputs> overTime(ImportNode& n, const Recurrence& r, Output gates, const Outputs& initial, const Step& step) {
  GraphBuilder& b = n.b;
  const DType type = b.dtype(gates);
  const Output count = n.reshape(n.slice(n.shapeOf(gates), 0, 0, 1), {}), zero = b.scalar(int32_t(0));
  const int array = b.node("TensorArrayV3", {count}, {{"dtype", type}, {"element_shape", Shape({-1, r.hidden})}});
  Outputs variables{zero, {array, 1}};
  variables.insert(variables.end(), initial.begin(), initial.end());
  if (!b.ok()) return {};
  const Output handle{array, 0};
  const auto condition = [&](const Outputs& v) { return b.op("Less", {v[0], count}); };
  const auto body = [&](const Outputs& v) {
    const Outputs states(v.begin() + 2, v.end());
    Outputs next = step(n.gather(gates, v[0], 0), states);
    Output shown = next.empty() ? Output{} : next[0];
    if (r.lengths.valid() && b.ok()) {
      const Output column = b.scalar(int32_t(-1));
      const Output runs = n.op("ExpandDims", {b.op("Less", {v[0], r.lengths}), column});
      const Output nothing = n.op("ZerosLike", {shown});
      shown = n.op("SelectV2", {runs, shown, nothing});
      for (size_t i = 0; i < next.size(); ++i) next[i] = n.op("SelectV2", {runs, next[i], states[i]});
    }
    const Output flow = b.op("TensorArrayWriteV3", {handle, v[0], shown, v[1]});
    const Output unit = b.scalar(int32_t(1));
    Outputs out{b.op("AddV2", {v[0], unit}), flow};
    out.insert(out.end(), next.begin(), next.end());
    return out;
  };
  api::WhileOptions options;
  options.name = "over_time";
  for (const Output& v : variables) options.shapeInvariants.push_back(b.shape(v));
  for (size_t i = 2; i < options.shapeInvariants.size(); ++i) options.shapeInvariants[i] = Shape({-1, r.hidden});
  const Outputs last = api::whileLoop(b, condition, body, variables, options);
  if (!b.ok() || last.size() != variables.size()) return {};
  const Output start = b.scalar(int32_t(0)), unit = b.scalar(int32_t(1));
  const Output places = b.op("Range", {start, count, unit});
  const Output all = b.op("TensorArrayGatherV3", {handle, places, last[1]}, {{"dtype", type}, {"element_shape", Shape({-1, r.hidden})}});
  return {all, Outputs(last.begin() + 2, last.end())};
}

/// Runs all directions and joins them. `make` gives the step of a direction; `states` is the number of states, whose initial values begin at input 5.
Translation joined(ImportNode& n, const Recurrence& r, int64_t gateCount, int states,
                   const std::function<Step(int64_t, Output recurrent, Output recurrentBias)>& make) {
  Outputs sequences;
  std::vector<Outputs> finals(static_cast<size_t>(states));
  for (int64_t d = 0; d < r.directions; ++d) {
    const bool backward = d == 1 || r.firstBackward;
    const Output x = backward ? reversed(n, r, r.x) : r.x;
    const Output weights = n.transpose(ofDirection(n, n.in(1), d), {1, 0}), recurrent = n.transpose(ofDirection(n, n.in(2), d), {1, 0});
    Output gates = n.op("BatchMatMulV2", {x, weights}), recurrentBias;
    if (n.has(3)) {
      const Output bias = ofDirection(n, n.in(3), d);
      gates = n.op("AddV2", {gates, n.slice(bias, 0, 0, gateCount * r.hidden)});
      recurrentBias = n.slice(bias, 0, gateCount * r.hidden, 2 * gateCount * r.hidden);
    }
    Outputs initial;
    for (int s = 0; s < states; ++s) initial.push_back(initialState(n, r, 5 + s, d));
    const Step step = make(d, recurrent, recurrentBias);
    auto [sequence, last] = overTime(n, r, gates, initial, step);
    WEFT_TRY(n.b.status());
    if (backward) sequence = reversed(n, r, sequence);
    sequences.push_back(sequence);
    for (int s = 0; s < states; ++s) finals[size_t(s)].push_back(last[size_t(s)]);
  }
  const auto stack = [&](const Outputs& parts, int axis) {
    Inputs list(parts);
    return n.b.op("Pack", list, {{"axis", axis}});
  };
  Outputs out{stack(sequences, r.batchFirst ? 2 : 1)};
  if (r.batchFirst) out[0] = n.transpose(out[0], {1, 0, 2, 3});
  for (const Outputs& parts : finals) out.push_back(stack(parts, r.batchFirst ? 1 : 0));
  return out;
}

Output gate(ImportNode& n, const Recurrence& r, Output all, int64_t which, int axis = 1) {
  return n.slice(all, axis, which * r.hidden, (which + 1) * r.hidden);
}

Output limited(ImportNode& n, const Recurrence& r, Output x) { return r.clip > 0 ? clamped(n, x, -r.clip, r.clip) : x; }

Translation lstm(ImportNode& n) {
  WEFT_LET(const Recurrence r, recurrenceOf(n, {"Sigmoid", "Tanh", "Tanh"}));
  if (n.integer("input_forget")) return unimplemented("input_forget");
  return joined(n, r, 4, 2, [&](int64_t d, Output recurrent, Output bias) -> Step {
    const Output peepholes = n.has(7) ? ofDirection(n, n.in(7), d) : Output{};
    const auto& f = r.activations[size_t(3 * d)];
    const auto& g = r.activations[size_t(3 * d + 1)];
    const auto& h = r.activations[size_t(3 * d + 2)];
    return [=, &n, &r](Output gates, const Outputs& states) -> Outputs {
      Output all = n.op("AddV2", {gates, n.op("MatMul", {states[0], recurrent})});
      if (bias.valid()) all = n.op("AddV2", {all, bias});
      const auto peeped = [&](int64_t which, int64_t peephole, Output cell) {
        const Output own = gate(n, r, all, which);
        if (!peepholes.valid()) return limited(n, r, own);
        return limited(n, r, n.op("AddV2", {own, n.op("Mul", {gate(n, r, peepholes, peephole, 0), cell})}));
      };
      const Output in = f(peeped(0, 0, states[1])), forget = f(peeped(2, 2, states[1]));
      const Output candidate = g(limited(n, r, gate(n, r, all, 3)));
      const Output kept = n.op("Mul", {forget, states[1]}), added = n.op("Mul", {in, candidate});
      const Output cell = n.op("AddV2", {kept, added});
      const Output out = f(peeped(1, 1, cell));
      return {n.op("Mul", {out, h(cell)}), cell};
    };
  });
}

Translation gru(ImportNode& n) {
  WEFT_LET(const Recurrence r, recurrenceOf(n, {"Sigmoid", "Tanh"}));
  const bool linearFirst = n.integer("linear_before_reset") != 0;
  return joined(n, r, 3, 1, [&](int64_t d, Output recurrent, Output bias) -> Step {
    const auto& f = r.activations[size_t(2 * d)];
    const auto& g = r.activations[size_t(2 * d + 1)];
    const Output first = n.slice(recurrent, 1, 0, 2 * r.hidden), last = n.slice(recurrent, 1, 2 * r.hidden, 3 * r.hidden);
    const Output firstBias = bias.valid() ? n.slice(bias, 0, 0, 2 * r.hidden) : Output{},
                 lastBias = bias.valid() ? n.slice(bias, 0, 2 * r.hidden, 3 * r.hidden) : Output{};
    return [=, &n, &r](Output gates, const Outputs& states) -> Outputs {
      Output both = n.op("AddV2", {n.slice(gates, 1, 0, 2 * r.hidden), n.op("MatMul", {states[0], first})});
      if (firstBias.valid()) both = n.op("AddV2", {both, firstBias});
      both = limited(n, r, both);
      const Output update = f(gate(n, r, both, 0)), reset = f(gate(n, r, both, 1));
      Output part = n.op("MatMul", {linearFirst ? states[0] : n.op("Mul", {reset, states[0]}), last});
      if (lastBias.valid()) part = n.op("AddV2", {part, lastBias});
      if (linearFirst) part = n.op("Mul", {reset, part});
      const Output candidate = g(limited(n, r, n.op("AddV2", {gate(n, r, gates, 2), part})));
      const Output kept = n.op("Mul", {update, n.op("Sub", {states[0], candidate})});
      return {n.op("AddV2", {candidate, kept})};
    };
  });
}

Translation rnn(ImportNode& n) {
  WEFT_LET(const Recurrence r, recurrenceOf(n, {"Tanh"}));
  return joined(n, r, 1, 1, [&](int64_t d, Output recurrent, Output bias) -> Step {
    const auto& f = r.activations[size_t(d)];
    return [=, &n, &r](Output gates, const Outputs& states) -> Outputs {
      Output all = n.op("AddV2", {gates, n.op("MatMul", {states[0], recurrent})});
      if (bias.valid()) all = n.op("AddV2", {all, bias});
      return {f(limited(n, r, all))};
    };
  });
}

}  // namespace

std::vector<ImportRule> recurrentImports() { return {{"LSTM", lstm}, {"GRU", gru}, {"RNN", rnn}}; }

}  // namespace weft::onnx_io
