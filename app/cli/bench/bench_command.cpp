#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/arguments.h"
#include "cli/bench/against.h"
#include "cli/bench/experiments.h"
#include "cli/bench/query.h"
#include "cli/bench/timing.h"
#include "cli/bench/workload.h"
#include "cli/command.h"
#include "cli/script.h"
#include "weft/debugger.h"
#include "weft/plan_report.h"
#include "weft/session.h"

namespace weft::cli {
namespace {

constexpr const char* kBenchUsage =
    "usage: weft bench FILE [--seconds S] [--threads N] [--sessions N] [--precision P] [--watch-nan] [--memory-limit SIZE]\n"
    "                       [GRAPH OPTIONS] [--json]\n"
    "       weft bench FILE --against ENGINE [--python PATH] [--rounds N] [--tolerance T] [--seconds S] [--threads N] [--precision P]\n"
    "                       [GRAPH OPTIONS] [--json]\n"
    "       weft bench --experiments [FILE] [--runs N] [--metrics N] [--json]\n"
    "       weft bench --query [--slices N] [--sqlite] [--json]\n\n"
    "Times a workload: loads its graph, restores its checkpoint, takes five steps (their fetched values are first_losses), then steps for S\n"
    "seconds (default 3), each fed from host memory. FILE is a bench.json, which names graph, restore, feeds (.npz), target and fetch, or a graph\n"
    "of any kind that `weft run` reads.\n"
    "--sessions N: as many sessions of the workload step at the same time; steps_per_second is that of all together.\n"
    "--precision bf16: operands of matrix products and convolutions are rounded to bfloat16 and added up in float32; see weft train --help\n"
    "--watch-nan: every second step is watched for NaN; watched_step_ms_min and watched_step_ms_median are theirs.\n"
    "--memory-limit SIZE: of a step's tensors with all variables, constants and fed values, such as 2G, 512M or 1000000 (bytes); the step computes values a\n"
    "second time where it would need more. planned_bytes is what the plan needs, planned_bytes_if_kept the same without that.\n"
    "Prints name, engine, precision, steps, step_ms_min, step_ms_median, step_ms_p95, steps_per_second, first_losses, peak_rss_mb.\n\n"
    "GRAPH OPTIONS, if FILE is a graph: --feed T=VALUE|FILE.npy, --shape T=1,224,224,3, --fetch T, --target OP, --init OP, --restore PREFIX. Without\n"
    "--fetch and --target the signature's outputs are computed, else those that nothing reads. Placeholders without a feed get random values.\n\n"
    "--against ENGINE: the same step on another engine, in a process of its own, in turn with Weft: the first five steps' values must agree, then\n"
    "each engine steps for S seconds (default 1) in each of N rounds (default 5); the medians of the rounds are compared. ENGINE is\n"
    "  tf        TensorFlow 2, the graph as it is       torch, jax  PyTorch and JAX, the graph translated and compiled\n"
    "  openvino  OpenVINO, the frozen graph              ort         ONNX Runtime, the graph as ONNX\n"
    "  litert    LiteRT, the graph as .tflite\n"
    "--python PATH: a Python that has the engine's module (default python3)\n"
    "--tolerance T: how much values may differ, as a share of the tensor's largest (default 0.001)\n\n"
    "--experiments: times a store of experiments (weft sweep) with N runs (100,000) of N metrics (100): opening it, then a filter, a sort and groups over\n"
    "all runs, each with columns read from the file (cold) and again (warm). FILE is made if it does not exist, and kept.\n\n"
    "--query: times typical queries (weft query) on a trace of N made-up slices (--slices, 10,000,000) in memory, each the best of three. --sqlite: also with\n"
    "aggregates by SQLite itself, row by row.\n";

/// A session before its first step.
struct Bench {
  std::unique_ptr<Session> session;
  std::vector<Tensor> feeds;
  Callable step;
  std::vector<double> milliseconds, watched;  ///< Durations of the steps; `watched`: of those checked for NaN.
};

Result<Bench> open(const Workload& w, const SessionOptions& options) {
  Bench b;
  WEFT_LET(b.session, openSession(w, options));
  b.feeds = w.feedValues();
  WEFT_LET(b.step, b.session->prepare(w.feedNames(), w.fetches, w.targets));
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

/// What the step's plan was to need, in bytes.
Status addPlannedMemory(const Workload& w, const Session& session, Json* json) {
  const auto report = planReport(session, [&](const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
    return fetches.size() == w.fetches.size() && targets.size() == w.targets.size();
  });
  if (!report.ok() || !report->memory.known) return {};
  const PlannedMemory& m = report->memory;
  (*json)["planned_bytes"] = m.bytes;
  (*json)["arena_bytes"] = report->arenaBytes;
  if (m.limit == 0) return {};
  (*json)["memory_limit"] = m.limit;
  (*json)["computed_again"] = m.again;
  (*json)["planned_bytes_if_kept"] = m.keptBytes;
  return {};
}

Result<Json> measure(const Workload& w, double seconds, int sessions, const SessionOptions& options, bool watchNan) {
  std::vector<Bench> benches;
  std::vector<double> losses;
  for (int s = 0; s < sessions; ++s) {
    WEFT_LET(Bench b, open(w, options));
    for (int i = 0; i < kFirstSteps; ++i) {
      WEFT_LET(const auto values, b.step.run(b.feeds, interruptible()));
      if (s == 0 && !values.empty() && values[0].elements() > 0) losses.push_back(values[0].asDouble(0));
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
  const StepTimes times = timesOf(milliseconds);
  Json json{{"name", w.name},
            {"engine", "weft " WEFT_VERSION},
            {"precision", precisionName(options.products)},
            {"steps", times.steps},
            {"step_ms_min", times.minimum},
            {"step_ms_median", times.median},
            {"step_ms_p95", times.p95},
            {"steps_per_second", double(milliseconds.size() + watched.size()) / took},
            {"first_losses", losses},
            {"peak_rss_mb", peakMegabytes()}};
  WEFT_TRY(addPlannedMemory(w, *benches[0].session, &json));
  if (!watched.empty()) {
    const StepTimes seen = timesOf(watched);
    json["watched_step_ms_min"] = seen.minimum;
    json["watched_step_ms_median"] = seen.median;
  }
  return json;
}

/// --against and its options; wrong usage names the value.
Result<AgainstOptions> againstOptions(const Arguments& args) {
  AgainstOptions options;
  options.python = args.value("--python").value_or("python3");
  WEFT_LET(options.seconds, args.number("--seconds", options.seconds));
  WEFT_LET(options.tolerance, args.number("--tolerance", options.tolerance));
  WEFT_LET(const int64_t rounds, args.integer("--rounds", options.rounds, 1, 1000));
  options.rounds = int(rounds);
  for (const char* other : {"--sessions", "--watch-nan"})
    if (args.has(other)) return invalidArgument(other, " and --against exclude each other");
  return options;
}

int runAgainst(const Arguments& args, SessionOptions session) {
  session.allowSoftPlacement = true;  // graphs name the devices of the machines that they were made on
  const std::string name = *args.value("--against");
  const OtherEngine* engine = findOtherEngine(name);
  if (!engine) {
    std::string all;
    for (const OtherEngine& e : otherEngines()) all += (all.empty() ? "" : ", ") + std::string(e.name);
    return usageError("bench", concat("--against ", name, ": expected one of ", all));
  }
  const auto options = againstOptions(args);
  if (!options.ok()) return usageError("bench", options.error().message);
  const auto workload = readWorkload(args.positional()[0], args);
  if (!workload.ok()) return complain(workload.error());
  const auto json = measureAgainst(*engine, *workload, *options, session);
  if (interrupted()) return kInterrupted;
  if (!json.ok()) return complain(json.error());
  if (args.has("--json")) std::cout << json->dump() << "\n";
  else std::cout << againstTable(*json);
  return kDone;
}

int runExperiments(const Arguments& args) {
  if (args.positional().size() > 1) return usageError("bench", "--experiments takes one FILE at most");
  const auto runs = args.integer("--runs", 100000, 1, 10000000), metrics = args.integer("--metrics", 100, 1, 10000);
  for (const auto* r : {&runs, &metrics})
    if (!r->ok()) return usageError("bench", r->error().message);
  catchInterrupts();
  const auto json = measureExperiments(args.positional().empty() ? std::string() : args.positional()[0], *runs, *metrics);
  if (interrupted()) return kInterrupted;
  if (!json.ok()) return complain(json.error());
  if (args.has("--json")) {
    std::cout << json->dump() << "\n";
  } else {
    for (const auto& [key, value] : json->items()) std::cout << key << ": " << value.dump() << "\n";
  }
  return kDone;
}

int runQueries(const Arguments& args) {
  if (!args.positional().empty()) return usageError("bench", "--query takes no FILE");
  const auto slices = args.integer("--slices", 10000000, 1, 1000000000);
  if (!slices.ok()) return usageError("bench", slices.error().message);
  catchInterrupts();
  const auto json = measureQueries(*slices, args.has("--sqlite"));
  if (interrupted()) return kInterrupted;
  if (!json.ok()) return complain(json.error());
  if (args.has("--json")) {
    std::cout << json->dump() << "\n";
  } else {
    for (const auto& [key, value] : json->items()) std::cout << key << ": " << value.dump() << "\n";
  }
  return kDone;
}

int runBench(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(
      raw, {{"--seconds", true}, {"--threads", true}, {"--precision", true}, {"--sessions", true},  {"--device", true},       {"--without", true},
            {"--against", true}, {"--python", true},  {"--rounds", true},    {"--tolerance", true}, {"--feed", true},         {"--shape", true},
            {"--fetch", true},   {"--target", true},  {"--init", true},      {"--restore", true},   {"--memory-limit", true}, {"--watch-nan"},
            {"--experiments"},   {"--runs", true},    {"--metrics", true},   {"--query"},           {"--slices", true},       {"--sqlite"},
            {"--json"}});
  if (!parsed.ok()) return usageError("bench", parsed.error().message);
  if (parsed->has("--query")) return runQueries(*parsed);
  if (parsed->has("--experiments")) return runExperiments(*parsed);
  if (parsed->positional().size() != 1) return usageError("bench", "one FILE is needed");
  const auto seconds = parsed->number("--seconds", 3);
  if (!seconds.ok()) return usageError("bench", seconds.error().message);
  const auto threads = parsed->integer("--threads", 0, 1);
  if (!threads.ok()) return usageError("bench", threads.error().message);
  const auto precision = precisionOption(*parsed);
  if (!precision.ok()) return usageError("bench", precision.error().message);
  const auto sessions = parsed->integer("--sessions", 1, 1);
  if (!sessions.ok()) return usageError("bench", sessions.error().message);
  const auto memoryLimit = parsed->memoryLimit();
  if (!memoryLimit.ok()) return usageError("bench", memoryLimit.error().message);
  SessionOptions options;
  options.memoryLimitBytes = *memoryLimit;
  options.threads = int(*threads);
  options.products = *precision;
  options.defaultDevice = parsed->value("--device").value_or("");
  options.disabledPasses = parsed->values("--without");
  catchInterrupts();
  if (parsed->has("--against") && *memoryLimit > 0) return usageError("bench", "--memory-limit and --against exclude each other");
  if (parsed->has("--against")) return runAgainst(*parsed, options);
  const auto workload = readWorkload(parsed->positional()[0], *parsed);
  if (!workload.ok()) return complain(workload.error());
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
const Command kBenchCommand = {"bench", "time a workload, alone or beside another engine", kBenchUsage, runBench};

}  // namespace weft::cli
