// Edits by name, as commands of the window, scripts and fixes of problems state them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/recipes.h"

namespace weft {

/// An edit as an action and its words: "graph.set" with {"conv1", "filters=32"}. The window runs the same words.
struct GraphCommand {
  std::string action;
  std::vector<std::string> words;
  /// "graph.set conv1 filters=32"; words with spaces stand in quotes.
  WEFT_API std::string toString() const;
  bool operator==(const GraphCommand&) const = default;
};

/// A graph after a command.
struct EditedGraph {
  LoadedGraph graph;
  std::vector<std::string> made;   ///< The node or layer that the command added.
  std::vector<std::string> notes;  ///< Sentences on side effects.
};
/// Runs a command on a copy. It takes graph.add (of ops and layers), graph.connect, graph.disconnect, graph.set, graph.insert, graph.delete, graph.rename,
/// graph.rewrite, graph.initialize, graph.infer-attributes, graph.add-global-step and graph.switch-training. UNIMPLEMENTED names another action,
/// INVALID_ARGUMENT words that are missing; other errors are those of the edit. Any thread.
WEFT_API Result<EditedGraph> runGraphCommand(const LoadedGraph& before, const GraphCommand& command);

// The edits behind the commands. Each is a part of an edit that finishEdit() ends, and leaves the graph half changed if it fails.

/// Ids of the named nodes and of all nodes in the named scopes.
WEFT_API Result<std::vector<int>> nodesNamed(const Graph& graph, const std::vector<std::string>& names);
/// Resolves "conv1" or "conv1:0" of a layer or of an instance of a group to the tensor that it outputs; another text stays as it is.
WEFT_API std::string tensorNamed(LayerEditor& layers, const std::string& text);
/// The layer that owns the input `place`, which names its scope or an inner node that reads one of its inputs. `port` gets the input's number. Null: none.
WEFT_API Recipe* layerAt(LayerEditor& layers, const std::string& place, std::string* port);
/// Detaches the layer of `node` from its recipe, because its ops are changed by hand.
WEFT_API void byHand(LayerEditor& layers, const std::string& node);
/// INVALID_ARGUMENT if TensorFlow would refuse the name. `old`: the node that it is for.
WEFT_API Status checkNodeName(std::string_view name, const std::string& old);

/// Connects "INSTANCE:PORT" of a group; an empty tensor disconnects it. False: `to` is at no instance.
WEFT_API bool connectGroup(LayerEditor& layers, const std::string& to, const std::string& tensor, Status* status);
/// The tensor of an output of an instance of a group, by name or number; empty: `scope` is no instance.
WEFT_API std::string groupOutput(LayerEditor& layers, const std::string& scope, const std::string& port);

/// A node or layer to add. `type`: an op, or a layer with or without "layers."; an optimizer adds a training.
struct NodeToAdd {
  std::string type, name;
  TextAttrs attrs;
  TextAttrs inputs;  ///< Port (empty: the next one) and tensor.
  std::string into;  ///< A scope.
  std::string to;    ///< The input that reads its first output.
};
struct AddedNode {
  std::string name;  ///< Empty: a training.
  bool isLayer = false;
};
WEFT_API Result<AddedNode> addNode(LayerEditor& layers, const NodeToAdd& node);
/// Connects a tensor, or a control input ("^a"), to an input. An error names both types, or the layer that the wire would make wait for itself.
WEFT_API Status connectNamed(LayerEditor& layers, const std::string& from, const std::string& to);
/// Disconnects the input `to`, or all inputs of the node `to` that read `from`.
WEFT_API Status disconnectNamed(LayerEditor& layers, const std::string& from, const std::string& to);
/// Sets a parameter of a layer or an instance of a group, or an attribute, the device or the name of a node. "=2*width" lets it follow an expression.
/// `trainable` of a variable: whether trainings change it (LayerEditor::setTrainable). `node` gets the new name.
WEFT_API Status setValue(LayerEditor& layers, std::string& node, const std::string& key, const std::string& value);
/// Whether `key` of that node is no attribute, but whether trainings change a variable.
WEFT_API bool isTrainableKey(const Graph& graph, const std::string& node, std::string_view key);
/// "true", "false", "1" or "0".
WEFT_API Result<bool> trainableFromText(const std::string& node, std::string_view text);
/// Removes nodes, layers and scopes; layers that read them wait.
WEFT_API Status removeNamed(LayerEditor& layers, const std::vector<std::string>& names);
WEFT_API Status renameNamed(LayerEditor& layers, const std::string& from, const std::string& to);

/// A node or layer to insert into the wire to the input `wire`.
struct NodeToInsert {
  std::string wire, type, name;
  TextAttrs attrs;
};
/// Returns its name. `from` and `to`, if given, get the node before the wire and the node or scope ("scope/") behind it.
WEFT_API Result<std::string> insertNode(LayerEditor& layers, const NodeToInsert& node, std::string* from = nullptr, std::string* to = nullptr);

/// Stores a node as it is shown: under its own name, with its inputs in TensorFlow's order.
WEFT_API Status rewriteNode(GraphEditor& editor, const std::string& name);
/// Adds global_step, and lets the training op wait for its increment, which comes after the updates, as Optimizer.minimize does. An op that is itself an
/// update cannot wait for what comes after it: then a group joins both.
WEFT_API Status addGlobalStep(LayerEditor& layers, const std::string& trainingOp);
/// Lets layers train in training steps only, by one scalar bool for all of them: true in each training step, else false, for other programs too.
WEFT_API Status switchByTraining(LayerEditor& layers, const std::vector<std::string>& names);

}  // namespace weft
