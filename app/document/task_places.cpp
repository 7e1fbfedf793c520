#include "document/task_places.h"

#include "adapters/cluster_places.h"
#include "document/device_places.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"

namespace weft::app {

TaskPlaces::TaskPlaces(Workspace& workspace, ProfileStore& store, QObject* parent) : QObject(parent), workspace_(workspace), store_(store) {
  connect(&store, &ProfileStore::currentChanged, this, &TaskPlaces::update);
  connect(&DevicePlaces::of(workspace), &DevicePlaces::changed, this, &TaskPlaces::update);
  connect(&workspace, &Workspace::currentChanged, this, &TaskPlaces::follow);
  follow();
}

void TaskPlaces::follow() {
  Document* document = workspace_.current();
  if (document == document_) return;
  if (document_) document_->disconnect(this);
  document_ = document;
  shown_ = false;
  if (!document) return;
  connect(document, &Document::contentsChanged, this, [this] {
    shown_ = false;  // the model's arrays are new
    update();
  });
  connect(document, &Document::textsChanged, this, &TaskPlaces::update);
  update();
}

void TaskPlaces::update() {
  const ProfilePtr profile = store_.current();
  const bool wanted = profile && !profile->tasks.isEmpty();
  const NodePlacementPtr places = wanted ? nullptr : DevicePlaces::of(workspace_).places();
  if (!document_ || (!wanted && !places && !shown_)) return;
  const auto made = std::make_shared<ClusterPlaces>();
  const GraphContentsPtr contents = document_->contents();
  workspace_.tasks().start(
      wanted ? tr("Showing the tasks of the traced step") : tr("Showing the devices of nodes"),
      [made, contents, profile, places, wanted](TaskState&) {
        *made = clusterPlaces(contents->arrays, wanted ? profile.get() : nullptr);
        if (places && places->error.isEmpty()) made->placed = places->device;
      },
      [this, made, contents, profile, places, wanted, document = document_] {
        if (!document || document != document_ || document->contents() != contents || profile != store_.current()) return;  // a newer one is on its way
        widgets::MemoryGraphModel& model = *document->model();
        if (model.nodes.size() != made->placed.size() || model.edges.size() != made->traffic.size()) return;
        for (std::size_t n = 0; n < model.nodes.size(); ++n) model.nodes[n].placed = made->placed[n];
        for (std::size_t e = 0; e < model.edges.size(); ++e) {
          model.edges[e].crossesTasks = made->crossesTasks[e] != 0;
          model.edges[e].traffic = made->traffic[e];
        }
        shown_ = wanted || places;
        emit model.contentChanged();
      });
}

}  // namespace weft::app
