#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

// Functions that a client builds as graphs of their own.
namespace weft {

/// What of a graph becomes a function: everything but the nodes of its inputs.
struct GraphFunction {
  std::string name;
  bool appendHash = false;  ///< The name gets `_` and a text that depends on the contents.
  std::vector<Output> inputs, outputs;
  std::vector<std::string> outputNames;  ///< Empty: made from the nodes' names.
  std::vector<int> controlOutputs;       ///< Nodes that run whether their results are used or not.
  AttrMap attrs;
  std::string description;
};

/// The FunctionDef (its bytes), named as TensorFlow's client names it. INVALID_ARGUMENT if a node depends on what lies outside.
WEFT_API Result<std::string> functionOfGraph(const Graph& graph, const GraphFunction& function);

/// Name of a FunctionDef.
WEFT_API std::string functionName(const std::string& functionDef);

/// Adds functions to a graph's library; those that it has by name stay. `gradients`: for each the name of its gradient function, or "".
WEFT_API Status addFunctions(Graph& graph, const std::vector<std::string>& functionDefs, const std::vector<std::string>& gradients);

/// Tells `argument`, a Placeholder of a function under construction, what the handle of the graph outside that it stands for says of its variable: type and
/// shape. Nothing happens if the handle says nothing.
WEFT_API void describeArgument(Graph& function, int argument, const Graph& outside, Output handle);

}  // namespace weft
