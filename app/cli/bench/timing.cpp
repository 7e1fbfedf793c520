#include "cli/bench/timing.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "cli/command.h"

namespace weft::cli {

StepTimes timesOf(std::vector<double> milliseconds) {
  StepTimes t;
  t.steps = milliseconds.size();
  if (milliseconds.empty()) return t;
  std::sort(milliseconds.begin(), milliseconds.end());
  t.minimum = milliseconds.front();
  t.median = milliseconds[t.steps / 2];
  t.p95 = milliseconds[size_t(double(t.steps) * 0.95)];
  return t;
}

double medianOf(std::vector<double> values) { return timesOf(std::move(values)).median; }

Result<std::vector<double>> timeSteps(const Callable& step, const std::vector<Tensor>& feeds, double seconds) {
  using Clock = std::chrono::steady_clock;
  const RunOptions options = interruptible();
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<double> milliseconds;
  while ((Clock::now() < end || milliseconds.size() < kLeastSteps) && !interrupted()) {
    const auto start = Clock::now();
    auto values = step.run(feeds, options);
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (!values.ok()) return values.error();
  }
  return milliseconds;
}

// Not from getrusage(), which also counts the process before exec: under a large parent that is the parent's peak.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

}  // namespace weft::cli
