// Contents of TensorBoard's plugins hparams and custom_scalars, as plain values for the panels.
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <QVector>
#include <utility>

#include "common/step_list.h"

namespace weft::app {

/// The description of an experiment, or the start or the end of a session (one training).
struct HParamsEntry {
  double step = 0, wall = 0;
  enum class Kind { Experiment, SessionStart, SessionEnd } kind = Kind::Experiment;
  enum class Status { Unknown, Success, Failure, Running } status = Status::Unknown;  ///< SessionEnd
  struct Metric {
    QString group, tag, title;
  };
  QString description;                           ///< Experiment
  QVector<std::pair<QString, QString>> names;    ///< Experiment: hyperparameters and their titles
  QVector<Metric> metrics;                       ///< Experiment
  QVector<std::pair<QString, QVariant>> values;  ///< SessionStart
  double time = 0;                               ///< seconds since the epoch
};
using HParamsSeries = widgets::StepList<HParamsEntry>;

/// Groups of charts that a program asked for.
struct LayoutEntry {
  double step = 0, wall = 0;
  struct Margin {
    QString value, lower, upper;  ///< tags
    bool operator==(const Margin&) const = default;
  };
  struct Chart {
    QString title;
    QStringList tags;  ///< regular expressions that match from the start of a tag
    QVector<Margin> margins;
    bool operator==(const Chart&) const = default;
  };
  struct Category {
    QString title;
    QVector<Chart> charts;
    bool closed = false;
  };
  QVector<Category> categories;
};
using LayoutSeries = widgets::StepList<LayoutEntry>;

}  // namespace weft::app
