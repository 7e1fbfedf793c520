#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// Attributes or parameters as the user types them: name and text.
using TextAttrs = std::vector<std::pair<std::string, std::string>>;

/// Parses an attribute value: `SAME`, `[1,2,2,1]`, `float32`, `[?,64]`, `0.5`, `[[1,2],[3,4]]`. Tensors get the type `tensorType`.
/// INVALID_ARGUMENT names the attribute, the text and what was expected.
WEFT_API Result<Attr> attrFromText(std::string_view name, std::string_view type, std::string_view text, DType tensorType = DType::Float);

/// Whether the node is a stand-in for an unconnected input. Stand-ins keep an unfinished graph a valid GraphDef; see engine/graph/README.md.
WEFT_API bool isOpenInput(const Node& node);
/// Whether the node is muted: it passes its first input through, and an attribute keeps the original node.
WEFT_API bool isMuted(const Node& node);

/// Edits a graph as a user does: step by step, by name, and checked. It updates everything that refers to a node (collections, savers,
/// colocation, document settings). Use it on a copy of a document's graph, so that a failed edit can be discarded as a whole.
///
/// After any number of changes, call finish() to infer dependent shapes again. Not thread-safe.
class WEFT_API GraphEditor {
 public:
  /// `problems`: those of loading or the previous edit; finish() updates them. Both must outlive the editor.
  GraphEditor(MetaGraph& meta, std::vector<Error>& problems);

  MetaGraph& meta() { return meta_; }
  Graph& graph() { return meta_.graph; }
  std::vector<Error>& problems() { return problems_; }
  /// NOT_FOUND names the node.
  Result<int> find(std::string_view name) const;
  /// "node:1", or "node" for its first output.
  Result<Output> output(std::string_view tensor) const;
  /// "node:1", "node:b" (an argument's name), "node:values+" (one more element of a list), "node" for the first open input.
  struct InputPlace {
    int node = -1;
    int index = 0;
    bool append = false;
  };
  Result<InputPlace> input(std::string_view place) const;
  /// `name`, or `name_1`, `name_2`, …: a name that no node or scope has, ignoring case.
  std::string uniqueName(std::string_view name) const;

  /// Adds a node with open inputs. Attributes that are neither given nor have a default are guessed.
  Result<int> add(std::string_view op, std::string_view name, const TextAttrs& attrs = {});
  /// Type attributes follow the wire unless another wire has already fixed them. An error that names both types if they can never fit.
  Status connect(Output from, InputPlace to);
  Status connectControl(int from, int to);
  Status disconnect(int node, int input);
  Status disconnectControl(int from, int to);
  /// Rewires all consumers of `from` to `to`. REQUIRES: the same type.
  Status moveConsumers(Output from, Output to);
  /// `name` and `device` set the node's name and device.
  Status setAttr(int node, std::string_view name, std::string_view text);
  /// ALREADY_EXISTS if taken; INVALID_ARGUMENT for a name that TensorFlow would refuse.
  Status rename(int node, std::string_view name);
  /// Renames many nodes at once, by their old names; a new name may be the old one of another of them. Errors as those of rename(), and ALREADY_EXISTS for
  /// a name that two would get; then nothing was changed.
  Status renameNodes(const std::map<std::string, std::string>& names);
  /// Renames every "FROM/…" to "TO/…", and the node FROM itself.
  Status renameScope(std::string_view from, std::string_view to);
  /// Removes nodes, together with nodes that cannot exist without them (assignments to a removed variable). Their readers get open inputs.
  Status remove(const std::vector<int>& nodes);

  /// Moves nodes into a new scope within the innermost scope that holds all of them. Returns its name.
  Result<std::string> group(const std::vector<int>& nodes, std::string_view name);
  Status ungroup(std::string_view scope);
  /// Inserts a new node into a wire. Its first fitting input takes the tensor; its first output replaces it.
  Result<int> insert(InputPlace wire, std::string_view op, std::string_view name, const TextAttrs& attrs = {});
  /// Replaces a node's op. Name, place and all wires that fit stay.
  Result<int> replace(int node, std::string_view op, const TextAttrs& attrs = {});
  /// The node passes its input through until unmute().
  Status mute(int node, Output source = {});
  Status unmute(int node);
  /// Keeps only what these nodes need.
  Status extract(const std::vector<int>& nodes);
  /// Removes gradients, updates, slots and savers' entries for them. Returns the number of removed nodes.
  Result<int> stripTraining();
  /// Adds the nodes of a text GraphDef, as copyNodes() writes it, to the scope `into`. Wires to existing nodes of the same name are kept; other inputs
  /// are open. Names are made unique. Returns the new ids.
  Result<std::vector<int>> paste(std::string_view text, std::string_view into = {});

  /// Nodes that were made or changed.
  const std::set<int>& touched() const { return touched_; }
  void touch(int node) { touched_.insert(node); }
  /// Updates shapes, output types of unknown ops, and `problems`. INVALID_ARGUMENT if the graph has a cycle.
  Status finish();

 private:
  friend struct EditTypes;
  friend struct EditStandIns;
  Result<int> addOpenInput(const Node& node, int input, DType type);
  void removeIfOpenInput(int id);
  Status changeNames(const std::vector<int>& ids, const std::map<std::string, std::string>& names);
  /// The same for many, in one pass over the graph.
  void removeOpenInputs(const std::set<int>& ids);
  Status setInput(int node, int input, Output from);
  Status retype(int node, std::string_view attr, DType type, std::set<int>& visiting);
  Status adoptSignature(int node, AttrMap attrs, std::set<int>& visiting);
  Status removeSaved(const std::set<int>& variables);

  MetaGraph& meta_;
  std::vector<Error>& problems_;
  std::set<int> touched_;
};

/// The given nodes as a text GraphDef, for the clipboard. `base` is the scope of the selection; names below it are kept when pasted. Unset: the innermost
/// scope that holds all nodes.
WEFT_API Result<std::string> copyNodes(const MetaGraph& meta, const std::vector<int>& nodes, std::optional<std::string> base = {});

/// The place of a node or scope on the canvas (collection `weft/canvas`): its upper left corner, relative to the enclosing scope.
struct CanvasPlace {
  std::string name;
  bool isScope = false;
  double x = 0, y = 0;
  bool collapsed = false;
};
WEFT_API std::vector<CanvasPlace> canvasPlacesOf(const MetaGraph& meta);
WEFT_API void setCanvasPlaces(MetaGraph& meta, const std::vector<CanvasPlace>& places);
/// Places one node or scope; the others stay.
WEFT_API void placeOnCanvas(MetaGraph& meta, const CanvasPlace& place);

/// A frame, comment or reroute on the canvas (collection `weft/canvas`).
struct CanvasNote {
  enum class Kind { Frame, Comment, Reroute };
  std::string id;
  Kind kind = Kind::Comment;
  std::string text, scope;
  double x = 0, y = 0;           ///< In the coordinates of `scope`.
  double width = 0, height = 0;  ///< Of a frame.
  int color = -1;
  std::string input = {};  ///< For a reroute: the input that its wire goes to, "node:1".
};
WEFT_API std::vector<CanvasNote> canvasNotesOf(const MetaGraph& meta);
WEFT_API void setCanvasNotes(MetaGraph& meta, const std::vector<CanvasNote>& notes);

/// Renames nodes (old name -> new name) and scopes (names that end in '/') wherever the meta graph refers to them apart from wires: collections,
/// savers, signatures, colocation, settings.
WEFT_API void renameReferences(MetaGraph& meta, const std::map<std::string, std::string>& names);
/// Removes references to nodes that no longer exist.
WEFT_API void removeReferences(MetaGraph& meta, const std::set<std::string>& names);

/// Infers the shapes of the nodes in `touched` and their dependents, and replaces the errors of these nodes in `problems`.
WEFT_API Status inferShapesFrom(Graph& graph, const std::set<int>& touched, std::vector<Error>* problems);

}  // namespace weft
