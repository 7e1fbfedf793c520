// `weft check`: what is wrong with a graph and its training, before the first step.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/defects.h"
#include "weft/doctor.h"
#include "weft/expressions.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/graph_problems.h"

namespace weft::cli {
namespace {

constexpr const char* kCheckUsage =
    "usage: weft check GRAPH [--graph-only] [--rows N] [--fit-steps N] [--set name=value]… [--threads N] [--json]\n"
    "       weft check --rules\n\n"
    "Says what is wrong with a graph and its training before the first step.\n\n"
    "Problems of the graph come first: nodes that TensorFlow refuses, shapes and types that do not fit, open inputs, variables that nothing initializes or trains,\n"
    "layers and nodes that nothing reads. Fixes are commands of the window's console; a fix that is not certain was tried on a copy.\n"
    "Then comes the training: mistakes in the graph, data that are not scaled, unbalanced or partly in the test data too, initial values and a first loss\n"
    "that cannot be right, rows that influence each other, a batch that cannot be learned. Each finding names its node, what was measured and what would help.\n"
    "A change of a setting or layer is proposed only if a copy trained better with it. Nothing is saved.\n"
    "A graph without training settings, or one that cannot run, is only read. Exit status: 0 nothing but notes, 1 warnings or errors.\n\n"
    "  --graph-only       look at the graph alone; run nothing\n"
    "  --rows N           of the training data that are looked at, at most (512)\n"
    "  --fit-steps N      in which a copy has to learn 16 rows by heart (300); 0: not tried\n"
    "  --set NAME=VALUE   a setting, live scalar or tensor, as for weft train\n"
    "  --rules            list all rules, those of weft train --doctor and weft py --doctor too\n"
    "  --json             one JSON object\n";

constexpr const char* kGraphMoment = "graph";  // of problems, beside the doctor's moments

int listRules(bool json) {
  nlohmann::json out = nlohmann::json::array();
  const auto list = [&](const char* code, const char* moment, DoctorWeight weight, const char* title) {
    if (json) out.push_back({{"code", code}, {"moment", moment}, {"weight", doctorWord(weight)}, {"title", title}});
    else std::printf("%-24s %-10s %-8s %s\n", code, moment, doctorWord(weight), title);
  };
  for (const GraphProblemRule& r : graphProblemRules()) list(r.code, kGraphMoment, r.weight, r.title);
  for (const DoctorRule& r : doctorRules()) {
    list(r.code, doctorWord(r.moment), r.weight, r.title);
    if (json) out.back().update({{"detail", r.detail}, {"advice", r.advice}});
  }
  if (json) std::cout << out.dump() << std::endl;
  return kDone;
}

/// Whether the doctor says the same of that node.
bool saysTheSame(const DoctorFinding& f, const GraphProblem& p) {
  const std::string_view code = p.code == "global-step" ? "global-step-stays" : std::string_view(p.code);
  return f.rule->code == code && f.node == p.node;
}

/// A report with the lines of another one's fixes.
std::string withFixes(std::string report, const GraphProblem* p) {
  if (!p || p->fixes.empty()) return report;
  const std::string all = problemReport(*p);
  return report + all.substr(all.find("    Fix: "));
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
  auto loaded = openGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  findLayerProblems(*loaded);
  findExpressionProblems(*loaded);
  catchInterrupts();
  std::vector<GraphProblem> problems = findGraphProblems(*loaded);
  const bool runs = !whyRefused(loaded->problems) && std::none_of(problems.begin(), problems.end(), [](const GraphProblem& p) { return p.code == "function"; });
  std::vector<DoctorFinding> found;
  std::string notTried;  // why the training was only read
  if (runs && args.has("--graph-only")) {
    found = doctorReadsGraph(loaded->meta);
  } else if (runs) {
    auto all = doctorBeforeTraining(loaded->meta, options);
    if (!all.ok() && interrupted()) return complain(Error(all.error()).inFile(path), kInterrupted);
    // What stops a training may be one of its problems.
    const bool explained = std::any_of(problems.begin(), problems.end(), [](const GraphProblem& p) { return p.weight == DoctorWeight::Error; });
    if (!all.ok() && !explained) return complain(Error(all.error()).inFile(path), kFailed);
    if (!all.ok()) notTried = all.error().toString();
    found = all.ok() ? std::move(*all) : doctorReadsGraph(loaded->meta);
  }
  bool wrong = false;
  nlohmann::json findings = nlohmann::json::array(), list = nlohmann::json::array();
  std::string said;  // the doctor's part
  for (const DoctorFinding& f : found) {
    wrong = wrong || f.rule->weight != DoctorWeight::Note;
    // Said once: the doctor knows more of it, the problem how to mend it.
    const auto same = std::find_if(problems.begin(), problems.end(), [&](const GraphProblem& p) { return saysTheSame(f, p); });
    const GraphProblem* mended = same == problems.end() ? nullptr : &*same;
    findings.push_back(nlohmann::json::parse(doctorJson(f)));
    if (mended && !mended->fixes.empty()) findings.back()["fixes"] = nlohmann::json::parse(problemJson(*mended))["fixes"];
    said += withFixes(doctorReport(f), mended) + "\n";
    if (mended) problems.erase(same);
  }
  for (const GraphProblem& p : problems) {
    wrong = wrong || p.weight != DoctorWeight::Note;
    list.push_back(nlohmann::json::parse(problemJson(p)));
    if (!args.has("--json")) std::cout << problemReport(p) << "\n";
  }
  if (args.has("--json")) {
    nlohmann::json out{{"file", path}, {"problems", std::move(list)}, {"findings", std::move(findings)}};
    if (!notTried.empty()) out["not_tried"] = notTried;
    std::cout << out.dump() << std::endl;
    return wrong ? kFailed : kDone;
  }
  if (!notTried.empty()) said += "The training was not tried: " + notTried + "\n";
  std::cout << said << (problems.empty() && found.empty() && notTried.empty() ? "Nothing was found.\n" : "") << std::flush;
  return wrong ? kFailed : kDone;
}

}  // namespace

extern const Command kCheckCommand;
const Command kCheckCommand = {"check", "say what is wrong with a graph and its training before the first step", kCheckUsage, runCheck};

}  // namespace weft::cli
