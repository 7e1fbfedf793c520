#pragma once

#include <QImage>
#include <QWidget>

namespace weft::widgets {

/// Brightness and contrast of displayed pictures; {0, 1} changes nothing.
struct ImageTone {
  double brightness = 0;  ///< -1 … 1, added
  double contrast = 1;    ///< about the middle grey
  bool operator==(const ImageTone&) const = default;
};

/// `image` with that tone; alpha is unchanged.
QImage toned(const QImage& image, ImageTone tone);
/// |a - b| per channel over the common size; black where they are equal.
QImage difference(const QImage& a, const QImage& b);
/// The value of a pixel as text: `132`, `12 200 7`, `12 200 7 a255`.
QString pixelText(const QImage& image, int x, int y);

/// Shows one picture, or two to compare. The wheel zooms from the whole picture to single pixels with their values. Dragging moves the picture (in a wipe, the
/// divider), double-click and F fit it, 1 shows it at 100 %, + and - zoom.
class ImageViewer : public QWidget {
  Q_OBJECT

 public:
  enum class Mode { A, B, Wipe, Difference };

  explicit ImageViewer(QWidget* parent = nullptr);

  void setImages(const QImage& a, const QImage& b);
  void setMode(Mode mode);
  Mode mode() const { return mode_; }
  void setTone(ImageTone tone);
  /// Screen pixels per picture pixel.
  double zoom() const { return zoom_; }
  void setZoom(double zoom, QPointF about);
  void fit();
  void actualSize();
  /// Position of the wipe's divider, 0 … 1 of the picture's width.
  void setWipe(double share);
  double wipe() const { return wipe_; }

  QSize sizeHint() const override { return {360, 360}; }

 signals:
  /// The pixel under the pointer as text; empty: the pointer left.
  void pixelHovered(const QString& text);
  void zoomChanged(double zoom);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void prepare();
  QSize imageSize() const;
  QRectF imageRect() const;
  /// Draws the pixel values of `source` over its displayed picture `drawn`.
  void drawValues(QPainter& p, const QImage& source, const QImage& drawn, const QRectF& clip) const;
  bool nearWipe(QPointF at) const;

  QImage a_, b_;            // as given
  QImage plain_;            // the first or the difference, without tone
  QImage shownA_, shownB_;  // what is drawn
  Mode mode_ = Mode::A;
  ImageTone tone_;
  double zoom_ = 1, wipe_ = 0.5;
  QPointF centre_;  // point of the picture at the middle of the widget
  bool fitted_ = true, movingWipe_ = false;
  QPointF pressed_, pressedCentre_;
};

}  // namespace weft::widgets
