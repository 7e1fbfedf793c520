#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/tensor.h"

namespace weft {

/// A variable of a graph and its key in checkpoints: usually its own name. A partition has the whole variable's name and a slice.
struct SavedVariable {
  std::string name;           ///< of the node
  std::string key;            ///< in checkpoints
  std::string shapeAndSlice;  ///< empty: all of it
};

/// Provides the value of a variable, from a checkpoint or a running session.
using VariableValues = std::function<Result<Tensor>(const SavedVariable&)>;
/// By key; of an object-based checkpoint also by full name. REQUIRES: `reader` outlives the function.
WEFT_API VariableValues valuesFromCheckpoint(const CheckpointReader& reader);

struct FreezeOptions {
  std::vector<std::string> outputs;  ///< Names of nodes that must stay computable.
  bool clearDevices = true;
  std::set<std::string> keep;  ///< Variables that stay variables.
};

/// Extracts the part of a graph that the outputs need, with constants in place of variables, as tf.graph_util.convert_variables_to_constants does.
/// Calls of functions that take variables (TensorFlow 2) are replaced by the functions' nodes. `graph` is a GraphDef or MetaGraphDef in either form; the result
/// is a binary GraphDef. INVALID_ARGUMENT for outputs that are not in the graph, for reads of resources that are not variables, and for variables that are used
/// otherwise than read, for instance inside the functions of If and While.
WEFT_API Result<std::string> freezeGraph(std::string_view graph, const VariableValues& values, const FreezeOptions& options);

}  // namespace weft
