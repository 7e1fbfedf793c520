#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <atomic>
#include <memory>
#include <vector>

#include "adapters/debug_job.h"

namespace weft::app {

class Document;
class Log;
class RunController;
class Settings;
class Tasks;

/// Debugs a run of one document at a time: starts it, controls it, and reports its position to views. Breakpoints, watches and feeds are kept per document, and
/// across sessions for files. GUI thread; nothing here waits for the engine.
class DebugController : public QObject {
  Q_OBJECT

 public:
  using Phase = DebugPhase;

  /// `settings`: store for what is kept per file.
  DebugController(Log* log, Tasks* tasks, Settings* settings, QObject* parent = nullptr);
  ~DebugController() override;

  /// The state of the run of the last start().
  const DebugState& state() const { return state_; }
  bool isActive() const { return state_.phase != Phase::Idle && state_.phase != Phase::Ended; }
  bool isStopped() const { return state_.phase == Phase::Stopped; }
  /// Whether the engine computes, or is about to: scripts wait for it.
  bool isBusy() const;
  /// The present or last debugged document; null if it was closed.
  Document* document() const { return document_; }
  /// Whether values of a run can be read, now or after its end.
  bool hasValues() const { return job_ != nullptr; }
  /// The run that has them, for readers on other threads; null if there is none.
  std::shared_ptr<const DebugJob> values() const { return job_; }
  QVector<QueueFacts> queues() const { return job_ ? job_->queues() : QVector<QueueFacts>(); }

  /// Whether a step of a training waits for the debugger.
  bool holdsTraining() const { return isStopped() && state_.ofTraining; }

  /// REQUIRES: !isActive(). Stops before the first op, or at the first breakpoint if there are any.
  void start(Document* document, DebugRequest request);
  /// Debugs the next `steps` steps of the running training; stops before their first op. REQUIRES: !isActive(), runs.isActive().
  void startWithin(RunController& runs, qint64 steps);
  /// Shows and controls a step of a Python program that is already paused. `make` gets the callback for changes. REQUIRES: !isActive().
  void follow(Document* document, const std::function<std::shared_ptr<DebugJob>(std::function<void()> changed)>& make);
  /// Releases a document that is about to be replaced; a program's step shown with it stays paused.
  void releaseDocument(const Document* document);
  /// Copies a document's breakpoints, watches and run inputs to its replacement.
  void inherit(const Document* from, Document* to);
  /// Shows the values of a failed step, unless a run is being debugged.
  void showPostMortem(Document* document, std::shared_ptr<DebugJob> values);
  // Commands; they return an error in one line, or empty.
  QString command(DebugCommand command);
  QString stepBack(qint64 ops);
  QString goToIteration(qint64 iteration);
  QString runTo(const QString& place);
  void pause();
  void stop();
  /// Releases a run that has ended, because newer values are elsewhere.
  void forget();

  // Breakpoints of a document. Those at nodes are shown as badges on its canvas.
  std::vector<Breakpoint> breakpoints(const Document* document) const;
  /// Why the document's graph can never reach this breakpoint; empty: it can.
  QString problem(const Document* document, int breakpoint) const;
  /// Changes the breakpoint of a known id; for id 0, adds one and sets the id.
  QString setBreakpoint(Document* document, Breakpoint& breakpoint);
  void removeBreakpoint(Document* document, int id);

  /// The default feeds ("x:0=VALUE" each) and fetches of a document's runs.
  struct RunInputs {
    QStringList feeds, fetches;
  };
  RunInputs runInputs(const Document* document) const;
  void setRunInputs(Document* document, const RunInputs& runInputs);
  /// Restores what was kept for a file. Called once for each document.
  void restore(Document* document);

  QStringList watches(const Document* document) const;
  void addWatch(Document* document, const QString& expression);
  void removeWatch(Document* document, const QString& expression);
  QString evaluate(const QString& expression, bool* ok) const;

  /// On a server, the error comes later: in the log, and in setError() once isBusy() is false.
  QString setValue(const QString& tensor, const QString& text);
  QString setError() const { return setError_; }
  bool tensorJson(const QString& name, QString* json, QString* error) const;
  /// The tensor that the Tensor dock shows.
  const QString& shownTensor() const { return shownTensor_; }
  void showTensor(const QString& name);
  using Which = DebugJob::Which;
  /// Reads a value on another thread; `done` gets it unless the run has moved on by then.
  void readTensor(const QString& name, Which which, std::function<void(const DebugTensor&)> done);
  /// Reads the inputs and outputs of the current op in the same way.
  void readPorts(std::function<void(const DebugPorts&)> done);
  /// Reads the values of the wires near the stop, and of the op in each iteration of its loop, in the same way.
  void readWires(int most, std::function<void(const QVector<DebugWireValue>&)> done);
  void readLoop(std::function<void(const DebugLoopValues&)> done);
  /// Evaluates expressions in the same way: texts, and whether each could be read.
  void readWatches(const QStringList& expressions, std::function<void(const QVector<QPair<QString, bool>>&)> done);
  /// Looks for the origin of non-finite values on another thread; ends in autopsyDone().
  void findNan(const QString& tensor = {});
  const DebugAutopsy& autopsy() const { return autopsy_; }
  bool isSearching() const { return searching_; }

  /// Takes over the engine's news now.
  void update();

 signals:
  /// The phase, the position or a value changed.
  void stateChanged();
  /// The run stopped at a new position.
  void stopped();
  void breakpointsChanged();
  void watchesChanged();
  void shownTensorChanged();
  void autopsyDone();

 private:
  struct PerDocument {
    QPointer<Document> document;
    std::vector<Breakpoint> breakpoints;
    QHash<int, QString> problems;  ///< By breakpoint.
    QStringList watches;
    int nextId = 1;
    RunInputs runInputs;
  };
  PerDocument& of(const Document* document);
  const PerDocument* find(const Document* document) const;
  void begin(Document* document);
  QString valueSet(const QString& tensor, const QString& text, const QString& error);
  void tint();
  void badge(Document* document);
  /// Checks whether breakpoints still fit the graph.
  void check(Document* document);
  void keep(const Document* document);
  void prune();

  Log* log_;
  Tasks* tasks_;
  Settings* settings_;
  std::shared_ptr<DebugJob> job_;
  std::vector<std::shared_ptr<DebugJob>> leaving_;    ///< Jobs told to stop; released once their thread has ended.
  std::shared_ptr<std::atomic<bool>> updatePending_;  ///< The engine has news that were not taken yet.
  QTimer timer_;
  QPointer<Document> document_;
  DebugState state_;
  std::vector<PerDocument> documents_;
  QString shownTensor_;
  DebugAutopsy autopsy_;
  QVector<int> marked_;  ///< Nodes that show a value set by hand.
  bool searching_ = false;
  bool setting_ = false;  ///< A value on a server.
  QString setError_;      ///< Of the last setValue().
  bool moving_ = false;   ///< A command was sent and the run has not answered yet.
  int generation_ = 0;    ///< Version of the values: increases with each stop and change.
};

}  // namespace weft::app
