// What the nodes of a graph are for: the network, its weights, its gradients, or the helpers around it.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/error.h"

namespace weft {

class Graph;

/// The part that a node plays in a training graph. Drawings put helpers aside and gradients below the network.
enum class Part : std::uint8_t {
  Network,   ///< computes the model, its loss or metrics; also anything that is none of the parts below
  Weight,    ///< a variable that the network reads, with its read, Assign and initializer below its name
  Gradient,  ///< made by tf.gradients
  Update,    ///< turns gradients into new values: optimizers, clipping, learning-rate schedules, assignments to moving averages
  Init,      ///< initializers and the ops that group them
  Save,      ///< writes or restores checkpoints
  Summary,
  Check,    ///< assertions, is-initialized tests
  Step,     ///< the step counter
  Slot,     ///< an optimizer's variables
  Average,  ///< variables that hold moving averages
  Queue,    ///< closing and measuring queues
  Helper,   ///< anything else that the user's rules call a helper (canvas_rules.h)
};

/// The part of each node, by id; Network for removed ones. Names decide where TensorFlow always uses them (`gradients`, `VAR/Assign`,
/// `update_VAR`); edges decide the rest. Linear in nodes and edges.
WEFT_API std::vector<Part> partsOf(const Graph& graph);

}  // namespace weft
