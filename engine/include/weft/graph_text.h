#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A TensorFlow 1.x program that builds the same graph: run as a script it writes the GraphDef to the file that it is given.
/// Open inputs come out as the placeholders that stand for them. Ops that TensorFlow does not have make the program fail with their names.
WEFT_API std::string graphToPython(const Graph& graph);
/// A node as a NodeDef's bytes, as serializeGraph writes it. INVALID_ARGUMENT if there is none of this number.
WEFT_API Result<std::string> serializeNode(const Graph& graph, int id);
/// The graph in the language of Graphviz, scopes as clusters.
WEFT_API std::string graphToDot(const Graph& graph, const std::string& title);

/// Nodes in the text form of a GraphDef, one `node { … }` after the other. One of over `largest` bytes (a trained weight) is left out: a remark stands in its place.
WEFT_API Result<std::string> nodesToText(const Graph& graph, const std::vector<int>& nodes, size_t largest = 64 << 10);

/// Where a node stands in such a text; lines from 1 on.
struct NodeLines {
  std::string name;
  int first = 0, last = 0;
};
/// Also of a text that does not parse, as far as its braces tell.
WEFT_API std::vector<NodeLines> nodeLinesOf(std::string_view text);

/// A graph whose text was edited.
struct TextChange {
  LoadedGraph loaded;
  std::vector<std::string> changed, added, removed;  ///< Names of nodes.
};
/// The graph after the edit of a text: `before` is what nodesToText gave, `after` what became of it. Nodes whose text is the same stay as they are, whatever they are by now; what speaks of
/// removed nodes goes with them. Shapes and problems are found anew. INVALID_ARGUMENT begins with `LINE:COLUMN: ` of `after`.
WEFT_API Result<TextChange> applyNodesText(const LoadedGraph& loaded, std::string_view before, std::string_view after);

}  // namespace weft
