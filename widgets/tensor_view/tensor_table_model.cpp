#include "tensor_view/tensor_table_model.h"

#include <cmath>

#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr qint64 kMost = 1'000'000;
}

void TensorTableModel::setContent(std::shared_ptr<const TensorSource> source, const TensorSlice& slice, std::function<bool(double)> highlight) {
  beginResetModel();
  source_ = std::move(source);
  slice_ = slice;
  highlight_ = std::move(highlight);
  endResetModel();
}

int TensorTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !source_ ? 0 : int(std::min(slice_.rows(), kMost)); }
int TensorTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() || !source_ ? 0 : int(std::min(slice_.columns(), kMost)); }

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
  if (!source_ || !index.isValid()) return {};
  const qint64 flat = slice_.flat(index.row(), index.column());
  const bool numeric = source_->facts().isNumeric;
  switch (role) {
    case Qt::DisplayRole: return source_->text(flat);
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
