// What the nodes of a graph are for: the network, its weights, its gradients, or the helpers around it.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/error.h"

namespace weft {

class Graph;

/// The part that a node plays in a training graph. Drawings put helpers aside and gradients beneath the network.
enum class Part : std::uint8_t {
  Network,   ///< computes the model, its loss or its metrics, and everything that is none of the parts below
  Weight,    ///< a variable that the network reads, with its read, its Assign and its initializer beneath its name
  Gradient,  ///< made by tf.gradients
  Update,    ///< turns gradients into new values: optimizers, clipping, learning-rate schedules, moving averages' assignments
  Init,      ///< initializers and the ops that group them
  Save,      ///< writes or restores checkpoints
  Summary,
  Check,    ///< assertions, is-initialized tests
  Step,     ///< the step counter
  Slot,     ///< an optimizer's variables
  Average,  ///< variables that hold moving averages
  Queue,    ///< closing and measuring queues
  Helper,   ///< none of these, but a helper in the user's own words (canvas_rules.h)
};

/// The part of each node, by id; Network for removed ones. Names count where TensorFlow always gives them (`gradients`, `VAR/Assign`,
/// `update_VAR`); the rest follows from the edges. Linear in nodes and edges.
WEFT_API std::vector<Part> partsOf(const Graph& graph);

}  // namespace weft
