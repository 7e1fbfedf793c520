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

/// Attributes or parameters as people write them: name and text.
using TextAttrs = std::vector<std::pair<std::string, std::string>>;

/// The value that `text` stands for: `SAME`, `[1,2,2,1]`, `float32`, `[?,64]`, `0.5`, `[[1,2],[3,4]]`. Tensors get the type `tensorType`.
/// INVALID_ARGUMENT names the attribute, the text and what was expected.
WEFT_API Result<Attr> attrFromText(std::string_view name, std::string_view type, std::string_view text, DType tensorType = DType::Float);

/// A node that stands for an input that nothing is connected to, so that a half made graph is a valid GraphDef; see engine/graph/README.md.
WEFT_API bool isOpenInput(const Node& node);
/// Whether the node was muted: it hands its first input on, what it was is kept in an attribute.
WEFT_API bool isMuted(const Node& node);

/// Changes a graph as a person does: step by step, by name, checked, with everything that refers to a node (collections, savers, colocation,
/// settings of the document) kept true. Works on a copy of a document's graph, so a failed edit is thrown away as a whole.
///
/// After any number of changes, finish() infers the shapes again that depend on them. Not thread-safe.
class WEFT_API GraphEditor {
 public:
  /// `problems`: what loading or the previous edit found; brought up to date by finish(). Both outlive the editor.
  GraphEditor(MetaGraph& meta, std::vector<Error>& problems);

  MetaGraph& meta() { return meta_; }
  Graph& graph() { return meta_.graph; }
  std::vector<Error>& problems() { return problems_; }
  /// NOT_FOUND names the node.
  Result<int> find(std::string_view name) const;
  /// "node:1", or "node" for its first output.
  Result<Output> output(std::string_view tensor) const;
  /// "node:1", "node:b" (an argument's name), "node:values+" (one more element of a list), "node" for the first input that is open.
  struct InputPlace {
    int node = -1;
    int index = 0;
    bool append = false;
  };
  Result<InputPlace> input(std::string_view place) const;
  /// `name`, or `name_1`, `name_2`, …: not the name of a node or scope, whatever the case of its letters.
  std::string uniqueName(std::string_view name) const;

  /// A node whose inputs are open. Attributes that are not given are guessed where the record has no default.
  Result<int> add(std::string_view op, std::string_view name, const TextAttrs& attrs = {});
  /// Type attributes follow the wire as long as no other wire has decided them. Refused, with both types named: what can never fit.
  Status connect(Output from, InputPlace to);
  Status connectControl(int from, int to);
  Status disconnect(int node, int input);
  Status disconnectControl(int from, int to);
  /// All wires of a node's outputs go to another tensor. REQUIRES: the same type.
  Status moveConsumers(Output from, Output to);
  /// `name` and `device` are taken for the node's own.
  Status setAttr(int node, std::string_view name, std::string_view text);
  /// ALREADY_EXISTS; INVALID_ARGUMENT for a name that TensorFlow would refuse.
  Status rename(int node, std::string_view name);
  /// What begins with "FROM/" (and the node FROM itself) begins with "TO/" afterwards.
  Status renameScope(std::string_view from, std::string_view to);
  /// Removes nodes with those that cannot be without them (what assigns to a removed variable); what read them has open inputs afterwards.
  Status remove(const std::vector<int>& nodes);

  /// Puts nodes into a new scope (in the one that holds all of them); returns its name.
  Result<std::string> group(const std::vector<int>& nodes, std::string_view name);
  Status ungroup(std::string_view scope);
  /// A new node between a wire's ends: takes its tensor at its first fitting input, gives its first output.
  Result<int> insert(InputPlace wire, std::string_view op, std::string_view name, const TextAttrs& attrs = {});
  /// Another op in place of a node: name, place and as many wires as fit stay.
  Result<int> replace(int node, std::string_view op, const TextAttrs& attrs = {});
  /// The node hands its input on until it is muted no more.
  Status mute(int node, Output source = {});
  Status unmute(int node);
  /// Keeps only what these nodes need.
  Status extract(const std::vector<int>& nodes);
  /// Removes gradients, updates, slots and savers' entries for them; returns how many nodes went.
  Result<int> stripTraining();
  /// Takes over nodes of a GraphDef in text form, as copy() wrote it; wires to nodes that exist by the same name are kept, others are open.
  /// `into`: scope; names are made unique. Returns the new ids.
  Result<std::vector<int>> paste(std::string_view text, std::string_view into = {});

  /// Nodes that were made or changed.
  const std::set<int>& touched() const { return touched_; }
  void touch(int node) { touched_.insert(node); }
  /// Brings shapes, types of what unknown ops give, and `problems` up to date. INVALID_ARGUMENT if the graph has a cycle.
  Status finish();

 private:
  friend struct EditTypes;
  Result<int> standIn(const Node& node, int input, DType type);
  void dropIfStandIn(int id);
  Status setInput(int node, int input, Output from);
  Status retype(int node, std::string_view attr, DType type, std::set<int>& visiting);
  Status adoptSignature(int node, AttrMap attrs, std::set<int>& visiting);
  Status removeSaved(const std::set<int>& variables);

  MetaGraph& meta_;
  std::vector<Error>& problems_;
  std::set<int> touched_;
};

/// The chosen nodes as a GraphDef in text form, for the clipboard. `base`: the scope that holds what was chosen, names below it are kept when they are
/// pasted; not given: the innermost that holds all nodes.
WEFT_API Result<std::string> copyNodes(const MetaGraph& meta, const std::vector<int>& nodes, std::optional<std::string> base = {});

/// Where a node or scope stands on the canvas (collection `weft/canvas`): upper left corner, relative to the scope that holds it.
struct CanvasPlace {
  std::string name;
  bool isScope = false;
  double x = 0, y = 0;
  bool collapsed = false;
};
WEFT_API std::vector<CanvasPlace> canvasPlacesOf(const MetaGraph& meta);
WEFT_API void setCanvasPlaces(MetaGraph& meta, const std::vector<CanvasPlace>& places);
/// Puts one node or scope somewhere, the others stay.
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
  std::string input = {};  ///< Of a reroute: where its wire arrives, "node:1".
};
WEFT_API std::vector<CanvasNote> canvasNotesOf(const MetaGraph& meta);
WEFT_API void setCanvasNotes(MetaGraph& meta, const std::vector<CanvasNote>& notes);

/// Renames nodes (old name -> new one) and scopes (names that end in '/') wherever the meta graph speaks of them beside its wires: collections,
/// savers, signatures, colocation, settings.
WEFT_API void renameReferences(MetaGraph& meta, const std::map<std::string, std::string>& names);
/// Takes out what speaks of nodes that are no more.
WEFT_API void removeReferences(MetaGraph& meta, const std::set<std::string>& names);

/// Infers shapes of the nodes in `touched` and of what depends on them; errors of these nodes in `problems` are replaced.
WEFT_API Status inferShapesFrom(Graph& graph, const std::set<int>& touched, std::vector<Error>* problems);

}  // namespace weft
