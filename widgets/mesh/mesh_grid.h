#pragma once

#include <memory>

#include "common/run_card_panel.h"
#include "mesh/mesh_series.h"

namespace weft::widgets {

class MeshPlot;

/// A card per mesh and run, all at the chosen step and index of the batch. GUI thread.
class MeshGrid : public RunCardPanel {
  Q_OBJECT

 public:
  explicit MeshGrid(QWidget* parent = nullptr);
  ~MeshGrid() override;

  /// Adds the series of one part of a mesh, or says that it has grown. REQUIRES: it is not empty.
  void setPart(const QString& run, int hue, std::shared_ptr<const MeshSeries> series);
  QStringList meshes() const;
  /// The index of the batch that all cards show.
  int sample() const;
  void setSample(int index);
  /// Writes the first shown card of that mesh. Returns an error sentence, or empty.
  QString exportMesh(const QString& mesh, const QString& path);
  /// The drawing in a card; null: there is none, or its run is hidden.
  MeshPlot* plot(const QString& run, const QString& mesh);

 protected:
  QWidget* makeCard(const QString& key, QWidget* parent) override;
  std::vector<double> stepsOf(const QString& key) override;
  void refreshCard(const QString& key) override;
  void forget(const QString& key) override;
  void refreshed() override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
