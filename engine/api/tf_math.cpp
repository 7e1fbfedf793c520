#include <algorithm>
#include <numeric>

#include "api/tf.h"
#include "ops/grad_ops.h"

namespace weft::api::tf {
namespace {

bool sameTypes(GraphBuilder& b, Output x, Output y) {
  if (!b.ok()) return false;
  if (b.dtype(x) == b.dtype(y)) return true;
  b.fail(typeError("x and y must have the same dtype, got tf.", dtypeName(b.dtype(x)), " != tf.", dtypeName(b.dtype(y))));
  return false;
}

// The type in which a true division is computed; Invalid if it is not supported.
DType quotientType(DType t) {
  switch (t) {
    case DType::UInt8:
    case DType::Int8:
    case DType::UInt16:
    case DType::Int16: return DType::Float;
    case DType::Int32:
    case DType::Int64: return DType::Double;
    default: return isFloating(t) || isComplex(t) ? t : DType::Invalid;
  }
}

Output quotient(GraphBuilder& b, Output x, Output y, Name name) {
  if (!sameTypes(b, x, y)) return {};
  const DType type = quotientType(b.dtype(x));
  if (type == DType::Invalid) {
    b.fail(typeError("Invalid dtype tf.", dtypeName(b.dtype(x)), " in __truediv__"));
    return {};
  }
  const Output left = cast(b, x, type), right = cast(b, y, type);
  return b.op("RealDiv", {left, right}, {}, name);
}

std::pair<Output, Output> operands(GraphBuilder& b, const Argument& x, const Argument& y) {
  const Output left = toTensor(b, x, "x");
  return {left, toTensor(b, y, "y", b.dtype(left))};
}

std::vector<int32_t> shorter(const std::vector<int64_t>& v) { return {v.begin(), v.end()}; }

}  // namespace

Output cast(GraphBuilder& b, const Argument& x, DType type, Name name) {
  if (const auto* o = std::get_if<Output>(&x); o && b.dtype(*o) == type) return *o;
  const py::Scope scope(b, otherwise(name, "Cast"));
  const Output t = toTensor(b, x, "x");
  return b.dtype(t) == type ? t : b.op("Cast", {t}, {{"DstT", type}}, scope.name());
}

Output range(GraphBuilder& b, const Argument& start, const Argument& limit, const Argument& delta, DType type, Name name) {
  const py::Scope scope(b, otherwise(name, "Range"));
  Output from = toTensor(b, start, "start", type), to = toTensor(b, limit, "limit", type), by = toTensor(b, delta, "delta", type);
  if (type == DType::Invalid && b.ok()) {
    static const std::vector<DType> kOrder = {DType::Int32, DType::Int64, DType::Float, DType::Double};
    const auto place = [&](Output o) { return std::find(kOrder.begin(), kOrder.end(), b.dtype(o)) - kOrder.begin(); };
    const auto widest = std::max({place(from), place(to), place(by)});
    if (widest < std::ssize(kOrder)) {
      from = cast(b, from, kOrder[size_t(widest)]);
      to = cast(b, to, kOrder[size_t(widest)]);
      by = cast(b, by, kOrder[size_t(widest)]);
    }
  }
  return b.op("Range", {from, to, by}, {}, scope.name());
}

Output allAxes(GraphBuilder& b, Output x) {
  const Shape s = b.shape(x);
  if (!s.hasRank()) return emit(b, "Range", {0, rank(b, x), 1});
  std::vector<int32_t> axes(static_cast<size_t>(s.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  return b.constant(Tensor::vector(axes));
}

Output reduce(GraphBuilder& b, std::string_view op, const Argument& x, const Argument& axis, bool keepDims, Name name) {
  Argument axes = axis;
  if (isNone(axis)) {
    // Only a tensor's static rank is used; for a variable or a list it is computed.
    const auto* o = std::get_if<Output>(&x);
    axes = o && b.shape(*o).hasRank() ? allAxes(b, *o) : range(b, 0, rank(b, x));
  }
  const Output out = emit(b, op, {x, axes}, {{"keep_dims", keepDims}}, name);
  if (isNone(axis) && !keepDims) b.setShape(out, Shape{});
  return out;
}

Output reduceLogSumExp(GraphBuilder& b, const Argument& x, const Argument& axis, bool keepDims, Name name) {
  const Output input = toTensor(b, x, {});
  const py::Scope scope(b, otherwise(name, "ReduceLogSumExp"));
  const Output largest = reduce(b, "Max", input, axis, true);
  const Output finite = b.op("IsFinite", {largest});
  Output shift = b.op("StopGradient", {where(b, finite, largest, zerosLike(b, largest))});
  Output result = b.op("Log", {reduce(b, "Sum", b.op("Exp", {b.op("Sub", {input, shift})}), axis, keepDims)});
  if (!keepDims) shift = reshape(b, shift, shape(b, result));
  return b.op("Add", {result, shift});
}

Output matmul(GraphBuilder& b, const Argument& x, const Argument& y, bool transposeA, bool transposeB, Name name, bool adjointA, bool adjointB) {
  const py::Scope scope(b, otherwise(name, "MatMul"));
  if ((transposeA && adjointA) || (transposeB && adjointB)) {
    b.fail(invalidArgument("Only one of transpose_", transposeA && adjointA ? "a" : "b", " and adjoint_", transposeA && adjointA ? "a" : "b", " can be True."));
    return {};
  }
  Output left = toTensor(b, x, "a"), right = toTensor(b, y, "b");
  if (!b.ok()) return {};
  const auto batched = [&](Output o) { return !b.shape(o).hasRank() || b.shape(o).rank() > 2; };
  if (batched(left) || batched(right)) {
    if (transposeA) left = conj(b, left);
    if (transposeB) right = conj(b, right);
    return emit(b, "BatchMatMulV2", {left, right}, {{"adj_x", adjointA || transposeA}, {"adj_y", adjointB || transposeB}}, scope.name());
  }
  if (adjointA) left = conj(b, left);
  if (adjointB) right = conj(b, right);
  return emit(b, "MatMul", {left, right}, {{"transpose_a", adjointA || transposeA}, {"transpose_b", adjointB || transposeB}}, scope.name());
}

Output truediv(GraphBuilder& b, const Argument& x, const Argument& y, Name name) {
  const py::Scope scope(b, otherwise(name, "truediv"));
  const Output left = toTensor(b, x, "x"), right = toTensor(b, y, "y");
  return quotient(b, left, right, scope.name());
}

Output over(GraphBuilder& b, const Argument& x, const Argument& y) {
  const py::Scope scope(b, "truediv");
  Output left, right;
  if (holdsTensor(x)) {
    left = toTensor(b, x, "x");
    right = holdsTensor(y) ? toTensor(b, y, "y") : toTensor(b, y, "y", DType::Invalid, b.dtype(left));
  } else {
    right = toTensor(b, y, "y");
    left = toTensor(b, x, "x", b.dtype(right));
  }
  return quotient(b, left, right, scope.name());
}

Output div(GraphBuilder& b, const Argument& x, const Argument& y, Name name) {
  const py::Scope scope(b, otherwise(name, "div"));
  const auto [left, right] = operands(b, x, y);
  if (!b.ok()) return {};
  const DType t = b.dtype(left);
  return b.op(isFloating(t) || isComplex(t) ? "RealDiv" : "FloorDiv", {left, right}, {}, scope.name());
}

Output divNoNan(GraphBuilder& b, const Argument& x, const Argument& y, Name name) {
  const py::Scope scope(b, otherwise(name, "div_no_nan"));
  const auto [left, right] = operands(b, x, y);
  return b.op("DivNoNan", {left, right}, {}, scope.name());
}

Output sigmoid(GraphBuilder& b, const Argument& x, Name name) { return emit(b, "Sigmoid", {x}, {}, name); }

Output addN(GraphBuilder& b, const Argument& list, Name name) {
  const ArgumentList all = items(list);
  if (all.empty()) {
    b.fail(invalidArgument("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"));
    return {};
  }
  std::vector<Output> tensors;
  for (const Argument& a : all) tensors.push_back(toTensor(b, a, {}));
  if (tensors.size() > 1) return emit(b, "AddN", {Argument(tensors)}, {}, name);
  return name.empty() ? tensors[0] : identity(b, tensors[0], name);
}

Output abs(GraphBuilder& b, const Argument& x, Name name) {
  const py::Scope scope(b, otherwise(name, "Abs"));
  const Output t = toTensor(b, x, "x");
  const DType type = b.dtype(t);
  if (!isComplex(type)) return b.op("Abs", {t}, {}, scope.name());
  return b.op("ComplexAbs", {t}, {{"Tout", type == DType::Complex64 ? DType::Float : DType::Double}}, scope.name());
}

Output pow(GraphBuilder& b, const Argument& x, const Argument& y, Name name) { return emit(b, "Pow", {x, y}, {}, otherwise(name, "Pow")); }

Output conj(GraphBuilder& b, const Argument& x, Name name) {
  if (const auto* o = std::get_if<Output>(&x); o && !isComplex(b.dtype(*o)) && isNumeric(b.dtype(*o))) return *o;
  const py::Scope scope(b, otherwise(name, "Conj"));
  const Output t = toTensor(b, x, "x");
  if (isComplex(b.dtype(t)) || b.dtype(t) == DType::Variant) return b.op("Conj", {t}, {}, scope.name());
  if (!isNumeric(b.dtype(t))) b.fail(typeError("Expected numeric or variant tensor, got dtype tf.", dtypeName(b.dtype(t))));
  return t;
}

namespace {

// One operand of tf.tensordot as a matrix, with its free dimensions (numbers if all are known, else a tensor).
struct Side {
  Output matrix;
  Argument free;
  std::optional<std::vector<int64_t>> known;
  bool isList = false;
};

Side sideOf(GraphBuilder& b, Output x, const Argument& axes, bool flipped) {
  const Shape s = b.shape(x);
  const bool isList = !std::holds_alternative<Output>(axes);
  const Arguments a = {{"axes", axes}};
  std::vector<int64_t> bound = isList ? a.integers("axes") : std::vector<int64_t>(), free, freeDims, boundDims;
  if (isList && s.hasRank()) {
    for (int64_t& i : bound) i = i >= 0 ? i : i + s.rank();
    for (int64_t i = 0; i < s.rank(); ++i) {
      if (std::find(bound.begin(), bound.end(), i) == bound.end()) free.push_back(i);
    }
    for (const int64_t i : free) freeDims.push_back(s.dim(int(i)));
    for (const int64_t i : bound) {
      if (i >= s.rank()) {
        b.fail(invalidArgument("'axes' must not be larger than the number of dimensions of tensor ", tensorText(b, x), "."));
        return {};
      }
      if (i < 0) {
        b.fail(invalidArgument("'axes' must not be below minus the number of dimensions of tensor ", tensorText(b, x), "."));
        return {};
      }
      boundDims.push_back(s.dim(int(i)));
    }
    if (s.isFullyKnown()) {
      // An axis may be listed repeatedly; only the transposition rejects this. Until then the product may wrap.
      const auto product = [](const std::vector<int64_t>& v) { return int64_t(std::accumulate(v.begin(), v.end(), uint64_t(1), std::multiplies<uint64_t>())); };
      std::vector<int64_t> perm = flipped ? bound : free;
      const auto& rest = flipped ? free : bound;
      perm.insert(perm.end(), rest.begin(), rest.end());
      const int64_t f = product(freeDims), n = product(boundDims);
      const Output turned = transpose(b, x, perm);
      return {reshape(b, turned, flipped ? std::vector<int64_t>{n, f} : std::vector<int64_t>{f, n}), freeDims, freeDims, true};
    }
  }
  Side out;
  Output boundAxes, freeAxes, dims;
  if (isList && s.hasRank()) {
    out.known = freeDims;
    boundAxes = b.constant(Tensor::vector(shorter(bound)), "axes");
    freeAxes = b.constant(Tensor::vector(shorter(free)), "free");
    dims = shape(b, x);
  } else {
    dims = shape(b, x);
    const Output r = rank(b, x);
    boundAxes = toTensor(b, axes, "axes", DType::Int32);
    const Output positive = compare(b, "GreaterEqual", boundAxes, 0);
    boundAxes = where(b, positive, boundAxes, plus(b, boundAxes, r));
    freeAxes = emit(b, "ListDiff", {range(b, 0, r), boundAxes});
  }
  const Output freeSizes = gather(b, dims, freeAxes), boundSizes = gather(b, dims, boundAxes);
  const Output f = reduce(b, "Prod", freeSizes), n = reduce(b, "Prod", boundSizes);
  const Output perm = concatenate(b, flipped ? ArgumentList{boundAxes, freeAxes} : ArgumentList{freeAxes, boundAxes}, 0);
  const Output newShape = stack(b, flipped ? ArgumentList{n, f} : ArgumentList{f, n});
  const Output turned = transpose(b, x, perm);
  out.matrix = reshape(b, turned, newShape);
  out.free = freeSizes;
  return out;
}

}  // namespace

Output tensordot(GraphBuilder& b, const Argument& x, const Argument& y, const Argument& axes, Name name) {
  const py::Scope scope(b, otherwise(name, "Tensordot"));
  const Output left = toTensor(b, x, "a"), right = toTensor(b, y, "b");
  if (!b.ok()) return {};
  Argument first, second;
  if (const auto* n = std::get_if<int64_t>(&axes)) {
    const Shape s = b.shape(left);
    if (*n < 0) b.fail(invalidArgument("'axes' must be at least 0."));
    if (s.hasRank() && *n > s.rank()) b.fail(invalidArgument("'axes' must not be larger than the number of dimensions of tensor ", tensorText(b, left), "."));
    if (!b.ok()) return {};
    if (s.hasRank()) {
      std::vector<int64_t> last(static_cast<size_t>(*n)), begin(static_cast<size_t>(*n));
      std::iota(last.begin(), last.end(), s.rank() - *n);
      std::iota(begin.begin(), begin.end(), 0);
      first = last;
      second = begin;
    } else {
      const Output r = rank(b, left);
      first = range(b, minus(b, r, *n), r, 1, DType::Int32);
      second = range(b, 0, *n, 1, DType::Int32);
    }
  } else if (std::holds_alternative<Output>(axes)) {
    first = at(b, axes, 0);
    second = at(b, axes, 1);
  } else {
    const ArgumentList pair = items(axes);
    if (pair.size() != 2) {
      b.fail(invalidArgument("'axes' must be an integer or have length 2."));
      return {};
    }
    first = pair[0];
    second = pair[1];
    const size_t n = items(first).size(), m = items(second).size();
    if (!std::holds_alternative<Output>(first) && !std::holds_alternative<Output>(second) && n != m) {
      b.fail(invalidArgument("Different number of contraction axes 'a' and 'b', ", n, " != ", m, "."));
      return {};
    }
  }
  const Side l = sideOf(b, left, first, false), r = sideOf(b, right, second, true);
  if (!b.ok()) return {};
  const Output product = matmul(b, l.matrix, r.matrix);
  if (l.isList && r.isList) {
    std::vector<int64_t> dims = *l.known;
    dims.insert(dims.end(), r.known->begin(), r.known->end());
    return reshape(b, product, dims, scope.name());
  }
  const Output freeLeft = toTensor(b, l.free, {}, DType::Int32), freeRight = toTensor(b, r.free, {}, DType::Int32);
  const Output out = reshape(b, product, concatenate(b, ArgumentList{freeLeft, freeRight}, 0), scope.name());
  if (l.known && r.known) {
    std::vector<int64_t> dims = *l.known;
    dims.insert(dims.end(), r.known->begin(), r.known->end());
    b.setShape(out, Shape(dims));
  }
  return out;
}

}  // namespace weft::api::tf
