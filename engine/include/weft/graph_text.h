#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A TensorFlow 1.x program that builds the same graph. Run as a script, it writes the GraphDef to the given file. Open inputs become the
/// placeholders that stand for them. If TensorFlow lacks an op, the program fails and names it.
WEFT_API std::string graphToPython(const Graph& graph);
/// A node as NodeDef bytes, as serializeGraph() writes it. INVALID_ARGUMENT if there is no such id.
WEFT_API Result<std::string> serializeNode(const Graph& graph, int id);
/// The graph in Graphviz's language, with scopes as clusters.
WEFT_API std::string graphToDot(const Graph& graph, const std::string& title);

/// Nodes in the text form of a GraphDef, one `node { … }` after the other. A comment replaces nodes over `largest` bytes (a trained weight).
WEFT_API Result<std::string> nodesToText(const Graph& graph, const std::vector<int>& nodes, size_t largest = 64 << 10);

/// The lines of a node in such a text, counted from 1.
struct NodeLines {
  std::string name;
  int first = 0, last = 0;
};
/// Works for a text that does not parse too, as far as its braces match.
WEFT_API std::vector<NodeLines> nodeLinesOf(std::string_view text);

/// A graph whose text was edited.
struct TextChange {
  LoadedGraph loaded;
  std::vector<std::string> changed, added, removed;  ///< Names of nodes.
};
/// Applies an edit of a text to a graph: `before` is what nodesToText() returned, `after` the edited text. Nodes with unchanged text keep their current state. References to removed nodes
/// are removed. Shapes and problems are computed again. INVALID_ARGUMENT starts with `LINE:COLUMN: ` in `after`.
WEFT_API Result<TextChange> applyNodesText(const LoadedGraph& loaded, std::string_view before, std::string_view after);

}  // namespace weft
