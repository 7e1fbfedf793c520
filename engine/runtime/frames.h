#pragma once

#include <string>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// The frame (v1 while loop) of each node of a plan. Enter leads one level deeper, Exit one level up. Frame 0 is outside all loops.
struct Frames {
  std::vector<int> inside, outside;        ///< By node: frame of its inputs, and of its outputs; -1 if unreachable from any source.
  std::vector<int> parent{-1};             ///< By frame.
  std::vector<std::string> names{""};      ///< By frame.
  std::vector<int> parallelIterations{1};  ///< By frame; its first Enter's attribute.

  /// Nodes that any frame may use: none (as in TensorFlow); each Const without control inputs; also constants made by rewrites, which may even have
  /// control inputs from another frame.
  enum class Anywhere { Nothing, Consts, Constants };
  /// INVALID_ARGUMENT, in TensorFlow's words, for a node whose inputs (including control inputs) come from several frames.
  Status find(const PlanGraph& g, Anywhere anywhere);
};

}  // namespace weft
