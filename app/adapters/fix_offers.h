// Nodes to insert into a wire that does not fit, so that it does.
#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft {
class Shape;
}

namespace weft::app {

/// Fixes are tried only in graphs of up to this many nodes, because each trial edits a copy.
inline constexpr int kLargestForTrials = 3000;

/// An op or layer that changes the shape or type of a tensor.
struct FixOffer {
  QString text;          ///< "Insert Flatten"
  QString type;          ///< "layers.flatten"
  QStringList settings;  ///< "target_shape=[-1,28,28,1]"
  QString result;        ///< The resulting shape, "50×784"; empty: unknown.
};

/// Conversions likely wanted for a tensor of that shape, likeliest first; not tried on a graph.
QVector<FixOffer> shapeOffers(const Shape& shape);

/// Up to three insertions that make a wire from `tensor` ("x:0") to `input` ("pool:0") fit; each was tried on a copy of the graph. Any thread; slow.
QVector<FixOffer> wireOffers(const GraphContents& contents, const QString& tensor, const QString& input);

/// Whether the command (an action and its words) runs on a copy and leaves no problem at `node`, and no more problems overall than before. `result`, if given,
/// gets the shape of the inserted node's output.
bool fixesNode(const EngineGraph& graph, const QStringList& command, const std::string& node, QString* result = nullptr);

/// The engine's message on a node or layer, in TensorFlow's words; empty: none.
QString engineWords(const GraphContents& contents, const QString& node);

/// Shape of the first output of the node or layer `name`; empty: unknown.
QString shapeOfResult(const EngineGraph& graph, const QString& name);

}  // namespace weft::app
