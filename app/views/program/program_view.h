#pragma once

#include <QTimer>
#include <QWidget>

#include "views/view.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTabBar;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class ProgramSource;

/// The Python program that runs on the engine: who it is and how long it has run, what it prints, and its text.
class ProgramView : public QWidget {
  Q_OBJECT

 public:
  ProgramView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {620, 220}; }

 public slots:
  void refreshNow();

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
  QTimer second_;
  bool stale_ = false;  ///< Lines came while it was hidden.
};

extern const ViewRecord programView;

}  // namespace weft::app
