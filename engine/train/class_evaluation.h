#pragma once

#include <string>
#include <vector>

#include "train/training_data.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft {

/// See Trainer::evaluateClasses. Runs the session from the calling thread; concurrent runs are allowed.
Result<ClassEvaluation> evaluateClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                        const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, int worst);
/// See Trainer::evaluateTensor.
Result<SampleOutputs> evaluateTensor(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                     const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, const std::string& tensor, int64_t most);
/// See Trainer::predict.
Result<std::vector<double>> predictClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                           const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, const std::vector<float>& samples);
/// Inner dimensions of the data placeholder from which the logits are computed.
std::vector<int64_t> sampleShape(const Graph& graph, const std::string& loss, const TrainingData& data);

/// The classifier of a loss, and the index of the data placeholder from which its logits are computed.
struct PreparedClassifier {
  Classifier classifier;
  int input = -1;
};
Result<PreparedClassifier> preparedClassifier(const Graph& graph, const std::string& loss, const TrainingData& data);

}  // namespace weft
