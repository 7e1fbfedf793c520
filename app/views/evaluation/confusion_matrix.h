#pragma once

#include <QVector>
#include <QWidget>

namespace weft::app {

/// A confusion matrix: rows are labels, columns predictions. A cell's colour strength shows its share of the row; its number is the count.
class ConfusionMatrix : public QWidget {
  Q_OBJECT

 public:
  explicit ConfusionMatrix(QWidget* parent = nullptr);
  /// `counts`: [label × classes + predicted].
  void setCounts(int classes, const QVector<qint64>& counts);
  /// Chooses a cell; those that do not exist choose none.
  void chooseCell(int label, int predicted);
  /// The chosen cell as label and predicted; -1, -1: none.
  QPair<int, int> chosen() const { return {row_, column_}; }

 signals:
  void cellChosen(int label, int predicted);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  QSize sizeHint() const override { return {360, 360}; }

 private:
  double cellSize() const;
  QPointF origin() const;
  QPair<int, int> cellAt(QPointF at) const;
  void choose(int row, int column);
  qint64 rowSum(int row) const;

  int classes_ = 0, row_ = -1, column_ = -1;
  QVector<qint64> counts_;
};

}  // namespace weft::app
