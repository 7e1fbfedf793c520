#pragma once

#include <QHash>
#include <QString>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "weft/train.h"

namespace weft::app {

struct GraphContents;

/// The newest norms of the gradients of a training, from its thread to those who watch it, some ten times a second at most.
class GradientMail {
 public:
  /// That of the trainings of this graph: the training and who watches it hold it together, and it goes with the last of them. GUI thread.
  static std::shared_ptr<GradientMail> of(const GraphContents* trained);

  /// On the training thread.
  void put(const std::vector<GradientNorm>& norms);
  /// By variable. False: there is nothing new, and `norms` stays as it is.
  bool take(QHash<QString, double>& norms);

 private:
  std::chrono::steady_clock::time_point last_{};  // of the training thread
  std::mutex mutex_;                              // guards the rest
  std::vector<GradientNorm> norms_;
  bool fresh_ = false;
};

}  // namespace weft::app
