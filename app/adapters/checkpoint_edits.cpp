#include "adapters/checkpoint_edits.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/file_engine.h"
#include "adapters/tasks.h"
#include "weft/checkpoint_edit.h"
#include "weft/compare.h"

namespace weft::app {
namespace {

struct CheckpointEditsText {
  Q_DECLARE_TR_FUNCTIONS(CheckpointEdits)
};

QString reasonOf(const RenameProposal& p) {
  using Rule = RenameProposal::Rule;
  const auto detail = [&p](size_t i) { return i < p.details.size() ? text(p.details[i]) : QString(); };
  const auto number = [&detail](size_t i) { return detail(i).toInt(); };
  switch (p.rule) {
    case Rule::Scope: return CheckpointEditsText::tr("%n name(s) begin with “%1” instead of “%2”", nullptr, number(2)).arg(detail(0), detail(1));
    case Rule::Shape: return CheckpointEditsText::tr("the only %1 that is left in both").arg(detail(0));
    case Rule::Order: return CheckpointEditsText::tr("number %1 of %2 of %3, in the order of the graph and of the names").arg(detail(0), detail(1), detail(2));
    case Rule::Follows: return CheckpointEditsText::tr("follows %1").arg(detail(0));
    case Rule::Alike: break;
  }
  return CheckpointEditsText::tr("same shape, and the names are alike");
}

Result<CheckpointEdit> editOf(const CheckpointCopy& copy) {
  CheckpointEdit edit;
  for (const QString& name : copy.omitted) edit.omit.insert(name.toStdString());
  for (const QString& pattern : copy.keep) edit.keep.push_back(pattern.toStdString());
  for (const QString& pattern : copy.drop) edit.drop.push_back(pattern.toStdString());
  for (auto it = copy.table.begin(); it != copy.table.end(); ++it) edit.table[it.key().toStdString()] = it.value().toStdString();
  if (!copy.pattern.isEmpty()) edit.renames.push_back({copy.pattern.toStdString(), copy.replacement.toStdString()});
  if (!copy.type.isEmpty()) {
    const DType dtype = dtypeFromName(copy.type.toStdString());
    if (!isFloating(dtype)) return invalidArgument("cast: '", copy.type.toStdString(), "' is not float16, bfloat16, float32 or float64");
    edit.casts.push_back({"", dtype});
  }
  edit.shards = copy.shards;
  edit.version = copy.version;
  return edit;
}

QString notACheckpoint() { return CheckpointEditsText::tr("The current tab is not a checkpoint."); }

}  // namespace

NameProposals proposedNames(const GraphContents& graph, const FileTensors& tensors) {
  NameProposals out;
  const auto* checkpoint = dynamic_cast<const CheckpointTensors*>(&tensors);
  if (!checkpoint || !graph.engine) return out;
  const GraphMatch match = matchCheckpoint(graph.engine->loaded.meta.graph, checkpoint->reader());
  out.missing = int(match.count(VariableMatch::Kind::Missing));
  QHash<QString, QString> variables;  // by key
  for (const VariableMatch& m : match.variables)
    if (!m.variable.empty()) variables.insert(text(m.key), text(m.variable));
  std::vector<std::string> limits;
  for (const RenameProposal& p : proposeRenames(match, &limits)) {
    const QString key = text(p.key);
    out.names << NameProposal{variables.value(key, key), key, text(p.stored), int(std::lround(p.confidence * 100)), reasonOf(p)};
  }
  for (const std::string& limit : limits) out.limits << text(limit);
  return out;
}

CopyPlan planCopy(const FileTensors& tensors, const CheckpointCopy& copy) {
  CopyPlan out;
  const auto* checkpoint = dynamic_cast<const CheckpointTensors*>(&tensors);
  if (!checkpoint) return out.error = notACheckpoint(), out;
  if (copy.omitted.size() >= tensors.entries().size()) return out.error = CheckpointEditsText::tr("No variable is left to write."), out;
  const auto edit = editOf(copy);
  if (!edit.ok()) return out.error = errorText(edit.error()), out;
  const auto plan = planCheckpointEdit(checkpoint->inputs(), *edit);
  if (!plan.ok()) return out.error = errorText(plan.error()), out;
  if (plan->tensors.empty()) return out.error = CheckpointEditsText::tr("No variable is left to write."), out;
  for (const EditedTensor& t : plan->tensors) {
    out.tensors << CopiedTensor{text(t.source), text(t.name), text(dtypeName(t.dtypeFrom)), text(dtypeName(t.dtype))};
    out.renamed += t.name != t.source;
    out.converted += t.dtype != t.dtypeFrom;
    out.bytes = sumOf(out.bytes, bytesOf(t.shape, t.dtype));
  }
  for (const std::string& warning : plan->warnings) out.warnings << text(warning);
  return out;
}

QString writeCopy(const FileTensors& tensors, const CheckpointCopy& copy, const QString& prefix, TaskState& task, QStringList* warnings) {
  const auto* checkpoint = dynamic_cast<const CheckpointTensors*>(&tensors);
  if (!checkpoint) return notACheckpoint();
  const auto edit = editOf(copy);
  if (!edit.ok()) return errorText(edit.error());
  const auto plan = planCheckpointEdit(checkpoint->inputs(), *edit);
  if (!plan.ok()) return errorText(plan.error());
  if (plan->tensors.empty()) return CheckpointEditsText::tr("No variable is left to write.");
  auto written = writeCheckpointEdit(checkpoint->inputs(), *edit, *plan, prefix.toStdString(), [&task](double done) {
    task.progress.store(done, std::memory_order_relaxed);
    return !task.cancelled.load(std::memory_order_relaxed);
  });
  if (!written.ok()) return errorText(Error(written.error()).inFile(prefix.toStdString()));
  for (const std::string& warning : plan->warnings) *warnings << text(warning);
  for (const std::string& warning : *written) *warnings << text(warning);
  return {};
}

QString whyNotWritable(const QString& prefix, const QString& own) {
  const QFileInfo info(prefix);
  if (prefix.isEmpty() || prefix.endsWith(u'/') || info.isDir())
    return CheckpointEditsText::tr("%1 is a folder; give the name of a checkpoint in it, such as model.").arg(prefix);
  if (info.absoluteFilePath() == QFileInfo(own).absoluteFilePath())
    return CheckpointEditsText::tr("%1 is the checkpoint being read; choose another name.").arg(prefix);
  return {};
}

}  // namespace weft::app
