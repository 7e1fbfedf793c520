// A number of a graph over the steps of a simulated training.
#pragma once

#include <QString>
#include <QVector>
#include <atomic>

#include "adapters/graph_contents.h"
#include "plot/series_store.h"

namespace weft::app {

struct ScheduleRequest {
  GraphContentsPtr contents;
  QString tensor;       ///< A scalar; empty: the learning rate of the graph's optimizer.
  qint64 lastStep = 0;  ///< 0: the last step of the document's training.
};

struct ScheduleCurve {
  QString tensor;  ///< The computed tensor.
  QString step;    ///< The variable or placeholder that counts the steps; empty: the number depends on neither.
  qint64 lastStep = 0;
  QVector<widgets::Sample> points;  ///< By step; every step, or evenly chosen ones of a long training.
  QString error;                    ///< One sentence; empty: the other members are filled.
};

/// Whether the first output of a node is a number that depends on the step, judging by the graph.
bool changesWithSteps(const GraphContents& contents, const QString& node);
/// Evaluates the tensor with the step counter at 0, 1, 2 … in a separate session. Any thread; `cancelled` ends it early.
ScheduleCurve scheduleCurve(const ScheduleRequest& request, const std::atomic<bool>& cancelled);

}  // namespace weft::app
