#pragma once

#include "weft/graph.h"

namespace tensorflow {
class CollectionDef;
class NodeDef;
class SaverDef;
}  // namespace tensorflow

namespace weft {

void collectionToProto(const Collection& c, tensorflow::CollectionDef* def);
Collection collectionFromProto(const tensorflow::CollectionDef& def);
void saverToProto(const SaverInfo& s, tensorflow::SaverDef* def);
SaverInfo saverFromProto(const tensorflow::SaverDef& def);
/// A node without its wires: types resolved, defaults filled in.
/// `keeps`: unreadable or unsuitable attributes are no error; the node then has no record.
Result<Node> nodeFromDef(const Graph& graph, const tensorflow::NodeDef& def, bool keeps = false);

}  // namespace weft
