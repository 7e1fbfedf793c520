#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// A v1 while loop (Enter, Merge, Switch, NextIteration, Exit) as one node of a plan, divided into its parts.
///
/// Values live in registers. First come the node's inputs: the initial values of the loop variables, then the loop invariants (Enter with
/// is_constant). The results of the parts follow. An iteration runs the condition and, if it holds, the body, and then sets every variable to its
/// next value. The hoisted part runs before the first body. Immutable once made; shared by all plans that contain the loop.
struct NativeLoop {
  /// A separate plan, fed from registers and fetched into registers.
  struct Part {
    PlanGraph graph;
    std::vector<int> feeds;    ///< Register of each feed.
    std::vector<int> results;  ///< Register of each fetch.
    bool isEmpty() const { return graph.fetches.empty() && graph.targets.empty(); }
  };
  std::string frame;
  int variables = 0;  ///< Registers [0, variables).
  int inputs = 0;     ///< Registers [0, inputs).
  int registers = 0;
  std::vector<Shape> shapes;  ///< Of the inputs, as far as known from the graph; valid in every iteration.
  std::vector<DType> types;   ///< Of the inputs.
  Part condition, hoisted, body;
  int predicate = -1;     ///< Register.
  std::vector<int> next;  ///< Per variable: the register of its next value; the variable's own if it never changes.
  /// A product that is added to a variable once, after the last iteration (runtime/loop_products.h).
  struct Product {
    int variable;
    int left, right;  ///< Registers of the operands of each iteration; left is -1 for a sum over rows.
    PlanNode node;    ///< The op that it replaces.
  };
  std::vector<Product> products;
  std::vector<int> exits;  ///< Per output of the node: the variable whose final value it is.
};

/// A loop compiled for particular shapes.
struct CompiledLoop {
  std::shared_ptr<Kernel> kernel;
  std::vector<Shape> shapes;  ///< Of the node's outputs.
  std::string summary;        ///< For display: how the loop was compiled.
};

/// Plans the parts of the loop at `node` from the known shapes and constants of its inputs; sets the node's kernel and shapes. Dims of variables that
/// differ between two iterations become unknown.
Status compileLoopNode(PlanGraph& plan, int node, PassContext& context);

}  // namespace weft
