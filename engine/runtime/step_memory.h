#pragma once

#include <string>
#include <vector>

#include "runtime/memory_plan.h"
#include "runtime/plan_graph.h"

namespace weft {

/// What a plan's nodes need of memory, by their shapes and by what is known of their kernels: which outputs share an input's memory and which may take it over.
/// Nodes are numbered by their place in PlanGraph::order(); those that run nothing (feeds, constants) are left out. Outputs of all nodes are numbered through.
struct StepModel {
  enum class Shares : uint8_t { None, View, Perhaps };  ///< Perhaps: an input's memory or its own; both are counted.
  struct Node {
    int plan = 0;  ///< In PlanGraph::nodes.
    int firstInput = 0, inputCount = 0;
    int firstOutput = 0, outputCount = 0;
    double ns = 0;  ///< Rough time.
    Shares shares = Shares::None;
    int takes[2] = {-1, -1};               ///< Inputs whose memory the first output may take over after their last use.
    bool repeatable = false;               ///< Running it twice changes nothing, and its kernel keeps nothing.
    bool cheap = false;                    ///< Takes time for its memory only, not for arithmetic.
    int firstSource = 0, sourceCount = 0;  ///< Into `sources`.
  };
  struct Value {
    int node = 0;
    size_t bytes = 0;
    bool fetched = false;
  };
  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<int> inputs;               ///< Values; -1: a feed, a constant, or no tensor.
  std::vector<int> sources;              ///< Reference variables whose memory a node may read, as numbers.
  std::vector<std::vector<int>> writes;  ///< By such a variable: nodes that may write it, ascending. The last entry: nodes that may write any.
  size_t constantBytes = 0;
  int unknown = 0;  ///< Nodes with outputs of unknown size.

  /// REQUIRES: no control flow.
  static StepModel of(const PlanGraph& plan);
  /// Whether between the two nodes something may write memory that `node` reads.
  bool isWrittenBetween(int node, int from, int to) const;
};

/// Calls of a plan in order, some of nodes that have run before.
struct StepSequence {
  struct Call {
    int node = 0;
    bool again = false;
    int firstInput = 0, firstOutput = 0;
  };
  std::vector<Call> calls;
  std::vector<int> inputs;   ///< Instances of values; -1 as in StepModel.
  std::vector<int> valueOf;  ///< By instance.
  int again = 0;
  double againNs = 0;
};

/// The memory that a sequence needs.
struct StepPeak {
  size_t bytes = 0;  ///< Of tensors that exist at one time.
  int at = 0;        ///< Call.
};
/// `blocks`, if given, gets the blocks that can lie in an arena, each with its value in `valueOfBlock`; `outside` the bytes of fetched ones.
StepPeak peakOf(const StepModel& model, const StepSequence& sequence, std::vector<MemoryBlock>* blocks = nullptr, std::vector<int>* valueOfBlock = nullptr,
                size_t* outside = nullptr);

/// The calls of the plan if readers behind node `boundary` of nodes in `repeat` read copies, each computed before the first of them. Inputs of copies that are in
/// `repeat` are copies too.
StepSequence sequenceOf(const StepModel& model, int boundary, const std::vector<uint8_t>& repeat);

}  // namespace weft
