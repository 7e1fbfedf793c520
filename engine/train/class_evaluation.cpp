#include "train/class_evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "train/tensor_name.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr int64_t kMostClasses = 256;  // largest confusion matrix worth showing

std::string nameOf(const Graph& graph, Output output) { return graph.node(output.node)->name + ":" + std::to_string(output.index); }

/// Nodes from which `from` is computed, nearest first.
std::vector<int> ancestors(const Graph& graph, int from) {
  std::vector<int> found{from};
  std::vector<char> seen(size_t(graph.size()), 0);
  seen[size_t(from)] = 1;
  for (size_t i = 0; i < found.size(); ++i) {
    const Node* node = graph.node(found[i]);
    if (!node) continue;
    for (const Output& input : node->inputs) {
      if (input.valid() && !seen[size_t(input.node)]) {
        seen[size_t(input.node)] = 1;
        found.push_back(input.node);
      }
    }
  }
  return found;
}

/// Follows ops that only reshape or rename their first input back to their source.
Output behindReshapes(const Graph& graph, Output output) {
  for (int guard = 0; guard < 16; ++guard) {
    const Node* node = graph.node(output.node);
    if (!node || node->inputs.empty()) return output;
    const OpRole r = roleOf(*node);
    const bool passes = r == OpRole::Identity || r == OpRole::Reshape || r == OpRole::Cast;
    if (!passes) return output;
    output = node->inputs[0];
  }
  return output;
}

/// Probabilities of a row of logits.
void softmax(const double* logits, size_t n, double* out) {
  const double most = *std::max_element(logits, logits + n);
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += out[i] = std::exp(logits[i] - most);
  for (size_t i = 0; i < n; ++i) out[i] /= sum;
}

size_t largest(const double* values, size_t n) { return size_t(std::max_element(values, values + n) - values); }

/// Index of the data placeholder from which the logits, but not the labels, are computed.
int inputPlaceholder(const Graph& graph, const Classifier& classifier, const TrainingData& data) {
  const auto logits = graph.findOutput(classifier.logits);
  if (!logits.ok()) return -1;
  const std::vector<int> before = ancestors(graph, logits->node);
  for (size_t i = 0; i < data.placeholders().size(); ++i) {
    const auto placeholder = graph.findOutput(data.placeholders()[i]);
    if (placeholder.ok() && std::find(before.begin(), before.end(), placeholder->node) != before.end()) return int(i);
  }
  return -1;
}

}  // namespace

Result<PreparedClassifier> preparedClassifier(const Graph& graph, const std::string& loss, const TrainingData& data) {
  const auto classifier = classifierOf(graph, loss);
  if (!classifier) return failedPrecondition("the loss ", loss.empty() ? "(none)" : loss, " is no cross entropy with a known number of classes");
  if (classifier->classes > kMostClasses)
    return failedPrecondition("the logits ", classifier->logits, " tell ", classifier->classes, " classes apart, more than the ", kMostClasses,
                              " that a matrix can show");
  const int input = inputPlaceholder(graph, *classifier, data);
  if (input < 0) return failedPrecondition("the logits ", classifier->logits, " are computed from no placeholder of the data");
  return PreparedClassifier{*classifier, input};
}

std::optional<Classifier> classifierOf(const Graph& graph, const std::string& loss) {
  const auto output = loss.empty() ? Result<Output>(notFound("no loss")) : graph.findOutput(tensorName(loss));
  if (!output.ok()) return std::nullopt;
  for (const int id : ancestors(graph, output->node)) {
    const Node* node = graph.node(id);
    if (!node) continue;
    Classifier found;
    if (roleOf(*node) == OpRole::SoftmaxLoss) {
      if (node->inputs.size() != 2) continue;
      found.op = node->name;
      found.sparse = node->op[1] == 'p';
      found.logits = nameOf(graph, node->inputs[0]);
      found.labels = nameOf(graph, behindReshapes(graph, node->inputs[1]));
      // tf.nn.softmax_cross_entropy_with_logits makes rows of its logits with a shape that is computed.
      for (const Output logits : {node->inputs[0], behindReshapes(graph, node->inputs[0])}) {
        const Shape& shape = graph.shape(logits);
        if (found.classes <= 0 && shape.hasRank() && shape.rank() >= 1) found.classes = shape.dim(shape.rank() - 1);
      }
      if (!found.sparse) found.labels = nameOf(graph, node->inputs[1]);
      if (found.classes > 1) return found;
    }
  }
  return std::nullopt;
}

std::vector<int64_t> sampleShape(const Graph& graph, const std::string& loss, const TrainingData& data) {
  const auto found = preparedClassifier(graph, loss, data);
  if (!found.ok()) return {};
  const auto placeholder = graph.findOutput(data.placeholders()[size_t(found->input)]);
  const Shape& shape = graph.shape(*placeholder);
  std::vector<int64_t> dims;
  if (!shape.hasRank()) return dims;
  for (int i = 1; i < shape.rank(); ++i) dims.push_back(shape.dim(i));
  return dims;
}

Result<ClassEvaluation> evaluateClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                        const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues, int worst) {
  WEFT_LET(const PreparedClassifier use, preparedClassifier(graph, loss, data));
  const int64_t rows = data.evaluationRows(), most = data.evaluationBatchSize();
  if (rows == 0) return failedPrecondition("the document holds no samples back for evaluation");
  const Classifier& c = use.classifier;
  const size_t classes = size_t(c.classes);
  ClassEvaluation result;
  result.classes = int(classes);
  result.confusion.assign(classes * classes, 0);
  result.sampleShape = sampleShape(graph, loss, data);
  std::vector<std::string> names = data.placeholders();
  names.insert(names.end(), feedNames.begin(), feedNames.end());
  WEFT_LET(const Callable run, session.prepare(names, {c.logits, c.labels}));
  std::vector<double> logits(classes), probabilities(classes);
  std::map<size_t, ClassEvaluation::Sample> perCell;  // the worst sample of each off-diagonal cell
  for (int64_t at = 0; at < rows; at += most) {
    const int64_t count = std::min(most, rows - at);
    WEFT_LET(std::vector<Tensor> feeds, data.evaluationBatch(at, count));
    const Tensor input = feeds[size_t(use.input)];
    feeds.insert(feeds.end(), feedValues.begin(), feedValues.end());
    WEFT_LET(const auto values, run.run(feeds));
    if (values[0].elements() != count * int64_t(classes) || values[1].elements() != (c.sparse ? count : count * int64_t(classes)))
      return failedPrecondition("the logits ", c.logits, " have not one row for each sample");
    const int64_t perSample = count > 0 ? input.elements() / count : 0;
    for (int64_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < classes; ++k) logits[k] = values[0].asDouble(i * int64_t(classes) + int64_t(k));
      softmax(logits.data(), classes, probabilities.data());
      ClassEvaluation::Sample sample;
      sample.row = at + i;
      if (c.sparse) {
        sample.label = int(values[1].asInt(i));
      } else {
        std::vector<double> row(classes);
        for (size_t k = 0; k < classes; ++k) row[k] = values[1].asDouble(i * int64_t(classes) + int64_t(k));
        sample.label = int(largest(row.data(), classes));
      }
      if (sample.label < 0 || sample.label >= int(classes))
        return outOfRange("sample ", sample.row, " has the label ", sample.label, ", expected 0 to ", classes - 1);
      sample.predicted = int(largest(probabilities.data(), classes));
      sample.probability = probabilities[size_t(sample.predicted)];
      sample.labelProbability = probabilities[size_t(sample.label)];
      sample.loss = -std::log(std::max(sample.labelProbability, 1e-300));
      const size_t cell = size_t(sample.label) * classes + size_t(sample.predicted);
      ++result.confusion[cell];
      ++result.samples;
      result.loss += sample.loss;
      result.accuracy += sample.label == sample.predicted;
      const bool wrong = sample.label != sample.predicted;
      const auto inCell = perCell.find(cell);
      const bool worstOfCell = wrong && (inCell == perCell.end() || inCell->second.loss < sample.loss);
      const bool among = worst > 0 && (int(result.worst.size()) < worst || result.worst.back().loss < sample.loss);
      if (!worstOfCell && !among) continue;
      sample.values.resize(size_t(perSample));
      for (int64_t k = 0; k < perSample; ++k) sample.values[size_t(k)] = float(input.asDouble(i * perSample + k));
      if (worstOfCell) perCell[cell] = sample;
      if (!among) continue;
      const auto place = std::upper_bound(result.worst.begin(), result.worst.end(), sample.loss,
                                          [](double value, const ClassEvaluation::Sample& s) { return value > s.loss; });
      result.worst.insert(place, std::move(sample));
      if (int(result.worst.size()) > worst) result.worst.pop_back();
    }
  }
  result.loss /= double(result.samples);
  result.accuracy /= double(result.samples);
  for (auto& [cell, sample] : perCell) {
    const bool there =
        std::any_of(result.worst.begin(), result.worst.end(), [&sample = sample](const ClassEvaluation::Sample& s) { return s.row == sample.row; });
    if (!there) result.worst.push_back(std::move(sample));
  }
  std::stable_sort(result.worst.begin(), result.worst.end(), [](const auto& a, const auto& b) { return a.loss > b.loss; });
  return result;
}

Result<std::vector<double>> predictClasses(Session& session, const Graph& graph, const std::string& loss, const TrainingData& data,
                                           const std::vector<std::string>& feedNames, const std::vector<Tensor>& feedValues,
                                           const std::vector<float>& samples) {
  WEFT_LET(const PreparedClassifier use, preparedClassifier(graph, loss, data));
  const std::vector<int64_t> inner = sampleShape(graph, loss, data);
  int64_t perSample = 1;
  for (const int64_t dim : inner) perSample *= dim;
  if (perSample <= 0) return failedPrecondition("the placeholder ", data.placeholders()[size_t(use.input)], " does not say how large a sample is");
  if (samples.empty() || int64_t(samples.size()) % perSample != 0)
    return invalidArgument("got ", samples.size(), " numbers, expected a multiple of ", perSample, " for ", data.placeholders()[size_t(use.input)]);
  const int64_t count = int64_t(samples.size()) / perSample;
  const std::string& placeholder = data.placeholders()[size_t(use.input)];
  WEFT_LET(const Output output, graph.findOutput(placeholder));
  std::vector<int64_t> dims{count};
  dims.insert(dims.end(), inner.begin(), inner.end());
  Tensor numbers = Tensor::zeros(DType::Float, Shape(dims));
  std::copy(samples.begin(), samples.end(), numbers.mutableData<float>());
  WEFT_LET(Tensor fed, fitColumn(numbers, baseType(graph.dtype(output)), graph.shape(output)));
  std::vector<std::string> names{placeholder};
  names.insert(names.end(), feedNames.begin(), feedNames.end());
  std::vector<Tensor> values{std::move(fed)};
  values.insert(values.end(), feedValues.begin(), feedValues.end());
  WEFT_LET(const Callable run, session.prepare(names, {use.classifier.logits}));
  WEFT_LET(const auto out, run.run(values));
  const size_t classes = size_t(use.classifier.classes);
  if (out[0].elements() != count * int64_t(classes)) return failedPrecondition("the logits ", use.classifier.logits, " have not one row for each sample");
  std::vector<double> logits(classes), probabilities(classes * size_t(count));
  for (int64_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < classes; ++k) logits[k] = out[0].asDouble(i * int64_t(classes) + int64_t(k));
    softmax(logits.data(), classes, probabilities.data() + size_t(i) * classes);
  }
  return probabilities;
}

}  // namespace weft
