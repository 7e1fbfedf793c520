#pragma once

#include <string_view>

namespace weft::cpu {

/// How the kernel of an op that is not element-wise shares memory between inputs and outputs, for predictions of a step's memory. Nothing depends on it being
/// complete: an op that is not listed is taken to allocate its outputs.
struct KernelMemory {
  std::string_view op;
  int takes[2] = {-1, -1};    ///< Inputs whose memory the first output takes over if nothing else needs it; -1: none.
  bool rowsAreViews = false;  ///< Outputs may be views of rows of the input.
};

/// An empty name for ops that are not listed.
const KernelMemory& kernelMemory(std::string_view op);

}  // namespace weft::cpu
