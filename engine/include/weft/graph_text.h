#pragma once

#include <string>

#include "weft/graph.h"

namespace weft {

/// A TensorFlow 1.x program that builds the same graph: run as a script it writes the GraphDef to the file that it is given.
/// Open inputs come out as the placeholders that stand for them. Ops that TensorFlow does not have make the program fail with their names.
WEFT_API std::string graphToPython(const Graph& graph);
/// A node as a NodeDef's bytes, as serializeGraph writes it. INVALID_ARGUMENT if there is none of this number.
WEFT_API Result<std::string> serializeNode(const Graph& graph, int id);
/// The graph in the language of Graphviz, scopes as clusters.
WEFT_API std::string graphToDot(const Graph& graph, const std::string& title);

}  // namespace weft
