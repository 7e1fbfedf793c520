#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/dataset.h"
#include "weft/file_system.h"
#include "weft/session.h"

namespace weft {

/// A scalar that people may set while a training runs.
struct LiveScalar {
  std::string name, tensor;
  double value = 0, minimum = 0, maximum = 0;  ///< No limits unless minimum < maximum.
  bool logarithmic = false;
};

/// How a document is trained: its `weft/training` collection. Tensors are named "node:0", ops "node".
struct TrainingSettings {
  std::string trainOp, initOp;
  std::string loss, accuracy;                                ///< Scalar tensors; accuracy may be empty.
  std::vector<std::pair<std::string, std::string>> metrics;  ///< Shown name, tensor.
  std::vector<std::string> summaries;                        ///< Tensors of serialised summaries; empty: the collection `summaries`.
  std::map<std::string, std::string> evalFeed, trainFeed;    ///< Tensor -> text of the value.
  int64_t steps = 0, epochs = 0;                             ///< Whichever is reached first; both 0: 10 epochs.
  int64_t summaryEverySteps = 10;
  int64_t checkpointEverySteps = 0;
  double checkpointEverySecs = 0;
  int64_t evalEverySteps = 0;  ///< 0: at the end of each epoch.
  int maxToKeep = 5;
  std::vector<LiveScalar> live;
  std::string logFolder, checkpointFolder;  ///< Relative to the document; empty: none.
  std::string globalStep;                   ///< Tensor; empty: the collection `global_step`, if there is one.
};

/// What a document says of its training. NOT_FOUND if it has no such collection, INVALID_ARGUMENT if it cannot be understood.
WEFT_API Result<TrainingSettings> trainingSettingsOf(const MetaGraph& meta);
WEFT_API Result<std::vector<DatasetBinding>> datasetBindingsOf(const MetaGraph& meta);
/// Puts them into the document, in place of those that are there.
WEFT_API void setTrainingSettings(MetaGraph& meta, const TrainingSettings& settings);
WEFT_API void setDatasetBindings(MetaGraph& meta, const std::vector<DatasetBinding>& bindings);
/// Title and notes (`weft/document`, which also states the schema's version).
struct DocumentInfo {
  int schemaVersion = 1;
  std::string title, notes;
};
WEFT_API std::optional<DocumentInfo> documentInfoOf(const MetaGraph& meta);
WEFT_API void setDocumentInfo(MetaGraph& meta, const DocumentInfo& info);

/// What the loop tells; small values, called on the training thread, which waits meanwhile.
struct TrainStep {
  int64_t step = 0;        ///< Steps done, those before a resume included.
  int64_t totalSteps = 0;  ///< 0 if there is no end.
  int64_t epoch = 0;       ///< The running one, from 1 on.
  int64_t totalEpochs = 0;
  int64_t stepInEpoch = 0, stepsPerEpoch = 0;
  double loss = 0;
  double accuracy = -1;                             ///< Of this batch; -1 if the document names none.
  double samplesPerSecond = 0, stepsPerSecond = 0;  ///< Over the last second.
  double seconds = 0;                               ///< Since the loop began, without pauses.
};
struct TrainEvaluation {
  int64_t step = 0, epoch = 0, samples = 0;
  double loss = 0;
  double accuracy = -1;
  double seconds = 0;
};
enum class TrainState { Ready, Running, Paused, Finished, Stopped, Failed };

struct Event;

/// Root of the sum of squares of a variable's gradient.
struct GradientNorm {
  std::string variable;
  double norm = 0;
};

struct TrainCallbacks {
  std::function<void(const TrainStep&)> step;
  std::function<void(const TrainStep&)> epochEnd;
  std::function<void(const TrainEvaluation&)> evaluation;
  std::function<void(const std::string& prefix, int64_t step)> checkpoint;
  std::function<void(TrainState)> state;
  /// The summaries of a step, all of them; called as often as they are computed, whether or not they are also written to a file.
  std::function<void(const Event&)> summary;
  /// How large the gradients are that a step applied: in the steps in which summaries are computed.
  std::function<void(int64_t step, const std::vector<GradientNorm>& norms)> gradients;
};

/// A gradient that an optimizer's op applies to a variable.
struct AppliedGradient {
  std::string variable, tensor;
};
/// Those that `trainOp` applies (empty: all of the graph), in the graph's order. Sparse ones that are applied by more than one op (Adam's) are not among them.
WEFT_API std::vector<AppliedGradient> appliedGradients(const Graph& graph, const std::string& trainOp = {});

/// Where a document says what a sample is: its cross entropy.
struct Classifier {
  std::string op;              ///< the cross entropy
  std::string logits, labels;  ///< tensors
  int64_t classes = 0;
  bool sparse = true;  ///< labels are numbers, not rows of probabilities
};
/// The cross entropy that `loss` (a tensor) is made from; nothing if there is none with a known number of classes.
WEFT_API std::optional<Classifier> classifierOf(const Graph& graph, const std::string& loss);

/// How a classifier does on the evaluation part.
struct ClassEvaluation {
  struct Sample {
    int64_t row = 0;  ///< of the evaluation part
    int label = 0, predicted = 0;
    double probability = 0;  ///< of the predicted class
    double labelProbability = 0;
    double loss = 0;            ///< −log of the label's probability
    std::vector<float> values;  ///< what was fed for it
  };
  int64_t step = 0, samples = 0;
  int classes = 0;
  std::vector<int64_t> confusion;  ///< [label × classes + predicted]
  double accuracy = 0, loss = 0;
  std::vector<Sample> worst;  ///< by loss, worst first; of each cell of the matrix beside its diagonal at least one
  std::vector<int64_t> sampleShape;
};

/// What the caller decides beside the document.
struct TrainOptions {
  std::string folder;                    ///< Of the document, for relative paths.
  std::optional<int64_t> steps, epochs;  ///< Instead of the document's; one given switches the other off.
  std::optional<std::string> logFolder, checkpointFolder;
  bool resume = false;                                   ///< Go on from the newest checkpoint, if there is one.
  std::string resumeFrom;                                ///< Prefix of a checkpoint of this document to go on from instead; wins over `resume`.
  int patience = 0;                                      ///< Ends after so many evaluations whose loss was not below the best one; 0: never.
  std::vector<std::pair<std::string, std::string>> set;  ///< Settings, live scalars or tensors by name, as text.
  /// Values to go on from where the graph has a variable of that name, type and shape (after initialising), and the step they are of.
  std::map<std::string, Tensor> carried;
  int64_t carriedStep = 0;
  SessionOptions session;
  /// Asked on the training thread before step `step` (from 1 on): may give its run observers, a trace or a StepController.
  std::function<void(int64_t step, RunOptions& run)> prepareRun;
  /// Asked on the training thread when step `step` failed: true computes it once more under `run`, as for a controller that looks at what went wrong.
  /// Variables are then as the failed run left them (one that failed before the updates changed none), random streams as they were before the step if
  /// `prepareRun` gave it observers; that a step is repeatable costs nothing otherwise.
  std::function<bool(int64_t step, const Status& status, RunOptions& run)> retryStep;
  /// The report of a step for which `prepareRun` asked for a trace.
  std::function<void(int64_t step, const RunReport& report)> stepReport;
  const std::atomic<bool>* interrupted = nullptr;  ///< Not owned; stops the loop once true. May be set by a signal handler.
  TrainCallbacks callbacks;
};

/// Trains a document's graph on its data.
///
/// run() does the work on the calling thread; all other methods may be called from any thread. What a resumed training computes is, bit
/// for bit, what an uninterrupted one would have: beside each checkpoint lies PREFIX.weft-state with step, place in the shuffled data and
/// the positions of random streams.
class WEFT_API Trainer {
 public:
  /// Loads the data, makes the session, checks names and shapes. Errors name the setting, tensor, file or column.
  static Result<std::unique_ptr<Trainer>> create(MetaGraph document, TrainOptions options);
  ~Trainer();

  /// Initialises or resumes, trains to the end or until stopped, evaluates. May be called once. A stop is no error.
  Status run();

  void pause();  ///< After the current step.
  void resume();
  void stepOnce();           ///< One step, then paused.
  void runSteps(int64_t n);  ///< `n` steps, then paused.
  void stop();               ///< After the current step; a checkpoint is written if a folder for them is set.
  TrainState state() const;
  /// Sets a live scalar from the next step on. NOT_FOUND; OUT_OF_RANGE names the limits.
  Status setLive(const std::string& name, double value);

  const TrainingSettings& settings() const;
  Session& session();
  int64_t step() const;
  /// Rows of the training data that make up the batch of the step that is being computed, in the batch's order; empty between steps and
  /// without data. On the training thread, or while it waits in a StepController.
  std::vector<int64_t> batchRows() const;
  /// Whether the loop ended because evaluations got no better (TrainOptions::patience).
  bool stoppedEarly() const;
  /// The evaluation part sample by sample, with the variables as they are while it goes on. Any thread, at any time; takes as long as an
  /// evaluation. FAILED_PRECONDITION if the document is no classifier (see classifierOf) or has nothing to evaluate on.
  Result<ClassEvaluation> evaluateClasses(int worst) const;
  /// What the document takes samples for: for each row of `samples` (numbers in the order of the data placeholder's inner dims) the probabilities of
  /// all classes, one row after another. Any thread, at any time. INVALID_ARGUMENT says how many numbers a sample has.
  Result<std::vector<double>> predict(const std::vector<float>& samples) const;
  /// Dims of one sample as the data placeholder takes it, e.g. [64] or [28,28,1]; empty if there is none.
  std::vector<int64_t> sampleShape() const;
  /// The last evaluation, if there was one.
  std::optional<TrainEvaluation> lastEvaluation() const;
  /// Of the last checkpoint written or resumed from; empty if none.
  std::string lastCheckpoint() const;
  /// What the plan of a step became and why (for people); empty before the first step.
  std::string explainStep() const;
  std::string logFolder() const;  ///< Where event files go; empty: nowhere.
  int64_t trainingSamples() const;
  int64_t evaluationSamples() const;

 private:
  Trainer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Saves a session's variables as a checkpoint: by the graph's own saver if it has one, else every initialised variable under its name.
WEFT_API Status saveVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files = posixFileSystem());
/// Restores them: by the graph's own saver if it has one, else by their names. NOT_FOUND and INVALID_ARGUMENT name the checkpoint, the
/// variable, and what was expected.
WEFT_API Status restoreVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files = posixFileSystem());

}  // namespace weft
