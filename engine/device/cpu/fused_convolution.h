#pragma once

#include <memory>
#include <vector>

#include "device/cpu/hot_windows.h"
#include "kernel/kernel.h"

namespace weft {

/// What a fused convolution does with its sums, in this order, and the inputs that it takes for it; images and filter are inputs 0 and 1. -1: left out.
struct ConvolutionTail {
  int factor = -1, offset = -1;  ///< One value per output channel, of any rank.
  int batchNorm = -1;            ///< The first of four inputs instead of those: scale, offset, mean and variance.
  float epsilon = 0;
  cpu::Activation first = cpu::Activation::None;
  int added = -1;  ///< A tensor of the output's shape.
  cpu::Activation second = cpu::Activation::None;
  int inputs = 2;
};

/// Conv2D or DepthwiseConv2dNative with what follows it in one kernel, for float NHWC; used by rewrite passes. `constants`: for each input its value, if it is known
/// before the run. Known filters are packed in the first call, and kept.
std::shared_ptr<Kernel> makeFusedConvolution(const Node& convolution, const ConvolutionTail& tail, std::vector<Tensor> constants);

}  // namespace weft
