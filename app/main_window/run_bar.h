#pragma once

#include <QPair>
#include <QToolBar>
#include <QVector>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Train, pause, one step, several steps, stop; what feeds the training, with fields for what can be changed while it runs; how far it is.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void buildLive();
  void showLive();
  QToolButton* addButton(const QString& id);
  void updateState();
  void updateProgress();

  Workspace& workspace_;
  ActionRegistry& actions_;
  QPushButton* train_;
  QLabel *reason_, *data_, *epoch_, *numbers_, *place_;
  QList<QAction*> trainingButtons_, debugButtons_;
  QProgressBar* bar_;
  QSpinBox* count_;
  QWidget* live_;
  QVector<QPair<QString, QLineEdit*>> liveFields_;
  const void* liveOf_ = nullptr;  // the contents whose live scalars are shown
};

}  // namespace weft::app
