// The variables of a graph, as tables show them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft {

/// A variable of a graph (VariableV2, VarHandleOp).
struct VariableFacts {
  int node = -1;
  DType dtype = DType::Invalid;     ///< Of its values, also for handles.
  Shape shape = Shape::unknown();   ///< Of its values.
  std::optional<bool> isTrainable;  ///< nullopt: the file does not say which variables are trainable.
  /// What computes its initial value, in TensorFlow's terms: an op of random numbers ("TruncatedNormal"); "zeros", "ones" or "constant 0.1" where all elements
  /// are equal; else the op itself ("Const", "Placeholder"). Empty: nothing assigns to it.
  std::string initializer;
};

/// All variables, by id.
WEFT_API std::vector<VariableFacts> variablesOf(const MetaGraph& meta);
/// Names of the variables that training changes, without optimizer slots and counters, from the collection trainable_variables; empty: the file does not tell.
WEFT_API std::set<std::string, std::less<>> trainableVariables(const MetaGraph& meta);

}  // namespace weft
