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

/// Ops that only inspect an object, or pass it on.
bool onlyReads(std::string_view op) {
  static constexpr std::array<std::string_view, 20> kNames = {"ReadVariableOp",
                                                              "VarIsInitializedOp",
                                                              "IsVariableInitialized",
                                                              "VariableShape",
                                                              "ResourceGather",
                                                              "ResourceGatherNd",
                                                              "RefIdentity",
                                                              "RefSwitch",
                                                              "RefMerge",
                                                              "RefSelect",
                                                              "RefEnter",
                                                              "RefExit",
                                                              "RefNextIteration",
                                                              "Identity",
                                                              "IteratorToStringHandle",
                                                              "IteratorGetDevice",
                                                              "SerializeIterator",
                                                              "Switch",
                                                              "Merge",
                                                              "IdentityN"};
  static constexpr std::array<std::string_view, 10> kParts = {"Size",           "IsClosed",  "TableFind",     "TableExport", "ReaderNum", "ReaderSerialize",
                                                              "AccumulatorNum", "ReadySize", "SummaryWriter", "Stack"};
  return std::find(kNames.begin(), kNames.end(), op) != kNames.end() ||
         std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return has(op, part); }) || op.starts_with("TensorArray") ||
         op.starts_with("TensorList");
}

QString named(const Node& maker) {
  const QString name = text(maker.name);
  if (has(maker.op, "Queue")) return StateWords::tr("elements of %1").arg(name);
  if (has(maker.op, "Reader") || has(maker.op, "Iterator")) return StateWords::tr("position of %1").arg(name);
  if (has(maker.op, "Table")) return StateWords::tr("entries of %1").arg(name);
  if (has(maker.op, "Barrier") || has(maker.op, "Accumulator")) return StateWords::tr("contents of %1").arg(name);
  return name;
}

}  // namespace

const Node* objectMaker(const Graph& graph, Output o) {
  const Node* node = graph.node(o.node);
  for (int hop = 0; node && hop < kMostHops; ++hop) {
    const bool passes = node->op == "Identity" || node->op == "Enter" || node->op == "Switch" || node->op == "Merge" || node->op == "NextIteration" ||
                        node->op == "Exit" || node->op.starts_with("Ref");
    if (!passes || node->inputs.empty()) break;
    node = graph.node(node->inputs[0].node);
  }
  return node;
}

QString changedState(const Graph& graph, const Node& node) {
  if (!node.record) return {};
  const bool handles = std::any_of(node.inputTypes.begin(), node.inputTypes.end(), [](DType t) { return isRef(t) || t == DType::Resource; });
  if ((!handles && !node.record->isStateful) || onlyReads(node.op)) return {};
  QStringList names;
  int more = 0;
  for (size_t i = 0; i < node.inputs.size() && i < node.inputTypes.size(); ++i) {
    if (!isRef(node.inputTypes[i]) && node.inputTypes[i] != DType::Resource) continue;
    const Node* maker = objectMaker(graph, node.inputs[i]);
    if (!maker || has(maker->op, "Stack") || maker->op.starts_with("TensorArray")) continue;
    const QString name = named(*maker);
    if (names.contains(name)) continue;
    if (names.size() < kMostNames) names << name;
    else ++more;
  }
  if (more > 0) names << StateWords::tr("%1 more").arg(more);
  if (!names.isEmpty()) return names.join(QStringLiteral(", "));
  if (!node.record->isStateful) return {};
  if (has(node.op, "Random") || node.op == "Multinomial" || node.op == "TruncatedNormal" || node.op.ends_with("CandidateSampler"))
    return StateWords::tr("its random stream");
  if (node.op.starts_with("Save") || node.op == "WriteFile" || node.op == "MergeV2Checkpoints") return StateWords::tr("files");
  if (has(node.op, "tage") && !has(node.op, "Peek")) return StateWords::tr("the contents of its staging area");
  return {};
}

}  // namespace weft::app
