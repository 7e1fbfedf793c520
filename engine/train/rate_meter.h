#pragma once

#include <chrono>
#include <cstdint>

namespace weft {

/// Steps and samples per second over the last second or so.
class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;
  void start(int64_t step) {
    mark_ = Clock::now();
    markStep_ = step;
  }
  double update(int64_t step) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - mark_).count();
    // The first step includes planning and is not representative. Until a full window has passed, the rate covers the time so far.
    if (step - markStep_ == 1 && !measured_) {
      start(step);
      return rate_ = seconds > 0 ? 1 / seconds : 0;
    }
    if (seconds >= kWindow || !measured_) rate_ = seconds > 0 ? double(step - markStep_) / seconds : rate_;
    if (seconds >= kWindow) {
      measured_ = true;
      mark_ = now;
      markStep_ = step;
    }
    return rate_;
  }

 private:
  static constexpr double kWindow = 1.0;
  Clock::time_point mark_;
  int64_t markStep_ = 0;
  double rate_ = 0;
  bool measured_ = false;
};

}  // namespace weft
