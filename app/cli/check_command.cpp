// `weft check`: what is wrong with a training, before its first step.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/doctor.h"
#include "weft/file_system.h"
#include "weft/graph.h"

namespace weft::cli {
namespace {

constexpr const char* kCheckUsage =
    "usage: weft check GRAPH [--graph-only] [--rows N] [--fit-steps N] [--set name=value]… [--threads N] [--json]\n"
    "       weft check --rules\n\n"
    "Says what is wrong with a training before its first step: mistakes in the graph, data that are not scaled, unbalanced or partly in the test data\n"
    "too, initial values and a first loss that cannot be right, rows that influence each other, a batch that cannot be learned. Each finding names its\n"
    "node, what was measured and what would help. A change of a setting is proposed only if a copy trained better with it. Nothing is saved.\n"
    "A graph without training settings is only read. Exit status: 0 nothing but notes, 1 warnings or errors.\n\n"
    "  --graph-only       look at the graph alone; run nothing\n"
    "  --rows N           of the training data that are looked at, at most (512)\n"
    "  --fit-steps N      in which a copy has to learn 16 rows by heart (300); 0: not tried\n"
    "  --set NAME=VALUE   a setting, live scalar or tensor, as for weft train\n"
    "  --rules            list all rules, those of weft train --doctor and weft py --doctor too\n"
    "  --json             one JSON object\n";

int listRules(bool json) {
  nlohmann::json out = nlohmann::json::array();
  for (const DoctorRule& r : doctorRules()) {
    if (json)
      out.push_back({{"code", r.code},
                     {"moment", doctorWord(r.moment)},
                     {"weight", doctorWord(r.weight)},
                     {"title", r.title},
                     {"detail", r.detail},
                     {"advice", r.advice}});
    else std::printf("%-24s %-10s %-8s %s\n", r.code, doctorWord(r.moment), doctorWord(r.weight), r.title);
  }
  if (json) std::cout << out.dump() << std::endl;
  return kDone;
}

int runCheck(std::span<const std::string> raw) {
  const auto parsed =
      Arguments::parse(raw, {{"--graph-only"}, {"--rows", true}, {"--fit-steps", true}, {"--set", true}, {"--threads", true}, {"--rules"}, {"--json"}});
  if (!parsed.ok()) return usageError("check", parsed.error().message);
  const Arguments& args = *parsed;
  if (args.has("--rules")) return args.positional().empty() ? listRules(args.has("--json")) : usageError("check", "--rules takes no file");
  if (args.positional().size() != 1) return usageError("check", "one GRAPH is needed");
  const std::string& path = args.positional()[0];
  DoctorOptions options;
  const auto rows = args.integer("--rows", options.rows, 16, 1000000), fit = args.integer("--fit-steps", options.fitSteps, 0, 1000000),
             threads = args.integer("--threads", 0, 1);
  for (const auto* r : {&rows, &fit, &threads})
    if (!r->ok()) return usageError("check", r->error().message);
  options.rows = *rows;
  options.fitSteps = *fit;
  options.session.threads = int(*threads);
  options.folder = folderOf(path);
  for (const std::string& word : args.values("--set")) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return usageError("check", "--set " + word + ": expected NAME=VALUE");
    options.set.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  options.progress = [](double) { return !interrupted(); };
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  catchInterrupts();
  std::vector<DoctorFinding> found;
  if (args.has("--graph-only")) {
    found = doctorReadsGraph(loaded->meta);
  } else {
    auto all = doctorBeforeTraining(loaded->meta, options);
    if (!all.ok()) return complain(Error(all.error()).inFile(path), interrupted() ? kInterrupted : kFailed);
    found = std::move(*all);
  }
  bool wrong = false;
  nlohmann::json list = nlohmann::json::array();
  for (const DoctorFinding& f : found) {
    wrong = wrong || f.rule->weight != DoctorWeight::Note;
    if (args.has("--json")) list.push_back(nlohmann::json::parse(doctorJson(f)));
    else std::cout << doctorReport(f) << "\n";
  }
  if (args.has("--json")) std::cout << nlohmann::json{{"file", path}, {"findings", std::move(list)}}.dump() << std::endl;
  else if (found.empty()) std::cout << "Nothing was found." << std::endl;
  return wrong ? kFailed : kDone;
}

}  // namespace

extern const Command kCheckCommand;
const Command kCheckCommand = {"check", "say what is wrong with a training before its first step", kCheckUsage, runCheck};

}  // namespace weft::cli
