#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

class GraphEditor;

// Graphs that TensorFlow would refuse, kept whole so that they can be looked at, mended and saved.
//
// loadGraphFile() refuses them with TensorFlow's words; what runs a graph reads it so. openGraphFile() takes whatever parses. A node that does not fit is
// kept as it was read but has no `record`, like one of an unknown op. An input that names something which is not there leads to a *missing node*: it
// stands for the name, so that every wire has two ends, and is never written to a file.

/// What is wrong with a node, or (`node` empty) with the graph.
struct Defect {
  /// "missing-attr", "bad-attr", "bad-value", "missing-input", "missing-control", "no-such-output", "input-count", "input-type", "cycle", "control-order",
  /// "duplicate-name", "no-name", "bad-name", "no-op", "removed-op" or "version".
  std::string code;
  std::string node;
  std::string subject;      ///< The attribute, the input as written, the name that the file gives the node, or numbers of inputs: "1/2", given and wanted.
  std::vector<int> inputs;  ///< The inputs that it is about.
  std::string message;      ///< In TensorFlow's words.
};

/// Reads what loadGraphFile() reads, and graphs that TensorFlow refuses. Fails only for what does not parse. `problems` then holds an Error for each defect.
WEFT_API Result<LoadedGraph> openGraphFile(const std::string& path, const LoadOptions& options = {});
WEFT_API Result<LoadedGraph> openGraphBytes(std::shared_ptr<const std::string> bytes, const std::string& nameForErrors, const LoadOptions& options = {});

/// Whether the node only stands for what an input names and the file does not have.
WEFT_API bool isMissing(const Node& node);
/// Whether it stands for inputs that a node needs and does not even name. Nothing is drawn for it.
WEFT_API bool isNotGiven(const Node& node);
/// The name of an attribute whose value the engine cannot read and keeps under another key; of all others `key` itself.
WEFT_API std::string unreadName(const std::string& key);
/// Whether such an Error of a LoadedGraph says why TensorFlow would refuse the graph.
WEFT_API bool isDefect(const Error& problem);
/// The first of them; null if TensorFlow would take the graph.
WEFT_API const Error* whyRefused(const std::vector<Error>& problems);
/// All defects, in order of the nodes.
WEFT_API std::vector<Defect> defectsOf(const Graph& graph);

/// Nodes that call functions whose bodies cannot be built: "function", or "function-op" where only an op or function is missing that one of them needs.
/// TensorFlow takes such a graph and fails when it runs them.
WEFT_API std::vector<Defect> functionDefects(const Graph& graph);

/// After an edit of a graph with defects: gives nodes that fit now their records and types, takes them from those that do not, and removes what stood for
/// names that nothing refers to any more. Nodes keep their bytes. Returns the ids of nodes whose types changed.
std::vector<int> reviewNodes(Graph& graph);
/// Replaces the defects among `problems` by those that the graph has now.
void listDefects(const Graph& graph, std::vector<Error>* problems);
/// All ids, producers before consumers; a cycle is entered at its first node.
std::vector<int> orderDespiteCycles(const Graph& graph);

/// Gives nodes the attributes that they lack, as far as their inputs, their values or their readers tell them: of these nodes and of what they depend on, or
/// of all if none are named. INVALID_ARGUMENT if that mends none of them.
WEFT_API Status inferMissingAttrs(GraphEditor& editor, const std::vector<int>& nodes);

}  // namespace weft
