#pragma once

#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/property_list.h"

namespace weft::app {

/// What the ops of a graph cost in one step, as far as their shapes tell before anything runs. A first size that is open in what is fed counts as
/// the batch; what only gives variables their first values is no part of a step. The body of a loop counts once. Immutable.
class StepCosts {
 public:
  /// Any thread. Infers the shapes of everything that hangs on the batch anew.
  StepCosts(const GraphContents& contents, int batch);

  int batch() const { return batch_; }
  /// Whether something is fed whose first size is open: else all batches cost the same.
  bool dependsOnBatch() const { return dependsOnBatch_; }
  /// Of a node, or of everything in a scope; `any` is false for names that the graph does not have.
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
