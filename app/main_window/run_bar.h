#pragma once

#include <QPair>
#include <QToolBar>
#include <QVector>

#include "adapters/graph_contents.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace weft::widgets {
class QuietText;
}

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Train, pause, one step, several steps, stop; what feeds the training, with fields for what can be changed while it runs; how far it is.
/// Short of room it leaves out what matters least, and cuts sentences with an ellipsis; tooltips say all of it. Buttons and the step are never cut.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildLive();
  void showLive();
  QToolButton* addButton(const QString& id);
  void updateState();
  bool showsRun() const;
  void updateProgress();
  void writeNumbers();
  void fit();

  Workspace& workspace_;
  ActionRegistry& actions_;
  QPushButton* train_;
  QLabel *reason_, *data_, *place_;
  widgets::QuietText *epoch_, *numbers_;
  QWidget* row_;
  QHBoxLayout* layout_;
  QList<QWidget*> trainingButtons_, debugButtons_;
  QString dataText_, reasonText_, stepText_, rateText_, timeText_;
  int dropped_ = 0;       // how many of the things that can be left out are
  int numbersWidth_ = 0;  // the widest that they were since something else changed: they must not make the bar tremble
  QProgressBar* bar_;
  QSpinBox* count_;
  QWidget* live_;
  QVector<QPair<QString, QLineEdit*>> liveFields_;
  GraphContentsPtr liveOf_;  // the contents whose live scalars are shown; held, so that no other graph is taken for them
};

}  // namespace weft::app
