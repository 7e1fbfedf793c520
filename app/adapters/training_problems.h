// Trainings that run without an error and yet not as they were meant.
#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// Adds to `contents.problems`: updates of batch norm that no training op waits for (`updates-not-run`), softmax or sigmoid that is applied twice
/// (`softmax-twice`), a global_step that nothing increments (`global-step`). Any thread.
void findTrainingProblems(GraphContents& contents);

}  // namespace weft::app
