#include "device/cuda/channel_sums.cuh"
#include "device/cuda/products.cuh"
#include "ops/block_rnn.h"

// Gradients of LSTM cells. Only the gradient of the cells goes from step to step; those of inputs and weights are made for all steps at once.
namespace weft::cuda {
namespace {

/// One step backward. Gates are [batch, 4 · cells], in the order i, ci, f, o.
template <typename T>
struct BackwardStep {
  const T *csPrev, *i, *cs, *f, *o, *ci, *co, *csGrad, *hGrad;
  const T *laterCs, *laterH;  // gradients that come from the next step; null in the last
  const T *wci, *wcf, *wco;
  T *gates, *csPrevGrad;
  int64_t cells;
  bool peepholes;
  __device__ void operator()(int64_t at) const {
    const int64_t k = at % cells;
    const float in = i[at], keep = f[at], open = o[at], fresh = ci[at], bent = co[at];
    const float dh = float(hGrad[at]) + (laterH ? float(laterH[at]) : 0.0f), later = float(csGrad[at]) + (laterCs ? float(laterCs[at]) : 0.0f);
    const float dOpen = open * (1 - open) * dh * bent;
    float dcs = (1 - bent * bent) * dh * open + later;
    if (peepholes) dcs += dOpen * float(wco[k]);
    const float dIn = in * (1 - in) * dcs * fresh, dFresh = (1 - fresh * fresh) * dcs * in, dKeep = keep * (1 - keep) * dcs * float(csPrev[at]);
    float before = dcs * keep;
    if (peepholes) before += dIn * float(wci[k]) + dKeep * float(wcf[k]);
    T* to = gates + at / cells * 4 * cells + k;
    to[0] = T(dIn);
    to[cells] = T(dFresh);
    to[2 * cells] = T(dKeep);
    to[3 * cells] = T(dOpen);
    csPrevGrad[at] = T(before);
  }
};

template <typename T>
struct Column {
  const T* x;
  __device__ Sums<1, float> operator()(int64_t i, int64_t) const { return {{float(x[i])}}; }
};
template <typename T>
struct SetColumn {
  T* to;
  __device__ void operator()(int64_t k, const Sums<1, float>& s) const { to[k] = T(s.v[0]); }
};
/// Products of gradients of the gates with the cells that the peepholes show them; `cells` and `before` are the states after and before each step.
template <typename T>
struct PeepholeProducts {
  const T *gates, *first, *cells;  // `first`: the state before the first step
  int64_t n, size;
  __device__ Sums<3, float> operator()(int64_t i, int64_t k) const {
    const float before = i < size ? first[i] : cells[i - size];
    const T* g = gates + i / n * 4 * n + k;
    return {{float(g[0]) * before, float(g[2 * n]) * before, float(g[3 * n]) * float(cells[i])}};
  }
};
template <typename T>
struct SetPeepholes {
  T *wci, *wcf, *wco;
  __device__ void operator()(int64_t k, const Sums<3, float>& s) const {
    wci[k] = T(s.v[0]);
    wcf[k] = T(s.v[1]);
    wco[k] = T(s.v[2]);
  }
};

Status clear(CudaDevice& d, Tensor& t) {
  if (t.bytes() > 0) WEFT_CUDA_TRY(cudaMemsetAsync(t.mutableRaw(), 0, t.bytes(), d.stream()));
  return {};
}

template <typename T>
Status peepholeSums(CudaDevice& d, const RnnSizes& s, const T* gates, const T* first, const T* cells, T* const (&to)[3]) {
  const PeepholeProducts<T> products{gates, first, cells, s.cells, s.batch * s.cells};
  return channelSums<3, float>(d, Channels{s.steps * s.batch, s.cells, 1}, products, SetPeepholes<T>{to[0], to[1], to[2]});
}

/// Inputs: x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad.
template <typename T>
Status runCellGradient(KernelContext& c) {
  WEFT_LET(const RnnSizes s, lstmCellSizes(c));
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor * csPrev, c.allocate(0, {s.batch, s.cells}));
  WEFT_LET(Tensor * gates, c.allocate(1, {s.batch, 4 * s.cells}));
  T* weights[3];
  const bool peepholes = c.node().attrs.flag("use_peephole");
  for (int k = 0; k < 3; ++k) {
    WEFT_LET(Tensor * t, c.allocate(2 + k, {s.cells}));
    WEFT_TRY(clear(d, *t));
    weights[k] = mutableDataOf<T>(*t);
  }
  BackwardStep<T> step{};
  const T** const from[] = {&step.i, &step.cs, &step.f, &step.o, &step.ci, &step.co, &step.csGrad, &step.hGrad};
  for (int k = 0; k < 8; ++k) *from[k] = input<T>(c, 8 + k);
  step.csPrev = input<T>(c, 1), step.wci = input<T>(c, 4), step.wcf = input<T>(c, 5), step.wco = input<T>(c, 6);
  step.gates = mutableDataOf<T>(*gates), step.csPrevGrad = mutableDataOf<T>(*csPrev), step.cells = s.cells, step.peepholes = peepholes;
  WEFT_TRY(forEach(d, s.batch * s.cells, [step] __device__(int64_t i) { step(i); }));
  return peepholes ? peepholeSums<T>(d, s, step.gates, step.csPrev, step.cs, weights) : Status();
}

/// Inputs: seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad.
template <typename T>
Status runBlockGradient(KernelContext& c) {
  WEFT_LET(const RnnSizes s, blockLstmSizes(c));
  CudaDevice& d = deviceOf(c);
  T* out[8];  // of x, cs_prev, h_prev, w, wci, wcf, wco, b
  for (int k = 0; k < 8; ++k) {
    WEFT_LET(Tensor * t, c.allocate(k, c.input(k + 1).shape()));
    WEFT_TRY(clear(d, *t));
    out[k] = mutableDataOf<T>(*t);
  }
  const int64_t n = s.cells, size = s.batch * n, width = 4 * n, rows = s.steps * s.batch;
  if (rows * n == 0) return {};
  const bool peepholes = c.node().attrs.flag("use_peephole");
  WEFT_LET(Tensor room, scratch(d, size_t(rows * width) * sizeof(T)));
  T* gates = static_cast<T*>(room.mutableRaw());
  const T *csPrev = input<T>(c, 2), *hPrev = input<T>(c, 3), *w = input<T>(c, 4), *cs = input<T>(c, 10), *h = input<T>(c, 15);
  BackwardStep<T> step{};
  step.wci = input<T>(c, 5), step.wcf = input<T>(c, 6), step.wco = input<T>(c, 7), step.csPrevGrad = out[1], step.cells = n, step.peepholes = peepholes;
  for (int64_t t = s.steps - 1; t >= 0; --t) {
    if (c.cancelled()) return cancelledError("BlockLSTMGrad was cancelled");
    const T** const from[] = {&step.i, &step.cs, &step.f, &step.o, &step.ci, &step.co};
    for (int k = 0; k < 6; ++k) *from[k] = input<T>(c, 9 + k) + t * size;
    step.csGrad = input<T>(c, 16) + t * size, step.hGrad = input<T>(c, 17) + t * size;
    step.csPrev = t > 0 ? cs + (t - 1) * size : csPrev;
    step.gates = gates + t * s.batch * width;
    WEFT_TRY(forEach(d, size, [step] __device__(int64_t i) { step(i); }));
    // Of the previous step's h; the rows of w behind those of the inputs belong to it.
    WEFT_TRY(product<T>(d, {.m = s.batch, .k = width, .n = n, .transposeB = true}, step.gates, w + s.inputs * width, out[2]));
    step.laterCs = out[1], step.laterH = out[2];
  }
  WEFT_TRY(product<T>(d, {.m = rows, .k = width, .n = s.inputs, .transposeB = true}, gates, w, out[0]));
  WEFT_TRY(product<T>(d, {.m = s.inputs, .k = rows, .n = width, .transposeA = true}, input<T>(c, 1), gates, out[3]));
  WEFT_LET(Tensor before, scratch(d, size_t(rows * n) * sizeof(T)));  // h before each step
  T* states = static_cast<T*>(before.mutableRaw());
  WEFT_CUDA_TRY(cudaMemcpyAsync(states, hPrev, size_t(size) * sizeof(T), cudaMemcpyDeviceToDevice, d.stream()));
  if (s.steps > 1) WEFT_CUDA_TRY(cudaMemcpyAsync(states + size, h, size_t((s.steps - 1) * size) * sizeof(T), cudaMemcpyDeviceToDevice, d.stream()));
  WEFT_TRY(product<T>(d, {.m = n, .k = rows, .n = width, .transposeA = true}, states, gates, out[3] + s.inputs * width));
  WEFT_TRY((channelSums<1, float>(d, Channels{rows, width, 1}, Column<T>{gates}, SetColumn<T>{out[7]})));
  return peepholes ? peepholeSums<T>(d, s, gates, csPrev, cs, {out[4], out[5], out[6]}) : Status();
}

}  // namespace

void registerBlockRnnGradGpu(OpRegistry& ops) {
  addFor<Half, float>(ops, "LSTMBlockCellGrad", []<typename T>(KernelContext& c) { return runCellGradient<T>(c); });
  addFor<Half, float>(ops, "BlockLSTMGrad", []<typename T>(KernelContext& c) { return runBlockGradient<T>(c); }, {"seq_len_max"});
}

}  // namespace weft::cuda
