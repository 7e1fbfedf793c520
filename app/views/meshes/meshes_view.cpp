#include "views/meshes/meshes_view.h"

#include "mesh/mesh_grid.h"

namespace weft::app {

MeshesView::MeshesView(const ViewContext& context, QWidget* parent) : MeshesView(context, new widgets::MeshGrid, parent) {}

MeshesView::MeshesView(const ViewContext& context, widgets::MeshGrid* grid, QWidget* parent)
    : RunCardsView(context, grid, SummaryKind::Mesh, parent), grid_(grid) {
  showAll(&SummaryRun::meshes);
  retranslate();
}

void MeshesView::showSeries(const SummaryRun& run, const QString& tag) { grid_->setPart(run.name, run.hue, run.meshes.at(tag)); }

QString MeshesView::exportTag(const QString& mesh, const QString& path) { return grid_->exportMesh(mesh, path); }

bool MeshesView::setOption(const QString& option) {
  if (RunCardsView::setOption(option)) return true;
  bool isNumber = false;
  const double number = option.section(u' ', 1).toDouble(&isNumber);
  if (!option.startsWith(QLatin1String("sample ")) || !isNumber || number < 0 || number > 1e9) return false;
  grid_->setSample(int(number));
  return grid_->sample() == int(number);
}

void MeshesView::retranslate() {
  grid_->setEmptyText(tr("No meshes yet"), tr("Meshes and point clouds from the mesh summaries of event files appear here."), tr("Open event files…"),
                      QStringLiteral("folder"));
}

const ViewRecord meshesView = {"meshes",
                               QT_TRANSLATE_NOOP("Views", "Meshes"),
                               QT_TRANSLATE_NOOP("Views", "Meshes and point clouds at the steps of a training"),
                               "node",
                               Qt::BottomDockWidgetArea,
                               "",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new MeshesView(context, parent); }};

}  // namespace weft::app
