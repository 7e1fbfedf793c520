#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/debugger.h"
#include "weft/doctor.h"
#include "weft/edit.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/inspect.h"
#include "weft/model_import.h"
#include "weft/op_traits.h"
#include "weft/recipes.h"
#include "weft/sweep_runner.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

constexpr const char* kTrainUsage =
    "usage: weft train DOCUMENT [--steps N|--epochs N] [--logdir DIR] [--checkpoint DIR] [--resume] [--device D] [--threads N]\n"
    "                  [--memory-limit SIZE]\n"
    "                  [--data DATA [--bind PLACEHOLDER=COLUMN]…] [--set name=value]… [--precision P] [--watch-nan] [--doctor] [--target grpc://HOST:PORT [--tls FOLDER]]\n"
    "                  [--report]\n\n"
    "Trains a document (.weft, .weft.pbtxt, .meta) or a compiled Keras model (.h5) on its data, as its training settings say. A progress bar on a\n"
    "terminal, one line per epoch elsewhere. Ctrl-C stops after the current step and saves a checkpoint if there is a folder for them.\n\n"
    "  --data DATA        train on these data instead: a file (.npz, .npy, .mat, .csv, .libsvm, .tfrecord, …), a folder of pictures, or the name of built-in ones (digits, …)\n"
    "  --bind P=COLUMN    the column that the placeholder P is fed with; without it, by name, else inputs and targets in the order of the columns\n"
    "  --logdir DIR       write event files (for `weft inspect` and TensorBoard) there\n"
    "  --checkpoint DIR   write checkpoints there\n"
    "  --resume           go on from the newest checkpoint, with the very numbers of a training that was not interrupted\n"
    "  --target grpc://…  the TensorFlow server that runs the steps; data, event files and checkpoints stay here\n"
    "  --tls FOLDER       encrypts the connection to a Weft server; see weft server --help\n"
    "  --precision P      float32, or bf16: operands of matrix products and convolutions are rounded to bfloat16, products are added up in float32,\n"
    "                     and everything else stays float32. Faster on processors with AMX, slower on others; small products are not rounded\n"
    "  --set NAME=VALUE   a setting (batch_size, seed, shuffle, validation_fraction, summary_every_steps, checkpoint_every_steps,\n"
    "                     checkpoint_every_secs, eval_every_steps, max_to_keep, precision), a live scalar of the document, or a tensor to feed\n"
    "  --memory-limit SIZE  of a step's tensors with all variables, constants and fed values, such as 2G, 512M or 1000000 (bytes): a step that would\n"
    "                     need more computes values of its first half a second time instead of keeping them, with the same results; it is refused\n"
    "                     if even that is not enough. What single ops need while they compute, input pipelines and the program are not counted\n"
    "  --report           progress as lines of JSON on standard output, for programs: step, total_steps, loss, accuracy, test_loss, test_accuracy as they\n"
    "                     become known, at last the sentence of a failure (failed; disk_full)\n"
    "  --watch-nan        look at every value of every step; end with exit status 1, the first tensor that holds a NaN, and where it comes from\n"
    "  --doctor           say what goes wrong while it trains: gradients that vanish or explode, dead and saturated units, a loss that is stuck, overfitting\n"
    "                     (weft check --rules lists all). At most 3 % of the time goes into it (a quarter of a second at least); weft check looks before the first step\n";

/// The progress display on stderr during training.
class Progress {
 public:
  void step(const TrainStep& s) {
    if (!terminal_) return;
    const bool ends = s.totalSteps > 0 && s.step == s.totalSteps;
    const auto now = std::chrono::steady_clock::now();
    if (!ends && now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    constexpr int kWidth = 24;
    const int filled = s.totalSteps > 0 ? int(double(s.step) / double(s.totalSteps) * kWidth) : 0;
    std::string bar;
    for (int i = 0; i < kWidth; ++i) bar += i < filled ? "▓" : "░";
    const double left = s.stepsPerSecond > 0 ? double(s.totalSteps - s.step) / s.stepsPerSecond : 0;
    std::fprintf(stderr, "\repoch %lld/%lld %s %lld/%lld  loss %.4f%s  %.0f samples/s  %d:%02d left \x1b[K", (long long)s.epoch, (long long)s.totalEpochs,
                 bar.c_str(), (long long)s.step, (long long)s.totalSteps, s.loss, accuracyText(s.accuracy).c_str(), s.samplesPerSecond, int(left) / 60,
                 int(left) % 60);
    open_ = true;
  }

  void epochEnd(const TrainStep& s) {
    clear();
    std::fprintf(stderr, "epoch %lld/%lld  step %lld  loss %.4f%s%s  %.0f samples/s  %.1f s\n", (long long)s.epoch, (long long)s.totalEpochs, (long long)s.step,
                 s.loss, accuracyText(s.accuracy).c_str(), evaluated_.c_str(), s.samplesPerSecond, s.seconds);
    evaluated_.clear();
  }

  void evaluation(const TrainEvaluation& e) {
    char text[96];
    std::snprintf(text, sizeof(text), "  test loss %.4f", e.loss);
    evaluated_ = text;
    if (e.accuracy >= 0) {
      std::snprintf(text, sizeof(text), "  test accuracy %.1f %%", 100 * e.accuracy);
      evaluated_ += text;
    }
  }

  void clear() {
    if (open_) std::fputs("\r\x1b[K", stderr);
    open_ = false;
  }

 private:
  static std::string accuracyText(double accuracy) {
    if (accuracy < 0) return {};
    char text[48];
    std::snprintf(text, sizeof(text), "  accuracy %.3f", accuracy);
    return text;
  }

  const bool terminal_ = stderrIsTerminal();
  bool open_ = false;
  std::chrono::steady_clock::time_point drawn_;
  std::string evaluated_;
};

/// Copies the process's interrupt flag to the trainer's, step by step.
struct InterruptFlag {
  std::atomic<bool> set{false};
  void poll() {
    if (interrupted()) set.store(true, std::memory_order_relaxed);
  }
};

/// The NaN watch of `--watch-nan`: repeats the step that produced a NaN under a debugger to find its origin.
struct NanOriginSearch {
  NanWatch watch{true};
  int64_t step = 0;
  Autopsy autopsy;

  bool replay(int64_t failed, RunOptions& run) {
    if (!watch.finding() || step > 0) return false;
    step = failed;
    Debugger::Options options;
    options.stopAtEntry = options.stopAtErrors = false;
    options.changed = [this] {
      if (debugger->view().phase != DebugPhase::Stopped || autopsy.found()) return;
      autopsy = debugger->autopsy();
      debugger->stop();
    };
    debugger = std::make_unique<Debugger>(std::move(options));
    Breakpoint anyNan;
    anyNan.place = "*";
    anyNan.condition = "has nan";
    debugger->setBreakpoint(anyNan).ok();
    run.controller = debugger.get();
    return true;
  }

 private:
  std::unique_ptr<Debugger> debugger;
};

/// The data that are asked for, instead of the document's.
struct DataChoice {
  std::string source;
  std::vector<std::string> bindings;  ///< "PLACEHOLDER=COLUMN"
};

/// The binding of the data by the placeholders' names, or in the order of placeholders and columns.
Status chooseData(MetaGraph& meta, const DataChoice& choice) {
  DatasetBinding binding;
  const size_t dot = choice.source.rfind('.');
  if (dot == std::string::npos && choice.source.find('/') == std::string::npos) {
    binding.builtin = choice.source;
  } else {
    binding.kind = dataKindOf(choice.source);
    binding.path = std::filesystem::absolute(choice.source).string();  // not relative to the document
  }
  for (const std::string& word : choice.bindings) {
    const size_t equals = word.find('=');
    if (equals == word.npos || equals == 0) return invalidArgument("--bind ", word, ": expected PLACEHOLDER=COLUMN");
    binding.placeholders[word.substr(0, equals)] = word.substr(equals + 1);
  }
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  const Status byName = layers.bindData(binding, "");
  if (byName.ok() || !binding.placeholders.empty()) return byName;
  WEFT_LET(const Dataset data, loadDataset(binding, ""));
  std::vector<std::string> fed;
  for (int id = 0; id < meta.graph.size(); ++id)
    if (const Node* n = meta.graph.node(id); n && isPlaceholder(*n)) fed.push_back(n->name + ":0");
  if (fed.size() != data.columns.size()) return byName;
  std::string chosen;
  for (size_t i = 0; i < fed.size(); ++i) {
    binding.placeholders[fed[i]] = data.columns[i].first;
    chosen += (i > 0 ? ", " : "") + fed[i] + "=" + data.columns[i].first;
  }
  WEFT_TRY(layers.bindData(binding, ""));
  std::cerr << "columns in their order: " << chosen << "\n";
  return {};
}

/// A document, or the graph of a model of another format. FAILED_PRECONDITION says why such a model cannot be trained.
Result<MetaGraph> openDocument(const std::string& path) {
  const FileKind* kind = isGraphFile(path) ? nullptr : fileKindOf(path);
  if (!kind || !kind->hasGraph || std::string_view(kind->name) == "savedmodel") {
    WEFT_LET(auto loaded, loadGraphFile(path));
    return std::move(loaded.meta);
  }
  std::vector<std::string> warnings;
  WEFT_LET(auto loaded, openModelGraph(path, &warnings));
  if (!trainingSettingsOf(loaded.meta).ok()) {
    std::string why = "its file has no loss and no optimizer; in Keras, compile() sets them";
    for (const std::string& warning : warnings)
      if (warning.starts_with(kTrainingLeftOut)) why = warning.substr(std::string_view(kTrainingLeftOut).size());
    return failedPrecondition("the model cannot be trained: ", why).inFile(path);
  }
  for (const std::string& warning : warnings) std::cerr << "weft: warning: " << path << ": " << warning << "\n";
  return std::move(loaded.meta);
}

/// `--report`: one line per report, progress alone at most ten times a second.
class Reports {
 public:
  void operator()(const SweepReport& report) {
    const auto now = std::chrono::steady_clock::now();
    if (report.values.empty() && now - told_ < std::chrono::milliseconds(100)) return;
    told_ = now;
    nlohmann::ordered_json line{{"step", report.step}, {"total_steps", report.totalSteps}};
    for (const auto& [name, value] : report.values) line[name] = value;  // not a number: null
    std::cout << line.dump() << std::endl;
  }
  static void failed(const Error& error) {
    nlohmann::ordered_json line{{"failed", (error.node.empty() ? "" : error.node + ": ") + error.message}};
    if (error.code == Code::ResourceExhausted && !error.file.empty()) line["disk_full"] = true;
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }

 private:
  std::chrono::steady_clock::time_point told_;
};

int train(const std::string& path, TrainOptions options, const DataChoice& data, bool watchNan, bool reports, bool callsDoctor) {
  auto loaded = openDocument(path);
  if (!loaded.ok()) return complain(loaded.error());
  options.folder = folderOf(path);
  if (!data.source.empty()) {
    if (const Status chosen = chooseData(*loaded, data); !chosen.ok()) return complain(Error(chosen.error()).inFile(path));
  }
  Progress progress;
  InterruptFlag interrupt;
  NanOriginSearch search;
  if (watchNan) {
    options.prepareRun = [&](int64_t, RunOptions& run) { run.observers.push_back(&search.watch); };
    options.retryStep = [&](int64_t step, const Status&, RunOptions& run) { return search.replay(step, run); };
  }
  options.interrupted = &interrupt.set;
  options.callbacks.step = [&](const TrainStep& s) {
    interrupt.poll();
    progress.step(s);
  };
  options.callbacks.epochEnd = [&](const TrainStep& s) { progress.epochEnd(s); };
  options.callbacks.evaluation = [&](const TrainEvaluation& e) { progress.evaluation(e); };
  if (reports) {
    reportTraining(options.callbacks, Reports());
    options.callbacks.step = [&interrupt, report = std::move(options.callbacks.step)](const TrainStep& s) {
      interrupt.poll();
      report(s);
    };
    options.callbacks.epochEnd = nullptr;
  }
  std::unique_ptr<TrainingDoctor> doctor;
  if (callsDoctor) {
    doctor = std::make_unique<TrainingDoctor>(*loaded);
    doctor->attach(options);
    doctor->setListener([&](const DoctorFinding& f) {
      progress.clear();
      std::cerr << doctorReport(f);
    });
  }
  const bool resume = options.resume;
  auto trainer = Trainer::create(std::move(*loaded), std::move(options));
  if (!trainer.ok() && reports) Reports::failed(trainer.error());
  if (!trainer.ok()) return complain(Error(trainer.error()).inFile(path));
  Trainer& t = **trainer;
  std::fprintf(stderr, "%s: %lld samples for training, %lld for testing\n", path.c_str(), (long long)t.trainingSamples(), (long long)t.evaluationSamples());
  const Status status = t.run();
  progress.clear();
  if (doctor) {
    std::fprintf(stderr, "doctor: %zu finding%s, %lld steps measured, %.1f %% of the time\n", doctor->findings().size(),
                 doctor->findings().size() == 1 ? "" : "s", (long long)doctor->measuredSteps(), 100 * doctor->cost());
  }
  if (const auto nan = search.watch.finding()) {
    return complain(
        invalidArgument(nan->tensor, " (", nan->op, ") holds NaN in step ", search.step, ", expected finite values. ", search.autopsy.summary).inFile(path));
  }
  if (!status.ok() && reports) Reports::failed(status.error());
  if (!status.ok()) return complain(status.error());
  if (resume && t.step() == 0) std::fputs("no checkpoint to resume from\n", stderr);
  if (reports) return t.state() == TrainState::Stopped && interrupted() ? kInterrupted : kDone;
  if (!t.lastCheckpoint().empty()) std::cout << "checkpoint " << t.lastCheckpoint() << "\n";
  if (!t.logFolder().empty()) std::cout << "event files " << t.logFolder() << "\n";
  if (t.state() == TrainState::Stopped) {
    std::cout << "stopped at step " << t.step() << std::endl;
    return interrupted() ? kInterrupted : kDone;
  }
  if (const auto e = t.lastEvaluation()) {
    char text[64];
    if (e->accuracy >= 0) std::snprintf(text, sizeof(text), "test accuracy %.1f %%", 100 * e->accuracy);
    else std::snprintf(text, sizeof(text), "test loss %.6g", e->loss);
    std::cout << text << std::endl;
  }
  return kDone;
}

int runTrain(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--steps", true},
                                             {"--epochs", true},
                                             {"--logdir", true},
                                             {"--checkpoint", true},
                                             {"--resume", false},
                                             {"--device", true},
                                             {"--threads", true},
                                             {"--precision", true},
                                             {"--data", true},
                                             {"--bind", true},
                                             {"--set", true},
                                             {"--target", true},
                                             {"--tls", true},
                                             {"--memory-limit", true},
                                             {"--report", false},
                                             {"--watch-nan", false},
                                             {"--doctor", false}});
  if (!parsed.ok()) return usageError("train", parsed.error().message);
  const Arguments& args = *parsed;
  useTlsFolder(args);
  if (args.positional().size() != 1) return usageError("train", "one DOCUMENT is needed");
  if (args.has("--steps") && args.has("--epochs")) return usageError("train", "--steps and --epochs exclude one another");
  const auto steps = args.integer("--steps", 1, 1, kMostSteps), epochs = args.integer("--epochs", 1, 1, kMostSteps), threads = args.integer("--threads", 0, 1);
  for (const auto* r : {&steps, &epochs, &threads})
    if (!r->ok()) return usageError("train", r->error().message);
  TrainOptions options;
  if (args.has("--steps")) options.steps = *steps;
  if (args.has("--epochs")) options.epochs = *epochs;
  const auto precision = precisionOption(args);
  if (!precision.ok()) return usageError("train", precision.error().message);
  options.session.threads = int(*threads);
  options.session.defaultDevice = args.value("--device").value_or("");
  if (args.has("--precision")) options.set.emplace_back("precision", precisionName(*precision));
  std::vector<std::string> ops;
  if (!splitTargets(args.values("--target"), &ops, &options.session.target) || !ops.empty())
    return usageError("train", "--target is one server, as grpc://HOST:PORT");
  if (!options.session.target.empty() && args.has("--doctor")) return usageError("train", "--doctor looks at values in this process, not on a server");
  if (!options.session.target.empty() && args.has("--watch-nan")) return usageError("train", "--watch-nan looks at values in this process, not on a server");
  const auto memoryLimit = args.memoryLimit();
  if (!memoryLimit.ok()) return usageError("train", memoryLimit.error().message);
  if (*memoryLimit > 0 && !options.session.target.empty()) return usageError("train", "--memory-limit is for steps of this process, not of a server");
  options.session.memoryLimitBytes = *memoryLimit;
  options.session.connecting = interruption();
  options.logFolder = args.value("--logdir");
  options.checkpointFolder = args.value("--checkpoint");
  options.resume = args.has("--resume");
  if (args.has("--bind") && !args.has("--data")) return usageError("train", "--bind needs --data");
  for (const std::string& word : args.values("--set")) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return usageError("train", "--set " + word + ": expected NAME=VALUE");
    options.set.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  catchInterrupts();
  return train(args.positional()[0], std::move(options), {args.value("--data").value_or(""), args.values("--bind")}, args.has("--watch-nan"),
               args.has("--report"), args.has("--doctor"));
}

}  // namespace

extern const Command kTrainCommand;
const Command kTrainCommand = {"train", "train a document on its data", kTrainUsage, runTrain};

}  // namespace weft::cli
