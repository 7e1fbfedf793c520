#pragma once

#include <QBasicTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "mesh/mesh_drawing.h"

namespace weft::widgets {

/// Shows one mesh. Dragging turns it, Shift+drag moves it, Ctrl+wheel zooms (the wheel alone scrolls the panel), a double click shows it as at first; the arrow keys, + and - and Home do the same. While
/// it moves, a large mesh is drawn as far as a few milliseconds allow; it is completed once it rests. GUI thread.
class MeshPlot : public QWidget {
  Q_OBJECT

 public:
  explicit MeshPlot(QWidget* parent = nullptr);
  ~MeshPlot() override;

  /// Keeps the camera, unless the mesh has another place or size. `hue`: number of the colour of vertices without one.
  void show(std::shared_ptr<const Mesh> mesh, int hue);
  const Mesh* mesh() const { return mesh_.get(); }
  const MeshCamera& camera() const { return camera_; }
  /// Replaces the camera, of a card that was there before.
  void setCamera(const MeshCamera& camera);
  void turn(double right, double down);  ///< In degrees.
  void move(QPointF pixels);
  void zoomBy(double factor);
  void resetView();
  /// Completes the picture now (files, tests).
  void finish();
  bool isComplete() const;
  /// The foremost vertex at a pixel; -1: there is none.
  int vertexAt(QPointF pixel) const;
  /// A vertex in words.
  QString describe(int vertex) const;
  QSize sizeHint() const override { return {320, 240}; }

 signals:
  /// The user has turned, moved, zoomed or reset the view.
  void cameraChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void timerEvent(QTimerEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fit();
  void redraw();
  void drawQuickly();
  void startFine();
  void advanceFine(double milliseconds);
  QSize pixels() const;

  std::shared_ptr<const Mesh> mesh_;
  MeshCamera camera_;
  bool isFitted_ = false;
  int hue_ = 0;
  QImage picture_;                     // null: to be drawn
  double share_ = 1;                   // of the mesh that is in it
  std::unique_ptr<MeshDrawing> fine_;  // becomes the picture when it is complete
  int fineScale_ = 1;                  // 2: twice as wide, then halved
  QBasicTimer rest_, slice_;
  std::optional<QPointF> grabbed_;
};

}  // namespace weft::widgets
