#include "graph_view/frame_times.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {

void FrameTimes::add(double ms) {
  if (times_.size() < static_cast<size_t>(capacity_)) {
    times_.push_back(ms);
    return;
  }
  times_[next_] = ms;
  next_ = (next_ + 1) % times_.size();
}

void FrameTimes::clear() {
  times_.clear();
  next_ = 0;
}

FrameStats FrameTimes::stats() const {
  FrameStats stats;
  if (times_.empty()) return stats;
  std::vector<double> sorted = times_;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&sorted](double q) {
    return sorted[std::min(sorted.size() - 1, static_cast<size_t>(std::ceil(q * static_cast<double>(sorted.size())) - 1 + 1e-9))];
  };
  stats.count = static_cast<int>(sorted.size());
  stats.medianMs = at(0.5);
  stats.p99Ms = at(0.99);
  stats.maxMs = sorted.back();
  return stats;
}

}  // namespace weft::widgets
