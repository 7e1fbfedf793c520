// The LSTM as a while loop, as tf.nn.dynamic_rnn builds it: the graph contains one step, for sequences of any length.
#include "api/sequence_loop.h"

#include "api/control_flow.h"
#include "api/layers.h"
#include "api/narrow.h"
#include "api/records.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {
using namespace records;

namespace {

/// A TensorArray of `size` elements.
struct Array {
  Output handle, flow;
};

Array makeArray(GraphBuilder& b, DType type, Output size, const Shape& element, const std::string& name) {
  const int id =
      b.node("TensorArrayV3", {size}, {{"dtype", type}, {"element_shape", element}, {"identical_element_shapes", true}, {"tensor_array_name", name}}, name);
  return {{id, 0}, {id, 1}};
}

Output turned(GraphBuilder& b, Output x, std::string_view name) { return b.op("Transpose", {x, b.ints({1, 0, 2}, "perm")}, {}, name); }

Built lstmLoop(GraphBuilder& b, const Arguments& a) {
  const Output x = a.tensor("inputs");
  const int64_t units = a.integer("units");
  const Shape shape = b.shape(x);
  if (!shape.hasRank() || shape.rank() != 3 || shape[2] <= 0)
    return invalidArgument("lstm_loop expects [batch, time, features] with known features, found ", shape.toPythonString());
  if (!requireSize(b, units, "units") || !requireSize(b, 4 * units, "4 · units")) return b.status().error();
  const DType type = b.dtype(x);
  const LayerScope scope(b, a.text("name"), "lstm_loop");
  const VariablePtr kernel = getVariable(b, "kernel", Shape{shape[2] + units, 4 * units}), bias = getVariable(b, "bias", Shape{4 * units}, zerosInitializer());
  const Output weights = read(b, *kernel), offsets = read(b, *bias);
  const Output forget = b.number(type, a.number("forget_bias"), "forget_bias");
  const Output byTime = turned(b, x, "by_time");
  b.setShape(byTime, Shape{shape[1], shape[0], shape[2]});
  const Output sizes = b.op("Shape", {byTime}, {}, "sizes");
  const Output steps = py::at(b, sizes, 0);
  const Output zero = b.op("Fill", {py::stack(b, {py::at(b, sizes, 1), int(units)}), b.number(type, 0)}, {}, "zero_state");
  b.setShape(zero, Shape{shape[0], units});
  const Output indices = py::range(b, 0, steps);
  Array in = makeArray(b, type, steps, Shape{shape[0], shape[2]}, "inputs"), out = makeArray(b, type, steps, Shape{shape[0], units}, "outputs");
  in.flow = b.op("TensorArrayScatterV3", {in.handle, indices, byTime, in.flow}, {}, "scatter");
  const auto more = [&](const std::vector<Output>& v) { return b.op("Less", {v[0], steps}); };
  const auto step = [&](const std::vector<Output>& v) -> std::vector<Output> {
    const Output now = b.op("TensorArrayReadV3", {in.handle, v[0], in.flow}, {{"dtype", type}}, "read");
    b.setShape(now, Shape{shape[0], shape[2]});
    const Output axis = b.scalar<int32_t>(1, "axis");
    const Output joined = b.op("ConcatV2", {now, v[2], axis}, {}, "concat");
    const Output gates = b.op("BiasAdd", {b.op("MatMul", {joined, weights}), offsets});
    const int split = b.node("Split", {axis, gates}, {{"num_split", 4}}, "split");
    const Output i{split, 0}, j{split, 1}, f{split, 2}, o{split, 3};
    const Output kept = b.op("Mul", {v[1], b.op("Sigmoid", {b.op("Add", {f, forget})})});
    const Output fresh = b.op("Mul", {b.op("Sigmoid", {i}), b.op("Tanh", {j})});
    const Output c = b.op("Add", {kept, fresh});
    const Output h = b.op("Mul", {b.op("Tanh", {c}), b.op("Sigmoid", {o})});
    const Output flow = b.op("TensorArrayWriteV3", {out.handle, v[0], h, v[3]}, {}, "write");
    return {py::add(b, v[0], 1), c, h, flow};
  };
  const auto end = whileLoop(b, more, step, {b.scalar<int32_t>(0, "time"), zero, zero, out.flow});
  if (!b.ok() || end.size() != 4) return b.ok() ? internalError("lstm_loop: the loop gave ", end.size(), " values") : b.status().error();
  if (!a.flag("return_sequences")) return one(b.identity(end[2], "output"));
  const Output all = b.op("TensorArrayGatherV3", {out.handle, indices, end[3]}, {{"dtype", type}, {"element_shape", Shape{shape[0], units}}}, "gather");
  b.setShape(all, Shape{shape[1], shape[0], units});
  const Output output = turned(b, all, "output");
  b.setShape(output, Shape{shape[0], shape[1], units});
  return one(output);
}

}  // namespace

void registerLoops(ApiRegistry& r) {
  add(r, "layers.lstm_loop", "LSTM as a while loop: processes sequences of any length.", "[batch, units], or [batch, time, units].",
      {required("inputs", "tensor", "Sequences: [batch, time, features]."), required("units", "int", "Number of units (size of the state)."),
       optional("return_sequences", "bool", false, "Return the output of every step instead of only the last."),
       optional("forget_bias", "float", 1.0, "Constant added to the bias of the forget gate."), nameParameter()},
      lstmLoop, ApiRecipe{"recurrent", "Sequences", {"units"}}, "tf.nn.dynamic_rnn with tf.nn.rnn_cell.LSTMCell of TensorFlow 1.15");
}

}  // namespace weft::api
