#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/script.h"
#include "weft/arrays.h"
#include "weft/debugger.h"
#include "weft/graph.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

/// Peak memory of this program. Not from getrusage(), which also counts the process before exec: under a large parent that is the parent's peak.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

constexpr const char* kBenchUsage =
    "usage: weft bench bench.json [--seconds S] [--threads N] [--sessions N] [--watch-nan] [--json]\n\n"
    "Times a workload: loads its graph, restores its checkpoint, takes five steps (their fetched values are first_losses), then steps for S\n"
    "seconds (default 3), each fed from host memory. bench.json names graph, restore, feeds (.npz), target and fetch.\n"
    "--sessions N: as many sessions of the workload step at the same time; steps_per_second is that of all together.\n"
    "--watch-nan: every second step is watched for NaN; watched_step_ms_min and watched_step_ms_median are theirs.\n"
    "Prints name, engine, steps, step_ms_min, step_ms_median, step_ms_p95, steps_per_second, first_losses, peak_rss_mb.\n";

constexpr int kFirstSteps = 5;
constexpr size_t kLeastSteps = 5;

struct Workload {
  std::string name, graph, restore, feeds, target, fetch;
};

Result<Workload> readWorkload(const std::string& path) {
  WEFT_LET(const std::string text, readTextFile(path));
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return invalidArgument("is no JSON object").inFile(path);
  Workload w;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  struct Field {
    const char* key;
    std::string Workload::*member;
    bool isPath, needed;
  };
  for (const Field& f :
       {Field{"name", &Workload::name, false, true}, Field{"graph", &Workload::graph, true, true}, Field{"restore", &Workload::restore, true, false},
        Field{"feeds", &Workload::feeds, true, false}, Field{"target", &Workload::target, false, false}, Field{"fetch", &Workload::fetch, false, true}}) {
    const auto value = json.find(f.key);
    if (value != json.end() && value->is_string()) w.*f.member = f.isPath ? (folder / value->get<std::string>()).string() : value->get<std::string>();
    else if (f.needed) return invalidArgument("lacks \"", f.key, "\"").inFile(path);
  }
  return w;
}

/// A session before its first step.
struct Bench {
  std::unique_ptr<Session> session;
  std::vector<Tensor> feeds;
  Callable step;
  std::vector<double> milliseconds, watched;  ///< Durations of the steps; `watched`: of those checked for NaN.
};

Result<Bench> open(const Workload& w, const SessionOptions& options) {
  Bench b;
  WEFT_LET(auto loaded, loadGraphFile(w.graph));
  const MetaGraph meta = std::move(loaded.meta);
  WEFT_LET(b.session, Session::create(meta.graph, options));
  if (!w.restore.empty()) WEFT_TRY(restoreVariables(*b.session, meta, w.restore));
  std::vector<std::string> names, targets;
  if (!w.feeds.empty()) {
    WEFT_LET(const auto arrays, loadNpz(w.feeds));
    for (const auto& [name, value] : arrays) {
      names.push_back(name);
      b.feeds.push_back(value);
    }
  }
  if (!w.target.empty()) targets.push_back(w.target);
  WEFT_LET(b.step, b.session->prepare(names, {w.fetch}, targets));
  return b;
}

using Clock = std::chrono::steady_clock;

/// Runs steps until `end`, and at least kLeastSteps.
Status stepUntil(Bench& b, Clock::time_point end, bool watchNan) {
  NanWatch watch;
  const RunOptions plain = interruptible();
  RunOptions looking = plain;
  looking.observers = {&watch};
  while ((Clock::now() < end || b.milliseconds.size() < kLeastSteps) && !interrupted()) {
    const bool looks = watchNan && b.watched.size() < b.milliseconds.size();
    const auto start = Clock::now();
    auto values = b.step.run(b.feeds, looks ? looking : plain);
    (looks ? b.watched : b.milliseconds).push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (!values.ok()) return values.error();
  }
  return {};
}

Result<Json> measure(const Workload& w, double seconds, int sessions, const SessionOptions& options, bool watchNan) {
  std::vector<Bench> benches;
  std::vector<double> losses;
  for (int s = 0; s < sessions; ++s) {
    WEFT_LET(Bench b, open(w, options));
    for (int i = 0; i < kFirstSteps; ++i) {
      WEFT_LET(const auto values, b.step.run(b.feeds, interruptible()));
      if (s == 0) losses.push_back(values[0].asDouble(0));
    }
    benches.push_back(std::move(b));
  }
  const auto begin = Clock::now(), end = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<Status> statuses(benches.size());
  std::vector<std::thread> others;
  for (size_t s = 1; s < benches.size(); ++s) others.emplace_back([&, s] { statuses[s] = stepUntil(benches[s], end, watchNan); });
  statuses[0] = stepUntil(benches[0], end, watchNan);
  for (std::thread& t : others) t.join();
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<double> milliseconds, watched;
  for (size_t s = 0; s < benches.size(); ++s) {
    WEFT_TRY(statuses[s]);
    milliseconds.insert(milliseconds.end(), benches[s].milliseconds.begin(), benches[s].milliseconds.end());
    watched.insert(watched.end(), benches[s].watched.begin(), benches[s].watched.end());
  }
  if (milliseconds.empty()) return cancelledError("interrupted");
  std::sort(milliseconds.begin(), milliseconds.end());
  std::sort(watched.begin(), watched.end());
  const size_t n = milliseconds.size();
  Json json{{"name", w.name},
            {"engine", "weft " WEFT_VERSION},
            {"steps", n},
            {"step_ms_min", milliseconds.front()},
            {"step_ms_median", milliseconds[n / 2]},
            {"step_ms_p95", milliseconds[size_t(double(n) * 0.95)]},
            {"steps_per_second", double(n + watched.size()) / took},
            {"first_losses", losses},
            {"peak_rss_mb", peakMegabytes()}};
  if (!watched.empty()) {
    json["watched_step_ms_min"] = watched.front();
    json["watched_step_ms_median"] = watched[watched.size() / 2];
  }
  return json;
}

int runBench(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(
      raw, {{"--seconds", true}, {"--threads", true}, {"--sessions", true}, {"--device", true}, {"--without", true}, {"--watch-nan"}, {"--json"}});
  if (!parsed.ok()) return usageError("bench", parsed.error().message);
  if (parsed->positional().size() != 1) return usageError("bench", "one bench.json is needed");
  const auto seconds = parsed->number("--seconds", 3);
  if (!seconds.ok()) return usageError("bench", seconds.error().message);
  const auto threads = parsed->integer("--threads", 0, 1);
  if (!threads.ok()) return usageError("bench", threads.error().message);
  const auto sessions = parsed->integer("--sessions", 1, 1);
  if (!sessions.ok()) return usageError("bench", sessions.error().message);
  SessionOptions options;
  options.threads = int(*threads);
  options.defaultDevice = parsed->value("--device").value_or("");
  options.disabledPasses = parsed->values("--without");
  const auto workload = readWorkload(parsed->positional()[0]);
  if (!workload.ok()) return complain(workload.error());
  catchInterrupts();
  const auto json = measure(*workload, *seconds, int(*sessions), options, parsed->has("--watch-nan"));
  if (interrupted()) return kInterrupted;
  if (!json.ok()) return complain(json.error());
  if (parsed->has("--json")) {
    std::cout << json->dump() << "\n";
  } else {
    for (const auto& [key, value] : json->items()) std::cout << key << ": " << value.dump() << "\n";
  }
  return kDone;
}

}  // namespace

extern const Command kBenchCommand;
const Command kBenchCommand = {"bench", "time a workload", kBenchUsage, runBench};

}  // namespace weft::cli
