#pragma once

#include "ops/registry.h"

// Kernels of LSTM and GRU cells. (block_rnn_kernels.cpp)
namespace weft {

Status runLstmCell(KernelContext& c);
Status runLstmCellGrad(KernelContext& c);
Status runBlockLstm(KernelContext& c);
Status runBlockLstmGrad(KernelContext& c);
Status runGruCell(KernelContext& c);
Status runGruCellGrad(KernelContext& c);

}  // namespace weft
