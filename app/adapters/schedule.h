// A number of a graph over the steps of a training that does not take place.
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
  qint64 lastStep = 0;  ///< 0: as long as the document trains.
};

struct ScheduleCurve {
  QString tensor;  ///< What was computed.
  QString step;    ///< The variable or placeholder that counts the steps; empty: the number depends on none.
  qint64 lastStep = 0;
  QVector<widgets::Sample> points;  ///< By step; every one, or of a long training evenly chosen ones.
  QString error;                    ///< One sentence; empty: the rest is filled.
};

/// Whether the first output of a node is a number that changes with the steps, as far as the graph tells.
bool changesWithSteps(const GraphContents& contents, const QString& node);
/// The tensor that the optimizer takes as its rate; empty: there is none.
QString learningRateOf(const GraphContents& contents);
/// Computes the part of the graph that the tensor needs with the step counter at 0, 1, 2 … in a session of its own. Any thread; `cancelled` ends it early.
ScheduleCurve scheduleCurve(const ScheduleRequest& request, const std::atomic<bool>& cancelled);

}  // namespace weft::app
