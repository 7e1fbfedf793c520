#include <algorithm>
#include <unordered_map>

#include "runtime/executable_plan.h"

namespace weft {
namespace {

/// Pass-through, or not computed by the run.
bool onlyPasses(const Node& node) {
  const OpRole r = roleOf(node);
  return r == OpRole::Identity || r == OpRole::Reshape || r == OpRole::Copy || r == OpRole::Constant || r == OpRole::DefaultedPlaceholder;
}

NanPath pathOf(const Node& node) { return node.record ? node.record->nanPath : NanPath::Unknown; }

bool isFloat(DType type) { return !isRef(type) && (isFloating(type) || isComplex(type)); }

}  // namespace

std::vector<uint8_t> watchedNodes(const PlanGraph& plan) {
  const size_t n = plan.nodes.size();
  std::vector<uint8_t> watched(n, 0), makesFloats(n, 0), seenLater(n, 1), keeps(n, 0);
  std::vector<std::vector<uint8_t>> consumed(n);
  std::unordered_map<int, const Node*> byOrigin;  // includes nodes that were fused into others: dead, but still in the plan
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    consumed[i].resize(p.types.size(), 0);
    if (p.node && p.origin >= 0) byOrigin.emplace(p.origin, p.node);
    if (!p.alive || !p.node || p.isConstant() || !p.device || p.device->place() != 0 || onlyPasses(*p.node)) continue;
    makesFloats[i] = std::any_of(p.types.begin(), p.types.end(), isFloat);
  }
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive) continue;
    for (const Output& in : p.inputs) {
      std::vector<uint8_t>& outputs = consumed[size_t(in.node)];
      if (outputs.size() <= size_t(in.index)) outputs.resize(size_t(in.index) + 1, 0);
      outputs[size_t(in.index)] = 1;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive || !makesFloats[i]) continue;
    const NanPath path = pathOf(*p.node);
    const bool hasElements = !p.shapes.empty() && p.shapes[0].elements() > 0;  // negative: not known
    if (path == NanPath::Elementwise) {
      // A fused group propagates NaN if all of its ops do.
      keeps[i] = !p.kernel ? p.merged.empty() : std::all_of(p.merged.begin(), p.merged.end(), [&](int origin) {
        const auto it = byOrigin.find(origin);
        return it != byOrigin.end() && pathOf(*it->second) == NanPath::Elementwise;
      });
    } else if (!p.kernel && p.merged.empty()) {
      keeps[i] = (path == NanPath::Whole && hasElements) ||
                 (path == NanPath::Spread && std::all_of(consumed[i].begin(), consumed[i].end(), [](uint8_t c) { return c != 0; }));
    }
  }
  // If every consumer propagates NaN, it is seen in their outputs or further on. This ends, because there are no cycles within an iteration.
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive || keeps[i]) continue;
    for (const Output& in : p.inputs) seenLater[size_t(in.node)] = 0;
  }
  for (const Output& f : plan.fetches) seenLater[size_t(f.node)] = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool any = std::any_of(consumed[i].begin(), consumed[i].end(), [](uint8_t c) { return c != 0; });
    watched[i] = makesFloats[i] && !(seenLater[i] && any);
  }
  return watched;
}

Status reportToWatch(const RunState& state, const PlanNode& node, int k, const Tensor& value, std::string_view frame, int64_t iteration) {
  const Node* user = state.userGraph->node(node.origin);
  if (!user || state.watch->found(*user, k, value, frame, iteration)) return {};
  return cancelledError("The run was ended by its watch.").atNode(user->name);
}

}  // namespace weft
