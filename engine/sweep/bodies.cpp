#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sweep/child_process.h"
#include "weft/document_parameters.h"
#include "weft/file_system.h"
#include "weft/sweep_runner.h"
#include "weft/train.h"

// What performs a run of a sweep.
namespace weft {
namespace {

constexpr int kReports = 50;  // of training steps in a run, besides those of evaluations
constexpr double kCheckpointSecs = 600;

/// The document of one run: with its parameters, and one checkpoint at most.
Result<MetaGraph> documentOf(const LoadedGraph& document, const SweepTrial& trial) {
  LoadedGraph own = document;  // nodes are shared until they are changed
  WEFT_TRY(setDocumentParameters(own.meta, own.problems, trial.parameters));
  WEFT_LET(TrainingSettings settings, trainingSettingsOf(own.meta));
  settings.checkpointEverySteps = 0;
  settings.checkpointEverySecs = kCheckpointSecs;
  settings.maxToKeep = 1;
  setTrainingSettings(own.meta, settings);
  return std::move(own.meta);
}

/// Means of the training's loss and accuracy since the last report.
class Means {
 public:
  void add(const TrainStep& s) {
    loss_ += s.loss;
    accuracy_ += s.accuracy;
    measured_ = s.accuracy >= 0;
    ++count_;
  }
  void take(SweepReport& report) {
    if (count_ == 0) return;
    report.values.emplace_back("loss", loss_ / count_);
    if (measured_) report.values.emplace_back("accuracy", accuracy_ / count_);
    loss_ = accuracy_ = 0;
    count_ = 0;
  }

 private:
  double loss_ = 0, accuracy_ = 0;
  int count_ = 0;
  bool measured_ = false;
};

std::string signalSentence(int number) {
  std::string text = "its process was ended by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  if (number == SIGKILL) text += ", perhaps because the machine ran out of memory";
  return text;
}

/// A run in a process: its lines of progress, until the output is closed.
Status follow(sweep::ChildProcess& child, SweepControl& control) {
  Status failure;
  bool told = false;
  std::string line;
  for (;;) {
    if (control.stop() && !told) {
      child.signal(SIGINT);
      told = true;
    }
    if (control.paused() && !told) {
      child.signal(SIGSTOP);
      (void)control.progress(-1, -1);  // waits
      child.signal(SIGCONT);
      continue;
    }
    const auto event = child.next(&line, std::chrono::milliseconds(100));
    if (event == sweep::ChildProcess::Event::End) return failure;
    if (event != sweep::ChildProcess::Event::Line || line.empty() || line[0] != '{') continue;
    const auto j = nlohmann::json::parse(line, nullptr, false);
    if (!j.is_object()) continue;
    if (const auto failed = j.find("failed"); failed != j.end() && failed->is_string()) {
      failure = failedPrecondition(failed->get<std::string>());
      if (j.contains("disk_full")) failure = resourceExhausted(failed->get<std::string>());
      continue;
    }
    SweepReport report;
    for (const auto& [key, value] : j.items()) {
      if (key == "step" && value.is_number()) report.step = value.get<int64_t>();
      else if (key == "total_steps" && value.is_number()) report.totalSteps = value.get<int64_t>();
      else if (value.is_number()) report.values.emplace_back(key, value.get<double>());
      else if (value.is_null()) report.values.emplace_back(key, std::nan(""));
    }
    control.needs(child.residentBytes());
    const bool on = report.values.empty() ? control.progress(report.step, report.totalSteps) : control.report(report);
    if (!on && !told) {
      child.signal(SIGINT);
      told = true;
    }
  }
}

/// Paths relative to the document's folder as absolute ones: the run's document lies elsewhere.
std::string absolutePaths(const std::string& folder, const std::string& paths) {
  std::string out;
  for (size_t begin = 0; begin <= paths.size();) {
    const size_t end = std::min(paths.find(';', begin), paths.size());
    out += (begin > 0 ? ";" : "") + posixFileSystem().resolved(joinPath(folder, paths.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

}  // namespace

void reportTraining(TrainCallbacks& callbacks, std::function<void(const SweepReport&)> report) {
  struct State {
    std::function<void(const SweepReport&)> report;
    Means means;
    int64_t total = 0, reported = 0;
  };
  const auto state = std::make_shared<State>();
  state->report = std::move(report);
  callbacks.step = [state](const TrainStep& s) {
    state->means.add(s);
    state->total = s.totalSteps;
    SweepReport report{s.step, s.totalSteps, {}};
    if (s.step - state->reported >= std::max<int64_t>(s.totalSteps / kReports, 1) || s.step == s.totalSteps) {
      state->means.take(report);
      state->reported = s.step;
    }
    state->report(report);
  };
  callbacks.evaluation = [state](const TrainEvaluation& e) {
    SweepReport report{e.step, state->total, {}};
    report.values.emplace_back("test_loss", e.loss);
    if (e.accuracy >= 0) report.values.emplace_back("test_accuracy", e.accuracy);
    state->report(report);
  };
}

SweepBody trainDocument(LoadedGraph document, std::string documentFolder, std::string device) {
  return [document = std::make_shared<const LoadedGraph>(std::move(document)), folder = std::move(documentFolder), device = std::move(device)](
             const SweepTrial& trial, SweepControl& control) -> Status {
    WEFT_LET(MetaGraph meta, documentOf(*document, trial));
    TrainOptions options;
    options.folder = folder;
    options.logFolder = trial.folder;
    options.checkpointFolder = joinPath(trial.folder, "checkpoints");
    options.resume = trial.resume;
    options.session.threads = trial.threads;
    options.session.defaultDevice = device;
    options.interrupted = &control.stop();
    reportTraining(options.callbacks, [&control](const SweepReport& report) {
      if (report.values.empty()) (void)control.progress(report.step, report.totalSteps);
      else (void)control.report(report);
    });
    WEFT_LET(const auto trainer, Trainer::create(std::move(meta), std::move(options)));
    return trainer->run();
  };
}

SweepBody trainInProcesses(std::string program, LoadedGraph document, std::string documentFolder, std::string device) {
  return [program = std::move(program), document = std::make_shared<const LoadedGraph>(std::move(document)), folder = std::move(documentFolder),
          device = std::move(device)](const SweepTrial& trial, SweepControl& control) -> Status {
    WEFT_LET(MetaGraph meta, documentOf(*document, trial));
    WEFT_LET(auto bindings, datasetBindingsOf(meta));
    for (DatasetBinding& b : bindings)
      if (!b.path.empty()) b.path = absolutePaths(folder, b.path);
    setDatasetBindings(meta, bindings);
    const std::string file = joinPath(trial.folder, "run.weft");
    WEFT_TRY(saveGraphFile(meta, GraphFormat::MetaBinary, file));
    std::vector<std::string> words = {
        program,   "train", file, "--logdir", trial.folder, "--checkpoint", joinPath(trial.folder, "checkpoints"), "--threads", std::to_string(trial.threads),
        "--report"};
    if (trial.resume) words.push_back("--resume");
    if (!device.empty()) words.insert(words.end(), {"--device", device});
    WEFT_LET(sweep::ChildProcess child, sweep::ChildProcess::start(words));
    const Status failure = follow(child, control);
    const auto ended = child.wait();
    control.needs(ended.peakBytes);
    constexpr int kInterruptedExit = 130;
    if (control.stop() && (ended.exit == kInterruptedExit || ended.signal == SIGINT)) return {};
    if (ended.signal != 0) return internalError(signalSentence(ended.signal));
    if (ended.exit == 0) return {};
    if (failure.code() == Code::ResourceExhausted) return Error(failure.error()).inFile(trial.folder);
    if (!failure.ok()) return failure;
    std::string sentence = ended.lastError;
    if (sentence.starts_with("weft: ")) sentence.erase(0, 6);
    return failedPrecondition(sentence.empty() ? "its process ended with status " + std::to_string(ended.exit) : sentence);
  };
}

bool isMaximized(std::string_view metric) {
  for (const std::string_view word : {"accuracy", "precision", "recall", "auc", "f1"})
    if (metric.find(word) != metric.npos) return true;
  return false;
}

std::pair<std::string, bool> defaultMetric(const MetaGraph& document) {
  const auto settings = trainingSettingsOf(document);
  const auto bindings = datasetBindingsOf(document);
  const bool tested = bindings.ok() && !bindings->empty() && bindings->front().validationFraction > 0;
  const bool accurate = settings.ok() && !settings->accuracy.empty();
  if (accurate) return {tested ? "test_accuracy" : "accuracy", true};
  return {tested ? "test_loss" : "loss", false};
}

}  // namespace weft
