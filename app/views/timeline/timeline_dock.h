#pragma once

#include <QWidget>

#include "shell/view.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QToolButton;

namespace weft::widgets {
class ElidedLabel;
class EmptyState;
class PassStrip;
class TimelineView;
}  // namespace weft::widgets

namespace weft::app {

class ProfileStore;
class StepModel;
class TraceQuestions;

/// The trace over time: threads, devices, memory; above it the chosen step, and its layers' times in the forward and backward pass.
class TimelineDock : public QWidget {
  Q_OBJECT

 public:
  TimelineDock(const ViewContext& context, QWidget* parent);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void retranslate();
  void refill();
  void select(int slice);
  void updateLegend();
  void updateLegendSoon();
  void search(bool backward);
  void light(qint64 ns);
  void tell(int transfer);
  void measured(qint64 from, qint64 to);
  QWidget* makeStepBox(QWidget* page);
  void showStep();
  void goToStep(const QString& word);
  void fillStrip();
  void showStrip();
  QWidget* makeGaps(QWidget* page);
  void showGaps();
  void selectGap(int gap);

  ViewContext context_;
  ProfileStore& store_;
  TraceQuestions& questions_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::TimelineView* view_;
  QLabel *title_, *legend_, *keys_, *found_;
  QLineEdit* find_;
  QComboBox* colors_;
  QToolButton *running_, *passes_, *gaps_, *before_, *after_;
  QComboBox* step_;
  StepModel* steps_;
  widgets::PassStrip* strip_;
  widgets::ElidedLabel* transfer_;
};

extern const ViewRecord timelineView;

}  // namespace weft::app
