#include "weft/state_changes.h"

#include <algorithm>

#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr int kMostHops = 64;

/// What the user sees change if the node runs: not objects that end with the step, and not what is only looked at, made or passed on.
bool changesState(const Node& node) { return any(effectsOf(node) & ~(Effect::Reads | Effect::Makes | Effect::Step | Effect::Output)); }

StateChange::Part partOf(const Node& maker) {
  switch (roleOf(maker)) {
    case OpRole::Queue:
    case OpRole::ShuffleQueue: return StateChange::Part::Elements;
    case OpRole::Reader:
    case OpRole::Iterator:
    case OpRole::OneShotIterator:
    case OpRole::IteratorByName: return StateChange::Part::Position;
    case OpRole::Table: return StateChange::Part::Entries;
    case OpRole::Barrier:
    case OpRole::Accumulator: return StateChange::Part::Contents;
    default: return StateChange::Part::Value;
  }
}

}  // namespace

const Node* objectMaker(const Graph& graph, Output o) {
  const Node* node = graph.node(o.node);
  for (int hop = 0; node && hop < kMostHops; ++hop) {
    const OpRole r = roleOf(*node);
    const bool passes = r == OpRole::Identity || r == OpRole::RefIdentity || isFlow(r);
    if (!passes || node->inputs.empty()) break;
    node = graph.node(node->inputs[0].node);
  }
  return node;
}

StateChange stateChangeOf(const Graph& graph, const Node& node) {
  StateChange out;
  if (!node.record) return out;
  const auto isHandle = [](DType t) { return isRef(t) || t == DType::Resource; };
  const bool handles = std::any_of(node.inputTypes.begin(), node.inputTypes.end(), isHandle);
  if ((!handles && !node.record->isStateful) || !changesState(node)) return out;
  for (size_t i = 0; i < node.inputs.size() && i < node.inputTypes.size(); ++i) {
    const Node* maker = isHandle(node.inputTypes[i]) ? objectMaker(graph, node.inputs[i]) : nullptr;
    if (!maker || roleOf(*maker) == OpRole::StackMaker || roleOf(*maker) == OpRole::TensorArray) continue;
    const bool known = std::any_of(out.objects.begin(), out.objects.end(), [&](const StateChange::Object& o) { return o.maker == maker; });
    if (!known) out.objects.push_back({maker, partOf(*maker)});
  }
  if (!out.objects.empty() || !node.record->isStateful) return out;
  const Effect effects = effectsOf(node);
  if (any(effects & Effect::Random)) out.other = StateChange::Other::RandomStream;
  else if (any(effects & Effect::File) && roleOf(node) != OpRole::Restore && roleOf(node) != OpRole::Dataset) out.other = StateChange::Other::Files;
  else if (any(effects & Effect::Queue)) out.other = StateChange::Other::StagingArea;
  return out;
}

}  // namespace weft
