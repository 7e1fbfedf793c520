#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/debug.h"
#include "weft/tensor_statistics.h"

namespace weft {

/// One execution of an op in a run.
struct OpRecordOfRun {
  int node = -1;
  int64_t index = -1;  ///< Index in the run; -1: fed.
  std::vector<LoopPlace> loops;
  std::vector<Tensor> outputs;       ///< Without value: dead, a reference, or no longer kept.
  std::vector<NonFinite> nonFinite;  ///< One per output; known even if the value was not kept.
  bool forgotten = false;            ///< The values were dropped to stay within the limit.
  int64_t bytes = 0;
};
using KeptOp = std::shared_ptr<const OpRecordOfRun>;

/// The outputs of a run's ops, up to a memory limit; the oldest are dropped first. Not synchronized, but returned values never change.
class ValueStore {
 public:
  explicit ValueStore(int64_t limitBytes) : limit_(limitBytes) {}
  void clear();
  void add(OpRecordOfRun op);
  /// Replaces output `k` of the node's last execution by `value`.
  void replace(int node, int k, const Tensor& value);
  /// Copies values that a later update of a variable would change: reads of variables, and views of such reads.
  Status protect(const Graph& graph, const Node& node, std::vector<Tensor>& outputs);

  /// The node's last execution with an index below `before`, or null.
  KeptOp latest(int node, int64_t before = INT64_MAX) const;
  /// The node's execution in exactly these loops, or null.
  KeptOp at(int node, const std::vector<LoopPlace>& loops) const;
  /// All executions of the node, oldest first.
  std::vector<KeptOp> all(int node) const;
  /// In the order of the run.
  const std::vector<KeptOp>& ops() const { return ops_; }
  int64_t bytes() const { return bytes_; }
  int64_t limit() const { return limit_; }

 private:
  int64_t limit_;
  int64_t bytes_ = 0;
  size_t oldest_ = 0;  ///< First op that may still have its values.
  std::vector<KeptOp> ops_;
  std::unordered_map<int, std::vector<size_t>> byNode_;  ///< Positions in ops_.
  std::unordered_set<const Buffer*> ofVariables_;
};

}  // namespace weft
