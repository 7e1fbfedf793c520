#include <algorithm>

#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "device/moves.h"
#include "graph/flow_context.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "ops/pieces.h"
#include "ops/registry.h"

// Joining tensors: Concat, Pack.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// Concat (axis first) and ConcatV2 (axis last).

struct ConcatArgs {
  int axis, first, count;
};
ConcatArgs concatArgs(bool axisFirst, int inputs) { return axisFirst ? ConcatArgs{0, 1, inputs - 1} : ConcatArgs{inputs - 1, 0, inputs - 1}; }

ShapeFunction concatShape(bool axisFirst) {
  return [axisFirst](ShapeContext& c) -> Status {
    const ConcatArgs args = concatArgs(axisFirst, c.inputCount());
    WEFT_TRY(c.requireRank(c.input(args.axis), 0));
    // Ranks first, even if the axis is unknown.
    int rank = -1;
    for (int i = 0; i < args.count && rank < 0; ++i) rank = c.input(args.first + i).hasRank() ? c.input(args.first + i).rank() : -1;
    if (rank == 0) return invalidArgument("Can't concatenate scalars (use tf.stack instead)");
    if (rank > 0)
      for (int i = 0; i < args.count; ++i) WEFT_TRY(c.requireRank(c.input(args.first + i), rank));
    const auto axis = c.constantInt(args.axis);
    if (!axis) {
      if (rank > 0) c.setOutput(0, Shape::unknownOfRank(rank));
      return {};
    }
    // Check before the conversion to int: a file may contain any 64-bit value.
    if (*axis < -Shape::kMaxRank || *axis >= Shape::kMaxRank) return invalidArgument("the axis ", *axis, " is outside any rank");
    const int least = int(*axis < 0 ? -*axis : *axis + 1);
    // From last to first, with the dims before and after the axis separate: error messages name these parts, as in TensorFlow.
    Shape before = Shape::unknown(), after = Shape::unknown();
    int64_t length = 0;
    for (int i = args.count - 1; i >= 0; --i) {
      const Shape& s = c.input(args.first + i);
      if (!s.hasRank()) {
        length = -1;
        continue;
      }
      WEFT_TRY(c.requireRankAtLeast(s, least));
      const int at = int(*axis < 0 ? *axis + s.rank() : *axis);
      WEFT_LET(before, c.merge(s.slice(0, at), before));
      WEFT_LET(after, c.merge(s.slice(at + 1), after));
      if (length >= 0) length = s.dim(at) < 0 ? -1 : length + s.dim(at);
    }
    if (!before.hasRank()) return {};
    Shape out = before;
    out.append(length);
    out.append(after);
    c.setOutput(0, std::move(out));
    return {};
  };
}

class ConcatKernel final : public Kernel {
 public:
  ConcatKernel(KernelInit& init, bool axisFirst) : axisFirst_(axisFirst) {}

  Status compute(KernelContext& c) override {
    const ConcatArgs args = concatArgs(axisFirst_, c.inputCount());
    const Tensor& axisTensor = c.input(args.axis);
    const char* name = axisFirst_ ? "concat_dim" : "axis";
    if (axisTensor.rank() != 0) {
      return invalidArgument(name, " tensor should be a scalar integer, but got shape ", axisTensor.shape().toString());
    }
    const Tensor& first = c.input(args.first);
    const int rank = first.rank();
    const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + rank : given;
    if (rank == 0) return invalidArgument("Can't concatenate scalars (use tf.stack instead)");
    if (axis < 0 || axis >= rank) {
      return invalidArgument("ConcatOp : Expected concatenating dimensions in the range [", -rank, ", ", rank, "), but got ", given);
    }
    Shape shape = first.shape();
    int64_t length = 0;
    for (int i = 0; i < args.count; ++i) {
      const Tensor& x = c.input(args.first + i);
      if (x.rank() != rank) {
        return invalidArgument("ConcatOp : Ranks of all input tensors should match: shape[0] = ", first.shape().toString(), " vs. shape[", i,
                               "] = ", x.shape().toString());
      }
      for (int d = 0; d < rank; ++d) {
        if (d != axis && x.dim(d) != first.dim(d)) {
          return invalidArgument("ConcatOp : Dimensions of inputs should match: shape[0] = ", first.shape().toString(), " vs. shape[", i,
                                 "] = ", x.shape().toString(), " (dimension ", d, " in both shapes must be equal)");
        }
      }
      length += x.dim(int(axis));
    }
    shape.setDim(int(axis), length);
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    const Around a = around(shape, axis);
    const size_t size = cpu::storageSize(first.dtype());
    std::vector<Pieces> pieces;
    pieces.reserve(size_t(args.count));
    int64_t at = 0;
    for (int i = 0; i < args.count; ++i) {
      const Tensor& x = c.input(args.first + i);
      const int64_t piece = x.dim(int(axis)) * a.after;
      pieces.push_back({x.raw(), piece, cpu::offsetBy(out->mutableRaw(), at, size), length * a.after, piece});
      at += piece;
    }
    return movePieces(c, *out, pieces, a.before);
  }

 private:
  const bool axisFirst_;
};

Grads slicesOfConcat(GradContext& c, const ConcatArgs& args, const IndexedSlices& g, std::vector<Output> out) {
  GraphBuilder& b = c.b();
  const Output axis = c.input(args.axis);
  const Output nonNegative = py::mod(b, axis, py::rank(b, c.input(args.first)));
  const auto known = b.constantValue(axis);
  if (!known) return invalidArgument("Can only compute IndexedSlices gradient with statically-known concat_dim");
  if (known->elements() != 1) return invalidArgument("concat_dim must be a scalar, but has shape ", known->shape().toString());
  int64_t at = known->asInt(0);
  if (at < 0) {
    const Shape s = b.shape(c.input(args.first));
    if (!s.hasRank()) {
      return invalidArgument("Can only compute IndexedSlices gradient with negative concat_dim when first value rank is statically-known.");
    }
    at += s.rank();
  }
  std::vector<Output> sizes;
  for (int i = 0; i < args.count; ++i) sizes.push_back(py::shape(b, c.input(args.first + i)));
  const auto put = [&](int i, Output values, Output indices, Output shape) { out[size_t(args.first + i)] = makeSlices(c, values, indices, shape); };
  if (at > 0) {  // several rows, each composed of one part per input
    const Output shapeOfShape = py::shape(b, sizes[0]);
    const Output front = py::fill(b, py::expandDims(b, nonNegative, 0), 0);
    const Output back = py::fill(b, py::sub(b, py::sub(b, shapeOfShape, nonNegative), 1), 0);
    const Output mask = py::concat(b, {front, std::vector<int64_t>{1}, back}, 0);
    Output begin = py::fill(b, shapeOfShape, 0);
    for (int i = 0; i < args.count; ++i) {
      Output tail;
      {
        const py::Scope s(b, "Slice");
        const Output from = b.ints({1}, "begin"), count = b.ints({-1}, "size");
        tail = b.op("Slice", {sizes[size_t(i)], from, count}, {}, s.name());
      }
      const Output extent = py::concat(b, {std::vector<int64_t>{-1}, tail}, 0);
      put(i, b.op("Slice", {g.values, begin, extent}), g.indices, sizes[size_t(i)]);
      begin = b.op("Add", {begin, py::mul(b, sizes[size_t(i)], mask)});
    }
    return out;
  }
  // Each input gets the rows in its range.
  const DType type = b.dtype(g.indices);
  Output start = b.number(type, 0, "Const");
  for (int i = 0; i < args.count; ++i) {
    Output length = py::gather(b, sizes[size_t(i)], nonNegative);
    length = py::cast(b, length, type);
    const Output end = py::add(b, start, length);
    const Output notBefore = b.op("GreaterEqual", {g.indices, start}), before = b.op("Less", {g.indices, end});
    const Output chosen = b.op("Squeeze", {b.op("Where", {b.op("LogicalAnd", {notBefore, before})})}, {{"squeeze_dims", std::vector<int64_t>{1}}});
    const Output indices = py::sub(b, py::gather(b, g.indices, chosen), start);
    put(i, py::gather(b, g.values, chosen), indices, sizes[size_t(i)]);
    start = end;
  }
  return out;
}

GradientFunction concatGradient(bool axisFirst) {
  return [axisFirst](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const ConcatArgs args = concatArgs(axisFirst, c.inputCount());
    std::vector<Output> out(size_t(c.inputCount()));
    if (args.count == 1) {
      out[size_t(args.first)] = c.grad();
      return out;
    }
    if (const auto slices = slicesOf(b, c.grad())) return slicesOfConcat(c, args, *slices, std::move(out));
    Output given = c.input(args.axis);
    if (b.nodeAt(given.node).op == "Const" && flow::outputContext(b, given.node) != flow::outputContext(b, c.grad().node)) {
      given = b.constant(*b.constantValue(given));  // copied, because it belongs to another loop or branch
    }
    const Output axis = py::mod(b, given, py::rank(b, c.input(args.first)));
    // Shapes as constants if all are known; otherwise one ShapeN (constants created before stay in the graph).
    std::vector<Output> sizes;
    bool known = true;
    Inputs values;
    for (int i = 0; i < args.count; ++i) values.add(c.input(args.first + i));
    for (int i = 0; i < args.count && known; ++i) {
      const Output s = py::shape(b, c.input(args.first + i));
      known = b.nodeAt(s.node).op == "Const";
      if (known) sizes.push_back(s);
    }
    if (!known) sizes = b.outputsOf(b.node("ShapeN", values));
    if (args.count > 16) {
      Output stacked;
      {
        const py::Scope s(b, "stack");
        stacked = b.op("Pack", sizes, {{"axis", 1}}, s.name());
      }
      Output column;
      {
        const py::Scope s(b, "Slice");
        const Output begin = py::stack(b, {axis, 0}, "begin"), size = b.ints({1, -1}, "size");
        column = b.op("Slice", {stacked, begin, size}, {}, s.name());
      }
      const Output lengths = b.op("Squeeze", {column});
      const py::Scope s(b, "split");
      const auto parts = b.outputsOf(b.node("SplitV", {c.grad(), lengths, axis}, {{"num_split", args.count}}, s.name()));
      for (int i = 0; i < args.count && i < int(parts.size()); ++i) out[size_t(args.first + i)] = parts[size_t(i)];
      return out;
    }
    const auto offsets = b.outputsOf(b.node("ConcatOffset", Inputs{axis}.add(sizes)));
    for (int i = 0; i < args.count && i < int(offsets.size()); ++i) {
      out[size_t(args.first + i)] = b.op("Slice", {c.grad(), offsets[size_t(i)], sizes[size_t(i)]});
    }
    return out;
  };
}

// Pack.

Status packShape(ShapeContext& c) {
  Shape in = c.input(c.inputCount() - 1);
  for (int i = c.inputCount() - 2; i >= 0; --i) {
    auto merged = c.merge(c.input(i), in);
    if (!merged.ok()) return invalidArgument("From merging shape ", i, " with other shapes. ", merged.error().message);
    in = std::move(merged).value();
  }
  if (!in.hasRank()) return {};
  const int64_t axis = c.attrs().integer("axis"), rank = in.rank() + 1;
  if (axis < -rank || axis >= rank) return invalidArgument("Invalid axis: ", axis, "; must be in [", -rank, ",", rank, ")");
  const int64_t at = axis < 0 ? axis + rank : axis;
  Shape out;
  for (int d = 0; d < rank; ++d) {
    if (d == at) out.append(c.inputCount());
    else out.append(in.dim(d < at ? d : d - 1));
  }
  c.setOutput(0, std::move(out));
  return {};
}

class PackKernel final : public Kernel {
 public:
  explicit PackKernel(KernelInit& init) : axis_(init.attrs().integer("axis")) {}
  Status compute(KernelContext& c) override {
    const Tensor& first = c.input(0);
    const int64_t rank = first.rank() + 1, at = axis_ < 0 ? axis_ + rank : axis_;
    if (at < 0 || at >= rank) return invalidArgument("axis = ", axis_, " not in [", -rank, ", ", rank, ")");
    const int count = c.inputCount();
    for (int i = 1; i < count; ++i) {
      if (!(c.input(i).shape() == first.shape())) {
        return invalidArgument("Shapes of all inputs must match: values[0].shape = ", first.shape().toString(), " != values[", i,
                               "].shape = ", c.input(i).shape().toString());
      }
    }
    Shape shape;
    int64_t before = 1, after = 1;
    for (int d = 0; d < rank; ++d) {
      if (d == at) {
        shape.append(count);
        continue;
      }
      const int64_t n = first.dim(int(d < at ? d : d - 1));
      shape.append(n);
      (d < at ? before : after) *= n;
    }
    if (count == 1) {
      c.setOutput(0, first.reshaped(std::move(shape)));
      return {};
    }
    WEFT_LET(Tensor* out, c.allocate(0, shape));
    const size_t size = cpu::storageSize(first.dtype());
    if (before * after == 1 && out->place() == 0) {  // scalars need no copy loops
      cpu::withStorage(first.dtype(), [&](auto tag) {
        using S = typename decltype(tag)::type;
        S* y = static_cast<S*>(out->mutableRaw());
        for (int i = 0; i < count; ++i) y[i] = *static_cast<const S*>(c.input(i).raw());
      });
      return {};
    }
    std::vector<Pieces> pieces;
    pieces.reserve(size_t(count));
    for (int i = 0; i < count; ++i) pieces.push_back({c.input(i).raw(), after, cpu::offsetBy(out->mutableRaw(), i * after, size), after * count, after});
    return movePieces(c, *out, pieces, before);
  }

 private:
  const int64_t axis_;
};

Grads packGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const py::Scope s(b, "unstack");
  const int id = b.node("Unpack", {c.grad()}, {{"num", c.attrs().integer("N")}, {"axis", c.attrs().integer("axis")}}, s.name());
  return b.outputsOf(id);
}

KernelFactory concatKernel(bool axisFirst) {
  return [axisFirst](KernelInit& init) -> Result<std::unique_ptr<Kernel>> { return std::unique_ptr<Kernel>(std::make_unique<ConcatKernel>(init, axisFirst)); };
}

}  // namespace

void registerJoining(OpRegistry& ops) {
  ops.add("Concat")
      .category("Arrays")
      .summary("Concatenates tensors along an axis.")
      .input("concat_dim: int32", "The axis; negative values count from the end.")
      .input("values: N * T", "Tensors with equal shapes except along the axis.")
      .output("output: T", "The concatenated tensor.")
      .attr("N: int >= 2", "Number of tensors.")
      .attr("T: type", "Type of the elements.")
      .shape(concatShape(true))
      .gradient(concatGradient(true))
      .cpu({}, concatKernel(true));
  ops.add("ConcatV2")
      .category("Arrays")
      .summary("Concatenates tensors along an axis.")
      .input("values: N * T", "Tensors with equal shapes except along the axis.")
      .input("axis: Tidx", "The axis; negative values count from the end.")
      .output("output: T", "The concatenated tensor.")
      .attr("N: int >= 2", "Number of tensors.")
      .attr("T: type", "Type of the elements.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axis.")
      .shape(concatShape(false))
      .gradient(concatGradient(false))
      .cpu({}, concatKernel(false));
  ops.add("Pack")
      .category("Arrays")
      .summary("Stacks tensors of the same shape along a new axis.")
      .input("values: N * T", "The tensors.")
      .output("output: T", "The stacked tensor.")
      .attr("N: int >= 1", "Number of tensors.")
      .attr("T: type", "Type of the elements.")
      .attr("axis: int = 0", "Position of the new axis; negative values count from the end.")
      .shape(packShape)
      .gradient(packGradient)
      .cpu({}, kernelOf<PackKernel>());
  makeFresh(ops, "Pack");
  passNan(ops, NanPath::Whole, "ConcatV2");
}

}  // namespace weft
