// The data of a TensorView: the widget owns this interface, the app implements it over the engine's tensors.
#pragma once

#include <QString>
#include <QVector>

namespace weft::widgets {

/// Counts and moments of a tensor's values; moments only cover finite values.
struct TensorFacts {
  bool isNumeric = false;
  qint64 elements = 0, bytes = 0;
  qint64 nans = 0, positiveInfinities = 0, negativeInfinities = 0, zeros = 0;
  double min = 0, max = 0, mean = 0, std = 0;
  QVector<qint64> histogram;  ///< Finite values in equal bins over min…max.
  qint64 finite() const { return elements - nans - positiveInfinities - negativeInfinities; }
};

/// A tensor of any rank, row-major. Immutable; all calls are cheap look-ups.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  virtual QString dtype() const = 0;
  virtual QVector<qint64> shape() const = 0;
  virtual const TensorFacts& facts() const = 0;
  /// Element by flat position; 0 if it is not a number.
  virtual double number(qint64 flat) const = 0;
  /// Element as shown in a table: integers in full, strings as they are.
  virtual QString text(qint64 flat) const = 0;
};

}  // namespace weft::widgets
