#include <algorithm>
#include <cstring>

#include "train/class_evaluation.h"
#include "train/tensor_name.h"

namespace weft {
namespace {

/// Joins batches along the first dimension.
class Batches {
 public:
  Status add(const Tensor& batch, int64_t count, const std::string& name) {
    if (batch.rank() < 1 || batch.dim(0) != count)
      return failedPrecondition(name, " is ", batch.shape().toString(), " for ", count, " samples; one row for each sample is expected");
    if (!isNumeric(batch.dtype()) && batch.dtype() != DType::Bool) return failedPrecondition(name, " holds ", dtypeName(batch.dtype()), ", expected numbers");
    if (!parts_.empty() && parts_[0].elements() / parts_[0].dim(0) * count != batch.elements())
      return failedPrecondition(name, " has rows of different sizes: ", parts_[0].shape().toString(), " and ", batch.shape().toString());
    WEFT_LET(Tensor here, batch.clone());  // a kernel may reuse the buffer
    parts_.push_back(std::move(here));
    rows_ += count;
    return {};
  }
  Result<Tensor> joined() const {
    std::vector<int64_t> dims(parts_[0].shape().dims().begin(), parts_[0].shape().dims().end());
    dims[0] = rows_;
    WEFT_LET(Tensor out, Tensor::allocate(parts_[0].dtype(), Shape(dims)));
    auto* to = static_cast<char*>(out.mutableRaw());
    for (const Tensor& part : parts_) {
      std::memcpy(to, part.raw(), part.bytes());
      to += part.bytes();
    }
    return out;
  }

 private:
  std::vector<Tensor> parts_;
  int64_t rows_ = 0;
};

int largestOf(const Tensor& t, int64_t row, int64_t columns) {
  int best = 0;
  for (int64_t k = 1; k < columns; ++k)
    if (t.asDouble(row * columns + k) > t.asDouble(row * columns + best)) best = int(k);
  return best;
}

}  // namespace

Result<SampleOutputs> evaluateTensor(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                     const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, const std::string& tensor,
                                     int64_t most) {
  const std::string name = tensorName(tensor);
  WEFT_TRY(graph.findOutput(name));
  const int64_t rows = std::min(most, data.evaluationRows()), batch = data.evaluationBatchSize();
  if (rows <= 0) return failedPrecondition("the document holds no samples back for evaluation");
  const auto use = preparedClassifier(graph, loss, data);
  std::vector<std::string> names = data.placeholders(), fetches{name};
  names.insert(names.end(), feedNames.begin(), feedNames.end());
  if (use.ok()) fetches.insert(fetches.end(), {use->classifier.logits, use->classifier.labels});
  WEFT_LET(const Callable run, session.prepare(names, fetches));
  SampleOutputs out;
  Batches values, inputs;
  for (int64_t at = 0; at < rows; at += batch) {
    const int64_t count = std::min(batch, data.evaluationRows() - at);
    WEFT_LET(std::vector<Tensor> feeds, data.evaluationBatch(at, count));
    if (use.ok()) WEFT_TRY(inputs.add(feeds[size_t(use->input)], count, names[size_t(use->input)]));
    feeds.insert(feeds.end(), feedValues.begin(), feedValues.end());
    WEFT_LET(const auto results, run.run(feeds));
    WEFT_TRY(values.add(results[0], count, name));
    if (!use.ok()) continue;
    const int64_t classes = use->classifier.classes;
    if (results[1].elements() != count * classes || results[2].elements() != (use->classifier.sparse ? count : count * classes))
      return failedPrecondition("the logits ", use->classifier.logits, " have not one row for each sample");
    for (int64_t i = 0; i < count; ++i) {
      out.predicted.push_back(largestOf(results[1], i, classes));
      out.labels.push_back(use->classifier.sparse ? int(results[2].asInt(i)) : largestOf(results[2], i, classes));
    }
  }
  WEFT_LET(out.values, values.joined());
  if (use.ok()) {
    WEFT_LET(out.inputs, inputs.joined());
  }
  return out;
}

}  // namespace weft
