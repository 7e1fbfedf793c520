#include "adapters/trained_model.h"

#include "adapters/engine_graph.h"
#include "weft/train.h"

namespace weft::app {

ClassReport TrainedModel::evaluate(int worst, QString* error) const {
  ClassReport report;
  const auto result = trainer_->evaluateClasses(worst);
  if (!result.ok()) {
    *error = errorText(result.error());
    return report;
  }
  report.step = result->step;
  report.samples = result->samples;
  report.classes = result->classes;
  report.confusion = QVector<qint64>(result->confusion.begin(), result->confusion.end());
  report.accuracy = result->accuracy;
  report.loss = result->loss;
  for (const int64_t dim : result->sampleShape) report.sampleShape << int(dim);
  for (const ClassEvaluation::Sample& s : result->worst)
    report.worst << ClassReport::Sample{
        s.row, s.label, s.predicted, s.probability, s.labelProbability, s.loss, QVector<float>(s.values.begin(), s.values.end())};
  return report;
}

QVector<double> TrainedModel::predict(const QVector<float>& values, QString* error) const {
  const auto result = trainer_->predict(std::vector<float>(values.begin(), values.end()));
  if (!result.ok()) {
    *error = errorText(result.error());
    return {};
  }
  return QVector<double>(result->begin(), result->end());
}

QVector<int> TrainedModel::sampleShape() const {
  QVector<int> dims;
  for (const int64_t dim : trainer_->sampleShape()) dims << int(dim);
  return dims;
}

qint64 TrainedModel::step() const { return trainer_->step(); }

}  // namespace weft::app
