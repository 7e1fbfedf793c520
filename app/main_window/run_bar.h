#pragma once

#include <QToolBar>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Train, pause, step, stop; what feeds the training; how far it is.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QToolButton* addButton(const QString& id);
  void updateState();
  void updateProgress();

  Workspace& workspace_;
  ActionRegistry& actions_;
  QPushButton* train_;
  QLabel *reason_, *data_, *epoch_, *numbers_, *place_;
  QList<QAction*> trainingButtons_, debugButtons_;
  QProgressBar* bar_;
};

}  // namespace weft::app
