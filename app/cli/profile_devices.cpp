// Compares devices for a graph by running the same steps on each.
#include "cli/profile_devices.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "weft/profile_views.h"

namespace weft::cli {
namespace {

constexpr double kWorthIt = 1.1;  // speedup below which switching is not advised

struct DeviceTime {
  std::string device;    ///< "CPU:0"
  double stepNs = 0;     ///< Median.
  double elsewhere = 0;  ///< Share of the ops' time on other devices: ops without a kernel on this one.
};

/// "/device:GPU:0" and "GPU:0" as "GPU:0".
std::string shortName(const std::string& device) {
  const size_t at = device.rfind("device:");
  std::string name = at == std::string::npos ? device.substr(device.rfind('/') + 1) : device.substr(at + 7);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return name.find(':') == std::string::npos ? name + ":0" : name;
}

Result<DeviceTime> timeOn(ProfileRun run, const std::string& device) {
  run.options.defaultDevice = "/device:" + device;
  run.options.allowSoftPlacement = true;
  if (device.starts_with("CPU:")) run.options.deviceCount["CPU"] = std::max(1, std::atoi(device.c_str() + 4) + 1);
  WEFT_LET(const ProfileSource source, profileSource(run));
  WEFT_LET(const ProfileTable table, profileTable(source.trace, {}));
  DeviceTime out;
  out.device = device;
  out.stepNs = table.p50StepNs;
  double here = 0, all = 0;
  for (const TraceSlice& s : source.trace.slices) {
    const TraceTrack& track = source.trace.tracks[size_t(s.track)];
    if (!source.trace.counts(s) || s.parent >= 0) continue;
    all += double(s.durationNs);
    if (shortName(std::string(deviceOfTrack(track.device))) == device) here += double(s.durationNs);
  }
  out.elsewhere = all > 0 ? 1 - here / all : 0;
  return out;
}

std::string stepTimeText(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, ns >= 1e6 ? "%.2f ms" : "%.0f µs", ns >= 1e6 ? ns * 1e-6 : ns * 1e-3);
  return text;
}

std::string adviceOf(std::vector<DeviceTime> times, const std::string& whyNoGpu) {
  if (times.size() == 1) return "There is one device to measure, " + times[0].device + (whyNoGpu.empty() ? "" : " (" + whyNoGpu + ")") + ": nothing to choose.";
  std::stable_sort(times.begin(), times.end(), [](const DeviceTime& a, const DeviceTime& b) { return a.stepNs < b.stepNs; });
  const DeviceTime &best = times[0], &next = times[1];
  const double ratio = next.stepNs / std::max(1.0, best.stepNs);
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.1f", ratio);
  std::string out = ratio < kWorthIt ? best.device + " and " + next.device + " take the same time: where it runs makes no difference."
                                     : best.device + " does a step " + factor + " times as fast as " + next.device + ": --device " + best.device + ".";
  if (ratio >= kWorthIt && best.device.starts_with("CPU") && next.device.starts_with("GPU"))
    out += " The steps are too small for the GPU, or copies take what it gains; a larger batch may change that.";
  for (const DeviceTime& t : times) {
    if (t.elsewhere > 0.05)
      out += " Of the time on " + t.device + ", " + std::to_string(int(t.elsewhere * 100)) +
             " % went to other devices: some ops have no kernel there, or ask for another device.";
  }
  return out;
}

}  // namespace

int compareDevices(const ProfileRun& run, std::vector<std::string> devices, bool json) {
  std::string whyNoGpu;
  if (devices.empty()) {
    for (const DeviceInfo& d : availableDevices(&whyNoGpu)) devices.push_back(d.name);
  }
  std::vector<DeviceTime> times;
  for (const std::string& device : devices) {
    auto time = timeOn(run, shortName(device));
    if (!time.ok()) return complain(time.error(), interrupted() ? kInterrupted : kFailed);
    times.push_back(*time);
  }
  const std::string advice = adviceOf(times, whyNoGpu);
  if (json) {
    nlohmann::json out = {{"devices", nlohmann::json::array()}, {"advice", advice}};
    for (const DeviceTime& t : times) out["devices"].push_back({{"device", t.device}, {"step_us", t.stepNs * 1e-3}, {"elsewhere", t.elsewhere}});
    std::cout << out.dump() << std::endl;
    return kDone;
  }
  std::printf("%-10s %12s %22s\n", "device", "step", "of it elsewhere");
  for (const DeviceTime& t : times) std::printf("%-10s %12s %20.0f %%\n", t.device.c_str(), stepTimeText(t.stepNs).c_str(), t.elsewhere * 100);
  std::printf("%s\n", advice.c_str());
  return kDone;
}

}  // namespace weft::cli
