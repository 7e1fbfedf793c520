#pragma once

#include <string>
#include <vector>

#include "train/training_data.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft {

/// See Trainer::evaluateClasses. The session is run from the calling thread; runs beside it are allowed.
Result<ClassEvaluation> evaluateClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                        const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, int worst);
/// See Trainer::predict.
Result<std::vector<double>> predictClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                           const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, const std::vector<float>& samples);
/// Inner dims of the data placeholder that the logits come from.
std::vector<int64_t> sampleShape(const Graph& graph, const std::string& loss, const TrainingData& data);

}  // namespace weft
