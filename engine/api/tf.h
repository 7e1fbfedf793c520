#pragma once

#include "api/convert.h"

// The tf.* functions that other functions use, node for node as TensorFlow 1.15's Python builds them. Arguments may be numbers, lists, variables
// or tensors; an empty `name` means TensorFlow's default.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::tf {

using Name = std::string_view;
/// The given name, or the default.
inline Name otherwise(Name name, Name usual) { return name.empty() ? usual : name; }

Output constant(GraphBuilder& b, const Argument& value, DType type = DType::Invalid, Name name = "Const");
Output identity(GraphBuilder& b, const Argument& x, Name name = {});
Output shape(GraphBuilder& b, const Argument& x, Name name = {}, DType type = DType::Int32, bool optimize = true);
Output size(GraphBuilder& b, const Argument& x, Name name = {}, DType type = DType::Int32, bool optimize = true);
Output rank(GraphBuilder& b, const Argument& x, Name name = {}, bool optimize = true);
/// `value`: 0 or 1
Output filled(GraphBuilder& b, const Argument& shape, int value, DType type, Name name);
inline Output zeros(GraphBuilder& b, const Argument& shape, DType type = DType::Float, Name name = "zeros") { return filled(b, shape, 0, type, name); }
inline Output ones(GraphBuilder& b, const Argument& shape, DType type = DType::Float, Name name = "ones") { return filled(b, shape, 1, type, name); }
Output zerosLike(GraphBuilder& b, const Argument& x, DType type = DType::Invalid, Name name = "zeros_like", bool optimize = true);
Output onesLike(GraphBuilder& b, const Argument& x, DType type = DType::Invalid, Name name = "ones_like", bool optimize = true);
Output fill(GraphBuilder& b, const Argument& dims, const Argument& value, Name name = {});
Output reshape(GraphBuilder& b, const Argument& x, const Argument& shape, Name name = {});
Output expandDims(GraphBuilder& b, const Argument& x, const Argument& axis, Name name = {});
Output squeeze(GraphBuilder& b, const Argument& x, const std::vector<int64_t>& axes = {}, Name name = {});
Output concatenate(GraphBuilder& b, const Argument& values, const Argument& axis, Name name = "concat");
Output stack(GraphBuilder& b, const Argument& values, int64_t axis = 0, Name name = "stack");
std::vector<Output> unstack(GraphBuilder& b, const Argument& x, std::optional<int64_t> count = {}, int64_t axis = 0, Name name = "unstack");
/// Into `parts` equal parts, or parts of the sizes given.
std::vector<Output> split(GraphBuilder& b, const Argument& x, const Argument& parts, const Argument& axis, Name name = "split",
                          std::optional<int64_t> count = {});
Output transpose(GraphBuilder& b, const Argument& x, const Argument& perm = {}, Name name = "transpose", bool conjugate = false);
Output gather(GraphBuilder& b, const Argument& params, const Argument& indices, const Argument& axis = {}, Name name = {}, int64_t batchDims = 0);
Output where(GraphBuilder& b, const Argument& condition, const Argument& x = {}, const Argument& y = {}, Name name = {});
Output oneHot(GraphBuilder& b, const Argument& indices, const Argument& depth, const Argument& on = {}, const Argument& off = {}, int64_t axis = -1,
              DType type = DType::Invalid, Name name = "one_hot");
Output booleanMask(GraphBuilder& b, const Argument& tensor, const Argument& mask, Name name = "boolean_mask", std::optional<int64_t> axis = {});
Output sequenceMask(GraphBuilder& b, const Argument& lengths, const Argument& maxLength = {}, DType type = DType::Bool, Name name = "SequenceMask");
Output pad(GraphBuilder& b, const Argument& x, const Argument& paddings, const std::string& mode = "CONSTANT", Name name = {},
           const Argument& value = int64_t(0));
std::vector<Output> meshgrid(GraphBuilder& b, const ArgumentList& args, const std::string& indexing, Name name = "meshgrid");

/// A part of x[...].
struct Index {
  enum class Kind { Range, At, NewAxis, Ellipsis } kind = Kind::Range;
  Argument begin = {}, end = {}, step = {};
  static Index at(Argument i) { return {Kind::At, std::move(i)}; }
  static Index range(Argument begin, Argument end, Argument step = {}) { return {Kind::Range, std::move(begin), std::move(end), std::move(step)}; }
  static Index newAxis() { return {Kind::NewAxis}; }
  static Index ellipsis() { return {Kind::Ellipsis}; }
};
/// x[index, …]
Output item(GraphBuilder& b, const Argument& x, const std::vector<Index>& indices);
inline Output at(GraphBuilder& b, const Argument& x, const Argument& i) { return item(b, x, {Index::at(i)}); }
inline Output part(GraphBuilder& b, const Argument& x, const Argument& begin, const Argument& end) { return item(b, x, {Index::range(begin, end)}); }

Output cast(GraphBuilder& b, const Argument& x, DType type, Name name = {});
Output range(GraphBuilder& b, const Argument& start, const Argument& limit, const Argument& delta = int64_t(1), DType type = DType::Invalid,
             Name name = "range");
/// tf.reduce_sum and its like by op ("Sum", "Mean", "Max", "Any" …); `axis` None: all.
Output reduce(GraphBuilder& b, std::string_view op, const Argument& x, const Argument& axis = {}, bool keepDims = false, Name name = {});
Output reduceLogSumExp(GraphBuilder& b, const Argument& x, const Argument& axis = {}, bool keepDims = false, Name name = {});
/// The axes argument of a reduction over all axes.
Output allAxes(GraphBuilder& b, Output x);
Output matmul(GraphBuilder& b, const Argument& x, const Argument& y, bool transposeA = false, bool transposeB = false, Name name = {}, bool adjointA = false,
              bool adjointB = false);
Output truediv(GraphBuilder& b, const Argument& x, const Argument& y, Name name = "truediv");
/// tf.div: as in Python 2, the quotient of integers is an integer.
Output div(GraphBuilder& b, const Argument& x, const Argument& y, Name name = "div");
Output divNoNan(GraphBuilder& b, const Argument& x, const Argument& y, Name name = "div_no_nan");
Output sigmoid(GraphBuilder& b, const Argument& x, Name name = {});
Output addN(GraphBuilder& b, const Argument& list, Name name = {});
Output tensordot(GraphBuilder& b, const Argument& x, const Argument& y, const Argument& axes, Name name = "Tensordot");
Output abs(GraphBuilder& b, const Argument& x, Name name = {});
Output pow(GraphBuilder& b, const Argument& x, const Argument& y, Name name = {});
Output conj(GraphBuilder& b, const Argument& x, Name name = {});

/// The attributes of a random op: two seeds of the graph's and its own.
AttrMap seeds(GraphBuilder& b, std::optional<int64_t> seed);
Output shapeTensor(GraphBuilder& b, const Argument& shape);  ///< A shape as the argument "shape" of a random op.
Output randomUniform(GraphBuilder& b, const Argument& shape, const Argument& low, const Argument& high, DType type, std::optional<int64_t> seed,
                     Name name = {});
/// `op`: RandomStandardNormal or TruncatedNormal
Output randomNormal(GraphBuilder& b, std::string_view op, const Argument& shape, const Argument& mean, const Argument& stddev, DType type,
                    std::optional<int64_t> seed, Name name);

// Operators.
inline Output plus(GraphBuilder& b, const Argument& x, const Argument& y) { return binary(b, "add", "AddV2", x, y); }
inline Output minus(GraphBuilder& b, const Argument& x, const Argument& y) { return binary(b, "sub", "Sub", x, y); }
inline Output times(GraphBuilder& b, const Argument& x, const Argument& y) { return binary(b, "mul", "Mul", x, y); }
/// x / y: integers are converted to floating point.
Output over(GraphBuilder& b, const Argument& x, const Argument& y);
inline Output floordiv(GraphBuilder& b, const Argument& x, const Argument& y) { return binary(b, "floordiv", "FloorDiv", x, y); }
inline Output mod(GraphBuilder& b, const Argument& x, const Argument& y) { return binary(b, "mod", "FloorMod", x, y); }
inline Output negative(GraphBuilder& b, Output x) { return b.op("Neg", {x}); }
/// x < y, x >= y … : operators that are the functions themselves ("Less", "GreaterEqual").
inline Output compare(GraphBuilder& b, std::string_view op, const Argument& x, const Argument& y) { return emit(b, op, {x, y}); }

}  // namespace weft::api::tf
#pragma GCC visibility pop
