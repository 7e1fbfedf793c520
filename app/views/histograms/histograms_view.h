#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "views/view.h"

namespace weft::widgets {
class HistogramGrid;
}

namespace weft::app {

/// Histograms and distributions of all runs, live.
class HistogramsView : public QWidget {
  Q_OBJECT

 public:
  HistogramsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  void showTag(const QString& tag);
  /// Writes the card of a tag by the ending of the path; a sentence on why not, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// One of `offset`, `overlay`, `heat-map`, `distribution`, `step`, `relative`, `wall`. False if it is none of them.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showSeries(int run, const QString& tag);
  void retranslate();

  ViewContext context_;
  widgets::HistogramGrid* grid_;
};

extern const ViewRecord histogramsView;

}  // namespace weft::app
