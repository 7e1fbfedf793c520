// What the dock "Experiments" shows of a store, read on a thread of its own.
#pragma once

#include <QPair>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>
#include <vector>

namespace weft::app {

struct ExperimentRequest {
  QString file;
  qint64 sweep = 0;  ///< 0: the last one.
  QStringList filters;
  QString sort;
  bool descending = false;
  QString group;
  bool wantsImportance = false;
};

/// Immutable.
struct ExperimentPage {
  struct Sweep {
    qint64 id = 0;
    QString name, metric, method;
    bool maximize = false, imported = false;
    QStringList parameters;  ///< Names.
    qint64 planned = 0;
  };
  struct Run {
    qint64 id = 0, step = 0, totalSteps = 0;
    int number = 0;
    QString name, folder, error;
    enum Status { Waiting, Running, Finished, StoppedEarly, Interrupted, Failed } status = Waiting;
  };
  struct Column {
    QString name;
    bool isMetric = false, isNumber = true;
    bool isLog = false;  ///< Its parameter has a logarithmic range, or its values span decades.
    std::vector<double> numbers;
    std::vector<int> words;  ///< Index in `texts`, −1: none; parameters only.
    QStringList texts;
    QString text(int row) const;
  };
  struct Group {
    QString value;
    qint64 runs = 0, measured = 0;
    double mean = 0, least = 0, most = 0, deviation = 0;
  };
  struct Importance {
    QString parameter;
    double share = 0, correlation = 0;
  };
  ExperimentRequest request;
  QString error;  ///< One sentence; the filter's or the file's.
  bool exists = false;
  QVector<Sweep> sweeps;
  int current = -1;  ///< Among the sweeps.
  std::vector<Run> runs;
  std::vector<std::shared_ptr<const Column>> columns;  ///< The metric of the sweep, parameters, other metrics.
  bool isFirst = false;                                ///< Of a large store: the same page with more metrics follows.
  int leftOut = 0;                                     ///< Metrics without a column.
  std::vector<int> rows;                               ///< Indexes into `runs`, in order.
  std::vector<Group> groups;
  std::vector<std::vector<QPointF>> curves;  ///< Of the metric, for the first of `rows`.
  std::vector<Importance> importance;
  bool hasImportance = false;
  int best = -1;  ///< Index into `runs`; −1: none has a value.

  const Sweep* sweep() const { return current >= 0 ? &sweeps[current] : nullptr; }
  const Column* column(const QString& name) const;
  /// The parameters of a run.
  QVector<QPair<QString, QString>> parametersOf(int run) const;
};
using ExperimentPagePtr = std::shared_ptr<const ExperimentPage>;

/// Reads pages one after the other. A request replaces one that has not begun. Of a large store that was not read before, a page with few metrics comes first.
class ExperimentReader {
 public:
  /// `done` is called on the reader's thread.
  explicit ExperimentReader(std::function<void(ExperimentPagePtr)> done);
  ~ExperimentReader();
  void read(const ExperimentRequest& request);
  /// Reads runs from event files into a store. `done`: the number of runs, or an error; on the reader's thread.
  void import(const QString& file, const QString& folder, std::function<void(qint64 runs, const QString& error)> done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
