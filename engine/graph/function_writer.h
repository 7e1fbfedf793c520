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
  std::set<int> nodes;       ///< `_Arg` nodes are left out.
  std::vector<Output> args;  ///< `_Arg` nodes, in the order of the function's arguments.
  std::vector<Output> results;
  std::vector<std::string> targets;  ///< Nodes that run whether their results are used or not.
};

/// The functions of `graph` and one more, made of a part of `graph`. Control inputs from nodes outside of the part are dropped;
/// INTERNAL if values come from there. UNIMPLEMENTED for attributes that have no serialised form.
Result<std::shared_ptr<const FunctionLibrary>> withFunction(const Graph& graph, const FunctionPart& part);

/// `name` if the library has no such function, else the first free one of name_1, name_2, …
std::string freeFunctionName(const FunctionLibrary* library, const std::string& name);

}  // namespace weft
