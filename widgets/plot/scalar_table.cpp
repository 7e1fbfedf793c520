#include "plot/scalar_table.h"

#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {

void ScalarTableModel::reset(std::vector<Row> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  extremes_.assign(rows_.size(), {});
  endResetModel();
}

void ScalarTableModel::changed() {
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {Qt::DisplayRole});
}

const ScalarTableModel::Extremes& ScalarTableModel::extremes(std::size_t row) const {
  Extremes& e = extremes_[row];
  const SeriesStore& s = *rows_[row].series;
  if (e.version == s.version()) return e;
  e.version = s.version();
  e.all = s.summary(0, s.size());
  bool any = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!std::isfinite(s[i].value)) continue;
    if (!any || s[i].value < s[e.min].value) e.min = i;
    if (!any || s[i].value > s[e.max].value) e.max = i;
    any = true;
  }
  return e;
}

double ScalarTableModel::number(int row, int column) const {
  const SeriesStore& s = *rows_[static_cast<std::size_t>(row)].series;
  if (s.empty()) return NAN;
  const Extremes& e = extremes(static_cast<std::size_t>(row));
  const bool finite = e.all.finite > 0;
  switch (column) {
    case kLast: return s[s.size() - 1].value;
    case kLastStep: return s[s.size() - 1].step;
    case kMin: return finite ? s[e.min].value : NAN;
    case kMinStep: return finite ? s[e.min].step : NAN;
    case kMax: return finite ? s[e.max].value : NAN;
    case kMaxStep: return finite ? s[e.max].step : NAN;
    case kMean: return finite ? e.all.mean() : NAN;
    case kCount: return static_cast<double>(s.size());
    default: return NAN;
  }
}

QVariant ScalarTableModel::data(const QModelIndex& index, int role) const {
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const int column = index.column();
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
    if (column == kTag) return row.tag;
    if (column == kRun) return row.run;
    const double v = number(index.row(), column);
    const bool whole = column == kLastStep || column == kMinStep || column == kMaxStep || column == kCount;
    if (whole) return std::isfinite(v) ? formatCount(std::llround(v)) : QStringLiteral("–");
    return formatValue(v, role == Qt::ToolTipRole ? 9 : 4);
  }
  if (role == Qt::TextAlignmentRole) return int(column <= kRun ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::FontRole && column > kRun) return Theme::current().monoFont();
  if (role == Qt::UserRole) return column == kTag ? QVariant(row.tag) : column == kRun ? QVariant(row.run) : QVariant(number(index.row(), column));
  return {};
}

QVariant ScalarTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
    return int(section <= kRun ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kTag: return tr("tag");
    case kRun: return tr("run");
    case kLast: return tr("last");
    case kLastStep: return tr("step");
    case kMin: return tr("minimum");
    case kMinStep: return tr("at step");
    case kMax: return tr("maximum");
    case kMaxStep: return tr("at step");
    case kMean: return tr("mean");
    default: return tr("points");
  }
}

}  // namespace weft::widgets
