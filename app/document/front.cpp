#include "document/front.h"

#include <QDir>
#include <QFileInfo>
#include <memory>

#include "adapters/event_graph.h"
#include "document/document.h"

namespace weft::app {

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
          workspace.add(new Document(outcome->contents, {}, QFileInfo(path).dir().dirName() + QStringLiteral(".pb"), &workspace, std::move(*arrays)));
        }
        if (done) done(outcome->contents ? QString() : outcome->error);
      },
      [done] {
        if (done) done(Workspace::tr("Opening was cancelled."));
      });
}

}  // namespace weft::app
