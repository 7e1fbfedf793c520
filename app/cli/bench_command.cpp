#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

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

/// The most memory that this program held at one time. getrusage() also counts what the process was before it became this program: under a large parent
/// that is the parent's.
double peakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

constexpr const char* kUsage =
    "usage: weft bench bench.json [--seconds S] [--threads N] [--watch-nan] [--json]\n\n"
    "Times a workload: loads its graph, restores its checkpoint, takes five steps (their fetched values are first_losses), then steps for S\n"
    "seconds (default 3), each fed from host memory. bench.json names graph, restore, feeds (.npz), target and fetch.\n"
    "--watch-nan: every second step is watched for NaN; watched_step_ms_min and watched_step_ms_median are theirs.\n"
    "Prints name, engine, steps, step_ms_min, step_ms_median, step_ms_p95, first_losses, peak_rss_mb.\n";

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
    std::string Workload::* member;
    bool isPath, needed;
  };
  for (const Field& f : {Field{"name", &Workload::name, false, true}, Field{"graph", &Workload::graph, true, true},
                         Field{"restore", &Workload::restore, true, false}, Field{"feeds", &Workload::feeds, true, false},
                         Field{"target", &Workload::target, false, false}, Field{"fetch", &Workload::fetch, false, true}}) {
    const auto value = json.find(f.key);
    if (value != json.end() && value->is_string())
      w.*f.member = f.isPath ? (folder / value->get<std::string>()).string() : value->get<std::string>();
    else if (f.needed)
      return invalidArgument("lacks \"", f.key, "\"").inFile(path);
  }
  return w;
}

Result<Json> measure(const Workload& w, double seconds, const SessionOptions& options, bool watchNan) {
  WEFT_LET(auto loaded, loadGraphFile(w.graph));
  const MetaGraph meta = std::move(loaded.meta);
  WEFT_LET(const auto session, Session::create(meta.graph, options));
  if (!w.restore.empty()) WEFT_TRY(restoreVariables(*session, meta, w.restore));
  std::vector<std::string> names, targets;
  std::vector<Tensor> feeds;
  if (!w.feeds.empty()) {
    WEFT_LET(const auto arrays, loadNpz(w.feeds));
    for (const auto& [name, value] : arrays) {
      names.push_back(name);
      feeds.push_back(value);
    }
  }
  if (!w.target.empty()) targets.push_back(w.target);
  WEFT_LET(const Callable step, session->prepare(names, {w.fetch}, targets));
  std::vector<double> losses, milliseconds, watched;
  NanWatch watch;
  const RunOptions plain = interruptible();
  RunOptions looking = plain;
  looking.observers = {&watch};
  for (int i = 0; i < kFirstSteps; ++i) {
    WEFT_LET(const auto values, step.run(feeds, plain));
    losses.push_back(values[0].asDouble(0));
  }
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while ((Clock::now() < end || milliseconds.size() < kLeastSteps) && !interrupted()) {
    const bool looks = watchNan && watched.size() < milliseconds.size();
    const auto start = Clock::now();
    auto values = step.run(feeds, looks ? looking : plain);
    (looks ? watched : milliseconds).push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (!values.ok()) return values.error();
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
              {"first_losses", losses},
              {"peak_rss_mb", peakMegabytes()}};
  if (!watched.empty()) {
    json["watched_step_ms_min"] = watched.front();
    json["watched_step_ms_median"] = watched[watched.size() / 2];
  }
  return json;
}

int runBench(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--seconds", true}, {"--threads", true}, {"--device", true}, {"--without", true}, {"--watch-nan"}, {"--json"}});
  if (!parsed.ok()) return usageError("bench", parsed.error().message);
  if (parsed->positional().size() != 1) return usageError("bench", "one bench.json is needed");
  const auto seconds = parsed->number("--seconds", 3);
  if (!seconds.ok()) return usageError("bench", seconds.error().message);
  const auto threads = parsed->integer("--threads", 0, 1);
  if (!threads.ok()) return usageError("bench", threads.error().message);
  SessionOptions options;
  options.threads = int(*threads);
  options.defaultDevice = parsed->value("--device").value_or("");
  options.disabledPasses = parsed->values("--without");
  const auto workload = readWorkload(parsed->positional()[0]);
  if (!workload.ok()) return complain(workload.error());
  catchInterrupts();
  const auto json = measure(*workload, *seconds, options, parsed->has("--watch-nan"));
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
const Command kBenchCommand = {"bench", "time a workload", kUsage, runBench};

}  // namespace weft::cli
