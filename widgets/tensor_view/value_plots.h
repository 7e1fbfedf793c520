// Small pictures of a tensor's values: their histogram, and how they moved over iterations or steps.
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// Bars of the finite values, and a bar apart for what is not finite.
class ValueHistogram : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  void setFacts(const TensorFacts& facts);
  /// Another tensor's values as a line over the bars, both as shares of their values on one axis; nullopt: none.
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

/// One moment of a tensor.
struct ValueMoment {
  qint64 iteration = 0;
  double min = 0, mean = 0, max = 0;
  bool isFinite = true;
};

/// Mean as a line within the band from least to greatest value; moments with values that are not finite are marked.
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
