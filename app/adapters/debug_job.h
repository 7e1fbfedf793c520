// A run of the engine under its debugger, on its own thread, controlled and observed from the GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/queue_facts.h"
#include "tensor_view/tensor_source.h"
#include "tensor_view/value_plots.h"
#include "weft/debug_terms.h"

namespace weft {
class DebugControl;
}

namespace weft::app {

/// What to run in the debugger.
struct DebugRequest {
  bool train = false;            ///< Steps of the document's training, else one run of `fetches` and `targets`.
  qint64 steps = 1;              ///< Number of training steps.
  QStringList fetches, targets;  ///< Tensors and nodes; both empty: every node whose results nothing uses.
  QStringList feeds;             ///< "x:0=VALUE"
  QString init;                  ///< Node that initialises variables; empty: the document's, or one called `init`.
  QString server;                ///< "grpc://host:port" that computes the run; empty: this process.
  QString documentFolder;        ///< For the relative paths of a document.
};

class StepInterceptor;

/// Where the run is: the engine's view of it, and what the window adds.
struct DebugState : DebugView {
  QString failure;  ///< Of a run that has ended, for display.
  QString failedNode;
  bool ofTraining = false;  ///< A step of a concurrent training, which waits while this is stopped.
  bool ofProgram = false;   ///< A step of a Python program that runs at the same time.
  QVector<quint8> tints;    ///< widgets::NodeTint of each node of the document's arrays.

  QString node() const { return QString::fromStdString(stop.name); }
  QString op() const { return QString::fromStdString(stop.op); }
  /// Of a cluster, that computes the op: "/job:ps/task:0"; empty: this process.
  QString task() const { return shortTask(stop.task); }
  /// The innermost loop around the op, or null.
  const LoopPlace* loop() const { return stop.loops.empty() ? nullptr : &stop.loops.back(); }
  /// Why it cannot step back; empty: it can.
  QString noWayBack() const { return QString::fromStdString(whyNotBack); }
  /// Tensors and variables whose values were changed by hand.
  QStringList changed() const;
  /// Tasks whose ops run without stopping.
  QStringList tasksApart() const;
  /// "/job:ps/task:0" of "/job:ps/replica:0/task:0".
  static QString shortTask(const std::string& task) { return QString::fromStdString(task).remove(QStringLiteral("/replica:0")); }
};

/// A tensor on the path back to the origin of a NaN.
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

/// Inputs and, once computed, outputs of the current op.
struct DebugPorts {
  QVector<DebugOrigin> inputs, outputs;  ///< `op`: the op that computed an input.
};

/// The value on a wire near the current op.
struct DebugWireValue {
  DebugOrigin value;
  QString node;  ///< The node that reads the wire; with `output`, the node that produces it.
  int port = 0;
  bool output = false;
};

/// The values of one tensor of the innermost loop, one for each kept iteration.
struct DebugLoopValues {
  QString tensor;
  QVector<widgets::ValueMoment> moments;
};

/// A value and where it was computed.
struct DebugTensor {
  std::shared_ptr<const widgets::TensorSource> source;
  std::vector<LoopPlace> loops;
  QVector<widgets::ValueMoment> moments;  ///< Of the kept iterations; empty outside loops.
  QString error;                          ///< Why there is no value.
};

/// A debugged run. It has its own thread, or uses the training's thread if it is attached to a training. No method waits for the engine, except the destructor,
/// so ask hasEnded() first. Methods return an error in one line, or empty.
class DebugJob {
 public:
  /// `changed` and the log's lines are called on the engine's thread.
  DebugJob(GraphContentsPtr contents, DebugRequest request, const std::vector<Breakpoint>& breakpoints, bool stopAtEntry, std::function<void()> changed);
  /// For the next `steps` steps of a training that attaches interceptor(); stops before the first op.
  static std::shared_ptr<DebugJob> ofTraining(GraphContentsPtr contents, qint64 steps, const std::vector<Breakpoint>& breakpoints,
                                              std::function<void()> changed);
  /// For the repetition of a failed step: runs to the failure or the first NaN without stopping, records the state there, and ends.
  static std::shared_ptr<DebugJob> afterFailure(GraphContentsPtr contents, bool nan);
  /// For a step of a Python program in its own process; see ProgramLink.
  static std::shared_ptr<DebugJob> ofProgram(GraphContentsPtr contents, std::shared_ptr<DebugControl> debugger);
  ~DebugJob();
  std::shared_ptr<StepInterceptor> interceptor() const;

  const GraphContentsPtr& contents() const;
  QString command(DebugCommand command);
  QString stepBack(qint64 ops);
  QString goToIteration(qint64 iteration);
  QString runTo(const QString& place);
  void pause();
  /// Ends the run. A step of a training or a program still runs to its end.
  void stop();
  /// Whether the thread has ended.
  bool hasEnded() const;

  DebugState state() const;
  QStringList takeLog();
  /// Queues of this job's own run that exist so far; also available after its end.
  QVector<QueueFacts> queues() const;
  /// Sets `breakpoint.id`.
  QString setBreakpoint(Breakpoint& breakpoint);
  void removeBreakpoint(int id);
  std::vector<Breakpoint> breakpoints() const;

  /// `tensor`: "h:0", a variable "w", or a part of one, "h:0[1,2]". An empty text restores a whole tensor's computed value.
  /// Asks the server if `state().task()` is not empty, so not on the GUI thread then.
  QString setValue(const QString& tensor, const QString& text);
  QString evaluate(const QString& expression, bool* ok) const;
  bool tensorJson(const QString& name, QString* json, QString* error) const;
  enum class Which { Present, PreviousIteration, PreviousRun, IterationChange, RunChange };
  /// Computes the statistics and the tensor's source in the call, which is slow for a large tensor. Any thread.
  DebugTensor tensor(const QString& name, Which which = Which::Present) const;
  /// Any thread.
  DebugPorts ports() const;
  /// Inputs and outputs of the current op, then inputs of the ops before it, nearest first; at most `most`. Any thread.
  QVector<DebugWireValue> wireValues(int most) const;
  /// Of the current op's ports, the one with the most kept iterations. Any thread.
  DebugLoopValues loopValues() const;
  /// Any thread.
  DebugAutopsy autopsy(const QString& tensor) const;

 private:
  struct Impl;
  explicit DebugJob(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// As weft::checkBreakpoint(), in the user's language. Returns an error in one line, or empty. `missing`: only its place is gone.
QString checkBreakpoint(const GraphContents& contents, const Breakpoint& breakpoint, bool* missing = nullptr);

}  // namespace weft::app
