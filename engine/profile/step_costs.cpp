#include "weft/step_costs.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "weft/costs.h"
#include "weft/edit.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft {
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

int64_t capped(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

int64_t bytesOf(const Shape& shape, DType type) {
  int64_t bytes = 0;
  return __builtin_mul_overflow(shape.elements(), int64_t(sizeOf(baseType(type))), &bytes) ? std::numeric_limits<int64_t>::max() : bytes;
}

}  // namespace

StepCosts::StepCosts(std::shared_ptr<const Graph> graph, int batch) : graph_(std::move(graph)), batch_(std::max(1, batch)), ops_(size_t(graph_->size())) {
  count();
}

StepCosts StepCosts::unknown(std::shared_ptr<const Graph> graph, int batch) {
  StepCosts out;
  out.graph_ = std::move(graph);
  out.batch_ = std::max(1, batch);
  out.ops_.assign(size_t(out.graph_->size()), {.known = false});
  out.total_ = {.unknown = int(out.graph_->nodeCount())};
  return out;
}

void StepCosts::count() {
  const std::optional<Graph> filled = withBatch(*graph_, batch_);
  const Graph& graph = filled ? *filled : *graph_;
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
      if (i < node->outputTypes.size() && node->outputTypes[i] != DType::Invalid) op.outputBytes = capped(op.outputBytes, bytesOf(shape, node->outputTypes[i]));
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

void StepCosts::add(StepCost& sum, const Op& op) {
  if (op.initializes) return;
  sum.flops += op.flops;
  sum.outputBytes = capped(sum.outputBytes, op.outputBytes);
  sum.unknown += !op.known;
  sum.any = sum.any || op.outputKnown || op.flops > 0;
}

StepCost StepCosts::ofNode(int id) const {
  StepCost out;
  if (id >= 0 && size_t(id) < ops_.size() && graph_->node(id)) add(out, ops_[size_t(id)]);
  return out;
}

StepCost StepCosts::ofNode(std::string_view name) const {
  const Node* node = graph_->find(name);
  return node ? ofNode(node->id) : StepCost();
}

StepCost StepCosts::ofScope(std::string_view scope) const {
  StepCost out;
  const std::string prefix = std::string(scope) + "/";
  for (int id = 0; id < graph_->size(); ++id) {
    if (const Node* node = graph_->node(id); node && node->name.starts_with(prefix)) add(out, ops_[size_t(id)]);
  }
  return out;
}

}  // namespace weft
