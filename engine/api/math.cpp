// tf.* and tf.math: arithmetic, reductions, clipping.
#include <algorithm>
#include <cmath>
#include <limits>

#include "api/statement.h"
#include "api/tf.h"
#include "graph/indexed_slices.h"

namespace weft::api {
namespace {

DType realType(DType t) { return t == DType::Complex64 ? DType::Float : t == DType::Complex128 ? DType::Double : t; }

// Defines tf.add and similar functions under several names.
void unaryInScope(ApiRegistry& r, std::string_view names, std::string scope, std::string summary,
                  std::function<Output(GraphBuilder&, Output, const std::string&)> build) {
  def(r, names, "input|name", std::move(summary), "A tensor.", [scope = std::move(scope), build = std::move(build)](Call& c) {
    const auto inside = c.scope(scope);
    return c.one(build(c.b, c.tensor("input"), inside.name()));
  });
}

void registerReductions(ApiRegistry& r) {
  struct Reduction {
    std::string_view name, op, summary;
  };
  static constexpr Reduction kReductions[] = {{"reduce_sum", "Sum", "Sums"},       {"reduce_mean", "Mean", "Means"}, {"reduce_prod", "Prod", "Products"},
                                              {"reduce_max", "Max", "Maxima"},     {"reduce_min", "Min", "Minima"},  {"reduce_all", "All", "Logical ands"},
                                              {"reduce_any", "Any", "Logical ors"}};
  const std::string parameters =
      "input_tensor -- Tensor to reduce.|axis/reduction_indices=None -- Dimensions to reduce; None: all.|keepdims/keep_dims: bool=None|name";
  for (const Reduction& k : kReductions) {
    def(r, std::string(k.name) + " math." + std::string(k.name), parameters, std::string(k.summary) + " along dimensions.", "A tensor with fewer dimensions.",
        [op = k.op](Call& c) { return c.one(tf::reduce(c.b, op, c["input_tensor"], c["axis"], c.a.flag("keepdims"), c.name())); });
  }
  def(r, "reduce_logsumexp math.reduce_logsumexp", parameters, "Log-sum-exp along dimensions, computed without overflow.", "A tensor with fewer dimensions.",
      [](Call& c) { return c.one(tf::reduceLogSumExp(c.b, c["input_tensor"], c["axis"], c.a.flag("keepdims"), c.name())); });
  def(r, "math.reduce_euclidean_norm", parameters, "Euclidean norms along dimensions.", "A tensor with fewer dimensions.",
      [](Call& c) { return c.one(tf::reduce(c.b, "EuclideanNorm", c["input_tensor"], c["axis"], c.a.flag("keepdims"), c.name())); });
  const auto variance = [](Call& c, const std::string& name) {
    const py::Scope scope(c.b, name);
    const Output mean = tf::reduce(c.b, "Mean", c["input_tensor"], c["axis"], true);
    const Output squares = c.b.op("Square", {tf::minus(c.b, c["input_tensor"], mean)});
    return tf::reduce(c.b, "Mean", squares, c["axis"], c.a.flag("keepdims"));
  };
  def(r, "math.reduce_variance", parameters, "Variances along dimensions.", "A tensor with fewer dimensions.",
      [variance](Call& c) { return c.one(variance(c, c.name("reduce_variance"))); });
  def(r, "math.reduce_std", parameters, "Standard deviations along dimensions.", "A tensor with fewer dimensions.", [variance](Call& c) {
    const auto scope = c.scope("reduce_std");
    return c.one(c.b.op("Sqrt", {variance(c, "reduce_variance")}));
  });
  def(r, "count_nonzero math.count_nonzero", "input/input_tensor|axis/reduction_indices=None|keepdims/keep_dims: bool=None|dtype: dtype=int64|name",
      "Number of nonzero elements.", "A tensor with fewer dimensions.", [](Call& c) {
        const auto scope = c.scope("count_nonzero");
        const Output x = c.tensor("input");
        const Output zero = tf::zeros(c.b, Shape{}, c.b.dtype(x));
        const Output count = tf::reduce(c.b, "Sum", tf::cast(c.b, emit(c.b, "NotEqual", {x, zero}), DType::Int64), c["axis"], c.a.flag("keepdims"));
        return c.one(tf::cast(c.b, count, c.a.dtype("dtype")));
      });
  for (const auto& [names, op] : {std::pair("argmax math.argmax", "ArgMax"), std::pair("argmin math.argmin", "ArgMin")}) {
    def(r, names, "input|axis/dimension=None -- None: the first.|name|output_type: dtype=int64 -- Type of the result.",
        "Indices of the largest or smallest elements along a dimension.", "A tensor with one dimension less.", [op = std::string(op)](Call& c) {
          return c.one(emit(c.b, op, {c["input"], c.has("axis") ? c["axis"] : Argument(0)}, {{"output_type", c.a.dtype("output_type")}}, c.name()));
        });
  }
  def(r, "trace linalg.trace", "x|name", "Trace of each matrix: the sum of its diagonal.", "A tensor with two dimensions less.", [](Call& c) {
    const auto scope = c.scope("Trace");
    const Output diagonal = emit(c.b, "MatrixDiagPart", {c.tensor("x")}, {}, "diag_part");
    return c.one(tf::reduce(c.b, "Sum", diagonal, std::vector<int64_t>{-1}, false, scope.name()));
  });
}

void registerArithmetic(ApiRegistry& r) {
  def(r, "truediv math.truediv", "x|y|name", "True division: integers are converted to floats.", "A tensor.",
      [](Call& c) { return c.one(tf::truediv(c.b, c["x"], c["y"], c.name("truediv"))); });
  def(r, "divide math.divide", "x|y|name", "Division, like Python's / operator.", "A tensor.",
      [](Call& c) { return c.one(c.has("name") ? tf::truediv(c.b, c["x"], c["y"], c.name()) : tf::over(c.b, c["x"], c["y"])); });
  def(r, "div", "x|y|name", "Division, as in Python 2: integer division rounds down.", "A tensor.",
      [](Call& c) { return c.one(tf::div(c.b, c["x"], c["y"], c.name("div"))); });
  def(r, "div_no_nan math.divide_no_nan", "x|y|name", "Division; 0 where the divisor is 0.", "A tensor.",
      [](Call& c) { return c.one(tf::divNoNan(c.b, c["x"], c["y"], c.name("div_no_nan"))); });
  def(r, "math.multiply_no_nan", "x|y|name", "Product; 0 where y is 0, even if x is infinite or NaN.", "A tensor.", [](Call& c) {
    const auto scope = c.scope("multiply_no_nan");
    const Output x = c.tensor("x");
    return c.one(c.b.op("MulNoNan", {x, c.tensor("y", c.b.dtype(x))}, {}, scope.name()));
  });
  def(r, "floordiv math.floordiv", "x|y|name", "Division rounded down.", "A tensor.", [](Call& c) {
    return c.one(emit(c.b, "FloorDiv", {c["x"], c["y"]}, {}, c.name("floordiv")));
  });
  def(r, "pow math.pow", "x|y|name", "x raised to the power y, element-wise.", "A tensor.",
      [](Call& c) { return c.one(tf::pow(c.b, c["x"], c["y"], c.name())); });
  def(r, "abs math.abs complex_abs", "x|name", "Absolute value, element-wise; the magnitude of complex numbers.", "A tensor.",
      [](Call& c) { return c.one(tf::abs(c.b, c["x"], c.name())); });
  def(r, "sigmoid nn.sigmoid math.sigmoid", "x|name", "Logistic sigmoid 1 / (1 + exp(-x)), element-wise.", "A tensor.",
      [](Call& c) { return c.one(tf::sigmoid(c.b, c["x"], c.name())); });
  def(r, "log_sigmoid math.log_sigmoid", "x|name", "Logarithm of the sigmoid, element-wise.", "A tensor.", [](Call& c) {
    const auto scope = c.scope("LogSigmoid");
    const Output x = c.tensor("x");
    return c.one(c.b.op("Neg", {c.b.op("Softplus", {tf::negative(c.b, x)})}, {}, scope.name()));
  });
  def(r, "round math.round", "x|name", "Rounds to the nearest integer, element-wise; halves are rounded to even.", "A tensor.", [](Call& c) {
    const Output x = c.tensor("x");
    return c.one(isInteger(c.b.dtype(x)) ? x : c.b.op("Round", {x}, {}, c.name("Round")));
  });
  def(r, "cast dtypes.cast", "x|dtype: dtype|name", "Converts a tensor to another type.", "A tensor.",
      [](Call& c) { return c.one(tf::cast(c.b, c["x"], c.a.dtype("dtype"), c.name())); });
  for (const auto& [name, scope, type] :
       {std::tuple("to_float", "ToFloat", DType::Float), std::tuple("to_double", "ToDouble", DType::Double), std::tuple("to_int32", "ToInt32", DType::Int32),
        std::tuple("to_int64", "ToInt64", DType::Int64), std::tuple("to_bfloat16", "ToBFloat16", DType::BFloat16),
        std::tuple("to_complex64", "ToComplex64", DType::Complex64), std::tuple("to_complex128", "ToComplex128", DType::Complex128)}) {
    def(r, name, "x|name", "Converts a tensor to " + dtypeName(type) + ".", "A tensor.",
        [scope = std::string(scope), type = type](Call& c) { return c.one(tf::cast(c.b, c["x"], type, c.name(scope))); });
  }
  def(r, "saturate_cast dtypes.saturate_cast", "value|dtype: dtype|name", "Converts a tensor to another type; values that do not fit are clamped.", "A tensor.",
      [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("saturate_cast");
        Output x = c.tensor("value");
        static const std::map<DType, std::pair<double, double>> kLimits = {{DType::UInt8, {0, 255}},
                                                                           {DType::Int8, {-128, 127}},
                                                                           {DType::Int16, {-32768, 32767}},
                                                                           {DType::UInt16, {0, 65535}},
                                                                           {DType::Int32, {-2147483648.0, 2147483647.0}},
                                                                           {DType::Int64, {-9223372036854775808.0, 9223372036854775807.0}},
                                                                           {DType::Float, {-3.4028234663852886e38, 3.4028234663852886e38}},
                                                                           {DType::Double, {-1.7976931348623157e308, 1.7976931348623157e308}},
                                                                           {DType::Half, {-65504, 65504}}};
        const auto from = kLimits.find(b.dtype(x)), to = kLimits.find(c.a.dtype("dtype"));
        if (from != kLimits.end() && to != kLimits.end()) {
          const DType type = b.dtype(x);
          if (from->second.first < to->second.first) x = b.op("Maximum", {x, b.number(type, to->second.first, "min")});
          if (from->second.second > to->second.second) x = b.op("Minimum", {x, b.number(type, to->second.second, "max")});
        }
        return c.one(tf::cast(b, x, c.a.dtype("dtype"), scope.name()));
      });
  def(r, "complex dtypes.complex", "real -- The real part.|imag -- The imaginary part.|name", "Builds complex numbers from their real and imaginary parts.",
      "A tensor.", [](Call& c) -> Built {
        const Output re = c.tensor("real"), im = c.tensor("imag");
        const DType t = c.b.dtype(re);
        if (c.b.ok() && (t != c.b.dtype(im) || (t != DType::Float && t != DType::Double)))
          return typeError("real and imag have incorrect types: ", dtypeName(t), " ", dtypeName(c.b.dtype(im)));
        return c.one(c.b.op("Complex", {re, im}, {{"Tout", t == DType::Float ? DType::Complex64 : DType::Complex128}}, c.name("Complex")));
      });
  for (const auto& [names, op, keeps] :
       {std::tuple("real math.real", "Real", true), std::tuple("imag math.imag", "Imag", false), std::tuple("angle math.angle", "Angle", false)}) {
    unaryInScope(r, names, op, std::string(op) + " parts of complex numbers.",
                 [op = std::string(op), keeps = keeps](GraphBuilder& b, Output x, const std::string& name) {
                   if (isComplex(b.dtype(x))) return b.op(op, {x}, {{"Tout", realType(b.dtype(x))}}, name);
                   return keeps ? x : tf::zerosLike(b, x);
                 });
  }
  def(r, "conj math.conj", "x|name", "Complex conjugate, element-wise.", "A tensor.", [](Call& c) { return c.one(tf::conj(c.b, c["x"], c.name())); });
  def(r, "add_n math.add_n", "inputs: tensors -- Tensors of the same shape.|name", "Element-wise sum of tensors.", "A tensor.",
      [](Call& c) { return c.one(tf::addN(c.b, c["inputs"], c.name())); });
  def(r, "accumulate_n math.accumulate_n", "inputs: tensors -- Tensors of the same shape.|shape: shape=None|tensor_dtype: dtype=None -- Their type.|name",
      "Element-wise sum of tensors, accumulated as they become available.", "A tensor.", [](Call& c) -> Built {
        std::vector<Output> all;
        for (const Argument& a : c.list("inputs")) all.push_back(toTensor(c.b, a, {}));
        Shape shape = c.a.shape("shape");
        if (all.empty()) return invalidArgument("inputs must be a list of at least one Tensor with the same dtype and shape");
        for (const Output o : all) {
          WEFT_LET(Shape both, shape.mergedWith(c.b.shape(o)));
          shape = std::move(both);
        }
        if (all.size() == 1) return c.one(c.has("name") ? tf::identity(c.b, all[0], c.name()) : all[0]);
        return c.one(emit(c.b, "AccumulateNV2", {Argument(all)}, {{"shape", shape}}, c.name()));
      });
  def(r, "scalar_mul math.scalar_mul", "scalar -- A scalar.|x|name", "Multiplies a tensor by a scalar.", "A tensor.", [](Call& c) -> Built {
    const Output x = c.tensor("x");
    const Output s = c.tensor("scalar", c.b.dtype(x));
    if (c.b.ok() && !c.b.shape(s).isScalar()) return invalidArgument("Only scalar multiply works, got shape ", c.b.shape(s).toPythonString());
    return c.one(c.b.op("Mul", {s, x}, {}, c.name("Mul")));
  });
  def(r, "logical_xor math.logical_xor", "x|y|name: string=LogicalXor -- Name of the op.", "Logical XOR, element-wise.", "A tensor.", [](Call& c) {
    const Output either = emit(c.b, "LogicalOr", {c["x"], c["y"]});
    const Output notBoth = c.b.op("LogicalNot", {emit(c.b, "LogicalAnd", {c["x"], c["y"]})});
    return c.one(c.b.op("LogicalAnd", {either, notBoth}, {}, c.name("LogicalXor")));
  });
  def(r, "matmul linalg.matmul batch_matmul",
      "a|b|transpose_a: bool=false -- Transpose a before multiplying.|transpose_b: bool=false -- Transpose b before multiplying.|adjoint_a: bool=false -- "
      "Use the adjoint (conjugate transpose) of a.|adjoint_b: bool=false -- Use the adjoint (conjugate transpose) of b.|a_is_sparse: bool=false -- Hint that "
      "a contains many zeros.|b_is_sparse: bool=false -- Hint that b contains many zeros.|name",
      "Matrix product, also of batches of matrices.", "A tensor.", [](Call& c) {
        const bool ta = c.a.flag("transpose_a"), tb = c.a.flag("transpose_b");
        if (!c.a.flag("a_is_sparse") && !c.a.flag("b_is_sparse"))
          return c.one(tf::matmul(c.b, c["a"], c["b"], ta, tb, c.name("MatMul"), c.a.flag("adjoint_a"), c.a.flag("adjoint_b")));
        const auto scope = c.scope("MatMul");
        Output x = c.tensor("a"), y = c.tensor("b");
        // A real number is its own conjugate.
        if (c.a.flag("adjoint_a") && isComplex(c.b.dtype(x))) x = c.b.op("Conj", {x});
        if (c.a.flag("adjoint_b") && isComplex(c.b.dtype(y))) y = c.b.op("Conj", {y});
        const AttrMap attrs = {{"transpose_a", ta || c.a.flag("adjoint_a")}, {"transpose_b", tb || c.a.flag("adjoint_b")}};
        const auto fits = [&](Output o) { return c.b.dtype(o) == DType::Float || c.b.dtype(o) == DType::BFloat16; };
        if (!fits(x) || !fits(y)) return c.one(c.b.op("MatMul", {x, y}, attrs, scope.name()));
        AttrMap sparse = attrs;
        sparse.set("a_is_sparse", c.a.flag("a_is_sparse"));
        sparse.set("b_is_sparse", c.a.flag("b_is_sparse"));
        return c.one(c.b.op("SparseMatMul", {x, y}, sparse, scope.name()));
      });
  def(r, "linalg.matvec",
      "a|b|transpose_a: bool=false -- Transpose a before multiplying.|adjoint_a: bool=false -- Use the adjoint (conjugate transpose) of a.|a_is_sparse: "
      "bool=false -- Ignored; kept for compatibility.|b_is_sparse: bool=false -- Ignored; kept for compatibility.|name",
      "Matrix-vector product.", "A tensor.", [](Call& c) {
        const auto scope = c.scope("MatVec");
        const Output out = tf::matmul(c.b, c["a"], tf::expandDims(c.b, c["b"], -1), c.a.flag("transpose_a"), false, {}, c.a.flag("adjoint_a"));
        return c.one(tf::squeeze(c.b, out, {-1}));
      });
  def(r, "tensordot linalg.tensordot", "a|b|axes -- Number of trailing axes of a and leading axes of b to contract, or two lists of axes.|name",
      "Tensor contraction: sums products over chosen axes of two tensors.", "A tensor.",
      [](Call& c) { return c.one(tf::tensordot(c.b, c["a"], c["b"], c["axes"], c.name())); });
  for (const auto& [names, op] : {std::pair("cumsum math.cumsum", "Cumsum"), std::pair("cumprod math.cumprod", "Cumprod"),
                                  std::pair("math.cumulative_logsumexp", "CumulativeLogsumexp")}) {
    def(r, names, "x|axis=0|exclusive: bool=false -- Exclude each element from its own result.|reverse: bool=false -- Accumulate from the end.|name",
        "Cumulative sum or product along an axis.", "A tensor.", [op = std::string(op)](Call& c) {
          return c.one(emit(c.b, op, {c["x"], c["axis"]}, {{"exclusive", c.a.flag("exclusive")}, {"reverse", c.a.flag("reverse")}}, c.name()));
        });
  }
  def(r, "bincount math.bincount",
      "arr -- Non-negative integers.|weights=None|minlength=None -- Minimum length of the result.|maxlength=None -- Maximum length of the result; larger "
      "integers are ignored.|dtype: dtype=int32|name",
      "Counts how often each integer occurs.", "A vector.", [](Call& c) {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("bincount");
        const Output x = c.tensor("arr", DType::Int32);
        const Output some = tf::compare(b, "Greater", tf::reduce(b, "Prod", tf::shape(b, x)), 0);
        const Output any = tf::cast(b, some, DType::Int32);
        Output size = tf::times(b, any, tf::plus(b, tf::reduce(b, "Max", x), 1));
        if (c.has("minlength")) size = b.op("Maximum", {c.tensor("minlength", DType::Int32), size});
        if (c.has("maxlength")) size = b.op("Minimum", {c.tensor("maxlength", DType::Int32), size});
        if (c.has("weights")) return c.one(b.op("UnsortedSegmentSum", {c.tensor("weights"), x, size}));
        return c.one(b.op("Bincount", {x, size, b.constant(Tensor::zeros(c.a.dtype("dtype"), {0}))}));
      });
  for (const auto& [name, scope, root] :
       {std::tuple("unsorted_segment_mean", "UnsortedSegmentMean", false), std::tuple("unsorted_segment_sqrt_n", "UnsortedSegmentSqrtN", true)}) {
    def(r, std::string(name) + " math." + name, "data -- Rows.|segment_ids|num_segments|name", "Averages the rows of each segment.", "A tensor.",
        [scope = std::string(scope), root = root](Call& c) {
          GraphBuilder& b = c.b;
          const auto inside = c.scope(scope);
          const Output data = toTensor(b, c["data"], {}), ids = toTensor(b, c["segment_ids"], {});
          const Output ones = tf::ones(b, tf::shape(b, ids), b.dtype(data));
          const Output count = emit(b, "UnsortedSegmentSum", {ones, ids, c["num_segments"]});
          ArgumentList dims = {c["num_segments"]};
          for (int i = b.shape(ids).rank(); i < b.shape(data).rank(); ++i) dims.emplace_back(1);
          Output n = emit(b, "Maximum", {tf::reshape(b, count, dims), 1});
          const Output sum = emit(b, "UnsortedSegmentSum", {data, ids, c["num_segments"]});
          if (root) n = b.op("Sqrt", {n});
          return c.one(tf::over(b, sum, n));
        });
  }
  for (const auto& [name, op] : {std::pair("sparse_segment_sum", "SparseSegmentSum"), std::pair("sparse_segment_mean", "SparseSegmentMean"),
                                 std::pair("sparse_segment_sqrt_n", "SparseSegmentSqrtN")}) {
    def(r, std::string(name) + " sparse." + std::string(name).substr(7), "data -- Rows.|indices|segment_ids|name|num_segments=None",
        "Reduces selected rows by segment.", "A tensor.", [op = std::string(op)](Call& c) {
          ArgumentList inputs = {c["data"], c["indices"], c["segment_ids"]};
          if (c.has("num_segments")) inputs.push_back(c["num_segments"]);
          return c.one(emit(c.b, op + (c.has("num_segments") ? "WithNumSegments" : ""), inputs, {}, c.name()));
        });
  }
  def(r, "lbeta math.lbeta", "x|name", "log(|B(x)|): logarithm of the absolute beta function along the last dimension.", "A tensor.", [](Call& c) {
    GraphBuilder& b = c.b;
    const auto scope = c.scope("lbeta");
    const Output x = c.tensor("x");
    const std::vector<int64_t> last = {-1};
    const Output parts = tf::reduce(b, "Sum", b.op("Lgamma", {x}), last), sum = tf::reduce(b, "Sum", x, last);
    return c.one(tf::minus(b, parts, b.op("Lgamma", {sum})));
  });
  def(r, "math.polyval", "coeffs: tensors -- Coefficients, the highest first.|x|name", "Evaluates a polynomial.", "A tensor.", [](Call& c) {
    GraphBuilder& b = c.b;
    const auto scope = c.scope("polyval");
    const Output x = c.tensor("x");
    std::vector<Output> k;
    for (const Argument& a : c.list("coeffs")) k.push_back(toTensor(b, a, "coeff_" + std::to_string(k.size())));
    if (k.empty()) return c.one(tf::zerosLike(b, x));
    Output p = k[0];
    for (size_t i = 1; i < k.size(); ++i) p = tf::plus(b, k[i], tf::times(b, p, x));
    return c.one(p);
  });
  def(r, "math.reciprocal_no_nan", "x|name", "1 / x, element-wise; 0 where x is 0.", "A tensor.", [](Call& c) {
    const auto scope = c.scope("reciprocal_no_nan");
    const Output x = c.tensor("x");
    return c.one(c.b.op("DivNoNan", {c.b.number(c.b.dtype(x), 1, "one"), x}, {}, scope.name()));
  });
}

void registerOperators(ApiRegistry& r) {
  struct Operator {
    std::string_view name, scope, op;
  };
  static constexpr Operator kOperators[] = {
      {"add", "add", "AddV2"},    {"sub", "sub", "Sub"}, {"mul", "mul", "Mul"},        {"floordiv", "floordiv", "FloorDiv"},
      {"mod", "mod", "FloorMod"}, {"pow", "pow", "Pow"}, {"and", "and", "LogicalAnd"}, {"or", "or", "LogicalOr"}};
  for (const Operator& o : kOperators) {
    def(r, "operators." + std::string(o.name), "x|y", "Python's operator.", "A tensor.",
        [o](Call& c) { return c.one(binary(c.b, o.scope, o.op, c["x"], c["y"])); });
  }
  def(r, "operators.truediv", "x|y", "Python's operator.", "A tensor.", [](Call& c) { return c.one(tf::over(c.b, c["x"], c["y"])); });
  def(r, "operators.matmul", "x|y", "Python's operator.", "A tensor.", [](Call& c) {
    const py::Scope scope(c.b, "matmul");
    const Output x = c.tensor("x");
    return c.one(tf::matmul(c.b, x, toTensor(c.b, c["y"], "y", DType::Invalid, c.b.dtype(x)), false, false, scope.name()));
  });
}

Output values(Call& c, const std::string& name, const Argument& t) {
  const auto* o = std::get_if<Output>(&t);
  if (o && isSlices(*o)) return slicesOf(c.b, *o)->values;
  return toTensor(c.b, t, name);
}

// Returns the clipped values in the form of the input.
Output asGiven(Call& c, const Argument& given, Output clipped) {
  const auto* o = std::get_if<Output>(&given);
  if (!o || !isSlices(*o)) return clipped;
  const auto s = slicesOf(c.b, *o);
  return makeSlices(c.b, clipped, s->indices, s->denseShape);
}

Output globalNorm(Call& c, const ArgumentList& list, const std::string& name) {
  GraphBuilder& b = c.b;
  const py::Scope scope(b, name.empty() ? "global_norm" : name);
  std::vector<Output> parts, halves;
  for (size_t i = 0; i < list.size(); ++i) parts.push_back(isNone(list[i]) ? Output{} : values(c, "t_" + std::to_string(i), list[i]));
  for (const Output v : parts) {
    if (!v.valid()) continue;
    const auto beside = b.colocateWith(v.node);
    halves.push_back(b.op("L2Loss", {v}));
  }
  const Output half = tf::reduce(b, "Sum", tf::stack(b, Argument(halves)));
  return b.op("Sqrt", {tf::times(b, half, b.number(b.dtype(half), 2))}, {}, "global_norm");
}

bool isList(const Argument& a) { return std::holds_alternative<ArgumentList>(a) || std::holds_alternative<std::vector<Output>>(a); }

Built clipByGlobalNorm(Call& c) {
  GraphBuilder& b = c.b;
  if (!isList(c["t_list"])) return typeError("t_list should be a sequence");
  const ArgumentList list = c.list("t_list");
  const Output norm = c.has("use_norm") ? c.tensor("use_norm") : globalNorm(c, list, c.name());
  const auto scope = c.scope("clip_by_global_norm");
  const DType type = b.dtype(norm);
  const Output inverse = tf::over(b, 1.0, norm);
  const Output most = tf::over(b, b.number(type, 1), c["clip_norm"]);
  const Output finite = tf::times(b, c["clip_norm"], b.op("Minimum", {inverse, most}));
  const Output isFinite = b.op("IsFinite", {norm});  // a separate statement, because the evaluation order of arguments is unspecified
  const Output scale = tf::where(b, isFinite, finite, b.number(type, std::numeric_limits<double>::quiet_NaN()));
  std::vector<Output> parts;
  for (size_t i = 0; i < list.size(); ++i) parts.push_back(isNone(list[i]) ? Output{} : values(c, "t_" + std::to_string(i), list[i]));
  ArgumentList clipped;
  for (size_t i = 0; i < list.size(); ++i) {
    if (isNone(list[i])) {
      clipped.emplace_back();
      continue;
    }
    const auto beside = b.colocateWith(parts[i].node);
    const Output scaled = tf::times(b, parts[i], scale);
    // The name is the scope's with a number, taken as if from the root of the scope.
    const std::string full = scope.name();
    clipped.emplace_back(asGiven(c, list[i], tf::identity(b, scaled, full + "_" + std::to_string(i))));
  }
  Values out;
  out.others.emplace_back(ArgumentList{Argument(clipped), Argument(norm)});
  for (const Argument& a : clipped) out.outputs.push_back(isNone(a) ? Output{} : std::get<Output>(a));
  out.outputs.push_back(norm);
  return out;
}

void registerClipping(ApiRegistry& r) {
  def(r, "clip_by_value", "t|clip_value_min -- Lower bound.|clip_value_max -- Upper bound.|name", "Clamps elements between two bounds.", "A tensor.",
      [](Call& c) {
        const auto scope = c.scope("clip_by_value");
        const Output x = values(c, "t", c["t"]);
        const Output low = emit(c.b, "Minimum", {x, c["clip_value_max"]});
        return c.one(asGiven(c, c["t"], emit(c.b, "Maximum", {low, c["clip_value_min"]}, {}, scope.name())));
      });
  def(r, "clip_by_norm", "t|clip_norm -- Maximum norm.|axes=None -- Dimensions over which to compute the norm; None: all.|name",
      "Scales a tensor down so that its L2 norm does not exceed a limit.", "A tensor.", [](Call& c) {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("clip_by_norm");
        const Output x = values(c, "t", c["t"]);
        const Output sum = tf::reduce(b, "Sum", tf::times(b, x, x), c["axes"], true);
        const Output some = tf::compare(b, "Greater", sum, 0);
        const Output safe = tf::where(b, some, sum, tf::onesLike(b, sum));
        const Output norm = tf::where(b, some, b.op("Sqrt", {safe}), sum);
        const Output scaled = tf::times(b, x, c["clip_norm"]);
        const Output clipped = tf::over(b, scaled, emit(b, "Maximum", {norm, c["clip_norm"]}));
        return c.one(asGiven(c, c["t"], tf::identity(b, clipped, scope.name())));
      });
  def(r, "clip_by_average_norm", "t|clip_norm -- Maximum average norm.|name", "Scales a tensor down so that its average L2 norm does not exceed a limit.",
      "A tensor.", [](Call& c) {
        GraphBuilder& b = c.b;
        const auto scope = c.scope("clip_by_average_norm");
        const Output x = c.tensor("t");
        const Output n = tf::cast(b, tf::size(b, x), DType::Float);
        const Output squares = tf::times(b, x, x);  // a separate statement, because the evaluation order of arguments is unspecified
        const Output inverse = b.op("Rsqrt", {tf::reduce(b, "Sum", squares, tf::range(b, 0, tf::rank(b, x)))});
        const Output scaled = tf::times(b, x, c["clip_norm"]);
        const Output each = tf::times(b, inverse, n);
        const Output most = tf::over(b, b.scalar(1.0f), c["clip_norm"]);
        return c.one(tf::identity(b, tf::times(b, scaled, b.op("Minimum", {each, most})), scope.name()));
      });
  def(r, "global_norm linalg.global_norm", "t_list: any -- Tensors.|name", "Global norm: the L2 norm of several tensors together.", "A scalar.",
      [](Call& c) -> Built {
        if (!isList(c["t_list"])) return typeError("t_list should be a sequence");
        return c.one(globalNorm(c, c.list("t_list"), c.name()));
      });
  def(r, "clip_by_global_norm",
      "t_list: any -- Tensors; None is passed through.|clip_norm -- Maximum global norm.|use_norm=None -- The global norm, if already computed.|name",
      "Scales several tensors down so that their global norm does not exceed a limit.", "others: The scaled tensors, and their global norm before scaling.",
      clipByGlobalNorm);
}

}  // namespace

void registerMath(ApiRegistry& r) {
  registerReductions(r);
  registerArithmetic(r);
  registerOperators(r);
  registerClipping(r);
}

}  // namespace weft::api
