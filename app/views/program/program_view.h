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

/// The Python program that runs on the engine: who it is and how long it has run, what it prints, its text, and where it stands in that.
class ProgramView : public QWidget {
  Q_OBJECT

 public:
  ProgramView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {620, 220}; }

 public slots:
  void refreshNow();
  /// Shows a line of any file among the program's sources. Why not, or empty.
  QString showLine(const QString& file, int line);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void retranslate();
  void showState();
  void append(int count);
  void refill();
  /// Marks the lines that made what is selected.
  void followSelection();
  /// Shows where it stands, or that it goes on.
  void followStop();
  void showFrame(int index);
  /// Calls that lead to where it stands, or to where it failed.
  QVector<ProgramStop::Frame> calls() const;
  void fillCalls();
  /// A program that ended with a traceback: its line in the source, the traceback beside it.
  void followEnd();
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
  QWidget* stand_;  ///< Beside the source while it stands before a line.
  QListWidget* frames_;
  QTreeWidget* names_;
  QPlainTextEdit* trace_;  ///< In its place when the program has failed.
  std::optional<ProgramFailure> failure_;
  QVector<QToolButton*> steps_;
  QTimer second_;
  bool stale_ = false;  ///< Lines came while it was hidden.
};

extern const ViewRecord programView;

}  // namespace weft::app
