#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A part of the canvas to come back to (collection `weft/canvas`), measured from the upper left corner of a node or scope, so that it is found again
/// wherever that lies.
struct CanvasBookmark {
  int number = 0;                              ///< 1 to 9
  std::string anchor;                          ///< Empty: measured from the origin.
  double x = 0, y = 0, width = 0, height = 0;  ///< Middle and size of what is seen.
};
WEFT_API std::vector<CanvasBookmark> canvasBookmarksOf(const MetaGraph& meta);
WEFT_API void setCanvasBookmarks(MetaGraph& meta, const std::vector<CanvasBookmark>& bookmarks);

}  // namespace weft
