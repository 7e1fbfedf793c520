#pragma once

#include <string>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/graph.h"
#include "weft/statistics.h"

namespace weft {

/// What a name in a checkpoint stands for, by TensorFlow's habits of naming.
enum class VariableRole {
  Weight,         ///< anything else: weights, biases, what the user named
  Slot,           ///< of an optimizer: NAME/Momentum, NAME/Adam, NAME/.OPTIMIZER_SLOT/…, beta1_power
  MovingAverage,  ///< of batch normalisation, or NAME/ExponentialMovingAverage
  Step,           ///< global_step, save_counter
  ObjectGraph,    ///< the description that TensorFlow 2 keeps beside its variables
};
/// Short English word: "weight", "optimizer slot", "moving average", "step", "object graph".
WEFT_API std::string_view roleName(VariableRole role);
/// `checkpoint` says whether NAME of a NAME/suffix exists.
WEFT_API VariableRole roleOf(std::string_view name, const CheckpointReader& checkpoint);

/// One tensor of two checkpoints.
struct VariableDifference {
  enum class Kind { Same, Changed, OnlyInFirst, OnlyInSecond, ShapeDiffers, TypeDiffers, Unreadable };
  std::string name;
  Kind kind = Kind::Same;
  DType dtypeA = DType::Invalid, dtypeB = DType::Invalid;
  Shape shapeA, shapeB;         ///< Of the side that has it.
  TensorDifference difference;  ///< For Same and Changed.
  std::string error;            ///< For Unreadable: one line.
};
/// "same", "changed", "only in A", "only in B", "shape differs", "type differs", "unreadable".
WEFT_API std::string_view kindName(VariableDifference::Kind kind);

struct CheckpointDifference {
  std::vector<VariableDifference> variables;  ///< By name.
  WEFT_API int64_t count(VariableDifference::Kind kind) const;
  bool isSame() const { return count(VariableDifference::Kind::Same) == int64_t(variables.size()); }
};
/// Compares names, dtypes, shapes and values. A tensor that cannot be read does not stop the rest. CANCELLED if `progress` says so.
WEFT_API Result<CheckpointDifference> compareCheckpoints(const CheckpointReader& a, const CheckpointReader& b, const Progress& progress = {});

/// A variable of a graph beside a checkpoint, as a restore would find it.
struct VariableMatch {
  enum class Kind {
    Fits,
    Missing,       ///< The checkpoint has no such key: restoring fails.
    ShapeDiffers,  ///< Restoring fails.
    TypeDiffers,   ///< Restoring fails.
    NotRestored,   ///< The graph's saver leaves it out.
    Unused,        ///< A key of the checkpoint that nothing in the graph asks for.
  };
  Kind kind = Kind::Fits;
  std::string variable;  ///< Node; empty for Unused.
  std::string key;       ///< What the saver asks for; without a saver the variable's name.
  DType dtype = DType::Invalid, dtypeStored = DType::Invalid;
  Shape shape, shapeStored;
  std::vector<std::string> nearest;  ///< For Missing: keys of the checkpoint that it might be, best first, at most three.
};
/// "fits", "missing", "shape differs", "type differs", "not restored", "unused".
WEFT_API std::string_view kindName(VariableMatch::Kind kind);

struct GraphMatch {
  bool hasSaver = false;                 ///< Keys are those of the graph's restore ops.
  std::vector<VariableMatch> variables;  ///< In the graph's order, then what is unused, by name.
  WEFT_API int64_t count(VariableMatch::Kind kind) const;
  /// Whether every variable that is to be restored can be.
  WEFT_API bool canRestore() const;
};
/// What restoring `checkpoint` into `graph` would do. Nothing is read but names, dtypes and shapes.
WEFT_API GraphMatch matchCheckpoint(const Graph& graph, const CheckpointReader& checkpoint);

/// Names of the variables that the graph's restore ops bring back; empty if it has none.
WEFT_API std::vector<std::string> restoredVariables(const Graph& graph);

}  // namespace weft
