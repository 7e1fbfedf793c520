#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/tensor.h"

namespace weft {

/// A variable of a graph and where its saver keeps it: usually under its own name, a partition under the whole one's with a slice.
struct SavedVariable {
  std::string name;           ///< of the node
  std::string key;            ///< in checkpoints
  std::string shapeAndSlice;  ///< empty: all of it
};

/// Gives the value of a variable: out of a checkpoint, or of a running session.
using VariableValues = std::function<Result<Tensor>(const SavedVariable&)>;
/// REQUIRES: `reader` outlives the function.
WEFT_API VariableValues valuesFromCheckpoint(const CheckpointReader& reader);

struct FreezeOptions {
  std::vector<std::string> outputs;  ///< Names of nodes that must stay computable.
  bool clearDevices = true;
  std::set<std::string> keep;  ///< Variables that stay variables.
};

/// The part of a graph that its outputs need, with constants in place of variables, as tf.graph_util.convert_variables_to_constants makes it.
/// `graph`: a GraphDef or MetaGraphDef in either form; the result is a GraphDef in binary form. INVALID_ARGUMENT for outputs that are not in the graph
/// and for reads of resources that are no variables.
WEFT_API Result<std::string> freezeGraph(std::string_view graph, const VariableValues& values, const FreezeOptions& options);

}  // namespace weft
