#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "doctor/network.h"

namespace weft::doctor {

/// The curves of a training, and the rules on them. Not synchronized.
class Curves {
 public:
  explicit Curves(const Network& net);
  void step(const TrainStep& s, const std::function<void(DoctorFinding)>& report);
  /// The training goes on from an earlier one, so its loss may have fallen already.
  void resumed() { resumed_ = true; }
  void evaluation(const TrainEvaluation& e, const std::function<void(DoctorFinding)>& report);

 private:
  DoctorFinding withCurve(DoctorFinding f) const;

  bool resumed_ = false, classifies_ = false, singleLoss_ = false, random_ = false;
  std::vector<double> losses_, accuracies_;  // of every step
  double best_ = 0;                          // least mean of a few steps
  struct Evaluated {
    TrainEvaluation e;
    double trainingLoss = 0, trainingAccuracy = 0;  // of the steps since the one before
  };
  std::vector<Evaluated> evaluations_;
  size_t since_ = 0;  // steps at the last evaluation
};

}  // namespace weft::doctor
