#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/feeds.h"
#include "cli/run_source.h"
#include "cli/script.h"
#include "support/tensor_json.h"
#include "weft/arrays.h"
#include "weft/debug_dump.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/op_traits.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

constexpr const char* kRunUsage =
    "usage: weft run GRAPH [--feed x:0=FILE.npy|VALUE]… [--fetch y:0]… [--target OP]… [--init OP] [--restore PREFIX]\n"
    "                [--save PREFIX] [--steps N] [--out FILE.npz|.json|-] [--trace FILE.json|.pb] [--dump FOLDER] [--threads N] [--device D]\n"
    "                [--without PASS]… [--memory-limit SIZE] [--target grpc://HOST:PORT [--tls FOLDER]]\n"
    "       weft run SAVEDMODEL [--tag TAG]… [--signature KEY] [--feed INPUT=…]… [--fetch OUTPUT]… [OPTIONS]\n"
    "       weft run --script script.json --results results.json\n\n"
    "Runs a graph (.meta, .pb, .pbtxt, .weft): first --init, then --restore, then N times the targets and fetches in one step each, then\n"
    "--save. Prints the values of the last step, or writes them with --out. A SavedModel (a folder) gets its variables and its own init op\n"
    "first; feeds and fetches may be the names of its signature, and without --fetch all outputs of it are computed.\n\n"
    "  --feed T=VALUE     a number, true, false, a nested list as JSON, or text for string tensors\n"
    "  --feed T=F.npy     the array of a file, also of a picture or a sound; `--feed F.npz` feeds every array of the file to the tensor of its name\n"
    "  --tag T            of the meta graph of a SavedModel that has several; may be repeated\n"
    "  --signature KEY    the signature of a SavedModel that names are of (serving_default)\n"
    "  --device D         e.g. /device:GPU:0: for nodes that ask for no device\n"
    "  --target grpc://…  the TensorFlow server that runs the steps, with the variables of its cluster\n"
    "  --tls FOLDER       encrypts the connection to a Weft server; see weft server --help\n"
    "  --precision bf16   operands of matrix products and convolutions are rounded to bfloat16 and added up in float32; see weft train --help\n"
    "  --without PASS     leave out a rewrite pass; `all` leaves out every one\n"
    "  --memory-limit SIZE  of a step's tensors with all variables, constants and fed values, such as 2G, 512M or 1000000 (bytes): a step that would\n"
    "                     need more computes values of its first half a second time instead of keeping them, with the same results; it is refused\n"
    "                     if even that is not enough. What single ops need while they compute, input pipelines and the program are not counted\n"
    "  --trace FILE       what ran when in the last step: Chrome's trace format (.json) or RunMetadata (.pb)\n"
    "  --dump FOLDER      every tensor of the last step, for TensorFlow's debugger (tf.debug's DebugDumpDir) and for Weft: the step is then computed\n"
    "                     op by op, without rewriting\n"
    "  --script FILE      many sessions and runs; a run that fails is recorded as its error\n";

Status writeFile(const std::string& path, const std::string& bytes) {
  if (path == "-") {
    std::cout << bytes << "\n";
    return {};
  }
  return posixFileSystem().writeAtomically(path, bytes);
}

int runScript(const std::string& scriptPath, const std::string& resultsPath, const SessionOptions& options) {
  const auto script = Script::read(scriptPath);
  if (!script.ok()) return complain(script.error());
  const auto outcomes = script->run(options, interruption());
  auto json = resultsToJson(outcomes, resultsPath, /*inlineElements=*/100000);
  if (!json.ok()) return complain(json.error());
  if (Status s = writeFile(resultsPath, *json); !s.ok()) return complain(s.error());
  return interrupted() ? kInterrupted : kDone;
}

/// The request of `weft run GRAPH`.
struct Job {
  std::string graphPath;
  std::vector<std::string> tags;
  std::optional<std::string> signature;
  std::vector<std::string> feeds, fetches, targets;
  std::vector<std::string> shown;  ///< The fetches under their requested names.
  std::string init, restore, save, out, trace, dump;
  int64_t steps = 1;
  SessionOptions options;
};

Status writeTrace(const std::string& path, const StepTrace& trace) {
  return writeFile(path, std::filesystem::path(path).extension() == ".pb" ? trace.toRunMetadata() : trace.toChromeJson());
}

Status writeValues(const Job& job, const std::vector<Tensor>& values) {
  if (job.out.empty()) {
    for (size_t i = 0; i < values.size(); ++i) std::cout << job.shown[i] << " = " << values[i].toString() << "\n";
    return {};
  }
  if (std::filesystem::path(job.out).extension() == ".npz") {
    std::vector<std::pair<std::string, Tensor>> named;
    for (size_t i = 0; i < values.size(); ++i) named.emplace_back(job.shown[i], values[i]);
    return saveNpz(job.out, named);
  }
  Json json = Json::object();
  for (size_t i = 0; i < values.size(); ++i) json[job.shown[i]] = app::tensorToJson(values[i]);
  return writeFile(job.out, json.dump());
}

/// Runs a step and writes all its tensors into a folder.
Result<std::vector<Tensor>> dumpStep(Session& session, const Job& job, const std::vector<std::string>& names, const std::vector<Tensor>& fed,
                                     const Callable& step) {
  WEFT_LET(const auto placements, session.placements());
  DumpWriter writer(job.dump, placements);
  WEFT_TRY(writer.begin());
  RunOptions options = interruptible();
  options.controller = &writer;
  auto values = step.run(fed, options);
  const Status written = writer.finish(names, job.fetches, job.targets);
  if (!written.ok()) return written.error();
  if (!writer.leftOut().empty())
    std::cerr << "weft: " << writer.leftOut().size() << " tensors are left out of the dump, which cannot hold their type; the first is "
              << *writer.leftOut().begin() << "\n";
  return values;
}

/// Runs the steps; returns the values of the last one.
Result<std::vector<Tensor>> runSteps(Session& session, const Job& job, const std::vector<std::pair<std::string, Tensor>>& feeds) {
  std::vector<std::string> names;
  std::vector<Tensor> fed, values;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    fed.push_back(value);
  }
  WEFT_LET(const Callable step, session.prepare(names, job.fetches, job.targets));
  for (int64_t i = 0; i < job.steps && !interrupted(); ++i) {
    if (!job.dump.empty() && i + 1 == job.steps) {
      WEFT_LET(values, dumpStep(session, job, names, fed, step));
      break;
    }
    RunOptions options = interruptible();
    RunReport report;
    options.trace = !job.trace.empty() && i + 1 == job.steps;
    WEFT_LET(values, step.run(fed, options, &report));
    if (report.trace) WEFT_TRY(writeTrace(job.trace, *report.trace));
  }
  return values;
}

/// Adds advice to the error of a step that found an uninitialized variable: what initializes it.
Error withAdvice(Error error, const Job& job, const Graph& graph) {
  if (error.code != Code::FailedPrecondition || error.message.find("uninitialized value") == std::string::npos) return error;
  std::string names;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || roleOf(*n) != OpRole::Group || n->controls.empty()) continue;
    const auto initialises = [&](int c) { return roleOf(*graph.node(c)) == OpRole::Assign && graph.node(c)->name.ends_with("/Assign"); };
    if (std::all_of(n->controls.begin(), n->controls.end(), initialises)) names += (names.empty() ? "" : " or ") + n->name;
  }
  if (!job.init.empty()) error.message += "; --init " + job.init + " does not give it one";
  else
    error.message += names.empty() ? "; --restore PREFIX gives variables the values of a checkpoint"
                                   : "; --init " + names + " or --restore PREFIX gives variables their values first";
  return error;
}

Status execute(Job job) {
  WEFT_LET(const RunSource source, openRunSource(job.graphPath, job.tags, job.signature));
  const MetaGraph& meta = source.meta;
  for (std::string& feed : job.feeds) feed = byInputs(source.signature, feed);
  if (job.fetches.empty() && job.targets.empty())
    for (const auto& [key, tensor] : source.signature.outputs) job.fetches.push_back(key);
  job.shown = job.fetches;
  for (std::string& fetch : job.fetches) fetch = byOutputs(source.signature, fetch);
  WEFT_LET(const auto feeds, parseFeeds(job.feeds, meta.graph));
  WEFT_LET(const auto session, Session::create(meta.graph, job.options));
  if (!job.init.empty()) WEFT_TRY(session->run({}, {}, {job.init}, interruptible()).status());
  WEFT_TRY(initialise(*session, source, job.restore, interruptible()));
  std::vector<Tensor> values;
  if (!job.fetches.empty() || !job.targets.empty()) {
    auto computed = runSteps(*session, job, feeds);
    if (!computed.ok()) return withAdvice(computed.error(), job, meta.graph);
    values = std::move(*computed);
  }
  if (!job.save.empty()) WEFT_TRY(saveVariables(*session, meta, job.save));
  return values.size() == job.fetches.size() ? writeValues(job, values) : Status();
}

int runRun(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--script", true}, {"--results", true}, {"--feed", true},         {"--fetch", true},   {"--target", true},
                                             {"--tls", true},    {"--init", true},    {"--restore", true},      {"--save", true},    {"--steps", true},
                                             {"--out", true},    {"--trace", true},   {"--dump", true},         {"--threads", true}, {"--precision", true},
                                             {"--device", true}, {"--without", true}, {"--memory-limit", true}, {"--tag", true},     {"--signature", true}});
  if (!parsed.ok()) return usageError("run", parsed.error().message);
  const Arguments& args = *parsed;
  useTlsFolder(args);
  const auto threads = args.integer("--threads", 0, 1), steps = args.integer("--steps", 1, 1, kMostSteps);
  for (const auto* r : {&threads, &steps})
    if (!r->ok()) return usageError("run", r->error().message);
  Job job;
  const auto precision = precisionOption(args);
  if (!precision.ok()) return usageError("run", precision.error().message);
  job.options.threads = int(*threads);
  job.options.products = *precision;
  job.options.defaultDevice = args.value("--device").value_or("");
  job.options.disabledPasses = args.values("--without");
  job.options.connecting = interruption();
  const auto memoryLimit = args.memoryLimit();
  if (!memoryLimit.ok()) return usageError("run", memoryLimit.error().message);
  job.options.memoryLimitBytes = *memoryLimit;
  catchInterrupts();
  if (const auto script = args.value("--script")) {
    if (!args.has("--results") || !args.positional().empty()) return usageError("run", "--script needs --results and no GRAPH");
    return runScript(*script, *args.value("--results"), job.options);
  }
  if (args.positional().size() != 1) return usageError("run", "one GRAPH is needed");
  job.graphPath = args.positional()[0];
  job.tags = args.values("--tag");
  job.signature = args.value("--signature");
  job.feeds = args.values("--feed");
  job.fetches = args.values("--fetch");
  if (!splitTargets(args.values("--target"), &job.targets, &job.options.target)) return usageError("run", "--target names two servers");
  if (*memoryLimit > 0 && !job.options.target.empty()) return usageError("run", "--memory-limit is for steps of this process, not of a server");
  job.init = args.value("--init").value_or("");
  job.restore = args.value("--restore").value_or("");
  job.save = args.value("--save").value_or("");
  job.out = args.value("--out").value_or("");
  job.trace = args.value("--trace").value_or("");
  job.dump = args.value("--dump").value_or("");
  if (!job.dump.empty() && !job.options.target.empty()) return usageError("run", "--dump is for steps of this process: the server of --target has the tensors");
  if (!job.dump.empty() && !job.trace.empty()) return usageError("run", "--dump and --trace exclude each other: a dumped step has no usual times");
  job.steps = *steps;
  if (Status s = execute(job); !s.ok()) return complain(s.error(), interrupted() ? kInterrupted : kFailed);
  return interrupted() ? kInterrupted : kDone;
}

}  // namespace

extern const Command kRunCommand;
const Command kRunCommand = {"run", "run a graph, or a script of sessions and runs", kRunUsage, runRun};

}  // namespace weft::cli
