#pragma once

#include <QWidget>
#include <memory>

#include "adapters/trained_model.h"
#include "shell/view.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class ConfusionMatrix;
class DrawingPad;
class SampleList;

/// Evaluation and prediction, computed on another thread; only the newest result is shown.
class EvaluationView : public QWidget {
  Q_OBJECT
  Q_PROPERTY(QString report READ report)

 public:
  EvaluationView(const ViewContext& context, QWidget* parent);
  /// The last evaluation and prediction as one line of JSON.
  QString report() const;

 public slots:
  void evaluate();
  /// Chooses a cell of the confusion matrix; evaluates first if there is none.
  void showCell(int label, int predicted);
  /// Classifies a picture: numbers row by row, separated by commas or blanks, or the path of a picture file. Returns an error, or empty.
  QString predictOn(const QString& what);

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  TrainedModelPtr shownModel() const;
  class Bars;
  void retranslate();
  void updateState();
  void predict();
  void showReport();

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLabel *summary_, *worstTitle_, *padTitle_, *padHint_, *answer_;
  QPushButton *evaluate_, *clear_;
  ConfusionMatrix* matrix_;
  SampleList* samples_;
  QScrollArea* scroll_;
  DrawingPad* pad_;
  Bars* bars_;
  ClassReport report_;
  QString error_, predictError_;
  QVector<double> probabilities_;
  QPair<int, int> cell_{-1, -1};  // to be chosen after the evaluation
  bool evaluating_ = false, predicting_ = false, predictAgain_ = false;
};

extern const ViewRecord evaluationView;

}  // namespace weft::app
