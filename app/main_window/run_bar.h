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

/// Train, pause, one step, several steps, stop and debug, each always in the same place; beside them the reason why the document cannot be trained, or the
/// settings of the run; on the right its progress. While a run is debugged, the same buttons control the debugger. Widths depend only on the window's width and
/// the language. In a narrow window the least important parts move to a menu.
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
  /// Texts of the debugger's buttons, depending on the room.
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
