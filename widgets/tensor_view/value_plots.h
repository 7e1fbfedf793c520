// Small plots of a tensor's values: their histogram, and their course over iterations or steps.
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// Bars of the finite values, and a separate bar for the others.
class ValueHistogram : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  void setFacts(const TensorFacts& facts);
  /// Draws another tensor's values as a line over the bars, both as shares on one axis; nullopt: none.
  void setOther(const std::optional<TensorFacts>& other);
  QSize sizeHint() const override { return {200, 92}; }
  QSize minimumSizeHint() const override { return {60, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintBoth(QPainter& painter, const QRectF& plot) const;
  std::pair<double, double> range() const;

  TensorFacts facts_;
  std::optional<TensorFacts> other_;
};

/// Statistics of a tensor at one moment.
struct ValueMoment {
  qint64 iteration = 0;
  double min = 0, mean = 0, max = 0;
  bool isFinite = true;
};

/// The mean as a line within the band from minimum to maximum; moments with values that are not finite are marked.
class ValueCurve : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  void setMoments(const QVector<ValueMoment>& moments);
  QSize sizeHint() const override { return {200, 120}; }
  QSize minimumSizeHint() const override { return {80, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<ValueMoment> moments_;
};

}  // namespace weft::widgets
