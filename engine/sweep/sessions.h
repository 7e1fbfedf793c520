// A sweep in event files, as TensorBoard's plugin hparams reads it, and the files of its runs.
#pragma once

#include "weft/experiments.h"

namespace weft::sweep {

/// The experiment, into the folder of the sweep; nothing if it is there already.
Status writeExperiment(const ExperimentSweep& sweep);
/// `now`: seconds since 1970, before the run writes its own events.
Status writeSessionStart(const ExperimentSweep& sweep, const std::string& runFolder, const SweepPoint& point, double now);
/// `now`: after the run has closed its events.
Status writeSessionEnd(const std::string& runFolder, ExperimentStatus status, double now);
/// Removes FOLDER/checkpoints. Files that cannot be removed stay.
void removeCheckpoints(const std::string& runFolder);

}  // namespace weft::sweep
