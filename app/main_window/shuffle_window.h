#pragma once

#include <QDialog>

#include "adapters/shuffle_order.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace weft::app {

/// A scatter plot of the elements: x is the input position, y the output position.
class ShufflePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ShufflePlot(QWidget* parent);
  void setOrder(const QVector<int>& order, int batch);
  QSize sizeHint() const override { return {420, 420}; }
  QSize minimumSizeHint() const override { return {220, 200}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QVector<int> order_;
  int batch_ = 1;
};

/// Simulates the shuffling of a queue or a data set: a plot of the order, how well it mixes, how long the first batch waits. GUI thread.
class ShuffleWindow : public QDialog {
  Q_OBJECT

 public:
  explicit ShuffleWindow(QWidget* parent);
  void setSetup(const ShuffleSetup& setup);
  const ShuffleOrder& order() const { return order_; }
  QString words() const;
  QSize sizeHint() const override { return {780, 500}; }

 private:
  ShuffleSetup setup() const;
  void compute();

  QFormLayout* form_;
  QComboBox* kind_;
  QSpinBox *elements_, *capacity_, *least_, *buffer_, *batch_, *seed_;
  ShufflePlot* plot_;
  QLabel* words_;
  ShuffleOrder order_;
};

}  // namespace weft::app
