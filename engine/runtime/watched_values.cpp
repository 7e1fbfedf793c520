#include <algorithm>
#include <array>

#include "runtime/executable_plan.h"

namespace weft {
namespace {

template <size_t N>
bool isOneOf(const std::string& op, const std::array<std::string_view, N>& ops) {
  return std::find(ops.begin(), ops.end(), std::string_view(op)) != ops.end();
}

/// Hands its input on, or is none of the run's making.
bool onlyPasses(const Node& node) {
  static constexpr std::array<std::string_view, 9> kOps = {"Identity", "Reshape", "Squeeze",      "ExpandDims",     "StopGradient",
                                                           "Snapshot", "Const",   "PlaceholderWithDefault", "PreventGradient"};
  return isOneOf(node.op, kOps);
}

/// A NaN in any of its inputs is one in its output, in the same run and iteration.
bool keepsNan(const PlanNode& node) {
  static constexpr std::array<std::string_view, 8> kOps = {"Add", "AddV2", "AddN", "Sub", "Mul", "Neg", "Square", "BiasAdd"};
  return node.node && !node.kernel && node.merged.empty() && isOneOf(node.node->op, kOps);
}

bool isFloat(DType type) { return !isRef(type) && (isFloating(type) || isComplex(type)); }

}  // namespace

std::vector<uint8_t> watchedNodes(const PlanGraph& plan) {
  const size_t n = plan.nodes.size();
  std::vector<uint8_t> watched(n, 0), makesFloats(n, 0), seenLater(n, 1), consumed(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive || !p.node || p.isConstant() || !p.device || p.device->place() != 0 || onlyPasses(*p.node)) continue;
    makesFloats[i] = std::any_of(p.types.begin(), p.types.end(), isFloat);
  }
  // What every consumer keeps is seen in their outputs, or further on; that ends, because no consumer leads back within an iteration.
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive) continue;
    for (const Output& in : p.inputs) {
      consumed[size_t(in.node)] = 1;
      if (!makesFloats[i] || !keepsNan(p)) seenLater[size_t(in.node)] = 0;
    }
  }
  for (const Output& f : plan.fetches) seenLater[size_t(f.node)] = 0;
  for (size_t i = 0; i < n; ++i) watched[i] = makesFloats[i] && !(seenLater[i] && consumed[i]);
  return watched;
}

Status tellWatch(const RunState& state, const PlanNode& node, int k, const Tensor& value, std::string_view frame, int64_t iteration) {
  const Node* user = state.userGraph->node(node.origin);
  if (!user || state.watch->found(*user, k, value, frame, iteration)) return {};
  return cancelledError("The run was ended by its watch.").atNode(user->name);
}

}  // namespace weft
