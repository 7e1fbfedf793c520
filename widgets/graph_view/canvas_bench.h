#pragma once

#include <QSize>
#include <functional>

#include "graph_view/frame_times.h"

namespace weft::widgets {

class GraphModel;

struct CanvasBenchOptions {
  QSize size{1600, 1000};
  int panSteps = 120, zoomSteps = 80, expandSteps = 24, editSteps = 8;
  /// The part of an edit that a document does on a worker before the model is told; not timed. May be empty.
  std::function<void(int step)> prepareEdit;
  /// Changes the graph slightly and emits the model's signal; empty: no edits are timed.
  std::function<void(int step)> edit;
};

struct CanvasBench {
  double firstPictureMs = 0;  ///< from setModel() to the first painted frame, layout included
  double layoutMs = 0;        ///< of the first layout
  int visibleItems = 0;       ///< at the end
  FrameStats pan, zoom, expand, edit, all;
  FrameStats handlers;  ///< of the calls and events, without painting
};

/// Shows `model` in a new GraphView, then pans, zooms, expands, collapses and edits by script, painting a frame after every step. Needs a QApplication
/// (offscreen is fine), but no running event loop. GUI thread.
CanvasBench runCanvasBench(GraphModel& model, const CanvasBenchOptions& options = {});

}  // namespace weft::widgets
