#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/events.h"
#include "weft/train.h"

namespace weft {

/// Destination of a training's summaries: event files of the training (FOLDER) and of its evaluations (FOLDER/eval). Nothing is written until open(). Used on
/// the training thread.
class SummaryLog {
 public:
  /// The summaries of one step.
  class Step {
   public:
    explicit Step(int64_t step);
    /// Adds a serialized Summary message.
    void add(std::string summary) { serialized_.push_back(std::move(summary)); }
    void add(const std::string& tag, double value);
    /// All messages, decoded. DATA_LOSS if one is not a Summary.
    Result<Event> event() const;

   private:
    friend class SummaryLog;
    Event scalars_;
    std::vector<std::string> serialized_;  // as received
  };

  Status open(const std::string& folder, const std::string& graphDef, const std::string& resumedFrom, int64_t step);
  bool isOpen() const { return bool(training_); }
  Status write(const Step& step);
  Status writeEvaluation(const TrainEvaluation& evaluation);
  Status writeCheckpoint(const std::string& prefix, int64_t step);
  Status close(int64_t step);

 private:
  std::string folder_;
  std::unique_ptr<EventWriter> training_, evaluation_;
};

}  // namespace weft
