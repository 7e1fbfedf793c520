#pragma once

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace weft::widgets {

/// Item delegate for names and sentences: a long name is elided at its front, because names differ at their end; a sentence at its end.
class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = option->text.contains(u' ') ? Qt::ElideRight : Qt::ElideLeft;
  }
};

/// Elides a view's cells this way, except in columns with their own delegate.
inline void elideNames(QAbstractItemView* view) { view->setItemDelegate(new NameDelegate(view)); }

}  // namespace weft::widgets
