#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

#include "pr_curves/pr_series.h"

namespace weft::widgets {

/// Precision over recall, both from 0 to 1. Hovering names the nearest threshold with its counts. GUI thread.
class PrPlot : public QWidget {
  Q_OBJECT

 public:
  explicit PrPlot(QWidget* parent = nullptr);

  struct Line {
    QColor color;
    std::vector<double> precision, recall;
  };
  /// `behind`: curves of other runs, drawn faintly.
  void show(PrCurve curve, const QColor& color, std::vector<Line> behind);
  const PrCurve& curve() const { return curve_; }
  const std::vector<Line>& behind() const { return behind_; }
  /// The entry whose point is nearest to a pixel; -1: none is near.
  int entryAt(QPointF pixel) const;
  /// An entry in words: threshold, precision, recall and counts.
  QString describe(int entry) const;
  QSize sizeHint() const override { return {320, 240}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF area() const;
  QPointF place(double recall, double precision) const;
  void drawCurve(QPainter& painter, const std::vector<double>& precision, const std::vector<double>& recall) const;

  PrCurve curve_;
  QColor color_;
  std::vector<Line> behind_;
  int hovered_ = -1;
};

}  // namespace weft::widgets
