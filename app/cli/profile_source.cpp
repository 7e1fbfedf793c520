#include "cli/profile_source.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "cli/command.h"
#include "cli/feeds.h"
#include "weft/events.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

using Steps = std::vector<std::shared_ptr<StepTrace>>;
using Names = std::vector<std::string>;

constexpr int64_t kRunsUntilFinal = 20;  ///< After them a plan has decided which of its calls run side by side.

/// Refuses the options among `names` that were given: nothing would come of them.
Status refuse(const ProfileRun& run, std::initializer_list<std::string_view> names, std::string_view why) {
  for (const std::string& given : run.given)
    if (std::find(names.begin(), names.end(), given) != names.end()) return invalidArgument(given, " has no effect: ", why).inFile(run.path);
  return {};
}

Status refuseRunning(const ProfileRun& run) {
  return refuse(run,
                {"--feed", "--fetch", "--target", "--init", "--restore", "--steps", "--warmup", "--threads", "--precision", "--device", "--each-device",
                 "--without", "--memory-limit", "--explain", "--simulate-threads"},
                "this trace was recorded before, and nothing is run now; to run its graph, name the graph");
}

/// Adds the plan's facts on the steps in `out.trace`.
Status addPlan(const Session& session, Result<StepPlan> plan, ProfileSource& out) {
  WEFT_LET(out.plan, std::move(plan));
  describePlan(out.trace, *session.graph(), out.plan->report);
  WEFT_LET(out.roof, measureRoof(out.plan->report.rounded.empty() ? ProductPrecision::Float32 : ProductPrecision::BFloat16));
  out.floors = nodeFloors(out.trace, out.roof, &out.plan->report);
  return {};
}

Result<ProfileSource> traceTraining(MetaGraph meta, const ProfileRun& run) {
  WEFT_TRY(refuse(run, {"--feed", "--init", "--restore"}, "the document's training settings say how it is initialised and fed"));
  // The plan is final after some runs, of which traced ones do not count.
  const int64_t warmup = run.explain ? std::max(run.warmup, kRunsUntilFinal) : run.warmup;
  Steps steps;
  TrainOptions options;
  const size_t slash = run.path.rfind('/');
  options.folder = slash == std::string::npos ? "." : run.path.substr(0, slash);
  options.steps = warmup + run.steps;
  options.logFolder = options.checkpointFolder = "";
  options.session = run.options;
  options.set.emplace_back("eval_every_steps", "0");
  if (run.precisionGiven()) options.set.emplace_back("precision", precisionName(run.options.products));
  options.prepareRun = [&](int64_t step, RunOptions& r) { r.trace = step > warmup; };
  options.stepReport = [&](int64_t, const RunReport& report) { steps.push_back(report.trace); };
  WEFT_LET(auto trainer, Trainer::create(std::move(meta), options));
  WEFT_TRY(trainer->run());
  ProfileSource out;
  out.trace = traceOfSteps(steps, *trainer->session().graph(), warmup + 1);
  out.explained = trainer->explainStep();
  if (run.explain) WEFT_TRY(addPlan(trainer->session(), planOfTraining(*trainer), out));
  return out;
}

Result<ProfileSource> traceRuns(const MetaGraph& meta, const ProfileRun& run) {
  WEFT_LET(const auto feeds, parseFeeds(run.feeds, meta.graph));
  WEFT_LET(const auto session, Session::create(meta.graph, run.options));
  if (!run.init.empty()) WEFT_TRY(session->run({}, {}, {run.init}, interruptible()).status());
  if (!run.restore.empty()) WEFT_TRY(restoreVariables(*session, meta, run.restore));
  std::vector<std::string> names;
  std::vector<Tensor> fed;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    fed.push_back(value);
  }
  WEFT_LET(const Callable step, session->prepare(names, run.fetches, run.targets));
  const int64_t warmup = run.explain ? std::max(run.warmup, kRunsUntilFinal) : run.warmup;
  Steps steps;
  for (int64_t i = 0; i < warmup + run.steps && !interrupted(); ++i) {
    RunOptions options = interruptible();
    RunReport report;
    options.trace = i >= warmup;
    WEFT_TRY(step.run(fed, options, &report).status());
    if (report.trace) steps.push_back(report.trace);
  }
  ProfileSource out;
  out.trace = traceOfSteps(steps, *session->graph(), warmup + 1);
  out.explained = step.explain();
  if (run.explain) {
    const auto isStep = [&](const Names& f, const Names& t) { return f.size() == run.fetches.size() && t == run.targets; };
    WEFT_TRY(addPlan(*session, planOfStep(*session, isStep, out.explained), out));
  }
  return out;
}

/// Predicts the step on 1, 2, 4, … threads, from its nodes' times on one.
Status simulate(const ProfileRun& run, ProfileSource& out) {
  if (!out.plan || out.plan->report.calls.empty()) {
    return failedPrecondition("only a plan without control flow whose steps were timed on two or more threads can be simulated").inFile(run.path);
  }
  ProfileRun one = run;
  one.simulate = 0;
  one.options.threads = 1;
  WEFT_LET(const ProfileSource alone, profileSource(one));
  std::unordered_map<std::string_view, double> ns;
  for (const NodeFloor& f : alone.floors) ns[f.name] = f.ns / std::max(1., f.calls);
  const PlanReport& plan = out.plan->report;
  std::vector<double> times;
  for (size_t c = 0; c < plan.calls.size(); ++c) {
    const auto at = ns.find(plan.steps[size_t(plan.callSteps[c])].name);
    times.push_back(at == ns.end() ? plan.calls[c].ns : at->second);
  }
  for (int threads = 1;; threads = std::min(2 * threads, run.simulate)) {
    const Schedule s = simulatedSchedule(plan, times, threads);
    out.simulated.push_back({threads, s.ns, s.oneByOneNs});
    if (threads >= run.simulate) return {};
  }
}

/// A session run in event files, whose nodes their graph describes.
Result<ProfileSource> runInEvents(const ProfileRun& run) {
  WEFT_TRY(refuseRunning(run));
  if (run.eventRun.empty()) {
    WEFT_LET(const auto tags, eventRunTags(run.path));
    if (tags.empty()) return notFound("the events contain no session run").inFile(run.path);
    return invalidArgument("event files need --run TAG; the first tag is ", tags.front(), ", the last ", tags.back()).inFile(run.path);
  }
  WEFT_LET(const std::string bytes, readEventRun(run.path, run.eventRun));
  ProfileSource out;
  out.isFile = true;
  WEFT_LET(out.trace, readTraceBytes(bytes, run.path));
  out.trace.title = run.eventRun;
  if (!run.graphPath.empty()) {
    WEFT_LET(const auto graph, loadGraphFile(run.graphPath));
    describeNodes(out.trace, graph.meta.graph);
  } else if (auto own = readEventGraph(run.path); own.ok()) {
    const auto graph = loadGraphBytes(std::make_shared<const std::string>(std::move(*own)), run.path);
    if (graph.ok()) describeNodes(out.trace, graph->meta.graph);
  }
  return out;
}

}  // namespace

Result<ProfileSource> profileSource(const ProfileRun& run) {
  const FileKind* kind = fileKindOf(run.path);
  if (kind && (kind->name == std::string_view("events") || kind->name == std::string_view("logdir"))) return runInEvents(run);
  if (!run.eventRun.empty()) return invalidArgument("--run needs an event file, or a folder of event files").inFile(run.path);
  auto bytes = posixFileSystem().readAll(run.path, uint64_t(4) << 30);
  if (!bytes.ok()) return bytes.error().inFile(run.path);
  // Profiles of pprof are refused by the reader, which says why.
  if (looksLikeTrace(std::string_view(*bytes).substr(0, 65536)) || (kind && kind->name == std::string_view("pprof"))) {
    WEFT_TRY(refuseRunning(run));
    ProfileSource out;
    out.isFile = true;
    WEFT_LET(out.trace, readTraceBytes(*bytes, run.path));
    if (!run.graphPath.empty()) {
      WEFT_LET(const auto graph, loadGraphFile(run.graphPath));
      describeNodes(out.trace, graph.meta.graph);
    }
    return out;
  }
  WEFT_TRY(refuse(run, {"--graph"}, "this is a graph; --graph completes the nodes of a trace"));
  WEFT_LET(auto loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), run.path));
  const size_t slash = run.path.rfind('/');
  Result<ProfileSource> out = [&]() -> Result<ProfileSource> {
    if (!run.fetches.empty() || !run.targets.empty()) return traceRuns(loaded.meta, run);
    const auto training = trainingSettingsOf(loaded.meta);
    if (!training.ok() && training.error().code == Code::NotFound) {
      return invalidArgument("the graph has no training settings: say with --fetch or --target what a step is").inFile(run.path);
    }
    return traceTraining(std::move(loaded.meta), run);
  }();
  if (out.ok() && run.simulate > 0) WEFT_TRY(simulate(run, *out));
  if (out.ok()) out->trace.title = slash == std::string::npos ? run.path : run.path.substr(slash + 1);
  return out;
}

}  // namespace weft::cli
