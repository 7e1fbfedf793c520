#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

class GraphEditor;

// Graphs that TensorFlow would refuse, kept whole so that they can be inspected, fixed and saved.
//
// loadGraphFile() refuses them in TensorFlow's words; everything that runs a graph uses it. openGraphFile() takes anything that parses. A node that does not fit is
// kept as read but without a `record`, like one of an unknown op. An input that names something absent gets a *missing node*. It stands for the name, so
// that every wire has two ends, and is never written to a file.

/// A fault of a node, or of the graph if `node` is empty.
struct Defect {
  /// "missing-attr", "bad-attr", "bad-value", "missing-input", "missing-control", "no-such-output", "input-count", "input-type", "cycle", "control-order",
  /// "duplicate-name", "no-name", "bad-name", "no-op", "removed-op" or "version".
  std::string code;
  std::string node;
  std::string subject;      ///< The attribute, the input as written, the node's name in the file, or the given and expected numbers of inputs: "1/2".
  std::vector<int> inputs;  ///< The inputs concerned.
  std::string message;      ///< In TensorFlow's words.
};

/// Like loadGraphFile(), but also reads graphs that TensorFlow refuses. Fails only if the file does not parse. `problems` holds an Error for each defect.
WEFT_API Result<LoadedGraph> openGraphFile(const std::string& path, const LoadOptions& options = {});
WEFT_API Result<LoadedGraph> openGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options = {});

/// Whether the node is a stand-in for one that an input names and the file lacks.
WEFT_API bool isMissing(const Node& node);
/// Whether the node is a stand-in for inputs that a node needs but does not name. It is not drawn.
WEFT_API bool isNotGiven(const Node& node);
/// The original name of an attribute that the engine cannot read and keeps under another key; otherwise `key` itself.
WEFT_API std::string unreadName(const std::string& key);
/// Whether an Error of a LoadedGraph is a reason for TensorFlow to refuse the graph.
WEFT_API bool isDefect(const Error& problem);
/// The first such error; null if TensorFlow would accept the graph.
WEFT_API const Error* whyRefused(const std::vector<Error>& problems);
/// All defects, in node order.
WEFT_API std::vector<Defect> defectsOf(const Graph& graph);

/// Nodes that call functions whose bodies cannot be built: "function", or "function-op" if only an op or function that a body needs is missing.
/// TensorFlow accepts such a graph and fails when it runs them.
WEFT_API std::vector<Defect> functionDefects(const Graph& graph);

/// Call after an edit of a graph with defects. Gives nodes that now fit their records and types, takes them from those that do not, and removes stand-ins
/// that are no longer referenced. Nodes keep their bytes. Returns the ids of nodes whose types changed.
std::vector<int> reviewNodes(Graph& graph);
/// Replaces the defects among `problems` by the graph's current ones.
void listDefects(const Graph& graph, std::vector<Error>* problems);
/// All ids, producers before consumers; a cycle is entered at its first node.
std::vector<int> orderDespiteCycles(const Graph& graph);

/// Adds missing attributes as far as inputs, values or readers determine them, for these nodes and what they depend on, or for all if none are
/// given. INVALID_ARGUMENT if that fixes none of them.
WEFT_API Status inferMissingAttrs(GraphEditor& editor, const std::vector<int>& nodes);

}  // namespace weft
