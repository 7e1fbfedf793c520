#include "ops/block_rnn.h"

#include "device/cuda/products.cuh"

// LSTM and GRU cells with one op per step, and LSTMs over sequences: matrix products, and one launch for what follows from them. The formulas are in
// block_rnn_kernels.cpp; they are computed in float.
namespace weft::cuda {
namespace {

__device__ inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

/// What a step of the LSTM reads and writes. Gates are [batch, 4 · cells], in the order i, ci, f, o; the part of the inputs is made for all steps at once.
template <typename T>
struct LstmStep {
  const T *fromInputs, *fromCells, *bias, *csPrev, *wci, *wcf, *wco;
  T* out[7];  // i, cs, f, o, ci, co, h
  int64_t cells;
  float forgetBias, clip;
  bool peepholes;
  __device__ void operator()(int64_t at) const {
    const int64_t b = at / cells, k = at % cells;
    const auto gate = [&](int64_t g) {
      const int64_t column = g * cells + k, i = b * 4 * cells + column;
      return float(fromInputs[i]) + float(fromCells[i]) + float(bias[column]);
    };
    const float before = csPrev[at];
    float in = gate(0), keep = gate(2) + forgetBias, open = gate(3);
    if (peepholes) {
      in += before * float(wci[k]);
      keep += before * float(wcf[k]);
    }
    const float i = sigmoid(in), fresh = tanhf(gate(1)), f = sigmoid(keep);
    float cs = fresh * i + before * f;
    if (clip > 0) cs = fminf(fmaxf(cs, -clip), clip);
    if (peepholes) open += cs * float(wco[k]);
    const float o = sigmoid(open), bent = tanhf(cs);
    const float results[7] = {i, cs, f, o, fresh, bent, bent * o};
    for (int r = 0; r < 7; ++r) out[r][at] = T(results[r]);
  }
};

/// `first`: the first of the inputs x, cs_prev, h_prev, w, wci, wcf, wco, b.
template <typename T>
Status lstmSteps(KernelContext& c, const RnnSizes& s, int first, Tensor* const (&out)[7]) {
  CudaDevice& d = deviceOf(c);
  const AttrMap& attrs = c.node().attrs;
  const int64_t n = s.cells, size = s.batch * n, gates = 4 * n;
  if (size == 0 || s.steps == 0) return {};
  WEFT_LET(Tensor inputGates, scratch(d, size_t(s.steps * s.batch * gates) * sizeof(T)));
  WEFT_LET(Tensor cellGates, scratch(d, size_t(s.batch * gates) * sizeof(T)));
  T *fromInputs = static_cast<T*>(inputGates.mutableRaw()), *fromCells = static_cast<T*>(cellGates.mutableRaw());
  const T* w = input<T>(c, first + 3);
  WEFT_TRY(product<T>(d, {.m = s.steps * s.batch, .k = s.inputs, .n = gates}, input<T>(c, first), w, fromInputs));
  LstmStep<T> step{};
  step.fromCells = fromCells, step.bias = input<T>(c, first + 7), step.csPrev = input<T>(c, first + 1);
  step.wci = input<T>(c, first + 4), step.wcf = input<T>(c, first + 5), step.wco = input<T>(c, first + 6);
  step.cells = n, step.forgetBias = attrs.number("forget_bias", 1), step.clip = attrs.number("cell_clip", 3), step.peepholes = attrs.flag("use_peephole");
  const T* h = input<T>(c, first + 2);
  for (int64_t t = 0; t < s.steps; ++t) {
    if (c.cancelled()) return cancelledError("BlockLSTM was cancelled");
    WEFT_TRY(product<T>(d, {.m = s.batch, .k = n, .n = gates}, h, w + s.inputs * gates, fromCells));
    step.fromInputs = fromInputs + t * s.batch * gates;
    for (int k = 0; k < 7; ++k) step.out[k] = mutableDataOf<T>(*out[k]) + t * size;
    WEFT_TRY(forEach(d, size, [step] __device__(int64_t i) { step(i); }));
    step.csPrev = step.out[1];
    h = step.out[6];
  }
  return {};
}

template <typename T>
Status runCell(KernelContext& c) {
  WEFT_LET(const RnnSizes s, lstmCellSizes(c));
  Tensor* out[7];
  for (int k = 0; k < 7; ++k) {
    WEFT_LET(out[k], c.allocate(k, {s.batch, s.cells}));
  }
  return lstmSteps<T>(c, s, 0, out);
}

/// Steps beyond the longest sequence give zeros.
template <typename T>
Status runBlock(KernelContext& c) {
  WEFT_LET(const RnnSizes s, blockLstmSizes(c));
  const size_t step = size_t(s.batch * s.cells) * sizeof(T);
  Tensor* out[7];
  for (int k = 0; k < 7; ++k) {
    WEFT_LET(out[k], c.allocate(k, {s.time, s.batch, s.cells}));
    if (s.steps == s.time || step == 0) continue;
    WEFT_CUDA_TRY(cudaMemsetAsync(static_cast<char*>(out[k]->mutableRaw()) + step * size_t(s.steps), 0, step * size_t(s.time - s.steps), deviceOf(c).stream()));
  }
  return lstmSteps<T>(c, s, 1, out);
}

// ---- GRU

/// Matrices of floats that live for one call.
Result<Tensor> matrix(CudaDevice& d, int64_t rows, int64_t columns) { return scratch(d, size_t(rows * columns) * sizeof(float)); }

/// Inputs: x, h_prev, w_ru, w_c, b_ru, b_c.
Status runGru(KernelContext& c) {
  WEFT_LET(const RnnSizes s, gruCellSizes(c));
  float* outputs[4];
  for (int k = 0; k < 4; ++k) {
    WEFT_LET(Tensor * t, c.allocate(k, {s.batch, s.cells}));
    outputs[k] = mutableDataOf<float>(*t);
  }
  CudaDevice& d = deviceOf(c);
  const int64_t n = s.cells, size = s.batch * n;
  if (size == 0) return {};
  WEFT_LET(Tensor room, matrix(d, s.batch, 6 * n));
  float *gx = static_cast<float*>(room.mutableRaw()), *gh = gx + 2 * size, *fx = gh + 2 * size, *fh = fx + size;
  const float *x = input<float>(c, 0), *h = input<float>(c, 1), *w = input<float>(c, 2), *wFresh = input<float>(c, 3), *b = input<float>(c, 4),
              *bFresh = input<float>(c, 5);
  float *r = outputs[0], *u = outputs[1], *fresh = outputs[2], *next = outputs[3];
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = s.inputs, .n = 2 * n}, x, w, gx));
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = n, .n = 2 * n}, h, w + s.inputs * 2 * n, gh));
  float* reset = next;  // h · r, until h' is made
  WEFT_TRY(forEach(d, size, [=] __device__(int64_t i) {
    const int64_t k = i % n, at = i / n * 2 * n + k;
    r[i] = sigmoid(gx[at] + gh[at] + b[k]);
    u[i] = sigmoid(gx[at + n] + gh[at + n] + b[n + k]);
    reset[i] = h[i] * r[i];
  }));
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = s.inputs, .n = n}, x, wFresh, fx));
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = n, .n = n}, reset, wFresh + s.inputs * n, fh));
  return forEach(d, size, [=] __device__(int64_t i) {
    const float value = tanhf(fx[i] + fh[i] + bFresh[i % n]);
    fresh[i] = value;
    next[i] = u[i] * (h[i] - value) + value;
  });
}

/// Inputs: those of the cell, r, u, c, and the gradient of h'.
Status runGruGradient(KernelContext& c) {
  WEFT_LET(const RnnSizes s, gruCellSizes(c));
  const int64_t n = s.cells, size = s.batch * n, width = s.inputs + n;
  WEFT_LET(Tensor * dx, c.allocate(0, {s.batch, s.inputs}));
  WEFT_LET(Tensor * dhPrev, c.allocate(1, {s.batch, n}));
  WEFT_LET(Tensor * dFresh, c.allocate(2, {s.batch, n}));
  WEFT_LET(Tensor * dGates, c.allocate(3, {s.batch, 2 * n}));
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor room, matrix(d, s.batch, 2 * width));
  float *throughFresh = static_cast<float*>(room.mutableRaw()), *throughGates = throughFresh + s.batch * width;
  const float *h = input<float>(c, 1), *w = input<float>(c, 2), *wFresh = input<float>(c, 3), *r = input<float>(c, 6), *u = input<float>(c, 7),
              *fresh = input<float>(c, 8), *dh = input<float>(c, 9);
  float *freshBar = mutableDataOf<float>(*dFresh), *gatesBar = mutableDataOf<float>(*dGates), *toX = mutableDataOf<float>(*dx),
        *toH = mutableDataOf<float>(*dhPrev);
  WEFT_TRY(forEach(d, size, [=] __device__(int64_t i) {
    freshBar[i] = dh[i] * (1 - u[i]) * (1 - fresh[i] * fresh[i]);
    gatesBar[i / n * 2 * n + n + i % n] = dh[i] * (h[i] - fresh[i]) * u[i] * (1 - u[i]);
  }));
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = n, .n = width, .transposeB = true}, freshBar, wFresh, throughFresh));
  const int64_t inputs = s.inputs;
  WEFT_TRY(forEach(d, size, [=] __device__(int64_t i) {
    const int64_t b = i / n, k = i % n;
    gatesBar[b * 2 * n + k] = throughFresh[b * width + inputs + k] * h[i] * r[i] * (1 - r[i]);
  }));
  WEFT_TRY(product<float>(d, {.m = s.batch, .k = 2 * n, .n = width, .transposeB = true}, gatesBar, w, throughGates));
  return forEach(d, s.batch * width, [=] __device__(int64_t i) {
    const int64_t b = i / width, k = i % width, cell = b * n + k - inputs;
    if (k < inputs) toX[b * inputs + k] = throughFresh[i] + throughGates[i];
    else toH[cell] = throughGates[i] + throughFresh[i] * r[cell] + dh[cell] * u[cell];
  });
}

}  // namespace

void registerBlockRnnGpu(OpRegistry& ops) {
  addFor<Half, float>(ops, "LSTMBlockCell", []<typename T>(KernelContext& c) { return runCell<T>(c); });
  addFor<Half, float>(ops, "BlockLSTM", []<typename T>(KernelContext& c) { return runBlock<T>(c); }, {"seq_len_max"});
  addAny(ops, "GRUBlockCell", runGru, {}, {{"T", {DType::Float}}});
  addAny(ops, "GRUBlockCellGrad", runGruGradient, {}, {{"T", {DType::Float}}});
}

}  // namespace weft::cuda
