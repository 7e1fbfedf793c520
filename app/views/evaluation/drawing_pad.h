#pragma once

#include <QImage>
#include <QVector>
#include <QWidget>

namespace weft::app {

/// A small picture to draw with the mouse (white on black; the right button erases) or to drop a picture file on. The keyboard draws with arrow keys and Space.
class DrawingPad : public QWidget {
  Q_OBJECT

 public:
  explicit DrawingPad(QWidget* parent = nullptr);
  /// Sets the size in pixels; a different size starts an empty picture.
  void setPictureSize(QSize size);
  QSize pictureSize() const { return size_; }
  /// Row by row, 0 (black) to 1.
  const QVector<float>& values() const { return values_; }
  void setValues(const QVector<float>& values);
  void clear();
  /// Loads a picture file, scaled to the size; dark-on-light pictures are inverted. False if it cannot be read.
  bool load(const QString& path);

 signals:
  void changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  QSize sizeHint() const override { return {180, 180}; }

 private:
  QRectF pictureRect() const;
  void stroke(QPointF from, QPointF to, bool rub);
  void dab(QPointF at, bool rub);

  QSize size_{8, 8};
  QVector<float> values_;
  QPointF last_;
  QPoint cursor_{0, 0};
};

}  // namespace weft::app
