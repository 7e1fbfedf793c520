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
#include "weft/step_recording.h"

namespace weft {

/// A scalar that the user may set during a training.
struct LiveScalar {
  std::string name, tensor;
  double value = 0, minimum = 0, maximum = 0;  ///< No limits unless minimum < maximum.
  bool logarithmic = false;
};

/// A document's training settings, its `weft/training` collection. Tensors are named "node:0", ops "node".
struct TrainingSettings {
  std::string trainOp, initOp;
  std::string loss, accuracy;                                ///< Scalar tensors; accuracy may be empty.
  std::vector<std::pair<std::string, std::string>> metrics;  ///< Display name, tensor.
  std::vector<std::string> summaries;                        ///< Tensors of serialised summaries; empty: the collection `summaries`.
  std::map<std::string, std::string> evalFeed, trainFeed;    ///< Tensor -> text of the value.
  int64_t steps = 0, epochs = 0;                             ///< Whichever is reached first; both 0: 10 epochs.
  int64_t summaryEverySteps = 10;
  int64_t checkpointEverySteps = 0;
  double checkpointEverySecs = 0;
  int64_t evalEverySteps = 0;  ///< 0: at the end of each epoch.
  int maxToKeep = 5;
  ProductPrecision precision = ProductPrecision::Float32;  ///< Of products of float32.
  std::vector<LiveScalar> live;
  std::string logFolder, checkpointFolder;  ///< Relative to the document; empty: none.
  std::string globalStep;                   ///< Tensor; empty: the collection `global_step`, if there is one.
};

/// A document's training settings. NOT_FOUND if it has no such collection, INVALID_ARGUMENT if it cannot be parsed.
WEFT_API Result<TrainingSettings> trainingSettingsOf(const MetaGraph& meta);
WEFT_API Result<std::vector<DatasetBinding>> datasetBindingsOf(const MetaGraph& meta);
/// Replaces the document's training settings or data bindings.
WEFT_API void setTrainingSettings(MetaGraph& meta, const TrainingSettings& settings);
WEFT_API void setDatasetBindings(MetaGraph& meta, const std::vector<DatasetBinding>& bindings);
/// Title and notes (`weft/document`, which also states the schema's version).
struct DocumentInfo {
  int schemaVersion = 1;
  std::string title, notes;
};
WEFT_API std::optional<DocumentInfo> documentInfoOf(const MetaGraph& meta);
WEFT_API void setDocumentInfo(MetaGraph& meta, const DocumentInfo& info);

/// Progress after a step. Callbacks are called on the training thread, which waits for them.
struct TrainStep {
  int64_t step = 0;        ///< Steps done, including those before a resume.
  int64_t totalSteps = 0;  ///< 0 if there is no end.
  int64_t epoch = 0;       ///< The current epoch, from 1.
  int64_t totalEpochs = 0;
  int64_t stepInEpoch = 0, stepsPerEpoch = 0;
  double loss = 0;
  double accuracy = -1;                             ///< Of this batch; -1 if the document has no accuracy.
  double samplesPerSecond = 0, stepsPerSecond = 0;  ///< Over the last second.
  double seconds = 0;                               ///< Since the loop started, without pauses.
};
struct TrainEvaluation {
  int64_t step = 0, epoch = 0, samples = 0;
  double loss = 0;
  double accuracy = -1;
  double seconds = 0;
};
enum class TrainState { Ready, Running, Paused, Finished, Stopped, Failed };

struct Event;

/// The 2-norm of a variable's gradient.
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
  /// All summaries of a step. Called whenever they are computed, whether or not they are also written to a file.
  std::function<void(const Event&)> summary;
  /// Norms of the gradients that a step applied, in steps in which summaries are computed.
  std::function<void(int64_t step, const std::vector<GradientNorm>& norms)> gradients;
};

/// A gradient that an optimizer's op applies to a variable.
struct AppliedGradient {
  std::string variable, tensor;
  int op = -1;  ///< The optimizer's op.
};
/// The gradients that `trainOp` applies (empty: all of the graph's), in the graph's order. Sparse ones applied by several ops (Adam's) are not included.
WEFT_API std::vector<AppliedGradient> appliedGradients(const Graph& graph, const std::string& trainOp = {});

/// A document's classifier, recognised by its cross entropy.
struct Classifier {
  std::string op;              ///< the cross entropy
  std::string logits, labels;  ///< tensors
  int64_t classes = 0;
  bool sparse = true;  ///< labels are numbers, not rows of probabilities
};
/// The cross entropy behind `loss` (a tensor); empty if there is none with a known number of classes.
WEFT_API std::optional<Classifier> classifierOf(const Graph& graph, const std::string& loss);

/// A classifier's results on the evaluation part.
struct ClassEvaluation {
  struct Sample {
    int64_t row = 0;  ///< index in the evaluation part
    int label = 0, predicted = 0;
    double probability = 0;  ///< of the predicted class
    double labelProbability = 0;
    double loss = 0;            ///< −log of the label's probability
    std::vector<float> values;  ///< the values fed for it
  };
  int64_t step = 0, samples = 0;
  int classes = 0;
  std::vector<int64_t> confusion;  ///< [label × classes + predicted]
  double accuracy = 0, loss = 0;
  std::vector<Sample> worst;  ///< by loss, worst first; at least one per off-diagonal cell of the matrix
  std::vector<int64_t> sampleShape;
};

/// What a tensor is for each sample of the evaluation part.
struct SampleOutputs {
  int64_t step = 0;
  Tensor values;                       ///< [samples, …], of the tensor's type.
  Tensor inputs;                       ///< [samples, …], as fed to the placeholder from which the logits are computed; no value if there is no classifier.
  std::vector<int> labels, predicted;  ///< Of a classifier; else empty.
};

/// Tensors that a few steps of a training fetch as well.
struct TrainProbe {
  std::vector<std::string> tensors;
  /// Whether step `step` (from 1) fetches them. On the training thread, like values().
  std::function<bool(int64_t step)> wanted;
  /// Their values in that step, and the session after it.
  std::function<void(int64_t step, const std::vector<Tensor>& values, Session& session)> values;
};

/// The caller's choices, in addition to the document.
struct TrainOptions {
  std::string folder;                    ///< The document's folder, for relative paths.
  std::optional<int64_t> steps, epochs;  ///< Instead of the document's. Setting one disables the other.
  std::optional<std::string> logFolder, checkpointFolder;
  bool resume = false;                                   ///< Continue from the newest checkpoint, if there is one.
  std::string resumeFrom;                                ///< Prefix of a checkpoint of this document to continue from; overrides `resume`.
  int patience = 0;                                      ///< Stop after this many evaluations without a new best loss; 0: never.
  std::vector<std::pair<std::string, std::string>> set;  ///< Settings, live scalars or tensors by name, as text.
  /// Values for variables of the same name, type and shape, applied after initialising, and the step that they are from.
  std::map<std::string, Tensor> carried;
  int64_t carriedStep = 0;
  SessionOptions session;
  /// Called on the training thread before step `step` (from 1). May add observers, a trace or a StepController to its run.
  std::function<void(int64_t step, RunOptions& run)> prepareRun;
  /// Called on the training thread when step `step` failed. Return true to compute it again with `run`, for example under a controller that finds the cause.
  /// Variables are as the failed run left them; a run that failed before the updates changed none. Random streams are restored to before the step only if
  /// `prepareRun` gave it observers; other steps pay nothing for this.
  std::function<bool(int64_t step, const Status& status, RunOptions& run)> retryStep;
  /// The report of a step for which `prepareRun` asked for a trace.
  std::function<void(int64_t step, const RunReport& report)> stepReport;
  TrainProbe probe;
  StepRecording recording;
  const std::atomic<bool>* interrupted = nullptr;  ///< Not owned. Stops the loop once true. A signal handler may set it.
  TrainCallbacks callbacks;
};

/// Trains a document's graph on its data.
///
/// run() does the work on the calling thread; all other methods may be called from any thread. A resumed training computes, bit for bit,
/// what an uninterrupted one would have. For this, each checkpoint has a PREFIX.weft-state with the step, the place in the shuffled data
/// and the positions of random streams.
class WEFT_API Trainer {
 public:
  /// Loads the data, creates the session, and checks names and shapes. Errors name the setting, tensor, file or column.
  static Result<std::unique_ptr<Trainer>> create(MetaGraph document, TrainOptions options);
  ~Trainer();

  /// Initialises or resumes, trains to the end or until stopped, and evaluates. Call it once. A stop is not an error.
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
  /// The training rows in the batch of the current step, in batch order; empty between steps and without data. Call it on the training
  /// thread, or while that waits in a StepController.
  std::vector<int64_t> batchRows() const;
  /// Whether the loop ended because evaluations stopped improving (TrainOptions::patience).
  bool stoppedEarly() const;
  /// Evaluates sample by sample, with the variables as they are meanwhile. Any thread, at any time; takes as long as an evaluation.
  /// FAILED_PRECONDITION if the document is not a classifier (see classifierOf) or has no evaluation data.
  Result<ClassEvaluation> evaluateClasses(int worst) const;
  /// Computes a tensor ("fc1/Relu" or "fc1/Relu:0") for the evaluation part, at most for its first `most` samples, with the variables as they are meanwhile. Any
  /// thread, at any time. NOT_FOUND; FAILED_PRECONDITION if there is no evaluation data, or the tensor has not one row for each sample.
  Result<SampleOutputs> evaluateTensor(const std::string& tensor, int64_t most) const;
  /// Class probabilities of samples, row by row. Each row of `samples` has its numbers in the order of the data placeholder's inner dims.
  /// Any thread, at any time. INVALID_ARGUMENT says how many numbers a sample has.
  Result<std::vector<double>> predict(const std::vector<float>& samples) const;
  /// Dims of one sample for the data placeholder, e.g. [64] or [28,28,1]; empty if there is none.
  std::vector<int64_t> sampleShape() const;
  /// The last evaluation, if there was one.
  std::optional<TrainEvaluation> lastEvaluation() const;
  /// Prefix of the last checkpoint written or resumed from; empty if none.
  std::string lastCheckpoint() const;
  /// The plan of a step for display; empty before the first step.
  std::string explainStep() const;
  std::string logFolder() const;  ///< Folder of the event files; empty: none are written.
  /// Computes recorded steps again. Any thread, also after the training; what it returns sees the steps that follow. FAILED_PRECONDITION says why there are none.
  Result<std::unique_ptr<StepReplay>> replay() const;
  RecordedSteps recordedSteps() const;
  int64_t trainingSamples() const;
  int64_t evaluationSamples() const;

 private:
  friend class StepReplay;
  Trainer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Saves a session's variables as a checkpoint, with the graph's own saver if it has one, else every initialised variable under its name.
WEFT_API Status saveVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files = posixFileSystem());
/// Restores a session's variables, with the graph's own saver if it has one, else by name. If an object-based checkpoint lacks a key, variables are restored by
/// the full names that it states, as tf.train.Saver does. NOT_FOUND and INVALID_ARGUMENT name the checkpoint, the
/// variable, and what was expected.
WEFT_API Status restoreVariables(Session& session, const MetaGraph& meta, const std::string& prefix, FileSystem& files = posixFileSystem());

}  // namespace weft
