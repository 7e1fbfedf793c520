#include "adapters/engine_graph.h"

#include <QCoreApplication>

#include "common/format.h"

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
  for (const int64_t d : shape.dims()) dims << d;
  *out = widgets::formatShape(dims);
  return true;
}

bool isVariableOp(const std::string& op) { return op == "VariableV2" || op == "Variable" || op == "VarHandleOp"; }

std::shared_ptr<GraphContents> makeContents(LoadedGraph loaded) {
  auto contents = std::make_shared<GraphContents>();
  for (const Error& e : loaded.problems) {
    Problem p;
    // An op that the engine does not have stops a run, not the work on the graph.
    p.severity = e.code == Code::NotFound || e.code == Code::Unimplemented ? Problem::Severity::Warning : Problem::Severity::Error;
    p.node = text(e.node);
    p.code = text(codeName(e.code));
    p.message = text(e.message);
    contents->problems << p;
  }
  switch (loaded.format) {
    case GraphFormat::GraphBinary: contents->format = QStringLiteral("GraphDef"); break;
    case GraphFormat::GraphText: contents->format = QStringLiteral("GraphDef, text"); break;
    case GraphFormat::MetaBinary: contents->format = QStringLiteral("MetaGraphDef"); break;
    case GraphFormat::MetaText: contents->format = QStringLiteral("MetaGraphDef, text"); break;
  }
  contents->training = readTrainingInfo(loaded.meta);
  contents->engine = std::make_shared<const EngineGraph>(std::move(loaded));
  fillArrays(*contents);
  return contents;
}

}  // namespace weft::app
