#pragma once

#include <functional>

#include "weft/builder.h"

#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// tf.cond: the results of the branch that `pred` selects. Both functions build their nodes when they are called here, and return as many
/// tensors of the same types.
std::vector<Output> cond(GraphBuilder& b, Output pred, const std::function<std::vector<Output>()>& trueFn, const std::function<std::vector<Output>()>& falseFn,
                         std::string_view name = "cond");

struct WhileOptions {
  std::string name = "while";
  int64_t parallelIterations = 10;
  bool backProp = true;
  bool swapMemory = false;
  std::optional<int64_t> maximumIterations;
  Output limit;                        ///< For callers whose condition counts the rounds itself: the tensor that it compares with, for the loop's context.
  std::vector<Shape> shapeInvariants;  ///< Empty: the shapes of the variables as they enter.
};

/// tf.while_loop: repeats `body` while `condition` holds; the variables as they are at the end.
std::vector<Output> whileLoop(GraphBuilder& b, const std::function<Output(const std::vector<Output>&)>& condition,
                              const std::function<std::vector<Output>(const std::vector<Output>&)>& body, const std::vector<Output>& variables,
                              const WhileOptions& options = {});

}  // namespace weft::api
#pragma GCC visibility pop
