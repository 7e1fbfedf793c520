#pragma once

#include <string>
#include <vector>

#include "weft/export.h"
#include "weft/graph.h"

namespace weft {

/// A graph that trains without an error and yet not as its author meant.
struct TrainingMistake {
  enum class Kind {
    UpdatesNotRun,    ///< No training op waits for an op of the collection update_ops: moving averages of batch norm keep their first values.
    SoftmaxTwice,     ///< A loss that applies softmax or sigmoid to its logits is given the result of one.
    GlobalStepStays,  ///< An optimizer is there and nothing increments global_step.
  };
  Kind kind;
  int node = -1;    ///< The update op, the loss, the variable.
  int source = -1;  ///< SoftmaxTwice: the Softmax or Sigmoid.
};

/// Looks for mistakes that show in no error. `runs`: nodes that are known to be fetched or run as targets, all of them; mistakes outside of what
/// these compute are left out. Empty: nobody knows, so an update that nothing in the graph waits for counts as not run.
/// Linear in the size of the graph.
WEFT_API std::vector<TrainingMistake> findTrainingMistakes(const MetaGraph& meta, const std::vector<int>& runs = {});

}  // namespace weft
