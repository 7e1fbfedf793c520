#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// Tensors of a graph to be looked at on one sample, without a training.
struct ProbeRequest {
  GraphContentsPtr contents;
  QStringList tensors;  ///< "conv1/Relu:0"
  QString folder;       ///< Of the document, for its data.
  QString checkpoint;   ///< Prefix; its variables are taken where they fit. Empty: freshly initialised ones.
  qint64 sample = 0;    ///< Row of the data set.
};

struct ProbeResult {
  QString tensor;
  QString error;   ///< One sentence; empty: the rest is filled.
  QString note;    ///< What it comes from, where that differs from the other results.
  QString text;    ///< "1×28×28×32 float32" and, in a second line, range and mean
  QImage picture;  ///< Grey or colour, at most 112 pixels wide; null where a picture says nothing.
};

/// Computes them in a session of their own, each by itself; those that read an input pipeline together, so that they show the same element. Placeholders get
/// the data set's sample, or where there is none small made-up numbers. Any thread; takes as long as the ops take. `note` says what the values come from.
QVector<ProbeResult> probeTensors(const ProbeRequest& request, QString* note);

}  // namespace weft::app
