// Where the numbers of a training come from, as a window shows it.
#pragma once

#include <QPair>
#include <QPointF>
#include <QString>
#include <QVector>
#include <functional>
#include <limits>
#include <memory>

#include "adapters/trained_model.h"
#include "adapters/training_job.h"

namespace weft::app {

/// One element of a tensor or variable, as weft::OriginPart.
struct WhyPart {
  enum class Kind { Computed, Variable, Data, Setting, Constant, Random };
  QString tensor;
  QVector<qint64> index;
  qint64 step = 0;
  bool whole = false;
  Kind kind = Kind::Computed;
  QString op, input;
  double value = 0, slope = 0, contribution = 0;  ///< NaN: unknown.
  qint64 order = std::numeric_limits<qint64>::max();
  QString text() const;  ///< "fc1/MatMul:0[0,7]"
  QString node() const { return tensor.section(u':', 0, 0); }
};

/// An element and what it was computed from, as weft::Origin.
struct WhyLink {
  enum class Rule { Given, Copy, Sum, Products, Slope, Update, Kept, Position };
  WhyPart self;
  Rule rule = Rule::Given;
  QVector<WhyPart> parts;
  qint64 count = 0;
  double rest = 0;  ///< NaN: unknown.
  qint64 dataRow = -1;
};
struct WhyPath {
  QVector<WhyLink> links;
  QVector<QPointF> history;  ///< Of a variable's element: steps done, value.
  QString error;
};

struct WhyRow {
  qint64 batchRow = 0, row = 0;
  double value = 0, contribution = 0;
};
struct WhyRows {
  enum class Kind { One, Mean, Sum, Together };
  Kind kind = Kind::Together;
  QString tensor;
  double value = 0;
  QVector<WhyRow> rows;
  QString error;
};

/// A tensor that differs between two steps, as weft::DifferingTensor.
struct WhyDiffering {
  QString tensor, op, why;
  QVector<qint64> index;
  double first = 0, second = 0, largest = 0;
  qint64 elements = 0;
  bool cause = false;
};
struct WhyDifference {
  qint64 firstStep = 0, secondStep = 0, compared = 0, differing = 0;
  bool same = false;              ///< No step that is recorded of both trainings differs; the rest is empty.
  QVector<WhyDiffering> tensors;  ///< Causes first.
  QString error;
};

/// What of a training can be asked about.
struct WhyRange {
  qint64 first = 0, last = 0, copies = 0, bytes = 0;
  QString whyNot;  ///< Empty: it can.
};

/// Answers for one training. Any thread; calls wait for each other and take as long as steps are computed again. Errors are sentences of the engine.
class WhyEngine {
 public:
  explicit WhyEngine(TrainedModelPtr model);
  ~WhyEngine();

  const TrainedModelPtr& model() const { return model_; }
  /// Does not wait.
  WhyRange range() const;
  /// `element`: "fc1/weights[3,5]"; a tensor without an index: its largest element.
  WhyPath ask(const QString& element, qint64 step);
  WhyPath follow(const WhyPart& part);
  WhyRows rows(const WhyPart& element);
  WhyDifference difference(qint64 firstStep, qint64 secondStep);
  /// What differs between a step of this training and the same step of another one; `step` 0: the first recorded step that differs. Waits for calls of the other
  /// engine, too.
  WhyDifference differenceFrom(WhyEngine& other, qint64 step);
  /// Ends the present call, and those that wait for it, with an error.
  void cancel();

 private:
  struct Impl;
  TrainedModelPtr model_;
  std::unique_ptr<Impl> impl_;
};

/// A training to compare with, which is computed for that alone.
struct TrainAgain {
  GraphContentsPtr contents;
  TrainRequest request;                  ///< Files are not written, whatever it says.
  QVector<QPair<QString, QString>> set;  ///< Replaces settings of the request.
  qint64 steps = 0;                      ///< The last one.
};
/// Trains up to that step and records the steps. `report` gets the share that is done; returning false cancels, after the present step. Null with a sentence in
/// `error`: it failed before its first step. Worker thread.
TrainedModelPtr trainAgain(const TrainAgain& wanted, const std::function<bool(double)>& report, QString* error);

}  // namespace weft::app
