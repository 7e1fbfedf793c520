#pragma once

#include <QPixmap>
#include <QWidget>

#include "graph_view/memory_graph_model.h"
#include "graph_view/graph_view.h"

namespace weft::app {

struct GraphContents;

constexpr int kThumbnailWidth = 220, kThumbnailHeight = 132;

/// Shows a picture of a graph in the middle of its place.
class GraphPicture : public QWidget {
 public:
  explicit GraphPicture(QWidget* parent = nullptr);
  void setPicture(const QPixmap& picture);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QPixmap picture_;
};

/// Draws a graph as our canvas does, small and without the canvas's buttons; in slices of a few milliseconds. GUI thread. May go at any time, also while the theme changes: the canvas
/// in it goes later.
class ThumbnailDrawing {
 public:
  ThumbnailDrawing(const GraphContents& contents, double ratio);
  ~ThumbnailDrawing();
  ThumbnailDrawing(const ThumbnailDrawing&) = delete;
  ThumbnailDrawing& operator=(const ThumbnailDrawing&) = delete;
  /// True when the picture is complete.
  bool drawSlice();
  QPixmap picture() const;

 private:
  widgets::GraphView* view_;
  widgets::MemoryGraphModel* model_;  ///< The view's: it looks at it to its end.
  QPixmap shot_;
  double ratio_;
  int slice_ = 0;
};

}  // namespace weft::app
