// Finds mistakes that let training run without an error, but not as intended.
#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// Adds to `contents.problems`: batch-norm updates that no training op waits for (`updates-not-run`), a softmax or sigmoid applied twice (`softmax-twice`), a
/// global_step that nothing increments (`global-step`) or that a supervised session lacks (`no-global-step`), and what SyncReplicasOptimizer needs
/// (`sync-replicas`). Any thread.
void findTrainingProblems(GraphContents& contents);

}  // namespace weft::app
