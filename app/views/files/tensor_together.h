#pragma once

#include <QPointer>
#include <QScrollArea>

#include "adapters/file_sources.h"
#include "document/file_tab.h"

class QBoxLayout;
class QLabel;
class QStackedWidget;

namespace weft::widgets {
class FilterMosaic;
class HeatMap;
class ValueHistogram;
}  // namespace weft::widgets

namespace weft::app {

class GraphExcerpt;
class Workspace;

/// One page for the chosen tensor of a file: its values as a picture, the difference to another file, the histogram, statistics, and the graph around the
/// variable. Side by side where there is room, else stacked. GUI thread.
class TensorTogether : public QScrollArea {
  Q_OBJECT

 public:
  TensorTogether(FileTab* file, Workspace& workspace, QWidget* parent);
  /// Whether the page can show a tensor: numeric, with more than one element.
  static bool fits(const widgets::TensorSource& source);
  /// `there`: show the other file's values as the picture.
  void show(bool there);
  widgets::FilterMosaic* mosaic() const { return values_.mosaic; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// A titled picture: filters, or a map of the last two dims.
  struct Picture {
    QWidget* box = nullptr;
    QLabel* title = nullptr;
    QStackedWidget* stack = nullptr;
    widgets::FilterMosaic* mosaic = nullptr;
    widgets::HeatMap* map = nullptr;
  };
  Picture makePicture(QWidget* parent);
  void fill(const Picture& picture, const TensorSourcePtr& source, const QString& title);
  void showFigures(const widgets::TensorFacts& here, const widgets::TensorFacts* other);
  void showExcerpt();
  void arrange();

  FileTab* file_;
  Workspace& workspace_;
  QBoxLayout *root_, *pictures_;
  Picture values_, difference_;
  QWidget *side_, *graphPart_;
  QLabel *histogramTitle_, *figures_, *graphTitle_, *graphText_;
  widgets::ValueHistogram* histogram_;
  GraphExcerpt* excerpt_;
  int asked_ = 0;
  bool isCheckpoint_ = false;
};

}  // namespace weft::app
