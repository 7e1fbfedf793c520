#pragma once

#include <QWidget>

#include "adapters/debug_job.h"
#include "shell/view.h"

class QPushButton;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class ElidedLabel;
class EmptyState;
class IterationStrip;
}  // namespace weft::widgets

namespace weft::app {

/// The position of the run: run, scopes, while loops with their iteration, and the op. Clicking a row selects its item; the buttons below go to other
/// iterations of the innermost loop.
class FramesView : public QWidget {
  Q_OBJECT

 public:
  FramesView(const ViewContext& context, QWidget* parent);
  QSize sizeHint() const override { return {264, 200}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void refill();
  void fillTree();
  void goTo(qint64 iteration);
  void fillIterations();
  void showIterations(const DebugLoopValues& values);

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget* tree_;
  QWidget* loopBar_;
  widgets::ElidedLabel *loopLabel_, *kept_;
  QToolButton *before_, *after_;
  QSpinBox* iteration_;
  widgets::IterationStrip* strip_;
  QString frame_;       // the loop with the shown iterations
  qint64 reached_ = 0;  // the last iteration that it started in this run
  int asked_ = 0;
};

extern const ViewRecord framesView;

}  // namespace weft::app
