// How long the layers of a network take on the way forward and on the way back, in each traced step.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

struct EngineTrace;

/// A layer on its way forward or back, or all updates of variables.
struct PassPart {
  enum class Way { Forward, Backward, Update };
  Way way = Way::Forward;
  QString scope;           ///< "conv1", "tower/conv1"; empty: updates, or gradients that belong to no layer.
  QVector<double> stepNs;  ///< Self time over all threads, by step.
  QStringList nodes;       ///< Costliest first.
  double endNs = 0;        ///< Mean end within a step.
};

/// Forward parts in the order in which they end, each with its gradient. -1: there is none.
struct PassColumn {
  int forward = -1, backward = -1;
};

struct PassTimes {
  QVector<PassPart> parts;
  QVector<PassColumn> columns;
  int update = -1;  ///< Part of the updates; -1: nothing was updated.
  int partOf(const QString& node) const;
};

/// Scopes by the first part of their names, or by more where one scope holds nearly everything. Gradients are told by TensorFlow's names
/// (`gradients/conv1/Conv2D_grad/…`), updates by their ops (`Apply…`). Any thread.
PassTimes passTimesOf(const EngineTrace& trace);

/// Time of a part in a step; -1: the median over all steps.
double partNs(const PassPart& part, int step);

}  // namespace weft::app
