// Compares devices for a graph by running the same steps on each.
#include "cli/profile_devices.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "support/device_times.h"
#include "weft/profile_views.h"

namespace weft::cli {
namespace {

constexpr size_t kMostScopes = 30;

/// Times of the scopes at the top, largest first; and of a device as a whole.
struct TimedDevice {
  DeviceTime time;
  std::vector<std::pair<std::string, double>> scopes;  ///< Self time per step of all that is below.
};

Result<TimedDevice> timeOn(ProfileRun run, const std::string& device) {
  run.options.defaultDevice = "/device:" + device;
  run.options.allowSoftPlacement = true;
  if (device.starts_with("CPU:")) run.options.deviceCount["CPU"] = std::max(1, std::atoi(device.c_str() + 4) + 1);
  WEFT_LET(const ProfileSource source, profileSource(run));
  TimedDevice out;
  out.time = deviceTimeOf(source.trace, device);
  ProfileOptions scopes;
  scopes.view = ProfileView::Scope;
  WEFT_LET(const ProfileTable table, profileTable(source.trace, scopes));
  for (const ProfileRow& r : table.rows)
    if (r.parent < 0) out.scopes.emplace_back(r.name, r.total.selfNs);
  return out;
}

std::string stepTimeText(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, ns >= 1e6 ? "%.2f ms" : "%.0f µs", ns >= 1e6 ? ns * 1e-6 : ns * 1e-3);
  return text;
}

std::string adviceOf(const std::vector<DeviceTime>& times, const std::string& whyNoGpu) {
  if (times.size() == 1) return "There is one device to measure, " + times[0].device + (whyNoGpu.empty() ? "" : " (" + whyNoGpu + ")") + ": nothing to choose.";
  const DeviceChoice choice = chooseDevice(times);
  const DeviceTime &best = times[choice.best], &next = times[choice.next];
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.1f", choice.ratio);
  std::string out = choice.worthIt ? best.device + " does a step " + factor + " times as fast as " + next.device + ": --device " + best.device + "."
                                   : best.device + " and " + next.device + " take the same time: where it runs makes no difference.";
  if (choice.gpuLoses) out += " The steps are too small for the GPU, or copies take what it gains; a larger batch may change that.";
  for (const DeviceTime& t : times) {
    if (t.elsewhere > kMuchElsewhere)
      out += " Of the time on " + t.device + ", " + std::to_string(int(t.elsewhere * 100)) +
             " % went to other devices: some ops have no kernel there, or ask for another device.";
  }
  return out;
}

/// The scopes in the first device's order, with their times on each; -1: nothing of it ran there.
std::vector<std::pair<std::string, std::vector<double>>> byScope(const std::vector<TimedDevice>& devices) {
  std::vector<std::pair<std::string, std::vector<double>>> out;
  for (size_t d = 0; d < devices.size(); ++d) {
    for (const auto& [name, ns] : devices[d].scopes) {
      auto at = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.first == name; });
      if (at == out.end()) at = out.insert(out.end(), {name, std::vector<double>(devices.size(), -1)});
      at->second[d] = ns;
    }
  }
  return out;
}

}  // namespace

int compareDevices(const ProfileRun& run, std::vector<std::string> devices, bool json) {
  std::string whyNoGpu;
  if (devices.empty()) {
    for (const DeviceInfo& d : availableDevices(&whyNoGpu)) devices.push_back(d.name);
  }
  std::vector<TimedDevice> timed;
  std::vector<DeviceTime> times;
  for (const std::string& device : devices) {
    auto one = timeOn(run, shortDeviceName(device));
    if (!one.ok()) return complain(one.error(), interrupted() ? kInterrupted : kFailed);
    times.push_back(one->time);
    timed.push_back(std::move(*one));
  }
  const std::string advice = adviceOf(times, whyNoGpu);
  const auto scopes = byScope(timed);
  if (json) {
    nlohmann::json out = {{"devices", nlohmann::json::array()}, {"scopes", nlohmann::json::object()}, {"advice", advice}};
    for (const DeviceTime& t : times)
      out["devices"].push_back({{"device", t.device}, {"step_us", t.stepNs * 1e-3}, {"copies_us", t.copiesNs * 1e-3}, {"elsewhere", t.elsewhere}});
    for (const auto& [name, ns] : scopes)
      for (const double n : ns) out["scopes"][name].push_back(n < 0 ? nlohmann::json() : nlohmann::json(n * 1e-3));
    std::cout << out.dump() << std::endl;
    return kDone;
  }
  std::printf("%-10s %12s %12s %22s\n", "device", "step", "copies", "of it elsewhere");
  for (const DeviceTime& t : times)
    std::printf("%-10s %12s %12s %20.0f %%\n", t.device.c_str(), stepTimeText(t.stepNs).c_str(), stepTimeText(t.copiesNs).c_str(), t.elsewhere * 100);
  if (times.size() > 1) {
    std::printf("\n%-32s", "scope");
    for (const DeviceTime& t : times) std::printf(" %12s", t.device.c_str());
    std::printf("\n");
    for (size_t i = 0; i < std::min(scopes.size(), kMostScopes); ++i) {
      std::printf("%-32s", scopes[i].first.c_str());
      for (const double n : scopes[i].second) std::printf(" %12s", n < 0 ? "-" : stepTimeText(n).c_str());
      std::printf("\n");
    }
    std::printf("\n");
  }
  std::printf("%s\n", advice.c_str());
  return kDone;
}

}  // namespace weft::cli
