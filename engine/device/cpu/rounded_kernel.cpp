#include "device/cpu/rounded_kernel.h"

#include "device/cpu/bfloat16_products.h"
#include "device/cpu/kernel_precision.h"

namespace weft {
namespace {

using cpu::ConvDirection;

/// In scratch memory of the step.
template <typename Convolution>
Status runWithScratch(KernelContext& c, const Convolution& convolution, float* input, float* filter, float* output) {
  WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(int64_t(convolution.scratchBytes()), 1)}));
  return convolution.run(input, filter, output, scratch.mutableRaw());
}

/// A rounded copy in scratch memory takes the place of `data`.
Status round(KernelContext& c, Tensor& copy, float*& data, int64_t elements) {
  WEFT_LET(copy, c.scratch(DType::Float, {elements}));
  cpu::roundToBFloat16(data, copy.mutableData<float>(), elements);
  data = copy.mutableData<float>();
  return {};
}

}  // namespace

Status RoundedConvolutions::run(KernelContext& c, ConvDirection direction, const cpu::ConvGeometry& g, float* input, float* filter, float* output) {
  if (const auto shape = cpu::productOf(direction, g)) {
    float* const tensors[] = {input, filter, output};
    static constexpr int kRoles[][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};  // left, right, result by direction
    const int* role = kRoles[int(direction)];
    cpu::bfloat16Product(*shape, tensors[role[0]], tensors[role[1]], tensors[role[2]], false);
    return {};
  }
  // Measured: for small images of many channels, our products are faster than oneDNN's gradient of the filter.
  const bool unfolds = direction == ConvDirection::Filter && g.outHeight * g.outWidth < 256 && g.inChannels >= 32;
  if (unfolds && cpu::bfloat16UnitOfProcessor() == cpu::BFloat16Unit::Amx) {
    cpu::roundedFilterGradient(g, input, filter, output);
    return {};
  }
  if (const auto rounded = rounded_.get(direction, g); rounded.ok()) return runWithScratch(c, **rounded, input, filter, output);
  // No unit for bfloat16, or no code of oneDNN for the shape: the two tensors that are read become rounded copies.
  Tensor copies[2];
  int used = 0;
  if (direction != ConvDirection::Input) WEFT_TRY(round(c, copies[used++], input, g.inputElements()));
  if (direction != ConvDirection::Filter) WEFT_TRY(round(c, copies[used++], filter, g.filterElements()));
  if (direction != ConvDirection::Output) WEFT_TRY(round(c, copies[used++], output, g.outputElements()));
  // oneDNN's sums over images depend on the number of threads.
  const auto plain = direction == ConvDirection::Filter ? Result<std::shared_ptr<const cpu::DnnlConvolution>>(unimplemented("")) : plain_.get(direction, g);
  if (plain.ok()) return runWithScratch(c, **plain, input, filter, output);
  cpu::unfoldedConvolution(direction, g, input, filter, output);
  return {};
}

}  // namespace weft
