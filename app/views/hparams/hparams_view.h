#pragma once

#include <QTimer>
#include <QWidget>

#include "shell/view.h"
#include "views/hparams/hparams_table.h"

class QLabel;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
class ParallelAxes;
}  // namespace weft::widgets

namespace weft::app {

/// Runs with their hyperparameters and metrics. A check mark shows or hides the run in all panels.
class HParamsView : public QWidget {
  Q_OBJECT

 public:
  HParamsView(const ViewContext& context, QWidget* parent);

 public slots:
  void refreshNow();
  /// Writes the table as .csv or .json, or the dock as a picture; `tag` is not used. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// `sort TITLE` or `sort TITLE down`: sorts by the column of that title.
  bool setOption(const QString& option);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void soon();
  void showPicture();
  void choose(int row);
  int rowOf(const QTreeWidgetItem* item) const;
  void showMenu(QPoint at);
  QByteArray csv() const;
  QByteArray json() const;
  void retranslate();
  static QString statusText(HParamsEntry::Status status);

  ViewContext context_;
  HParamsTable table_;  // with as many metrics as the list shows
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel* about_;
  QTreeWidget* list_;
  widgets::ParallelAxes* picture_;
  QTimer soon_;
};

extern const ViewRecord hparamsView;

}  // namespace weft::app
