#pragma once

#include <QPushButton>
#include <QToolBar>

class QAction;
class QLabel;
class QSpinBox;
class QToolButton;

namespace weft::app {

class ActionRegistry;
class RunFields;
class RunProgressBox;
class Workspace;

/// Train, pause, one step, several steps, stop and debug, each always at the same place; beside them why it cannot be trained, or the settings of the run; how far it is at
/// the right. While something is debugged the same buttons steer the debugger. Widths depend on the window's width and the language alone. Short of room the bar leaves out
/// what matters least; that is in a menu then.
class RunBar : public QToolBar {
  Q_OBJECT

 public:
  RunBar(Workspace& workspace, ActionRegistry& actions, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* addButton(const QString& id);
  void setAction(QToolButton* button, const char* id);
  void updateSoon();
  void updateState();
  void showTrain();
  QString whyNot() const;
  void goToReason();
  void retranslate();
  void arrange();
  int widthAt(int level) const;
  void fillMore();
  /// Words and keys on the buttons of the debugger, as far as the room allows.
  enum class Words { NameAndKey, Key, None };
  void write(QToolButton* button, Words words);
  void writeDebugButtons();
  bool isApart(const QToolButton* button) const;
  int debugWidth(Words words);

  Workspace& workspace_;
  ActionRegistry& actions_;
  QWidget* row_;
  QPushButton *train_, *reason_;
  QToolButton *pause_, *step_, *several_, *stop_, *debug_, *nan_, *trace_, *more_, *addTraining_;
  QSpinBox* count_;
  QList<QToolButton*> debugButtons_;
  QLabel* place_;
  RunFields* fields_;
  RunProgressBox* progress_;
  QString reasonText_;
  Words words_ = Words::None, stepWords_ = Words::None;
  int trainWidth_ = 0, level_ = 0;
  bool updateQueued_ = false;
};

}  // namespace weft::app
