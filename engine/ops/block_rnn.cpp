#include "ops/block_rnn.h"

// LSTM and GRU cells with one op per step: LSTMBlockCell, BlockLSTM (a whole sequence), GRUBlockCell, and their gradients.
namespace weft {
namespace {

int64_t dimOf(const Shape& s, int d) { return s.hasRank() ? s.dim(d) : Shape::kUnknownDim; }

Status lstmCellShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  for (int k = 0; k < 7; ++k) c.setOutput(k, Shape{dimOf(c.input(0), 0), dimOf(c.input(1), 1)});
  return {};
}
Status lstmCellGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  const int64_t batch = dimOf(c.input(0), 0), cells = dimOf(c.input(1), 1);
  c.setOutput(0, Shape{batch, cells});
  c.setOutput(1, Shape{batch, cells < 0 ? Shape::kUnknownDim : 4 * cells});
  for (int k = 2; k < 5; ++k) c.setOutput(k, Shape{cells});
  return {};
}
Status blockLstmShape(ShapeContext& c) {
  const Shape &x = c.input(1), &b = c.input(8);
  WEFT_TRY(c.requireRank(x, 3));
  WEFT_TRY(c.requireRank(b, 1));
  const int64_t gates = dimOf(b, 0);
  if (gates >= 0 && gates % 4 != 0) return invalidArgument("Dimension size must be evenly divisible by 4 but is ", gates);
  for (int k = 0; k < 7; ++k) c.setOutput(k, Shape{dimOf(x, 0), dimOf(x, 1), gates < 0 ? Shape::kUnknownDim : gates / 4});
  return {};
}
Status blockLstmGradShape(ShapeContext& c) {
  const int ranks[] = {3, 2, 2, 2, 1, 1, 1, 1};
  for (int k = 0; k < 8; ++k) {
    WEFT_TRY(c.requireRank(c.input(k + 1), ranks[k]));
    c.setOutput(k, c.input(k + 1).hasRank() ? c.input(k + 1) : Shape::unknownOfRank(ranks[k]));
  }
  return {};
}
Status gruCellShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  for (int k = 0; k < 4; ++k) c.setOutput(k, Shape{dimOf(c.input(0), 0), dimOf(c.input(1), 1)});
  return {};
}
Status gruCellGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  WEFT_TRY(c.requireRank(c.input(2), 2));
  const int64_t batch = dimOf(c.input(0), 0), cells = dimOf(c.input(1), 1), twice = dimOf(c.input(2), 1);
  c.setOutput(0, c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(2));
  c.setOutput(1, Shape{batch, cells});
  c.setOutput(2, Shape{batch, cells});
  c.setOutput(3, Shape{batch, twice});
  return {};
}

/// All inputs and outputs, and the gradients that arrive at cs and h.
Result<std::vector<Output>> blockLstmGradient(GradContext& c) {
  Inputs in;
  for (int k = 0; k < 9; ++k) in.add(c.input(k));
  for (int k = 0; k < 7; ++k) in.add(c.output(k));
  in.add(c.grad(1)).add(c.grad(6));
  const int node = c.b().node("BlockLSTMGrad", in, {{"use_peephole", c.attrs().flag("use_peephole")}});
  std::vector<Output> out = {Output{}};
  for (const Output& o : c.b().outputsOf(node)) out.push_back(o);
  return out;
}

struct Doc {
  const char *spec, *doc;
};
constexpr Doc kLstmInputs[] = {{"cs_prev: T", "Cell state of the previous step, [batch, cells]."},
                               {"h_prev: T", "Output of the previous step, [batch, cells]."},
                               {"w: T", "Weights, [inputs + cells, 4 * cells]."},
                               {"wci: T", "Peephole weights of the input gate, [cells]."},
                               {"wcf: T", "Peephole weights of the forget gate, [cells]."},
                               {"wco: T", "Peephole weights of the output gate, [cells]."},
                               {"b: T", "Biases, [4 * cells]."}};
constexpr Doc kLstmState[] = {{"i: T", "Input gate activations."},
                              {"cs: T", "Cell state."},
                              {"f: T", "Forget gate activations."},
                              {"o: T", "Output gate activations."},
                              {"ci: T", "Cell input (candidate state)."},
                              {"co: T", "tanh of the cell state."},
                              {"h: T", "Cell output."}};

void addLstmAttrs(OpRecord& r) {
  r.attr("forget_bias: float = 1.0", "Constant added to the bias of the forget gate.")
      .attr("cell_clip: float = 3.0", "Cell states are clipped to [-cell_clip, cell_clip]; no clipping if zero or negative.")
      .attr("use_peephole: bool = false", "Whether the gates also see the cell state (peephole connections).")
      .attr("T: {half, float}", "Type of the numbers.");
}

OpRecord& addCell(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Neural network").keywords("rnn lstm gru cell").summary(summary);
}

}  // namespace

void registerBlockRnn(OpRegistry& ops) {
  const std::vector<KernelConstraint> types = {{"T", {DType::Float, DType::Half}}};
  const char* const none = "TensorFlow's layers call the gradient op directly.";

  OpRecord& cell = addCell(ops, "LSTMBlockCell", "One time step of an LSTM cell.").input("x: T", "Input, [batch, inputs].");
  for (const Doc& d : kLstmInputs) cell.input(d.spec, d.doc);
  for (const Doc& d : kLstmState) cell.output(d.spec, d.doc);
  addLstmAttrs(cell);
  cell.shape(lstmCellShape).noGradient(none).cpu(types, simpleKernel(runLstmCell)).gradientIsError = true;

  OpRecord& cellGrad = addCell(ops, "LSTMBlockCellGrad", "Gradient of LSTMBlockCell.").input("x: T", "Input, [batch, inputs].");
  for (const Doc& d : kLstmInputs) cellGrad.input(d.spec, d.doc);
  for (size_t k = 0; k < 6; ++k) cellGrad.input(kLstmState[k].spec, kLstmState[k].doc);
  cellGrad.input("cs_grad: T", "Gradient with respect to the cell state.").input("h_grad: T", "Gradient with respect to the output.");
  cellGrad.output("cs_prev_grad: T", "Gradient with respect to the previous cell state.")
      .output("dicfo: T", "Gradients with respect to the gates' pre-activations, in the order i, ci, f, o.")
      .output("wci_grad: T", "Gradient with respect to `wci`.")
      .output("wcf_grad: T", "Gradient with respect to `wcf`.")
      .output("wco_grad: T", "Gradient with respect to `wco`.")
      .attr("use_peephole: bool", "Whether the gates also see the cell state (peephole connections).")
      .attr("T: {half, float}", "Type of the numbers.");
  cellGrad.shape(lstmCellGradShape).noGradient("TensorFlow defines no second derivative for it.").cpu(types, simpleKernel(runLstmCellGrad)).gradientIsError =
      true;

  OpRecord& block = addCell(ops, "BlockLSTM", "LSTM over a whole sequence.")
                        .input("seq_len_max: int64", "Number of time steps to compute; later outputs are zero.")
                        .input("x: T", "Inputs, [time, batch, inputs].");
  for (const Doc& d : kLstmInputs) block.input(d.spec, d.doc);
  for (const Doc& d : kLstmState) block.output(d.spec, d.doc);
  addLstmAttrs(block);
  block.shape(blockLstmShape).gradient(blockLstmGradient).cpu(types, simpleKernel(runBlockLstm));

  OpRecord& blockGrad = addCell(ops, "BlockLSTMGrad", "Gradient of BlockLSTM.")
                            .input("seq_len_max: int64", "Number of time steps that were computed.")
                            .input("x: T", "Inputs, [time, batch, inputs].");
  for (const Doc& d : kLstmInputs) blockGrad.input(d.spec, d.doc);
  for (const Doc& d : kLstmState) blockGrad.input(d.spec, d.doc);
  blockGrad.input("cs_grad: T", "Gradient with respect to the cell states.")
      .input("h_grad: T", "Gradient with respect to the outputs.")
      .output("x_grad: T", "Gradient with respect to `x`.");
  for (const char* name : {"cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"}) {
    blockGrad.output(std::string(name) + "_grad: T", std::string("Gradient of `") + name + "`.");
  }
  blockGrad.attr("use_peephole: bool", "Whether the gates also see the cell state (peephole connections).").attr("T: {half, float}", "Type of the numbers.");
  blockGrad.shape(blockLstmGradShape).noGradient("TensorFlow defines no second derivative for it.").cpu(types, simpleKernel(runBlockLstmGrad)).gradientIsError =
      true;

  const Doc gruInputs[] = {{"x: T", "Input, [batch, inputs]."},
                           {"h_prev: T", "Output of the previous step, [batch, cells]."},
                           {"w_ru: T", "Weights of the reset and update gates, [inputs + cells, 2 * cells]."},
                           {"w_c: T", "Weights of the candidate output, [inputs + cells, cells]."},
                           {"b_ru: T", "Biases of the reset and update gates, [2 * cells]."},
                           {"b_c: T", "Biases of the candidate output, [cells]."}};
  OpRecord& gru = addCell(ops, "GRUBlockCell", "One time step of a GRU cell.");
  for (const Doc& d : gruInputs) gru.input(d.spec, d.doc);
  gru.output("r: T", "Reset gate activations.")
      .output("u: T", "Update gate activations.")
      .output("c: T", "Candidate output, before the update gate is applied.")
      .output("h: T", "Cell output.");
  gru.attr("T: {float}", "Type of the numbers.").shape(gruCellShape).noGradient(none).cpu({{"T", types::kFloat}}, simpleKernel(runGruCell)).gradientIsError =
      true;

  OpRecord& gruGrad = addCell(ops, "GRUBlockCellGrad", "Gradient of GRUBlockCell.");
  for (const Doc& d : gruInputs) gruGrad.input(d.spec, d.doc);
  gruGrad.input("r: T", "Reset gate activations.")
      .input("u: T", "Update gate activations.")
      .input("c: T", "Candidate output.")
      .input("d_h: T", "Gradient with respect to the output.");
  gruGrad.output("d_x: T", "Gradient with respect to `x`.")
      .output("d_h_prev: T", "Gradient with respect to `h_prev`.")
      .output("d_c_bar: T", "Gradient with respect to the candidate's pre-activation.")
      .output("d_r_bar_u_bar: T", "Gradients with respect to the pre-activations of the reset and update gates.");
  gruGrad.attr("T: {float}", "Type of the numbers.").shape(gruCellGradShape).noGradient("TensorFlow defines no second derivative for it.");
  gruGrad.cpu({{"T", types::kFloat}}, simpleKernel(runGruCellGrad)).gradientIsError = true;
}

}  // namespace weft
