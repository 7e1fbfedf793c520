#include "mesh/mesh_grid.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <cmath>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/format.h"
#include "common/plot_card.h"
#include "common/step_slider.h"
#include "mesh/mesh_plot.h"

namespace weft::widgets {
namespace {

constexpr QSize kMeshCard(340, 300);

QJsonArray jsonOfVertex(const QVector3D& v) { return {double(v.x()), double(v.y()), double(v.z())}; }

}  // namespace

class MeshGrid::Private {
 public:
  /// What a card shows, to redraw it only for other contents.
  using Shown = std::array<double, 5>;
  struct Entry {
    QString run, mesh;
    int hue = 0;
    MeshParts parts;
    std::optional<Shown> shown;
    std::optional<MeshCamera> camera;  // as the user set it: cards far out of view are destroyed
  };
  QMap<QString, Entry> entries;
  QWidget* batch = nullptr;
  QLabel* label = nullptr;
  QSpinBox* sample = nullptr;

  std::shared_ptr<const Mesh> mesh(const QString& key, std::optional<double> step) const {
    const auto entry = entries.constFind(key);
    return entry == entries.cend() ? nullptr : meshAt(entry->parts, step, sample->value());
  }
  QByteArray csv(const QString& key, std::optional<double> step) const;
  QByteArray json(const QString& key, std::optional<double> step) const;
};

QByteArray MeshGrid::Private::csv(const QString& key, std::optional<double> step) const {
  QByteArray out = "vertex,x,y,z,red,green,blue\n";
  const auto mesh = this->mesh(key, step);
  for (std::size_t i = 0; mesh && i < mesh->vertices.size(); ++i) {
    const QVector3D& v = mesh->vertices[i];
    out += QByteArray::number(static_cast<qulonglong>(i));
    for (int axis = 0; axis < 3; ++axis) out += ',' + QByteArray::number(double(v[axis]), 'g', 9);
    if (mesh->colors.empty()) {
      out += ",,,\n";
      continue;
    }
    const QRgb c = mesh->colors[i];
    for (const int part : {qRed(c), qGreen(c), qBlue(c)}) out += ',' + QByteArray::number(part);
    out += '\n';
  }
  return out;
}

QByteArray MeshGrid::Private::json(const QString& key, std::optional<double> step) const {
  const auto mesh = this->mesh(key, step);
  if (!mesh) return {};
  QJsonArray vertices, faces, colors;
  for (const QVector3D& v : mesh->vertices) vertices << jsonOfVertex(v);
  for (const auto& [a, b, c] : mesh->faces) faces << QJsonArray{a, b, c};
  for (const QRgb c : mesh->colors) colors << QJsonArray{qRed(c), qGreen(c), qBlue(c)};
  const Entry& entry = entries[key];
  return QJsonDocument(QJsonObject{{QStringLiteral("run"), entry.run},
                                   {QStringLiteral("mesh"), entry.mesh},
                                   {QStringLiteral("step"), mesh->step},
                                   {QStringLiteral("sample"), sample->value()},
                                   {QStringLiteral("vertices"), vertices},
                                   {QStringLiteral("faces"), faces},
                                   {QStringLiteral("colors"), colors}})
      .toJson();
}

MeshGrid::MeshGrid(QWidget* parent) : RunCardPanel(QStringLiteral("node"), kMeshCard, parent), d_(std::make_unique<Private>()) {
  cards()->setLeastHeight(150);
  d_->batch = new QWidget(this);
  auto* row = new QHBoxLayout(d_->batch);
  row->setContentsMargins(0, 0, 0, 0);
  d_->label = new QLabel(d_->batch);
  d_->sample = new QSpinBox(d_->batch);
  d_->sample->setObjectName(QStringLiteral("mesh_sample"));
  d_->sample->setRange(0, 0);
  d_->label->setBuddy(d_->sample);
  row->addWidget(d_->label);
  row->addWidget(d_->sample);
  addGroup()->addWidget(d_->batch);
  d_->batch->hide();
  connect(d_->sample, &QSpinBox::valueChanged, this, [this] {
    for (const QString& key : d_->entries.keys())
      if (cards()->card(key)) refreshCard(key);
  });
  retranslate();
}
MeshGrid::~MeshGrid() = default;

void MeshGrid::retranslate() {
  RunCardPanel::retranslate();
  cards()->setGeneralName(tr("Meshes"));
  if (!d_) return;
  d_->label->setText(tr("Batch index"));
  d_->sample->setToolTip(tr("Which mesh of the batch all cards show"));
  for (Private::Entry& entry : d_->entries) entry.shown.reset();
}

int MeshGrid::sample() const { return d_->sample->value(); }

void MeshGrid::setSample(int index) {
  refreshGrown();
  d_->sample->setValue(index);
}

QWidget* MeshGrid::makeCard(const QString& key, QWidget* parent) {
  Private::Entry& entry = d_->entries[key];
  entry.shown.reset();
  auto* plot = new MeshPlot;
  if (entry.camera) plot->setCamera(*entry.camera);
  connect(plot, &MeshPlot::cameraChanged, this, [this, key, plot] {
    if (const auto it = d_->entries.find(key); it != d_->entries.end()) it->camera = plot->camera();
  });
  PlotCard* card = makePlotCard(key, entry.hue, plot, parent);
  addExportActions(
      card->menu(), card, [mesh = entry.mesh] { return mesh; }, [this, key] { return d_->csv(key, steps()->step()); },
      [this, key] { return d_->json(key, steps()->step()); });
  return card;
}

std::vector<double> MeshGrid::stepsOf(const QString& key) {
  std::vector<double> list;
  const Private::Entry& entry = d_->entries[key];
  if (!entry.parts.vertices) return list;
  for (const MeshPart& part : *entry.parts.vertices) list.push_back(part.step);
  return list;
}

void MeshGrid::refreshCard(const QString& key) {
  auto* card = static_cast<PlotCard*>(cards()->card(key));
  const auto it = d_->entries.find(key);
  if (!card || it == d_->entries.end()) return;
  const auto step = steps()->step();
  const auto version = [](const auto& series) { return series ? static_cast<double>(series->version()) : -1; };
  const MeshSeries* vertices = it->parts.vertices.get();
  const double at = !vertices || vertices->empty() ? -1 : static_cast<double>(step ? vertices->at(*step) : vertices->size() - 1);
  const Private::Shown shown = {version(it->parts.vertices), version(it->parts.faces), version(it->parts.colors), at, double(d_->sample->value())};
  if (it->shown == shown) return;
  it->shown = shown;
  const auto mesh = meshAt(it->parts, step, d_->sample->value());
  if (mesh && mesh->problem.isEmpty()) {
    const QString points = tr("%n vertex(es)", nullptr, static_cast<int>(mesh->vertices.size()));
    card->setFoot(tr("step %1").arg(formatCount(std::llround(mesh->step))),
                  mesh->isCloud() ? points : QStringLiteral("%1 · %2").arg(points, tr("%n face(s)", nullptr, static_cast<int>(mesh->faces.size()))));
  } else {
    card->setFoot(mesh ? tr("step %1").arg(formatCount(std::llround(mesh->step))) : QString());
  }
  static_cast<MeshPlot*>(card->body())->show(mesh, it->hue);
}

void MeshGrid::forget(const QString& key) { d_->entries.remove(key); }

/// The batch index is asked for only where there is a choice.
void MeshGrid::refreshed() {
  int most = 1;
  for (const Private::Entry& entry : std::as_const(d_->entries))
    if (entry.parts.vertices && !entry.parts.vertices->empty()) most = std::max(most, entry.parts.vertices->back().samples);
  d_->sample->setMaximum(most - 1);
  d_->batch->setVisible(most > 1);
}

void MeshGrid::setPart(const QString& run, int hue, std::shared_ptr<const MeshSeries> series) {
  const MeshPart& last = series->back();
  const QString mesh = last.mesh, key = keyOf(run, mesh);
  const bool isNew = !d_->entries.contains(key);
  Private::Entry& entry = d_->entries[key];
  entry.run = run;
  entry.mesh = mesh;
  entry.hue = hue;
  std::shared_ptr<const MeshSeries>& part = entry.parts.of(last.kind);
  if (part != series) entry.shown.reset();
  part = std::move(series);
  isNew ? addSeries(run, mesh) : grown(run, mesh);
}

QStringList MeshGrid::meshes() const {
  QStringList out;
  for (const Private::Entry& entry : std::as_const(d_->entries))
    if (!out.contains(entry.mesh)) out << entry.mesh;
  return out;
}

MeshPlot* MeshGrid::plot(const QString& run, const QString& mesh) {
  if (!d_->entries.contains(keyOf(run, mesh))) return nullptr;
  auto* card = static_cast<PlotCard*>(cards()->makeCard(keyOf(run, mesh)));
  if (!card) return nullptr;
  refreshCard(keyOf(run, mesh));
  return static_cast<MeshPlot*>(card->body());
}

QString MeshGrid::exportMesh(const QString& mesh, const QString& path) {
  for (const QString& key : d_->entries.keys()) {
    if (d_->entries[key].mesh != mesh || !isShown(d_->entries[key].run)) continue;
    auto* card = static_cast<PlotCard*>(cards()->makeCard(key));
    refreshCard(key);
    const auto* plot = static_cast<MeshPlot*>(card->body());
    if (plot->mesh() && !plot->mesh()->problem.isEmpty()) return QStringLiteral("%1: %2").arg(mesh, plot->mesh()->problem);
    static_cast<MeshPlot*>(card->body())->finish();
    return exportCard(
        card, path, [this, key] { return d_->csv(key, steps()->step()); }, [this, key] { return d_->json(key, steps()->step()); });
  }
  if (meshes().contains(mesh)) return tr("All runs with the mesh %1 are hidden.").arg(mesh);
  return tr("There is no mesh %1; there are %2.").arg(mesh, meshes().join(QStringLiteral(", ")));
}

}  // namespace weft::widgets
