#include "weft/op.h"
#include "weft/train.h"

namespace weft {
namespace {

/// The gradient tensor applied by an optimizer's op; invalid for other ops.
Output gradientOf(const Node& node) {
  if (roleOf(node) != OpRole::ApplyGradient) return {};
  for (size_t i = 0; i < node.record->inputs.size() && i < node.inputs.size(); ++i) {
    const std::string& name = node.record->inputs[i].name;
    if (name == "grad" || name == "delta") return node.inputs[i];
  }
  return {};
}

/// The nodes that `op` depends on, including itself.
std::vector<char> neededBy(const Graph& graph, const Node& op) {
  std::vector<char> seen(size_t(graph.size()), 0);
  std::vector<int> stack{op.id};
  while (!stack.empty()) {
    const int id = stack.back();
    stack.pop_back();
    const Node* n = id >= 0 ? graph.node(id) : nullptr;
    if (!n || seen[size_t(id)]) continue;
    seen[size_t(id)] = 1;
    for (const Output& input : n->inputs) stack.push_back(input.node);
    stack.insert(stack.end(), n->controls.begin(), n->controls.end());
  }
  return seen;
}

}  // namespace

std::vector<AppliedGradient> appliedGradients(const Graph& graph, const std::string& trainOp) {
  std::vector<AppliedGradient> out;
  const Node* train = trainOp.empty() ? nullptr : graph.find(trainOp);
  const std::vector<char> needed = train ? neededBy(graph, *train) : std::vector<char>(size_t(graph.size()), 1);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !needed[size_t(id)]) continue;
    const Output gradient = gradientOf(*n);
    const Node* variable = gradient.valid() && n->inputs[0].node >= 0 ? graph.node(n->inputs[0].node) : nullptr;
    if (variable) out.push_back({variable->name, graph.tensorName(gradient), id});
  }
  return out;
}

}  // namespace weft
