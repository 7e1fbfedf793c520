#pragma once

#include <cstdint>
#include <dnnl.hpp>
#include <string>

#include "device/cpu/convolution.h"
#include "weft/precision.h"

// oneDNN's convolutions, for convolution.cpp and rounded_convolution.cpp.
namespace weft::cpu {

dnnl::engine& cpuEngine();
/// This thread's stream.
dnnl::stream& threadStream();
/// Up to a multiple of a cache line.
inline size_t wholeLines(size_t bytes) { return (bytes + 63) / 64 * 64; }

/// A primitive with the reorders between the caller's formats and its own.
struct ConvolutionPrimitive {
  /// One of the three tensors, with the caller's format and the primitive's.
  struct Operand {
    int argument = 0;
    bool written = false;
    dnnl::memory::desc given, wanted;
    dnnl::primitive reorder;  ///< Empty if the formats are the same.
    bool narrows = false;     ///< The formats differ by bfloat16 in place of float32 only.
    bool reordered() const { return given != wanted; }
  };
  Operand operands[3];  // input, filter, output
  dnnl::primitive primitive;
  dnnl::memory::desc scratchpad;
  std::string name;

  /// Prepares the fastest of the formats for which oneDNN has optimised code; false if there is none. With ProductPrecision::BFloat16, the tensors that are read
  /// are bfloat16. REQUIRES then: one group.
  bool prepare(ConvDirection direction, const ConvGeometry& g, ProductPrecision precision);

 private:
  using Tag = dnnl::memory::format_tag;
  bool prepareIn(ConvDirection direction, const ConvGeometry& g, ProductPrecision precision, Tag inputTag, Tag outputTag);
};

}  // namespace weft::cpu
