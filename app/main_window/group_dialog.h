#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Document;

/// Makes a group of the selection: its name, and which places inside become parameters. Runs `group.make`.
class GroupDialog : public QDialog {
  Q_OBJECT

 public:
  GroupDialog(Document& document, ActionRegistry& actions, QWidget* parent);

 private:
  void filter(const QString& text);
  void make();

  ActionRegistry& actions_;
  const QStringList names_;
  QLineEdit *name_, *find_;
  QTreeWidget* places_;
  QLabel* problem_;
  QPushButton* make_;
};

}  // namespace weft::app
