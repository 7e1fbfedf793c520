#include "main_window/copy_table.h"

#include <QCoreApplication>
#include <QHash>

#include "common/theme.h"

namespace weft::app {
namespace {

struct CopyTableText {
  Q_DECLARE_TR_FUNCTIONS(CopyTable)
};

}  // namespace

CopyTable::CopyTable(const QVector<TensorEntry>& entries, QObject* parent) : QAbstractTableModel(parent) {
  for (const TensorEntry& e : entries) {
    QStringList dims;
    for (const qint64 d : e.shape) dims << QString::number(d);
    rows_ << Row{e.name, e.dtype, dims.isEmpty() ? CopyTableText::tr("scalar") : dims.join(QStringLiteral("×")), {}, {}, true};
  }
}

int CopyTable::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }
int CopyTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(kColumns); }

QVariant CopyTable::data(const QModelIndex& index, int role) const {
  const Row& row = rows_[index.row()];
  const widgets::Theme& theme = widgets::Theme::current();
  const bool renamed = index.column() == kNewName && row.newName != row.name, converted = index.column() == kType && row.newType != row.type;
  if (role == Qt::CheckStateRole && index.column() == kName) return row.checked ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::FontRole && index.column() <= kNewName) return theme.monoSmallFont();
  if (role == Qt::ForegroundRole && !row.checked) return theme.color(widgets::Role::Text2);
  if (role == Qt::ForegroundRole && (renamed || converted)) return theme.color(widgets::Role::Accent);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
    case kName: return row.name;
    case kNewName: return row.newName;
    case kType: return row.newType.isEmpty() || !converted ? row.type : QStringLiteral("%1 → %2").arg(row.type, row.newType);
    default: return row.shape;
  }
}

QVariant CopyTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return QAbstractTableModel::headerData(section, orientation, role);
  switch (section) {
    case kName: return CopyTableText::tr("Variable");
    case kNewName: return CopyTableText::tr("Name in the copy");
    case kType: return CopyTableText::tr("Type");
    default: return CopyTableText::tr("Shape");
  }
}

Qt::ItemFlags CopyTable::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return index.column() == kName ? usual | Qt::ItemIsUserCheckable : usual;
}

bool CopyTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || index.column() != kName) return false;
  check({index.row()}, value.toInt() == Qt::Checked);
  return true;
}

void CopyTable::check(const QVector<int>& rows, bool on) {
  for (const int row : rows) rows_[row].checked = on;
  if (!rows_.isEmpty()) emit dataChanged(index(0, 0), index(int(rows_.size()) - 1, kColumns - 1), {Qt::CheckStateRole});
}

QSet<QString> CopyTable::unchecked() const {
  QSet<QString> out;
  for (const Row& row : rows_)
    if (!row.checked) out.insert(row.name);
  return out;
}

void CopyTable::showPlan(const CopyPlan& plan) {
  QHash<QString, int> bySource;
  for (int i = 0; i < int(plan.tensors.size()); ++i) bySource.insert(plan.tensors[i].source, i);
  for (Row& row : rows_) {
    const int i = bySource.value(row.name, -1);
    row.newName = i < 0 ? QString() : plan.tensors[i].name;
    row.newType = i < 0 ? QString() : plan.tensors[i].type;
  }
  if (!rows_.isEmpty()) emit dataChanged(index(0, 0), index(int(rows_.size()) - 1, kColumns - 1), {Qt::DisplayRole});
}

}  // namespace weft::app
