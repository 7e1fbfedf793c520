#pragma once

#include <string_view>

#include "weft/graph.h"

namespace weft {

/// Attribute of a missing node: the reason, one of the kinds below.
inline constexpr const char* kMissingAttr = "_weft_missing";
inline constexpr std::string_view kMissingNode = "node";      ///< There is no node of that name.
inline constexpr std::string_view kMissingOutput = "output";  ///< The node exists, but not that output; the name is the input as written.
inline constexpr std::string_view kMissingText = "text";      ///< The input is malformed; the name is the input as written.
inline constexpr std::string_view kNotGiven = "none";         ///< For required inputs that a node does not list; not written.

/// Prefix of the names of unreadable attributes. Their value is the AttrValue's bytes, which are written unchanged.
inline constexpr std::string_view kUnreadAttr = "_weft_unread:";

/// The name of a node in its bytes; node.name if it has no bytes.
std::string_view nameInBytes(const Node& node);
/// The missing node of that kind for an input as written; made if there is none. It has at least `index` + 1 outputs.
Result<int> missingNode(Graph& graph, std::string_view said, std::string_view kind, int index = 0);
/// Changes a node but keeps its bytes, for changes that the bytes already contain.
template <typename F>
void changeKeepingBytes(Graph& graph, int id, F&& edit) {
  const std::shared_ptr<const std::string> raw = graph.node(id)->raw;
  if (!graph.change(id, edit).ok()) return;  // only a new name can be rejected
  // The new copy is not shared yet.
  const_cast<Node*>(graph.node(id))->raw = raw;
}

}  // namespace weft
