// Nodes to insert into a wire that does not fit, so that it does.
#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// An op or layer that changes the shape or type of a tensor.
struct FixOffer {
  QString text;          ///< "Insert Flatten"
  QString type;          ///< "layers.flatten"
  QStringList settings;  ///< "target_shape=[-1,28,28,1]"
  QString result;        ///< The resulting shape, "50×784"; empty: unknown.
};

/// Up to three insertions that make a wire from `tensor` ("x:0") to `input` ("pool:0") fit; each was tried on a copy of the graph. Any thread; slow.
QVector<FixOffer> wireOffers(const GraphContents& contents, const QString& tensor, const QString& input);

/// The engine's message on a node or layer, in TensorFlow's words; empty: none.
QString engineWords(const GraphContents& contents, const QString& node);

}  // namespace weft::app
