// A training's current model: evaluation sample by sample, and predictions. Safe on any thread while the training runs.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

namespace weft {
class Trainer;
}

namespace weft::app {

/// A classifier's results on the held-out samples.
struct ClassReport {
  struct Sample {
    qint64 row = 0;
    int label = 0, predicted = 0;
    double probability = 0, labelProbability = 0, loss = 0;
    QVector<float> values;
  };
  qint64 step = 0, samples = 0;
  int classes = 0;
  QVector<qint64> confusion;  ///< [label × classes + predicted]
  double accuracy = 0, loss = 0;
  QVector<Sample> worst;     ///< Worst first.
  QVector<int> sampleShape;  ///< Dims of one sample.
};

/// A handle on the Trainer of a run; keeps it alive.
class TrainedModel {
 public:
  explicit TrainedModel(std::shared_ptr<Trainer> trainer) : trainer_(std::move(trainer)) {}
  /// Blocks as long as an evaluation takes. `error` gets one sentence if there is no report.
  ClassReport evaluate(int worst, QString* error) const;
  /// Probabilities of the classes for one sample; blocks for one small step.
  QVector<double> predict(const QVector<float>& values, QString* error) const;
  /// Dims of one sample; empty if the document is no classifier.
  QVector<int> sampleShape() const;
  qint64 step() const;
  /// For other adapters; any thread.
  const std::shared_ptr<Trainer>& trainer() const { return trainer_; }

 private:
  std::shared_ptr<Trainer> trainer_;
};
using TrainedModelPtr = std::shared_ptr<const TrainedModel>;

}  // namespace weft::app
