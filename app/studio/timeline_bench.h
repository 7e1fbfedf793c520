#pragma once

namespace weft::app {

struct StudioOptions;

/// `weft-studio --bench timeline`: prints the time to the first picture, frame times and peak memory. Returns the exit status.
int runTimelineBench(const StudioOptions& options);

}  // namespace weft::app
