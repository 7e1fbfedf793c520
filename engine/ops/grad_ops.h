#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "weft/builder.h"

// Helpers for gradient functions: the functions and operators of tf.* as TensorFlow 1.15's Python builds them, with the same nodes and names (operators name a
// node like their scope: `x * y` is "mul", tf.multiply(x, y) is "Mul").
namespace weft::py {

/// A tensor, or a number or list that becomes a Const named after its argument.
struct Operand {
  Operand(Output o) : value(o) {}
  Operand(int v) : value(double(v)) {}
  Operand(double v) : value(v) {}
  Operand(std::vector<int64_t> v) : value(std::move(v)) {}
  const Output* tensor() const { return std::get_if<Output>(&value); }
  std::variant<Output, double, std::vector<int64_t>> value;
};

/// Enters a name scope whose name then becomes that of a node.
class Scope {
 public:
  Scope(GraphBuilder& b, std::string_view name) : guard_(b.nameScope(name)), name_(b.currentScope()) {}
  const std::string& name() const { return name_; }  ///< "a/b/"
 private:
  GraphBuilder::Guard guard_;
  std::string name_;
};

/// The operand as a tensor; a number or list becomes a Const of `type` named `name`.
Output tensor(GraphBuilder& b, const Operand& x, DType type, std::string_view name);

// Operators: + - * / // % & **.
Output binary(GraphBuilder& b, std::string_view scope, std::string_view op, const Operand& x, const Operand& y);
inline Output add(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "add", "AddV2", x, y); }
inline Output sub(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "sub", "Sub", x, y); }
inline Output mul(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "mul", "Mul", x, y); }
inline Output floordiv(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "floordiv", "FloorDiv", x, y); }
inline Output mod(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "mod", "FloorMod", x, y); }
inline Output truediv(GraphBuilder& b, const Operand& x, const Operand& y) { return binary(b, "truediv", "RealDiv", x, y); }
inline Output neg(GraphBuilder& b, Output x) { return b.op("Neg", {x}); }

/// A plain binary op ("Mul", "Maximum", "Greater"): a number becomes the Const "Op/x" or "Op/y" of the other's type.
Output call(GraphBuilder& b, std::string_view op, const Operand& x, const Operand& y);

Output conj(GraphBuilder& b, Output x);                                                    ///< x itself unless complex
Output cast(GraphBuilder& b, Output x, DType type);                                        ///< x itself if it has the type
Output shape(GraphBuilder& b, Output x, DType type = DType::Int32, bool optimize = true);  ///< Const if the static shape is known
Output rank(GraphBuilder& b, Output x);
Output size(GraphBuilder& b, Output x);
Output range(GraphBuilder& b, const Operand& start, const Operand& limit, int64_t delta = 1, DType type = DType::Int32);
Output fill(GraphBuilder& b, Output dims, double value, DType type = DType::Int32);
Output zeros(GraphBuilder& b, Output shape, DType type);        ///< tf.zeros of a shape tensor
Output zeros(GraphBuilder& b, const Shape& shape, DType type);  ///< tf.zeros of a known shape: a Const if it is small
Output zerosLike(GraphBuilder& b, Output x);
Output onesLike(GraphBuilder& b, Output x, DType type = DType::Invalid);
Output reshape(GraphBuilder& b, Output x, const Operand& shape);
Output reduceSum(GraphBuilder& b, Output x, const Operand& axes, bool keepDims = false);
Output reduceProd(GraphBuilder& b, Output x);  ///< over all axes, of a vector
Output transpose(GraphBuilder& b, Output x, Output perm, bool conjugate = false);
Output gather(GraphBuilder& b, Output params, Output indices);
Output expandDims(GraphBuilder& b, Output x, int axis);
Output concat(GraphBuilder& b, const std::vector<Operand>& values, const Operand& axis, DType type = DType::Int32);
Output concatTensors(GraphBuilder& b, const std::vector<Output>& values, Output axis);  ///< tf.concat: of one tensor an Identity
Output stack(GraphBuilder& b, const std::vector<Operand>& values, std::string_view name = "stack", DType type = DType::Int32);

/// x[begin:end] along the first axis; a missing bound is masked.
Output sliceFrom(GraphBuilder& b, Output x, int64_t begin);     ///< x[begin:]
Output sliceTo(GraphBuilder& b, Output x, const Operand& end);  ///< x[:end]
Output sliceFrom(GraphBuilder& b, Output x, Output begin);      ///< x[begin:]
Output at(GraphBuilder& b, Output x, int64_t index);            ///< x[index]
Output at(GraphBuilder& b, Output x, Output index);

/// The axes over which a gradient is summed to fit the shapes of two broadcast operands.
struct BroadcastAxes {
  struct Side {
    Operand shape, axes;
    bool mustReduce;
  } x, y;
};
/// Shape, Shape_1, BroadcastGradientArgs; with known static shapes, as constants computed once per graph.
BroadcastAxes broadcastAxes(GraphBuilder& b, Output x, Output y, Output grad);
/// The same, always computed by ops.
BroadcastAxes dynamicBroadcastAxes(GraphBuilder& b, Output x, Output y);
/// reshape(reduce_sum(grad, axes), shape)
Output reduced(GraphBuilder& b, Output grad, const BroadcastAxes::Side& side);

/// The shape of a reduction's result with its axes kept as 1 (math_ops.reduced_shape).
Output reducedShape(GraphBuilder& b, Output inputShape, Output axes);
/// x // maximum(y, 1)
Output safeShapeDiv(GraphBuilder& b, const Operand& x, Output y);

/// While the guard lives, new nodes get a control input from the incoming gradient (for slices: from their values).
[[nodiscard]] GraphBuilder::Guard afterGrad(GradContext& c);

/// Shapes are known and all three are equal.
bool shapesKnownAndEqual(GraphBuilder& b, Output x, Output y, Output grad);

}  // namespace weft::py
