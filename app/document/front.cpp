#include "document/front.h"

#include <QDir>
#include <QFileInfo>
#include <memory>

#include "adapters/event_graph.h"
#include "document/document.h"

namespace weft::app {

namespace {

constexpr const char* kEventsProperty = "eventFiles";  // of a document: the event files that its graph was read from

}  // namespace

void showEventGraphIn(Workspace& workspace, const QString& path, Workspace::Done done) {
  for (Document* document : workspace.documents()) {
    if (document->property(kEventsProperty).toString() != path) continue;
    workspace.setCurrent(document);
    if (done) done({});
    return;
  }
  openEventGraphIn(workspace, path, std::move(done));
}

void openEventGraphIn(Workspace& workspace, const QString& path, Workspace::Done done) {
  auto outcome = std::make_shared<OpenOutcome>();
  auto arrays = std::make_shared<std::shared_ptr<CanvasArrays>>();
  workspace.tasks().start(
      Workspace::tr("Opening %1").arg(QFileInfo(path).fileName()),
      [outcome, arrays, path](TaskState& task) {
        *outcome = openEventGraph(path, task);
        *arrays = Document::prepare(outcome->contents);
      },
      [&workspace, outcome, arrays, path, done] {
        if (!outcome->contents) {
          workspace.log().error(outcome->error);
          emit workspace.failed(outcome->error);
        } else {
          // Event files have similar names in all runs; their folders differ.
          const QFileInfo info(path);
          const QString name = info.isDir() ? info.fileName() : info.dir().dirName();
          auto* document = new Document(outcome->contents, {}, name + QStringLiteral(".pb"), &workspace, std::move(*arrays));
          document->setProperty(kEventsProperty, path);
          workspace.add(document);
        }
        if (done) done(outcome->contents ? QString() : outcome->error);
      },
      [done] {
        if (done) done(Workspace::tr("Opening was cancelled."));
      });
}

}  // namespace weft::app
