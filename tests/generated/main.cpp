// weft-generated: draws graphs and looks for disagreements.
#include <fcntl.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "drawing.h"
#include "oracles.h"
#include "shrink.h"
#include "tensorflow.h"

namespace {

using namespace weft;
using namespace weft::generated;
using Json = nlohmann::ordered_json;

constexpr const char* kUsage =
    "weft-generated [--graphs N] [--seconds S] [--seed N] [--one SEED] [--tensorflow PYTHON] [--state FILE.json] [--found FOLDER] [--only loops|gradients] [--all-oracles] [--print] [--keep-going]\n"
    "Draws graphs from the ops' records and golden cases, runs each in several ways and compares. Exit status 1 if two ways disagree.\n";

constexpr int64_t kLeastPatienceMs = 500;  // minimal time limit of a step while a case is shrunk
constexpr int64_t kShrinkingMs = 60000;
constexpr size_t kMostUnderWay = 16;     // graphs at TensorFlow
constexpr unsigned kLongestGraph = 600;  // seconds, on a busy machine

volatile sig_atomic_t stopped = 0;
char crashLine[64];

/// Prints the graph's seed, then dies by the same signal (SIGABRT in place of SIGALRM).
void onCrash(int signal) {
  const char* why = signal == SIGALRM ? "weft-generated: no end, --one " : "weft-generated: crash, --one ";
  (void)!write(2, why, std::strlen(why));
  (void)!write(2, crashLine, std::strlen(crashLine));
  (void)!write(2, "\n", 1);
  ::signal(signal, SIG_DFL);
  raise(signal == SIGALRM ? SIGABRT : signal);
}

struct Options {
  int64_t graphs = -1;
  double seconds = 0;
  uint64_t seed = 0;
  bool haveSeed = false, one = false, allOracles = false, print = false, keepGoing = false;
  std::string python, state, found, only;
};

bool parse(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    const auto value = [&]() -> const char* { return i + 1 < argc ? argv[++i] : nullptr; };
    const char* v = nullptr;
    if (a == "--all-oracles") o.allOracles = true;
    else if (a == "--print") o.print = true;
    else if (a == "--keep-going") o.keepGoing = true;
    else if (!(v = value())) return false;
    else if (a == "--graphs") o.graphs = std::atoll(v);
    else if (a == "--seconds") o.seconds = std::atof(v);
    else if (a == "--seed") o.seed = std::strtoull(v, nullptr, 10), o.haveSeed = true;
    else if (a == "--one") o.seed = std::strtoull(v, nullptr, 10), o.haveSeed = o.one = true;
    else if (a == "--tensorflow") o.python = v;
    else if (a == "--state") o.state = v;
    else if (a == "--found") o.found = v;
    else if (a == "--only" && (std::strcmp(v, "loops") == 0 || std::strcmp(v, "gradients") == 0)) o.only = v;
    else return false;
  }
  return true;
}

void load(const std::string& path, Counters& c) {
  std::ifstream file(path);
  const Json j = Json::parse(file, nullptr, false);
  if (!file.is_open() || !j.is_object()) return;
  c.graphs = j.value("graphs", int64_t(0));
  c.nodes = j.value("nodes", int64_t(0));
  c.unfit = j.value("unfit", int64_t(0));
  c.judged = j.value("against_tensorflow", int64_t(0));
  c.judgeErrors = j.value("tensorflow_died", int64_t(0));
  c.findings = j.value("findings", int64_t(0));
  c.refused = j.value("steps_refused", int64_t(0));
  c.excused = j.value("judged_by_conditioning", int64_t(0));
  c.seconds = j.value("seconds", 0.0);
  c.processorSeconds = j.value("processor_seconds", 0.0);
  for (const auto& [name, n] : j["ops"].items()) c.ops[name] = n.get<int64_t>();
  for (const auto& [name, n] : j["passes"].items()) c.passes[name] = n.get<int64_t>();
  for (const auto& [name, n] : j["oracles"].items()) c.oracles[name] = n.get<int64_t>();
}

void save(const std::string& path, const Counters& c) {
  if (path.empty()) return;
  Json j{{"graphs", c.graphs},
         {"nodes", c.nodes},
         {"unfit", c.unfit},
         {"against_tensorflow", c.judged},
         {"tensorflow_died", c.judgeErrors},
         {"findings", c.findings},
         {"steps_refused", c.refused},
         {"judged_by_conditioning", c.excused},
         {"ops_reached", c.ops.size()},
         {"seconds", c.seconds},
         {"processor_seconds", c.processorSeconds}};
  j["passes"] = c.passes;
  j["oracles"] = c.oracles;
  j["ops"] = c.ops;
  std::ofstream(path + ".new") << j.dump(1) << "\n";
  std::error_code failed;
  std::filesystem::rename(path + ".new", path, failed);
}

/// Draws, checks, shrinks, reports.
class Run {
 public:
  Run(const Options& options, Sources sources, Counters counters) : options_(options), sources_(std::move(sources)), counters_(std::move(counters)) {
    if (!options.python.empty()) judge_ = std::make_unique<TensorFlow>(options.python, WEFT_SOURCE_DIR "/tests/generated/tensorflow_worker.py");
  }

  void graph(uint64_t seed) {
    nowAt(seed);
    Case one = Drawing(seed, sources_).draw();
    one.seed = seed;
    Outcome reference;
    if (!makeFit(one, reference)) {
      ++counters_.unfit;
      return;
    }
    one.seed = seed;
    if (options_.print) std::cout << describe(one);
    count(one, reference, counters_);
    const auto finding = check(one, reference, !options_.allOracles, counters_);
    if (finding) report(one, *finding);
    else if (judge_ && notForTensorFlow(one).empty()) {
      judge_->send(one);
      waiting_.push_back({std::move(one), std::move(reference)});
    }
    settle(kMostUnderWay);
  }

  /// Takes the available answers from TensorFlow, and waits until at most `left` graphs are in flight.
  void settle(size_t left) {
    while (!waiting_.empty() && (waiting_.size() > left || judge_->answered())) {
      const Waiting oldest = std::move(waiting_.front());
      waiting_.pop_front();
      nowAt(oldest.one.seed);
      const auto got = judge_->receive();
      ++counters_.judged;
      if (!got) ++counters_.judgeErrors;
      else if (const auto finding = againstTensorFlow(oldest.one, oldest.reference, *got)) report(oldest.one, *finding);
    }
  }

  std::optional<Finding> againstTensorFlow(const Case& one, Outcome reference, const Outcome& got) {
    // TensorFlow refuses a graph with inconsistent shapes as a whole; here the loader reports it.
    if (const Status loaded = loadable(one); !loaded.ok()) {
      reference = {};
      reference.load.code = loaded.code();
      reference.load.message = loaded.error().message;
    }
    if (reference.steps.size() > one.steps.size()) reference.steps.resize(one.steps.size());  // TensorFlow's variables cannot be read
    // This engine may have kernels, and gradients of functions' ops, that TensorFlow lacks.
    for (const StepOutcome& s : got.steps)
      if (s.message.find("No OpKernel was registered") != std::string::npos || s.message.find("data type is not supported") != std::string::npos ||
          s.message.find("no supported kernel for CPU devices") != std::string::npos || s.message.find("No gradient defined for op") != std::string::npos)
        return std::nullopt;
    // TensorFlow refuses a graph for wrong arguments that it can compute in advance. The loader here computes fewer of them; the step reports the others.
    if (reference.load.code == Code::Ok && got.load.code == Code::InvalidArgument &&
        (got.load.message.find("computed input tensors") != std::string::npos || got.load.message.find("computed as partial shapes") != std::string::npos ||
         got.load.message.find("Unsupported method") != std::string::npos))
      return std::nullopt;
    Conditioning conditioning(one, reference, true);
    Difference d = judge(got, reference, conditioning, &counters_);
    if (d.what.empty()) return std::nullopt;
    return Finding{"TensorFlow", std::move(d)};
  }

  void report(const Case& one, const Finding& finding) {
    ++counters_.findings;
    std::string what = finding.difference.what;
    using Clock = std::chrono::steady_clock;
    const auto msSince = [](Clock::time_point t) { return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - t).count(); };
    const auto before = Clock::now();
    (void)runCase(one, {"plain", {"all"}, 1});
    // A smaller case that takes far longer (a loop without its end condition) is a different case: do not wait for it.
    const int64_t longest = std::max<int64_t>(kLeastPatienceMs, 10 * msSince(before));
    const Clock::time_point begin = Clock::now();
    const auto fails = [&](const Case& c) {
      if (msSince(begin) > kShrinkingMs) return false;
      alarm(kLongestGraph);
      const Patience patience(longest);
      Outcome reference = runCase(c, {"plain", {"all"}, 1});
      if (!reference.steps.empty() && reference.steps.back().code == Code::DeadlineExceeded) return false;
      std::optional<Difference> d;
      // A smaller case that fails in the loader, or in another way, is a different case.
      if (finding.oracle == "TensorFlow") {
        const auto got = judge_->run(c);
        const auto f = got ? againstTensorFlow(c, reference, *got) : std::nullopt;
        if (f) d = f->difference;
      } else {
        Conditioning conditioning(c, reference);
        for (const Oracle& oracle : oraclesFor(one, !options_.allOracles)) {
          if (oracle.name != finding.oracle) continue;
          Counters uncounted;
          Difference found = differenceBy(oracle, c, reference, conditioning, uncounted);
          if (!found.what.empty()) d = std::move(found);
        }
      }
      if (!d || (d->fetch < 0) != (finding.difference.fetch < 0)) return false;
      what = d->what;
      return true;
    };
    const Case small = shrink(one, fails);
    (void)fails(small);
    std::string ops;
    const int where = finding.difference.step;
    for (const int id : neededBy(small.meta.graph, where >= 0 && size_t(where) < small.steps.size() ? small.steps[size_t(where)] : small.steps.back()))
      ops += (ops.empty() ? "" : " ") + small.meta.graph.node(id)->op;
    std::cerr << "weft-generated: graph " << one.seed << (options_.only.empty() ? "" : " --only " + options_.only) << ": " << finding.oracle << ": " << what
              << " [" << ops.substr(0, 300) << "]\n";
    if (options_.found.empty()) {
      if (options_.one || !options_.keepGoing) std::cerr << describe(small);
      return;
    }
    std::filesystem::create_directories(options_.found);
    std::ofstream(options_.found + "/" + std::to_string(one.seed) + ".txt") << "# " << finding.oracle << ": " << what << "\n# " << ops << "\n"
                                                                            << describe(small);
  }

  Counters& counters() { return counters_; }

 private:
  struct Waiting {
    Case one;
    Outcome reference;
  };
  static void nowAt(uint64_t seed) {
    std::snprintf(crashLine, sizeof crashLine, "%llu", static_cast<unsigned long long>(seed));
    alarm(kLongestGraph);
  }
  const Options& options_;
  Sources sources_;
  Counters counters_;
  std::unique_ptr<TensorFlow> judge_;
  std::deque<Waiting> waiting_;  // for TensorFlow
};

int run(const Options& options) {
  Sources sources;
  auto samples = readSamples(WEFT_SOURCE_DIR "/tests/golden/ops");
  auto scripts = readScripts(WEFT_SOURCE_DIR "/tests/golden/stateful");
  for (const Status& s : {samples.status(), scripts.status()}) {
    if (s.ok()) continue;
    std::cerr << "weft-generated: " << s.toString() << "\n";
    return 2;
  }
  sources.samples = std::move(*samples);
  sources.scripts = std::move(*scripts);
  for (const auto& [name, op] : sources.samples) sources.sampleNames.push_back(name);
  sources.only = options.only;
  Counters counters;
  if (!options.state.empty()) load(options.state, counters);
  const int64_t findingsBefore = counters.findings, graphsBefore = counters.graphs;
  const double secondsBefore = counters.seconds, processorBefore = counters.processorSeconds;
  Run all(options, std::move(sources), std::move(counters));
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  auto saved = begin;
  const auto since = [](Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); };
  const auto keep = [&] {
    all.counters().seconds = secondsBefore + since(begin);
    all.counters().processorSeconds = processorBefore + double(std::clock()) / CLOCKS_PER_SEC;
    save(options.state, all.counters());
  };
  if (!options.one) std::cerr << "weft-generated: seed " << options.seed << "\n";
  for (uint64_t i = 0; !stopped; ++i) {
    if (options.graphs >= 0 && int64_t(i) >= options.graphs) break;
    if (options.seconds > 0 && since(begin) > options.seconds) break;
    Random mix(options.seed + i * 0x632be59bd9b4e019ULL);
    all.graph(options.one ? options.seed : mix.next());
    if (since(saved) > 30) {
      keep();
      saved = Clock::now();
    }
    if (options.one || (all.counters().findings > findingsBefore && !options.keepGoing)) break;
  }
  if (options.keepGoing || all.counters().findings == findingsBefore) all.settle(0);
  alarm(0);
  keep();
  const Counters& c = all.counters();
  std::cerr << "weft-generated: " << c.graphs - graphsBefore << " graphs in " << int64_t(since(begin)) << " s, " << c.ops.size() << " ops, "
            << c.findings - findingsBefore << " disagreements\n";
  return c.findings > findingsBefore ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::cerr << kUsage;
    return 2;
  }
  if (!options.haveSeed) options.seed = std::random_device{}() * 2654435761ULL % 1000000000;
  if (options.graphs < 0 && options.seconds <= 0 && !options.one) options.graphs = 1000;
  for (const int s : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM}) ::signal(s, onCrash);
  for (const int s : {SIGINT, SIGTERM}) ::signal(s, [](int) { stopped = 1; });
  return run(options);
}
