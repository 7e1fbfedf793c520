// The drawing of a document: between what the canvas shows and what the file keeps.
#pragma once

#include <memory>

#include "adapters/graph_contents.h"

namespace weft::widgets {
struct Drawing;
}

namespace weft::app {

using DrawingPtr = std::shared_ptr<const widgets::Drawing>;

/// The drawing that the graph itself says; null: it says none. Any thread.
DrawingPtr drawingOf(const GraphContents& contents);
/// The same graph with that drawing in it, so that edits find it and renamed things keep their places; `drawing` null: as it is. Any thread.
std::shared_ptr<const EngineGraph> withDrawing(std::shared_ptr<const EngineGraph> graph, const DrawingPtr& drawing);

/// What is written to a file: an edited graph with its drawing. One that is as it was read stays so.
GraphContentsPtr drawnContents(const GraphContentsPtr& contents, const DrawingPtr& drawing);

}  // namespace weft::app
