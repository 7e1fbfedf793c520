#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "graph/function_library.h"

namespace weft {

/// A part of a graph that becomes a function.
struct FunctionPart {
  std::string name;
  std::set<int> nodes;       ///< Without `_Arg` nodes.
  std::vector<Output> args;  ///< `_Arg` nodes, in the order of the function's arguments.
  std::vector<Output> results;
  std::vector<std::string> targets;  ///< Nodes that run whether their results are used or not.
};

/// The functions of `graph` plus one made from a part of `graph`. Control inputs from outside the part are dropped; INTERNAL if it has data inputs from
/// there. UNIMPLEMENTED for attributes that cannot be serialized.
Result<std::shared_ptr<const FunctionLibrary>> withFunction(const Graph& graph, const FunctionPart& part);

/// `name` if it is free, else the first free one of name_1, name_2, …
std::string freeFunctionName(const FunctionLibrary* library, const std::string& name);

}  // namespace weft
