#include <algorithm>

#include "io/tflite/import.h"

// Operators with state: SVDF, LSTM and RNN. Their state is a placeholder with zeros for a default, so that one run computes what a freshly allocated
// interpreter computes, and feeding "STATE" with the fetched "STATE/next" continues a sequence.

namespace weft::tflite {
namespace {

/// Checks that a constant has a shape, so that the sums of sizes below can rely on it.
bool hasShape(OperatorImport& op, const std::optional<Tensor>& t, const Shape& wanted, const char* what) {
  if (t && t->shape() == wanted && t->dtype() == DType::Float) return true;
  op.b().fail(invalidArgument(op.name(), " needs ", what, " of shape ", wanted.toString(), "; the file has ", t ? t->shape().toString() : std::string("none"))
                  .ofKind("invalid_model"));
  return false;
}

Shape storedShape(OperatorImport& op, int i) { return op.inputTensor(i) ? shapeOf(*op.inputTensor(i), false) : Shape::unknown(); }

/// A filter of `rank` parts per unit: features of the input, kept for some steps and weighted by their age.
std::vector<Output> svdf(OperatorImport& op) {
  constexpr int kInput = 0, kFeatureWeights = 1, kTimeWeights = 2, kBias = 3, kState = 4;
  const auto& o = op.options<tfl::SVDFOptions>();
  GraphBuilder& b = op.b();
  const Shape time = storedShape(op, kTimeWeights);
  if (time.rank() != 2 || o.rank() < 1 || time.dim(0) % o.rank() || time.dim(1) < 1) {
    b.fail(invalidArgument("SVDF of rank ", o.rank(), " has time weights of shape ", time.toString()).ofKind("invalid_model"));
    return {};
  }
  const auto filters = int32_t(time.dim(0)), memory = int32_t(time.dim(1)), units = filters / o.rank();
  const Output features = op.rounded(b.op("MatMul", {op.in(kInput), op.in(kFeatureWeights)}, {{"transpose_b", true}}, "features"), kState);
  const Output past = b.op("Reshape", {op.state(kState), b.ints({-1, filters, memory})}, {}, "state");
  const Output kept = b.op("Slice", {past, b.ints({0, 0, 1}, "begin"), b.ints({-1, -1, memory - 1}, "size")}, {}, "kept");
  const Output now = b.op("ConcatV2", {kept, b.op("ExpandDims", {features, b.scalar(int32_t(2), "axis")}), b.scalar(int32_t(2), "axis")}, {}, "memory");
  op.setNextState(kState, now);
  const Output weighted = b.op("Sum", {b.op("Mul", {now, op.in(kTimeWeights)}), b.ints({2}, "axes")}, {}, "filters");
  Output y = b.op("Sum", {b.op("Reshape", {weighted, b.ints({-1, units, o.rank()})}), b.ints({2}, "axes")}, {}, "units");
  if (op.has(kBias)) y = b.op("BiasAdd", {y, op.in(kBias)});
  return {op.activated(y, o.activation())};
}

/// The weights of an LSTM as one matrix with the gates in the order input, candidate, forget, output.
struct LstmWeights {
  Tensor matrix, bias;
  int64_t cells = 0, inputs = 0;
};

std::optional<LstmWeights> lstmWeights(OperatorImport& op) {
  // The file's order is input, forget, cell, output.
  constexpr int kOrder[] = {0, 2, 1, 3};
  LstmWeights out;
  const Shape first = storedShape(op, 2);
  if (first.rank() != 2) {
    op.b().fail(invalidArgument(op.name(), " has input weights of shape ", first.toString()).ofKind("invalid_model"));
    return std::nullopt;
  }
  const int64_t cells = out.cells = first.dim(0), inputs = out.inputs = first.dim(1);
  std::vector<Tensor> fromInput, fromState, biases;
  for (const int gate : kOrder) {
    for (const auto& [i, wanted, list] :
         {std::tuple{1 + gate, Shape{cells, inputs}, &fromInput}, {5 + gate, Shape{cells, cells}, &fromState}, {12 + gate, Shape{cells}, &biases}}) {
      const auto t = op.constant(i);
      if (!hasShape(op, t, wanted, "weights")) return std::nullopt;
      list->push_back(*t);
    }
  }
  // The checked weights have `inputs` and `cells` columns, so this does not overflow.
  if (!op.fits(sizeof(float) * 4 * uint64_t(cells) * uint64_t(inputs + cells + 1))) return std::nullopt;
  out.matrix = Tensor::zeros(DType::Float, {inputs + cells, 4 * cells});
  out.bias = Tensor::zeros(DType::Float, {4 * cells});
  for (int64_t g = 0; g < 4; ++g) {
    for (int64_t c = 0; c < cells; ++c) {
      float* to = out.matrix.mutableData<float>() + g * cells + c;
      for (int64_t i = 0; i < inputs; ++i) to[i * 4 * cells] = fromInput[size_t(g)].at<float>(c * inputs + i);
      for (int64_t i = 0; i < cells; ++i) to[(inputs + i) * 4 * cells] = fromState[size_t(g)].at<float>(c * cells + i);
      out.bias.mutableData<float>()[g * cells + c] = biases[size_t(g)].at<float>(c);
    }
  }
  return out;
}

/// Why an LSTM cannot be rebuilt; empty: it can.
std::string lstmRefusal(OperatorImport& op, tfl::Activation activation) {
  constexpr int kProjection = 16, kNorm = 20;
  if (!op.has(1)) return "an LSTM whose input and forget gates are coupled";
  if (op.has(kProjection)) return "an LSTM with a projection";
  for (int i = kNorm; i < kNorm + 4; ++i)
    if (op.has(i)) return "an LSTM with layer normalization";
  if (activation != tfl::Activation::TANH) return "an LSTM with another activation than tanh";
  for (int i = 1; i < 16; ++i)
    if (op.has(i) && !op.constant(i)) return "an LSTM whose weights are computed";
  return {};
}

/// The inputs of LSTMBlockCell and BlockLSTM from `cs_prev` on.
std::vector<Output> cellInputs(OperatorImport& op, const LstmWeights& weights, bool peephole) {
  constexpr int kPeepholes = 9, kOutputState = 18, kCellState = 19;
  GraphBuilder& b = op.b();
  std::vector<Output> out = {op.state(kCellState), op.state(kOutputState), b.constant(weights.matrix, "weights")};
  for (int i = 0; i < 3; ++i) {
    const auto given = peephole ? op.constant(kPeepholes + i) : Tensor::zeros(DType::Float, {weights.cells});
    if (!hasShape(op, given, {weights.cells}, "peephole weights")) return {};
    out.push_back(b.constant(*given, "peephole"));
  }
  out.push_back(b.constant(weights.bias, "bias"));
  return out;
}

AttrMap lstmAttrs(float cellClip, bool peephole) { return {{"forget_bias", 0.0}, {"cell_clip", cellClip > 0 ? cellClip : -1.f}, {"use_peephole", peephole}}; }

std::vector<Output> lstmSequence(OperatorImport& op) {
  constexpr int kPeephole = 10, kOutputState = 18, kCellState = 19, kCellOutput = 1, kHiddenOutput = 6;
  const auto& o = op.options<tfl::UnidirectionalSequenceLSTMOptions>();
  if (auto why = lstmRefusal(op, o.activation()); !why.empty()) return op.unsupported(std::move(why));
  const auto weights = lstmWeights(op);
  if (!weights) return {};
  GraphBuilder& b = op.b();
  const bool peephole = op.has(kPeephole);
  const auto swapped = [&](Output x) { return b.op("Transpose", {x, b.ints({1, 0, 2}, "order")}); };
  const Output x = o.time_major() ? op.in(0) : swapped(op.in(0));
  const Shape shape = b.shape(x);
  if (!b.ok() || shape.rank() != 3 || shape.dim(0) < 1) return op.unsupported("a sequence of unknown length");
  Inputs in{b.scalar(shape.dim(0), "steps"), x};
  in.add(cellInputs(op, *weights, peephole));
  const int node = b.node("BlockLSTM", in, lstmAttrs(o.cell_clip(), peephole));
  if (node < 0) return {};
  const auto lastOf = [&](int output) {
    return b.op("StridedSlice", {Output{node, output}, b.ints({-1}, "begin"), b.ints({0}, "end"), b.ints({1}, "step")},
                {{"end_mask", 1}, {"shrink_axis_mask", 1}}, "last");
  };
  op.setNextState(kOutputState, lastOf(kHiddenOutput));
  op.setNextState(kCellState, lastOf(kCellOutput));
  const Output h{node, kHiddenOutput};
  return {o.time_major() ? b.identity(h) : swapped(h)};
}

/// One step, as older converters write it: data, previous output, weights, biases, previous cell state; output, cell state and two buffers for temporary values.
std::vector<Output> basicLstm(OperatorImport& op) {
  constexpr int kData = 0, kPrevious = 1, kWeights = 2, kBias = 3, kCell = 4;
  GraphBuilder& b = op.b();
  const Shape weights = storedShape(op, kWeights);
  if (weights.rank() != 2 || weights.dim(0) % 4) {
    b.fail(invalidArgument(op.name(), " has weights of shape ", weights.toString()).ofKind("invalid_model"));
    return {};
  }
  const Output matrix = op.formed(
      kWeights, "transposed",
      [](const Tensor& t) {
        return permuted(t, {1, 0});
      },
      [&](Output x) {
        return b.op("Transpose", {x, b.ints({1, 0}, "order")});
      });
  const Output none = b.constant(Tensor::zeros(DType::Float, {weights.dim(0) / 4}), "peephole");
  const int node = b.node("LSTMBlockCell", {op.in(kData), op.in(kCell), op.in(kPrevious), matrix, none, none, none, op.in(kBias)}, lstmAttrs(0, false));
  if (node < 0) return {};
  const Output both = b.op("ConcatV2", {op.in(kData), op.in(kPrevious), b.scalar(int32_t(1), "axis")});
  const Output gates = b.op("BiasAdd", {b.op("MatMul", {both, matrix}), op.in(kBias)});
  return {b.identity({node, 6}), b.identity({node, 1}), both, gates};
}

std::vector<Output> lstm(OperatorImport& op) {
  constexpr int kPeephole = 10, kOutputState = 18, kCellState = 19;
  const auto& o = op.options<tfl::LSTMOptions>();
  if (o.kernel_type() == tfl::LstmKernel::BASIC)
    return o.activation() == tfl::Activation::TANH ? basicLstm(op) : op.unsupported("an LSTM with another activation than tanh");
  if (auto why = lstmRefusal(op, o.activation()); !why.empty()) return op.unsupported(std::move(why));
  const auto weights = lstmWeights(op);
  if (!weights) return {};
  const bool peephole = op.has(kPeephole);
  Inputs in{op.in(0)};
  in.add(cellInputs(op, *weights, peephole));
  const int node = op.b().node("LSTMBlockCell", in, lstmAttrs(o.cell_clip(), peephole));
  if (node < 0) return {};
  op.setNextState(kOutputState, {node, 6});
  op.setNextState(kCellState, {node, 1});
  return {op.b().identity({node, 6})};
}

std::vector<Output> rnn(OperatorImport& op) {
  constexpr int kInput = 0, kWeights = 1, kRecurrent = 2, kBias = 3, kState = 4;
  GraphBuilder& b = op.b();
  const Output fromInput = b.op("MatMul", {op.in(kInput), op.in(kWeights)}, {{"transpose_b", true}});
  const Output fromState = b.op("MatMul", {op.state(kState), op.in(kRecurrent)}, {{"transpose_b", true}});
  const Output y = op.activated(b.op("BiasAdd", {b.op("AddV2", {fromInput, fromState}), op.in(kBias)}), op.options<tfl::RNNOptions>().activation());
  op.setNextState(kState, y);
  return {b.identity(y)};
}

constexpr OperatorRule kRecurrent[] = {
    {Op::SVDF, svdf},
    {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, lstmSequence},
    {Op::LSTM, lstm},
    {Op::RNN, rnn},
};

}  // namespace

std::span<const OperatorRule> recurrentRules() { return kRecurrent; }

}  // namespace weft::tflite
