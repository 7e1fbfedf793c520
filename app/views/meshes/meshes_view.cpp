#include "views/meshes/meshes_view.h"

#include <QEvent>
#include <QVBoxLayout>
#include <optional>

#include "document/workspace.h"
#include "mesh/mesh_grid.h"
#include "views/run_cards.h"

namespace weft::app {

MeshesView::MeshesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::MeshGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  connectRunCards(grid_, context, QStringLiteral("panels.open-logdir"));
  const Summaries& summaries = context.workspace.summaries();
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Mesh) showSeries(run, tag);
  });
  connect(&summaries, &Summaries::cursorMoved, grid_, &widgets::MeshGrid::followCursor);
  for (const auto& run : summaries.runs()) {
    if (run->foreign) continue;
    for (const auto& [tag, series] : run->meshes) showSeries(run->id, tag);
  }
  retranslate();
}

void MeshesView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (r) grid_->setPart(r->name, r->hue, r->meshes.at(tag));
}

void MeshesView::refreshNow() { grid_->refreshNow(); }

QString MeshesView::exportTag(const QString& mesh, const QString& path) { return grid_->exportMesh(mesh, path); }

bool MeshesView::setOption(const QString& option) {
  if (option == QLatin1String("newest")) {
    grid_->setStep(std::nullopt);
    return true;
  }
  bool isNumber = false;
  const double number = option.section(u' ', 1).toDouble(&isNumber);
  const QString name = option.section(u' ', 0, 0);
  if (!isNumber) return false;
  if (name == QLatin1String("sample") && number >= 0 && number <= 1e9) {
    grid_->setSample(int(number));
    return grid_->sample() == int(number);
  }
  if (name != QLatin1String("step")) return false;
  grid_->setStep(number);
  return true;
}

void MeshesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
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
