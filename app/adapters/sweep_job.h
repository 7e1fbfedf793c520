// A sweep of a document on threads of its own, controlled and observed from the GUI thread.
#pragma once

#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/graph_edit.h"

namespace weft::app {

/// A parameter that a document has.
struct SweepParameterInfo {
  enum class Group { Training, Live, Layer, Name } group = Group::Training;
  QString name, value;
  QString space;  ///< A proposal, as in `lr=log:0.0001:0.1`, without the name.
};
QVector<SweepParameterInfo> sweepParameters(const GraphContents& contents);
/// Names of metrics that a training of the document reports, the usual one first.
QStringList sweepMetrics(const GraphContents& contents);
/// Why "NAME=SPACE" cannot be swept, in one sentence; empty if it can.
QString sweepParameterError(const QString& text);
/// How many runs the parameters have as a grid; 0: one of them is wrong.
qint64 gridSize(const QStringList& parameters);

struct SweepRequest {
  GraphContentsPtr contents;
  QString document;        ///< Its path; empty: never saved.
  QString documentFolder;  ///< For relative paths of its data.
  QString folder;          ///< Of the document's sweeps.
  QString program;         ///< `weft`, which trains the runs.
  QStringList parameters;  ///< "lr=log:0.0001:0.1"
  QString method = QStringLiteral("random"), stop = QStringLiteral("none");
  QString metric;  ///< Empty: the document's usual one.
  int runs = 0;    ///< 0: 16, or the whole grid.
  int parallel = 0;
  qint64 seed = 1;
  QVector<QPair<QString, QString>> fixed;
  qint64 continues = 0;  ///< A sweep of the store to go on with; the plan above is then not used. −1: the last one.
};

/// How far it is.
struct SweepState {
  enum class Phase { Preparing, Running, Paused, Stopping, Done, Stopped, Failed } phase = Phase::Preparing;
  qint64 sweep = 0;  ///< Its id in the store; 0: not known yet.
  QString name;
  qint64 total = 0, running = 0, finished = 0, stoppedEarly = 0, failed = 0;
  qint64 bestRun = 0;
  QString metric;
  double bestValue = 0;
  double seconds = 0;
  QString error;
  bool isActive() const { return phase != Phase::Done && phase != Phase::Stopped && phase != Phase::Failed; }
};

/// GUI thread; nothing waits for a run, except the destructor.
class SweepJob {
 public:
  explicit SweepJob(SweepRequest request);
  /// Stops the runs after their present steps and waits for that.
  ~SweepJob();
  void pause();
  void resume();
  void stop();
  SweepState state() const;
  /// Changes whenever the store has news.
  quint64 version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The folder of the sweeps of a saved document, and the store in it.
QString sweepFolder(const QString& document);
QString experimentsFile(const QString& sweepFolder);

/// Writes the parameters of a run into the document, as one step of its history.
GraphEdit promoteEdit(const QString& run, const QVector<QPair<QString, QString>>& parameters);

}  // namespace weft::app
