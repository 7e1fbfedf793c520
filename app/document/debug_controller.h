#pragma once

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

/// Debugs a run of one document at a time: starts it, commands it, and tells views where it stands. Breakpoints, watches and feeds are kept per
/// document, those of files from one start of the program to the next. GUI thread; nothing here waits for the engine.
class DebugController : public QObject {
  Q_OBJECT

 public:
  using Phase = DebugState::Phase;

  /// `settings`: where what belongs to files is kept.
  DebugController(Log* log, Tasks* tasks, Settings* settings, QObject* parent = nullptr);
  ~DebugController() override;

  /// Where the run of the last start() stands.
  const DebugState& state() const { return state_; }
  bool isActive() const { return state_.phase != Phase::Idle && state_.phase != Phase::Ended; }
  bool isStopped() const { return state_.phase == Phase::Stopped; }
  /// The engine computes, or is about to: a script has to wait.
  bool isBusy() const;
  /// What is or was debugged last; null if it was closed.
  Document* document() const { return document_; }
  /// Values of a run can be looked at, now or after its end.
  bool hasValues() const { return job_ != nullptr; }
  QVector<QueueFacts> queues() const { return job_ ? job_->queues() : QVector<QueueFacts>(); }

  /// A step of a training waits for this.
  bool holdsTraining() const { return isStopped() && state_.ofTraining; }

  /// REQUIRES: !isActive(). Stops before the first op, or at the first breakpoint if there are any.
  void start(Document* document, DebugRequest request);
  /// Debugs the next `steps` steps of the training that goes on; it stops before their first op. REQUIRES: !isActive(), runs.isActive().
  void startWithin(RunController& runs, qint64 steps);
  /// Shows and commands a step of a Python program, which stands still already. `make` gets what is to be called whenever it changed. REQUIRES: !isActive().
  void follow(Document* document, const std::function<std::shared_ptr<DebugJob>(std::function<void()> changed)>& make);
  /// A document is going to be replaced; a program's step that is shown with it stands still all the same.
  void loosen(const Document* document);
  /// Breakpoints, watches and wishes of a document go to the one that took its place.
  void inherit(const Document* from, Document* to);
  /// Takes over what a failed step left behind, so that it can be looked at, unless a run is being debugged.
  void adopt(Document* document, std::shared_ptr<DebugJob> values);
  // Commands; an error in one line, or empty.
  QString command(DebugCommand command);
  QString stepBack(qint64 ops);
  QString goToIteration(qint64 iteration);
  QString runTo(const QString& place);
  void pause();
  void stop();
  /// Lets go of a run that has ended: newer values are elsewhere.
  void forget();

  // Breakpoints of a document. Places of nodes get badges on its canvas.
  QVector<DebugBreakpoint> breakpoints(const Document* document) const;
  /// A known id changes that breakpoint, 0 makes a new one and sets the id.
  QString setBreakpoint(Document* document, DebugBreakpoint& breakpoint);
  void removeBreakpoint(Document* document, int id);

  /// What runs of a document are fed, "x:0=VALUE" each, and what they compute, when nothing else is said.
  struct Wishes {
    QStringList feeds, fetches;
  };
  Wishes wishes(const Document* document) const;
  void setWishes(Document* document, const Wishes& wishes);
  /// Brings back what was kept of a file. Called once for each document.
  void restore(Document* document);

  QStringList watches(const Document* document) const;
  void addWatch(Document* document, const QString& expression);
  void removeWatch(Document* document, const QString& expression);
  QString evaluate(const QString& expression, bool* ok) const;

  QString setValue(const QString& tensor, const QString& text);
  bool tensorJson(const QString& name, QString* json, QString* error) const;
  /// The tensor that the Tensor dock shows.
  const QString& shownTensor() const { return shownTensor_; }
  void showTensor(const QString& name);
  using Which = DebugJob::Which;
  /// Reads a value beside the GUI thread; `done` gets it unless the run has moved on by then.
  void readTensor(const QString& name, Which which, std::function<void(const DebugTensor&)> done);
  /// Inputs and outputs of the op where the run stands, read beside the GUI thread; the same.
  void readPorts(std::function<void(const DebugPorts&)> done);
  /// What lies on the wires near the stop, and how the op's value moved over the iterations of its loop; the same.
  void readWires(int most, std::function<void(const QVector<DebugWireValue>&)> done);
  void readLoop(std::function<void(const DebugLoopValues&)> done);
  /// Values of expressions, read beside the GUI thread: texts, and whether each could be read; the same.
  void readWatches(const QStringList& expressions, std::function<void(const QVector<QPair<QString, bool>>&)> done);
  /// Looks for the origin of non-finite values beside the GUI thread; ends in autopsyDone().
  void findNan(const QString& tensor = {});
  const DebugAutopsy& autopsy() const { return autopsy_; }
  bool isSearching() const { return searching_; }

  /// Takes over what the engine has to tell, now.
  void update();

 signals:
  /// The phase, the place, or a value changed.
  void stateChanged();
  /// The run stands still somewhere new.
  void stopped();
  void breakpointsChanged();
  void watchesChanged();
  void shownTensorChanged();
  void autopsyDone();

 private:
  struct PerDocument {
    QPointer<Document> document;
    QVector<DebugBreakpoint> breakpoints;
    QStringList watches;
    int nextId = 1;
    Wishes wishes;
  };
  PerDocument& of(const Document* document);
  const PerDocument* find(const Document* document) const;
  void begin(Document* document);
  void tint();
  void badge(Document* document);
  /// Whether breakpoints still fit the graph.
  void check(Document* document);
  void keep(const Document* document);
  void prune();

  Log* log_;
  Tasks* tasks_;
  Settings* settings_;
  std::shared_ptr<DebugJob> job_;
  std::vector<std::shared_ptr<DebugJob>> leaving_;  ///< Told to stop; let go of once their thread has ended.
  std::shared_ptr<std::atomic<bool>> told_;         ///< The engine has news that were not taken yet.
  QTimer timer_;
  QPointer<Document> document_;
  DebugState state_;
  std::vector<PerDocument> documents_;
  QString shownTensor_;
  DebugAutopsy autopsy_;
  QVector<int> marked_;  ///< Nodes that show a value set by hand.
  bool searching_ = false;
  bool moving_ = false;  ///< A command was given and the run has not answered yet.
  int generation_ = 0;   ///< Of values: a stop, a change.
};

}  // namespace weft::app
