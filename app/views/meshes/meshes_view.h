#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

namespace weft::widgets {
class MeshGrid;
}

namespace weft::app {

/// Meshes and point clouds that runs logged.
class MeshesView : public QWidget {
  Q_OBJECT

 public:
  MeshesView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Writes the card of a mesh in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& mesh, const QString& path);
  /// `step N`, `newest`, or `sample N`: the index of the batch.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showSeries(int run, const QString& tag);
  void retranslate();

  ViewContext context_;
  widgets::MeshGrid* grid_;
};

extern const ViewRecord meshesView;

}  // namespace weft::app
