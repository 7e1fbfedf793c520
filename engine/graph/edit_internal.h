// Shared by the editor's files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/edit.h"
#include "weft/op.h"

namespace weft {

inline constexpr const char* kOpenAttr = "_weft_open";    ///< On a stand-in: the name of its input.
inline constexpr const char* kWaitingLayer = "layer";     ///< Value of kOpenAttr at the output of a layer that cannot be built yet.
inline constexpr const char* kMutedAttr = "_weft_muted";  ///< On a muted node: its former NodeDef.
inline constexpr const char* kOpenScope = "open_inputs/";

/// The type that a constant of this text would have in Python: int32, float32, bool or string.
DType typeOfText(std::string_view text);
/// A value for an attribute without a default.
Attr guessedAttr(const OpRecord& record, const AttrSpec& spec, const AttrMap& others);
/// All attributes of a new node for which the record has no default; INVALID_ARGUMENT for unknown attributes.
Result<AttrMap> attrsFor(const OpRecord& record, const TextAttrs& given);
/// The argument that a flat input belongs to.
const ArgSpec* argOfInput(const OpRecord& record, const NodeSignature& signature, int input);
/// "b", "values_2"; the number if the op is unknown.
std::string nameOfInput(const Node& node, int input);

/// The enclosing scope of a node or scope; empty at the top level.
inline std::string_view scopeOf(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == name.npos ? std::string_view() : name.substr(0, slash);
}

/// The innermost scope that contains both.
inline std::string_view commonScope(std::string_view a, std::string_view b) {
  while (!a.empty() && b != a && !(b.starts_with(a) && b[a.size()] == '/')) a = scopeOf(a);
  return a;
}

struct EditTypes {
  /// Sets type attributes from the wires; INVALID_ARGUMENT names both ends of a conflicting wire.
  static Status settle(GraphEditor& editor, int node, std::set<int>& visiting);
};
/// Stand-ins for open inputs, for edits that rewrite many nodes at once.
struct EditStandIns {
  static Result<int> add(GraphEditor& editor, const Node& node, int input, DType type) { return editor.addOpenInput(node, input, type); }
  static void removeUnread(GraphEditor& editor, const std::set<int>& ids) { editor.removeOpenInputs(ids); }
};
Status settleTypes(GraphEditor& editor, int node, std::set<int>& visiting);
/// Moves nodes into new scopes, by scope: each lies in the scope that its nodes have in common. One pass over the graph, whatever the number of scopes.
Status moveIntoScopes(GraphEditor& editor, const std::map<std::string, std::vector<int>>& moves);

}  // namespace weft
