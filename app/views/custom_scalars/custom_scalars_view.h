#pragma once

#include <QMap>
#include <QSet>
#include <QTimer>
#include <QWidget>
#include <utility>

#include "document/summaries.h"
#include "shell/view.h"

class QStackedWidget;

namespace weft::widgets {
class CardGrid;
class EmptyState;
class ScalarPlot;
}  // namespace weft::widgets

namespace weft::app {

/// Charts by the layouts that runs logged. A layout applies to the curves of all runs. As in TensorBoard, categories of the same title are one, and equal charts
/// in them appear once.
class CustomScalarsView : public QWidget {
  Q_OBJECT

 public:
  CustomScalarsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Writes the chart of that title in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void soon(bool anew);
  void rebuild();
  QWidget* makeChart(const QString& key, QWidget* parent);
  void fill(widgets::ScalarPlot& plot, const LayoutEntry::Chart& chart);
  void retranslate();

  ViewContext context_;
  QMap<QString, LayoutEntry::Chart> charts_;  // by the key of their card
  QSet<std::pair<int, QString>> known_;       // runs and tags of curves that the charts have been offered
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  widgets::CardGrid* grid_;
  QTimer soon_;
  bool anew_ = true;
};

extern const ViewRecord custom_scalarsView;

}  // namespace weft::app
