// What the sheets are read from.
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include "adapters/sweep_job.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/run_archive.h"
#include "document/sheet_store.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

struct SheetSourceWords {
  Q_DECLARE_TR_FUNCTIONS(SheetSources)
};

SheetRun rowOf(const RunRecord& record, const RunArchive& archive) {
  SheetRun out;
  const ArchivedRun* old = archive.archived(&record);
  out.name = archive.label(record);
  out.source = record.document;
  out.status = old && old->interrupted ? SheetSourceWords::tr("interrupted") : endWord(record.end);
  out.folder = record.folder;
  out.started = record.started.isValid() ? double(record.started.toMSecsSinceEpoch()) / 1000 : 0;
  const RunProgress& p = record.progress;
  out.seconds = p.elapsed;
  out.step = p.step;
  out.steps = p.totalSteps;
  out.params = record.settings;
  if (p.hasLoss) out.metrics.append({QStringLiteral("loss"), p.loss});
  if (p.hasAccuracy) out.metrics.append({QStringLiteral("accuracy"), p.accuracy});
  if (p.hasTestLoss) out.metrics.append({QStringLiteral("test_loss"), p.testLoss});
  if (p.hasTestAccuracy) out.metrics.append({QStringLiteral("test_accuracy"), p.testAccuracy});
  return out;
}

/// Adds the last values of a run's curves; names that are there already stay.
void addCurves(SheetRun& run, const SummaryRun& curves) {
  QSet<QString> known;
  for (const auto& [name, value] : run.metrics) known << name;
  for (const auto& [tag, series] : curves.scalars) {
    const auto samples = series->samples();
    if (samples.empty()) continue;
    if (!known.contains(tag)) run.metrics.append({tag, samples.back().value});
    run.step = std::max(run.step, qint64(samples.back().step));
    if (run.started <= 0) run.started = samples.front().wall;
    if (run.seconds <= 0) run.seconds = samples.back().wall - samples.front().wall;
  }
}

QVector<SheetRun> runsOf(Workspace& workspace) {
  QVector<SheetRun> out;
  const RunArchive& archive = RunArchive::of(workspace);
  QSet<QString> folders;
  const auto add = [&](const RunRecord& record) {
    out << rowOf(record, archive);
    folders << record.folder;
    if (const SummaryRun* curves = workspace.summaries().runOf(record.folder)) addCurves(out.last(), *curves);
  };
  for (const auto& run : workspace.runs().runs()) add(*run);
  for (const auto& run : archive.runs()) add(run->record);
  for (const auto& run : workspace.summaries().runs()) {
    if (run->foreign || (!run->identity.folder.isEmpty() && folders.contains(run->identity.folder))) continue;
    SheetRun row;
    row.name = run->name;
    row.source = run->source.isEmpty() ? run->identity.document : run->source;
    row.folder = run->identity.folder;
    row.status = run->problem;
    addCurves(row, *run);
    out << row;
  }
  return out;
}

/// Where the latest values of a document's variables are: its training, else the last checkpoint of its runs.
void findValues(Workspace& workspace, const Document& document, SheetSources& out) {
  const RunController& runs = workspace.runs();
  const RunRecord* present = runs.document() == &document ? runs.currentRun() : nullptr;
  if (present && runs.server().isEmpty()) out.model = runs.model();
  const RunArchive& archive = RunArchive::of(workspace);
  if (out.model) {
    out.valuesOf = present->name;
    return;
  }
  const auto take = [&](const RunRecord& record) {
    if (record.checkpoints.isEmpty() || !QFileInfo::exists(record.checkpoints.last().prefix + QStringLiteral(".index"))) return false;
    out.checkpoint = record.checkpoints.last().prefix;
    out.valuesOf = SheetSourceWords::tr("%1, step %2").arg(record.name.isEmpty() ? runName(record.number) : record.name).arg(record.checkpoints.last().step);
    return true;
  };
  if (present && take(*present)) return;
  if (document.path().isEmpty()) return;  // its title is that of others before it
  for (const auto& run : archive.runs())
    if (take(run->record)) return;
}

/// The tensors that expressions of the watch list name.
QStringList watchedTensors(const QStringList& expressions) {
  QStringList out;
  for (const QString& expression : expressions) {
    const QString tensor = expression.section(u'(', -1).section(u')', 0, 0).section(u'[', 0, 0);
    if (!tensor.isEmpty() && !out.contains(tensor)) out << tensor;
  }
  return out;
}

}  // namespace

SheetSources sheetSources(Workspace& workspace, SheetKind kind, const QStringList& attributes) {
  SheetSources out;
  out.kind = kind;
  const Document* document = workspace.current();
  if (document) {
    out.contents = document->contents();
    out.title = document->title();
  }
  switch (kind) {
    case SheetKind::Nodes: out.attributes = attributes; break;
    case SheetKind::Variables:
      if (document) findValues(workspace, *document, out);
      break;
    case SheetKind::Tensors: {
      const DebugController& debugger = workspace.debugger();
      // A running step may be read only where it stops.
      if (debugger.hasValues() && (debugger.isStopped() || !debugger.isActive())) out.debugged = debugger.values();
      out.watched = watchedTensors(debugger.watches(debugger.document()));
      if (!debugger.shownTensor().isEmpty() && !out.watched.contains(debugger.shownTensor())) out.watched << debugger.shownTensor();
      for (const FileTab* tab : workspace.files())
        if (tab->holdsVariables()) out.files << tab->path();
      break;
    }
    case SheetKind::Runs:
      out.runs = runsOf(workspace);
      if (document && !document->path().isEmpty()) {
        const QString store = experimentsFile(sweepFolder(document->path()));
        if (QFileInfo::exists(store)) out.experiments = store;
      }
      break;
  }
  return out;
}

}  // namespace weft::app
