#pragma once

#include <QStyledItemDelegate>

namespace weft::app {

constexpr int kBeneathRole = Qt::UserRole + 10;  ///< a second, quieter line

/// The name of a run, and beneath it in small letters its title and when it was, if it has these.
class RunNameDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::app
