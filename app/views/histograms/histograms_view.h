#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

class QLabel;
class QSplitter;

namespace weft::widgets {
class HistogramGrid;
class SaturationList;
}  // namespace weft::widgets

namespace weft::app {

/// Histograms and distributions of all runs, live.
class HistogramsView : public QWidget {
  Q_OBJECT
  /// Measurements of saturated units as JSON, for `print view histograms`.
  Q_PROPERTY(QString report READ report)

 public:
  HistogramsView(const ViewContext& context, QWidget* parent);
  QString report() const;

 public slots:
  void refreshNow();
  void showTag(const QString& tag);
  /// Writes the card of a tag in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// One of `offset`, `overlay`, `heat-map`, `distribution`, `step`, `relative`, `wall`; others return false.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void showSeries(int run, const QString& tag);
  void showSaturation();
  void showWaiting();
  void retranslate();

  ViewContext context_;
  widgets::HistogramGrid* grid_;
  QSplitter* beside_;
  QWidget* page_;
  QLabel *words_, *waiting_;
  widgets::SaturationList* saturation_;
};

extern const ViewRecord histogramsView;

}  // namespace weft::app
