#pragma once

namespace weft::app {

struct StudioOptions;

/// `weft-studio --bench experiments --open FILE`: reads what the dock Experiments shows of a store (`weft bench --experiments FILE` makes one of 100,000 runs) and
/// prints how long the first page, a filter, a sort and groups take. Returns the exit status.
int runExperimentsBench(const StudioOptions& options);

}  // namespace weft::app
