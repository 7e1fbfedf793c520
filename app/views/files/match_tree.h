#pragma once

#include <QTreeWidget>

namespace weft::app {

/// Variables of a graph and keys of a checkpoint. A key that is dragged onto a variable, from here or from the table of the checkpoint, is wished to be
/// its value; so is a guess that is activated. Delete takes a variable's key away.
class MatchTree : public QTreeWidget {
  Q_OBJECT

 public:
  enum Role { kKeyRole = Qt::UserRole, kVariableRole, kMappedRole };
  explicit MatchTree(QWidget* parent = nullptr);

 signals:
  void mappingWished(const QString& variable, const QString& key);

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
