#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/convolution.h"
#include "device/cpu/gemm.h"

// Convolution as a matrix product. The window of every output position becomes a row of [kernel height * width * in channels] elements, with zeros outside the
// image. Its product with the filter, taken as a matrix, gives the output channels of that position.
namespace weft::cpu {
namespace {

/// Calls f(row element offset, image element offset) for every window pixel that lies inside the image.
template <typename F>
void overWindows(const ConvGeometry& g, F&& f) {
  const int64_t row = g.kernelHeight * g.kernelWidth * g.inChannels;
  for (int64_t y = 0; y < g.outHeight; ++y) {
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const int64_t at = (y * g.outWidth + x) * row;
      for (int64_t i = 0; i < g.kernelHeight; ++i) {
        const int64_t h = y * g.strideHeight - g.padTop + i * g.dilationHeight;
        if (h < 0 || h >= g.inHeight) continue;
        for (int64_t j = 0; j < g.kernelWidth; ++j) {
          const int64_t w = x * g.strideWidth - g.padLeft + j * g.dilationWidth;
          if (w < 0 || w >= g.inWidth) continue;
          f(at + (i * g.kernelWidth + j) * g.inChannels, (h * g.inWidth + w) * g.inChannels);
        }
      }
    }
  }
}

}  // namespace

template <typename T>
void unfoldedConvolution(ConvDirection direction, const ConvGeometry& g, T* input, T* filter, T* output) {
  const int64_t positions = g.outHeight * g.outWidth, row = g.kernelHeight * g.kernelWidth * g.inChannels;
  const int64_t inImage = g.inHeight * g.inWidth * g.inChannels, outImage = positions * g.outChannels;
  std::vector<T> windows(size_t(positions * row)), partial;
  if (direction == ConvDirection::Filter) {
    std::fill(filter, filter + g.filterElements(), T(0));
    partial.resize(size_t(g.filterElements()));
  }
  const auto unfold = [&](const T* image) {
    std::fill(windows.begin(), windows.end(), T(0));
    overWindows(g, [&](int64_t to, int64_t from) { std::copy_n(image + from, g.inChannels, windows.data() + to); });
  };
  for (int64_t n = 0; n < g.batch; ++n) {
    T *image = input + n * inImage, *out = output + n * outImage;
    if (direction == ConvDirection::Output) {
      unfold(image);
      gemm({positions, row, g.outChannels, false, false}, windows.data(), filter, out);
    } else if (direction == ConvDirection::Input) {
      gemm({positions, g.outChannels, row, false, true}, out, filter, windows.data());
      std::fill(image, image + inImage, T(0));
      overWindows(g, [&](int64_t from, int64_t to) {
        for (int64_t c = 0; c < g.inChannels; ++c) image[to + c] += windows[size_t(from + c)];
      });
    } else {
      unfold(image);
      gemm({row, positions, g.outChannels, true, false}, windows.data(), out, partial.data());
      for (size_t i = 0; i < partial.size(); ++i) filter[i] += partial[i];
    }
  }
}

template void unfoldedConvolution<float>(ConvDirection, const ConvGeometry&, float*, float*, float*);
template void unfoldedConvolution<double>(ConvDirection, const ConvGeometry&, double*, double*, double*);

}  // namespace weft::cpu
