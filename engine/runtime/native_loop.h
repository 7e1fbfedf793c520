#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// A while loop of the first version (Enter, Merge, Switch, NextIteration, Exit) as one node of a plan: what it computes, taken
/// apart.
///
/// Values live in registers. The first ones are the node's inputs: the loop variables' first values, then what Enter brings in as
/// constant. Behind them come the results of the parts. A round runs the condition; if it holds, the body (before the first one:
/// what is hoisted out of it), and then gives every variable its next value. Immutable once made; shared by all plans that contain
/// the loop.
struct NativeLoop {
  /// A plan of its own, fed from registers and fetched into registers.
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
  std::vector<Shape> shapes;  ///< Of the inputs in every round, as far as the graph tells.
  std::vector<DType> types;   ///< Of the inputs.
  Part condition, hoisted, body;
  int predicate = -1;     ///< Register.
  std::vector<int> next;  ///< Per variable: the register of its next value; its own if it never changes.
  /// What is added to a variable once, after the last round (runtime/loop_products.h).
  struct Product {
    int variable;
    int left, right;  ///< Registers of the operands of every round; a sum over rows has no left one (-1).
    PlanNode node;    ///< The op that it stands for.
  };
  std::vector<Product> products;
  std::vector<int> exits;  ///< Per output of the node: the variable whose last value it is.
};

/// A loop made ready for some shapes.
struct CompiledLoop {
  std::shared_ptr<Kernel> kernel;
  std::vector<Shape> shapes;  ///< Of the node's outputs.
  std::string summary;        ///< For people: what was made of it.
};

/// Plans the parts of the loop that `plan`'s node stands for from what is known of its inputs; sets kernel and shapes. Shapes of variables that
/// change from round to round are found by trying: what differs between two rounds is unknown.
Status compileLoopNode(PlanGraph& plan, int node, PassContext& context);

}  // namespace weft
