#include "views/outline/outline_model.h"

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {

using widgets::Item;

void OutlineModel::read(const widgets::GraphModel* graph) {
  disconnect(gone_);
  // A hidden tree is refilled when shown, but a change of theme or font reads its texts even while hidden.
  if (graph)
    gone_ = connect(graph, &QObject::destroyed, this, [this] {
      graph_ = nullptr;
      read(nullptr);
    });
  beginResetModel();
  graph_ = graph;
  scopes_ = graph ? graph->scopeCount() : 0;
  nodes_ = graph ? graph->nodeCount() : 0;
  start_.assign(size_t(scopes_) + 2, 0);
  around_.resize(size_t(scopes_ + nodes_));
  for (int id = 0; id < scopes_ + nodes_; ++id) around_[size_t(id)] = id < scopes_ ? graph->scopeParent(id) : graph->nodeScope(id - scopes_);
  const auto slot = [this](int scope) { return size_t(scope < 0 ? scopes_ : scope); };
  for (int id = 0; id < scopes_ + nodes_; ++id) ++start_[slot(scopeAround(id)) + 1];
  for (size_t s = 0; s + 1 < start_.size(); ++s) start_[s + 1] += start_[s];
  children_.assign(size_t(scopes_ + nodes_), 0);
  row_.assign(size_t(scopes_ + nodes_), 0);
  std::vector<int> at(start_.begin(), start_.end() - 1);
  for (int id = 0; id < scopes_ + nodes_; ++id) {
    const size_t s = slot(scopeAround(id));
    row_[size_t(id)] = at[s] - start_[s];
    children_[size_t(at[s]++)] = id;
  }
  endResetModel();
}

Item OutlineModel::itemAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int id = int(index.internalId());
  return id < scopes_ ? Item::scope(id) : Item::node(id - scopes_);
}

QModelIndex OutlineModel::indexOf(Item item) const {
  const int id = item ? idOf(item) : -1;
  return id >= 0 && id < scopes_ + nodes_ ? createIndex(row_[size_t(id)], 0, quintptr(id)) : QModelIndex();
}

QString OutlineModel::nameOf(Item item) const {
  if (!isThere(item)) return {};
  return item.isNode() ? graph_->nodeName(item.index) : graph_->scopeName(item.index);
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column > 1) return {};
  const size_t s = parent.isValid() ? size_t(parent.internalId()) : size_t(scopes_);
  return createIndex(row, column, quintptr(children_[size_t(start_[s] + row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || !graph_) return {};
  const int around = scopeAround(int(index.internalId()));
  return around < 0 ? QModelIndex() : createIndex(row_[size_t(around)], 0, quintptr(around));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
  if (!graph_ || parent.column() > 0) return 0;
  if (parent.isValid() && int(parent.internalId()) >= scopes_) return 0;
  const size_t s = parent.isValid() ? size_t(parent.internalId()) : size_t(scopes_);
  return start_[s + 1] - start_[s];
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
  const Item item = itemAt(index);
  if (!isThere(item)) return {};
  const int i = item.index;
  const quint16 badges = item.isNode() ? graph_->nodeStatus(i).badges : graph_->scopeBadges(i);
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == 0) return item.isNode() ? widgets::lastPart(graph_->nodeName(i)) : graph_->scopeTitle(i);
      return item.isNode() ? graph_->nodeOp(i) : graph_->scopeDetail(i).value(0);
    case Qt::ToolTipRole: return index.column() == 0 ? nameOf(item) : data(index, Qt::DisplayRole);
    case Qt::FontRole: return index.column() == 0 ? QVariant() : QVariant(widgets::Theme::current().smallFont());
    case Qt::ForegroundRole: return index.column() == 0 ? QVariant() : QVariant(widgets::Theme::current().color(widgets::Role::Text2));
    case Qt::AccessibleTextRole: {
      if (index.column() > 0) return {};
      QString text =
          item.isNode() ? tr("%1, operation %2").arg(widgets::lastPart(graph_->nodeName(i)), graph_->nodeOp(i)) : tr("%1, scope").arg(graph_->scopeTitle(i));
      if (badges & widgets::BadgeError) text += u' ' + tr("with an error");
      if (badges & widgets::BadgeMuted) text += u' ' + tr("muted");
      return text;
    }
    case Qt::DecorationRole:
      if (index.column() > 0) return {};
      if (badges & widgets::BadgeError) return widgets::icon(QStringLiteral("error"), widgets::Role::Error);
      if (badges & widgets::BadgeWarning) return widgets::icon(QStringLiteral("warning"), widgets::Role::Warning);
      return widgets::icon(item.isNode() ? QStringLiteral("node") : QStringLiteral("layers"));
    default: return {};
  }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == 0 ? tr("Name") : tr("Type");
}

}  // namespace weft::app
