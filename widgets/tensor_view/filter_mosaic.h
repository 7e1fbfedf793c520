#pragma once

#include <QImage>
#include <QWidget>
#include <memory>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// The filters of a convolution as small pictures on one colour scale, for kernels of shape [height, width, in, out]. With three input channels each filter is
/// a colour picture, with one a picture in value colours; otherwise there is a row per input channel and a column per filter. GUI thread.
class FilterMosaic : public QWidget {
  Q_OBJECT

 public:
  explicit FilterMosaic(QWidget* parent = nullptr);
  /// Whether a tensor of this shape is shown: four dimensions, filters of 2 to 32 cells in each direction.
  static bool fits(const TensorSource& source);
  /// Null, or a tensor that does not fit: shows nothing.
  void setSource(std::shared_ptr<const TensorSource> source);
  /// "64 filters of 5×5 over 32 channels"
  QString description() const;
  /// The arrangement of the filters, in a sentence.
  QString explanation() const;
  /// The filter and value at a point as text; empty between the filters.
  QString textAt(QPoint point) const;
  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  void build();
  int columnsAt(int scale) const;
  qint64 flat(qint64 y, qint64 x, qint64 in, qint64 out) const;

  std::shared_ptr<const TensorSource> source_;
  qint64 height_ = 0, width_ = 0, in_ = 0, out_ = 0;
  qint64 shownIn_ = 0, shownOut_ = 0;  // displayed number of each
  int columns_ = 0, rows_ = 0;         // of tiles
  bool wrapped_ = false;               // a tile is a filter; otherwise a filter is a column
  int scale_ = 2;                      // points per cell
  QImage image_;                       // one pixel per cell, one between tiles
};

}  // namespace weft::widgets
