#include "tensor_view/tensor_slice.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

namespace weft::widgets {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(TensorSlice)
};

QStringList entries(QString text) {
  text.remove(u'[').remove(u']').remove(u'(').remove(u')');
  QStringList out;
  for (const QString& part : text.split(u',')) out << part.trimmed();
  return out;
}

}  // namespace

TensorSlice::TensorSlice(QVector<qint64> shape) : shape_(std::move(shape)), fixed_(shape_.size(), 0), strides_(shape_.size(), 1) {
  for (qsizetype i = shape_.size() - 2; i >= 0; --i) strides_[i] = strides_[i + 1] * shape_[i + 1];
  for (const qint64 dim : shape_) empty_ = empty_ || dim == 0;
  if (shape_.size() >= 1) columnAxis_ = int(shape_.size()) - 1;
  if (shape_.size() >= 2) rowAxis_ = int(shape_.size()) - 2;
}

void TensorSlice::setFixed(int axis, qint64 position) { fixed_[axis] = std::clamp<qint64>(position, 0, std::max<qint64>(0, shape_[axis] - 1)); }

QVector<int> TensorSlice::fixedAxes() const {
  QVector<int> out;
  for (int i = 0; i < shape_.size(); ++i)
    if (i != rowAxis_ && i != columnAxis_) out << i;
  return out;
}

qint64 TensorSlice::flat(qint64 row, qint64 column) const {
  qint64 at = 0;
  for (int i = 0; i < shape_.size(); ++i) at += strides_[i] * (i == rowAxis_ ? row : i == columnAxis_ ? column : fixed_[i]);
  return at;
}

QVector<qint64> TensorSlice::indices(qint64 row, qint64 column) const {
  QVector<qint64> out;
  for (int i = 0; i < shape_.size(); ++i) out << (i == rowAxis_ ? row : i == columnAxis_ ? column : fixed_[i]);
  return out;
}

QString TensorSlice::text() const {
  QStringList parts;
  for (int i = 0; i < shape_.size(); ++i) parts << (i == rowAxis_ || i == columnAxis_ ? QStringLiteral(":") : QString::number(fixed_[i]));
  return u'[' + parts.join(QStringLiteral(", ")) + u']';
}

bool TensorSlice::setText(const QString& text, QString* error) {
  const QStringList parts = entries(text);
  if (parts.size() != shape_.size()) {
    *error = Words::tr("Expected %n position(s), one for each axis.", nullptr, int(shape_.size()));
    return false;
  }
  QVector<qint64> fixed = fixed_;
  QVector<int> free;
  for (int i = 0; i < shape_.size(); ++i) {
    if (parts[i] == QLatin1String(":")) {
      free << i;
      continue;
    }
    bool ok = false;
    const qint64 at = parts[i].toLongLong(&ok);
    if (!ok || at < 0 || at >= shape_[i]) {
      *error = Words::tr("Axis %1: expected : or a number from 0 to %2, not %3.").arg(i).arg(shape_[i] - 1).arg(parts[i]);
      return false;
    }
    fixed[i] = at;
  }
  if (free.size() > 2) {
    *error = Words::tr("At most two axes can be shown at once.");
    return false;
  }
  fixed_ = fixed;
  columnAxis_ = free.isEmpty() ? -1 : free.last();
  rowAxis_ = free.size() == 2 ? free.first() : -1;
  return true;
}

bool TensorSlice::goTo(const QString& text, qint64* row, qint64* column, QString* error) {
  const QStringList parts = entries(text);
  if (parts.size() != shape_.size()) {
    *error = Words::tr("Expected %n position(s), one for each axis.", nullptr, int(shape_.size()));
    return false;
  }
  QVector<qint64> at;
  for (int i = 0; i < shape_.size(); ++i) {
    bool ok = false;
    at << parts[i].toLongLong(&ok);
    if (!ok || at[i] < 0 || at[i] >= shape_[i]) {
      *error = Words::tr("Axis %1: expected a number from 0 to %2, not %3.").arg(i).arg(shape_[i] - 1).arg(parts[i]);
      return false;
    }
  }
  for (const int axis : fixedAxes()) fixed_[axis] = at[axis];
  *row = rowAxis_ < 0 ? 0 : at[rowAxis_];
  *column = columnAxis_ < 0 ? 0 : at[columnAxis_];
  return true;
}

std::optional<std::function<bool(double)>> highlightOf(const QString& text) {
  using Test = std::function<bool(double)>;
  const QString t = text.simplified().toLower();
  if (t == QLatin1String("nan")) return Test([](double v) { return std::isnan(v); });
  if (t == QLatin1String("inf")) return Test([](double v) { return std::isinf(v); });
  static const QRegularExpression range(QStringLiteral("^\\[\\s*([-+.\\de]+)\\s*,\\s*([-+.\\de]+)\\s*\\]$"));
  if (const auto m = range.match(t); m.hasMatch()) {
    bool a = false, b = false;
    const double low = m.captured(1).toDouble(&a), high = m.captured(2).toDouble(&b);
    if (!a || !b) return std::nullopt;
    return Test([low, high](double v) { return v >= low && v <= high; });
  }
  static const QRegularExpression comparison(QStringLiteral("^(\\|x\\||x|)\\s*(<=|>=|==|=|<|>)\\s*([-+.\\de]+)$"));
  const auto m = comparison.match(t);
  if (!m.hasMatch()) return std::nullopt;
  bool ok = false;
  const double limit = m.captured(3).toDouble(&ok);
  if (!ok) return std::nullopt;
  const bool magnitude = m.captured(1).startsWith(u'|');
  const QString sign = m.captured(2);
  return Test([=](double v) {
    const double x = magnitude ? std::abs(v) : v;
    if (sign == QLatin1String("<")) return x < limit;
    if (sign == QLatin1String("<=")) return x <= limit;
    if (sign == QLatin1String(">")) return x > limit;
    if (sign == QLatin1String(">=")) return x >= limit;
    return x == limit;
  });
}

}  // namespace weft::widgets
