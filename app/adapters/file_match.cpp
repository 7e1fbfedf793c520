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

QString saverProgram(const FileMatch& match, const QString& prefix) {
  using Kind = VariableFit::Kind;
  const auto quoted = [](QString name) { return u'\'' + name.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'")) + u'\''; };
  QString out = QStringLiteral("v = {x.op.name: x for x in tf.global_variables()}\nsaver = tf.train.Saver({\n");
  for (const VariableFit& f : match.variables) {
    if (f.kind == Kind::Unused || f.kind == Kind::NotRestored) continue;
    const QString variable = QStringLiteral("v[%1]").arg(quoted(f.variable));
    if (f.kind == Kind::Fits) out += QStringLiteral("    %1: %2,\n").arg(quoted(f.key), variable);
    else if (!f.nearest.isEmpty()) out += QStringLiteral("    %1: %2,  # a guess\n").arg(quoted(f.nearest.first()), variable);
    else out += QStringLiteral("    # %1: %2 (%3)\n").arg(variable, f.kind == Kind::Missing ? QStringLiteral("not in the checkpoint") : QStringLiteral("does not fit"), f.stored.isEmpty() ? f.wanted : f.stored);
  }
  return out + QStringLiteral("})\nsaver.restore(session, %1)\n").arg(quoted(prefix));
}

}  // namespace weft::app
