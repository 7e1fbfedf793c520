#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <vector>

namespace weft::widgets {

/// One small chart per run, all with the same axes: the run's curve in front of the others. A click selects a run, with Ctrl several. The widget grows with the
/// number of charts; put it into a scroll area. GUI thread.
class SmallMultiples : public QWidget {
  Q_OBJECT

 public:
  explicit SmallMultiples(QWidget* parent = nullptr);

  struct Curve {
    QString title, detail;  ///< Above the chart, left and right.
    QColor color;
    std::vector<QPointF> points;  ///< x increases.
  };
  void setContents(std::vector<Curve> curves);
  void setSelected(const std::vector<int>& items);
  /// The chart of an item, in pixels.
  QRectF chart(int item) const;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {420, heightForWidth(420)}; }

 signals:
  void selected(const std::vector<int>& items);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int columns(int width) const;

  std::vector<Curve> curves_;
  std::vector<char> selected_;
  QRectF range_;  // of all points
};

}  // namespace weft::widgets
