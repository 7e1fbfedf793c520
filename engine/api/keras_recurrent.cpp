// Recurrent layers of Keras as while loops, and the wrappers Bidirectional and TimeDistributed.
#include <algorithm>

#include "api/control_flow.h"
#include "api/keras_layer.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

/// A step: the projected input and the states before it give the states after it; the first state is the output.
using Step = std::function<std::vector<Output>(Output projected, const std::vector<Output>& states)>;

Output byTime(GraphBuilder& b, Output x, std::string_view name) { return b.op("Transpose", {x, b.ints({1, 0, 2}, "perm")}, {}, name); }

/// Loops over the steps of `projected`, [batch, time, width].
Built looped(KerasLayer& l, Output projected, int64_t units, int states, const Step& step) {
  GraphBuilder& b = l.b;
  const DType type = b.dtype(projected);
  const Shape s = b.shape(projected);
  Output turned = byTime(b, projected, "by_time");
  if (l.a.flag("go_backwards")) turned = b.op("ReverseV2", {turned, b.ints({0}, "time_axis")});
  b.setShape(turned, Shape{s.dim(1), s.dim(0), s.dim(2)});
  const Output dims = b.op("Shape", {turned}, {}, "sizes"), count = py::at(b, dims, 0);
  const Output zero = b.op("Fill", {py::stack(b, {py::at(b, dims, 1), int(units)}), b.number(type, 0)}, {}, "zero_state");
  b.setShape(zero, Shape{s.dim(0), units});
  const Output indices = py::range(b, 0, count);
  const auto array = [&](const Shape& element, const char* name) {
    const int id =
        b.node("TensorArrayV3", {count}, {{"dtype", type}, {"element_shape", element}, {"identical_element_shapes", true}, {"tensor_array_name", name}}, name);
    return std::pair<Output, Output>{{id, 0}, {id, 1}};
  };
  const auto [in, inFlow] = array(Shape{s.dim(0), s.dim(2)}, "inputs");
  const auto [out, outFlow] = array(Shape{s.dim(0), units}, "outputs");
  const Output flow = b.op("TensorArrayScatterV3", {in, indices, turned, inFlow}, {}, "scatter");
  std::vector<Output> variables{b.scalar<int32_t>(0, "time"), outFlow};
  for (int i = 0; i < states; ++i) variables.push_back(zero);
  const Output handle = in, results = out;
  const auto end = whileLoop(
      b,
      [&](const std::vector<Output>& v) {
        return b.op("Less", {v[0], count});
      },
      [&](const std::vector<Output>& v) {
        const Output now = b.op("TensorArrayReadV3", {handle, v[0], flow}, {{"dtype", type}}, "read");
        b.setShape(now, Shape{s.dim(0), s.dim(2)});
        const std::vector<Output> after = step(now, {v.begin() + 2, v.end()});
        std::vector<Output> next{py::add(b, v[0], 1), after.empty() ? v[1] : b.op("TensorArrayWriteV3", {results, v[0], after[0], v[1]}, {}, "write")};
        next.insert(next.end(), after.begin(), after.end());
        return next;
      },
      variables);
  if (!b.ok()) return b.status().error();
  Output y = end[2];
  if (l.a.flag("return_sequences")) {
    const Output all = b.op("TensorArrayGatherV3", {results, indices, end[1]}, {{"dtype", type}, {"element_shape", Shape{s.dim(0), units}}}, "gather");
    b.setShape(all, Shape{s.dim(1), s.dim(0), units});
    y = byTime(b, all, "sequences");
    b.setShape(y, Shape{s.dim(0), s.dim(1), units});
  }
  std::vector<Output> outputs{b.identity(y, "output")};
  b.setShape(outputs[0], b.shape(y));
  if (l.a.flag("return_state"))
    for (int i = 0; i < states; ++i) outputs.push_back(b.identity(end[size_t(i) + 2], "state"));
  return l.done(outputs);
}

/// x·kernel + bias for all steps at once.
Output projection(KerasLayer& l, Output x, const VariablePtr& kernel, Output bias, int64_t in, int64_t width) {
  GraphBuilder& b = l.b;
  Output y = call(b, "MatMul", {b.op("Reshape", {x, ints(b, {-1, in}, "rows")}), kernel});
  if (bias.valid()) y = b.op("BiasAdd", {y, bias});
  return reshapedTail(b, y, x, 2, {width});
}

Output plusBias(GraphBuilder& b, Output x, Output bias) { return bias.valid() ? b.op("BiasAdd", {x, bias}) : x; }

Built simpleRnn(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input({3});
  const int64_t in = l.known(x, 2), units = l.a.integer("units");
  const VariablePtr kernel = l.weight("kernel", Shape{in, units}), recurrent = l.weight("recurrent_kernel", Shape{units, units});
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{units}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  const Output again = l.value(recurrent);
  return looped(l, projection(l, x, kernel, bias ? l.value(bias) : Output(), in, units), units, 1, [&](Output now, const std::vector<Output>& h) {
    return std::vector<Output>{l.activated(b.op("Add", {now, b.op("MatMul", {h[0], again})}))};
  });
}

Initializer forgetOnes(int64_t units) {
  return [units](GraphBuilder& b, const Shape& s, DType type) {
    Tensor t = Tensor::zeros(type, s);
    for (int64_t i = units; i < 2 * units; ++i)
      if (type == DType::Double) t.mutableData<double>()[i] = 1;
      else if (type == DType::Float) t.mutableData<float>()[i] = 1;
    return b.constant(t, "ones_for_the_forget_gate");
  };
}

Built lstm(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input({3});
  const int64_t in = l.known(x, 2), units = l.a.integer("units");
  const VariablePtr kernel = l.weight("kernel", Shape{in, 4 * units}), recurrent = l.weight("recurrent_kernel", Shape{units, 4 * units});
  const VariablePtr bias =
      l.a.flag("use_bias") ? l.weight("bias", Shape{4 * units}, l.a.flag("unit_forget_bias") ? forgetOnes(units) : zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  const Output again = l.value(recurrent);
  const std::string gate = l.a.text("recurrent_activation");
  return looped(l, projection(l, x, kernel, bias ? l.value(bias) : Output(), in, 4 * units), units, 2, [&](Output now, const std::vector<Output>& s) {
    const Output all = b.op("Add", {now, b.op("MatMul", {s[0], again})});
    const int split = b.node("Split", {b.scalar<int32_t>(1, "axis"), all}, {{"num_split", 4}}, "split");
    const Output i{split, 0}, f{split, 1}, c{split, 2}, o{split, 3};
    const Output kept = b.op("Mul", {l.activated(f, gate), s[1]}), fresh = b.op("Mul", {l.activated(i, gate), l.activated(c)});
    const Output state = b.op("Add", {kept, fresh});
    return std::vector<Output>{b.op("Mul", {l.activated(o, gate), l.activated(state)}), state};
  });
}

Built gru(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input({3});
  const int64_t in = l.known(x, 2), units = l.a.integer("units");
  const bool after = l.a.flag("reset_after");
  const VariablePtr kernel = l.weight("kernel", Shape{in, 3 * units}), recurrent = l.weight("recurrent_kernel", Shape{units, 3 * units});
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", after ? Shape{2, 3 * units} : Shape{3 * units}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  const std::string gate = l.a.text("recurrent_activation");
  Output inputBias = bias ? l.value(bias) : Output(), recurrentBias;
  if (bias && after) {
    const int rows = b.node("Unpack", {inputBias}, {{"num", int64_t(2)}, {"axis", int64_t(0)}}, "biases");
    inputBias = {rows, 0};
    recurrentBias = {rows, 1};
  }
  const Output again = l.value(recurrent);
  const auto columns = [&](Output m, int64_t begin, int64_t count, std::string_view name) {
    return b.op("Slice", {m, ints(b, {0, begin}, "begin"), ints(b, {units, count}, "size")}, {}, name);
  };
  const Output gates = after ? Output() : columns(again, 0, 2 * units, "gate_kernel"),
               last = after ? Output() : columns(again, 2 * units, units, "candidate_kernel");
  return looped(l, projection(l, x, kernel, inputBias, in, 3 * units), units, 1, [&](Output now, const std::vector<Output>& s) {
    const auto thirds = [&](Output v, int64_t parts, std::string_view name) {
      return b.node("Split", {b.scalar<int32_t>(1, "axis"), v}, {{"num_split", parts}}, name);
    };
    const int given = thirds(now, 3, "split");
    Output z, candidate;
    if (after) {
      const int inner = thirds(plusBias(b, b.op("MatMul", {s[0], again}), recurrentBias), 3, "split_recurrent");
      z = l.activated(b.op("Add", {{given, 0}, {inner, 0}}), gate);
      const Output reset = l.activated(b.op("Add", {{given, 1}, {inner, 1}}), gate);
      candidate = l.activated(b.op("Add", {{given, 2}, b.op("Mul", {reset, {inner, 2}})}));
    } else {
      const int inner = thirds(b.op("MatMul", {s[0], gates}), 2, "split_recurrent");
      z = l.activated(b.op("Add", {{given, 0}, {inner, 0}}), gate);
      const Output reset = l.activated(b.op("Add", {{given, 1}, {inner, 1}}), gate);
      candidate = l.activated(b.op("Add", {{given, 2}, b.op("MatMul", {b.op("Mul", {reset, s[0]}), last})}));
    }
    const Output kept = b.op("Mul", {z, s[0]}), fresh = b.op("Mul", {py::sub(b, 1.0, z), candidate});
    return std::vector<Output>{b.op("Add", {kept, fresh})};
  });
}

Built bidirectional(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input({3});
  WEFT_LET(InnerLayer forward, innerLayer(l.a.text("layer")));
  InnerLayer backward = forward;
  const auto reversed = forward.arguments.find("go_backwards") && forward.arguments.flag("go_backwards");
  backward.arguments.set("go_backwards", !reversed);
  if (!forward.record->find("go_backwards")) return l.fail(unimplemented("Bidirectional of a layer ", forward.kind, "; expected LSTM, GRU or SimpleRNN"));
  for (InnerLayer* inner : {&forward, &backward})
    if (!l.a.flag("trainable")) inner->arguments.set("trainable", false);
  const bool sequences = forward.arguments.find("return_sequences") && forward.arguments.flag("return_sequences");
  const std::string lower = forward.kind == "SimpleRNN" ? "simple_rnn" : forward.kind == "GRU" ? "gru" : "lstm";
  const std::string forwardScope = l.a.text("forward_name").empty() ? "forward_" + lower : l.a.text("forward_name");
  const std::string backwardScope = l.a.text("backward_name").empty() ? "backward_" + lower : l.a.text("backward_name");
  if (!l.a.text("shares").empty()) {
    forward.arguments.set("shares", l.a.text("shares") + "/" + forwardScope);
    backward.arguments.set("shares", l.a.text("shares") + "/" + backwardScope);
  }
  WEFT_LET(const Values there, buildInner(b, l.scope() + "/" + forwardScope, forward, x, {}));
  WEFT_LET(const Values back, buildInner(b, l.scope() + "/" + backwardScope, backward, x, {}));
  if (there.outputs.size() != 1) return l.fail(unimplemented("Bidirectional with return_state"));
  Output y = back.outputs[0];
  if (sequences) y = b.op("ReverseV2", {y, b.ints({1}, "time_axis")});
  if (b.ok()) b.setShape(y, b.shape(back.outputs[0]));
  const Output first = there.outputs[0];
  const std::string mode = l.a.text("merge_mode");
  if (mode == "concat") return l.done(b.op("ConcatV2", {first, y, b.scalar<int32_t>(-1, "axis")}));
  if (mode == "sum") return l.done(b.op("Add", {first, y}));
  if (mode == "mul") return l.done(b.op("Mul", {first, y}));
  if (mode == "ave") return l.done(py::mul(b, b.op("Add", {first, y}), 0.5));
  return l.done({first, y});
}

Built timeDistributed(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.input();
  const Shape s = b.shape(x);
  if (!b.ok()) return b.status().error();
  if (s.rank() < 3) return l.fail(invalidArgument("TimeDistributed expects an input of rank 3 or more, found ", s.toPythonString()));
  WEFT_LET(InnerLayer inner, innerLayer(l.a.text("layer")));
  if (inner.record->find("trainable") && !l.a.flag("trainable")) inner.arguments.set("trainable", false);
  if (!l.a.text("shares").empty()) inner.arguments.set("shares", l.a.text("shares"));
  std::vector<int64_t> sample{-1};
  for (int i = 2; i < s.rank(); ++i) sample.push_back(l.known(x, i));
  const Output rows = b.op("Reshape", {x, ints(b, sample, "samples")});
  // The variables are the wrapper's own, as Keras names them.
  WEFT_LET(const Values made, buildInner(b, l.scope(), inner, rows, l.phase()));
  const Output y = made.outputs[0];
  const Shape t = b.shape(y);
  if (!t.hasRank() || t.slice(1).elements() < 0) return l.fail(unimplemented("TimeDistributed of a layer whose output has the shape ", t.toPythonString()));
  return l.done(reshapedTail(b, y, x, 2, t.slice(1).toVector()));
}

}  // namespace

void registerRecurrent(ApiRegistry& r) {
  const ApiParameter units = required("units", "int", "Number of units (size of the state)."),
                     gate = optional("recurrent_activation", "string", std::string("sigmoid"), "Activation function of the gates.", activations()),
                     all = optional("return_sequences", "bool", false, "Return the output of every step instead of only the last."),
                     state = optional("return_state", "bool", false, "Return the last state too."),
                     back = optional("go_backwards", "bool", false, "Process the sequence from its end.");
  layer(r, "SimpleRNN", "Recurrent layer: the output of a step is an input of the next.",
        {inputs(), units, activation("tanh"), useBias(), all, state, back, trainable()}, simpleRnn, "recurrent", {"units"});
  layer(r, "LSTM", "LSTM (long short-term memory): processes a sequence step by step.",
        {inputs(), units, activation("tanh"), gate, useBias(), optional("unit_forget_bias", "bool", true, "Whether the bias of the forget gate starts at 1."),
         all, state, back, trainable()},
        lstm, "recurrent", {"units"});
  layer(r, "GRU", "GRU (gated recurrent unit): processes a sequence step by step.",
        {inputs(), units, activation("tanh"), gate, useBias(),
         optional("reset_after", "bool", false, "Whether the reset gate is applied after the product with the kernel."), all, state, back, trainable()},
        gru, "recurrent", {"units"});
  const ApiParameter inner = required("layer", "string", "The layer within, such as LSTM(units=32,return_sequences=true).");
  layer(
      r, "Bidirectional", "Processes sequences in both directions and merges the results.",
      {inputs(), inner,
       optional("merge_mode", "string", std::string("concat"), "How the results are merged; none: both are outputs.", {"concat", "sum", "mul", "ave", "none"}),
       optional("forward_name", "string", std::string(), "Name of the layer that reads forwards; empty: after its kind."),
       optional("backward_name", "string", std::string(), "Name of the layer that reads backwards; empty: after its kind."), trainable()},
      bidirectional, "recurrent", {"layer"});
  layer(r, "TimeDistributed", "Applies a layer to every step of sequences.", {inputs(), training(), inner, trainable()}, timeDistributed, "recurrent",
        {"layer"});
}

}  // namespace weft::api::keras
