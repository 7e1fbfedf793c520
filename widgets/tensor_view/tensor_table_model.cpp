#include "tensor_view/tensor_table_model.h"

#include <charconv>
#include <cmath>

#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr qint64 kMost = 1'000'000;

/// The shortest text that parses to the same value.
QString exact(const TensorSource& source, qint64 flat) {
  const QString text = source.text(flat);
  const double value = source.number(flat);
  if (!source.dtype().contains(QLatin1String("float")) || !std::isfinite(value)) return text;
  char buffer[64];
  const bool isDouble = source.dtype() == QLatin1String("float64");
  const auto end = isDouble ? std::to_chars(buffer, std::end(buffer), value) : std::to_chars(buffer, std::end(buffer), float(value));
  return QString::fromLatin1(buffer, end.ptr - buffer);
}
}  // namespace

void TensorTableModel::setContent(std::shared_ptr<const TensorSource> source, const TensorSlice& slice, std::function<bool(double)> highlight) {
  // New values of the same shape keep the current cell.
  const bool same = source && source_ && source->shape() == source_->shape() && slice.text() == slice_.text();
  if (!same) beginResetModel();
  source_ = std::move(source);
  slice_ = slice;
  highlight_ = std::move(highlight);
  if (!same) return endResetModel();
  if (rowCount() > 0 && columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void TensorTableModel::setEditable(bool on) { editable_ = on; }

Qt::ItemFlags TensorTableModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | (editable_ && index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool TensorTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const QString text = value.toString().trimmed();
  if (!editable_ || !source_ || !index.isValid() || role != Qt::EditRole || text == data(index, Qt::EditRole).toString()) return false;
  emit edited(slice_.indices(index.row(), index.column()), text);
  return true;
}

int TensorTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !source_ ? 0 : int(std::min(slice_.rows(), kMost)); }
int TensorTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() || !source_ ? 0 : int(std::min(slice_.columns(), kMost)); }

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
  if (!source_ || !index.isValid()) return {};
  const qint64 flat = slice_.flat(index.row(), index.column());
  const bool numeric = source_->facts().isNumeric;
  switch (role) {
    case Qt::DisplayRole: return source_->text(flat);
    case Qt::EditRole: return exact(*source_, flat);
    case Qt::ToolTipRole: {
      QStringList at;
      for (const qint64 i : slice_.indices(index.row(), index.column())) at << QString::number(i);
      return QStringLiteral("[%1] = %2").arg(at.join(QStringLiteral(", ")), numeric ? QString::number(source_->number(flat), 'g', 9) : source_->text(flat));
    }
    case Qt::TextAlignmentRole: return int(numeric ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole: return Theme::current().monoFont();
    case Qt::ForegroundRole:
      if (numeric && std::isnan(source_->number(flat))) return Theme::current().color(Role::Nan);
      if (numeric && std::isinf(source_->number(flat))) return Theme::current().color(Role::Warning);
      return {};
    case Qt::BackgroundRole:
      if (numeric && highlight_ && highlight_(source_->number(flat))) return Theme::current().color(Role::AccentSoft);
      return {};
    default: return {};
  }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation, int role) const {
  if (role == Qt::DisplayRole) return section;
  return {};
}

}  // namespace weft::widgets
