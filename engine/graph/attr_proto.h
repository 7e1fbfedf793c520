#pragma once

#include "weft/attr.h"

namespace tensorflow {
class AttrValue;
class NodeDef;
}  // namespace tensorflow

namespace weft {

struct Node;
class Graph;

/// Converts an attribute. An empty list becomes an EmptyListAttr, because the file does not state its element type. Fails if its tensor is invalid.
Result<Attr> attrFromProto(const tensorflow::AttrValue& proto);
/// UNIMPLEMENTED for tensors that have no serialised form (variants).
Status attrToProto(const Attr& attr, tensorflow::AttrValue* proto);

/// The NodeDef of a new or changed node: inputs in order, control inputs by name, attributes that are not defaults.
Status nodeToProto(const Graph& graph, const Node& node, tensorflow::NodeDef* proto);

}  // namespace weft
