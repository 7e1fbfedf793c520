#pragma once

#include <QImage>
#include <QWidget>

#include "adapters/trained_model.h"

namespace weft::app {

/// A sample's values as a picture, the smallest black, the largest white: [h·w], [h, w], [h, w, 1] or [h, w, 3]; null for other shapes.
QImage sampleImage(const QVector<float>& values, const QVector<int>& shape);
/// Width and height of such a shape; 0×0 for other shapes.
QSize sampleSize(const QVector<int>& shape);

/// Pictures of samples with label and prediction, in a grid that scrolls with its owner.
class SampleList : public QWidget {
  Q_OBJECT

 public:
  explicit SampleList(QWidget* parent = nullptr);
  void setReport(const ClassReport& report);
  /// Restricts it to samples of that cell; -1: all.
  void setCell(int label, int predicted);
  int count() const { return int(shown_.size()); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void arrange();
  int columns() const;

  QVector<ClassReport::Sample> samples_;
  QVector<QImage> images_;
  QVector<int> shown_;  // indexes into samples_
  int label_ = -1, predicted_ = -1;
};

}  // namespace weft::app
