#pragma once

#include <QImage>
#include <QWidget>
#include <memory>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// The filters of a convolution as small pictures, all on one scale: kernels of shape [height, width, in, out]. Of three input channels each filter is a
/// picture in colours, of one a picture in the colours of the values; of more, a row for each input channel and a column for each filter. GUI thread.
class FilterMosaic : public QWidget {
  Q_OBJECT

 public:
  explicit FilterMosaic(QWidget* parent = nullptr);
  /// Whether a tensor of this shape is shown: four dimensions, filters of 2 to 32 cells in each direction.
  static bool fits(const TensorSource& source);
  /// Null, or one that does not fit: nothing is shown.
  void setSource(std::shared_ptr<const TensorSource> source);
  /// "64 filters of 5×5 over 32 channels"
  QString description() const;
  /// How they are arranged, in a sentence.
  QString explanation() const;
  /// What lies at a point, in words; empty between the filters.
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
  qint64 shownIn_ = 0, shownOut_ = 0;  // so many of them
  int columns_ = 0, rows_ = 0;         // of tiles
  bool wrapped_ = false;               // a tile is a filter; else a filter is a column
  int scale_ = 2;                      // points for a cell
  QImage image_;                       // a pixel for each cell, one between the tiles
};

}  // namespace weft::widgets
