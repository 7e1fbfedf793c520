#pragma once

#include "weft/attr.h"

namespace tensorflow {
class AttrValue;
class NodeDef;
}  // namespace tensorflow

namespace weft {

struct Node;
class Graph;

/// An attribute as read. An empty list is an EmptyListAttr: the file does not say of what. Errors are those of the tensor inside.
Result<Attr> attrFromProto(const tensorflow::AttrValue& proto);
/// UNIMPLEMENTED for tensors that have no serialised form (variants).
Status attrToProto(const Attr& attr, tensorflow::AttrValue* proto);

/// The NodeDef of a node that was made or changed here: inputs in order, control inputs by name, attributes that are not defaults.
Status nodeToProto(const Graph& graph, const Node& node, tensorflow::NodeDef* proto);

}  // namespace weft
