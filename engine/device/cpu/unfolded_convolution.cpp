#include <algorithm>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/bfloat16_products.h"
#include "device/cpu/convolution.h"
#include "device/cpu/hot_amx.h"
#include "device/cpu/products.h"

// Convolution as a matrix product. The window of every output position becomes a row of [kernel height * width * in channels] elements, with zeros outside the
// image. Its product with the filter, taken as a matrix, gives the output channels of that position. Windows are unfolded in blocks that stay in the cache.
namespace weft::cpu {
namespace {

template <typename T>
class Unfolding {
 public:
  explicit Unfolding(const ConvGeometry& g) : g_(g) {}

  int64_t row() const { return g_.kernelHeight * g_.kernelWidth * g_.inChannels; }
  int64_t positions() const { return g_.batch * g_.outHeight * g_.outWidth; }
  /// Positions of a block.
  int64_t block() const { return std::clamp<int64_t>((1 << 15) / std::max<int64_t>(1, row()) / 24 * 24, 24, 240); }
  /// Whether the images are their own windows.
  bool isPlain() const {
    return g_.kernelHeight == 1 && g_.kernelWidth == 1 && g_.strideHeight == 1 && g_.strideWidth == 1 && g_.padTop == 0 && g_.padLeft == 0 &&
           g_.outHeight == g_.inHeight && g_.outWidth == g_.inWidth;
  }

  /// Writes the windows of positions [begin, end) of the whole batch.
  void unfold(const T* images, int64_t begin, int64_t end, T* to) const {
    overLines(begin, end, [&](int64_t image, int64_t h, int64_t left) {
      const int64_t line = g_.kernelWidth * g_.inChannels;
      if (h < 0 || h >= g_.inHeight) {
        std::fill_n(to, line, T(0));
      } else {
        const T* from = images + (image * g_.inHeight + h) * g_.inWidth * g_.inChannels;
        if (g_.dilationWidth == 1 && left >= 0 && left + g_.kernelWidth <= g_.inWidth) {
          std::copy_n(from + left * g_.inChannels, line, to);
        } else {
          for (int64_t j = 0; j < g_.kernelWidth; ++j) {
            const int64_t w = left + j * g_.dilationWidth;
            if (w < 0 || w >= g_.inWidth) std::fill_n(to + j * g_.inChannels, g_.inChannels, T(0));
            else std::copy_n(from + w * g_.inChannels, g_.inChannels, to + j * g_.inChannels);
          }
        }
      }
      to += line;
    });
  }

  /// Adds windows to the images from which they would be unfolded.
  void fold(const T* windows, int64_t begin, int64_t end, T* images) const {
    overLines(begin, end, [&](int64_t image, int64_t h, int64_t left) {
      const int64_t line = g_.kernelWidth * g_.inChannels;
      if (h >= 0 && h < g_.inHeight) {
        T* to = images + (image * g_.inHeight + h) * g_.inWidth * g_.inChannels;
        if (g_.dilationWidth == 1) {
          const int64_t first = std::max<int64_t>(0, -left), last = std::min(g_.kernelWidth, g_.inWidth - left);
          if (first < last) add(windows + first * g_.inChannels, (last - first) * g_.inChannels, to + (left + first) * g_.inChannels);
        } else {
          for (int64_t j = 0; j < g_.kernelWidth; ++j) {
            const int64_t w = left + j * g_.dilationWidth;
            if (w >= 0 && w < g_.inWidth) add(windows + j * g_.inChannels, g_.inChannels, to + w * g_.inChannels);
          }
        }
      }
      windows += line;
    });
  }

 private:
  static void add(const T* from, int64_t n, T* to) {
    for (int64_t i = 0; i < n; ++i) to[i] += from[i];
  }

  /// Calls f(image, image row, image column of the first element) for each line of each window.
  template <typename F>
  void overLines(int64_t begin, int64_t end, F&& f) const {
    int64_t x = begin % g_.outWidth, y = begin / g_.outWidth % g_.outHeight, image = begin / g_.outWidth / g_.outHeight;
    for (int64_t p = begin; p < end; ++p) {
      for (int64_t i = 0; i < g_.kernelHeight; ++i) f(image, y * g_.strideHeight - g_.padTop + i * g_.dilationHeight, x * g_.strideWidth - g_.padLeft);
      if (++x < g_.outWidth) continue;
      x = 0;
      if (++y < g_.outHeight) continue;
      y = 0;
      ++image;
    }
  }

  const ConvGeometry& g_;
};

/// Memory for the windows of one block.
template <typename T>
std::unique_ptr<T[]> roomFor(const Unfolding<T>& u) {
  return std::unique_ptr<T[]>(new T[size_t(u.block() * u.row())]);
}

/// sum (op)= windows^T gradients of `positions` windows.
template <typename T>
using FilterProduct = void (*)(int64_t row, int64_t positions, int64_t many, const T* windows, const T* gradients, T* sum, Update update);

template <typename T>
void outputOf(const Unfolding<T>& u, const ConvGeometry& g, const T* input, const T* filter, T* output) {
  const int64_t row = u.row(), many = g.outChannels, block = u.block(), all = u.positions();
  const MatrixView right{filter, many, 1, false};
  if (u.isPlain()) return product(productTypeOf<T>(), all, row, many, {input, row, 1, false}, right, output, many, Update::Set);
  const int64_t grain = std::max<int64_t>(1, 100'000 / std::max<int64_t>(1, block * row * many));
  parallelFor((all + block - 1) / block, grain, [&](int64_t begin, int64_t end) {
    const auto windows = roomFor(u);
    for (int64_t from = begin * block; from < std::min(all, end * block); from += block) {
      const int64_t to = std::min(all, from + block);
      u.unfold(input, from, to, windows.get());
      product(productTypeOf<T>(), to - from, row, many, {windows.get(), row, 1, false}, right, output + from * many, many, Update::Set);
    }
  });
}

/// Windows of different positions overlap, so that an image is computed by one thread at a time.
template <typename T>
void inputOf(const Unfolding<T>& u, const ConvGeometry& g, T* input, const T* filter, const T* output) {
  const int64_t row = u.row(), many = g.outChannels, block = u.block(), image = g.outHeight * g.outWidth, pixels = g.inHeight * g.inWidth * g.inChannels;
  const MatrixView right{filter, 1, many, false};
  if (u.isPlain()) return product(productTypeOf<T>(), u.positions(), many, row, {output, many, 1, false}, right, input, row, Update::Set);
  parallelFor(g.batch, 1, [&](int64_t begin, int64_t end) {
    const auto windows = roomFor(u);
    std::fill_n(input + begin * pixels, (end - begin) * pixels, T(0));
    for (int64_t n = begin; n < end; ++n) {
      for (int64_t from = n * image; from < (n + 1) * image; from += block) {
        const int64_t to = std::min((n + 1) * image, from + block);
        product(productTypeOf<T>(), to - from, many, row, {output + from * many, many, 1, false}, right, windows.get(), row, Update::Set);
        u.fold(windows.get(), from, to, input);
      }
    }
  });
}

/// Sums over all positions: parts of them, in a number that depends on the sizes only, are computed side by side.
template <typename T>
void filterOf(const Unfolding<T>& u, const ConvGeometry& g, const T* input, T* filter, const T* output, int64_t block, FilterProduct<T> multiply) {
  const int64_t row = u.row(), many = g.outChannels, all = u.positions(), size = row * many;
  constexpr int64_t kMostPartial = 1 << 22;  // elements
  const int64_t blocks = (all + block - 1) / block, parts = std::clamp<int64_t>(std::min(blocks / 4, kMostPartial / std::max<int64_t>(1, size)), 1, 8);
  std::vector<T> partial(size_t((parts - 1) * size));
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    const std::unique_ptr<T[]> windows(new T[size_t(block * row)]);
    for (int64_t p = begin; p < end; ++p) {
      T* const sum = p == 0 ? filter : partial.data() + (p - 1) * size;
      Update update = Update::Set;
      for (int64_t from = blocks * p / parts * block; from < std::min(all, blocks * (p + 1) / parts * block); from += block) {
        const int64_t to = std::min(all, from + block);
        u.unfold(input, from, to, windows.get());
        multiply(row, to - from, many, windows.get(), output + from * many, sum, update);
        update = Update::Add;
      }
    }
  });
  parallelFor(size, 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t p = 1; p < parts; ++p) {
      const T* more = partial.data() + (p - 1) * size;
      for (int64_t i = begin; i < end; ++i) filter[i] += more[i];
    }
  });
}

}  // namespace

template <typename T>
void unfoldedConvolution(ConvDirection direction, const ConvGeometry& g, T* input, T* filter, T* output) {
  const Unfolding<T> unfolding(g);
  switch (direction) {
    case ConvDirection::Output: return outputOf<T>(unfolding, g, input, filter, output);
    case ConvDirection::Input: return inputOf<T>(unfolding, g, input, filter, output);
    case ConvDirection::Filter:
      return filterOf<T>(unfolding, g, input, filter, output, unfolding.block(),
                         [](int64_t row, int64_t positions, int64_t many, const T* windows, const T* gradients, T* sum, Update update) {
                           product(productTypeOf<T>(), row, positions, many, {windows, 1, row, false}, {gradients, many, 1, false}, sum, many, update);
                         });
  }
}

void roundedFilterGradient(const ConvGeometry& g, const float* input, float* filter, const float* output) {
  constexpr int64_t kWindows = 1 << 17;  // elements that stay in the second cache
  const Unfolding<float> unfolding(g);
  const int64_t block = std::clamp<int64_t>(kWindows / unfolding.row() / kAmxDepth * kAmxDepth, 8 * kAmxDepth, 64 * kAmxDepth);
  filterOf<float>(unfolding, g, input, filter, output, block,
                  [](int64_t row, int64_t positions, int64_t many, const float* windows, const float* gradients, float* sum, Update update) {
                    bfloat16Product({row, positions, many, true, false}, windows, gradients, sum, update == Update::Add);
                  });
}

template void unfoldedConvolution<float>(ConvDirection, const ConvGeometry&, float*, float*, float*);
template void unfoldedConvolution<double>(ConvDirection, const ConvGeometry&, double*, double*, double*);

}  // namespace weft::cpu
