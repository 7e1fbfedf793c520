// Small pictures of a tensor's values: their histogram, and how they moved over iterations or steps.
#pragma once

#include <QVector>
#include <QWidget>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// Bars of the finite values, and a bar apart for what is not finite.
class ValueHistogram : public QWidget {
  Q_OBJECT

public:
  using QWidget::QWidget;
  void setFacts(const TensorFacts& facts);
  QSize sizeHint() const override { return {200, 92}; }
  QSize minimumSizeHint() const override { return {60, 60}; }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  TensorFacts facts_;
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
