#pragma once

#include "views/run_cards_view.h"

namespace weft::widgets {
class MeshGrid;
}

namespace weft::app {

/// Meshes and point clouds that runs logged.
class MeshesView : public RunCardsView {
  Q_OBJECT

 public:
  MeshesView(const ViewContext& context, QWidget* parent);

 public slots:
  /// Writes the card of a mesh in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& mesh, const QString& path);
  /// `step N`, `newest`, or `sample N`: the index of the batch.
  bool setOption(const QString& option) override;

 private:
  MeshesView(const ViewContext& context, widgets::MeshGrid* grid, QWidget* parent);
  void showSeries(const SummaryRun& run, const QString& tag) override;
  void retranslate() override;

  widgets::MeshGrid* grid_;
};

extern const ViewRecord meshesView;

}  // namespace weft::app
