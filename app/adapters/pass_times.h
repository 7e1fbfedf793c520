// Time of a network's layers in the forward and backward pass of each traced step.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

struct EngineTrace;

/// A layer in the forward or backward pass, or all updates of variables.
struct PassPart {
  enum class Way { Forward, Backward, Update };
  Way way = Way::Forward;
  QString scope;           ///< "conv1", "tower/conv1"; empty: updates, or gradients that belong to no layer.
  QVector<double> stepNs;  ///< Self time over all threads, by step.
  QStringList nodes;       ///< Costliest first.
  double endNs = 0;        ///< Mean end within a step.
};

/// A forward part with its gradient, ordered by the end of the forward part. -1: missing.
struct PassColumn {
  int forward = -1, backward = -1;
};

struct PassTimes {
  QVector<PassPart> parts;
  QVector<PassColumn> columns;
  int update = -1;  ///< The part of the updates; -1: nothing was updated.
  int partOf(const QString& node) const;
};

/// Groups nodes by the first part of their scope, or by more parts where one scope holds nearly everything. Gradients are recognized by TensorFlow's names
/// (`gradients/conv1/Conv2D_grad/…`), updates by their ops (`Apply…`). Any thread.
PassTimes passTimesOf(const EngineTrace& trace);

/// Time of a part in a step; -1: the median over all steps.
double partNs(const PassPart& part, int step);

}  // namespace weft::app
