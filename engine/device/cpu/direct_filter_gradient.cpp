#include <algorithm>
#include <cstring>

#include "device/cpu/direct_convolution.h"
#include "device/cpu/pieces.h"

namespace weft::cpu {
namespace {

constexpr int64_t kFewChannels = 8;          // fewer are gathered
constexpr int64_t kCachedSumFloats = 65536;  // images and gradients that all tiles of the sum read in turn
constexpr int64_t kMostSumFloats = 1 << 20;  // of all parts
constexpr int64_t kMultiplicationsPerPart = 1 << 20;

/// Outputs [begin, end) that use position `k` of a window along one axis inside of the image.
void outputsThatUse(int64_t k, int64_t outputs, int64_t stride, int64_t before, int64_t dilation, int64_t size, int64_t& begin, int64_t& end) {
  const int64_t at = before - k * dilation;  // output y uses pixel y * stride - at
  begin = std::min(outputs, at > 0 ? (at + stride - 1) / stride : 0);
  end = size - 1 + at < 0 ? 0 : std::min(outputs, (size - 1 + at) / stride + 1);
  end = std::max(begin, end);
}

}  // namespace

DirectFilterGradient::DirectFilterGradient(const ConvGeometry& g) : g_(g) {
  const int64_t work = g.batch * g.outHeight * g.outWidth * g.filterElements();
  parts_ = std::clamp<int64_t>(std::min(work / kMultiplicationsPerPart, kMostSumFloats / g.filterElements()), 1, std::min<int64_t>(g.batch, 16));
  gathers_ = g.inChannels < kFewChannels && g.kernelWidth > 1 && g.dilationWidth == 1;
  paddedHeight_ = (g.outHeight - 1) * g.strideHeight + (g.kernelHeight - 1) * g.dilationHeight + 1;
  paddedWidth_ = (g.outWidth - 1) * g.strideWidth + g.kernelWidth;
}

int64_t DirectFilterGradient::scratchFloats() const { return (parts_ - 1) * g_.filterElements() + parts_ * paddedFloats(); }

/// Row `row` of the window, for one image.
void DirectFilterGradient::runPart(const float* input, const float* grads, int64_t row, float* sums, const float* padded) const {
  const WindowKernels& kernels = windowKernels();
  const int64_t channels = g_.inChannels, many = g_.outChannels, gradLine = g_.outWidth * many;
  int64_t top = 0, bottom = g_.outHeight;
  if (!gathers_) outputsThatUse(row, g_.outHeight, g_.strideHeight, g_.padTop, g_.dilationHeight, g_.inHeight, top, bottom);
  const int64_t width = gathers_ ? paddedWidth_ : g_.inWidth, linesAtOnce = std::max<int64_t>(1, kCachedSumFloats / (g_.outWidth * (many + channels)));
  for (int64_t y = top; y < bottom; y += linesAtOnce) {
    const int64_t lines = std::min(linesAtOnce, bottom - y);
    for (int64_t kx = 0; kx < (gathers_ ? 1 : g_.kernelWidth); ++kx) {
      int64_t left = 0, right = g_.outWidth;
      if (!gathers_) outputsThatUse(kx, g_.outWidth, g_.strideWidth, g_.padLeft, g_.dilationWidth, g_.inWidth, left, right);
      if (left >= right) continue;
      const int64_t inputRow = y * g_.strideHeight + row * g_.dilationHeight - (gathers_ ? 0 : g_.padTop),
                    inputColumn = left * g_.strideWidth + kx * g_.dilationWidth - (gathers_ ? 0 : g_.padLeft);
      kernels.filterGrad((gathers_ ? padded : input) + (inputRow * width + inputColumn) * channels, g_.strideWidth * channels,
                         g_.strideHeight * width * channels, grads + y * gradLine + left * many, many, gradLine, lines, right - left,
                         gathers_ ? g_.kernelWidth * channels : channels, many, sums + (row * g_.kernelWidth + kx) * channels * many, many);
    }
  }
}

void DirectFilterGradient::run(const float* input, const float* grads, float* filter, float* scratch) const {
  const int64_t weights = g_.filterElements(), imageIn = g_.inputElements() / g_.batch, imageOut = g_.outputElements() / g_.batch;
  // The first part's sum is the result, and the others are added to it.
  const auto sumOf = [&](int64_t part) { return part == 0 ? filter : scratch + (part - 1) * weights; };
  const auto images = [&](int64_t part, auto&& each) {
    for (int64_t n = g_.batch * part / parts_; n < g_.batch * (part + 1) / parts_; ++n) each(n);
  };
  const auto rowOf = [&](int64_t part, int64_t row, int64_t n, const float* padded) {
    runPart(input + n * imageIn, grads + n * imageOut, row, sumOf(part), padded);
  };
  if (gathers_) {
    float* const room = scratch + (parts_ - 1) * weights;
    overPieces(parallelism(), parts_, [&](int64_t part) {
      std::memset(sumOf(part), 0, size_t(weights) * sizeof(float));
      float* const padded = room + part * paddedFloats();
      std::memset(padded, 0, size_t(paddedFloats()) * sizeof(float));
      // Negative where all windows lie within the padding.
      const int64_t columns = std::min(g_.inWidth, paddedWidth_ - g_.padLeft), rows = columns > 0 ? std::min(g_.inHeight, paddedHeight_ - g_.padTop) : 0;
      images(part, [&](int64_t n) {
        for (int64_t y = 0; y < rows; ++y) {
          std::memcpy(padded + ((y + g_.padTop) * paddedWidth_ + g_.padLeft) * g_.inChannels, input + n * imageIn + y * g_.inWidth * g_.inChannels,
                      size_t(columns * g_.inChannels) * sizeof(float));
        }
        for (int64_t row = 0; row < g_.kernelHeight; ++row) rowOf(part, row, n, padded);
      });
    });
  } else {
    // A part and a row of the window are independent of all others.
    const int64_t rowFloats = g_.kernelWidth * g_.inChannels * g_.outChannels;
    overPieces(parallelism(), parts_ * g_.kernelHeight, [&](int64_t i) {
      const int64_t part = i / g_.kernelHeight, row = i % g_.kernelHeight;
      std::memset(sumOf(part) + row * rowFloats, 0, size_t(rowFloats) * sizeof(float));
      images(part, [&](int64_t n) { rowOf(part, row, n, nullptr); });
    });
  }
  constexpr int64_t kSumGrain = 16384;
  if (parts_ > 1) {
    parallelFor(weights, kSumGrain, [&](int64_t begin, int64_t end) {
      for (int64_t part = 1; part < parts_; ++part) {
        const float* sum = sumOf(part);
        for (int64_t i = begin; i < end; ++i) filter[i] += sum[i];
      }
    });
  }
}

}  // namespace weft::cpu
