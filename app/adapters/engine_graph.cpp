#include "adapters/engine_graph.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "adapters/border.h"
#include "adapters/graph_defects.h"
#include "adapters/graph_files.h"
#include "adapters/graph_problems.h"
#include "common/format.h"
#include "weft/expressions.h"
#include "weft/op_traits.h"
#include "weft/recipes.h"

namespace weft::app {

QString errorText(const Error& error) {
  QString line;
  if (!error.file.empty()) line += text(error.file) + QStringLiteral(": ");
  if (!error.node.empty()) line += text(error.node) + QStringLiteral(": ");
  return line + text(error.message);
}

bool shapeText(const Shape& shape, QString* out) {
  if (!shape.hasRank()) return false;
  QVector<qint64> dims;
  dims.reserve(shape.rank());
  for (const int64_t d : shape.dims()) dims << d;
  *out = widgets::formatShape(dims);
  return true;
}

QString shapeOrUnknown(const Shape& shape) {
  QString out;
  return shapeText(shape, &out) ? out : QStringLiteral("?");
}

qint64 sumOf(qint64 a, qint64 b) {
  qint64 sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<qint64>::max() : sum;
}

qint64 bytesOf(const Shape& shape, DType type) {
  qint64 bytes = 0;
  // elements() of a fully known shape is negative only on overflow.
  const qint64 elements = shape.isFullyKnown() ? shape.elements() : 0;
  return elements < 0 || __builtin_mul_overflow(elements, qint64(sizeOf(baseType(type))), &bytes) ? std::numeric_limits<qint64>::max() : bytes;
}

bool isVariableOp(const std::string& op) { return roleOf(op) == OpRole::Variable; }

std::shared_ptr<GraphContents> makeContents(LoadedGraph loaded) {
  findLayerProblems(loaded);
  findExpressionProblems(loaded);
  return makeContents(std::make_shared<const EngineGraph>(std::move(loaded)));
}

GraphContentsPtr contentsOf(std::shared_ptr<const EngineGraph> graph) { return makeContents(std::move(graph)); }

std::shared_ptr<GraphContents> makeContents(std::shared_ptr<const EngineGraph> graph) {
  const LoadedGraph& loaded = graph->loaded;
  auto contents = std::make_shared<GraphContents>();
  switch (loaded.format) {
    case GraphFormat::GraphBinary: contents->format = QStringLiteral("GraphDef"); break;
    case GraphFormat::GraphText: contents->format = QStringLiteral("GraphDef, text"); break;
    case GraphFormat::MetaBinary: contents->format = QStringLiteral("MetaGraphDef"); break;
    case GraphFormat::MetaText: contents->format = QStringLiteral("MetaGraphDef, text"); break;
  }
  contents->engine = graph;
  runGuarded(*contents, {}, "training", [&] { contents->training = readTrainingInfo(loaded.meta); });
  // Partial arrays are worse than none, because the canvas indexes into all of them.
  if (!runGuarded(*contents, {}, "canvas", [&] { fillArrays(*contents); })) contents->arrays = {};
  runGuarded(*contents, {}, "problems", [&] { findProblems(*contents); });
  if (const QString why = whyNotRun(*contents); !why.isEmpty()) contents->training.reason = why;
  return contents;
}

}  // namespace weft::app
