#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace weft::app {

class ActionRegistry;
class Workspace;

/// All that is not as the graph itself would have it: what runs of the document are fed, and what was changed by hand in the run that is debugged. Each
/// can be taken back, or all of them. Stays open while the run goes on.
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
