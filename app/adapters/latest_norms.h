#pragma once

#include <QHash>
#include <QString>
#include <chrono>
#include <utility>
#include <vector>

#include "adapters/engine_graph.h"
#include "weft/mutex.h"
#include "weft/train.h"

namespace weft::app {

/// The latest gradient norms, stored at most ten times a second, because a small network runs thousands of steps in that time.
class LatestNorms {
 public:
  /// Called on the training thread.
  void put(const std::vector<GradientNorm>& norms) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kLeastInterval) return;
    last_ = now;
    const MutexLock lock(mutex_);
    norms_ = norms;
    fresh_ = true;
  }
  bool take(QHash<QString, double>& norms) {
    std::vector<GradientNorm> taken;
    {
      const MutexLock lock(mutex_);
      if (!std::exchange(fresh_, false)) return false;
      taken.swap(norms_);
    }
    for (const GradientNorm& g : taken) norms.insert(text(g.variable), g.norm);
    return true;
  }

 private:
  static constexpr auto kLeastInterval = std::chrono::milliseconds(100);
  std::chrono::steady_clock::time_point last_{};  // used on the training thread
  Mutex mutex_;                                   // guards the members below
  std::vector<GradientNorm> norms_ WEFT_GUARDED_BY(mutex_);
  bool fresh_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::app
