#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "graph_view/graph_model.h"

namespace weft::app {

/// A GraphModel as a tree of two columns, name and type: scopes before nodes, in the graph's order. A reset reads the hierarchy in one pass; texts are read
/// only when shown. GUI thread.
class OutlineModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  using QAbstractItemModel::QAbstractItemModel;

  /// Not owned; may be null, and may be deleted: then nothing is shown. Call again after every reset of the graph.
  void read(const widgets::GraphModel* graph);
  widgets::Item itemAt(const QModelIndex& index) const;
  QModelIndex indexOf(widgets::Item item) const;
  QString nameOf(widgets::Item item) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return 2; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  int idOf(widgets::Item item) const { return item.isScope() ? item.index : scopes_ + item.index; }
  int scopeAround(int id) const { return around_[size_t(id)]; }
  /// Whether the graph still has the item: between a reset of the graph and read() it may not.
  bool isThere(widgets::Item item) const { return graph_ && item && item.index < (item.isNode() ? graph_->nodeCount() : graph_->scopeCount()); }

  const widgets::GraphModel* graph_ = nullptr;  ///< Null as soon as it is destroyed.
  QMetaObject::Connection gone_;
  int scopes_ = 0, nodes_ = 0;
  std::vector<int> start_, children_;  // ids by scope; the top level last
  std::vector<int> row_, around_;      // per id: its row, its scope
};

}  // namespace weft::app
