#pragma once

#include <QTreeWidget>

namespace weft::app {

/// Variables of a graph and keys of a checkpoint. Dragging a key onto a variable, from here or from the checkpoint's table, requests the mapping; so does
/// activating a guess. Delete removes a variable's mapping.
class MatchTree : public QTreeWidget {
  Q_OBJECT

 public:
  enum Role { kKeyRole = Qt::UserRole, kVariableRole, kMappedRole };
  explicit MatchTree(QWidget* parent = nullptr);

 signals:
  void mappingRequested(const QString& variable, const QString& key);

 protected:
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override;
  bool dropMimeData(QTreeWidgetItem* parent, int index, const QMimeData* data, Qt::DropAction action) override;
  Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
  void dragMoveEvent(QDragMoveEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  static QString variableOf(const QTreeWidgetItem* item);
};

}  // namespace weft::app
