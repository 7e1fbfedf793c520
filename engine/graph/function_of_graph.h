#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

// Functions that a client builds as separate graphs.
namespace weft {

/// Describes a function made from a whole graph, without the nodes of its inputs.
struct GraphFunction {
  std::string name;
  bool appendHash = false;  ///< Appends `_` and a hash of the contents to the name.
  std::vector<Output> inputs, outputs;
  std::vector<std::string> outputNames;  ///< Empty: made from the nodes' names.
  std::vector<int> controlOutputs;       ///< Nodes that run whether their results are used or not.
  AttrMap attrs;
  std::string description;
};

/// The serialized FunctionDef, named as TensorFlow's client names it. INVALID_ARGUMENT if a node depends on another graph.
WEFT_API Result<std::string> functionOfGraph(const Graph& graph, const GraphFunction& function);

/// Name of a FunctionDef.
WEFT_API std::string functionName(const std::string& functionDef);

/// The first function that the graph has under the same name with another body; empty: none.
WEFT_API std::string otherFunction(const Graph& graph, const std::vector<std::string>& functionDefs);
WEFT_API std::string otherFunction(const Graph& graph, const Graph& from);
/// Adds functions to a graph's library; existing ones of the same name are kept. `gradients`: for each the name of its gradient function, or "".
WEFT_API Status addFunctions(Graph& graph, const std::vector<std::string>& functionDefs, const std::vector<std::string>& gradients);
/// Adds the functions of another graph that this one does not have.
WEFT_API Status takeFunctions(Graph& graph, const Graph& from);

/// Copies the variable's type and shape from `handle` in the outside graph to `argument`, the Placeholder that represents it in a function under
/// construction. Does nothing if they are unknown.
WEFT_API void describeArgument(Graph& function, int argument, const Graph& outside, Output handle);

}  // namespace weft
