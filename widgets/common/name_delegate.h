#pragma once

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace weft::widgets {

/// Cells that hold names or sentences: a name that is too long loses its beginning, for names differ at their end; a sentence loses its end.
class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = option->text.contains(u' ') ? Qt::ElideRight : Qt::ElideLeft;
  }
};

/// Has a view cut its cells so, but those of columns with a delegate of their own.
inline void elideNames(QAbstractItemView* view) { view->setItemDelegate(new NameDelegate(view)); }

}  // namespace weft::widgets
