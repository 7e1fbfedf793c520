#include "ops/grad_ops.h"

#include <algorithm>
#include <map>

#include "graph/indexed_slices.h"

namespace weft::py {
namespace {

Tensor intTensor(const std::vector<int64_t>& v, DType type) {
  if (type == DType::Int64) return Tensor::vector(v);
  return Tensor::vector(std::vector<int32_t>(v.begin(), v.end()));
}

DType typeOf(GraphBuilder& b, const Operand& x, const Operand& y) {
  if (const Output* o = x.tensor()) return b.dtype(*o);
  if (const Output* o = y.tensor()) return b.dtype(*o);
  return DType::Int32;
}

}  // namespace

Output tensor(GraphBuilder& b, const Operand& x, DType type, std::string_view name) {
  if (const Output* o = x.tensor()) return *o;
  if (const double* v = std::get_if<double>(&x.value)) return b.number(type, *v, name);
  return b.constant(intTensor(std::get<std::vector<int64_t>>(x.value), type), name);
}

Output binary(GraphBuilder& b, std::string_view scope, std::string_view op, const Operand& x, const Operand& y) {
  const DType type = typeOf(b, x, y);
  const Scope s(b, scope);
  const Output left = tensor(b, x, type, "x"), right = tensor(b, y, type, "y");
  return b.op(op, {left, right}, {}, s.name());
}

Output call(GraphBuilder& b, std::string_view op, const Operand& x, const Operand& y) {
  const DType type = typeOf(b, x, y);
  const Scope s(b, op);
  const Output left = tensor(b, x, type, "x"), right = tensor(b, y, type, "y");
  return b.op(op, {left, right}, {}, s.name());
}

Output conj(GraphBuilder& b, Output x) { return isComplex(b.dtype(x)) ? b.op("Conj", {x}) : x; }

Output cast(GraphBuilder& b, Output x, DType type) { return b.dtype(x) == type ? x : b.op("Cast", {x}, {{"DstT", type}}); }

Output shape(GraphBuilder& b, Output x, DType type, bool optimize) {
  const Scope scope(b, "Shape");  // inside a loop, the Const's control input is created in this scope
  const Shape s = b.shape(x);
  if (optimize && s.isFullyKnown()) return b.constant(intTensor(s.toVector(), type), scope.name());
  return b.op("Shape", {x}, {{"out_type", type}}, scope.name());
}

Output rank(GraphBuilder& b, Output x) {
  const Scope scope(b, "Rank");
  const Shape s = b.shape(x);
  return s.hasRank() ? b.scalar(int32_t(s.rank()), scope.name()) : b.op("Rank", {x}, {}, scope.name());
}

Output size(GraphBuilder& b, Output x) {
  const Scope scope(b, "Size");
  const Shape s = b.shape(x);
  if (s.isFullyKnown()) return b.scalar(int32_t(s.elements()), scope.name());
  if (s.hasRank() && std::count(s.dims().begin(), s.dims().end(), 0)) return b.scalar(int32_t(0), scope.name());
  return b.op("Size", {x}, {}, scope.name());
}

Output range(GraphBuilder& b, const Operand& start, const Operand& limit, int64_t delta, DType type) {
  const Scope s(b, "range");
  const Output from = tensor(b, start, type, "start"), to = tensor(b, limit, type, "limit"), step = b.number(type, double(delta), "delta");
  return b.op("Range", {from, to, step}, {}, s.name());
}

Output fill(GraphBuilder& b, Output dims, double value, DType type) {
  const Scope s(b, "Fill");
  const Output v = b.number(type, value, "value");
  return b.op("Fill", {dims, v}, {}, s.name());
}

Output zeros(GraphBuilder& b, Output shape, DType type) {
  const Scope s(b, "zeros");
  if (!b.shape(shape).hasRank() || b.shape(shape).rank() == 0) shape = reshape(b, shape, std::vector<int64_t>{-1});
  const Output zero = b.number(type, 0, "Const");
  return b.op("Fill", {shape, zero}, {}, s.name());
}

Output zeros(GraphBuilder& b, const Shape& shape, DType type) {
  const Scope s(b, "zeros");
  if (shape.elements() < 1000) return b.constant(Tensor::zeros(type, shape), s.name());
  const Output dims = b.constant(intTensor(shape.toVector(), DType::Int32), "shape_as_tensor");
  const Output zero = b.number(type, 0, "Const");
  return b.op("Fill", {dims, zero}, {}, s.name());
}

Output zerosLike(GraphBuilder& b, Output x) {
  const Shape known = b.shape(x);
  const DType type = b.dtype(x);
  const Scope s(b, "zeros_like");
  if (!known.isFullyKnown() || type == DType::Variant) return b.op("ZerosLike", {x}, {}, s.name());
  if (known.elements() < 1000) return b.constant(Tensor::zeros(type, known), s.name());
  const Output dims = b.constant(intTensor(known.toVector(), DType::Int32), "shape_as_tensor");
  const Output zero = b.number(type, 0, "Const");
  return b.op("Fill", {dims, zero}, {}, s.name());
}

Output onesLike(GraphBuilder& b, Output x, DType type) {
  const Scope s(b, "ones_like");
  Output dims = shape(b, x);
  if (!b.shape(dims).hasRank() || b.shape(dims).rank() == 0) dims = reshape(b, dims, std::vector<int64_t>{-1});
  const Output one = b.number(type == DType::Invalid ? b.dtype(x) : type, 1, "Const");
  return b.op("Fill", {dims, one}, {}, s.name());
}

Output reshape(GraphBuilder& b, Output x, const Operand& shape) {
  if (const Output* o = shape.tensor()) return b.op("Reshape", {x, *o});
  const Scope s(b, "Reshape");
  const Output dims = tensor(b, shape, DType::Int32, "shape");
  return b.op("Reshape", {x, dims}, {}, s.name());
}

Output reduceSum(GraphBuilder& b, Output x, const Operand& axes, bool keepDims) {
  if (const Output* o = axes.tensor()) return b.op("Sum", {x, *o}, {{"keep_dims", keepDims}});
  const Scope s(b, "Sum");
  const Output list = tensor(b, axes, DType::Int32, "reduction_indices");
  return b.op("Sum", {x, list}, {{"keep_dims", keepDims}}, s.name());
}

Output reduceProd(GraphBuilder& b, Output x) {
  const Output axes = b.ints({0}, "Const");
  return b.op("Prod", {x, axes});
}

Output transpose(GraphBuilder& b, Output x, Output perm, bool conjugate) {
  const Scope s(b, "transpose");
  return b.op(conjugate && isComplex(b.dtype(x)) ? "ConjugateTranspose" : "Transpose", {x, perm}, {}, s.name());
}

Output gather(GraphBuilder& b, Output params, Output indices) {
  const Scope s(b, "GatherV2");
  const Output axis = b.scalar(int32_t(0), "axis");
  return b.op("GatherV2", {params, indices, axis}, {}, s.name());
}

Output expandDims(GraphBuilder& b, Output x, int axis) {
  const Scope s(b, "ExpandDims");
  const Output dim = b.scalar(int32_t(axis), "dim");
  return b.op("ExpandDims", {x, dim}, {}, s.name());
}

Output concat(GraphBuilder& b, const std::vector<Operand>& values, const Operand& axis, DType type) {
  const Scope s(b, "concat");
  Inputs in;
  for (size_t i = 0; i < values.size(); ++i) in.add(tensor(b, values[i], type, "values_" + std::to_string(i)));
  in.add(tensor(b, axis, DType::Int32, "axis"));
  return b.op("ConcatV2", in, {}, s.name());
}

Output concatTensors(GraphBuilder& b, const std::vector<Output>& values, Output axis) {
  const Scope s(b, "concat");
  if (values.size() == 1) return b.op("Identity", {values[0]}, {}, "concat");  // nothing to join
  return b.op("ConcatV2", Inputs(values).add(axis), {}, s.name());
}

Output stack(GraphBuilder& b, const std::vector<Operand>& values, std::string_view name, DType type) {
  const Scope s(b, name);
  Inputs in;
  for (size_t i = 0; i < values.size(); ++i) in.add(tensor(b, values[i], type, std::to_string(i)));
  return b.op("Pack", in, {}, s.name());
}

namespace {

/// One element of a slice's bounds: a Const vector, or a Pack of the tensor.
Output bound(GraphBuilder& b, const Operand& v, std::string_view name) {
  if (const double* number = std::get_if<double>(&v.value)) return b.ints({int32_t(*number)}, name);
  return stack(b, {v}, name);
}

Output sliced(GraphBuilder& b, Output x, const Operand& begin, const Operand& end, AttrMap masks) {
  const Scope s(b, "strided_slice");
  Output from = bound(b, begin, "stack"), to = bound(b, end, "stack_1"), step = b.ints({1}, "stack_2");
  if (b.dtype(from) == DType::Int64 || b.dtype(to) == DType::Int64) {  // int64 makes all operands int64
    from = cast(b, from, DType::Int64);
    to = cast(b, to, DType::Int64);
    step = cast(b, step, DType::Int64);
  }
  return b.op("StridedSlice", {x, from, to, step}, std::move(masks), s.name());
}

}  // namespace

Output sliceFrom(GraphBuilder& b, Output x, int64_t begin) { return sliced(b, x, int(begin), 0, {{"end_mask", 1}}); }
Output sliceFrom(GraphBuilder& b, Output x, Output begin) { return sliced(b, x, begin, 0, {{"end_mask", 1}}); }
Output sliceTo(GraphBuilder& b, Output x, const Operand& end) { return sliced(b, x, 0, end, {{"begin_mask", 1}}); }
Output at(GraphBuilder& b, Output x, int64_t index) { return sliced(b, x, int(index), int(index + 1), {{"shrink_axis_mask", 1}}); }
Output at(GraphBuilder& b, Output x, Output index) {
  const Output next = add(b, index, 1);
  return sliced(b, x, index, next, {{"shrink_axis_mask", 1}});
}

namespace {

/// TensorFlow's Python caches these per graph, so that the ops are created only once.
struct BroadcastCache {
  std::map<std::pair<std::vector<int64_t>, std::vector<int64_t>>, std::pair<std::vector<int64_t>, std::vector<int64_t>>> axes;
};

std::pair<std::vector<int64_t>, std::vector<int64_t>> axesOf(const std::vector<int64_t>& x, const std::vector<int64_t>& y) {
  std::pair<std::vector<int64_t>, std::vector<int64_t>> out;
  if (x == y) return out;
  const int64_t n = int64_t(std::max(x.size(), y.size())), dx = n - int64_t(x.size()), dy = n - int64_t(y.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t a = i < dx ? 1 : x[size_t(i - dx)], c = i < dy ? 1 : y[size_t(i - dy)];
    if (a == 1) out.first.push_back(i);
    if (c == 1) out.second.push_back(i);
  }
  return out;
}

}  // namespace

BroadcastAxes dynamicBroadcastAxes(GraphBuilder& b, Output x, Output y) {
  const Output sx = shape(b, x), sy = shape(b, y);
  const int args = b.node("BroadcastGradientArgs", {sx, sy});
  return {{sx, Output{args, 0}, true}, {sy, Output{args, 1}, true}};
}

BroadcastAxes broadcastAxes(GraphBuilder& b, Output x, Output y, Output grad) {
  const Shape xs = b.shape(x), ys = b.shape(y);
  if (grad.node < 0 || !xs.isFullyKnown() || !ys.isFullyKnown()) {
    const bool optimize = grad.node < 0;
    const Output sx = shape(b, x, DType::Int32, optimize), sy = shape(b, y, DType::Int32, optimize);
    const int args = b.node("BroadcastGradientArgs", {sx, sy});
    return {{sx, Output{args, 0}, true}, {sy, Output{args, 1}, true}};
  }
  const auto xv = xs.toVector(), yv = ys.toVector();
  auto& cache = b.extension<BroadcastCache>().axes;
  auto it = cache.find({xv, yv});
  if (it == cache.end()) {
    const Scope s(b, "BroadcastGradientArgs");
    const Output s0 = b.constant(intTensor(xv, DType::Int32), "s0"), s1 = b.constant(intTensor(yv, DType::Int32), "s1");
    b.node("BroadcastGradientArgs", {s0, s1}, {}, s.name());
    it = cache.emplace(std::pair(xv, yv), axesOf(xv, yv)).first;
  }
  const Shape g = b.shape(grad);
  return {{xv, it->second.first, !(g == xs)}, {yv, it->second.second, !(g == ys)}};
}

Output reduced(GraphBuilder& b, Output grad, const BroadcastAxes::Side& side) { return reshape(b, reduceSum(b, grad, side.axes), side.shape); }

Output reducedShape(GraphBuilder& b, Output inputShape, Output axes) {
  inputShape = cast(b, inputShape, DType::Int32);
  axes = cast(b, axes, DType::Int32);
  const Output inputRank = size(b, inputShape);
  axes = mod(b, add(b, axes, inputRank), inputRank);
  const Output axesShape = shape(b, axes);
  const Output all = range(b, 0, inputRank);
  const Output ones = fill(b, axesShape, 1);
  return b.op("DynamicStitch", {all, axes, inputShape, ones}, {{"N", 2}});
}

Output safeShapeDiv(GraphBuilder& b, const Operand& x, Output y) { return floordiv(b, x, call(b, "Maximum", y, 1)); }

GraphBuilder::Guard afterGrad(GradContext& c) {
  const auto slices = slicesOf(c.b(), c.grad());
  return c.b().controlDependencies({slices ? slices->values.node : c.grad().node});
}

bool shapesKnownAndEqual(GraphBuilder& b, Output x, Output y, Output grad) {
  const Shape s = b.shape(x);
  return grad.node >= 0 && s.isFullyKnown() && s == b.shape(y) && s == b.shape(grad);
}

}  // namespace weft::py
