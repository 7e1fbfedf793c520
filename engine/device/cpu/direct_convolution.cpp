#include "device/cpu/direct_convolution.h"

#include <algorithm>
#include <cstring>

#include "device/cpu/pieces.h"

namespace weft::cpu {
namespace {

// Multiplications that are worth a thread, and a piece of work that any thread takes. A second thread also has to fetch what the first one wrote, so it needs
// more than ten microseconds of work. Depthwise convolutions wait for memory.
constexpr double kWorthAThread = 800e3, kWorthAPiece = 200e3, kWorthADeepThread = 300e3, kWorthADeepPiece = 80e3;
constexpr int64_t kPiecesPerThread = 4;   // a thread that the system stops holds up one piece
constexpr int64_t kCachedFloats = 32768;  // input that all panels read in turn

/// Positions [begin, end) of a window along one axis that lie inside of the image.
struct Inside {
  int64_t begin, end;
};
Inside insideOf(int64_t output, int64_t stride, int64_t before, int64_t dilation, int64_t kernel, int64_t size) {
  const int64_t first = output * stride - before;
  const int64_t begin = first >= 0 ? 0 : std::min(kernel, (-first + dilation - 1) / dilation);
  const int64_t end = size - first <= 0 ? 0 : std::min(kernel, (size - first + dilation - 1) / dilation);
  return {begin, std::max(begin, end)};
}

/// Outputs [begin, end) whose windows lie inside of the image.
Inside wholeOutputs(int64_t outputs, int64_t stride, int64_t before, int64_t dilation, int64_t kernel, int64_t size) {
  const int64_t begin = std::min(outputs, (before + stride - 1) / stride), reach = size + before - (kernel - 1) * dilation - 1;
  return {begin, std::max(begin, reach < 0 ? 0 : std::min(outputs, reach / stride + 1))};
}

}  // namespace

DirectConvolution::DirectConvolution(const ConvGeometry& g) : given_(g), g_(g) {
  const bool unpadded = g.padTop + g.padBottom + g.padLeft + g.padRight == 0, depthwise = isDepthwise();
  int64_t positions = 0;
  if (!depthwise && g.kernelHeight == 1 && g.kernelWidth == 1 && g.strideHeight == 1 && g.strideWidth == 1 && unpadded) {
    positions = g.batch * g.outHeight * g.outWidth;
  } else if (!depthwise && unpadded && g.kernelHeight == g.inHeight && g.kernelWidth == g.inWidth && g.dilationHeight == 1 && g.dilationWidth == 1) {
    positions = g.batch;
    g_.inChannels = g.inHeight * g.inWidth * g.inChannels;
  }
  if (positions) {
    isLine_ = true;
    linePixels_ = windowKernels().longest;
    g_.kernelHeight = g_.kernelWidth = g_.strideHeight = g_.strideWidth = 1;
    g_.batch = 1;
    g_.inHeight = g_.outHeight = (positions + linePixels_ - 1) / linePixels_;
    g_.inWidth = g_.outWidth = positions;  // of all rows
    const int window = addWindow(0, 1, 0, 1);
    blocks_.push_back({0, g_.outHeight, 0, 0, window, {}});
    return;
  }
  const Inside rows = wholeOutputs(g.outHeight, g.strideHeight, g.padTop, g.dilationHeight, g.kernelHeight, g.inHeight);
  const Inside columns = wholeOutputs(g.outWidth, g.strideWidth, g.padLeft, g.dilationWidth, g.kernelWidth, g.inWidth);
  const auto add = [&](int64_t begin, int64_t end) {
    const Inside y = insideOf(begin, g.strideHeight, g.padTop, g.dilationHeight, g.kernelHeight, g.inHeight);
    Block b{begin, end, columns.begin, columns.end, -1, {}};
    if (columns.begin < columns.end) b.window = addWindow(y.begin, y.end, 0, g.kernelWidth);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      if (x >= columns.begin && x < columns.end) continue;
      const Inside at = insideOf(x, g.strideWidth, g.padLeft, g.dilationWidth, g.kernelWidth, g.inWidth);
      b.edges.push_back({x, addWindow(y.begin, y.end, at.begin, at.end)});
    }
    blocks_.push_back(std::move(b));
  };
  for (int64_t y = 0; y < rows.begin; ++y) add(y, y + 1);
  if (rows.begin < rows.end) add(rows.begin, rows.end);
  for (int64_t y = rows.end; y < g.outHeight; ++y) add(y, y + 1);
}

/// Whether a depthwise convolution's rows are computed whole (DeepRow).
bool DirectConvolution::sharesPixels() const {
  const bool known = g_.kernelWidth == 5 || g_.kernelWidth == 7;  // with three places, little is saved
  return isDepthwise() && known && g_.strideWidth == 1 && g_.dilationWidth == 1 && g_.inChannels >= windowKernels().panel / 2;
}

int DirectConvolution::addWindow(int64_t rowBegin, int64_t rowEnd, int64_t columnBegin, int64_t columnEnd) {
  Window w;
  w.firstRow = rowBegin, w.firstColumn = columnBegin;
  const bool depthwise = isDepthwise(), joined = !depthwise && g_.dilationWidth == 1;
  const int64_t channels = g_.inChannels, filterRows = depthwise ? 1 : channels;
  if (columnBegin < columnEnd) {
    for (int64_t ky = rowBegin; ky < rowEnd; ++ky) {
      const int64_t line = (ky - rowBegin) * g_.dilationHeight * g_.inWidth * channels;
      for (int64_t kx = columnBegin; kx < (joined ? columnBegin + 1 : columnEnd); ++kx) {
        w.inputAt.push_back(line + (kx - columnBegin) * g_.dilationWidth * channels);
        w.filterAt.push_back((ky * g_.kernelWidth + kx) * filterRows);
      }
    }
    w.run = depthwise ? 1 : joined ? (columnEnd - columnBegin) * channels : channels;
  }
  windows_.push_back(std::move(w));
  return int(windows_.size()) - 1;
}

bool DirectConvolution::hasInputGradient(const ConvGeometry& g) {
  return g.groups == 1 && g.strideHeight == 1 && g.strideWidth == 1 && g.padTop < g.kernelHeight && g.padLeft < g.kernelWidth && g.dilationHeight == 1 &&
         g.dilationWidth == 1;
}

ConvGeometry DirectConvolution::inputGradient(const ConvGeometry& g) {
  ConvGeometry r = g;
  r.inHeight = g.outHeight, r.inWidth = g.outWidth, r.inChannels = g.outChannels;
  r.outHeight = g.inHeight, r.outWidth = g.inWidth, r.outChannels = g.inChannels;
  r.padTop = g.kernelHeight - 1 - g.padTop, r.padLeft = g.kernelWidth - 1 - g.padLeft;
  r.padBottom = std::max<int64_t>(0, r.outHeight + g.kernelHeight - 1 - r.inHeight - r.padTop);
  r.padRight = std::max<int64_t>(0, r.outWidth + g.kernelWidth - 1 - r.inWidth - r.padLeft);
  return r;
}

bool DirectConvolution::isPreferred(ConvDirection direction, const ConvGeometry& g) {
  if (g.groups != 1) return direction == ConvDirection::Output && g.groups == g.inChannels && g.outChannels == g.inChannels;
  if (direction == ConvDirection::Input && !hasInputGradient(g)) return false;
  // Below, the filter is not known before the run: packing it must be little beside the convolution.
  constexpr int64_t kFewPositions = 64;
  if (direction != ConvDirection::Filter && g.batch * g.outHeight * g.outWidth < kFewPositions) return false;
  // With AVX-512, oneDNN's code is up to a fifth faster for windows of several pixels where all channels fill its vectors.
  constexpr int64_t kDnnlChannels = 16;
  const bool wide = windowKernels().panel == 2 * kDnnlChannels && g.inChannels % kDnnlChannels == 0 && g.outChannels % kDnnlChannels == 0;
  if (!wide || g.kernelHeight * g.kernelWidth == 1) return true;
  if (direction == ConvDirection::Input) return g.inChannels > kDnnlChannels;
  return direction == ConvDirection::Filter && g.strideHeight * g.strideWidth > 1;
}

int64_t DirectConvolution::packedFloats() const {
  if (isDepthwise()) return 0;
  const int64_t panel = windowKernels().panel, half = panel / 2, rest = g_.outChannels % panel;
  return (g_.outChannels / panel * panel + (rest == 0 ? 0 : rest <= half ? half : panel)) * g_.kernelHeight * g_.kernelWidth * g_.inChannels;
}

void DirectConvolution::pack(const float* filter, float* packed, bool turned) const {
  const int64_t panel = windowKernels().panel, channels = given_.inChannels, many = given_.outChannels, taps = given_.kernelHeight * given_.kernelWidth;
  const int64_t panels = (many + panel - 1) / panel;
  constexpr int64_t kPackGrain = 16384;
  parallelFor(panels, std::max<int64_t>(1, kPackGrain / (taps * channels * panel)), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t first = p * panel, count = std::min(panel, many - first), width = count <= panel / 2 ? panel / 2 : panel;
      float* to = packed + first * taps * channels;
      for (int64_t t = 0; t < taps; ++t) {
        for (int64_t c = 0; c < channels; ++c, to += width) {
          if (!turned) {
            std::memcpy(to, filter + (t * channels + c) * many + first, size_t(count) * sizeof(float));
          } else {
            // There, this convolution's output channels are inputs, and its input channels outputs.
            const float* from = filter + ((taps - 1 - t) * many + first) * channels + c;
            for (int64_t k = 0; k < count; ++k) to[k] = from[k * channels];
          }
          std::fill(to + count, to + width, 0.f);
        }
      }
    }
  });
}

/// Rows [begin, end) of `images` images for one panel, or for all channels of a depthwise convolution. `column`: the panel's first channel.
void DirectConvolution::runRows(const float* input, const float* panel, float* output, const WindowTail& tail, int64_t image, int64_t images, int64_t begin,
                                int64_t end, int64_t column) const {
  const WindowKernels& kernels = windowKernels();
  const int64_t channels = g_.inChannels, many = g_.outChannels, columns = std::min<int64_t>(kernels.panel, many - column);
  const auto line = [&](int window, int64_t n, int64_t y, int64_t x, int64_t pixels, int64_t inputStride, int64_t outputStride) {
    const Window& w = windows_[size_t(window)];
    WindowLine l;
    l.runs = int(w.inputAt.size());
    l.inputAt = w.inputAt.data(), l.filterAt = w.filterAt.data();
    l.run = w.run;
    l.inputStride = inputStride, l.outputStride = outputStride;
    const float* in = input;
    if (l.runs > 0) {
      const int64_t row = y * g_.strideHeight - g_.padTop + w.firstRow * g_.dilationHeight,
                    place = x * g_.strideWidth - g_.padLeft + w.firstColumn * g_.dilationWidth;
      in += ((n * g_.inHeight + row) * g_.inWidth + place) * channels;
    }
    const int64_t at = ((n * g_.outHeight + y) * g_.outWidth + x) * many + column;
    WindowTail t = tail;
    if (t.shift) t.shift += column;
    if (t.factor) t.factor += column;
    if (t.offset) t.offset += column;
    if (t.added) t.added += at;
    if (isDepthwise()) kernels.depthwise(l, in, panel, pixels, many, output + at, t);
    else kernels.line(l, in, panel, pixels, columns, output + at, t);
  };
  if (isLine_) {
    const int64_t first = begin * linePixels_, pixels = std::min(end * linePixels_, g_.outWidth) - first;
    line(blocks_[0].window, 0, 0, first, pixels, channels, many);
    return;
  }
  const int64_t across = g_.strideWidth * channels, down = g_.strideHeight * g_.inWidth * channels, along = g_.inHeight * g_.inWidth * channels,
                acrossOut = many, downOut = g_.outWidth * many, alongOut = g_.outHeight * g_.outWidth * many;
  if (sharesPixels()) {
    for (int64_t n = image; n < image + images; ++n) {
      for (int64_t y = begin; y < end; ++y) {
        const Inside rows = insideOf(y, g_.strideHeight, g_.padTop, g_.dilationHeight, g_.kernelHeight, g_.inHeight);
        const int64_t at = (n * g_.outHeight + y) * g_.outWidth * many, top = y * g_.strideHeight - g_.padTop + rows.begin * g_.dilationHeight;
        WindowTail t = tail;
        if (t.added) t.added += at;
        const DeepRow row{rows.end - rows.begin, g_.kernelWidth, g_.dilationHeight * g_.inWidth * channels, g_.inWidth, g_.padLeft, g_.outWidth, channels};
        kernels.deepRow(row, row.rows > 0 ? input + (n * g_.inHeight + top) * g_.inWidth * channels : input, panel + rows.begin * g_.kernelWidth * channels,
                        output + at, t);
      }
    }
    return;
  }
  // Outputs with windows alike lie in a box of images, rows and columns, of which the longest side is the line.
  const auto box = [&](int window, int64_t rowBegin, int64_t rowEnd, int64_t left, int64_t right) {
    const int64_t rows = rowEnd - rowBegin, width = right - left, enough = std::min<int64_t>(kernels.longest, std::max(rows, images));
    for (int64_t n = 0; n < images; ++n) {
      for (int64_t y = rowBegin; y < rowEnd; ++y) {
        if (width >= enough) {
          line(window, image + n, y, left, width, across, acrossOut);
          continue;
        }
        if (images > rows ? n > 0 : y > rowBegin) return;
        for (int64_t x = left; x < right; ++x) {
          if (images <= rows) {
            for (int64_t m = 0; m < images; ++m) line(window, image + m, y, x, rows, down, downOut);
          } else {
            line(window, image, y, x, images, along, alongOut);
          }
        }
      }
    }
  };
  for (const Block& b : blocks_) {
    const int64_t from = std::max(begin, b.begin), to = std::min(end, b.end);
    if (from >= to) continue;
    for (const Edge& e : b.edges) box(e.window, from, to, e.column, e.column + 1);
    if (b.window >= 0) box(b.window, from, to, b.left, b.right);
  }
}

void DirectConvolution::runPart(const float* input, const float* packed, float* output, const WindowTail& tail, int64_t begin, int64_t end, int64_t firstPanel,
                                int64_t lastPanel) const {
  const int64_t panel = windowKernels().panel, inputRow = isLine_ ? linePixels_ * g_.inChannels : g_.strideHeight * g_.inWidth * g_.inChannels;
  const int64_t rowsAtOnce = std::max<int64_t>(1, kCachedFloats / std::max<int64_t>(1, inputRow)), window = g_.kernelHeight * g_.kernelWidth * g_.inChannels;
  for (int64_t u = begin; u < end;) {
    const int64_t image = u / g_.outHeight, y = u % g_.outHeight;
    // Several whole images, if they are small, or rows of one.
    const int64_t images = y == 0 ? std::max<int64_t>(1, std::min(end - u, rowsAtOnce) / g_.outHeight) : 1;
    const int64_t rows = images > 1 ? g_.outHeight : std::min({end - u, g_.outHeight - y, rowsAtOnce});
    if (isDepthwise()) {
      runRows(input, packed, output, tail, image, images, y, y + rows, 0);
    } else {
      for (int64_t p = firstPanel; p < lastPanel; ++p) runRows(input, packed + p * panel * window, output, tail, image, images, y, y + rows, p * panel);
    }
    u += images * rows;
  }
}

void DirectConvolution::run(const float* input, const float* packed, float* output, const WindowTail& tail) const {
  const int64_t panel = windowKernels().panel, rows = g_.batch * g_.outHeight, panels = isDepthwise() ? 1 : (g_.outChannels + panel - 1) / panel;
  const double columns = isDepthwise() ? 1 : double(packedFloats()) / double(g_.kernelHeight * g_.kernelWidth * g_.inChannels);
  const double multiplications = double(given_.outputElements() / given_.outChannels) * double(given_.filterElements() / given_.outChannels) *
                                 (isDepthwise() ? double(given_.outChannels) : columns);
  const bool deep = isDepthwise(), wholeImages = g_.batch >= 2 * parallelism();
  const int64_t threads = std::min<int64_t>(parallelism(), int64_t(multiplications / (deep ? kWorthADeepThread : kWorthAThread)));
  if (threads <= 1) return runPart(input, packed, output, tail, 0, rows, 0, panels);
  const int64_t wanted = std::clamp<int64_t>(int64_t(multiplications / (deep ? kWorthADeepPiece : kWorthAPiece)), threads, threads * kPiecesPerThread);
  // What is larger is divided, the filter or the images, so that a thread reads its part only.
  const bool byPanels = given_.filterElements() > given_.inputElements();
  const int64_t first = std::min(wanted, byPanels ? panels : rows), second = std::min((wanted + first - 1) / first, byPanels ? rows : panels);
  const int64_t panelPieces = byPanels ? first : second, rowPieces = byPanels ? second : first;
  const auto rowOf = [&](int64_t piece) { return wholeImages ? g_.batch * piece / rowPieces * g_.outHeight : rows * piece / rowPieces; };
  overPieces(threads, panelPieces * rowPieces, [&](int64_t i) {
    const int64_t r = i % rowPieces, p = i / rowPieces;
    runPart(input, packed, output, tail, rowOf(r), rowOf(r + 1), panels * p / panelPieces, panels * (p + 1) / panelPieces);
  });
}

}  // namespace weft::cpu
