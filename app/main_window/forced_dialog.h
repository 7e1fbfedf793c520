#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Lists all overrides: feeds of the document's runs, and values changed by hand in the debugged run. Each of them, or all, can be removed. Stays open while
/// the run continues.
class ForcedDialog : public QDialog {
  Q_OBJECT

 public:
  ForcedDialog(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refill();
  void clear(bool all);
  void retranslate();

  Workspace& workspace_;
  ActionRegistry& actions_;
  QTreeWidget* list_;
  QLabel *hint_, *error_;
  QPushButton *clear_, *clearAll_, *close_;
};

}  // namespace weft::app
