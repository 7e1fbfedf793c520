#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "document/program_failure.h"
#include "shell/view.h"

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class ProgramSource;

/// The Python program that runs on the engine: its name and run time, output, text and position.
class ProgramView : public QWidget {
  Q_OBJECT

 public:
  ProgramView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {620, 220}; }

 public slots:
  void refreshNow();
  /// Shows a line of any file among the program's sources. Returns an error, or empty.
  QString showLine(const QString& file, int line);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void showState();
  void append(int count);
  void refill();
  /// Marks the lines that made the selected nodes.
  void followSelection();
  /// Shows the position where it is paused, or that it runs.
  void followStop();
  void showFrame(int index);
  /// The call stack at the paused or failed line.
  QVector<ProgramStop::Frame> calls() const;
  void fillCalls();
  /// After a traceback, shows the failed line in the source and the traceback beside it.
  void followEnd();
  /// Offers to translate a program that failed because it is for Python 2 or for TensorFlow before 1.0.
  void translate();
  void showPoints();
  void stripClicked(int line, const QPoint& at, bool menu);
  void askCondition(int line);
  void selectMadeAt(int line);

  ViewContext context_;
  QStackedWidget* stack_;
  QStackedWidget* pages_;
  widgets::EmptyState* empty_;
  QTabBar* tabs_;
  QLabel* name_;
  QLabel* state_;
  QPlainTextEdit* output_;
  ProgramSource* source_;
  QWidget* stand_;  ///< Beside the source while paused at a line.
  QListWidget* frames_;
  QTreeWidget* names_;
  QToolButton* translate_;  ///< After a failure that a translation mends.
  QPlainTextEdit* trace_;   ///< Replaces it when the program has failed.
  std::optional<ProgramFailure> failure_;
  QVector<QToolButton*> steps_;
  QTimer second_;
  bool stale_ = false;  ///< Lines arrived while it was hidden.
};

extern const ViewRecord programView;

}  // namespace weft::app
