#include "ops/block_rnn.h"

#include <Eigen/Core>
#include <cmath>

#include "device/cpu/gemm.h"
#include "device/cpu/kernel_precision.h"
#include "tensor/element_types.h"

// Kernels of LSTM and GRU cells with one op per step.
// Gates are adjacent: i, ci (the new input), f, o for the LSTM; r, u for the GRU. The LSTM follows W. Zaremba et al. 2014, with optional peepholes (Gers,
// Schmidhuber 2000): i = s(x·w + cs·wci), ci = tanh, f = s(x·w + bias + cs·wcf), cs' = ci·i + cs·f, o = s(x·w + cs'·wco), co = tanh(cs'), h = co·o.
namespace weft {
namespace {

template <typename T>
using Array = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ArrayMap = Eigen::Map<Array<T>>;
template <typename T>
using ConstMap = Eigen::Map<const Array<T>>;

template <typename T>
ConstMap<T> viewOf(const Tensor& t, int64_t rows, int64_t cols, int64_t offset = 0) {
  return ConstMap<T>(elementsOf<T>(t) + offset, rows, cols);
}
template <typename T>
ArrayMap<T> viewOf(Tensor& t, int64_t rows, int64_t cols, int64_t offset = 0) {
  return ArrayMap<T>(elementsOf<T>(t) + offset, rows, cols);
}

/// 16-bit floats are multiplied in float.
template <typename T>
Array<T> product(KernelContext& c, const Array<T>& a, const Array<T>& b) {
  if constexpr (std::is_same_v<T, float>) {
    const cpu::GemmShape shape{a.rows(), a.cols(), b.cols()};
    if (precisionFor(c, shape) == ProductPrecision::BFloat16) {
      Array<T> out(a.rows(), b.cols());
      cpu::gemm(shape, a.data(), b.data(), out.data(), ProductPrecision::BFloat16);
      return out;
    }
  }
  if constexpr (sizeof(T) == 2) return (a.template cast<float>().matrix() * b.template cast<float>().matrix()).array().template cast<T>();
  else return (a.matrix() * b.matrix()).array();
}
template <typename T>
Array<T> sigmoid(const Array<T>& x) {
  return (T(1) + (-x).exp()).inverse();
}
template <typename T>
Array<T> sideBySide(const Array<T>& a, const Array<T>& b) {
  Array<T> out(a.rows(), a.cols() + b.cols());
  out << a, b;
  return out;
}
/// One row per example.
template <typename T>
Array<T> spread(const Tensor& row, int64_t rows) {
  return viewOf<T>(row, 1, row.elements()).replicate(rows, 1);
}

using Sizes = RnnSizes;

Status checkRank(const Tensor& t, int rank, const char* name) {
  if (t.rank() != rank) return invalidArgument(name, " must be ", rank, "D");
  return {};
}
Status checkDim(const Tensor& t, int d, int64_t want, const char* name, const char* what) {
  if (t.dim(d) != want) return invalidArgument(name, ".dims(", d, ") != ", what, ": ", t.dim(d), " vs. ", want);
  return {};
}
Status checkShape(const Tensor& t, const Shape& want, const char* name) {
  if (!(t.shape() == want)) return invalidArgument(name, " must have the shape ", want.toString(), ", but has ", t.shape().toString());
  return {};
}

// ---- LSTM

/// `first`: index of the first of an op's inputs x, cs_prev, h_prev, w, wci, wcf, wco, b.
Result<Sizes> checkLstm(const KernelContext& c, int first, int xRank) {
  const Tensor &x = c.input(first), &cs = c.input(first + 1), &h = c.input(first + 2), &w = c.input(first + 3), &b = c.input(first + 7);
  WEFT_TRY(checkRank(x, xRank, "x"));
  WEFT_TRY(checkRank(cs, 2, "cs_prev"));
  WEFT_TRY(checkRank(h, 2, "h_prev"));
  WEFT_TRY(checkRank(w, 2, "w"));
  WEFT_TRY(checkRank(b, 1, "b"));
  const Sizes s{x.dim(xRank - 2), x.dim(xRank - 1), cs.dim(1)};
  WEFT_TRY(checkDim(cs, 0, s.batch, "cs_prev", "batch_size"));
  WEFT_TRY(checkDim(h, 0, s.batch, "h_prev", "batch_size"));
  WEFT_TRY(checkDim(h, 1, s.cells, "h_prev", "cell_size"));
  WEFT_TRY(checkDim(w, 0, s.inputs + s.cells, "w", "input_size + cell_size"));
  WEFT_TRY(checkDim(w, 1, s.cells * 4, "w", "cell_size * 4"));
  WEFT_TRY(checkDim(b, 0, s.cells * 4, "b", "cell_size * 4"));
  const char* const peepholes[] = {"wci", "wcf", "wco"};
  for (int i = 0; i < 3; ++i) {
    WEFT_TRY(checkRank(c.input(first + 4 + i), 1, peepholes[i]));
    WEFT_TRY(checkDim(c.input(first + 4 + i), 0, s.cells, peepholes[i], "cell_size"));
  }
  return s;
}

/// The results of a step, in the order of the ops' outputs.
template <typename T>
struct LstmStep {
  Array<T> i, cs, f, o, ci, co, h;
};

template <typename T>
LstmStep<T> lstmForward(KernelContext& c, int first, const Sizes& s, const Array<T>& x, const Array<T>& csPrev, const Array<T>& hPrev) {
  const AttrMap& attrs = c.node().attrs;
  const bool peepholes = attrs.flag("use_peephole");
  const T clip = T(attrs.number("cell_clip", 3)), forget = T(attrs.number("forget_bias", 1));
  const int64_t n = s.cells;
  const Array<T> w = viewOf<T>(c.input(first + 3), s.inputs + n, 4 * n);
  Array<T> gates = product<T>(c, sideBySide<T>(x, hPrev), w) + spread<T>(c.input(first + 7), s.batch);
  const auto peep = [&](int k, const Array<T>& cs) { return Array<T>(cs * spread<T>(c.input(first + 4 + k), s.batch)); };
  LstmStep<T> r;
  Array<T> in = gates.middleCols(0, n), keep = gates.middleCols(2 * n, n) + forget, out = gates.middleCols(3 * n, n);
  if (peepholes) {
    in += peep(0, csPrev);
    keep += peep(1, csPrev);
  }
  r.i = sigmoid<T>(in);
  r.ci = gates.middleCols(n, n).tanh();
  r.f = sigmoid<T>(keep);
  r.cs = r.ci * r.i + csPrev * r.f;
  if (float(clip) > 0) r.cs = r.cs.max(-clip).min(clip);
  if (peepholes) out += peep(2, r.cs);
  r.o = sigmoid<T>(out);
  r.co = r.cs.tanh();
  r.h = r.co * r.o;
  return r;
}

template <typename T>
struct LstmBack {
  Array<T> csPrev, gates;  // gates: di, dci, df, do, adjacent
};

/// `csGrad`, `hGrad`: the gradients that arrive at cs and h of this step.
template <typename T>
LstmBack<T> lstmBackward(KernelContext& c, int first, const Sizes& s, bool peepholes, const Array<T>& csPrev, const LstmStep<T>& r, const Array<T>& csGrad,
                         const Array<T>& hGrad) {
  const T one = T(1);
  const int64_t n = s.cells;
  const Array<T> out = r.o * (one - r.o) * hGrad * r.co;
  Array<T> cs = (one - r.co * r.co) * hGrad * r.o + csGrad;
  if (peepholes) cs += out * spread<T>(c.input(first + 6), s.batch);
  const Array<T> in = r.i * (one - r.i) * cs * r.ci, fresh = (one - r.ci * r.ci) * cs * r.i, keep = r.f * (one - r.f) * cs * csPrev;
  LstmBack<T> b;
  b.gates.resize(s.batch, 4 * n);
  b.gates << in, fresh, keep, out;
  b.csPrev = cs * r.f;
  if (peepholes) b.csPrev += in * spread<T>(c.input(first + 4), s.batch) + keep * spread<T>(c.input(first + 5), s.batch);
  return b;
}

}  // namespace

Result<RnnSizes> lstmCellSizes(const KernelContext& c) {
  WEFT_LET(const Sizes s, checkLstm(c, 0, 2));
  const char* const names[] = {"i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"};
  for (int k = 0; 8 + k < c.inputCount(); ++k) WEFT_TRY(checkShape(c.input(8 + k), {s.batch, s.cells}, names[k]));
  return s;
}

Status runLstmCell(KernelContext& c) {
  WEFT_LET(const Sizes s, lstmCellSizes(c));
  Tensor* out[7];
  for (int k = 0; k < 7; ++k) {
    WEFT_LET(out[k], c.allocate(k, {s.batch, s.cells}));
  }
  withFloat(c.input(0).dtype(), [&]<typename T>(std::type_identity<T>) {
    const LstmStep<T> r =
        lstmForward<T>(c, 0, s, viewOf<T>(c.input(0), s.batch, s.inputs), viewOf<T>(c.input(1), s.batch, s.cells), viewOf<T>(c.input(2), s.batch, s.cells));
    const Array<T>* const parts[] = {&r.i, &r.cs, &r.f, &r.o, &r.ci, &r.co, &r.h};
    for (int k = 0; k < 7; ++k) viewOf<T>(*out[k], s.batch, s.cells) = *parts[k];
  });
  return {};
}

namespace {

/// Sums grad · value over the examples, for the weights of a peephole.
template <typename T>
void addPeephole(Tensor& out, const Array<T>& grad, const Array<T>& value) {
  viewOf<T>(out, 1, grad.cols()) += (grad * value).colwise().sum();
}

}  // namespace

Status runLstmCellGrad(KernelContext& c) {
  WEFT_LET(const Sizes s, lstmCellSizes(c));
  const Shape cells{s.batch, s.cells};
  const bool peepholes = c.node().attrs.flag("use_peephole");
  WEFT_LET(Tensor* csPrev, c.allocate(0, cells));
  WEFT_LET(Tensor* gates, c.allocate(1, {s.batch, 4 * s.cells}));
  Tensor* weights[3];
  for (int k = 0; k < 3; ++k) {
    WEFT_LET(weights[k], c.allocate(2 + k, {s.cells}));
    std::fill_n(static_cast<char*>(weights[k]->mutableRaw()), weights[k]->bytes(), 0);
  }
  withFloat(c.input(0).dtype(), [&]<typename T>(std::type_identity<T>) {
    const auto in = [&](int k) { return Array<T>(viewOf<T>(c.input(k), s.batch, s.cells)); };
    const LstmStep<T> r{in(8), in(9), in(10), in(11), in(12), in(13), {}};
    const LstmBack<T> b = lstmBackward<T>(c, 0, s, peepholes, in(1), r, in(14), in(15));
    viewOf<T>(*csPrev, s.batch, s.cells) = b.csPrev;
    viewOf<T>(*gates, s.batch, 4 * s.cells) = b.gates;
    if (peepholes) {
      addPeephole<T>(*weights[0], b.gates.middleCols(0, s.cells), in(1));
      addPeephole<T>(*weights[1], b.gates.middleCols(2 * s.cells, s.cells), in(1));
      addPeephole<T>(*weights[2], b.gates.middleCols(3 * s.cells, s.cells), r.cs);
    }
  });
  return {};
}

namespace {

Result<int64_t> sequenceLength(const KernelContext& c) {
  const Tensor& length = c.input(0);
  if (length.rank() != 0) return invalidArgument("seq_len_max must be a scalar, not ", length.shape().toString());
  const int64_t steps = length.at<int64_t>(0), most = c.input(1).dim(0);
  if (steps < 0 || steps > most) return invalidArgument("seq_len_max must lie between 0 and ", most, ", the number of steps, but is ", steps);
  return steps;
}

}  // namespace

Result<RnnSizes> blockLstmSizes(const KernelContext& c) {
  WEFT_LET(Sizes s, checkLstm(c, 1, 3));
  WEFT_LET(s.steps, sequenceLength(c));
  s.time = c.input(1).dim(0);
  const char* const names[] = {"i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"};
  for (int k = 0; 9 + k < c.inputCount(); ++k) WEFT_TRY(checkShape(c.input(9 + k), {s.time, s.batch, s.cells}, names[k]));
  return s;
}

namespace {

Status floatLstm(KernelContext& c, const Sizes& s, int64_t steps, Tensor* const (&out)[7]) {
  const AttrMap& attrs = c.node().attrs;
  constexpr int64_t kStepsAtOnce = 32;  // between checks whether the run was cancelled
  const int64_t size = s.batch * s.cells;
  WEFT_LET(Tensor gates, c.scratch(DType::Float, {std::min(steps, kStepsAtOnce), s.batch, 4 * s.cells}));
  const auto values = [&](int i) { return c.input(i).data<float>(); };
  FloatLstm l{0,
              s.batch,
              s.inputs,
              s.cells,
              values(1),
              values(2),
              values(3),
              values(4),
              values(8),
              {},
              float(attrs.number("forget_bias", 1)),
              float(attrs.number("cell_clip", 3)),
              {},
              gates.mutableData<float>()};
  for (int k = 0; k < 3 && attrs.flag("use_peephole"); ++k) l.peepholes[k] = values(5 + k);
  for (int64_t t = 0; t < steps; t += kStepsAtOnce) {
    if (c.cancelled()) return cancelledError("BlockLSTM was cancelled");
    l.steps = std::min(kStepsAtOnce, steps - t);
    l.x = values(1) + t * s.batch * s.inputs;
    for (int k = 0; k < 7; ++k) l.out[k] = out[k]->mutableData<float>() + t * size;
    if (t > 0) l.cs = l.out[1] - size, l.h = l.out[6] - size;
    runFloatLstm(l);
  }
  return {};
}

}  // namespace

/// Steps beyond the longest sequence give zeros.
Status runBlockLstm(KernelContext& c) {
  WEFT_LET(const Sizes s, blockLstmSizes(c));
  const int64_t steps = s.steps, time = s.time, size = s.batch * s.cells;
  Tensor* out[7];
  for (int k = 0; k < 7; ++k) {
    WEFT_LET(out[k], c.allocate(k, {time, s.batch, s.cells}));
    const size_t step = sizeOf(out[k]->dtype()) * size_t(size);
    std::fill_n(static_cast<char*>(out[k]->mutableRaw()) + step * size_t(steps), step * size_t(time - steps), 0);
  }
  if (c.input(1).dtype() == DType::Float && steps * size > 0 && c.session().products() == ProductPrecision::Float32) return floatLstm(c, s, steps, out);
  Status status;
  withFloat(c.input(1).dtype(), [&]<typename T>(std::type_identity<T>) {
    Array<T> cs = viewOf<T>(c.input(2), s.batch, s.cells), h = viewOf<T>(c.input(3), s.batch, s.cells);
    for (int64_t t = 0; t < steps; ++t) {
      if (c.cancelled()) {
        status = cancelledError("BlockLSTM was cancelled");
        return;
      }
      const LstmStep<T> r = lstmForward<T>(c, 1, s, viewOf<T>(c.input(1), s.batch, s.inputs, t * s.batch * s.inputs), cs, h);
      const Array<T>* const parts[] = {&r.i, &r.cs, &r.f, &r.o, &r.ci, &r.co, &r.h};
      for (int k = 0; k < 7; ++k) viewOf<T>(*out[k], s.batch, s.cells, t * size) = *parts[k];
      cs = r.cs;
      h = r.h;
    }
  });
  return status;
}

Status runBlockLstmGrad(KernelContext& c) {
  WEFT_LET(const Sizes s, blockLstmSizes(c));
  const int64_t steps = s.steps, size = s.batch * s.cells;
  const bool peepholes = c.node().attrs.flag("use_peephole");
  Tensor* out[8];
  for (int k = 0; k < 8; ++k) {
    WEFT_LET(out[k], c.allocate(k, c.input(k + 1).shape()));  // x, cs_prev, h_prev, w, wci, wcf, wco, b in this order
    std::fill_n(static_cast<char*>(out[k]->mutableRaw()), out[k]->bytes(), 0);
  }
  Status status;
  withFloat(c.input(1).dtype(), [&]<typename T>(std::type_identity<T>) {
    const auto at = [&](int k, int64_t t) { return Array<T>(viewOf<T>(c.input(k), s.batch, s.cells, t * size)); };
    const Array<T> wT = viewOf<T>(c.input(4), s.inputs + s.cells, 4 * s.cells).transpose();
    Array<T> csGrad = Array<T>::Constant(s.batch, s.cells, T(0)), hGrad = csGrad;
    for (int64_t t = steps - 1; t >= 0; --t) {
      if (c.cancelled()) {
        status = cancelledError("BlockLSTMGrad was cancelled");
        return;
      }
      const Array<T> csPrev = t > 0 ? at(10, t - 1) : Array<T>(viewOf<T>(c.input(2), s.batch, s.cells));
      const Array<T> hPrev = t > 0 ? at(15, t - 1) : Array<T>(viewOf<T>(c.input(3), s.batch, s.cells));
      const LstmStep<T> r{at(9, t), at(10, t), at(11, t), at(12, t), at(13, t), at(14, t), {}};
      const LstmBack<T> b = lstmBackward<T>(c, 1, s, peepholes, csPrev, r, at(16, t) + csGrad, at(17, t) + hGrad);
      const Array<T> xh = product<T>(c, b.gates, wT);
      viewOf<T>(*out[0], s.batch, s.inputs, t * s.batch * s.inputs) = xh.leftCols(s.inputs);
      csGrad = b.csPrev;
      hGrad = xh.rightCols(s.cells);
      const Array<T> inputs = sideBySide<T>(viewOf<T>(c.input(1), s.batch, s.inputs, t * s.batch * s.inputs), hPrev);
      viewOf<T>(*out[3], s.inputs + s.cells, 4 * s.cells) += product<T>(c, inputs.transpose(), b.gates);
      viewOf<T>(*out[7], 1, 4 * s.cells) += b.gates.colwise().sum();
      if (peepholes) {
        addPeephole<T>(*out[4], b.gates.middleCols(0, s.cells), csPrev);
        addPeephole<T>(*out[5], b.gates.middleCols(2 * s.cells, s.cells), csPrev);
        addPeephole<T>(*out[6], b.gates.middleCols(3 * s.cells, s.cells), r.cs);
      }
    }
    viewOf<T>(*out[1], s.batch, s.cells) = csGrad;
    viewOf<T>(*out[2], s.batch, s.cells) = hGrad;
  });
  return status;
}

namespace {

// ---- GRU: [r, u] = s([x, h]·w_ru + b_ru), c = tanh([x, h·r]·w_c + b_c), h' = u·h + (1 - u)·c

Result<Sizes> checkGru(const KernelContext& c) {
  const Tensor &x = c.input(0), &h = c.input(1);
  WEFT_TRY(checkRank(x, 2, "x"));
  WEFT_TRY(checkRank(h, 2, "h_prev"));
  const Sizes s{x.dim(0), x.dim(1), h.dim(1)};
  WEFT_TRY(checkDim(h, 0, s.batch, "h_prev", "batch_size"));
  const struct {
    const char* name;
    int64_t width;
  } weights[] = {{"w_ru", 2 * s.cells}, {"w_c", s.cells}};
  for (int k = 0; k < 2; ++k) {
    const Tensor &w = c.input(2 + k), &b = c.input(4 + k);
    WEFT_TRY(checkRank(w, 2, weights[k].name));
    WEFT_TRY(checkDim(w, 0, s.inputs + s.cells, weights[k].name, "input_size + cell_size"));
    WEFT_TRY(checkDim(w, 1, weights[k].width, weights[k].name, k == 0 ? "cell_size * 2" : "cell_size"));
    const char* const name = k == 0 ? "b_ru" : "b_c";
    WEFT_TRY(checkRank(b, 1, name));
    WEFT_TRY(checkDim(b, 0, weights[k].width, name, k == 0 ? "cell_size * 2" : "cell_size"));
  }
  return s;
}

}  // namespace

Result<RnnSizes> gruCellSizes(const KernelContext& c) {
  WEFT_LET(const Sizes s, checkGru(c));
  const char* const names[] = {"r", "u", "c", "d_h"};
  for (int k = 0; 6 + k < c.inputCount(); ++k) WEFT_TRY(checkShape(c.input(6 + k), {s.batch, s.cells}, names[k]));
  return s;
}

Status runGruCell(KernelContext& c) {
  using T = float;
  WEFT_LET(const Sizes s, gruCellSizes(c));
  Tensor* out[4];
  for (int k = 0; k < 4; ++k) {
    WEFT_LET(out[k], c.allocate(k, {s.batch, s.cells}));
  }
  const int64_t n = s.cells;
  const Array<T> x = viewOf<T>(c.input(0), s.batch, s.inputs), h = viewOf<T>(c.input(1), s.batch, n);
  const Array<T> gates = sigmoid<T>(product<T>(c, sideBySide<T>(x, h), viewOf<T>(c.input(2), s.inputs + n, 2 * n)) + spread<T>(c.input(4), s.batch));
  const Array<T> r = gates.leftCols(n), u = gates.rightCols(n);
  const Array<T> fresh = (product<T>(c, sideBySide<T>(x, h * r), viewOf<T>(c.input(3), s.inputs + n, n)) + spread<T>(c.input(5), s.batch)).tanh();
  viewOf<T>(*out[0], s.batch, n) = r;
  viewOf<T>(*out[1], s.batch, n) = u;
  viewOf<T>(*out[2], s.batch, n) = fresh;
  viewOf<T>(*out[3], s.batch, n) = u * (h - fresh) + fresh;
  return {};
}

Status runGruCellGrad(KernelContext& c) {
  using T = float;
  WEFT_LET(const Sizes s, gruCellSizes(c));
  const int64_t n = s.cells;
  WEFT_LET(Tensor* dx, c.allocate(0, {s.batch, s.inputs}));
  WEFT_LET(Tensor* dhPrev, c.allocate(1, {s.batch, n}));
  WEFT_LET(Tensor* dFresh, c.allocate(2, {s.batch, n}));
  WEFT_LET(Tensor* dGates, c.allocate(3, {s.batch, 2 * n}));
  const auto in = [&](int k) { return Array<T>(viewOf<T>(c.input(k), s.batch, n)); };
  const Array<T> h = in(1), r = in(6), u = in(7), fresh = in(8), dh = in(9);
  const Array<T> wGates = viewOf<T>(c.input(2), s.inputs + n, 2 * n).transpose(), wFresh = viewOf<T>(c.input(3), s.inputs + n, n).transpose();
  const Array<T> freshBar = (dh * (1 - u)) * (1 - fresh * fresh);
  const Array<T> updateBar = dh * (h - fresh) * u * (1 - u);
  const Array<T> throughFresh = product<T>(c, freshBar, wFresh);  // by x and h·r
  const Array<T> dhr = throughFresh.rightCols(n);
  const Array<T> resetBar = (dhr * h) * r * (1 - r);
  const Array<T> gatesBar = sideBySide<T>(resetBar, updateBar);
  const Array<T> throughGates = product<T>(c, gatesBar, wGates);
  viewOf<T>(*dx, s.batch, s.inputs) = throughFresh.leftCols(s.inputs) + throughGates.leftCols(s.inputs);
  viewOf<T>(*dhPrev, s.batch, n) = throughGates.rightCols(n) + dhr * r + dh * u;
  viewOf<T>(*dFresh, s.batch, n) = freshBar;
  viewOf<T>(*dGates, s.batch, 2 * n) = gatesBar;
  return {};
}

}  // namespace weft
