// What a training lets in to its steps. Both sides are of the engine's world: only sources in app/adapters include this.
#pragma once

#include "weft/train.h"

namespace weft::app {

/// Looks at steps of a training, on its thread.
class TrainingGuest {
 public:
  virtual ~TrainingGuest() = default;
  /// Before step `step` is computed.
  virtual void prepare(int64_t step, const Trainer& trainer, RunOptions& run) = 0;
  virtual void stepDone() = 0;
  /// No further step comes.
  virtual void trainingEnds(const Status& status) = 0;
  /// It must not keep the training's thread any longer. Any thread.
  virtual void leave() = 0;
};

}  // namespace weft::app
