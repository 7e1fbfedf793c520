#pragma once

#include <QHash>
#include <QWidget>
#include <vector>

#include "document/summaries.h"
#include "plot/scalar_plot.h"
#include "shell/view.h"

namespace weft::widgets {
class ScalarGrid;
}

namespace weft::app {

struct RunRecord;

/// The curves of all runs, live, from trainings and event files.
class ScalarsView : public QWidget {
  Q_OBJECT

 public:
  ScalarsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Scrolls to the card of a tag.
  void showTag(const QString& tag);
  /// Writes the card of a tag in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// One of `table`, `cards`, `log-y`, `log-x`, `linear`, `spread`, `curves`, `step`, `relative`, `wall`, or a weight for the smoothing; others return false.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addRun(int run);
  /// Shows a training's checkpoints and edits in the cards of its curves.
  void showMarks(const RunRecord& record);
  void showAllMarks();
  void showOpened(const QString& path);
  void branch(int id, double step);
  void showSeries(int run, const QString& tag);
  void retranslate();
  void updateEmptyState();

  ViewContext context_;
  widgets::ScalarGrid* grid_;
  QHash<int, int> ids_;  // run -> its index in the grid
  /// The marks made for a run's checkpoints and edits.
  struct Marks {
    qsizetype checkpoints = 0, edits = 0;
    std::vector<widgets::PlotMark> marks;
  };
  QHash<QString, Marks> marks_;  // by the folder of the training
  bool sendingStep_ = false;     // this panel is sending its step to the others
  QString opened_;               // events whose first card will be scrolled to
};

extern const ViewRecord scalarsView;

}  // namespace weft::app
