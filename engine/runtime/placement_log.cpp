#include "runtime/placement_log.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "kernel/device.h"

namespace weft {
namespace {

/// A generator in the sense of TensorFlow's placer, which places these last.
bool isGenerator(const Node& node) { return node.inputs.empty() && node.outputTypes.size() == 1 && !isRef(node.outputTypes[0]); }

std::string now() {
  const auto time = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count() % 1000000;
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[40];
  const size_t n = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  std::snprintf(text + n, sizeof text - n, ".%06d", int(micros));
  return text;
}

}  // namespace

std::vector<std::string> deviceMapping(std::span<Device* const> devices) {
  std::vector<std::string> lines;
  for (Device* d : devices) {
    if (d->type() != "CPU") lines.push_back(d->name() + " -> " + d->description());
  }
  lines.insert(lines.begin(), lines.empty() ? "Device mapping: no known devices." : "Device mapping:");
  return lines;
}

std::vector<std::string> placementLines(const Graph& graph, std::span<const Placement> placements) {
  std::vector<std::string> lines, last;
  for (const Placement& p : placements) {
    const Node* node = graph.find(p.node);
    if (node) (isGenerator(*node) ? last : lines).push_back(p.node + ": (" + node->op + "): " + p.device);
  }
  lines.insert(lines.end(), last.begin(), last.end());
  return lines;
}

void writePlacement(std::span<const std::string> lines) {
  const char* least = std::getenv("TF_CPP_MIN_LOG_LEVEL");
  const bool told = !least || std::atoi(least) < 1;
  for (const std::string& line : lines) {
    std::fprintf(stdout, "%s\n", line.c_str());
    if (told) std::fprintf(stderr, "%s: I placement] %s\n", now().c_str(), line.c_str());
  }
  std::fflush(stdout);
}

}  // namespace weft
