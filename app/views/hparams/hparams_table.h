// The sessions of all runs with their hyperparameters and metrics. Made from Summaries, without widgets.
#pragma once

#include <QString>
#include <QVariant>
#include <QVector>
#include <functional>
#include <limits>

#include "document/summaries.h"

namespace weft::app {

/// Rows and columns of the dock. GUI thread.
struct HParamsTable {
  struct Column {
    QString title;  ///< unique in the table
    bool isMetric = false;
    QString key;    ///< the hyperparameter's name, or the metric's tag
    QString group;  ///< metrics: the run below the session's that logs it
  };
  struct Row {
    int run = 0;
    QString name;
    int hue = 0;
    bool visible = true;
    HParamsEntry::Status status = HParamsEntry::Status::Unknown;
    QVector<QVariant> cells;  ///< one per column: a number, a word, a bool; invalid: none
  };
  QString description;  ///< of the experiment
  QVector<Column> columns;
  QVector<Row> rows;
  int leftOut = 0;  ///< metrics beyond `mostMetrics`, without a column

  /// Reads the present state. Without an experiment that names metrics, all curves of the sessions are metrics.
  static HParamsTable of(const Summaries& summaries, qsizetype mostMetrics = kAllMetrics);
  static constexpr qsizetype kAllMetrics = std::numeric_limits<qsizetype>::max();
  QByteArray toCsv(const std::function<QString(HParamsEntry::Status)>& statusText) const;
  QByteArray toJson(const std::function<QString(HParamsEntry::Status)>& statusText) const;
};

}  // namespace weft::app
