#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// What one step of some ops costs. Sums that no longer fit an int64_t are its maximum.
struct StepCost {
  double flops = 0;
  int64_t outputBytes = 0;  ///< Of all outputs whose shape is known.
  int unknown = 0;          ///< Ops of unknown cost.
  bool any = false;         ///< False: nothing is known, or there is no such op.
};

/// Costs of a graph's ops in one step, from shapes known before anything runs. Open first dims of inputs count as the batch; ops that only initialize variables
/// are left out. The body of a loop counts once. Immutable, so any thread may read it.
class WEFT_API StepCosts {
 public:
  /// Infers again every shape that depends on the batch size, which takes about as long as reading the graph. Problems of single nodes make their costs
  /// unknown; there are no errors. `batch` below 1 counts as 1.
  StepCosts(std::shared_ptr<const Graph> graph, int batch);
  /// Every op of unknown cost.
  static StepCosts unknown(std::shared_ptr<const Graph> graph, int batch);

  int batch() const { return batch_; }
  /// Whether an input has an open first dim; if not, all batch sizes cost the same.
  bool dependsOnBatch() const { return dependsOnBatch_; }
  StepCost ofNode(std::string_view name) const;
  StepCost ofNode(int id) const;
  /// Of everything in a scope, named without its slash.
  StepCost ofScope(std::string_view scope) const;
  const StepCost& total() const { return total_; }

 private:
  struct Op {
    double flops = 0;
    int64_t outputBytes = 0;
    bool known = true, outputKnown = false, initializes = false;
  };
  StepCosts() = default;
  void count();
  static void add(StepCost& sum, const Op& op);

  std::shared_ptr<const Graph> graph_;
  int batch_ = 1;
  bool dependsOnBatch_ = false;
  std::vector<Op> ops_;  // by the node's id
  StepCost total_;
};

}  // namespace weft
