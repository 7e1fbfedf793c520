#pragma once

#include "api/variables.h"
#include "weft/api.h"

// Conversion of arguments to tensors, with the same names as ops.convert_to_tensor and op_def_library of TensorFlow 1.15.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api {

/// An error whose Python class is TypeError (others are ValueError).
template <typename... Parts>
Error typeError(const Parts&... parts) {
  Error e = invalidArgument(parts...);
  e.ofKind("TypeError");
  return e;
}

/// A literal of Python numbers or strings whose type is not fixed yet.
Literal literal(Tensor value);
/// `Tensor("x:0", shape=(2, 3), dtype=float32)`
std::string tensorText(GraphBuilder& b, Output o);
/// Whether it is or contains a tensor or variable.
bool holdsTensor(const Argument& a);
bool isNone(const Argument& a);
/// The value of a non-tensor argument as an array: numbers, strings, literals and lists of them, static shapes. INVALID_ARGUMENT otherwise.
Result<Literal> asLiteral(const Argument& a);
/// A literal as an array: of `type` if given, else of TensorFlow's default type.
Result<Tensor> literalValue(const Literal& literal, DType type = DType::Invalid);
/// The argument's value if known statically: a literal's, or that of a constant tensor.
std::optional<Tensor> knownValue(GraphBuilder& b, const Argument& a);

/// ops.convert_to_tensor(value, dtype, name, preferred_dtype): a Const named `name`, a variable's value, lists with tensors in them packed.
Output toTensor(GraphBuilder& b, const Argument& a, std::string_view name, DType type = DType::Invalid, DType preferred = DType::Invalid);
/// ops.convert_n_to_tensor: each named `name`_i.
std::vector<Output> toTensors(GraphBuilder& b, const Argument& list, std::string_view name, DType type = DType::Invalid, DType preferred = DType::Invalid);
/// The items of a list argument; any other argument counts as one item.
ArgumentList items(const Argument& a);
/// The type that the argument has or would get; Invalid if unknown.
DType typeOf(GraphBuilder& b, const Argument& a);

/// op_def_library.apply_op: an op whose inputs may still need conversion. Types are inferred in the order of the op's inputs.
int emitNode(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs = {}, std::string_view name = {});
Output emit(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs = {}, std::string_view name = {});
std::vector<Output> emitAll(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs = {}, std::string_view name = {});

/// Python's operators: `x - 1` is the node "sub" with the Const "sub/y" of x's type.
Output binary(GraphBuilder& b, std::string_view scope, std::string_view op, const Argument& x, const Argument& y);

}  // namespace weft::api
#pragma GCC visibility pop
