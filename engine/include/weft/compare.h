#pragma once

#include <string>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/graph.h"
#include "weft/statistics.h"

namespace weft {

/// Kind of a checkpoint entry, by TensorFlow's naming conventions.
enum class VariableRole {
  Weight,         ///< anything else: weights, biases, variables that the user named
  Slot,           ///< of an optimizer: NAME/Momentum, NAME/Adam, NAME/.OPTIMIZER_SLOT/…, beta1_power
  MovingAverage,  ///< of batch normalisation, or NAME/ExponentialMovingAverage
  Step,           ///< global_step, save_counter
  ObjectGraph,    ///< the description that TensorFlow 2 keeps beside its variables
};
/// A short English name: "weight", "optimizer slot", "moving average", "step", "object graph".
WEFT_API std::string_view roleName(VariableRole role);
/// `checkpoint` tells whether the NAME of a NAME/suffix exists.
WEFT_API VariableRole roleOf(std::string_view name, const CheckpointReader& checkpoint);

/// One tensor, compared between two checkpoints.
struct VariableDifference {
  enum class Kind { Same, Changed, OnlyInFirst, OnlyInSecond, ShapeDiffers, TypeDiffers, Unreadable };
  std::string name;
  Kind kind = Kind::Same;
  DType dtypeA = DType::Invalid, dtypeB = DType::Invalid;
  Shape shapeA, shapeB;         ///< On the sides that have it.
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
/// Compares names, dtypes, shapes and values. A tensor that cannot be read does not stop the comparison. CANCELLED if `progress` returns false.
WEFT_API Result<CheckpointDifference> compareCheckpoints(const CheckpointReader& a, const CheckpointReader& b, const Progress& progress = {});

/// How restoring a checkpoint would treat a variable of a graph.
struct VariableMatch {
  enum class Kind {
    Fits,
    Missing,       ///< The checkpoint has no such key: restoring fails.
    ShapeDiffers,  ///< Restoring fails.
    TypeDiffers,   ///< Restoring fails.
    NotRestored,   ///< The graph's saver omits it.
    Unused,        ///< A key of the checkpoint that nothing in the graph restores.
  };
  Kind kind = Kind::Fits;
  std::string variable;  ///< Node; empty for Unused.
  std::string key;       ///< The key that the saver reads; without a saver, the variable's name.
  std::string storedAs;  ///< The key in an object-based checkpoint, which is searched by full names if it lacks some `key`; else empty.
  DType dtype = DType::Invalid, dtypeStored = DType::Invalid;
  Shape shape, shapeStored;
  std::vector<std::string> nearest;  ///< For Missing: up to three similar keys of the checkpoint, best first.
};
/// "fits", "missing", "shape differs", "type differs", "not restored", "unused".
WEFT_API std::string_view kindName(VariableMatch::Kind kind);

struct GraphMatch {
  bool hasSaver = false;                 ///< Keys come from the graph's restore ops.
  std::vector<VariableMatch> variables;  ///< In the graph's order, then unused keys by name.
  WEFT_API int64_t count(VariableMatch::Kind kind) const;
  /// Whether every variable to be restored can be restored.
  WEFT_API bool canRestore() const;
};
/// What restoring `checkpoint` into `graph` would do. Reads only names, dtypes and shapes, and the description of objects if there is one.
WEFT_API GraphMatch matchCheckpoint(const Graph& graph, const CheckpointReader& checkpoint);

/// A key of a checkpoint that is probably the value of a variable under another name.
struct RenameProposal {
  enum class Rule {
    Scope,    ///< details: beginning of the stored names, of the graph's, number of variables
    Shape,    ///< details: dtype and shape
    Order,    ///< details: position, number of variables, dtype and shape
    Follows,  ///< details: the variable of the slot
    Alike,
  };
  std::string key;        ///< The key that the graph asks for.
  std::string stored;     ///< The unused key with the same dtype and shape.
  double confidence = 0;  ///< 0…1, from the rule that found it: a guide, not a probability.
  std::string reason;     ///< One English line.
  Rule rule = Rule::Alike;
  std::vector<std::string> details;  ///< What the reason mentions, for reasons in other languages.
};
/// Finds values for missing keys by renamed scopes, unique shapes, order of equal shapes (where graph and names have the same order, and no name speaks against
/// it), and similar names, in this order of trust; slots of optimizers follow their variable. Each key occurs once. In the order of `match`.
/// `limits`: receives a line for each search that was cut short, because too many names would have had to be compared.
WEFT_API std::vector<RenameProposal> proposeRenames(const GraphMatch& match, std::vector<std::string>* limits = nullptr);

/// Names of the variables that the graph's restore ops restore; empty if it has none.
WEFT_API std::vector<std::string> restoredVariables(const Graph& graph);

}  // namespace weft
