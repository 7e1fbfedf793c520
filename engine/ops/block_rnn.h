#pragma once

#include <cstdint>

#include "ops/registry.h"

// Kernels of LSTM and GRU cells. (block_rnn_kernels.cpp)
namespace weft {

Status runLstmCell(KernelContext& c);
Status runLstmCellGrad(KernelContext& c);
Status runBlockLstm(KernelContext& c);
Status runBlockLstmGrad(KernelContext& c);
Status runGruCell(KernelContext& c);
Status runGruCellGrad(KernelContext& c);

// Checks that kernels on all devices share.
struct RnnSizes {
  int64_t batch, inputs, cells, time = 1, steps = 1;  ///< `steps`: those of a sequence that are computed.
};
/// LSTMBlockCell and LSTMBlockCellGrad.
WEFT_API Result<RnnSizes> lstmCellSizes(const KernelContext& c);
/// BlockLSTM and BlockLSTMGrad. The number of steps is in host memory.
WEFT_API Result<RnnSizes> blockLstmSizes(const KernelContext& c);
/// GRUBlockCell and GRUBlockCellGrad.
WEFT_API Result<RnnSizes> gruCellSizes(const KernelContext& c);

/// Steps of an LSTM on float32. Matrices are row-major; cells and gates in the order of the op (block_rnn_kernels.cpp).
struct FloatLstm {
  int64_t steps, batch, inputs, cells;
  const float *x, *cs, *h;      ///< [steps, batch, inputs]; the first step's [batch, cells].
  const float *weights, *bias;  ///< [inputs + cells, 4 * cells], [4 * cells].
  const float* peepholes[3];    ///< Null, or [cells] each.
  float forgetBias, clip;       ///< No clipping if not positive.
  float* out[7];                ///< i, cs, f, o, ci, co, h: [steps, batch, cells].
  float* gates;                 ///< Scratch, [steps, batch, 4 * cells].
};
void runFloatLstm(const FloatLstm& l);

}  // namespace weft
