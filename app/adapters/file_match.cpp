#include "adapters/file_match.h"

#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/file_engine.h"
#include "weft/compare.h"

namespace weft::app {
namespace {

QString typeText(DType dtype, const Shape& shape) {
  if (dtype == DType::Invalid) return {};
  QString dims = QStringLiteral("?");
  shapeText(shape, &dims);
  return text(dtypeName(dtype)) + u' ' + dims;
}

}  // namespace

int FileMatch::count(VariableFit::Kind kind) const {
  return int(std::count_if(variables.begin(), variables.end(), [kind](const VariableFit& v) { return v.kind == kind; }));
}

int FileMatch::wanted() const { return int(variables.size()) - count(VariableFit::Kind::Unused) - count(VariableFit::Kind::NotRestored); }

FileMatchPtr matchGraph(const GraphContents& graph, const FileTensors& tensors) {
  const auto* checkpoint = dynamic_cast<const CheckpointTensors*>(&tensors);
  if (!checkpoint || !graph.engine) return nullptr;
  const GraphMatch found = matchCheckpoint(graph.engine->loaded.meta.graph, checkpoint->reader());
  auto out = std::make_shared<FileMatch>();
  out->hasSaver = found.hasSaver;
  out->canRestore = found.canRestore();
  for (const VariableMatch& m : found.variables) {
    VariableFit v;
    v.kind = VariableFit::Kind(int(m.kind));
    v.variable = text(m.variable);
    v.key = text(m.key);
    v.wanted = typeText(m.dtype, m.shape);
    v.stored = typeText(m.dtypeStored, m.shapeStored);
    for (const std::string& n : m.nearest) v.nearest << text(n);
    out->variables << v;
  }
  return out;
}

}  // namespace weft::app
