// Converts a document's drawing between the canvas and the file.
#pragma once

#include <memory>

#include "adapters/graph_contents.h"

namespace weft::widgets {
struct Drawing;
}

namespace weft::app {

using DrawingPtr = std::shared_ptr<const widgets::Drawing>;

/// The drawing stored in the graph; null if there is none. Any thread.
DrawingPtr drawingOf(const GraphContents& contents);
/// The graph with that drawing stored in it, so that edits find it and renamed nodes keep their places. Null `drawing`: the graph unchanged. Any thread.
std::shared_ptr<const EngineGraph> withDrawing(std::shared_ptr<const EngineGraph> graph, const DrawingPtr& drawing);

/// The contents to write to a file: an edited graph gets its drawing, an unedited one stays as it was read.
GraphContentsPtr drawnContents(const GraphContentsPtr& contents, const DrawingPtr& drawing);

}  // namespace weft::app
