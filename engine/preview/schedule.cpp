// A number of a graph over the steps of a simulated training.
#include <algorithm>

#include "weft/op_traits.h"
#include "weft/preview.h"
#include "weft/saturation.h"

namespace weft {
namespace {

constexpr int64_t kMostSchedulePoints = 2000;
constexpr int64_t kStepsOtherwise = 10'000;   // if the document does not specify any
constexpr int64_t kScheduleTimeoutMs = 5000;  // for one step

bool isScalarInteger(const Node& node) {
  const DType type = node.attrs.type("dtype");
  return (type == DType::Int64 || type == DType::Int32) && node.attrs.shape("shape").isScalar();
}

/// The node that counts the steps among the dependencies of a number: the document's counter, a variable of that name, or the only integer there.
const Node* stepCounter(const MetaGraph& meta, const std::set<int>& needs) {
  std::string named;
  if (const auto settings = trainingSettingsOf(meta); settings.ok()) named = settings->globalStep.substr(0, settings->globalStep.find(':'));
  const Node* best = nullptr;
  int bestRank = 0;
  for (const int id : needs) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    const bool variable = isVariable(*n);
    if ((!variable && !isPlaceholder(*n)) || !isScalarInteger(*n)) continue;
    const bool speaks = n->name.find("step") != std::string::npos;
    const int rank = n->name == named ? 4 : n->name.ends_with("global_step") ? 3 : speaks ? 2 : variable ? 1 : 0;
    if (rank <= bestRank) continue;
    best = n;
    bestRank = rank;
  }
  return best;
}

Tensor stepTensor(DType type, int64_t step) { return type == DType::Int32 ? Tensor::scalar(int32_t(step)) : Tensor::scalar(step); }

Error notScalar(const std::string& tensor) { return invalidArgument(tensor, " is not a scalar").ofKind("not_scalar").atNode(tensor); }

int64_t lastStepOf(const MetaGraph& meta) {
  const auto settings = trainingSettingsOf(meta);
  return settings.ok() && settings->steps > 0 ? settings->steps : 0;
}

}  // namespace

bool changesWithSteps(const MetaGraph& meta, const Node& node) {
  if (node.outputTypes.empty() || isVariable(node)) return false;
  const DType type = baseType(node.outputTypes[0]);
  return (type == DType::Float || type == DType::Double) && node.outputShapes[0].isScalar() && stepCounter(meta, nodesNeededBy(meta.graph, node.id)) != nullptr;
}

std::string learningRateOf(const Graph& graph) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (const int at = n ? learningRateInput(*n) : -1; at >= 0) return graph.tensorName(n->inputs[size_t(at)]);
  }
  return {};
}

Status simulateSchedule(const MetaGraph& meta, const std::string& tensor, int64_t lastStep, const std::atomic<bool>& cancelled, SimulatedSchedule* said) {
  SimulatedSchedule& out = *said;
  out.points.clear();
  out.tensor = tensor.empty() ? learningRateOf(meta.graph) : tensor;
  if (!out.tensor.empty() && out.tensor.find(':') == std::string::npos) out.tensor += ":0";
  out.lastStep = lastStep > 0 ? lastStep : lastStepOf(meta) > 0 ? lastStepOf(meta) : kStepsOtherwise;
  if (out.tensor.empty()) return invalidArgument("This graph has no optimizer, and no tensor was named").ofKind("no_optimizer");
  WEFT_LET(const Output output, meta.graph.findOutput(out.tensor));
  if (const Shape& shape = meta.graph.shape(output); shape.hasRank() && shape.rank() > 0) return notScalar(out.tensor);
  const std::set<int> needs = nodesNeededBy(meta.graph, output.node);
  const Node* counter = stepCounter(meta, needs);
  if (counter) out.step = counter->name;
  SessionOptions options;
  options.threads = 1;
  WEFT_LET(const auto session, Session::create(meta.graph, options));
  RunOptions run;
  run.timeoutMs = kScheduleTimeoutMs;
  if (const std::vector<std::string> targets = freshInitializers(meta, needs); !targets.empty()) WEFT_TRY(session->run({}, {}, targets, run).status());
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (const int id : needs) {
    const Node* n = meta.graph.node(id);
    if (!n || !isPlaceholder(*n) || n == counter || n->outputTypes.empty()) continue;
    names.push_back(n->name + ":0");
    values.push_back(trainingValue(meta, *n));
  }
  const bool fed = counter && isPlaceholder(*counter);
  const DType type = counter ? counter->attrs.type("dtype") : DType::Int64;
  if (fed) {
    names.push_back(counter->name + ":0");
    values.push_back(stepTensor(type, 0));
  }
  WEFT_LET(const auto callable, session->prepare(names, {out.tensor}));
  const int64_t count = counter ? std::min(out.lastStep + 1, kMostSchedulePoints) : 2;
  for (int64_t k = 0; k < count && !cancelled; ++k) {
    const int64_t step = count < 2 ? 0 : k * out.lastStep / (count - 1);
    if (fed) values.back() = stepTensor(type, step);
    else if (counter) WEFT_TRY(session->setVariable(counter->name, stepTensor(type, step)));
    WEFT_LET(const auto result, callable.run(values, run));
    const Tensor& t = result.front();
    if (t.elements() != 1 || t.dtype() == DType::String) return notScalar(out.tensor);
    out.points.emplace_back(step, t.asDouble(0));
  }
  return {};
}

}  // namespace weft
