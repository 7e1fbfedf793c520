#pragma once

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>

#include "tensor_view/tensor_slice.h"
#include "tensor_view/tensor_source.h"
#include "tensor_view/value_range.h"

namespace weft::widgets {

/// A slice as coloured cells: diverging around 0 if there are values of both signs, otherwise sequential; or as a picture in grey or colour. A few extreme
/// outliers take the colour of the range's end. NaN and infinities are hatched in their own hue. Where several values share a pixel, one that is not finite is
/// shown (searched in up to two million cells, beyond that in a sample).
class HeatMap : public QWidget {
  Q_OBJECT

 public:
  enum class Look { Map, Picture };
  explicit HeatMap(QWidget* parent = nullptr);

  void setContent(std::shared_ptr<const TensorSource> source, const TensorSlice& slice, Look look, std::function<bool(double)> highlight);
  /// Outlines a cell; -1: none.
  void setMarked(qint64 row, qint64 column);
  QSize sizeHint() const override { return {320, 200}; }
  QSize minimumSizeHint() const override { return {80, 60}; }
  /// Rectangle of a cell, for tests.
  QRectF cellRect(qint64 row, qint64 column) const;

 signals:
  void cellClicked(qint64 row, qint64 column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  QRectF area() const;
  bool cellAt(QPointF at, qint64* row, qint64* column) const;

  std::shared_ptr<const TensorSource> source_;
  TensorSlice slice_;
  Look look_ = Look::Map;
  std::function<bool(double)> highlight_;
  ValueRange range_;  // of the map's colours
  QImage image_;
  qint64 stepRows_ = 1, stepColumns_ = 1;  ///< Cells that share a pixel of the image.
  qint64 markedRow_ = -1, markedColumn_ = -1;
};

}  // namespace weft::widgets
