// `weft why`: where a number of a training comes from.
#include <chrono>
#include <cstdio>
#include <iostream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/why_report.h"
#include "weft/file_system.h"
#include "weft/graph.h"

namespace weft::cli {
namespace {

constexpr const char* kWhyUsage =
    "usage: weft why DOCUMENT ELEMENT [--step N] [--back N] [--length N] [--rows] [options]\n"
    "       weft why DOCUMENT --step N --against M [options]\n"
    "       weft why DOCUMENT --against-document DOCUMENT | --against-set NAME=VALUE… [--step N] [options]\n"
    "       weft why DOCUMENT --measure N [--steps N] [options]\n\n"
    "Why is this number what it is? Trains the document up to step N, computes the step again with all its values, and follows an element of a tensor\n"
    "(fc1/MatMul:0[0,7]) or of a variable (fc1/weights[3,5]: its value after the step) back to data, settings and earlier values, along what contributed\n"
    "most. A tensor without an index: its largest element. With --against: what differs between two steps or two trainings, and the first tensors that do. Nothing is saved.\n\n"
    "  --step N           the training step, from 1 (the last one of --steps 100)\n"
    "  --back N           follow variables into N earlier steps (0)\n"
    "  --length N         show at most N links (64)\n"
    "  --parts N          list at most N parts of each (6)\n"
    "  --rows             what each row of the batch contributes\n"
    "  --steps N          train N steps, of which the last 1,000 can be asked about\n"
    "  --resume-from P    begin at a checkpoint, given by its prefix\n"
    "  --set NAME=VALUE   a setting, live scalar or tensor, as for weft train\n"
    "  --measure N        what recording costs the training, and how long N answers about random steps take\n"
    "  --threads N        threads of an op\n"
    "  --json             one JSON object\n";

struct Wish {
  std::string document;
  int64_t steps = 100, step = 0;
  std::string resumeFrom;
  int threads = 0;
  std::vector<std::pair<std::string, std::string>> set;
};

/// Without files.
TrainOptions optionsOf(const Wish& wish) {
  TrainOptions options;
  options.folder = folderOf(wish.document);
  options.logFolder = options.checkpointFolder = std::string();
  options.resumeFrom = wish.resumeFrom;
  options.session.threads = wish.threads;
  options.set = wish.set;
  return options;
}

/// A training up to the step, recorded.
struct Trained {
  std::unique_ptr<Trainer> trainer;
  std::unique_ptr<Provenance> provenance;
  double seconds = 0;
};

Result<Trained> train(const Wish& wish, int most) {
  WEFT_LET(auto loaded, loadGraphFile(wish.document));
  TrainOptions options = optionsOf(wish);
  options.steps = wish.steps;
  options.recording.steps = 1000;
  std::atomic<bool> stop{false};
  options.interrupted = &stop;
  const bool shows = stderrIsTerminal();
  options.callbacks.step = [&](const TrainStep& s) {
    if (interrupted()) stop = true;
    if (shows && (s.step % 16 == 0 || s.step == s.totalSteps)) std::fprintf(stderr, "\rstep %lld/%lld\x1b[K", (long long)s.step, (long long)s.totalSteps);
  };
  const auto begin = std::chrono::steady_clock::now();
  Trained out;
  WEFT_LET(out.trainer, Trainer::create(std::move(loaded.meta), std::move(options)));
  const Status trained = out.trainer->run();
  if (shows) std::fputs("\r\x1b[K", stderr);
  if (stop) return cancelledError("interrupted");
  // A step that diverged can be asked about.
  if (!trained.ok() && out.trainer->step() == 0) return trained.error();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  WEFT_LET(auto replay, out.trainer->replay());
  Provenance::Options kept;
  kept.most = most;
  WEFT_LET(out.provenance, Provenance::create(std::move(replay), kept));
  return out;
}

Result<std::vector<std::pair<std::string, std::string>>> pairsOf(const std::vector<std::string>& words, const char* option) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return invalidArgument(option, " ", word, ": expected NAME=VALUE");
    out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return out;
}

int compare(const Trained& a, const Trained* other, int64_t step, std::optional<int64_t> against, bool json) {
  const Trained& b = other ? *other : a;
  int64_t first = step;
  if (other && !against) {
    auto found = firstDifferingStep(*a.provenance, *b.provenance);
    if (!found.ok()) return complain(found.error());
    if (*found == 0) {
      if (json) std::cout << nlohmann::json{{"first_differing_step", 0}}.dump() << std::endl;
      else std::cout << "No recorded step differs." << std::endl;
      return kDone;
    }
    first = *found;
  }
  const auto difference = differenceOfSteps(*a.provenance, first, *b.provenance, against.value_or(first));
  if (!difference.ok()) return complain(difference.error());
  if (json) {
    nlohmann::json out = differenceJson(*difference);
    if (other && !against) out["first_differing_step"] = first;
    std::cout << out.dump() << std::endl;
  } else {
    if (other && !against) std::cout << "The first step that differs: " << first << "\n\n";
    std::cout << differenceText(*difference) << std::flush;
  }
  return kDone;
}

int runWhy(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--step", true},
                                             {"--back", true},
                                             {"--length", true},
                                             {"--parts", true},
                                             {"--rows"},
                                             {"--steps", true},
                                             {"--resume-from", true},
                                             {"--set", true},
                                             {"--threads", true},
                                             {"--against", true},
                                             {"--against-document", true},
                                             {"--against-set", true},
                                             {"--measure", true},
                                             {"--json"}});
  if (!parsed.ok()) return usageError("why", parsed.error().message);
  const Arguments& args = *parsed;
  const bool compares = args.has("--against") || args.has("--against-document") || args.has("--against-set");
  const bool measures = args.has("--measure");
  if (measures && compares) return usageError("why", "--measure compares nothing");
  if (args.positional().size() != (compares || measures ? 1u : 2u))
    return usageError("why",
                      compares || measures ? "with --against and --measure, one DOCUMENT is needed" : "a DOCUMENT and an ELEMENT are needed, or --against");
  Wish wish;
  wish.document = args.positional()[0];
  const auto steps = args.integer("--steps", 100, 1, kMostSteps), step = args.integer("--step", 0, 0, kMostSteps), back = args.integer("--back", 0, 0, 1000),
             length = args.integer("--length", 64, 1, 10000), parts = args.integer("--parts", 6, 1, 1000), threads = args.integer("--threads", 0, 1),
             against = args.integer("--against", 0, 1, kMostSteps), measure = args.integer("--measure", 0, 1, 1000000);
  for (const auto* r : {&steps, &step, &back, &length, &parts, &threads, &against, &measure})
    if (!r->ok()) return usageError("why", r->error().message);
  const auto set = pairsOf(args.values("--set"), "--set"), otherSet = pairsOf(args.values("--against-set"), "--against-set");
  for (const auto* r : {&set, &otherSet})
    if (!r->ok()) return usageError("why", r->error().message);
  const std::optional<int64_t> otherStep = args.has("--against") ? std::optional<int64_t>(*against) : std::nullopt;
  wish.step = *step;
  wish.steps = args.has("--steps") ? *steps : std::max(args.has("--step") ? *step : *steps, otherStep.value_or(0));
  if (wish.step == 0 && !compares) wish.step = wish.steps;
  wish.threads = int(*threads);
  wish.set = *set;
  wish.resumeFrom = args.value("--resume-from").value_or("");
  Element element;
  if (!compares && !measures) {
    auto asked = parseElement(args.positional()[1]);
    if (!asked.ok()) return usageError("why", asked.error().message);
    element = std::move(*asked);
    element.step = wish.step;
  }
  const bool json = args.has("--json");
  catchInterrupts();
  const auto failed = [&](const Error& error) { return complain(error, interrupted() ? kInterrupted : kFailed); };
  if (measures) {
    const auto loaded = loadGraphFile(wish.document);
    if (!loaded.ok()) return failed(loaded.error());
    const auto measured = measureWhy(loaded->meta, optionsOf(wish), wish.steps, *measure, json);
    if (!measured.ok()) return failed(measured.error());
    std::cout << *measured << std::flush;
    return kDone;
  }
  auto trained = train(wish, int(*parts));
  if (!trained.ok()) return failed(trained.error().file.empty() ? Error(trained.error()).inFile(wish.document) : trained.error());
  if (compares) {
    if (!args.has("--against-document") && !args.has("--against-set")) {
      if (wish.step == 0) return usageError("why", "--against M needs --step N");
      return compare(*trained, nullptr, wish.step, otherStep, json);
    }
    Wish other = wish;
    other.document = args.value("--against-document").value_or(wish.document);
    other.set.insert(other.set.end(), otherSet->begin(), otherSet->end());
    const auto second = train(other, int(*parts));
    if (!second.ok()) return failed(second.error());
    if (wish.step > 0) return compare(*trained, &*second, wish.step, otherStep.value_or(wish.step), json);
    return compare(*trained, &*second, 0, std::nullopt, json);
  }
  const auto begin = std::chrono::steady_clock::now();
  // Of a training that diverged, the step in which it did.
  if (!args.has("--step")) element.step = trained->provenance->replay().recorded().last;
  if (element.index.empty()) {
    // A tensor alone: its largest element.
    auto largest = trained->provenance->largest(element.tensor, element.step);
    if (!largest.ok()) return failed(largest.error());
    element = std::move(*largest);
  }
  const auto path = trained->provenance->path(element, int(*length), *back);
  if (!path.ok()) return failed(path.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::optional<RowShares> rows;
  if (args.has("--rows")) {
    auto made = trained->provenance->rows(element);
    if (!made.ok()) return failed(made.error());
    rows = std::move(*made);
  }
  if (json) {
    nlohmann::json out = {
        {"document", wish.document}, {"element", elementText(element)}, {"step", element.step}, {"training_seconds", trained->seconds}, {"seconds", seconds}};
    for (const Origin& o : *path) out["path"].push_back(originJson(o));
    if (rows) out["rows"] = rowsJson(*rows);
    const RecordedSteps r = trained->provenance->replay().recorded();
    out["recorded"] = {
        {"first", r.first}, {"last", r.last}, {"copies", r.copies}, {"bytes", r.bytes}, {"copy_seconds", r.copySeconds}, {"longest_seconds", r.longestSeconds}};
    std::cout << out.dump() << std::endl;
    return kDone;
  }
  for (const Origin& o : *path) std::cout << originText(o);
  if (rows) std::cout << "\n" << rowsText(*rows);
  std::cout << std::flush;
  return kDone;
}

}  // namespace

extern const Command kWhyCommand;
const Command kWhyCommand = {"why", "say where a number of a training comes from, or what differs between two", kWhyUsage, runWhy};

}  // namespace weft::cli
