#pragma once

#include <QColor>
#include <QPixmap>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace weft::widgets {

/// A scatter matrix: every pair of quantities as a small plot, histograms on the diagonal. Dragging a rectangle in a plot selects its items; a click selects the
/// nearest one, or none. GUI thread.
class ScatterMatrix : public QWidget {
  Q_OBJECT

 public:
  explicit ScatterMatrix(QWidget* parent = nullptr);

  struct Quantity {
    QString title;
    bool logarithmic = false;    ///< All its values are above 0.
    QStringList words;           ///< Values are indexes into it; empty: numbers.
    std::vector<double> values;  ///< One per item; NaN: none.
  };
  /// `colors`: one per item.
  void setContents(std::vector<Quantity> quantities, std::vector<QColor> colors);
  void setSelected(const std::vector<int>& items);
  /// Where an item lies in the plot of two quantities, in pixels. REQUIRES: they exist, and the item has both values.
  QPointF place(int column, int row, int item) const;
  /// The items in a rectangle of pixels within one plot.
  std::vector<int> itemsIn(const QRectF& pixels) const;
  QSize sizeHint() const override { return {480, 360}; }
  QSize minimumSizeHint() const override { return {120, 80}; }

 signals:
  void selected(const std::vector<int>& items);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QRectF cell(int column, int row) const;
  double share(const Quantity& q, double value) const;
  void drawAll();
  void drawHistogram(QPainter& painter, int quantity) const;

  std::vector<Quantity> quantities_;
  struct Range {
    double low = 0, high = 1;
  };
  std::vector<Range> ranges_;
  std::vector<QColor> colors_;
  std::vector<char> selected_;
  QPixmap drawn_;  // all but the rectangle that is being dragged
  QPointF from_, to_;
  bool dragging_ = false;
};

}  // namespace weft::widgets
