#include "profile/node_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/shape_context.h"
#include "weft/costs.h"
#include "weft/op.h"

namespace weft {
namespace {

double bytesOf(const Shape& shape, DType type) {
  // elements() is negative if sizes are unknown or their product overflows: then 0.
  return double(std::max<int64_t>(0, shape.elements())) * double(sizeOf(baseType(type)));
}

}  // namespace

std::optional<Cost> statedCost(const Node& node, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, DType type) {
  if (!node.record || !node.record->costFunction || inputs.empty() || inputs.size() < node.record->inputs.size() ||
      outputs.size() < node.record->outputs.size())
    return std::nullopt;
  const auto counted = [](const Shape& s) { return s.elements() >= 0; };
  if (!std::all_of(inputs.begin(), inputs.end(), counted) || !std::all_of(outputs.begin(), outputs.end(), counted)) return std::nullopt;
  // Cost functions rely on the checks of the shape function. Known outputs imply that it succeeded, unless the op has no outputs.
  if (outputs.empty() && !inferShapes(node, inputs, {}).ok()) return std::nullopt;
  try {
    const Cost cost = node.record->costFunction(inputs, outputs, node.attrs, type);
    return cost.flops >= 0 && cost.bytes >= 0 ? std::optional(cost) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Cost costOf(const Node& node, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs) {
  const auto counted = [](const Shape& s) { return s.elements() >= 0; };
  const bool known = std::all_of(inputs.begin(), inputs.end(), counted) && std::all_of(outputs.begin(), outputs.end(), counted);
  Cost cost = statedCost(node, inputs, outputs, node.attrs.type("T")).value_or(Cost{});
  if (cost.flops == 0 && known) {
    int64_t most = 0;
    for (const Shape& s : inputs) most = std::max(most, s.elements());
    for (const Shape& s : outputs) most = std::max(most, s.elements());
    if (roleOf(node) == OpRole::Pooling) {
      double window = 1;
      for (const int64_t k : node.attrs.integers("ksize")) window *= double(k);
      cost.flops = outputs.empty() ? 0 : double(outputs[0].elements()) * window;
    } else {
      cost.flops = (node.record ? node.record->flopsPerElement : 0) * double(most);
    }
  }
  if (cost.bytes == 0) {
    for (size_t i = 0; i < inputs.size() && i < node.inputTypes.size(); ++i) cost.bytes += bytesOf(inputs[i], node.inputTypes[i]);
    for (size_t i = 0; i < outputs.size() && i < node.outputTypes.size(); ++i) cost.bytes += bytesOf(outputs[i], node.outputTypes[i]);
  }
  return cost;
}

void NodeFacts::saw(int node, const std::vector<std::pair<DType, Shape>>& outputs) {
  if (node >= int(seen_.size()) || !seen_[size_t(node)].empty()) return;
  for (const auto& [dtype, shape] : outputs) seen_[size_t(node)].push_back(dtype == DType::Invalid ? Shape::unknown() : shape);
}

void NodeFacts::knows(int node, const std::vector<Shape>& outputs) {
  const Node* n = graph_.node(node);
  if (n && node < int(seen_.size()) && seen_[size_t(node)].empty() && outputs.size() == n->outputTypes.size()) seen_[size_t(node)] = outputs;
}

const Shape& NodeFacts::shapeOf(Output o) const {
  static const Shape unknown = Shape::unknown();
  const auto& seen = seen_[size_t(o.node)];
  if (size_t(o.index) < seen.size() && seen[size_t(o.index)].hasRank()) return seen[size_t(o.index)];
  const Node* n = graph_.node(o.node);
  return n && size_t(o.index) < n->outputShapes.size() ? n->outputShapes[size_t(o.index)] : unknown;
}

TraceNode NodeFacts::describe(const Node& node) const {
  TraceNode out;
  std::vector<Shape> inputs, outputs;
  out.constant = !node.inputs.empty() && node.controls.empty() && isPure(node);
  for (const Output o : node.inputs) {
    const Node* from = graph_.node(o.node);
    if (!from) continue;
    out.inputs.push_back(from->name);
    inputs.push_back(shapeOf(o));
    out.constant = out.constant && isConstant(*from);
  }
  for (size_t i = 0; i < node.outputTypes.size(); ++i) outputs.push_back(shapeOf({node.id, int(i)}));
  const Cost cost = costOf(node, inputs, outputs);
  out.flops = cost.flops;
  out.movedBytes = cost.bytes;
  out.dataFormat = node.attrs.text("data_format");
  if (isVariable(node)) {
    const Shape shape = node.attrs.shape("shape");
    if (shape.hasRank() && shape.isFullyKnown()) out.parameters = std::max<int64_t>(0, shape.elements());
    out.flops = out.movedBytes = 0;
  }
  return out;
}

void NodeFacts::fill(Trace& trace) const {
  std::vector<char> done;
  const auto complete = [&](const std::string& name) {
    const Node* node = graph_.find(name);
    if (!node) return;
    TraceNode fresh = describe(*node);
    TraceNode& known = trace.nodes[name];
    if (known.inputs.empty()) known.inputs = std::move(fresh.inputs);
    if (known.flops == 0) known.flops = fresh.flops;
    if (known.movedBytes == 0) known.movedBytes = fresh.movedBytes;
    if (known.parameters == 0) known.parameters = fresh.parameters;
    if (known.dataFormat.empty()) known.dataFormat = std::move(fresh.dataFormat);
    known.constant = fresh.constant;
  };
  for (const TraceSlice& s : trace.slices) {
    if (size_t(s.name) >= done.size()) done.resize(size_t(s.name) + 1024, 0);
    if (done[size_t(s.name)]) continue;
    done[size_t(s.name)] = 1;
    complete(trace.text(s.name));
  }
}

}  // namespace weft
