#include "adapters/train_spine.h"

#include <QHash>
#include <algorithm>
#include <climits>
#include <set>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/op_traits.h"
#include "weft/train.h"

namespace weft::app {
namespace {

/// Optimizers with slot variables, by the ends of the slots' names.
constexpr const char* kSlots[] = {"Adam", "Momentum", "Adagrad", "RMSProp"};

/// The category that colours a layer, by its variable's rank: convolution kernels, matrices and tables, vectors.
const char* hueOfData(const Shape& shape) { return !shape.hasRank() || shape.rank() < 2 ? "array" : shape.rank() == 2 ? "math" : "nn"; }

SpineLayer& layerOf(TrainSpine& spine, const QString& scope) {
  for (SpineLayer& layer : spine.layers)
    if (layer.scope == scope) return layer;
  spine.layers.push_back({scope, {}, 0, QStringLiteral("array")});
  return spine.layers.last();
}

/// By variable: the position of the first op that computes with its value; variables of no such op come last. An edited layer's nodes have the highest ids, so that
/// ids tell nothing of the order of layers.
class FirstUse {
 public:
  explicit FirstUse(const Graph& graph) : graph_(graph), readers_(graph.consumers()), at_(std::size_t(graph.size()), INT_MAX) {
    const auto order = graph.topologicalOrder();
    if (!order.ok()) return;
    for (std::size_t i = 0; i < order->size(); ++i) at_[std::size_t((*order)[i])] = int(i);
  }
  int of(int id) const {
    int first = INT_MAX;
    for (const int reader : readers_[std::size_t(id)]) {
      const Node* n = graph_.node(reader);
      const OpRole role = n ? roleOf(*n) : OpRole::Group;
      if (role == OpRole::Identity || role == OpRole::ReadVariable) first = std::min(first, of(reader));
      else if (role == OpRole::Compute || role == OpRole::MatMul || role == OpRole::Convolution || role == OpRole::BiasAdd || role == OpRole::BatchNorm ||
               role == OpRole::Sum || role == OpRole::GatherVariable)
        first = std::min(first, at_[std::size_t(reader)]);
    }
    return first;
  }

 private:
  const Graph& graph_;
  const std::vector<std::vector<int>> readers_;
  std::vector<int> at_;
};

}  // namespace

TrainSpine TrainSpine::grouped() const {
  TrainSpine out = *this;
  out.layers.clear();
  for (const SpineLayer& layer : layers) {
    SpineLayer& into = layerOf(out, layer.scope.section(u'/', 0, 0));
    into.variables << layer.variables;
    into.parameters = sumOf(into.parameters, layer.parameters);
    if (into.category != QLatin1String("nn") && layer.category != QLatin1String("array")) into.category = layer.category;
  }
  return out;
}

TrainSpine trainSpineOf(const GraphContents& contents) {
  TrainSpine spine;
  const MetaGraph& meta = contents.engine->loaded.meta;
  const Graph& graph = meta.graph;
  const auto settings = trainingSettingsOf(meta);
  if (!settings.ok()) return spine;
  std::set<std::string> trained;
  for (const AppliedGradient& g : appliedGradients(graph, settings->trainOp)) trained.insert(g.variable);
  std::set<QString> optimizers;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !isVariable(*n)) continue;
    bool hasSlots = false;
    for (const char* kind : kSlots) {
      if (!graph.find(n->name + "/" + kind)) continue;
      hasSlots = true;
      if (optimizers.insert(QLatin1String(kind)).second) spine.optimizers << QLatin1String(kind);
    }
    if (!hasSlots && !trained.count(n->name)) continue;
    const QString name = text(n->name);
    const qsizetype slash = name.lastIndexOf(u'/');
    SpineLayer& layer = layerOf(spine, slash > 0 ? name.left(slash) : name);
    const Shape shape = n->attrs.shape("shape");
    layer.variables << name;
    layer.parameters = sumOf(layer.parameters, shape.isFullyKnown() ? shape.elements() : 0);
    if (layer.category != QLatin1String("nn") && QLatin1String(hueOfData(shape)) != QLatin1String("array")) layer.category = QLatin1String(hueOfData(shape));
    ++spine.variables;
  }
  const FirstUse use(graph);
  const auto place = [&](const SpineLayer& layer) {
    int first = INT_MAX;
    for (const QString& variable : layer.variables)
      if (const Node* n = graph.find(variable.toStdString())) first = std::min(first, use.of(n->id));
    return first;
  };
  QHash<QString, int> places;
  for (const SpineLayer& layer : std::as_const(spine.layers)) places.insert(layer.scope, place(layer));
  std::stable_sort(spine.layers.begin(), spine.layers.end(), [&](const SpineLayer& a, const SpineLayer& b) { return places[a.scope] < places[b.scope]; });
  if (spine.optimizers.isEmpty() && spine.variables > 0) spine.optimizers << QStringLiteral("SGD");
  spine.loss = text(settings->loss).section(u':', 0, 0);
  if (const auto bindings = datasetBindingsOf(meta); bindings.ok() && !bindings->empty()) {
    for (const auto& [tensor, column] : bindings->front().placeholders) {
      const auto output = graph.findOutput(tensor.find(':') == std::string::npos ? tensor + ":0" : tensor);
      if (!output.ok() || (!spine.input.isEmpty() && (column == "labels" || column == "targets" || column == "context"))) continue;
      if (!spine.input.isEmpty() && column != "images" && column != "features" && column != "inputs" && column != "center") continue;
      spine.input = text(tensor).section(u':', 0, 0);
      shapeText(graph.shape(*output), &spine.inputShape);
    }
  }
  return spine;
}

}  // namespace weft::app
