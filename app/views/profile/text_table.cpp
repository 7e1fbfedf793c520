#include "views/profile/text_table.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>
#include <functional>

#include "common/name_delegate.h"
#include "common/sort_header.h"

namespace weft::app {

namespace {

int alignment(bool number) { return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter); }

template <typename Key>
void sortBy(std::vector<int>& items, bool up, const std::function<Key(int item)>& keyOf) {
  std::vector<std::pair<Key, int>> keyed;
  keyed.reserve(items.size());
  for (const int i : items) keyed.emplace_back(keyOf(i), i);
  std::stable_sort(keyed.begin(), keyed.end(), [up](const auto& a, const auto& b) { return up ? a.first < b.first : b.first < a.first; });
  std::transform(keyed.begin(), keyed.end(), items.begin(), [](const auto& k) { return k.second; });
}

}  // namespace

QVariant TextTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) return text(index.row(), index.column());
  return role == Qt::TextAlignmentRole ? QVariant(alignment(isNumber(index.column()))) : look(index.row(), index.column(), role);
}

QVariant TextTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return alignment(isNumber(section));
  if (role == Qt::DisplayRole) return heading(section).title;
  return role == Qt::ToolTipRole ? QVariant(heading(section).tip) : QVariant();
}

void SortedTextTable::sort(int column, Qt::SortOrder order) {
  column_ = column;
  order_ = order;
  arrange();
}

int SortedTextTable::rowOfItem(int item) const {
  const auto at = std::find(items_.begin(), items_.end(), item);
  return at == items_.end() ? -1 : int(at - items_.begin());
}

void SortedTextTable::arrange() {
  beginResetModel();
  items_ = items();
  const bool up = order_ == Qt::AscendingOrder;
  if (isNumber(column_)) sortBy<double>(items_, up, [this](int item) { return numberOf(item, column_); });
  else sortBy<QString>(items_, up, [this](int item) { return wordOf(item, column_); });
  endResetModel();
}

void listRows(QTreeView* view) {
  view->setRootIsDecorated(false);
  view->setUniformRowHeights(true);
  view->setAllColumnsShowFocus(true);
  widgets::elideNames(view);
  view->header()->setStretchLastSection(false);
  view->header()->setMinimumSectionSize(48);
}

void listSortedRows(QTreeView* view, QAbstractItemModel* model, int column) {
  view->setHeader(new widgets::SortHeader(view));
  listRows(view);
  view->setModel(model);
  view->setSortingEnabled(true);
  view->sortByColumn(column, Qt::DescendingOrder);
}

void setColumnWidths(QTreeView* view, std::initializer_list<int> widths) {
  Q_ASSERT(int(widths.size()) == view->header()->count());
  int column = 0;
  for (const int width : widths) {
    if (width == 0) view->header()->setSectionResizeMode(column, QHeaderView::Stretch);
    else view->header()->resizeSection(column, width);
    ++column;
  }
}

}  // namespace weft::app
