#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Five steps around the window for new users: each points at a part and explains it. Arrow keys, Enter and Esc work, too.
class Tour : public QFrame {
  Q_OBJECT

 public:
  static constexpr int kSteps = 5;
  /// Starts the tour, or restarts it.
  static void start(Workspace& workspace, ActionRegistry& actions, Shell& shell);
  int step() const { return step_; }
  void go(int step);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Tour(Workspace& workspace, ActionRegistry& actions, Shell& shell);
  void show(QWidget* target);
  void fill();
  QWidget* targetOf(int step) const;

  Workspace& workspace_;
  ActionRegistry& actions_;
  Shell& shell_;
  QPointer<QWidget> target_;
  QPointer<QWidget> outline_;
  QLabel *title_, *text_, *count_;
  QPushButton *back_, *next_, *end_;
  int step_ = 0;
};

}  // namespace weft::app
