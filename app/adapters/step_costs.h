#pragma once

#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/property_list.h"

namespace weft::app {

/// Costs of a graph's ops in one step, from shapes known before anything runs. Open first dims of inputs count as the batch; nodes that only initialize
/// variables are left out. The body of a loop counts once. Immutable.
class StepCosts {
 public:
  /// Can be called on any thread. Infers again every shape that depends on the batch size.
  StepCosts(const GraphContents& contents, int batch);

  int batch() const { return batch_; }
  /// Whether an input has an open first dim; if not, all batch sizes cost the same.
  bool dependsOnBatch() const { return dependsOnBatch_; }
  /// Costs of a node, or of everything in a scope; `any` is false for unknown names.
  CostDetails of(const QString& name, bool isScope) const;
  const CostDetails& total() const { return total_; }

 private:
  struct Op {
    double flops = 0;
    qint64 outputBytes = 0;
    bool known = true, outputKnown = false, initializes = false;
  };
  void count();
  static void add(CostDetails& sum, const Op& op);

  std::shared_ptr<const EngineGraph> graph_;
  int batch_;
  bool dependsOnBatch_ = false;
  std::vector<Op> ops_;  ///< By the node's id.
  CostDetails total_;
};
using StepCostsPtr = std::shared_ptr<const StepCosts>;

}  // namespace weft::app
