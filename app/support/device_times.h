#pragma once

#include <span>
#include <string>

#include "weft/profile.h"

namespace weft {

/// What traced steps took on one device.
struct DeviceTime {
  std::string device;    ///< "CPU:0"
  double stepNs = 0;     ///< Median.
  double copiesNs = 0;   ///< Copies between devices per step.
  double elsewhere = 0;  ///< Share of the ops' time on other devices: ops without a kernel on this one.
};

/// "/job:a/task:0/device:GPU:0" and "gpu" as "GPU:0".
std::string shortDeviceName(const std::string& device);
/// `trace` is of steps whose default device was `device`.
DeviceTime deviceTimeOf(const Trace& trace, const std::string& device);

/// Which of several devices to choose.
struct DeviceChoice {
  size_t best = 0, next = 0;  ///< Positions; equal if there is only one.
  double ratio = 1;           ///< How many times as fast the best is as the next.
  bool worthIt = false;       ///< The difference is large enough to matter.
  bool gpuLoses = false;      ///< A CPU is best, and the next is a GPU.
};
/// REQUIRES: not empty.
DeviceChoice chooseDevice(std::span<const DeviceTime> times);

/// Share of time elsewhere that is worth a warning.
inline constexpr double kMuchElsewhere = 0.05;

}  // namespace weft
