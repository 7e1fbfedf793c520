#include "train/training_data.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace weft {
namespace {

constexpr int64_t kEvaluationBatch = 512;

double scaleOf(const DatasetBinding& binding) {
  const auto it = binding.options.find("scale");
  return it == binding.options.end() || binding.kind == "csv" ? 0 : std::strtod(it->second.c_str(), nullptr);
}

/// The columns that `binding` assigns to its placeholders, in the map's order.
Result<std::vector<Tensor>> fitted(const Dataset& data, const DatasetBinding& binding, const Graph& graph) {
  std::vector<Tensor> columns;
  for (const auto& [name, wanted] : binding.placeholders) {
    WEFT_LET(const Output placeholder, graph.findOutput(name.find(':') == std::string::npos ? name + ":0" : name));
    const Tensor* column = data.find(wanted);
    if (!column) return Error(data.missing(wanted)).atNode(name);
    auto fit = fitColumn(*column, baseType(graph.dtype(placeholder)), graph.shape(placeholder), wanted == "labels" ? 0 : scaleOf(binding));
    if (!fit.ok()) return Error(fit.error()).atNode(name);
    columns.push_back(std::move(*fit));
  }
  return columns;
}

const Tensor* labelsOf(const Dataset& data) {
  const Tensor* labels = data.find("labels");
  return labels && labels->rank() == 1 ? labels : nullptr;
}

}  // namespace

Result<TrainingData> TrainingData::load(const std::vector<DatasetBinding>& bindings, const Graph& graph, const std::string& folder) {
  if (bindings.empty()) return notFound("the document names no data: it has no collection weft/dataset");
  const DatasetBinding& binding = bindings[0];
  TrainingData data;
  data.batchSize_ = std::max(1, binding.batchSize);
  data.shuffle_ = binding.shuffle;
  data.seed_ = binding.seed;
  WEFT_LET(const Dataset loaded, loadDataset(binding, folder));
  WEFT_LET(data.columns_, fitted(loaded, binding, graph));
  WEFT_LET(data.projector_, Projector::of(binding, loaded, graph));
  for (const auto& [name, column] : binding.placeholders) {
    data.placeholders_.push_back(name.find(':') == std::string::npos ? name + ":0" : name);
    WEFT_LET(const Output placeholder, graph.findOutput(data.placeholders_.back()));
    const Shape& shape = graph.shape(placeholder);
    if (shape.rank() < 1 || shape.dim(0) < 0) continue;
    data.batchSize_ = shape.dim(0);
    data.fixedBatch_ = true;
  }
  const auto separate = std::find_if(bindings.begin() + 1, bindings.end(), [](const DatasetBinding& b) {
    const auto it = b.options.find("split");
    return it != b.options.end() && it->second == "evaluation";
  });
  if (separate != bindings.end()) {
    DatasetBinding other = *separate;
    if (other.placeholders.empty()) other.placeholders = binding.placeholders;
    WEFT_LET(const Dataset held, loadDataset(other, folder));
    WEFT_LET(data.evaluationColumns_, fitted(held, other, graph));
    if (other.placeholders.size() != binding.placeholders.size())
      return invalidArgument("the data set for evaluation feeds other placeholders than the one for training");
    data.split_.training.resize(size_t(loaded.size()));
    std::iota(data.split_.training.begin(), data.split_.training.end(), 0);
    data.split_.evaluation.resize(size_t(held.size()));
    std::iota(data.split_.evaluation.begin(), data.split_.evaluation.end(), 0);
  } else {
    const auto where = binding.options.find("hold_out");
    const std::string held = where == binding.options.end() ? "random" : where->second;
    if (held != "random" && held != "end") return invalidArgument("the option hold_out of the data is ", held, ", expected random or end");
    data.split_ = held == "end" ? splitAtEnd(loaded.size(), binding.validationFraction)
                                : splitByClass(loaded.size(), labelsOf(loaded), binding.validationFraction, binding.seed);
    data.evaluationColumns_ = data.columns_;
  }
  if (!data.fixedBatch_) data.batchSize_ = std::min<int64_t>(data.batchSize_, std::max<int64_t>(1, data.trainingSamples()));
  if (data.stepsPerEpoch() == 0)
    return invalidArgument("the data set has ", data.trainingSamples(), " rows for training, which do not fill a batch of ", data.batchSize_);
  return data;
}

int64_t TrainingData::stepsPerEpoch() const {
  const int64_t n = trainingSamples();
  return shuffle_ || fixedBatch_ ? n / batchSize_ : (n + batchSize_ - 1) / batchSize_;
}

Result<std::vector<Tensor>> TrainingData::take(const std::vector<Tensor>& columns, const int64_t* rows, int64_t count) const {
  std::vector<Tensor> out;
  for (const Tensor& column : columns) {
    WEFT_LET(Tensor part, takeRows(column, rows, count));
    out.push_back(std::move(part));
  }
  return out;
}

Result<std::vector<Tensor>> TrainingData::batch(int64_t epoch, int64_t index) {
  if (epoch != orderEpoch_) {
    order_ = shuffle_ ? shuffledRows(split_.training, seed_, epoch) : split_.training;
    orderEpoch_ = epoch;
  }
  const int64_t begin = index * batchSize_;
  return take(columns_, order_.data() + begin, std::min(batchSize_, trainingSamples() - begin));
}

std::vector<int64_t> TrainingData::batchRows(int64_t epoch, int64_t index) const {
  const int64_t begin = index * batchSize_, end = std::min(begin + batchSize_, trainingSamples());
  if (epoch != orderEpoch_ || begin < 0 || begin >= end) return {};
  return {order_.begin() + begin, order_.begin() + end};
}

int64_t TrainingData::evaluationBatchSize() const { return fixedBatch_ ? batchSize_ : std::min(kEvaluationBatch, evaluationSamples()); }

int64_t TrainingData::evaluationRows() const {
  const int64_t n = evaluationSamples();
  return fixedBatch_ ? n - n % batchSize_ : n;
}

Result<std::vector<Tensor>> TrainingData::evaluationBatch(int64_t begin, int64_t count) const {
  return take(evaluationColumns_, split_.evaluation.data() + begin, count);
}

}  // namespace weft
