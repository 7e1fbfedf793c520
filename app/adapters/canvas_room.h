// Room on the canvas for what an edit adds, found in the drawing that the document keeps.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft {
struct MetaGraph;
}

namespace weft::app {

/// Puts copies as they lay, together, beneath or above their originals where nothing is. Pairs of names: the copy, the original.
void placeBeside(MetaGraph& meta, const std::vector<std::pair<std::string, std::string>>& copies);
/// Moves what lies right of a wire between the two nodes to the right until something of that width fits onto it. Frames and comments go along.
/// Nothing happens if there is room, or the wire does not run to the right.
void makeRoomBetween(MetaGraph& meta, const std::string& from, const std::string& to, double width);

}  // namespace weft::app
