#include "cli/profile_transfers.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

/// `/job:ps/replica:0/task:0/device:CPU:0` as `ps:0 CPU:0`.
std::string shortDevice(std::string_view device) {
  std::string out;
  for (const char* part : {"/job:", "/task:", "/device:"}) {
    const size_t at = device.find(part);
    if (at == device.npos) continue;
    const std::string_view value = device.substr(at + std::string_view(part).size());
    if (!out.empty()) out += std::string_view(part) == "/task:" ? ':' : ' ';
    out += value.substr(0, value.find('/'));
  }
  return out.empty() ? std::string(device) : out;
}

std::string microseconds(int64_t ns, bool sign = false) {
  char out[48];
  std::snprintf(out, sizeof out, sign ? "%+.1f µs" : "%.1f µs", double(ns) / 1e3);
  return out;
}

std::string clockText(const TraceTask& task) {
  switch (task.clock) {
    case TraceTask::Clock::Reference: return "reference clock";
    case TraceTask::Clock::Agrees: return "clock agrees";
    case TraceTask::Clock::Moved: return concat("clock moved by ", microseconds(task.movedNs, true), " ± ", microseconds(task.uncertaintyNs));
    case TraceTask::Clock::MovedAtLeast: return concat("clock moved by ", microseconds(task.movedNs, true), " or more");
    case TraceTask::Clock::Contradictory: return concat("clock moved by ", microseconds(task.movedNs, true), ", which does not suit all transfers");
    case TraceTask::Clock::Unknown: break;
  }
  return "clock not compared: no transfers";
}

constexpr const char* kClockWords[] = {"reference", "agrees", "moved", "moved_at_least", "unknown", "contradictory"};

}  // namespace

std::string transfersText(const Trace& trace, size_t top) {
  if (trace.tasks.empty()) return {};
  std::string out = "\n";
  for (const TraceTask& task : trace.tasks) out += concat(shortDevice(task.name), ": ", clockText(task), "\n");
  int64_t bytes = 0;
  for (const TraceTransfer& t : trace.transfers) bytes += std::max<int64_t>(0, t.bytes);
  out += concat(trace.transfers.size(), trace.transfers.size() == 1 ? " transfer" : " transfers", " between tasks, ", bytes, " bytes\n");
  char line[1024];
  for (size_t i = 0; i < trace.transfers.size(); ++i) {
    if (top > 0 && i == top) return out + concat("… ", trace.transfers.size() - top, " more (--top 0 shows all)\n");
    const TraceTransfer& t = trace.transfers[i];
    const std::string size = t.bytes < 0 ? "? B" : std::to_string(t.bytes) + " B";
    // Without a recorded arrival, the first use is the latest that it can have been.
    const std::string most = t.latest ? "at most " : "";
    const bool known = t.sentNs != TraceTransfer::kUnknownTime && t.receivedNs != TraceTransfer::kUnknownTime;
    std::snprintf(line, sizeof line, "  %12s  %s -> %s  %s in transit, receiver waited %s  %s\n", size.c_str(), shortDevice(t.from).c_str(),
                  shortDevice(t.to).c_str(), known ? (most + microseconds(t.transitNs())).c_str() : "?",
                  t.waitNs() > 0 ? (most + microseconds(t.waitNs())).c_str() : "?", t.tensor.c_str());
    out += line;
  }
  return out;
}

void addTransfers(const Trace& trace, nlohmann::ordered_json* out) {
  if (trace.tasks.empty()) return;
  using Json = nlohmann::ordered_json;
  const auto time = [](int64_t ns) { return ns == TraceTransfer::kUnknownTime ? Json() : Json(double(ns) / 1e3); };
  Json tasks = Json::array(), transfers = Json::array();
  for (const TraceTask& task : trace.tasks)
    tasks.push_back({{"name", task.name},
                     {"clock", kClockWords[int(task.clock)]},
                     {"moved_us", double(task.movedNs) / 1e3},
                     {"uncertainty_us", double(task.uncertaintyNs) / 1e3}});
  for (const TraceTransfer& t : trace.transfers)
    transfers.push_back({{"tensor", t.tensor},
                         {"node", t.node},
                         {"from", t.from},
                         {"to", t.to},
                         {"step", t.step},
                         {"bytes", t.bytes < 0 ? Json() : Json(t.bytes)},
                         {"asked_us", time(t.askedNs)},
                         {"sent_us", time(t.sentNs)},
                         {"received_us", time(t.receivedNs)},
                         {"received_is_latest", t.latest}});
  (*out)["tasks"] = std::move(tasks);
  (*out)["transfers"] = std::move(transfers);
}

}  // namespace weft::cli
