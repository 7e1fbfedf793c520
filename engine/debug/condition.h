#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/tensor_statistics.h"

namespace weft {

/// A quantity in a condition: of the tensor to which the condition is attached, of a named tensor, or of the run.
enum class Quantity : uint8_t {
  NanCount,
  InfCount,
  Zeros,
  Negatives,
  Min,
  Max,
  AbsMax,
  Mean,
  Std,
  Sum,
  Norm,
  Elements,
  Rank,
  Bytes,
  Value,
  Iteration,
  Step,
  Hits,
  ShapeChanged
};

/// Provides values for conditions that are evaluated at an op.
class ConditionScope {
 public:
  virtual ~ConditionScope() = default;
  /// The value of a quantity. `tensor` empty: the tensor to which the condition is attached. nullopt: not available (yet).
  virtual std::optional<double> value(Quantity quantity, const std::string& tensor) = 0;
};

/// A condition of a breakpoint:
///
///     condition  := part { ("and" | "or" | "&&" | "||") part }          and binds closer than or
///     part       := ["not" | "!"] ( "(" condition ")" | "has" ("nan" | "inf" | "non-finite") [of] | "shape" "changed" | quantity comparison number )
///     quantity   := "min" | "max" | "abs" "max" | "mean" | "std" | "sum" | "norm" | "zeros" | "negatives" | "nans" | "infs" | "elements" | "rank" |
///                   "bytes" | "value", each [of]; "iteration" | "step" | "hits"; or the name of a tensor, which stands for its (first) value
///     of         := "(" tensor ")"
///     comparison := "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
class WEFT_API Condition {
 public:
  /// An empty text is always true. INVALID_ARGUMENT gives the position (from 1) and what was expected there.
  static Result<Condition> parse(const std::string& text);

  /// Evaluates the condition; a comparison with an unavailable value is false.
  bool holds(ConditionScope& scope) const;
  /// False if it cannot hold in training step `step`, whatever the values are.
  bool possibleInStep(int64_t step) const;
  /// Whether it depends on values of tensors, and so can only be evaluated after the op was computed.
  bool needsValues() const;
  bool isEmpty() const { return !root_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
};

/// The quantity named by words like "abs max" or "mean"; nullopt if there is none.
std::optional<Quantity> quantityNamed(const std::string& words);
/// The quantity from a tensor's statistics; nullopt if it is not a property of a single tensor.
std::optional<double> quantityOf(Quantity quantity, const Tensor& tensor, const TensorStatistics& statistics);

}  // namespace weft
