#include "adapters/step_costs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "adapters/border.h"
#include "adapters/engine_graph.h"
#include "weft/costs.h"
#include "weft/edit.h"
#include "weft/op.h"

namespace weft::app {
namespace {

bool isAssign(const Node& node) { return roleOf(node) == OpRole::Assign; }

bool fillFirst(Shape& shape, int batch) {
  if (!shape.hasRank() || shape.rank() == 0 || shape.dim(0) != Shape::kUnknownDim) return false;
  shape.setDim(0, batch);
  return true;
}

/// The graph with `batch` filled in for open first dims of the inputs; empty if there are none.
std::optional<Graph> withBatch(const Graph& graph, int batch) {
  Graph out = graph;
  std::set<int> touched;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node) continue;
    AttrMap attrs;
    if (isFeedPoint(*node)) {
      Shape shape = node->attrs.shape("shape");
      if (!fillFirst(shape, batch)) continue;
      attrs.set("shape", std::move(shape));
    } else if (roleOf(*node) == OpRole::IteratorGetNext) {
      std::vector<Shape> shapes = node->attrs.list<Shape>("output_shapes");
      if (std::count_if(shapes.begin(), shapes.end(), [batch](Shape& s) { return fillFirst(s, batch); }) == 0) continue;
      attrs.set("output_shapes", std::move(shapes));
    } else {
      continue;
    }
    const Status changed = out.change(id, [&attrs](Node& n) {
      for (const auto& [name, value] : attrs) n.attrs.set(name, value);
    });
    if (changed.ok()) touched.insert(id);
  }
  if (touched.empty()) return {};
  std::vector<Error> problems;  // ignored: the document reports its own, and nodes that fail only at this batch size stay uncounted
  if (!inferShapesFrom(out, touched, &problems).ok()) return {};
  return out;
}

/// Marks nodes that only initialize variables: each Assign of a value that depends on no input and no state, and nodes that only such nodes read.
std::vector<char> initializingNodes(const Graph& graph) {
  std::vector<char> out(size_t(graph.size()), 0);
  const auto order = graph.topologicalOrder();
  if (!order.ok()) return out;
  std::vector<char> living(size_t(graph.size()), 0);
  for (const int id : *order) {
    const Node& node = *graph.node(id);
    living[size_t(id)] = isFeedPoint(node) || isVariable(node) || roleOf(node) == OpRole::Iterator || roleOf(node) == OpRole::OneShotIterator ||
                         roleOf(node) == OpRole::IteratorGetNext || roleOf(node) == OpRole::Dequeue;
    // Skip the variable of an Assign: only the value tells whether it is an initialization.
    for (size_t i = isAssign(node) ? 1 : 0; i < node.inputs.size() && !living[size_t(id)]; ++i)
      living[size_t(id)] = node.inputs[i].node >= 0 && living[size_t(node.inputs[i].node)];
  }
  const auto consumers = graph.consumers();
  for (auto it = order->rbegin(); it != order->rend(); ++it) {
    if (living[size_t(*it)]) continue;
    const Node& node = *graph.node(*it);
    const auto& readers = consumers[size_t(*it)];
    out[size_t(*it)] = isAssign(node) || (!readers.empty() && std::all_of(readers.begin(), readers.end(), [&out](int r) { return out[size_t(r)] != 0; }));
  }
  return out;
}

}  // namespace

StepCosts::StepCosts(const GraphContents& contents, int batch)
    : graph_(contents.engine), batch_(std::max(1, batch)), ops_(size_t(contents.engine->loaded.meta.graph.size())) {
  if (failureOf([this] { count(); }).isEmpty()) return;
  // If counting failed, all ops are reported as unknown.
  ops_.assign(ops_.size(), {.known = false});
  total_ = {.unknown = graph_->loaded.meta.graph.nodeCount()};
}

void StepCosts::count() {
  const std::optional<Graph> filled = withBatch(graph_->loaded.meta.graph, batch_);
  const Graph& graph = filled ? *filled : graph_->loaded.meta.graph;
  dependsOnBatch_ = filled.has_value();
  const std::vector<char> first = initializingNodes(graph);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node) continue;
    Op& op = ops_[size_t(id)];
    op.initializes = first[size_t(id)] != 0;
    bool known = true;
    for (size_t i = 0; i < node->outputShapes.size(); ++i) {
      const Shape& shape = node->outputShapes[i];
      if (shape.elements() < 0) {
        known = false;
        continue;
      }
      op.outputKnown = true;
      if (i < node->outputTypes.size() && node->outputTypes[i] != DType::Invalid) op.outputBytes = sumOf(op.outputBytes, bytesOf(shape, node->outputTypes[i]));
    }
    if (node->record && node->record->costFunction) {
      std::vector<Shape> inputs;
      for (const Output& input : node->inputs) {
        const Node* from = graph.node(input.node);
        inputs.push_back(from && size_t(input.index) < from->outputShapes.size() ? from->outputShapes[size_t(input.index)] : Shape::unknown());
        known = known && inputs.back().isFullyKnown();
      }
      const DType type = node->outputTypes.empty() ? DType::Float : baseType(node->outputTypes[0]);
      const auto cost = known ? statedCost(*node, inputs, node->outputShapes, type) : std::nullopt;
      if (cost) op.flops = cost->flops;
      op.known = known && (cost || inputs.empty());
    }
    add(total_, op);
  }
}

void StepCosts::add(CostDetails& sum, const Op& op) {
  if (op.initializes) return;
  sum.flops += op.flops;
  sum.outputBytes = sumOf(sum.outputBytes, op.outputBytes);
  sum.unknown += !op.known;
  sum.any = sum.any || op.outputKnown || op.flops > 0;
}

CostDetails StepCosts::of(const QString& name, bool isScope) const {
  CostDetails out;
  const Graph& graph = graph_->loaded.meta.graph;
  if (!isScope) {
    if (const Node* node = graph.find(name.toStdString())) add(out, ops_[size_t(node->id)]);
    return out;
  }
  const std::string prefix = name.toStdString() + "/";
  for (int id = 0; id < graph.size(); ++id) {
    if (const Node* node = graph.node(id); node && node->name.compare(0, prefix.size(), prefix) == 0) add(out, ops_[size_t(id)]);
  }
  return out;
}

}  // namespace weft::app
