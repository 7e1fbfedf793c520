#pragma once

#include <QWidget>

#include "document/summaries.h"
#include "shell/view.h"

namespace weft::widgets {
class PrGrid;
}

namespace weft::app {

/// Precision over recall that runs logged.
class PrCurvesView : public QWidget {
  Q_OBJECT

 public:
  PrCurvesView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Writes the card of a tag in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// `step N`, or `newest`.
  bool setOption(const QString& option);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showSeries(int run, const QString& tag);
  void retranslate();

  ViewContext context_;
  widgets::PrGrid* grid_;
};

extern const ViewRecord pr_curvesView;

}  // namespace weft::app
