#pragma once

#include <map>
#include <string>

#include "debug/value_store.h"
#include "weft/debug.h"

namespace weft::provenance {

/// All values of one step. A StepController that never stops.
class RecordedRun final : public StepController {
 public:
  explicit RecordedRun(int64_t keepBytes) : store_(keepBytes) {}

  /// The last execution of a node with an index below `before`; null: none.
  KeptOp latest(int node, int64_t before) const { return store_.latest(node, before); }
  const std::vector<KeptOp>& ops() const { return store_.ops(); }
  /// The last op that changed a variable, or null; and the value that it left.
  KeptOp changeOf(const std::string& variable) const;
  const std::map<std::string, Tensor>& changed() const { return changed_; }

  void runBegins(const Graph& graph, std::span<const int> nodes) override;
  void fed(Output tensor, const Tensor& value) override;
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint& point, const Status& status) override;
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}

 private:
  Status record(StepPoint& point);

  ValueStore store_;
  Graph graph_;
  std::map<std::string, Tensor> changed_;
  std::map<std::string, int64_t> changedAt_;  // index of the op
  std::map<std::string, int> changedBy_;      // node
};

/// The variable that a tensor refers to or is the handle of; null: none.
const Node* variableBehind(const Graph& graph, Output tensor);
/// Its name in Session::variables().
std::string variableName(const Node& variable);

}  // namespace weft::provenance
