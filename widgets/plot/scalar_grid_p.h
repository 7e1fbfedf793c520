// State of ScalarGrid, shared by its source files.
#pragma once

#include <QButtonGroup>
#include <QMap>
#include <QTimer>

#include "plot/scalar_grid.h"

class QLabel;
class QLineEdit;
class QSlider;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace weft::widgets {

class EmptyState;
class ScalarTableModel;

class ScalarGrid::Private {
public:
  struct Run {
    QString name, problem;
    int hue = 0;
    bool shown = true, there = true;
  };
  using Tag = QMap<int, std::shared_ptr<SeriesStore>>;  // run -> samples

  explicit Private(ScalarGrid* grid) : q(grid) {}
  void build();
  void buildBar(class QVBoxLayout* outer);
  void buildTable();
  void retranslate();
  QWidget* make(const QString& tag, QWidget* parent);
  void addLine(ScalarPlot* plot, const QString& tag, int run);
  ScalarPlot* plot(const QString& tag) const;
  void listRun(int run);
  void tagAppears(const QString& tag);
  void updateTable(bool rows);
  template <typename F>
  void forPlots(F&& f) const;

  ScalarGrid* q;
  QVector<Run> runs;
  QMap<QString, Tag> tags;
  QMap<QString, QMap<int, int>> lines;  // of the cards that exist: tag -> run -> line
  QLineEdit* search = nullptr;
  QSlider* slider = nullptr;
  QLabel *smoothingLabel = nullptr, *sliderText = nullptr;
  CardGrid* cards = nullptr;
  RunList* runList = nullptr;
  QStackedLayout *stack = nullptr, *views = nullptr;
  EmptyState* empty = nullptr;
  QButtonGroup* axes = nullptr;
  QToolButton *logButton = nullptr, *logXButton = nullptr, *outlierButton = nullptr, *spreadButton = nullptr, *linkButton = nullptr, *tableButton = nullptr,
              *runsButton = nullptr;
  QTableView* table = nullptr;
  ScalarTableModel* model = nullptr;
  QSortFilterProxyModel* sorted = nullptr;
  QTimer tableTimer;
  bool rowsChanged = true;
  double weight = 0.6;
  SeriesStore::X axis = SeriesStore::X::Step;
};

}  // namespace weft::widgets
