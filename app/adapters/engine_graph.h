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
/// The dims of a shape as the widgets' formatShape takes them; false if not even the rank is known.
bool shapeText(const Shape& shape, QString* out);
/// The same; "?" if not even the rank is known.
QString shapeOrUnknown(const Shape& shape);
/// Sums and sizes of what a file states, which may be more than an integer counts: the largest then stands for all that is more.
qint64 sumOf(qint64 a, qint64 b);
/// The bytes of a tensor; 0 if its shape is not known.
qint64 bytesOf(const Shape& shape, DType type);
/// Whether a node holds a variable.
bool isVariableOp(const std::string& op);

/// Makes the arrays and totals of a loaded graph. Any thread.
std::shared_ptr<GraphContents> makeContents(LoadedGraph loaded);
std::shared_ptr<GraphContents> makeContents(std::shared_ptr<const EngineGraph> graph);
/// Fills `contents.arrays` and `contents.summary` from its engine graph.
void fillArrays(GraphContents& contents);
/// The `weft/training` settings.
TrainingInfo readTrainingInfo(const MetaGraph& meta);

}  // namespace weft::app
