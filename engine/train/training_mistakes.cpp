#include "weft/training_mistakes.h"
#include "weft/op_traits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace weft {
namespace {

/// The op of an optimizer: ApplyAdam, ResourceSparseApplyMomentum, …
bool appliesGradient(const Node& n) { return roleOf(n) == OpRole::ApplyGradient; }

class Search {
 public:
  Search(const MetaGraph& meta, const std::vector<int>& runs) : meta_(meta), graph_(meta.graph), readers_(meta.graph.consumers()), knowsRuns_(!runs.empty()) {
    computed_.assign(size_t(graph_.size()), !knowsRuns_);
    std::vector<int> queue = runs;
    while (!queue.empty()) {
      const int id = queue.back();
      queue.pop_back();
      const Node* n = graph_.node(id);
      if (!n || computed_[size_t(id)]) continue;
      computed_[size_t(id)] = true;
      for (const Output o : n->inputs) queue.push_back(o.node);
      queue.insert(queue.end(), n->controls.begin(), n->controls.end());
    }
  }

  std::vector<TrainingMistake> all() {
    bool trains = false;
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || !computed_[size_t(id)]) continue;
      trains = trains || appliesGradient(*n);
      softmaxTwice(*n);
    }
    if (trains) {
      updates();
      globalStep();
    }
    return std::move(found_);
  }

 private:
  /// The node that a tensor comes from, seen through pass-through ops; null if there is none.
  const Node* origin(Output o) const {
    for (int steps = 0; steps < graph_.size(); ++steps) {
      const Node* n = graph_.node(o.node);
      if (!n || n->inputs.empty() || (roleOf(*n) != OpRole::Identity && roleOf(*n) != OpRole::Reshape && roleOf(*n) != OpRole::Cast)) return n;
      o = n->inputs[0];
    }
    return nullptr;
  }

  const Node* inputOf(const Node* n, size_t i, std::string_view op) const {
    const Node* from = n && i < n->inputs.size() ? graph_.node(n->inputs[i].node) : nullptr;
    return from && from->op == op ? from : nullptr;
  }

  /// The logits of tf.nn.sigmoid_cross_entropy_with_logits, recognized by its characteristic op log1p(exp(-|logits|)), whose absolute value is built as
  /// Select(logits >= 0, -logits, logits).
  std::optional<Output> sigmoidLogits(const Node& n) const {
    if (n.op != "Log1p") return std::nullopt;
    const Node* select = inputOf(inputOf(&n, 0, "Exp"), 0, "Select");
    const Node* negative = inputOf(select, 1, "Neg");
    if (!select || select->inputs.size() != 3 || !negative || negative->inputs.empty() || !(negative->inputs[0] == select->inputs[2])) return std::nullopt;
    return select->inputs[2];
  }

  void softmaxTwice(const Node& n) {
    std::optional<Output> logits;
    if (roleOf(n) == OpRole::SoftmaxLoss && !n.inputs.empty()) logits = n.inputs[0];
    else logits = sigmoidLogits(n);
    const Node* from = logits ? origin(*logits) : nullptr;
    if (from && (roleOf(*from) == OpRole::Softmax || roleOf(*from) == OpRole::Sigmoid)) found_.push_back({TrainingMistake::Kind::SoftmaxTwice, n.id, from->id});
  }

  void updates() {
    const auto collection = meta_.collections.find("update_ops");
    if (collection == meta_.collections.end()) return;
    std::set<int> missed;
    for (const std::string& name : collection->second.nodes) {
      const Node* n = graph_.find(name.substr(0, name.find(':')));
      if (!n) continue;
      const bool run = knowsRuns_ ? computed_[size_t(n->id)] : !readers_[size_t(n->id)].empty();
      if (run) return;  // the author runs some of them deliberately
      missed.insert(n->id);
    }
    for (const int id : missed) found_.push_back({TrainingMistake::Kind::UpdatesNotRun, id});
  }

  void globalStep() {
    const Node* step = graph_.find("global_step");
    if (const auto collection = meta_.collections.find("global_step"); collection != meta_.collections.end() && !collection->second.nodes.empty())
      step = graph_.find(collection->second.nodes[0].substr(0, collection->second.nodes[0].find(':')));
    if (!step || !isVariable(*step)) return;
    bool moves = false;
    for (int id = 0; id < graph_.size() && !moves; ++id) {
      const Node* n = computed_[size_t(id)] ? graph_.node(id) : nullptr;
      // An Assign other than the initializer's counts too: custom training loops compute the step and assign it. Restored checkpoints assign it as well.
      moves = n && changedVariable(graph_, *n) == step && n->name != step->name + "/Assign" && !n->name.starts_with("save");
    }
    if (!moves) found_.push_back({TrainingMistake::Kind::GlobalStepStays, step->id});
  }

  const MetaGraph& meta_;
  const Graph& graph_;
  const std::vector<std::vector<int>> readers_;
  const bool knowsRuns_;
  std::vector<bool> computed_;
  std::vector<TrainingMistake> found_;
};

}  // namespace

const Node* changedVariable(const Graph& graph, const Node& op) {
  if (!changesVariable(roleOf(op)) || op.inputs.empty()) return nullptr;
  const Node* n = graph.node(op.inputs[0].node);
  for (int steps = 0; n && steps < graph.size(); ++steps) {
    if (isVariable(*n)) return n;
    const OpRole r = roleOf(*n);
    const bool passes = passesHandles(*n) || r == OpRole::Switch || r == OpRole::Enter || r == OpRole::Identity || r == OpRole::RefIdentity;
    if (!passes || n->inputs.empty()) return nullptr;
    n = graph.node(n->inputs[0].node);
  }
  return nullptr;
}

std::vector<TrainingMistake> findTrainingMistakes(const MetaGraph& meta, const std::vector<int>& runs) { return Search(meta, runs).all(); }

}  // namespace weft
