#include "support/device_times.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "weft/profile_views.h"

namespace weft {

namespace {
constexpr double kWorthIt = 1.1;  // speedup below which switching is not advised
}

std::string shortDeviceName(const std::string& device) {
  const size_t at = device.rfind("device:");
  std::string name = at == std::string::npos ? device.substr(device.rfind('/') + 1) : device.substr(at + 7);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return name.find(':') == std::string::npos ? name + ":0" : name;
}

DeviceTime deviceTimeOf(const Trace& trace, const std::string& device) {
  DeviceTime out;
  out.device = device;
  if (const auto table = profileTable(trace, {}); table.ok()) out.stepNs = table->p50StepNs;
  double here = 0, all = 0;
  for (const TraceSlice& s : trace.slices) {
    if (!trace.counts(s) || s.parent >= 0) continue;
    if (isDeviceCopy(trace.opOf(s))) {
      out.copiesNs += double(s.durationNs) / double(trace.steps.size());
      continue;
    }
    all += double(s.durationNs);
    if (shortDeviceName(std::string(deviceOfTrack(trace.tracks[size_t(s.track)].device))) == device) here += double(s.durationNs);
  }
  out.elsewhere = all > 0 ? 1 - here / all : 0;
  return out;
}

DeviceChoice chooseDevice(std::span<const DeviceTime> times) {
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a].stepNs < times[b].stepNs; });
  DeviceChoice out;
  out.best = order[0];
  out.next = order.size() > 1 ? order[1] : order[0];
  const DeviceTime &best = times[out.best], &next = times[out.next];
  out.ratio = next.stepNs / std::max(1.0, best.stepNs);
  out.worthIt = out.ratio >= kWorthIt;
  out.gpuLoses = out.worthIt && best.device.starts_with("CPU") && next.device.starts_with("GPU");
  return out;
}

}  // namespace weft
