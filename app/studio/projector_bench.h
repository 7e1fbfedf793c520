#pragma once

namespace weft::app {

struct StudioOptions;

/// `weft-studio --bench projector`: shows a million points (`--items N` of them) and prints how long frames take while they are panned, zoomed, turned and selected.
/// Returns the exit status.
int runProjectorBench(const StudioOptions& options);

}  // namespace weft::app
