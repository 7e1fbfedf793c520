#pragma once

#include <string_view>

#include "weft/graph.h"

namespace weft {

/// Attribute of a missing node: why it is one.
inline constexpr const char* kMissingAttr = "_weft_missing";
inline constexpr std::string_view kMissingNode = "node";      ///< There is no node of that name.
inline constexpr std::string_view kMissingOutput = "output";  ///< The node is there, but does not have that output; the name is the input as written.
inline constexpr std::string_view kMissingText = "text";      ///< The input is none of the forms that inputs have; the name is the input as written.
inline constexpr std::string_view kNotGiven = "none";         ///< For inputs that a node needs and does not list; left out when the node is written.

/// Begins the names of attributes that the engine cannot read: their value is the AttrValue's bytes, and they are written as they were.
inline constexpr std::string_view kUnreadAttr = "_weft_unread:";

/// The name of a node as its bytes have it; the node's own if it has none.
std::string_view nameInBytes(const Node& node);
/// The missing node of that kind for what an input says; made if there is none. Its outputs reach to `index`.
Result<int> missingNode(Graph& graph, std::string_view said, std::string_view kind, int index = 0);
/// Changes a node in a way that its bytes say already.
template <typename F>
void changeKeepingBytes(Graph& graph, int id, F&& edit) {
  const std::shared_ptr<const std::string> raw = graph.node(id)->raw;
  if (!graph.change(id, edit).ok()) return;  // only another name can be refused
  // The copy is ours alone: nothing has seen it yet.
  const_cast<Node*>(graph.node(id))->raw = raw;
}

}  // namespace weft
