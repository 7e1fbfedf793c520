#pragma once

#include "weft/export.h"

// Inner loops of convolutions of NHWC images, compiled once per instruction set. No function uses threads.
namespace weft::cpu {

enum class Activation : int { None, Relu, Relu6 };

/// What is done with each sum before it is written: (sum - shift[c]) * factor[c] + offset[c], the first activation, the addition of another image, the second
/// activation. Null pointers are left out; NaN stays NaN.
struct WindowTail {
  const float *shift = nullptr, *factor = nullptr, *offset = nullptr;  ///< One value per output channel.
  Activation first = Activation::None;
  const float* added = nullptr;  ///< As large as the output.
  Activation second = Activation::None;
};

/// Pixels in a line whose windows lie alike, all inside of the image. A window is a number of runs: contiguous elements of the input, each with as many
/// consecutive rows of the filter. Distances are in floats.
struct WindowLine {
  int runs = 0;
  const long* inputAt = nullptr;           ///< Where each run begins, counted from the first pixel's input.
  const long* filterAt = nullptr;          ///< Its first row in the filter.
  long run = 0;                            ///< Elements of a run; of depthwise convolutions, 1.
  long inputStride = 0, outputStride = 0;  ///< From pixel to pixel.
};

/// A row of outputs of a depthwise convolution of stride 1. Places of the window outside of the row of pixels are left out.
struct DeepRow {
  long rows = 0, taps = 0;  ///< Of the window: rows inside of the image, and places in a row (5 or 7).
  long inputLine = 0;       ///< Floats from row to row of the image.
  long width = 0;           ///< Pixels of such a row.
  long before = 0;          ///< Places of the first output's window to the left of the image.
  long pixels = 0, channels = 0;
};

struct WindowKernels {
  int panel;    ///< Columns of a panel of a filter: output channels that are computed together. The last panel may have half as many.
  int longest;  ///< Pixels that are computed together.
  /// Output channels [0, columns) of `pixels` pixels. Each sum runs over the window in order. `filter`: a panel of panel or panel / 2 columns.
  void (*line)(const WindowLine& w, const float* input, const float* filter, long pixels, long columns, float* output, const WindowTail& tail);
  /// The same where output channel c is computed from input channel c alone; `filter`: a row of `channels` numbers per run.
  void (*depthwise)(const WindowLine& w, const float* input, const float* filter, long pixels, long channels, float* output, const WindowTail& tail);
  /// The same for a whole row. `input`: the first pixel of the first row; `filter`: the window's first row that is used.
  void (*deepRow)(const DeepRow& w, const float* input, const float* filter, float* output, const WindowTail& tail);
  /// Applies the tail to sums that lie in `output` already.
  void (*finishRows)(long rows, long channels, float* output, const WindowTail& tail);
  /// sums[r][c] += over all lines and pixels p: input[p][r] * grads[p][c], for rows < `rows`, columns < `columns`. `rows` are contiguous in the input.
  void (*filterGrad)(const float* input, long inputStride, long inputLine, const float* grads, long gradStride, long gradLine, long lines, long pixels,
                     long rows, long columns, float* sums, long sumStride);
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const WindowKernels& windowKernels();

}  // namespace weft::cpu
