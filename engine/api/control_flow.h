#pragma once

#include <functional>

#include "weft/builder.h"

#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// tf.cond: the results of the branch that `pred` selects. Both functions are called at once to build their nodes, and must return the same number
/// of tensors of the same types.
std::vector<Output> cond(GraphBuilder& b, Output pred, const std::function<std::vector<Output>()>& trueFn, const std::function<std::vector<Output>()>& falseFn,
                         std::string_view name = "cond");

struct WhileOptions {
  std::string name = "while";
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  std::optional<int64_t> maximumIterations;
  Output limit;                        ///< For callers whose condition counts iterations itself: the limit that it compares with, for the loop's context.
  std::vector<Shape> shapeInvariants;  ///< Empty: the variables' initial shapes.
};

/// tf.while_loop: repeats `body` while `condition` holds; returns the final values of the variables.
std::vector<Output> whileLoop(GraphBuilder& b, const std::function<Output(const std::vector<Output>&)>& condition,
                              const std::function<std::vector<Output>(const std::vector<Output>&)>& body, const std::vector<Output>& variables,
                              const WhileOptions& options = {});

}  // namespace weft::api
#pragma GCC visibility pop
