#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// Tensors of a graph to compute on one sample, without a training.
struct ProbeRequest {
  GraphContentsPtr contents;
  QStringList tensors;  ///< "conv1/Relu:0"
  QString folder;       ///< Of the document, for its data.
  QString checkpoint;   ///< Prefix; its variables are used where they fit. Empty: freshly initialised ones.
  qint64 sample = 0;    ///< Row of the data set.
};

struct ProbeResult {
  QString tensor;
  QString error;   ///< One sentence; empty: the other members are filled.
  QString note;    ///< The source of its values, where it differs from the other results.
  QString text;    ///< "1×28×28×32 float32" and, in a second line, range and mean
  QImage picture;  ///< Grey or colour, at most 112 pixels wide; null where a picture is no use.
};

/// Computes the tensors in a separate session, each in its own run; those that read an input pipeline share one run, so that they show the same element.
/// Placeholders get the data set's sample, else small synthetic numbers. Any thread; takes as long as the ops. `note` gets the source of the values.
QVector<ProbeResult> probeTensors(const ProbeRequest& request, QString* note);

}  // namespace weft::app
