// Finds room on the canvas for what an edit adds, using the drawing stored in the document.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft {
struct MetaGraph;
}

namespace weft::app {

/// Places copies as a group, arranged like their originals, in free space above or below them. Pairs of names: copy, original.
void placeBeside(MetaGraph& meta, const std::vector<std::pair<std::string, std::string>>& copies);
/// Moves everything right of the wire between two nodes to the right until an item of that width fits on it. Frames and comments move along. Does nothing if
/// there is room already, or if the wire does not run to the right.
void makeRoomBetween(MetaGraph& meta, const std::string& from, const std::string& to, double width);

}  // namespace weft::app
