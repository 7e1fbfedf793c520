#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/debugger.h"
#include "weft/file_system.h"
#include "weft/graph.h"
#include "weft/train.h"

namespace weft::cli {
namespace {

constexpr const char* kTrainUsage =
    "usage: weft train DOCUMENT [--steps N|--epochs N] [--logdir DIR] [--checkpoint DIR] [--resume] [--device D] [--threads N]\n"
    "                  [--set name=value]… [--watch-nan] [--target grpc://HOST:PORT [--tls FOLDER]]\n\n"
    "Trains a document (.weft, .weft.pbtxt, .meta) on its data, as its training settings say. A progress bar on a terminal, one line per epoch\n"
    "elsewhere. Ctrl-C stops after the current step and saves a checkpoint if there is a folder for them.\n\n"
    "  --logdir DIR       write event files (for `weft inspect` and TensorBoard) there\n"
    "  --checkpoint DIR   write checkpoints there\n"
    "  --resume           go on from the newest checkpoint, with the very numbers of a training that was not interrupted\n"
    "  --target grpc://…  the TensorFlow server that runs the steps; data, event files and checkpoints stay here\n"
    "  --tls FOLDER       encrypts the connection to a Weft server; see weft server --help\n"
    "  --set NAME=VALUE   a setting (batch_size, seed, shuffle, validation_fraction, summary_every_steps, checkpoint_every_steps,\n"
    "                     checkpoint_every_secs, eval_every_steps, max_to_keep), a live scalar of the document, or a tensor to feed\n"
    "  --watch-nan        look at every value of every step; end with exit status 1, the first tensor that holds a NaN, and where it comes from\n";

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
      if (debugger->view().phase != DebugPhase::Stopped || autopsy.found) return;
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

int train(const std::string& path, TrainOptions options, bool watchNan) {
  auto loaded = loadGraphFile(path);
  if (!loaded.ok()) return complain(loaded.error());
  Progress progress;
  InterruptFlag interrupt;
  NanOriginSearch search;
  if (watchNan) {
    options.prepareRun = [&](int64_t, RunOptions& run) { run.observers.push_back(&search.watch); };
    options.retryStep = [&](int64_t step, const Status&, RunOptions& run) { return search.replay(step, run); };
  }
  options.folder = folderOf(path);
  options.interrupted = &interrupt.set;
  options.callbacks.step = [&](const TrainStep& s) {
    interrupt.poll();
    progress.step(s);
  };
  options.callbacks.epochEnd = [&](const TrainStep& s) { progress.epochEnd(s); };
  options.callbacks.evaluation = [&](const TrainEvaluation& e) { progress.evaluation(e); };
  const bool resume = options.resume;
  auto trainer = Trainer::create(std::move(loaded->meta), std::move(options));
  if (!trainer.ok()) return complain(Error(trainer.error()).inFile(path));
  Trainer& t = **trainer;
  std::fprintf(stderr, "%s: %lld samples for training, %lld for testing\n", path.c_str(), (long long)t.trainingSamples(), (long long)t.evaluationSamples());
  const Status status = t.run();
  progress.clear();
  if (const auto nan = search.watch.finding()) {
    return complain(
        invalidArgument(nan->tensor, " (", nan->op, ") holds NaN in step ", search.step, ", expected finite values. ", search.autopsy.summary).inFile(path));
  }
  if (!status.ok()) return complain(status.error());
  if (resume && t.step() == 0) std::fputs("no checkpoint to resume from\n", stderr);
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
                                             {"--set", true},
                                             {"--target", true},
                                             {"--tls", true},
                                             {"--watch-nan", false}});
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
  options.session.threads = int(*threads);
  options.session.defaultDevice = args.value("--device").value_or("");
  std::vector<std::string> ops;
  if (!splitTargets(args.values("--target"), &ops, &options.session.target) || !ops.empty())
    return usageError("train", "--target is one server, as grpc://HOST:PORT");
  if (!options.session.target.empty() && args.has("--watch-nan")) return usageError("train", "--watch-nan looks at values in this process, not on a server");
  options.session.connecting = interruption();
  options.logFolder = args.value("--logdir");
  options.checkpointFolder = args.value("--checkpoint");
  options.resume = args.has("--resume");
  for (const std::string& word : args.values("--set")) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return usageError("train", "--set " + word + ": expected NAME=VALUE");
    options.set.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  catchInterrupts();
  return train(args.positional()[0], std::move(options), args.has("--watch-nan"));
}

}  // namespace

extern const Command kTrainCommand;
const Command kTrainCommand = {"train", "train a document on its data", kTrainUsage, runTrain};

}  // namespace weft::cli
