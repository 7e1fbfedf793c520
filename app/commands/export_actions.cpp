// Exports the graph: pictures, Graphviz, a TensorFlow 1.x program.
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QPointer>
#include <QSaveFile>
#include <QtSvg/QSvgGenerator>
#include <algorithm>

#include "adapters/graph_defects.h"
#include "adapters/graph_files.h"
#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_picture.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ExportActions {
  Q_DECLARE_TR_FUNCTIONS(ExportActions)
};

constexpr int kLargestPicture = 16000;  // pixels; QImage could hold more, but other programs cannot

QString cannotWrite(const QString& path) { return ExportActions::tr("%1 could not be written.").arg(path); }

QString writePng(const widgets::GraphPicture& picture, const QString& path) {
  const QSize size = picture.size();
  const double scale = std::min(2.0, double(kLargestPicture) / std::max(1, std::max(size.width(), size.height())));
  QImage image((QSizeF(size) * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(scale, scale);
  picture.paint(painter);
  painter.end();
  return image.save(path) ? QString() : cannotWrite(path);
}

QString writeSvg(const widgets::GraphPicture& picture, const QString& path, const QString& title) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path);
  QSvgGenerator svg;
  svg.setOutputDevice(&file);
  svg.setSize(picture.size());
  svg.setViewBox(QRect(QPoint(0, 0), picture.size()));
  svg.setTitle(title);
  QPainter painter(&svg);
  picture.paint(painter);
  painter.end();
  return file.commit() ? QString() : cannotWrite(path);
}

QString writePdf(const widgets::GraphPicture& picture, const QString& path, const QString& title) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path);
  QPdfWriter pdf(&file);
  pdf.setTitle(title);
  pdf.setResolution(96);
  pdf.setPageSize(QPageSize(QSizeF(picture.size()) * 72 / 96, QPageSize::Point));
  pdf.setPageMargins(QMarginsF());
  QPainter painter(&pdf);
  picture.paint(painter);
  painter.end();
  return file.commit() ? QString() : cannotWrite(path);
}

QString writeText(const QString& text, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return cannotWrite(path);
  file.write(text.toUtf8());
  return file.commit() ? QString() : cannotWrite(path);
}

CommandResult exportGraph(Workspace& workspace, Shell& shell, QString path) {
  const QPointer<Document> document(workspace.current());
  if (path.isEmpty()) {
    const QString name = QFileInfo(document->title()).completeBaseName() + QStringLiteral(".svg");
    path = askForFileToSave(shell.window(), workspace.settings(), ExportActions::tr("Export the graph"), QDir(document->folder()).filePath(name),
                            ExportActions::tr("Images (*.svg *.png *.pdf)") + QStringLiteral(";;") + ExportActions::tr("Graphviz (*.dot)") +
                                QStringLiteral(";;") + ExportActions::tr("Python for TensorFlow 1.x (*.py)"));
    if (path.isEmpty()) return CommandResult::done();
    if (!document) return CommandResult::failed(ExportActions::tr("The graph was closed in the meantime; nothing was saved."));
  }
  const QString ending = QFileInfo(path).suffix().toLower();
  QString error;
  if (const QString why = whyNotRun(*document->contents()); ending == QLatin1String("py") && !why.isEmpty()) {
    error = ExportActions::tr("TensorFlow could not run that program. %1").arg(why);  // it would refuse that program for the same reason
  } else if (ending == QLatin1String("dot") || ending == QLatin1String("py")) {
    error = writeText(ending == QLatin1String("py") ? pythonText(*document->contents()) : dotText(*document->contents(), document->title()), path);
  } else if (QStringList{QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("pdf")}.contains(ending)) {
    const widgets::GraphView* canvas = shell.canvas();
    const widgets::GraphPicture picture(*document->model(), canvas ? canvas->expandedScopes() : QStringList(),
                                        canvas ? canvas->colorMode() : widgets::ColorMode::Category);
    error = ending == QLatin1String("png")   ? writePng(picture, path)
            : ending == QLatin1String("svg") ? writeSvg(picture, path, document->title())
                                             : writePdf(picture, path, document->title());
  } else {
    error = ExportActions::tr("%1: expected a file name ending in .svg, .png, .pdf, .dot or .py.").arg(path);
  }
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

}  // namespace

void registerExportActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("graph.export"),
                QT_TRANSLATE_NOOP("Actions", "E&xport…"),
                QT_TRANSLATE_NOOP("Actions", "Exports the drawing as SVG, PNG or PDF, or the graph as DOT or Python code for TensorFlow 1.x"),
                {},
                QStringLiteral("export"),
                "PATH",
                [&](const QStringList& a) { return exportGraph(workspace, shell, a.value(0)); },
                [&workspace] { return workspace.current() ? QString() : ExportActions::tr("No graph is open."); }});
}

}  // namespace weft::app
