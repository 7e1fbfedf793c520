#pragma once

#include <string>
#include <vector>

#include "weft/export.h"
#include "weft/graph.h"

namespace weft {

/// A mistake in a graph that trains without an error, but not as intended.
struct TrainingMistake {
  enum class Kind {
    UpdatesNotRun,    ///< No training op waits for an op of the collection update_ops, so moving averages of batch norm keep their initial values.
    SoftmaxTwice,     ///< A loss that applies softmax or sigmoid itself gets the result of one as logits.
    GlobalStepStays,  ///< There is an optimizer, but nothing increments global_step.
  };
  Kind kind;
  int node = -1;    ///< The update op, the loss, the variable.
  int source = -1;  ///< SoftmaxTwice: the Softmax or Sigmoid.
};

/// Finds mistakes that raise no error. `runs`: all nodes that are fetched or run as targets; mistakes outside what they compute are ignored. Empty:
/// unknown, so an update that nothing in the graph waits for counts as not run. Linear in the size of the graph.
WEFT_API std::vector<TrainingMistake> findTrainingMistakes(const MetaGraph& meta, const std::vector<int>& runs = {});

/// The variable that an op changes by its first input, inside a branch or loop too; null: it changes none of the graph's.
WEFT_API const Node* changedVariable(const Graph& graph, const Node& op);

}  // namespace weft
