#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/sweep_report.h"
#include "weft/document_parameters.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/sweep_runner.h"

namespace weft::cli {
namespace {

constexpr const char* kSweepUsage =
    "usage: weft sweep DOCUMENT --param NAME=SPACE… [--method M] [--runs N] [--seed N] [--metric NAME [--maximize|--minimize]] [--stop RULE] [options] [--json]\n"
    "       weft sweep DOCUMENT --resume [--runs N] [options] [--json]\n"
    "       weft sweep DOCUMENT|STORE --show [--where FILTER]… [--sort COLUMN [--descending]] [--group COLUMN] [--most N] [--json]\n"
    "       weft sweep DOCUMENT --best OUT\n"
    "       weft sweep DOCUMENT|STORE --import FOLDER\n\n"
    "Trains a document many times with different parameters, several runs at once, and says which was best. Runs, parameters and metrics are kept in\n"
    "DOCUMENT-sweeps/experiments.sqlite, event files and the best run's checkpoint beside it (weft-studio's dock Experiments and TensorBoard read both).\n"
    "A run that fails is recorded with its reason, and the sweep goes on. Ctrl-C stops after the present steps; --resume goes on from there.\n\n"
    "  --param NAME=SPACE    a parameter and its values: uniform:LOW:HIGH, log:LOW:HIGH, int:LOW:HIGH, logint:LOW:HIGH, each with :N values in a grid (5), or\n"
    "                        choice:A,B,…; NAME: lr, batch_size, optimizer, seed, epochs and other settings of weft train --set, a parameter of the\n"
    "                        optimizer, a live scalar, LAYER.PARAMETER (dense_1.units), NODE.ATTRIBUTE, or a tensor to feed; see --params\n"
    "  --params              lists the parameters that the document has\n"
    "  --method M            grid (default for choices alone), random (default), sobol, or bayesian (Gaussian process, expected improvement)\n"
    "  --runs N              how many runs (16; of a grid all)\n"
    "  --seed N              of the search (1): the same seed tries the same points\n"
    "  --metric NAME         compares runs by its last value (test_accuracy, else test_loss, accuracy, loss); larger is better for accuracies,\n"
    "                        unless --maximize or --minimize says otherwise\n"
    "  --stop RULE           which runs end early: none (default), median, asha or hyperband; --eta N (3) keeps one in N, --first-share S (0.1) spares\n"
    "                        the first part of every run\n"
    "  --parallel N          runs at once (one per processor); another waits while the machine has too little free memory for it\n"
    "  --threads N           of all runs together (all processors); each run gets its share\n"
    "  --steps N, --epochs N of each run, instead of the document's\n"
    "  --set NAME=VALUE      a parameter with the same value in all runs\n"
    "  --device D            of all runs\n"
    "  --dir FOLDER          instead of DOCUMENT-sweeps\n"
    "  --in-process          train in this process, not in one per run: less memory, but a crash ends the sweep\n"
    "  --show                the runs so far; FILTER is test_loss<0.3, optimizer=Adam, status!=failed, name~run-1 …\n"
    "  --best OUT            writes the document with the parameters of the best run of its last sweep\n"
    "  --import FOLDER       reads runs in event files (also of other programs) into the store\n";

constexpr auto kPoll = std::chrono::milliseconds(50);

std::string ownProgram() {
  std::error_code problem;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::string("weft") : path.string();
}

bool isStore(const std::string& path) { return path.ends_with(".sqlite") || path.ends_with(".db"); }

/// Where the sweeps of a document, or those in a store, lie.
std::string folderFor(const Arguments& args) {
  if (const auto given = args.value("--dir")) return *given;
  const std::string& path = args.positional()[0];
  return isStore(path) ? folderOf(path) : sweepFolderOf(path);
}
std::string storeFor(const Arguments& args) { return isStore(args.positional()[0]) ? args.positional()[0] : experimentsFileOf(folderFor(args)); }

/// The last sweep that belongs to the document.
Result<ExperimentSweep> lastSweep(ExperimentStore& store) {
  WEFT_LET(const auto sweeps, store.sweeps());
  for (auto it = sweeps.rbegin(); it != sweeps.rend(); ++it)
    if (!it->document.empty()) return *it;
  return notFound("there is no sweep to continue").inFile(store.path());
}

/// --set, --steps and --epochs.
Result<SweepPoint> fixedOf(const Arguments& args) {
  SweepPoint fixed;
  for (const std::string& word : args.values("--set")) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return invalidArgument("--set ", word, ": expected NAME=VALUE");
    fixed.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  if (args.has("--steps") && args.has("--epochs")) return invalidArgument("--steps and --epochs exclude one another");
  for (const std::string name : {"steps", "epochs"}) {
    WEFT_LET(const int64_t value, args.integer("--" + name, 0, 1, kMostSteps));
    if (value > 0) fixed.emplace_back(name, std::to_string(value));
  }
  return fixed;
}

Result<SweepPlan> planOf(const Arguments& args, const MetaGraph& document) {
  SweepPlan plan;
  bool choices = true;
  for (const std::string& text : args.values("--param")) {
    WEFT_LET(SweepParameter p, sweepParameterOf(text));
    choices = choices && p.kind == SweepParameter::Kind::Choice;
    plan.parameters.push_back(std::move(p));
  }
  plan.method = choices ? SweepMethod::Grid : SweepMethod::Random;
  if (const auto name = args.value("--method")) {
    WEFT_LET(plan.method, sweepMethodNamed(*name));
  }
  WEFT_LET(const int64_t runs, args.integer("--runs", 0, 1, 1000000));
  WEFT_LET(const int64_t seed, args.integer("--seed", 1, 0));
  plan.runs = int(runs);
  plan.seed = uint64_t(seed);
  std::tie(plan.metric, plan.maximize) = defaultMetric(document);
  if (const auto metric = args.value("--metric")) {
    plan.metric = *metric;
    plan.maximize = isMaximized(*metric);
  }
  if (args.has("--maximize") && args.has("--minimize")) return invalidArgument("--maximize and --minimize exclude one another");
  if (args.has("--maximize")) plan.maximize = true;
  if (args.has("--minimize")) plan.maximize = false;
  WEFT_LET(plan.stop.kind, stopRuleNamed(args.value("--stop").value_or("none")));
  WEFT_LET(const int64_t eta, args.integer("--eta", plan.stop.eta, 2, 100));
  WEFT_LET(plan.stop.firstShare, args.number("--first-share", plan.stop.firstShare));
  if (!(plan.stop.firstShare >= 0 && plan.stop.firstShare < 1))
    return outOfRange("--first-share is ", plan.stop.firstShare, ", expected a number from 0 to below 1");
  plan.stop.eta = int(eta);
  WEFT_LET(plan.fixed, fixedOf(args));
  WEFT_TRY(checkPlan(plan));
  return plan;
}

/// The end of a sweep on stdout.
int conclude(ExperimentStore& store, const ExperimentSweep& sweep, const SweepProgress& p, bool stopped, bool json, const std::string& document) {
  const auto best = bestRunOf(store, sweep);
  const auto table = store.table(sweep.id);
  if (!table.ok()) return complain(table.error());
  const auto importance = importanceIn(**table, sweep.plan);
  if (json) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const ExperimentRun& run : (*table)->runs())
      if (const auto record = (*table)->record(run.id); record.ok()) runs.push_back(runJson(*record));
    nlohmann::ordered_json out{{"sweep", sweep.name},
                               {"store", store.path()},
                               {"folder", sweep.folder},
                               {"method", nameOf(sweep.plan.method)},
                               {"metric", sweep.plan.metric},
                               {"maximize", sweep.plan.maximize},
                               {"planned", p.total},
                               {"finished", p.finished},
                               {"stopped_early", p.stoppedEarly},
                               {"failed", p.failed},
                               {"seconds", p.seconds},
                               {"best", best.ok() ? runJson(*best) : nlohmann::ordered_json()},
                               {"importance", importanceJson(importance)},
                               {"runs", runs}};
    std::cout << out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  } else {
    std::cout << p.finished << " runs finished, " << p.stoppedEarly << " stopped early, " << p.failed << " failed\n";
    if (!importance.empty() && importance[0].share > 0) {
      std::cout << "importance:";
      for (const Importance& i : importance) std::cout << " " << i.parameter << " " << int(100 * i.share + 0.5) << " %";
      std::cout << "\n";
    }
    std::cout << "runs " << sweep.folder << "\n";
    if (best.ok()) {
      double value = 0;
      for (const auto& [name, v] : best->metrics)
        if (name == sweep.plan.metric) value = v;
      std::cout << "best " << best->run.name << "  " << sweep.plan.metric << " " << valueText(value) << "  " << pointText(best->parameters) << std::endl;
    }
  }
  if (stopped) {
    std::cerr << "stopped; go on with: weft sweep " << document << " --resume\n";
    return kInterrupted;
  }
  return best.ok() ? kDone : complain(best.error());
}

int sweepDocument(const Arguments& args, const std::string& path) {
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  const auto parallel = args.integer("--parallel", 0, 1, 4096), threads = args.integer("--threads", 0, 1);
  for (const auto* r : {&parallel, &threads})
    if (!r->ok()) return usageError("sweep", r->error().message);

  const bool resume = args.has("--resume");
  SweepPlan plan;
  if (!resume) {
    auto made = planOf(args, loaded->meta);
    if (!made.ok()) return usageError("sweep", made.error().message);
    plan = std::move(*made);
    // A misspelt name is reported before anything runs.
    LoadedGraph trial = *loaded;
    if (const Status fixed = setDocumentParameters(trial.meta, trial.problems, plan.fixed); !fixed.ok()) return complain(Error(fixed.error()).inFile(path));
    if (const Status first = setDocumentParameters(trial.meta, trial.problems, suggestPoint(plan, 0)); !first.ok() && first.code() == Code::NotFound)
      return complain(Error(first.error()).inFile(path));
  }
  const std::string folder = folderFor(args);
  if (const Status made = posixFileSystem().makeFolders(folder); !made.ok()) return complain(made.error());
  ExperimentStore::Options storeOptions;
  storeOptions.create = !resume;
  auto store = ExperimentStore::open(storeFor(args), storeOptions);
  if (!store.ok()) return complain(store.error());
  auto sweep = resume ? lastSweep(**store) : beginSweep(**store, folder, path, plan);
  if (!sweep.ok()) return complain(sweep.error());
  if (resume && args.has("--runs")) {
    const auto runs = args.integer("--runs", 0, 1, 1000000);
    if (!runs.ok()) return usageError("sweep", runs.error().message);
    sweep->plan.runs = int(*runs);
    if (const Status kept = (*store)->updatePlan(sweep->id, sweep->plan); !kept.ok()) return complain(kept.error());
  }

  const std::string documentFolder = folderOf(path), device = args.value("--device").value_or("");
  SweepBody body = args.has("--in-process") ? trainDocument(std::move(*loaded), documentFolder, device)
                                            : trainInProcesses(ownProgram(), std::move(*loaded), documentFolder, device);
  SweepDisplay display(sweep->plan.metric);
  SweepOptions options;
  options.parallel = int(*parallel);
  options.threads = int(*threads);
  options.changed = [&](const ExperimentRun& run) {
    if (run.status == ExperimentStatus::Running) return;
    SweepPoint point;
    std::optional<double> value;
    if (const auto table = (*store)->table(sweep->id); table.ok())
      if (const auto record = (*table)->record(run.id); record.ok()) {
        point = record->parameters;
        for (const auto& [name, v] : record->metrics)
          if (name == sweep->plan.metric) value = v;
      }
    display.runEnded(run, point, value);
  };
  auto runner = SweepRunner::create(**store, *sweep, std::move(body), std::move(options));
  if (!runner.ok()) return complain(runner.error());
  std::cerr << sweep->name << ": " << runsOf(sweep->plan) << " runs, " << nameOf(sweep->plan.method) << ", by " << sweep->plan.metric << "\n";
  Status status;
  std::atomic<bool> done{false};
  std::thread working([&] {
    status = (*runner)->run();
    done = true;
  });
  for (int n = 0; !done; ++n) {
    if (interrupted() && !(*runner)->stopped()) (*runner)->stop();
    if (n % 4 == 0) display.progress((*runner)->progress());
    std::this_thread::sleep_for(kPoll);
  }
  working.join();
  display.clear();
  if (!status.ok()) return complain(status.error());
  return conclude(**store, *sweep, (*runner)->progress(), (*runner)->stopped(), args.has("--json"), path);
}

int listParameters(const std::string& path, bool json) {
  const auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const DocumentParameter& p : documentParameters(loaded->meta)) {
    if (json) out.push_back({{"name", p.name}, {"value", p.value}, {"proposal", textOf(p.proposal)}});
    else std::cout << p.name << " = " << p.value << "  (" << textOf(p.proposal) << ")\n";
  }
  if (json) std::cout << out.dump() << std::endl;
  return kDone;
}

int writeBest(const Arguments& args, const std::string& path, const std::string& out) {
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  ExperimentStore::Options options;
  options.create = false;
  const auto store = ExperimentStore::open(storeFor(args), options);
  if (!store.ok()) return complain(store.error());
  const auto sweep = lastSweep(**store);
  if (!sweep.ok()) return complain(sweep.error());
  const auto best = bestRunOf(**store, *sweep);
  if (!best.ok()) return complain(best.error());
  if (const Status set = setDocumentParameters(loaded->meta, loaded->problems, best->parameters); !set.ok()) return complain(Error(set.error()).inFile(path));
  if (const Status saved = saveGraphFile(loaded->meta, loaded->format, out); !saved.ok()) return complain(saved.error());
  std::cout << best->run.name << "  " << pointText(best->parameters) << std::endl;
  return kDone;
}

int showOrImport(const Arguments& args) {
  ExperimentStore::Options options;
  options.create = args.has("--import");
  if (options.create)
    if (const Status made = posixFileSystem().makeFolders(folderFor(args)); !made.ok()) return complain(made.error());
  const auto store = ExperimentStore::open(storeFor(args), options);
  if (!store.ok()) return complain(store.error());
  if (const auto folder = args.value("--import")) {
    const auto count = importRuns(**store, *folder);
    if (!count.ok()) return complain(count.error());
    std::cerr << *count << " runs imported\n";
    if (!args.has("--show")) return kDone;
  }
  ExperimentQuery query;
  for (const std::string& text : args.values("--where")) {
    const auto filter = experimentFilterOf(text);
    if (!filter.ok()) return usageError("sweep", "--where " + filter.error().message);
    query.filters.push_back(*filter);
  }
  query.sort = args.value("--sort").value_or("");
  query.descending = args.has("--descending");
  query.group = args.value("--group").value_or("");
  if (const auto sweep = lastSweep(**store); sweep.ok()) query.metric = sweep->plan.metric;
  if (const auto metric = args.value("--metric")) query.metric = *metric;
  const auto most = args.integer("--most", 50, 1);
  if (!most.ok()) return usageError("sweep", most.error().message);
  const auto table = (*store)->table();
  if (!table.ok()) return complain(table.error());
  const auto& names = (*table)->names();
  if (std::none_of(names.begin(), names.end(), [&](const auto& n) { return n.name == query.metric; })) query.metric.clear();
  const Status printed = printTable(**table, query, *most, args.has("--json"));
  return printed.ok() ? kDone : complain(printed.error());
}

int runSweep(std::span<const std::string> raw) {
  const auto parsed =
      Arguments::parse(raw, {{"--param", true}, {"--params"},       {"--method", true}, {"--runs", true},   {"--seed", true},       {"--metric", true},
                             {"--maximize"},    {"--minimize"},     {"--stop", true},   {"--eta", true},    {"--parallel", true},   {"--threads", true},
                             {"--steps", true}, {"--epochs", true}, {"--set", true},    {"--device", true}, {"--dir", true},        {"--resume"},
                             {"--in-process"},  {"--show"},         {"--where", true},  {"--sort", true},   {"--descending"},       {"--group", true},
                             {"--most", true},  {"--best", true},   {"--import", true}, {"--json"},         {"--first-share", true}});
  if (!parsed.ok()) return usageError("sweep", parsed.error().message);
  const Arguments& args = *parsed;
  if (args.positional().size() != 1) return usageError("sweep", "one DOCUMENT is needed");
  const std::string& path = args.positional()[0];
  if (args.has("--show") || args.has("--import")) return showOrImport(args);
  if (isStore(path)) return usageError("sweep", path + ": a store is for --show and --import");
  if (args.has("--params")) return listParameters(path, args.has("--json"));
  if (const auto out = args.value("--best")) return writeBest(args, path, *out);
  if (args.has("--resume") && (args.has("--param") || args.has("--method") || args.has("--seed") || args.has("--metric") || args.has("--stop") ||
                               args.has("--set") || args.has("--steps") || args.has("--epochs")))
    return usageError("sweep", "--resume continues the sweep as it was planned: only --runs, --parallel and --threads go with it");
  if (!args.has("--resume") && !args.has("--param")) return usageError("sweep", "--param NAME=SPACE is needed, or --resume");
  catchInterrupts();
  return sweepDocument(args, path);
}

}  // namespace

extern const Command kSweepCommand;
const Command kSweepCommand = {"sweep", "trains a document many times with different parameters", kSweepUsage, runSweep};

}  // namespace weft::cli
