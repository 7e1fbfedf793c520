#pragma once

#include <QtGlobal>
#include <vector>

namespace weft::widgets {

/// Order statistics of a list of times in milliseconds.
struct FrameStats {
  int count = 0;
  double medianMs = 0, p99Ms = 0, maxMs = 0;
};

/// Keeps the newest `capacity` durations. Not thread-safe.
class FrameTimes {
 public:
  explicit FrameTimes(int capacity = 4096) : capacity_(capacity) {}

  void add(double ms);
  void clear();
  FrameStats stats() const;

 private:
  int capacity_;
  size_t next_ = 0;
  std::vector<double> times_;
};

}  // namespace weft::widgets
