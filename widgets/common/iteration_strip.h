// The iterations of a loop as a row of buttons, with the current one marked.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>
#include <QWidget>

namespace weft::widgets {

/// Shows as many iterations as fit around the current one: computed ones filled, future ones outlined. A click, or the arrow keys and Enter, request an
/// iteration. GUI thread.
class IterationStrip : public QWidget {
  Q_OBJECT

 public:
  struct Iteration {
    QString tip;          ///< What is known about it.
    bool isKept = false;  ///< Its values are still available.
    bool isOdd = false;   ///< A value was not finite.
  };
  explicit IterationStrip(QWidget* parent = nullptr);

  /// `computed`: the last iteration that the loop has begun; at least `present`.
  void setIterations(qint64 present, qint64 computed, const QHash<qint64, Iteration>& known);
  /// The iterations shown now, from left to right.
  QVector<qint64> shown() const;
  QRect rectOf(qint64 iteration) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void chosen(qint64 iteration);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int chipWidth() const;
  qint64 at(const QPoint& point) const;
  QString tipOf(qint64 iteration) const;

  qint64 present_ = 0, computed_ = 0, marked_ = -1;  // marked: by the keyboard; -1: the current one
  qint64 hovered_ = -1;
  QHash<qint64, Iteration> known_;
};

}  // namespace weft::widgets
