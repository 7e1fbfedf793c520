#include "adapters/state_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <string_view>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "weft/op.h"

namespace weft::app {
namespace {

struct StateWords {
  Q_DECLARE_TR_FUNCTIONS(StateWords)
};

constexpr int kMostNames = 4;
constexpr int kMostHops = 64;

/// What the user sees change if the node runs: not objects that end with the step, and not what is only looked at, made or passed on.
bool changes(const Node& node) { return any(effectsOf(node) & ~(Effect::Reads | Effect::Makes | Effect::Step | Effect::Output)); }

QString named(const Node& maker) {
  const QString name = text(maker.name);
  switch (roleOf(maker)) {
    case OpRole::Queue:
    case OpRole::ShuffleQueue: return StateWords::tr("elements of %1").arg(name);
    case OpRole::Reader:
    case OpRole::Iterator:
    case OpRole::OneShotIterator:
    case OpRole::IteratorByName: return StateWords::tr("position of %1").arg(name);
    case OpRole::Table: return StateWords::tr("entries of %1").arg(name);
    case OpRole::Barrier:
    case OpRole::Accumulator: return StateWords::tr("contents of %1").arg(name);
    default: return name;
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

QString changedState(const Graph& graph, const Node& node) {
  if (!node.record) return {};
  const bool handles = std::any_of(node.inputTypes.begin(), node.inputTypes.end(), [](DType t) { return isRef(t) || t == DType::Resource; });
  if ((!handles && !node.record->isStateful) || !changes(node)) return {};
  QStringList names;
  int more = 0;
  for (size_t i = 0; i < node.inputs.size() && i < node.inputTypes.size(); ++i) {
    if (!isRef(node.inputTypes[i]) && node.inputTypes[i] != DType::Resource) continue;
    const Node* maker = objectMaker(graph, node.inputs[i]);
    if (!maker || roleOf(*maker) == OpRole::StackMaker || roleOf(*maker) == OpRole::TensorArray) continue;
    const QString name = named(*maker);
    if (names.contains(name)) continue;
    if (names.size() < kMostNames) names << name;
    else ++more;
  }
  if (more > 0) names << StateWords::tr("%1 more").arg(more);
  if (!names.isEmpty()) return names.join(QStringLiteral(", "));
  if (!node.record->isStateful) return {};
  if (any(effectsOf(node) & Effect::Random)) return StateWords::tr("its random stream");
  if (any(effectsOf(node) & Effect::File) && roleOf(node) != OpRole::Restore && roleOf(node) != OpRole::Dataset) return StateWords::tr("files");
  if (any(effectsOf(node) & Effect::Queue)) return StateWords::tr("the contents of its staging area");
  return {};
}

}  // namespace weft::app
