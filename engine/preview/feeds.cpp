// What to feed and initialize so that a part of a graph can be computed.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "tensor/value_text.h"
#include "weft/dataset.h"
#include "weft/op_traits.h"
#include "weft/preview.h"

namespace weft {

std::set<int> nodesNeededBy(const Graph& graph, int node) {
  std::set<int> seen{node};
  std::vector<int> stack{node};
  while (!stack.empty()) {
    const Node* n = graph.node(stack.back());
    stack.pop_back();
    if (!n) continue;
    const auto visit = [&](int id) {
      if (id >= 0 && seen.insert(id).second) stack.push_back(id);
    };
    for (const Output& input : n->inputs) visit(input.node);
    for (const int control : n->controls) visit(control);
  }
  return seen;
}

Tensor syntheticValue(DType type, const Shape& shape) {
  std::vector<int64_t> dims;
  if (shape.hasRank())
    for (int i = 0; i < shape.rank(); ++i) dims.push_back(shape.dim(i) < 0 ? 1 : shape.dim(i));
  Tensor t = Tensor::zeros(type, Shape(dims));
  if (type == DType::Float) {
    float* values = t.mutableData<float>();
    for (int64_t i = 0; i < t.elements(); ++i) values[i] = 0.5F + 0.5F * std::sin(float(i) * 0.7F);
  }
  return t;
}

Tensor trainingValue(const MetaGraph& meta, const Node& placeholder) {
  const DType type = baseType(placeholder.outputTypes[0]);
  const Shape& shape = placeholder.outputShapes[0];
  const std::string tensor = placeholder.name + ":0";
  std::string word;
  if (const auto settings = trainingSettingsOf(meta); settings.ok()) {
    const auto it = settings->trainFeed.find(tensor), bare = settings->trainFeed.find(placeholder.name);
    word = it != settings->trainFeed.end() ? it->second : bare != settings->trainFeed.end() ? bare->second : std::string();
    for (const LiveScalar& live : settings->live) {
      if (live.tensor != tensor && live.tensor != placeholder.name) continue;
      std::ostringstream text;
      text.precision(17);
      text << live.value;
      word = text.str();
    }
  }
  if (!word.empty())
    if (auto value = tensorFromText(word, type, shape); value.ok()) return std::move(*value);
  return syntheticValue(type, shape);
}

Result<std::map<std::string, Tensor>> sampleRows(const MetaGraph& meta, const std::string& folder, int64_t sample, int64_t count) {
  std::map<std::string, Tensor> feeds;
  const auto bindings = datasetBindingsOf(meta);
  if (!bindings.ok() || bindings->empty()) return feeds;
  const DatasetBinding& binding = bindings->front();
  WEFT_LET(const auto data, loadDataset(binding, folder));
  if (data.size() == 0) return feeds;
  const int64_t row = ((sample % data.size()) + data.size()) % data.size();
  const auto scale = binding.options.find("scale");
  const double factor = scale == binding.options.end() ? 0 : std::strtod(scale->second.c_str(), nullptr);
  for (const auto& [placeholder, name] : binding.placeholders) {
    const Tensor* column = data.find(name);
    const auto output = meta.graph.findOutput(placeholder);
    if (!column || !output.ok()) continue;
    const Shape& wanted = meta.graph.shape(*output);
    const int64_t batch = wanted.hasRank() && wanted.rank() > 0 && wanted.dim(0) > 0 ? wanted.dim(0) : std::min(count, data.size());
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < batch; ++i) rows.push_back((row + i) % data.size());
    const auto taken = takeRows(*column, rows.data(), batch);
    if (!taken.ok()) continue;
    if (auto fitted = fitColumn(*taken, baseType(meta.graph.dtype(*output)), wanted, factor); fitted.ok()) feeds.emplace(placeholder, std::move(*fitted));
  }
  return feeds;
}

std::vector<std::string> freshInitializers(const MetaGraph& meta, const std::set<int>& nodes) {
  const auto settings = trainingSettingsOf(meta);
  if (settings.ok() && !settings->initOp.empty() && meta.graph.find(settings->initOp)) return {settings->initOp};
  std::vector<std::string> out;
  for (const int id : nodes) {
    const Node* n = meta.graph.node(id);
    if (n && isVariable(*n) && meta.graph.find(n->name + "/Assign")) out.push_back(n->name + "/Assign");
  }
  return out;
}

}  // namespace weft
