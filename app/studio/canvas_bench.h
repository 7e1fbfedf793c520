#pragma once

namespace weft::app {

struct StudioOptions;

/// `weft-studio --bench canvas`: prints frame times, the time to the first picture and peak memory. Returns the exit status.
int runBench(const StudioOptions& options);

}  // namespace weft::app
