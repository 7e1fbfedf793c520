// A run of the engine under its debugger, on a thread of its own, as the GUI thread commands and watches it.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/queue_facts.h"
#include "tensor_view/tensor_source.h"
#include "tensor_view/value_plots.h"

namespace weft::app {

/// What is to be run in the debugger.
struct DebugRequest {
  bool train = false;            ///< Steps of the document's training; else one run of `fetches` and `targets`.
  qint64 steps = 1;              ///< Of a training.
  QStringList fetches, targets;  ///< Tensors and nodes; both empty: everything that nothing else takes.
  QStringList feeds;             ///< "x:0=VALUE"
  QString init;                  ///< Node that initialises variables; empty: the document's, or one called `init`.
  QString documentFolder;        ///< For the relative paths of a document.
};

class RunDebugger;
class TrainingGuest;

/// As weft::Breakpoint.
struct DebugBreakpoint {
  int id = 0;
  QString place, condition, log;
  qint64 fromHit = 1, hits = 0;
  bool enabled = true;
  QString problem = {};  ///< Why it cannot be met in the graph as it is now; empty: it can.
};

/// One while loop that the run stands in.
struct DebugLoop {
  QString frame;
  qint64 iteration = 0;
};

/// Where the run stands.
struct DebugState {
  enum class Phase { Idle, Starting, Running, Stopped, Ended };
  enum class Reason { Entry, Step, Breakpoint, Reached, Pause, Failure };
  Phase phase = Phase::Idle;
  Reason reason = Reason::Step;
  QString node, op;
  bool computed = false;
  qint64 index = 0, ops = 0, step = 0;
  QVector<DebugLoop> loops;  ///< Outermost first.
  int breakpoint = 0;
  QString message;  ///< Of the stop.
  QString error;    ///< Of a run that ended.
  QString errorNode;
  QString notReached, whyNotBack;
  qint64 keptBytes = 0, keepLimit = 0;
  bool ofTraining = false;  ///< A step of the training that goes on beside: it waits while this stands still.
  bool ofProgram = false;   ///< A step of the Python program that goes on beside.
  QStringList setByHand;    ///< Tensors and variables whose values were changed.
  QVector<quint8> tints;    ///< widgets::NodeTint of each node of the document's arrays.
};

/// A tensor on the way to where a NaN comes from.
struct DebugOrigin {
  QString tensor, op, place;  ///< place: "rnn iteration 5"
  QString shape, values;      ///< values: "256 NaN", "all 0", "-3.1 … 2.8"
  QString positions, reason;
  bool isBad = false;
};
struct DebugAutopsy {
  bool found = false;
  QString summary;
  DebugOrigin origin;
  QVector<DebugOrigin> inputs, path, sources;
  QVector<qint64> batchRows, dataRows;
};

/// Inputs and, once it is computed, outputs of the op where the run stands.
struct DebugPorts {
  QVector<DebugOrigin> inputs, outputs;  ///< `op`: the op that made an input.
};

/// What lies on a wire near where the run stands.
struct DebugWireValue {
  DebugOrigin value;
  QString node;  ///< The wire's reader; its maker if `output`.
  int port = 0;
  bool output = false;
};

/// A tensor of the innermost loop in each of its iterations that are kept.
struct DebugLoopValues {
  QString tensor;
  QVector<widgets::ValueMoment> moments;
};

/// A value with where it was computed.
struct DebugTensor {
  std::shared_ptr<const widgets::TensorSource> source;
  QVector<DebugLoop> loops;
  QVector<widgets::ValueMoment> moments;  ///< Of the kept iterations; empty outside loops.
  QString error;                          ///< Why there is none.
};

enum class DebugCommand { Continue, StepOp, StepInto, StepOver, StepOut };

/// Runs beside the GUI thread. A job of its own is a thread; one that is let into a training works on that training's. No method waits for the engine; the destructor does, so ask hasEnded() first. Methods return an error in one line,
/// or an empty text.
class DebugJob {
 public:
  /// `changed` and the log's lines come from the engine's thread.
  DebugJob(GraphContentsPtr contents, DebugRequest request, const QVector<DebugBreakpoint>& breakpoints, bool stopAtEntry, std::function<void()> changed);
  /// For the next `steps` steps of a training that lets guest() in; stops before the first op.
  static std::shared_ptr<DebugJob> ofTraining(GraphContentsPtr contents, qint64 steps, const QVector<DebugBreakpoint>& breakpoints,
                                              std::function<void()> changed);
  /// For the repetition of a step that failed: goes on its own to where it fails, or to the first NaN, keeps what can be seen there, and ends.
  static std::shared_ptr<DebugJob> afterFailure(GraphContentsPtr contents, bool nan);
  /// For a step of a Python program in its own process; see ProgramLink.
  static std::shared_ptr<DebugJob> ofProgram(GraphContentsPtr contents, std::shared_ptr<RunDebugger> debugger);
  ~DebugJob();
  std::shared_ptr<TrainingGuest> guest() const;

  const GraphContentsPtr& contents() const;
  QString command(DebugCommand command);
  QString stepBack(qint64 ops);
  QString goToIteration(qint64 iteration);
  QString runTo(const QString& place);
  void pause();
  /// Ends the run; a step of a training or of a program goes on to its end.
  void stop();
  /// The thread has ended.
  bool hasEnded() const;

  DebugState state() const;
  QStringList takeLog();
  /// Queues of a run of its own, as far as it has made them; also after its end.
  QVector<QueueFacts> queues() const;
  /// Sets `breakpoint.id`.
  QString setBreakpoint(DebugBreakpoint& breakpoint);
  void removeBreakpoint(int id);
  QVector<DebugBreakpoint> breakpoints() const;

  /// `tensor`: "h:0", a variable "w", or a part of one, "h:0[1,2]". An empty text gives a whole tensor its own value back.
  QString setValue(const QString& tensor, const QString& text);
  QString evaluate(const QString& expression, bool* ok) const;
  bool tensorJson(const QString& name, QString* json, QString* error) const;
  enum class Which { Present, PreviousIteration, PreviousRun, IterationChange, RunChange };
  /// Statistics are computed in the call, and so is the source of a large tensor: any thread.
  DebugTensor tensor(const QString& name, Which which = Which::Present) const;
  /// Any thread.
  DebugPorts ports() const;
  /// Inputs and outputs of the op where the run stands, then what the ops before it read, the nearest first; at most `most`. Any thread.
  QVector<DebugWireValue> wireValues(int most) const;
  /// Of the op where the run stands, the port that is kept for the most iterations. Any thread.
  DebugLoopValues loopValues() const;
  /// Any thread.
  DebugAutopsy autopsy(const QString& tensor) const;

 private:
  struct Impl;
  explicit DebugJob(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// Whether its condition and the form of its place can be understood, whatever the graph; the same.
QString checkCondition(const DebugBreakpoint& breakpoint);
/// Whether a place and a condition can be understood; an error in one line, or empty. `contents`: the place must be there.
QString checkBreakpoint(const GraphContents& contents, const DebugBreakpoint& breakpoint);

}  // namespace weft::app
