#include "adapters/file_match.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/file_engine.h"
#include "adapters/tasks.h"
#include "weft/compare.h"

namespace weft::app {
namespace {

struct MatchText {
  Q_DECLARE_TR_FUNCTIONS(FileMatch)
};

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
    v.storedAs = text(m.storedAs);
    v.wanted = typeText(m.dtype, m.shape);
    v.stored = typeText(m.dtypeStored, m.shapeStored);
    for (const std::string& n : m.nearest) v.nearest << text(n);
    const int index = int(out->variables.size());
    if (v.kind != VariableFit::Kind::Unused) out->byVariable.insert(v.variable, index);
    if (v.kind == VariableFit::Kind::Fits) out->taken.insert(v.key, index);
    else if (!v.stored.isEmpty()) out->freeKeys.insert(v.key, index);  // a key whose own variable has another shape counts as unused
    out->variables << v;
  }
  return out;
}

QString whyNotMapped(const FileMatch& match, const QString& variable, const QString& key) {
  const auto at = [&match](const QHash<QString, int>& index, const QString& name) {
    const int i = index.value(name, -1);
    return i < 0 ? nullptr : &match.variables[i];
  };
  const VariableFit *wanted = at(match.byVariable, variable), *stored = at(match.freeKeys, key), *owner = at(match.taken, key);
  if (owner && owner->variable != variable) return MatchText::tr("%1 is already the value of %2.").arg(key, owner->variable);
  if (!wanted) return MatchText::tr("The graph has no variable %1.").arg(variable);
  if (wanted->kind == VariableFit::Kind::Fits) return MatchText::tr("%1 already matches by name.").arg(variable);
  if (!stored) return MatchText::tr("The checkpoint has no unused key %1.").arg(key);
  if (!wanted->wanted.contains(u'?') && wanted->wanted != stored->stored)
    return MatchText::tr("%1 is %2, but %3 is %4.").arg(variable, wanted->wanted, key, stored->stored);
  return {};
}

QString saverProgram(const FileMatch& match, const QString& prefix, const QMap<QString, QString>& keys) {
  using Kind = VariableFit::Kind;
  const auto quoted = [](QString name) { return u'\'' + name.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'")) + u'\''; };
  QString out = QStringLiteral("v = {x.op.name: x for x in tf.global_variables()}\nsaver = tf.train.Saver({\n");
  for (const VariableFit& f : match.variables) {
    if (f.kind == Kind::Unused || f.kind == Kind::NotRestored) continue;
    const QString variable = QStringLiteral("v[%1]").arg(quoted(f.variable));
    if (f.kind == Kind::Fits || keys.contains(f.variable))
      out += QStringLiteral("    %1: %2,\n").arg(quoted(f.kind == Kind::Fits ? f.key : keys[f.variable]), variable);
    else if (!f.nearest.isEmpty()) out += QStringLiteral("    %1: %2,  # a guess\n").arg(quoted(f.nearest.first()), variable);
    else
      out += QStringLiteral("    # %1: %2 (%3)\n")
                 .arg(variable, f.kind == Kind::Missing ? QStringLiteral("not in the checkpoint") : QStringLiteral("does not fit"),
                      f.stored.isEmpty() ? f.wanted : f.stored);
  }
  return out + QStringLiteral("})\nsaver.restore(session, %1)\n").arg(quoted(prefix));
}

QString writeMapped(const FileMatch& match, const FileTensors& tensors, const QMap<QString, QString>& keys, const QString& prefix, TaskState& task) {
  using Kind = VariableFit::Kind;
  QVector<QPair<QString, int>> items;  // key to write, index of the tensor with its value
  QStringList without;
  for (const VariableFit& f : match.variables) {
    if (f.kind == Kind::Unused || f.kind == Kind::NotRestored) continue;
    const int at = tensors.indexOf(f.kind != Kind::Fits ? keys.value(f.variable) : f.storedAs.isEmpty() ? f.key : f.storedAs);
    if (at < 0) without << f.variable;
    else items << qMakePair(f.key, at);
  }
  if (!without.isEmpty()) {
    const QString names = without.mid(0, 3).join(QStringLiteral(", ")) + (without.size() > 3 ? QStringLiteral(", …") : QString());
    return MatchText::tr("%n variable(s) of the graph have no value in the checkpoint yet: %1.", nullptr, int(without.size())).arg(names);
  }
  std::sort(items.begin(), items.end());
  const auto failed = [&](Error error) { return errorText(error.inFile(prefix.toStdString())); };
  auto writer = CheckpointWriter::create(prefix.toStdString());
  if (!writer.ok()) return failed(writer.error());
  for (qsizetype i = 0; i < items.size(); ++i) {
    if (task.cancelled.load(std::memory_order_relaxed)) return MatchText::tr("Writing was cancelled.");
    const TensorRead read = tensors.read(items[i].second);
    if (!read.data) return read.error;
    if (const Status status = (*writer)->add(items[i].first.toStdString(), tensorOf(*read.data)); !status.ok()) return failed(status.error());
    task.progress.store(double(i + 1) / double(items.size()), std::memory_order_relaxed);
  }
  const Status status = (*writer)->finish();
  return status.ok() ? QString() : failed(status.error());
}

}  // namespace weft::app
