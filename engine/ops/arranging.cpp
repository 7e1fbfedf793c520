#include <algorithm>

#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "device/moves.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Ops that reorder or repeat elements: Transpose, Tile, BroadcastTo, Reverse.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// Transpose and ConjugateTranspose.

Status transposeShape(ShapeContext& c) {
  const Shape &in = c.input(0), &perm = c.input(1);
  const Tensor* values = c.constant(1);
  const int64_t n = perm.elements();
  const int64_t rank = in.hasRank() ? in.rank() : n;
  if (rank < 0) return {};
  if (!in.hasRank() && rank < 2) return {};  // a scalar or vector
  WEFT_TRY(c.requireRank(perm, 1));
  if (n >= 0 && n != rank) return invalidArgument("Dimension must be ", rank, " but is ", n);
  Shape out = Shape::unknownOfRank(int(rank));
  if (values && in.hasRank()) {
    for (int64_t i = 0; i < values->elements() && i < rank; ++i) {
      const int64_t p = values->asInt(i);
      if (p >= rank) return invalidArgument("perm dim ", p, " is out of range of input rank ", rank);
      if (p >= 0) out.setDim(int(i), in.dim(int(p)));
      else if (p >= -rank) out.setDim(int(i), in.dim(int(p + rank)));
    }
  } else if (in.hasRank() && rank == 1) {
    out = in;
  }
  c.setOutput(0, std::move(out));
  return {};
}

class TransposeKernel final : public Kernel {
 public:
  explicit TransposeKernel(KernelInit& init) : conjugate_(init.node().op == "ConjugateTranspose" && isComplex(init.inputType(0))) {}
  Status compute(KernelContext& c) override {
    const Tensor &x = c.input(0), &perm = c.input(1);
    const int rank = x.rank();
    if (perm.rank() != 1) return invalidArgument("perm must be a vector, not ", perm.shape().toString());
    if (perm.elements() != rank) return invalidArgument("transpose expects a vector of size ", rank, ". But input(1) is a vector of size ", perm.elements());
    cpu::SmallInts order, seen(size_t(rank), 0);
    bool identity = true;
    for (int d = 0; d < rank; ++d) {
      const int64_t p = perm.asInt(d);
      if (p < 0 || p >= rank) return invalidArgument(perm.asInt(d), " is out of range [0 .. ", rank, ")");
      seen[size_t(p)] = 1;
      order.push_back(p);
      identity = identity && p == d;
    }
    for (int d = 0; d < rank; ++d) {
      if (!seen[size_t(d)]) return invalidArgument(d, " is missing from {", listText(order), "}.");
    }
    if (identity && !conjugate_) {
      c.setOutput(0, x);
      return {};
    }
    Shape shape;
    for (int64_t p : order) shape.append(x.dim(int(p)));
    // No data moves if the dimensions longer than 1 keep their order.
    int64_t last = -1;
    bool moves = false;
    for (int64_t p : order) {
      if (x.dim(int(p)) == 1) continue;
      moves = moves || p < last;
      last = p;
    }
    if (!moves && !conjugate_) {
      c.setOutput(0, x.reshaped(std::move(shape)));
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    if (out->elements() == 0) return {};
    const auto from = cpu::denseStrides(x.shape()), to = cpu::denseStrides(shape);
    cpu::BoxCopy box;
    for (int d = 0; d < rank; ++d) box.add(shape.dim(d), from[size_t(order[size_t(d)])], to[size_t(d)]);
    WEFT_TRY(moveBox(c, *out, std::move(box), x.raw(), out->mutableRaw()));
    return conjugate_ ? weft::conjugate(c, *out) : Status();
  }

 private:
  static std::string listText(const cpu::SmallInts& v) {
    std::string out;
    for (size_t i = 0; i < v.size(); ++i) out += (i ? "," : "") + std::to_string(v[i]);
    return out;
  }
  const bool conjugate_;
};

GradientFunction transposeGradient(bool conjugate) {
  return [conjugate](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const Output back = b.op("InvertPermutation", {c.input(1)});
    return std::vector{py::transpose(b, c.grad(), back, conjugate), Output{}};
  };
}

// Tile.

Status tileShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_LET(const Shape multiples, c.constantAsShape(1));
  if (in.hasRank()) {
    const int64_t n = c.input(1).hasRank() ? c.input(1).dim(0) : -1;
    if (n >= 0 && n != in.rank()) return invalidArgument("Shape must be rank ", n, " but is rank ", in.rank());
  }
  if (!in.hasRank() || !multiples.hasRank()) {
    const int64_t n = in.hasRank() ? in.rank() : multiples.hasRank() ? multiples.rank() : c.input(1).hasRank() ? c.input(1).dim(0) : -1;
    if (n >= 0) c.setOutput(0, Shape::unknownOfRank(int(n)));
    return {};
  }
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    int64_t dim = in.dim(d) == 0 ? 0 : -1;
    if (in.dim(d) >= 0 && multiples.dim(d) >= 0 && __builtin_mul_overflow(in.dim(d), multiples.dim(d), &dim)) {
      return invalidArgument("Negative dimension size caused by overflow when multiplying ", in.dim(d), " and ", multiples.dim(d));
    }
    out.append(dim);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status runTile(KernelContext& c) {
  const Tensor &x = c.input(0), &multiples = c.input(1);
  if (multiples.rank() != 1) return invalidArgument("Expected multiples to be 1-D, but got shape ", multiples.shape().toString());
  if (multiples.elements() != x.rank()) {
    return invalidArgument("Expected multiples argument to be a vector of length ", x.rank(), " but got length ", multiples.elements());
  }
  Shape shape;
  bool identity = true;
  for (int d = 0; d < x.rank(); ++d) {
    const int64_t m = multiples.asInt(d);
    if (m < 0) return invalidArgument("Expected multiples[", d, "] >= 0, but got ", m);
    int64_t length = 0;
    if (__builtin_mul_overflow(x.dim(d), m, &length)) return invalidArgument("Dimension ", d, " of ", x.dim(d), " times ", m, " overflows");
    shape.append(length);
    identity = identity && m == 1;
  }
  if (identity) {
    c.setOutput(0, x);
    return {};
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  if (x.elements() == 1 && out->place() == 0) {
    cpu::fillElements(x.dtype(), x.raw(), out->mutableRaw(), out->elements());
    return {};
  }
  const auto from = cpu::denseStrides(x.shape()), to = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  for (int d = 0; d < x.rank(); ++d) {
    box.add(multiples.asInt(d), 0, x.dim(d) * to[size_t(d)]);
    box.add(x.dim(d), from[size_t(d)], to[size_t(d)]);
  }
  return moveBox(c, *out, std::move(box), x.raw(), out->mutableRaw());
}

Grads tileGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputShape = py::shape(b, c.input(0), b.dtype(c.input(1)));
  const Output stacked = py::stack(b, {c.input(1), inputShape});
  // tf.transpose of a matrix, without a permutation.
  Output columns;
  {
    const py::Scope s(b, "transpose");
    Output perm;
    const Shape known = b.shape(stacked);
    if (known.rank() > 0) {
      perm = b.ints({1, 0}, "perm");
    } else {
      const Output rank = b.op("Rank", {stacked});
      const Output last = py::sub(b, rank, 1);
      const Output all = py::call(b, "Range", 0, rank);
      perm = py::sub(b, last, all);
    }
    columns = b.op("Transpose", {stacked, perm}, {}, s.name());
  }
  const Output splitShape = py::reshape(b, columns, std::vector<int64_t>{-1});
  const Output axes = py::range(b, 0, py::size(b, splitShape), 2);
  const Output split = py::reshape(b, c.grad(), splitShape);
  const Output g = py::reduceSum(b, split, axes);
  if (b.ok() && b.shape(g).mergedWith(b.shape(c.input(0))).ok()) b.setShape(g, b.shape(c.input(0)));
  return std::vector{g, Output{}};
}

// BroadcastTo.

Status broadcastToShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_LET(Shape out, c.constantAsShape(1));
  const Shape& in = c.input(0);
  if (in.hasRank() && out.hasRank()) {
    WEFT_TRY(c.requireRankAtMost(in, out.rank()));
    for (int d = 1; d <= in.rank(); ++d) {
      const int64_t a = in.dim(in.rank() - d), b = out.dim(out.rank() - d);
      if (a > 1) WEFT_TRY(c.mergeDims(a, b));
    }
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status runBroadcastTo(KernelContext& c) {
  const Tensor &x = c.input(0), &dims = c.input(1);
  Shape shape;
  for (int64_t i = 0; i < dims.elements(); ++i) shape.append(dims.asInt(i));
  if (x.rank() > shape.rank()) {
    return invalidArgument("Rank of input (", x.rank(), ") must be no greater than rank of output shape (", shape.rank(), ").");
  }
  const int shift = shape.rank() - x.rank();
  for (int d = 0; d < x.rank(); ++d) {
    if (x.dim(d) != 1 && x.dim(d) != shape.dim(d + shift)) return invalidArgument("Incompatible shapes: ", x.shape().toString(), " vs. ", shape.toString());
  }
  if (x.shape() == shape) {
    c.setOutput(0, x);
    return {};
  }
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  const auto from = cpu::denseStrides(x.shape()), to = cpu::denseStrides(shape);
  cpu::BoxCopy box;
  for (int d = 0; d < shape.rank(); ++d) {
    box.add(shape.dim(d), d < shift || x.dim(d - shift) == 1 ? 0 : from[size_t(d - shift)], to[size_t(d)]);
  }
  return moveBox(c, *out, std::move(box), x.raw(), out->mutableRaw());
}

Grads broadcastToGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputShape = py::shape(b, c.input(0));
  const int args = b.node("BroadcastGradientArgs", {c.input(1), inputShape});
  const Output sum = py::reduceSum(b, c.grad(), Output{args, 1}, true);
  return std::vector{py::reshape(b, sum, inputShape), Output{}};
}

// Reverse and ReverseV2.

constexpr int kMostReversed = 8;  // dimensions

Status reverseInto(KernelContext& c, const std::vector<bool>& reversed) {
  const Tensor& x = c.input(0);
  if (x.rank() > kMostReversed) return unimplemented("reverse is not implemented for tensors of rank > 8.");
  if (std::none_of(reversed.begin(), reversed.end(), [](bool r) { return r; })) {
    c.setOutput(0, x);
    return {};
  }
  WEFT_LET(Tensor* out, c.allocate(0, x.shape()));
  if (out->elements() == 0) return {};
  const auto strides = cpu::denseStrides(x.shape());
  cpu::BoxCopy box;
  int64_t offset = 0;
  for (int d = 0; d < x.rank(); ++d) {
    const bool r = reversed[size_t(d)];
    box.add(x.dim(d), r ? -strides[size_t(d)] : strides[size_t(d)], strides[size_t(d)]);
    if (r) offset += (x.dim(d) - 1) * strides[size_t(d)];
  }
  return moveBox(c, *out, std::move(box), cpu::offsetBy(x.raw(), offset, cpu::storageSize(x.dtype())), out->mutableRaw());
}

Status runReverse(KernelContext& c) {
  const Tensor &x = c.input(0), &dims = c.input(1);
  if (x.rank() == 0) {
    c.setOutput(0, x);
    return {};
  }
  if (dims.rank() != 1) return invalidArgument("'dims' must be 1-dimension, not ", dims.rank());
  if (dims.elements() != x.rank())
    return invalidArgument("'dims' must have the same number of values as 'input' has dimensions. 'input' has ", x.rank(), "'dims' has ", dims.elements(),
                           " values");
  std::vector<bool> reversed;
  for (int d = 0; d < x.rank(); ++d) reversed.push_back(dims.at<bool>(d));
  return reverseInto(c, reversed);
}

Result<std::vector<bool>> reversedAxes(const Tensor& axes, int rank) {
  std::vector<bool> reversed(size_t(rank), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int64_t given = axes.asInt(i), axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank) return invalidArgument("'axis'[", i, "] = ", given, " is out of valid range [", -rank, ", ", rank - 1, "]");
    if (reversed[size_t(axis)]) return invalidArgument("axis ", axis, " specified more than once.");
    reversed[size_t(axis)] = true;
  }
  return reversed;
}

Status runReverseV2(KernelContext& c) {
  const Tensor &x = c.input(0), &axes = c.input(1);
  if (x.rank() == 0) {
    c.setOutput(0, x);
    return {};
  }
  if (axes.rank() != 1) return invalidArgument("'dims' must be 1-dimension, not ", axes.rank());
  WEFT_LET(const auto reversed, reversedAxes(axes, x.rank()));
  return reverseInto(c, reversed);
}

Status reverseV2Shape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.input(0).rank() > kMostReversed) return invalidArgument("reverse does not work on tensors with more than 8 dimensions");
  if (const Tensor* axes = c.constant(1); axes && c.input(0).hasRank()) {
    const int rank = c.input(0).rank();
    auto checked = reversedAxes(*axes, rank);
    if (!checked.ok()) return checked.error();
  }
  c.setOutput(0, c.input(0));
  return {};
}

Grads reverseGradient(GradContext& c) { return std::vector{c.b().op("Reverse", {c.grad(), c.input(1)}), Output{}}; }
Grads reverseV2Gradient(GradContext& c) { return std::vector{c.b().op("ReverseV2", {c.grad(), c.input(1)}), Output{}}; }

}  // namespace

void registerArranging(OpRegistry& ops) {
  for (const bool conjugate : {false, true}) {
    ops.add(conjugate ? "ConjugateTranspose" : "Transpose")
        .category("Arrays")
        .summary(conjugate ? "Permutes the dimensions of a tensor and conjugates complex elements." : "Permutes the dimensions of a tensor.")
        .input("x: T", "Any tensor.")
        .input("perm: Tperm", "Dimension i of the output is dimension perm[i] of `x`.")
        .output("y: T", "The transposed tensor.")
        .attr("T: type", "Type of the elements.")
        .attr("Tperm: {int32, int64} = DT_INT32", "Type of the permutation.")
        .shape(transposeShape)
        .gradient(transposeGradient(conjugate))
        .cpu({}, kernelOf<TransposeKernel>());
  }
  ops.add("Tile")
      .category("Arrays")
      .summary("Repeats a tensor along each of its dimensions.")
      .input("input: T", "The tensor to repeat.")
      .input("multiples: Tmultiples", "Number of repetitions for each dimension; a vector.")
      .output("output: T", "The tiled tensor; dimension i has size input.shape[i] * multiples[i].")
      .attr("T: type", "Type of the elements.")
      .attr("Tmultiples: {int32, int64} = DT_INT32", "Type of the numbers.")
      .shape(tileShape)
      .gradient(tileGradient)
      .cpu({}, simpleKernel(runTile));
  ops.add("BroadcastTo")
      .category("Arrays")
      .summary("Broadcasts a tensor to a given shape.")
      .input("input: T", "The tensor to repeat.")
      .input("shape: Tidx", "The target shape.")
      .output("output: T", "The broadcast tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the shape.")
      .shape(broadcastToShape)
      .gradient(broadcastToGradient)
      .cpu({}, simpleKernel(runBroadcastTo));
  ops.add("Reverse")
      .category("Arrays")
      .summary("Reverses a tensor along some of its dimensions.")
      .input("tensor: T", "Any tensor.")
      .input("dims: bool", "For each dimension, whether to reverse it.")
      .output("output: T", "The reversed tensor.")
      .attr("T: {uint8, int8, uint16, int16, int32, int64, bool, half, float, double, complex64, complex128, string}", "Type of the elements.")
      .shape(shapes::unchanged)
      .gradient(reverseGradient)
      .cpu({}, simpleKernel(runReverse));
  ops.add("ReverseV2")
      .category("Arrays")
      .summary("Reverses a tensor along some of its dimensions.")
      .input("tensor: T", "Any tensor.")
      .input("axis: Tidx", "Dimensions to reverse; negative values count from the end.")
      .output("output: T", "The reversed tensor.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axes.")
      .attr("T: {uint8, int8, uint16, int16, int32, int64, bool, bfloat16, half, float, double, complex64, complex128, string}", "Type of the elements.")
      .shape(reverseV2Shape)
      .gradient(reverseV2Gradient)
      .cpu({}, simpleKernel(runReverseV2));
}

}  // namespace weft
