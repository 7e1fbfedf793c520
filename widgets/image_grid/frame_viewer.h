#pragma once

#include <QHash>
#include <QImage>
#include <QVector>
#include <QWidget>
#include <functional>

class QLabel;
class QSlider;
class QTimer;
class QToolButton;

namespace weft::widgets {

class FrameStrip;
class ImageViewer;

/// The pictures of an animation or a data set. `image` is cheap: it is called for each picture that becomes visible. GUI thread.
struct FrameList {
  int count = 0;
  std::function<QImage(int)> image;
  QVector<int> milliseconds;  ///< For how long each is shown; empty: unknown, 0: the file does not say.
  bool empty() const { return count <= 0; }
  /// How long a frame stays while playing: as browsers do, 100 ms for times of 10 ms or less.
  int playMs(int frame) const;
};

/// One picture large, above a strip of all of them. Left and Right, Home and End, the slider and clicks in the strip choose another; Space plays. A single
/// picture has neither strip nor slider. GUI thread.
class FrameViewer : public QWidget {
  Q_OBJECT

 public:
  explicit FrameViewer(QWidget* parent = nullptr);

  /// Shows the first picture, or if the count is unchanged the current one.
  void setFrames(FrameList frames);
  const FrameList& frames() const { return frames_; }
  int current() const { return current_; }
  void setCurrent(int frame);
  bool isPlaying() const;
  void setPlaying(bool on);
  ImageViewer* viewer() const { return viewer_; }
  FrameStrip* strip() const { return strip_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void retranslate();
  void showPlace();

  FrameList frames_;
  int current_ = 0;
  ImageViewer* viewer_;
  FrameStrip* strip_;
  QWidget* bar_;
  QToolButton *back_, *play_, *forth_;
  QSlider* slider_;
  QLabel *place_, *pixel_;
  QTimer* timer_;
};

/// Small pictures in a row, the current one framed and kept in view. Only the visible ones are painted. The wheel moves the row. GUI thread.
class FrameStrip : public QWidget {
  Q_OBJECT

 public:
  explicit FrameStrip(QWidget* parent = nullptr);
  void setFrames(const FrameList& frames);
  void setCurrent(int frame);
  /// The picture at a point of the widget; -1: none.
  int frameAt(QPoint at) const;
  QRect rectOf(int frame) const;
  QSize sizeHint() const override;

 signals:
  void chosen(int frame);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  const QImage& thumbnail(int frame);
  void scrollTo(qint64 left);
  void reveal();

  FrameList frames_;
  QHash<int, QImage> thumbnails_;
  double ratio_ = 1;  // pixels of the thumbnails per point
  QSize cell_;        // points
  int current_ = 0;
  qint64 left_ = 0;  // scrolled by, points
};

}  // namespace weft::widgets
