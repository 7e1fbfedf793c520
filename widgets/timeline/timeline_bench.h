#pragma once

#include <QSize>
#include <memory>

#include "graph_view/frame_times.h"
#include "timeline/timeline_data.h"

namespace weft::widgets {

struct TimelineBenchOptions {
  QSize size{1600, 900};
  int panSteps = 120, zoomSteps = 120, searchSteps = 6, selectSteps = 40;
};

/// Frame times of scripted gestures in milliseconds.
struct TimelineBench {
  double firstPictureMs = 0;                        ///< From having the data to the first frame.
  FrameStats pan, zoom, select, search, gaps, all;  ///< gaps: panning, with every gap between two slices drawn
};

/// Shows `data` in a window (offscreen is enough) and runs the gestures. GUI thread.
TimelineBench runTimelineBench(std::shared_ptr<const TimelineData> data, const TimelineBenchOptions& options = {});

}  // namespace weft::widgets
