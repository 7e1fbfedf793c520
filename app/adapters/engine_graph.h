// Only sources in app/adapters include this: the engine's side of GraphContents.
#pragma once

#include <QString>

#include "adapters/graph_contents.h"
#include "weft/graph.h"

namespace weft::app {

/// The engine's graph behind a document.
class EngineGraph {
 public:
  explicit EngineGraph(LoadedGraph loadedGraph) : loaded(std::move(loadedGraph)) {}
  const LoadedGraph loaded;
};

inline QString text(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }
inline QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }
/// An engine error in one line: `conv1: message`, the file before it if one is named.
QString errorText(const Error& error);
/// Formats a shape's dims as the widgets' formatShape takes them; false if not even the rank is known.
bool shapeText(const Shape& shape, QString* out);
/// The formatted shape; "?" if not even the rank is known.
QString shapeOrUnknown(const Shape& shape);
/// Saturating sum: sizes stated in a file may overflow.
qint64 sumOf(qint64 a, qint64 b);
/// The bytes of a tensor; 0 if its shape is unknown, saturated on overflow.
qint64 bytesOf(const Shape& shape, DType type);
/// Whether a node holds a variable.
bool isVariableOp(const std::string& op);

/// Loads the arrays and totals of a graph. Any thread.
std::shared_ptr<GraphContents> makeContents(LoadedGraph loaded);
std::shared_ptr<GraphContents> makeContents(std::shared_ptr<const EngineGraph> graph);
/// Fills `contents.arrays` and `contents.summary` from the engine's graph.
void fillArrays(GraphContents& contents);
/// Reads the `weft/training` settings.
TrainingInfo readTrainingInfo(const MetaGraph& meta);

}  // namespace weft::app
