// What could stand on a wire that does not fit, so that it does.
#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft {
class Shape;
}

namespace weft::app {

/// Fixes are tried only in graphs of at most so many nodes, since each trial edits a copy.
inline constexpr int kLargestForTrials = 3000;

/// An op or layer that changes the shape or type of what flows.
struct FixOffer {
  QString text;          ///< "Insert Flatten"
  QString type;          ///< "layers.flatten"
  QStringList settings;  ///< "target_shape=[-1,28,28,1]"
  QString result;        ///< The shape that comes out, "50×784"; empty: not known.
};

/// What may be wanted instead of a tensor of that shape, likeliest first. Nothing was tried.
QVector<FixOffer> shapeOffers(const Shape& shape);

/// What makes a wire from `tensor` ("x:0") to `input` ("pool:0") fit; each was tried on a copy of the graph. At most three. Any thread; takes a while.
QVector<FixOffer> wireOffers(const GraphContents& contents, const QString& tensor, const QString& input);

/// Whether the command (an action and its words) runs on a copy and leaves nothing wrong at `node`, nor more problems than before. `result`, if given, gets the
/// shape of what it inserts.
bool mendsNode(const EngineGraph& graph, const QStringList& command, const std::string& node, QString* result = nullptr);

/// What the engine said of a node or layer, in TensorFlow's words; empty: nothing.
QString engineWords(const GraphContents& contents, const QString& node);

/// The shape that the first output of `name`, a node or layer, has in a graph; empty: unknown.
QString shapeOfResult(const EngineGraph& graph, const QString& name);

}  // namespace weft::app
