// State of ScalarGrid, shared by its source files.
#pragma once

#include <QMap>
#include <QTimer>

#include "common/card_grid.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"

class QComboBox;
class QSortFilterProxyModel;
class QTableView;

namespace weft::widgets {

class ScalarTableModel;

class ScalarGrid::Private {
 public:
  struct Run {
    QString name, problem;
    int hue = 0;
    bool shown = true, there = true;
    std::vector<PlotMark> marks;
  };
  using Tag = QMap<int, std::shared_ptr<SeriesStore>>;  // run -> samples

  explicit Private(ScalarGrid* grid) : q(grid) {}
  void build();
  void buildBar();
  void buildTable();
  void addLine(ScalarPlot* plot, const QString& tag, int run);
  ScalarPlot* plot(const QString& tag) const;
  void listRun(int run);
  void tagAppears(const QString& tag);
  void updateTable(bool rows);
  void showSmoothing();
  template <typename F>
  void forPlots(F&& f) const {
    for (QWidget* card : q->cards()->cards()) f(static_cast<ScalarPlot*>(card));
  }
  /// Calls `f(plot, line)` for the curves of a run.
  template <typename F>
  void forLines(int run, F&& f) const {
    for (auto tag = lines.cbegin(); tag != lines.cend(); ++tag)
      if (ScalarPlot* card = plot(tag.key()); card && tag->contains(run)) f(card, tag->value(run));
  }

  ScalarGrid* q;
  QVector<Run> runs;
  QMap<QString, Tag> tags;
  QMap<QString, QMap<int, int>> lines;  // of existing cards: tag -> run -> line
  QComboBox* kind = nullptr;
  QSlider* slider = nullptr;
  QLabel *smoothingLabel = nullptr, *sliderText = nullptr;
  RunList* runList = nullptr;
  QStackedLayout* views = nullptr;
  QButtonGroup* axes = nullptr;
  QToolButton *logButton = nullptr, *logXButton = nullptr, *outlierButton = nullptr, *spreadButton = nullptr, *linkButton = nullptr, *marksButton = nullptr,
              *tableButton = nullptr, *runsButton = nullptr;
  QTableView* table = nullptr;
  ScalarTableModel* model = nullptr;
  QSortFilterProxyModel* sorted = nullptr;
  QTimer tableTimer;
  bool rowsChanged = true;
  Smoothing smoothing{Smoothing::Kind::Ema, 0.6};
  SeriesStore::X axis = SeriesStore::X::Step;
};

}  // namespace weft::widgets
