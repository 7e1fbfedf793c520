#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>

#include "adapters/schedule.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace weft::widgets {
class ScalarPlot;
}

namespace weft::app {

class Document;
class Workspace;

/// A chart of a number over the steps of a simulated training, such as a learning rate with decay. Recomputed when the graph, the tensor or the number of steps
/// changes.
class ScheduleWindow : public QDialog {
  Q_OBJECT

 public:
  ScheduleWindow(Document* document, Workspace& workspace, QWidget* parent);

  /// Shows this tensor (empty: the learning rate) up to this step (0: the end of the document's training).
  void show(const QString& tensor, qint64 lastStep);
  bool isBusy() const { return task_ != 0 || soon_.isActive(); }
  const ScheduleCurve& curve() const { return curve_; }
  QSize sizeHint() const override { return {720, 460}; }

 private:
  void compute();
  void take(const ScheduleCurve& curve);

  QPointer<Document> document_;
  Workspace& workspace_;
  QLineEdit* tensor_;
  QSpinBox* last_;
  QCheckBox* log_;
  widgets::ScalarPlot* plot_;
  QLabel* words_;
  QTimer soon_;
  int task_ = 0, line_ = -1;
  ScheduleCurve curve_;
};

}  // namespace weft::app
