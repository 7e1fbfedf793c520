#pragma once

#include <QTimer>
#include <QWidget>

#include "shell/view.h"
#include "views/projector/projector_panel.h"

class QActionGroup;
class QLabel;
class QSplitter;
class QStackedWidget;
class QToolBar;

namespace weft::widgets {
class EmptyState;
class ScatterPlot;
}  // namespace weft::widgets

namespace weft::app {

/// Points of many dimensions in two or three. Reading, projecting, colouring and searching are tasks; only the newest result is shown.
class ProjectorView : public QWidget {
  Q_OBJECT
  Q_PROPERTY(QString report READ report)
  Q_PROPERTY(bool samples READ showsSamples)
  Q_PROPERTY(bool busy READ isBusy)
  Q_PROPERTY(QString lastError READ lastError)

 public:
  ProjectorView(const ViewContext& context, QWidget* parent);
  /// Points, method, positions in short, and the selection, as one line of JSON.
  QString report() const;
  /// Whether the points are a classifier's test samples.
  bool showsSamples() const { return points_ && !points_->actual.isEmpty(); }
  bool isBusy() const { return pending_ > 0; }
  /// What was wrong with the last order; empty: nothing.
  QString lastError() const { return error_; }

 public slots:
  /// An order of a command, such as `method tsne 3`. Returns an error sentence, or empty; what takes time sets busy.
  QString give(const QStringList& words);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QToolBar* makeBar(QWidget* parent);
  void retranslate();
  void updateSources();
  void load(const ProjectorSource& source, bool keepPositions);
  void show(ProjectedPointsPtr points, bool keepPositions);
  void project(bool fromHere);
  void takeNews();
  void colorBy(int column);
  void search(int column, const QString& text, bool whole);
  void findNeighbors();
  void showSelection();
  void showState();
  QString setOption(const QString& name, const QString& value);
  QString selectWords(const QStringList& words);
  QString exportTo(const QString& path) const;
  QString stateText() const;
  /// Runs work off this thread; `finish` is dropped if this view is gone or the points have changed.
  int task(const QString& title, std::function<void(TaskState&)> work, std::function<void()> finish, std::function<void()> cancelled = {});
  TrainedModelPtr model() const;

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  ProjectorChoices* choices_;
  ProjectorSelection* selection_;
  widgets::ScatterPlot* plot_;
  QToolBar* bar_;
  QList<QAction*> tools_;
  ProjectorSource source_;
  ProjectedPointsPtr points_;
  Projection projection_;
  ProjectionOptions shown_;  // of projection_
  std::shared_ptr<ProjectionNews> news_;
  ProjectionNews::State state_;
  QTimer poll_;
  QString error_;
  LabelHues hues_;
  int column_ = -1, pending_ = 0, projectTask_ = 0, neighborTask_ = 0;
  quint64 generation_ = 0;  // of points_
  bool follows_ = false;
  std::vector<float> warm_;  // positions that the next projection begins with
};

extern const ViewRecord projectorView;

}  // namespace weft::app
