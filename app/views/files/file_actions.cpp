#include "views/files/file_actions.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "adapters/event_graph.h"
#include "adapters/projection.h"

namespace weft::app {
namespace {

struct FileActionWords {
  Q_DECLARE_TR_FUNCTIONS(FileActions)
};

void ofCheckpoint(const FileContents& contents, QVector<FileAction>& out) {
  if (contents.tensors)
    out << FileAction{FileActionWords::tr("Compare…"),
                      FileActionWords::tr("Compares each variable with the one of the same name in another file"),
                      "layers",
                      QStringLiteral("inspect.compare"),
                      {}};
  for (const FilePart& part : contents.parts)
    if (part.role == FilePart::Role::Meta && part.present)
      out << FileAction{FileActionWords::tr("Open its graph"),
                        FileActionWords::tr("Shows %1 on the canvas").arg(QFileInfo(part.path).fileName()),
                        "graph",
                        QStringLiteral("file.open"),
                        {part.path}};
  if (contents.tensors)
    out << FileAction{FileActionWords::tr("Save as…"),
                      FileActionWords::tr("Writes a copy: chosen variables, other names, another type, version or number of files"),
                      "save",
                      QStringLiteral("inspect.save-copy"),
                      {}};
  if (contents.tensors)
    out << FileAction{FileActionWords::tr("Freeze…"),
                      FileActionWords::tr("Opens its graph with variables replaced by constants of these values"),
                      "export",
                      QStringLiteral("inspect.freeze"),
                      {}};
}

void ofModel(const FileContents& contents, QVector<FileAction>& out) {
  const QStringList graphs = graphsOfModel(contents);
  for (int i = 0; i < graphs.size(); ++i)
    out << FileAction{graphs[i].isEmpty() ? FileActionWords::tr("Open the graph") : FileActionWords::tr("Open the graph: %1").arg(graphs[i]),
                      FileActionWords::tr("Shows this graph of the model on the canvas"),
                      "graph",
                      QStringLiteral("inspect.open-graph"),
                      {QString::number(i)}};
  if (!variablesOf(contents).isEmpty())
    out << FileAction{FileActionWords::tr("Open the variables"),
                      FileActionWords::tr("Shows the checkpoint inside the model"),
                      "file",
                      QStringLiteral("inspect.open-variables"),
                      {}};
}

void ofEvents(const FileContents& contents, QVector<FileAction>& out) {
  if (holdsEventGraph(contents))
    out << FileAction{FileActionWords::tr("Open its graph"),
                      FileActionWords::tr("Shows the graph of the event file on the canvas"),
                      "graph",
                      QStringLiteral("inspect.open-event-graph"),
                      {}};
  const QVector<EventRun> runs = eventRunsOf(contents);
  if (!runs.isEmpty())
    out << FileAction{FileActionWords::tr("Open a session run"),
                      FileActionWords::tr("Shows the first of %n recorded session run(s), %1, in the timeline, beside its graph. A double click on a tag below "
                                          "shows that one.",
                                          nullptr, int(runs.size()))
                          .arg(runs.first().tag),
                      "timeline",
                      QStringLiteral("inspect.open-session-run"),
                      {}};
  const QString folder = contents.kind == QLatin1String("events") ? QFileInfo(contents.path).path() : contents.path;
  out << FileAction{FileActionWords::tr("Show in the panels"),
                    FileActionWords::tr("Shows the curves, histograms and images of %1 and follows new events").arg(folder),
                    "chart",
                    QStringLiteral("panels.show-logdir"),
                    {folder}};
}

}  // namespace

QVector<FileAction> actionsOf(const FileContents& contents) {
  static const QStringList traces = {QStringLiteral("trace"), QStringLiteral("run_metadata"), QStringLiteral("tfprof"), QStringLiteral("xplane")};
  QVector<FileAction> out;
  if (contents.kind == QLatin1String("checkpoint")) ofCheckpoint(contents, out);
  ofModel(contents, out);
  if (contents.kind == QLatin1String("events") || contents.kind == QLatin1String("logdir")) ofEvents(contents, out);
  if (contents.records)
    out << FileAction{FileActionWords::tr("Copy a writer"),
                      FileActionWords::tr("Copies Python code that writes records with these features"),
                      "copy",
                      QStringLiteral("inspect.copy-writer"),
                      {}};
  if (contents.projector && !projectableTensors(contents).isEmpty())
    out << FileAction{FileActionWords::tr("Open in the projector"),
                      FileActionWords::tr("Shows the rows of the embeddings as points: PCA, t-SNE, UMAP"),
                      "scatter",
                      QStringLiteral("projector.open"),
                      {contents.path, projectableTensors(contents).first()}};
  if (contents.projector && !contents.projector->checkpoint.isEmpty())
    out << FileAction{FileActionWords::tr("Open the checkpoint"),
                      FileActionWords::tr("Shows the checkpoint that the embeddings are taken from"),
                      "file",
                      QStringLiteral("file.open"),
                      {contents.projector->checkpoint}};
  if (traces.contains(contents.kind))
    out << FileAction{FileActionWords::tr("Open in the profiler"),
                      FileActionWords::tr("Shows the trace as a timeline with its tables"),
                      "timeline",
                      QStringLiteral("profile.open"),
                      {contents.path}};
  return out;
}

}  // namespace weft::app
