#pragma once

#include <QFrame>
#include <QHash>
#include <QTimer>

class QLabel;
class QProgressBar;
class QVBoxLayout;

namespace weft::app {

class Workspace;

/// All running tasks with progress, each with a cancel button; above the status bar.
class TaskPopup : public QFrame {
  Q_OBJECT

 public:
  TaskPopup(Workspace& workspace, QWidget* window);
  /// Opens it with its lower right corner there (in the window's coordinates).
  void openAt(QPoint corner);

 private:
  struct Row {
    QWidget* box;
    QLabel* title;
    QProgressBar* bar;
  };
  void refresh();

  Workspace& workspace_;
  QVBoxLayout* column_;
  QLabel* none_;
  QHash<int, Row> rows_;
  QTimer timer_;
  QPoint corner_;
};

}  // namespace weft::app
