#include "device/cuda/convolution.cuh"

#include "device/cpu/conv2d_kernel.h"
#include "ops/volume_convolution.h"

// Convolutions of images and volumes with their gradients, by cuDNN.
namespace weft::cuda {
namespace {

using cpu::ConvDirection;

/// The operands of a kernel call; the one that `direction` names is computed.
template <typename T>
Status convolve(KernelContext& c, ConvDirection direction, const ConvolutionShape& g, const Tensor& x, const Tensor& filter, const Tensor& y, Tensor& target) {
  if (target.elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  if (x.elements() == 0 || filter.elements() == 0 || y.elements() == 0) {
    WEFT_CUDA_TRY(cudaMemsetAsync(target.mutableRaw(), 0, target.bytes(), d.stream()));
    return {};
  }
  return convolution<T>(d, direction, g, x, filter, y, target);
}

ConvolutionShape shapeOf(const cpu::ConvGeometry& g, bool channelsFirst) {
  ConvolutionShape s;
  s.dims = 2;
  s.batch = g.batch, s.in = g.inChannels, s.out = g.outChannels, s.channelsFirst = channelsFirst;
  s.axes[1] = ConvolutionAxis::of(g.inHeight, g.kernelHeight, g.outHeight, g.strideHeight, g.dilationHeight, g.padTop);
  s.axes[2] = ConvolutionAxis::of(g.inWidth, g.kernelWidth, g.outWidth, g.strideWidth, g.dilationWidth, g.padLeft);
  return s;
}

template <typename T>
Status runConv2D(KernelContext& c) {
  const ConvolutionSettings settings = ConvolutionSettings::of(c.node().attrs);
  WEFT_TRY(settings.checkKernel());
  const Tensor &x = c.input(0), &filter = c.input(1);
  WEFT_LET(const cpu::ConvGeometry g, conv2dGeometry(settings, x.shape(), filter.shape(), false));
  const bool first = settings.channelsFirst();
  WEFT_LET(Tensor * out, c.allocate(0, first ? Shape{g.batch, g.outChannels, g.outHeight, g.outWidth} : Shape{g.batch, g.outHeight, g.outWidth, g.outChannels}));
  return convolve<T>(c, ConvDirection::Output, shapeOf(g, first), x, filter, *out, *out);
}

/// `sizesAt`: the input that holds the result's shape, in host memory.
template <typename T, int sizesAt>
Status runGradient2D(KernelContext& c) {
  const ConvolutionSettings settings = ConvolutionSettings::of(c.node().attrs);
  WEFT_TRY(settings.checkKernel());
  const Tensor &other = c.input(1 - sizesAt), &dy = c.input(2);
  Shape wanted;
  WEFT_LET(const cpu::ConvGeometry g, conv2dGradientGeometry(settings, sizesAt == 0, c.input(sizesAt), other.shape(), dy.shape(), wanted, false));
  WEFT_LET(Tensor * out, c.allocate(0, wanted));
  const ConvolutionShape s = shapeOf(g, settings.channelsFirst());
  if (sizesAt == 0) return convolve<T>(c, ConvDirection::Input, s, *out, other, dy, *out);
  return convolve<T>(c, ConvDirection::Filter, s, other, *out, dy, *out);
}

template <typename T, ConvDirection kDirection>
Status runVolumes(KernelContext& c) {
  WEFT_LET(const VolumeConvolution v, volumeConvolution(c, kDirection, false));
  ConvolutionShape s;
  s.dims = 3;
  s.batch = v.windows.batch, s.in = v.windows.channels, s.out = v.outChannels, s.channelsFirst = v.channelsFirst;
  for (size_t i = 0; i < 3; ++i) {
    s.axes[i] = ConvolutionAxis::of(v.windows.in[i], v.windows.window[i], v.windows.out[i], v.windows.stride[i], v.dilations[i], v.windows.before[i]);
  }
  WEFT_LET(Tensor * out, c.allocate(0, v.result));
  switch (kDirection) {
    case ConvDirection::Output: return convolve<T>(c, kDirection, s, c.input(0), c.input(1), *out, *out);
    case ConvDirection::Input: return convolve<T>(c, kDirection, s, *out, c.input(1), c.input(2), *out);
    case ConvDirection::Filter: return convolve<T>(c, kDirection, s, c.input(0), *out, c.input(2), *out);
  }
  return {};
}

}  // namespace

void registerConvolutionGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "Conv2D", []<typename T>(KernelContext& c) { return runConv2D<T>(c); });
  addFor<Half, float, double>(ops, "Conv2DBackpropInput", []<typename T>(KernelContext& c) { return runGradient2D<T, 0>(c); }, {"input_sizes"});
  addFor<Half, float, double>(ops, "Conv2DBackpropFilter", []<typename T>(KernelContext& c) { return runGradient2D<T, 1>(c); }, {"filter_sizes"});
  addFor<Half, float, double>(ops, "Conv3D", []<typename T>(KernelContext& c) { return runVolumes<T, ConvDirection::Output>(c); });
  for (const bool v2 : {false, true}) {  // the first version takes a tensor of the result's shape, which stays on the device
    addFor<Half, float, double>(
        ops, v2 ? "Conv3DBackpropInputV2" : "Conv3DBackpropInput", []<typename T>(KernelContext& c) { return runVolumes<T, ConvDirection::Input>(c); },
        v2 ? std::vector<std::string>{"input_sizes"} : std::vector<std::string>());
    addFor<Half, float, double>(
        ops, v2 ? "Conv3DBackpropFilterV2" : "Conv3DBackpropFilter", []<typename T>(KernelContext& c) { return runVolumes<T, ConvDirection::Filter>(c); },
        v2 ? std::vector<std::string>{"filter_sizes"} : std::vector<std::string>());
  }
}

}  // namespace weft::cuda
