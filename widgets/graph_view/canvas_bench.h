#pragma once

#include <QSize>
#include <functional>

#include "graph_view/frame_times.h"

namespace weft::widgets {

class GraphModel;

struct CanvasBenchOptions {
  QSize size{1600, 1000};
  int panSteps = 120, zoomSteps = 80, expandSteps = 24, editSteps = 8;
  /// What a worker does of an edit before the model is told, as it does in a document; not timed. May be empty.
  std::function<void(int step)> prepareEdit;
  /// Changes the graph a little and emits the model's signal; not given: no edits are timed.
  std::function<void(int step)> edit;
};

struct CanvasBench {
  double firstPictureMs = 0;  ///< from a model in hand to a painted frame, layout included
  double layoutMs = 0;        ///< of that first layout
  int visibleItems = 0;       ///< at the end
  FrameStats pan, zoom, expand, edit, all;
  FrameStats handlers;  ///< of the calls and events themselves, without their paints
};

/// Shows `model` in a GraphView of its own, then pans, zooms, expands, collapses and edits by script, painting a frame after every
/// step. Needs a QApplication (offscreen is fine), no running event loop. GUI thread.
CanvasBench runCanvasBench(GraphModel& model, const CanvasBenchOptions& options = {});

}  // namespace weft::widgets
