#pragma once

#include <QAbstractItemModel>
#include <QFontMetricsF>
#include <QHash>
#include <QStyledItemDelegate>
#include <QVector>
#include <vector>

#include "adapters/profile_contents.h"

namespace weft::app {

/// Lines of a trace as a tree. Proxies sort and filter; SortRole gives plain numbers.
class ProfileTable : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { Name, Type, Self, Share, Total, Count, Critical, Median, Percentile90, Percentile99, Slowest, Rate, Bandwidth, Output, Parameters, kColumns };
  enum Role { SortRole = Qt::UserRole, NodeRole, ShareRole };

  using QAbstractItemModel::QAbstractItemModel;
  /// `fused`: by node, the ops that the plan computes together with it, "Conv2D, BiasAdd".
  void setLines(QVector<ProfileLine> lines, QHash<QString, QString> fused = {});
  const QVector<ProfileLine>& lines() const { return lines_; }
  QModelIndex indexOf(const QString& name) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString typeOf(const ProfileLine& line) const;

  QVector<ProfileLine> lines_;
  QHash<QString, QString> fused_;
  std::vector<QVector<int>> children_;  // of line - 1; [0]: the top level
  std::vector<int> rows_;               // of a line within its parent
};

/// Elides a node's name to `width` so that its layer stays: "…conv1/…/Conv2DBackpropInput" of gradients/conv1/Conv2D_grad/Conv2DBackpropInput.
QString elideLayer(const QString& name, const QFontMetricsF& metrics, double width);

/// Draws names of nodes, elided by elideLayer().
class LayerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// Draws a share as a bar with its percentage.
class ShareDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Draws a change as a bar from the middle: to the right what takes longer, to the left what takes less; ProfileTable::ShareRole is -1 … 1.
class ChangeDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The memory table's column with the lifetime of a tensor.
inline constexpr int kLifetimeColumn = 5;

/// Draws a lifetime as a bar over the length of a step, with a line at the peak.
class LifetimeDelegate : public QStyledItemDelegate {
 public:
  enum { Lifetime = Qt::UserRole + 1 };  ///< A list: beginning, end and peak, 0…1 of the step; beyond it is cut.
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::app
