// Intercepts the steps of a training. Both sides use engine types: only sources in app/adapters include this.
#pragma once

#include "weft/train.h"

namespace weft::app {

/// Intercepts steps of a training, on its thread.
class StepInterceptor {
 public:
  virtual ~StepInterceptor() = default;
  /// Called before step `step` is computed.
  virtual void prepare(int64_t step, const Trainer& trainer, RunOptions& run) = 0;
  virtual void stepDone() = 0;
  /// No further step follows.
  virtual void trainingEnds(const Status& status) = 0;
  /// Requests that the training's thread be released. Any thread.
  virtual void detach() = 0;
};

}  // namespace weft::app
