#pragma once

#include <memory>
#include <vector>

#include "device/cpu/convolution.h"
#include "device/cpu/hot_windows.h"

namespace weft::cpu {

/// Convolutions by the engine's own loops (hot_windows.h), straight from NHWC images: nothing is unfolded, padded or reordered but the filter, which is packed
/// into panels. Each sum is computed by one thread, over the window in order, so results do not depend on the number of threads. Immutable; several threads may
/// call the functions at once.
class WEFT_API DirectConvolution {
 public:
  /// REQUIRES: one group, or as many groups as input and output channels (depthwise, multiplier 1); nothing is empty.
  explicit DirectConvolution(const ConvGeometry& g);
  /// The convolution that turns gradients of the outputs of `g` into those of its inputs. REQUIRES: hasInputGradient(g).
  static ConvGeometry inputGradient(const ConvGeometry& g);
  static bool hasInputGradient(const ConvGeometry& g);
  /// Whether these loops are preferred to oneDNN for a convolution on its own. Depends on the shape and the instruction set only, because the two round
  /// differently.
  static bool isPreferred(ConvDirection direction, const ConvGeometry& g);

  bool isDepthwise() const { return given_.groups > 1; }
  /// Floats of a packed filter; 0 if the filter is used as it is (depthwise).
  int64_t packedFloats() const;
  /// `turned`: packs the filter of the convolution whose inputGradient() this one is.
  void pack(const float* filter, float* packed, bool turned = false) const;
  /// `packed`: of pack(); of a depthwise convolution, the filter.
  void run(const float* input, const float* packed, float* output, const WindowTail& tail) const;

 private:
  /// The part of the window that lies inside of the image, for some outputs.
  struct Window {
    std::vector<long> inputAt, filterAt;
    long run = 0;
    int64_t firstRow = 0, firstColumn = 0;  ///< Of the part, within the window.
  };
  struct Edge {
    int64_t column;
    int window;
  };
  /// Rows of outputs that use the same rows of the window.
  struct Block {
    int64_t begin, end;
    int64_t left, right;  ///< Columns whose windows lie inside of the image from left to right.
    int window;           ///< Theirs.
    std::vector<Edge> edges;
  };

  bool sharesPixels() const;
  int addWindow(int64_t rowBegin, int64_t rowEnd, int64_t columnBegin, int64_t columnEnd);
  void runPart(const float* input, const float* packed, float* output, const WindowTail& tail, int64_t begin, int64_t end, int64_t firstPanel,
               int64_t lastPanel) const;
  void runRows(const float* input, const float* panel, float* output, const WindowTail& tail, int64_t image, int64_t images, int64_t begin, int64_t end,
               int64_t column) const;

  ConvGeometry given_, g_;  ///< g_: the same with positions in one line, if the window is one pixel, or the whole image.
  bool isLine_ = false;
  int64_t linePixels_ = 0;  ///< The rows of that line are this long, but for the last.
  std::vector<Window> windows_;
  std::vector<Block> blocks_;
};

/// The gradient of the filter by the engine's own loops. Sums of parts of the images are added in a fixed order. REQUIRES: one group; nothing is empty.
class WEFT_API DirectFilterGradient {
 public:
  explicit DirectFilterGradient(const ConvGeometry& g);
  int64_t scratchFloats() const;
  void run(const float* input, const float* grads, float* filter, float* scratch) const;

 private:
  int64_t paddedFloats() const { return gathers_ ? paddedHeight_ * paddedWidth_ * g_.inChannels : 0; }
  void runPart(const float* input, const float* grads, int64_t row, float* sums, const float* padded) const;

  ConvGeometry g_;
  int64_t parts_ = 1;
  bool gathers_ = false;  ///< Few channels: images are copied with their padding, so that a row of the window is contiguous for all outputs.
  int64_t paddedHeight_ = 0, paddedWidth_ = 0;
};

}  // namespace weft::cpu
