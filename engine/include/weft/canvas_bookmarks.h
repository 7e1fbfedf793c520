#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A bookmarked part of the canvas (collection `weft/canvas`). It is measured from the upper left corner of a node or scope, so it moves with
/// that item.
struct CanvasBookmark {
  int number = 0;                              ///< 1 to 9
  std::string anchor;                          ///< Empty: measured from the origin.
  double x = 0, y = 0, width = 0, height = 0;  ///< Centre and size of the visible part.
};
WEFT_API std::vector<CanvasBookmark> canvasBookmarksOf(const MetaGraph& meta);
WEFT_API void setCanvasBookmarks(MetaGraph& meta, const std::vector<CanvasBookmark>& bookmarks);

}  // namespace weft
