#pragma once

#include <QString>
#include <QVector>
#include <functional>
#include <optional>

namespace weft::widgets {

/// The two axes of a tensor shown as rows and columns, and the positions on the others. Tensors of rank 1 are one row, scalars one cell.
class TensorSlice {
 public:
  TensorSlice() = default;
  /// Shows the last two axes, all others at 0.
  explicit TensorSlice(QVector<qint64> shape);

  const QVector<qint64>& shape() const { return shape_; }
  int rowAxis() const { return rowAxis_; }        ///< -1: there is one row.
  int columnAxis() const { return columnAxis_; }  ///< -1: there is one column.
  qint64 rows() const { return rowAxis_ < 0 ? (empty_ ? 0 : 1) : shape_[rowAxis_]; }
  qint64 columns() const { return columnAxis_ < 0 ? (empty_ ? 0 : 1) : shape_[columnAxis_]; }
  /// Position of an axis that is neither row nor column.
  qint64 fixed(int axis) const { return fixed_[axis]; }
  void setFixed(int axis, qint64 position);
  /// Axes that are neither row nor column.
  QVector<int> fixedAxes() const;
  qint64 flat(qint64 row, qint64 column) const;
  /// All positions of a cell.
  QVector<qint64> indices(qint64 row, qint64 column) const;

  /// `[0, :, :, 3]`
  QString text() const;
  /// Parses that form: one entry per axis, `:` for at most two of them. On failure returns false and sets `error`.
  bool setText(const QString& text, QString* error);
  /// Makes the cell at these positions (one per axis, brackets optional) part of the slice, and returns its row and column.
  bool goTo(const QString& text, qint64* row, qint64* column, QString* error);

 private:
  QVector<qint64> shape_, fixed_, strides_;
  int rowAxis_ = -1, columnAxis_ = -1;
  bool empty_ = false;
};

/// Parses a range of values to mark: `> 3`, `<= -1`, `|x| > 3`, `[-1, 1]` (inside), `nan`, `inf`. nullopt if the text is invalid.
std::optional<std::function<bool(double)>> highlightOf(const QString& text);

}  // namespace weft::widgets
