#include "cli/profile_plan.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "weft/profile_views.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kRows = 16;  // of the memory map
constexpr int kBar = 32;      // characters of its longest bar
constexpr size_t kNamed = 8;  // nodes of a group that are named

template <typename... Parts>
std::string line(const char* format, Parts... parts) {
  char text[1024];
  std::snprintf(text, sizeof text, format, parts...);
  return text;
}

std::string nameOf(const ProfileSource& source, int node) {
  const auto at = source.plan->names.find(node);
  return at == source.plan->names.end() ? "?" : at->second;
}

std::string groupsText(const ProfileSource& source, size_t top) {
  const auto& steps = source.plan->report.steps;
  if (steps.empty()) return {};
  const auto groups = std::count_if(steps.begin(), steps.end(), [](const PlannedStep& s) { return !s.merged.empty(); });
  std::string out = line("\n%zu kernel calls, %td of them for several nodes at once\n", steps.size(), groups);
  size_t shown = 0;
  for (const PlannedStep& s : steps) {
    if (s.merged.empty()) continue;
    if (top && ++shown > top) {
      out += "  … (--top 0 shows all)\n";
      break;
    }
    out += "  " + s.name + " (" + s.op + ") and";
    for (size_t i = 0; i < s.merged.size() && i < kNamed; ++i) out += " " + nameOf(source, s.merged[i]);
    if (s.merged.size() > kNamed) out += line(" … %zu more", s.merged.size() - kNamed);
    out += "\n";
  }
  return out;
}

/// The steps in ranges of equal length, each with its peak memory and its largest tensor.
std::string memoryText(const PlanReport& plan, size_t top) {
  if (plan.blocks.empty()) return {};
  const std::vector<size_t> bytes = plan.bytesOverTime();
  const size_t peak = std::max<size_t>(1, *std::max_element(bytes.begin(), bytes.end()));
  std::string out = line("\nmemory over time: arena of %zu bytes, %zu needed at one time\n", plan.arenaBytes, plan.leastBytes);
  const size_t rows = std::min(kRows, bytes.size());
  for (size_t r = 0; r < rows; ++r) {
    const size_t begin = bytes.size() * r / rows, end = bytes.size() * (r + 1) / rows;
    const size_t at = size_t(std::max_element(bytes.begin() + long(begin), bytes.begin() + long(end)) - bytes.begin());
    const PlannedBlock* largest = nullptr;
    for (const PlannedBlock& b : plan.blocks)
      if (b.first <= int(at) && int(at) <= b.last && (!largest || largest->bytes < b.bytes)) largest = &b;
    const std::string bar(static_cast<size_t>(double(bytes[at]) / double(peak) * kBar + 0.5), '#');
    out += line("  steps %5zu-%-5zu %12zu %-*s %s\n", begin, end - 1, bytes[at], kBar, bar.c_str(), largest ? largest->tensor.c_str() : "");
  }
  std::vector<PlannedBlock> largest = plan.blocks;
  std::stable_sort(largest.begin(), largest.end(), [](const PlannedBlock& a, const PlannedBlock& b) { return a.bytes > b.bytes; });
  if (top && largest.size() > top) largest.resize(top);
  out += line("\n%12s %12s %13s  largest places\n", "bytes", "at", "steps");
  for (const PlannedBlock& b : largest) out += line("%12zu %12zu %6d-%-6d  %s\n", b.bytes, b.offset, b.first, b.last, b.tensor.c_str());
  return out;
}

/// Which calls run side by side, and what that was expected to gain.
std::string togetherText(const PlanReport& plan, size_t top) {
  if (plan.together.empty()) return plan.calls.empty() ? "" : "\nno calls run side by side: each has all threads, or waits for the one before it\n";
  std::string out = line("\nside by side: %.1f µs expected, %.1f one by one\n", plan.togetherNs / 1e3, plan.oneByOneNs / 1e3);
  size_t shown = 0;
  for (const auto& [from, to] : plan.together) {
    if (top && ++shown > top) break;
    out += line("  steps %5d-%-5d", from, to - 1);
    for (int s = from; s < to && s < from + int(kNamed); ++s) out += " " + plan.steps[size_t(s)].name;
    if (to - from > int(kNamed)) out += line(" … %d more", to - from - int(kNamed));
    out += "\n";
  }
  if (top && plan.together.size() > top) out += line("  … %zu more (--top 0 shows all)\n", plan.together.size() - top);
  return out;
}

std::string simulatedText(const std::vector<SimulatedTime>& times) {
  if (times.empty()) return {};
  std::string out =
      line("\nsimulated from the times on one thread and what each call can divide\n%8s %14s %14s %9s\n", "threads", "side by side", "one by one", "speed-up");
  for (const SimulatedTime& t : times)
    out += line("%8d %11.1f µs %11.1f µs %8.2f×\n", t.threads, t.ns / 1e3, t.oneByOneNs / 1e3, t.ns > 0 ? times[0].oneByOneNs / t.ns : 0.);
  return out;
}

/// Which nodes multiplied bfloat16.
std::string roundedText(const ProfileSource& source) {
  if (!source.plan || source.plan->report.rounded.empty()) return {};
  const std::vector<std::string>& names = source.plan->report.rounded;
  std::string out = line("\n%zu node%s multiplied bf16 by %s (%.0f GFLOP/s):", names.size(), names.size() == 1 ? "" : "s", std::string(bfloat16Unit()).c_str(),
                         source.roof.bfloat16GflopsPerSecond);
  for (size_t i = 0; i < names.size() && i < kNamed; ++i) out += " " + names[i];
  if (names.size() > kNamed) out += line(" … %zu more", names.size() - kNamed);
  return out + "\n";
}

std::string floorsText(const ProfileSource& source, size_t top) {
  if (source.floors.empty()) return {};
  std::string out =
      line("\nnodes beside their floors (%.0f GFLOP/s, %.1f GB/s, nothing in a cache)\n%11s %11s %7s %10s %10s  node, why not at its floor, what would help\n",
           source.roof.gflopsPerSecond, source.roof.gigabytesPerSecond, "time µs", "floor µs", "ratio", "MFLOP", "MB");
  size_t shown = 0;
  double ns = 0, floorNs = 0;
  for (const NodeFloor& f : source.floors) {
    ns += f.ns;
    floorNs += f.floorNs;
    if (top && ++shown > top) continue;
    const std::string ratio = f.floorNs > 0 ? line("%.2f", f.ns / f.floorNs) : "-";
    const std::string reason = f.reason(), help = f.help(), op = f.rounded ? f.op + ", bf16" : f.op;
    out += line("%10.2f %10.2f %7s %10.4g %10.4g  %s (%s)%s%s%s%s\n", f.ns / 1e3, f.floorNs / 1e3, ratio.c_str(), f.flops * 1e-6, f.bytes * 1e-6,
                f.name.c_str(), op.c_str(), reason.empty() ? "" : ": ", reason.c_str(), help.empty() ? "" : "; ", help.c_str());
  }
  if (top && shown > top) out += line("… %zu more (--top 0 shows all)\n", shown - top);
  out += line("%10.2f %10.2f %7s  all\n", ns / 1e3, floorNs / 1e3, floorNs > 0 ? line("%.2f", ns / floorNs).c_str() : "-");
  return out;
}

}  // namespace

std::string planText(const ProfileSource& source, size_t top) {
  if (source.explained.empty()) return "A trace from a file does not say how its plan was made.\n";
  std::string out = source.explained;
  if (source.plan) out += groupsText(source, top) + roundedText(source) + togetherText(source.plan->report, top) + memoryText(source.plan->report, top);
  out += simulatedText(source.simulated);
  return out + floorsText(source, top);
}

Json planJson(const ProfileSource& source) {
  Json out = {{"passes", Json::array()}, {"groups", Json::array()}, {"blocks", Json::array()}, {"nodes", Json::array()}};
  if (source.plan) {
    const PlanReport& plan = source.plan->report;
    for (const std::string& p : source.plan->passes) out["passes"].push_back(p);
    for (const PlannedStep& s : plan.steps) {
      if (s.merged.empty()) continue;
      Json merged = Json::array();
      for (const int id : s.merged) merged.push_back(nameOf(source, id));
      out["groups"].push_back({{"node", s.name}, {"op", s.op}, {"merged", std::move(merged)}, {"moved_bytes", s.bytes}});
    }
    for (const PlannedBlock& b : plan.blocks)
      out["blocks"].push_back({{"tensor", b.tensor}, {"offset", b.offset}, {"bytes", b.bytes}, {"first", b.first}, {"last", b.last}});
    out["rounded"] = plan.rounded;
    out["side_by_side"] = Json::array();
    for (const auto& [from, to] : plan.together) {
      Json names = Json::array();
      for (int at = from; at < to; ++at) names.push_back(plan.steps[size_t(at)].name);
      out["side_by_side"].push_back(std::move(names));
    }
    out["side_by_side_us"] = plan.togetherNs / 1e3;
    out["one_by_one_us"] = plan.oneByOneNs / 1e3;
    out["simulated"] = Json::array();
    for (const SimulatedTime& t : source.simulated)
      out["simulated"].push_back({{"threads", t.threads}, {"us", t.ns / 1e3}, {"one_by_one_us", t.oneByOneNs / 1e3}});
    if (const PlannedMemory& m = plan.memory; m.known) {
      out["planned_memory"] = {{"bytes", m.bytes}, {"held_bytes", m.held}, {"kept_bytes", m.keptBytes}, {"limit", m.limit}, {"computed_again", m.again}};
    }
    out["arena_bytes"] = plan.arenaBytes;
    out["least_bytes"] = plan.leastBytes;
    out["bytes_over_time"] = plan.bytesOverTime();
  }
  out["roof"] = {{"gflops_per_second", source.roof.gflopsPerSecond}, {"gigabytes_per_second", source.roof.gigabytesPerSecond}};
  if (source.roof.bfloat16GflopsPerSecond > 0) out["roof"]["bf16_gflops_per_second"] = source.roof.bfloat16GflopsPerSecond;
  for (const NodeFloor& f : source.floors)
    out["nodes"].push_back({{"node", f.name},
                            {"op", f.op},
                            {"us", f.ns / 1e3},
                            {"floor_us", f.floorNs / 1e3},
                            {"float_ops", f.flops},
                            {"moved_bytes", f.bytes},
                            {"precision", precisionName(f.rounded ? ProductPrecision::BFloat16 : ProductPrecision::Float32)},
                            {"bound", f.bound == NodeFloor::Bound::Arithmetic ? "arithmetic"
                                      : f.bound == NodeFloor::Bound::Memory   ? "memory"
                                                                              : ""},
                            {"reason", f.reason()},
                            {"help", f.help()}});
  return out;
}

}  // namespace weft::cli
