#include "views/files/match_tree.h"

#include <QDragMoveEvent>
#include <QKeyEvent>
#include <QMimeData>

namespace weft::app {
namespace {
const QString kMime = QStringLiteral("application/x-weft-checkpoint-key");
}

MatchTree::MatchTree(QWidget* parent) : QTreeWidget(parent) {
  setDragEnabled(true);
  setAcceptDrops(true);
  setDragDropMode(QAbstractItemView::DragDrop);
  setDefaultDropAction(Qt::CopyAction);
  setDropIndicatorShown(true);
  connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    const QString variable = item->data(0, kVariableRole).toString(), key = item->data(0, kKeyRole).toString();
    if (item->parent() && item->parent()->parent() && !variable.isEmpty() && !key.isEmpty()) emit mappingRequested(variable, key);
  });
}

QString MatchTree::variableOf(const QTreeWidgetItem* item) { return item ? item->data(0, kVariableRole).toString() : QString(); }

QStringList MatchTree::mimeTypes() const { return {kMime}; }

QMimeData* MatchTree::mimeData(const QList<QTreeWidgetItem*>& items) const {
  const QString key = items.isEmpty() ? QString() : items.first()->data(0, kKeyRole).toString();
  if (key.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  data->setData(kMime, key.toUtf8());
  data->setText(key);
  return data;
}

void MatchTree::dragMoveEvent(QDragMoveEvent* event) {
  QTreeWidget::dragMoveEvent(event);
  if (event->mimeData()->hasFormat(kMime) && variableOf(itemAt(event->position().toPoint())).isEmpty()) event->ignore();
}

/// A drop between two rows goes to the row above, because the gap is thin.
bool MatchTree::dropMimeData(QTreeWidgetItem* parent, int index, const QMimeData* data, Qt::DropAction) {
  QString variable = variableOf(parent);
  if (variable.isEmpty() && parent && index > 0) variable = variableOf(parent->child(std::min(index, parent->childCount()) - 1));
  if (variable.isEmpty()) return false;
  emit mappingRequested(variable, QString::fromUtf8(data->data(kMime)));
  return true;
}

void MatchTree::keyPressEvent(QKeyEvent* event) {
  const QTreeWidgetItem* item = currentItem();
  if (event->key() == Qt::Key_Delete && item && item->data(0, kMappedRole).toBool()) emit mappingRequested(variableOf(item), {});
  else QTreeWidget::keyPressEvent(event);
}

}  // namespace weft::app
