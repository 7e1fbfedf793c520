#include "graph/builder_hooks.h"

// Applies a builder's scopes to the nodes of an imported graph.
namespace weft {
namespace {

constexpr std::string_view kGroup = "loc:@";

/// Names of the nodes that a node is colocated with, without itself.
std::vector<std::string> colocatedWith(const Node& node) {
  std::vector<std::string> names;
  for (const std::string& group : node.attrs.list<std::string>("_class")) {
    if (group.starts_with(kGroup) && group.substr(kGroup.size()) != node.name) names.push_back(group.substr(kGroup.size()));
  }
  return names;
}

Status setDevice(GraphBuilder& b, int id, const std::string& device) {
  if (b.nodeAt(id).device == device) return {};
  return b.graph().change(id, [&](Node& n) { n.device = device; });
}

Status place(GraphBuilder& b, const std::vector<int>& nodes) {
  const auto& around = b.extension<Surroundings>();
  std::vector<std::pair<int, std::vector<std::string>>> colocated;
  for (int id : nodes) {
    const std::string own = b.nodeAt(id).device;
    auto with = colocatedWith(b.nodeAt(id));
    const auto innermost = own.empty() || !with.empty() ? GraphBuilder::Guard() : b.device(own);
    Node copy = b.nodeAt(id);  // a copy, because device functions of the program may change the graph
    copy.device.clear();
    if (with.empty()) around.devices(copy);
    WEFT_TRY(setDevice(b, id, copy.device));
    if (!with.empty()) colocated.emplace_back(id, std::move(with));
  }
  for (const auto& [id, names] : colocated) {
    for (const std::string& name : names) {
      const Node* other = b.graph().find(name);
      if (!other) return invalidArgument("Specified colocation to an op that does not exist during import: ", name, " in ", b.nodeAt(id).name).ofKind("build");
      const std::string device = other->device;
      if (device.empty()) continue;
      WEFT_TRY(setDevice(b, id, device));
      break;
    }
  }
  return {};
}

}  // namespace

Status adoptNodes(GraphBuilder& b, const std::vector<int>& nodes) {
  const auto& around = b.extension<Surroundings>();
  const auto& overrides = b.extension<GradientOverrides>().byOp;
  const auto context = b.controlFlowContext();
  Node probe;
  around.attrs(probe);
  around.colocations(probe);
  const bool anyAttrs = !probe.attrs.empty();
  for (int id : nodes) {
    const auto override = overrides.find(b.nodeAt(id).op);
    if (anyAttrs || override != overrides.end()) {
      WEFT_TRY(b.graph().change(id, [&](Node& n) {
        around.attrs(n);
        if (override != overrides.end()) n.attrs.set("_gradient_op_type", override->second);
        around.colocations(n);
      }));
    }
    b.markSeenByControls(id);
    if (context) b.setContextOf(id, context);
  }
  for (int id : nodes) {
    if (const auto controls = b.pendingControls({}); !controls.empty()) b.addControlInputs(id, controls);
    if (context) context->addedNode(b, id);
    WEFT_TRY(takeError(b));
  }
  return place(b, nodes);
}

}  // namespace weft
