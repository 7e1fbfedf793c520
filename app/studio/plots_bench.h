#pragma once

namespace weft::app {

struct StudioOptions;

/// `weft-studio --bench plots`: fills a scalar panel with series of 10,000 points (`--items N` of them) and prints how long its charts and frames
/// take while it is scrolled, zoomed, smoothed and fed. Returns the exit status.
int runPlotsBench(const StudioOptions& options);

}  // namespace weft::app
