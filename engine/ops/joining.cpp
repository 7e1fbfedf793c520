#include <algorithm>

#include "autodiff/slices.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "graph/flow_context.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

// Joining tensors and taking them apart: Concat, Pack, Split, Unpack.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

/// Lengths before and behind an axis.
struct Around {
  int64_t before = 1, after = 1;
};
Around around(const Shape& s, int64_t axis) {
  Around a;
  for (int d = 0; d < s.rank(); ++d) {
    if (d < axis) a.before *= s.dim(d);
    if (d > axis) a.after *= s.dim(d);
  }
  return a;
}

/// Copies `rows` pieces of `length` elements, which lie `fromStride` and `toStride` apart.
void copyPieces(DType type, const void* from, int64_t fromStride, void* to, int64_t toStride, int64_t rows, int64_t length) {
  cpu::BoxCopy box;
  box.add(rows, fromStride, toStride);
  box.add(length, 1, 1);
  cpu::copyBox(type, std::move(box), from, to);
}

// Concat (axis first) and ConcatV2 (axis last).

struct ConcatArgs {
  int axis, first, count;
};
ConcatArgs concatArgs(bool axisFirst, int inputs) { return axisFirst ? ConcatArgs{0, 1, inputs - 1} : ConcatArgs{inputs - 1, 0, inputs - 1}; }

ShapeFunction concatShape(bool axisFirst) {
  return [axisFirst](ShapeContext& c) -> Status {
    const ConcatArgs args = concatArgs(axisFirst, c.inputCount());
    WEFT_TRY(c.requireRank(c.input(args.axis), 0));
    const auto axis = c.constantInt(args.axis);
    if (!axis) {
      // Only the rank is known, from any input that has one.
      for (int i = 0; i < args.count; ++i) {
        const Shape& s = c.input(args.first + i);
        if (!s.hasRank()) continue;
        for (int k = 0; k < args.count; ++k) WEFT_TRY(c.requireRank(c.input(args.first + k), s.rank()));
        c.setOutput(0, Shape::unknownOfRank(s.rank()));
        return {};
      }
      return {};
    }
    const int least = int(*axis < 0 ? -*axis : *axis + 1);
    Shape out = Shape::unknown();
    int64_t length = 0;
    for (int i = 0; i < args.count; ++i) {
      const Shape& s = c.input(args.first + i);
      if (s.hasRank()) {
        if (s.rank() == 0) return invalidArgument("Can't concatenate scalars (use tf.stack instead)");
        WEFT_TRY(c.requireRankAtLeast(s, least));
        if (out.hasRank()) WEFT_TRY(c.requireRank(s, out.rank()));
      }
      if (!s.hasRank()) {
        length = -1;
        continue;
      }
      const int at = int(*axis < 0 ? *axis + s.rank() : *axis);
      if (length >= 0) length = s.dim(at) < 0 ? -1 : length + s.dim(at);
      Shape others = s;
      others.setDim(at, 1);
      if (out.hasRank()) out.setDim(at, 1);
      WEFT_LET(out, c.merge(out, others));
    }
    if (!out.hasRank()) return {};
    out.setDim(int(*axis < 0 ? *axis + out.rank() : *axis), length);
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
    int64_t at = 0;
    for (int i = 0; i < args.count; ++i) {
      const Tensor& x = c.input(args.first + i);
      const int64_t piece = x.dim(int(axis)) * a.after;
      copyPieces(first.dtype(), x.raw(), piece, cpu::offsetBy(out->mutableRaw(), at, size), length * a.after, a.before, piece);
      at += piece;
    }
    return {};
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
  if (at > 0) {  // all rows, each with its part of the columns
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
  // Each input gets the rows that lie in its range.
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
      given = b.constant(*b.constantValue(given));  // copied rather than brought into the other loop or branch
    }
    const Output axis = py::mod(b, given, py::rank(b, c.input(args.first)));
    // Shapes as constants if all are known; one ShapeN otherwise (the constants made before stay in the graph).
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

// Pack and Unpack.

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
    if (before * after == 1) {  // numbers: no copy machinery
      cpu::withStorage(first.dtype(), [&](auto tag) {
        using S = typename decltype(tag)::type;
        S* y = static_cast<S*>(out->mutableRaw());
        for (int i = 0; i < count; ++i) y[i] = *static_cast<const S*>(c.input(i).raw());
      });
      return {};
    }
    for (int i = 0; i < count; ++i) {
      copyPieces(first.dtype(), c.input(i).raw(), after, cpu::offsetBy(out->mutableRaw(), i * after, size), after * count, before, after);
    }
    return {};
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

Status unpackShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  if (!in.hasRank()) return {};
  const int64_t axis = c.attrs().integer("axis"), num = c.attrs().integer("num"), rank = in.rank();
  if (rank == 0 || axis < -rank || axis >= rank) return invalidArgument("Invalid axis: ", axis, "; must be in [", -rank, ",", rank, ")");
  const int64_t at = axis < 0 ? axis + rank : axis;
  if (in.dim(int(at)) >= 0 && in.dim(int(at)) != num) return invalidArgument("Dimension must be ", num, " but is ", in.dim(int(at)));
  Shape out;
  for (int d = 0; d < rank; ++d) {
    if (d != at) out.append(in.dim(d));
  }
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, out);
  return {};
}

class UnpackKernel final : public Kernel {
 public:
  explicit UnpackKernel(KernelInit& init) : axis_(init.attrs().integer("axis")), num_(init.attrs().integer("num")) {}
  Status compute(KernelContext& c) override {
    const Tensor& x = c.input(0);
    const int64_t rank = x.rank(), at = axis_ < 0 ? axis_ + rank : axis_;
    if (at < 0 || at >= rank) return invalidArgument("axis = ", axis_, " not in [", -rank, ", ", rank, ")");
    if (x.dim(int(at)) != num_) return invalidArgument("Input shape axis ", at, " must equal ", num_, ", got shape ", x.shape().toString());
    Shape shape;
    for (int d = 0; d < rank; ++d) {
      if (d != at) shape.append(x.dim(d));
    }
    const Around a = around(x.shape(), at);
    if (at == 0 && cpu::isPlain(x.dtype()) && a.after * int64_t(sizeOf(x.dtype())) % 64 == 0 && num_ > 0) {
      for (int i = 0; i < num_; ++i) c.setOutput(i, x.rows(i, i + 1).reshaped(shape));  // aligned rows are views
      return {};
    }
    const size_t size = cpu::storageSize(x.dtype());
    for (int i = 0; i < num_; ++i) {
      WEFT_LET(Tensor* out, c.allocate(i, shape));
      copyPieces(x.dtype(), cpu::offsetBy(x.raw(), i * a.after, size), a.after * num_, out->mutableRaw(), a.after, a.before, a.after);
    }
    return {};
  }

 private:
  const int64_t axis_, num_;
};

Grads unpackGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const py::Scope s(b, "stack");
  return std::vector{b.op("Pack", Inputs(c.grads()), {{"axis", c.attrs().integer("axis")}}, s.name())};
}

// Split and SplitV.

Status splitShape(ShapeContext& c) {
  const Shape& in = c.input(1);
  const int64_t count = c.outputCount();
  WEFT_TRY(c.requireRank(c.input(0), 0));
  const auto axis = c.constantInt(0);
  if (!axis || !in.hasRank()) {
    for (int i = 0; i < count; ++i) c.setOutput(i, in.hasRank() ? Shape::unknownOfRank(in.rank()) : Shape::unknown());
    return {};
  }
  if (*axis < -in.rank() || *axis >= in.rank()) {
    return invalidArgument("Dimension size, given by scalar input ", *axis, " must be in range [-", in.rank(), ", ", in.rank(), ")");
  }
  const int at = int(*axis < 0 ? *axis + in.rank() : *axis);
  Shape out = in;
  if (in.dim(at) >= 0) {
    if (in.dim(at) % count != 0) return invalidArgument("Dimension size must be evenly divisible by ", count, " but is ", in.dim(at));
    out.setDim(at, in.dim(at) / count);
  }
  for (int i = 0; i < count; ++i) c.setOutput(i, out);
  return {};
}

/// Hands out pieces of `lengths` along `axis`.
Status splitInto(KernelContext& c, const Tensor& x, int64_t axis, const std::vector<int64_t>& lengths) {
  const Around a = around(x.shape(), axis);
  const int64_t total = x.dim(int(axis));
  const size_t size = cpu::storageSize(x.dtype());
  int64_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    Shape shape = x.shape();
    shape.setDim(int(axis), lengths[i]);
    const bool aligned = cpu::isPlain(x.dtype()) && axis == 0 && at * a.after * int64_t(size) % 64 == 0;
    if (aligned && lengths[i] > 0) {
      c.setOutput(int(i), x.rows(at, at + lengths[i]));
    } else {
      WEFT_LET(Tensor* out, c.allocate(int(i), shape));
      copyPieces(x.dtype(), cpu::offsetBy(x.raw(), at * a.after, size), total * a.after, out->mutableRaw(), lengths[i] * a.after, a.before,
                 lengths[i] * a.after);
    }
    at += lengths[i];
  }
  return {};
}

Status runSplit(KernelContext& c) {
  const Tensor &axisTensor = c.input(0), &x = c.input(1);
  const int64_t count = c.outputCount();
  if (axisTensor.elements() != 1) return invalidArgument("split_dim_tensor must have exactly one element.");
  const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis >= x.rank()) return invalidArgument("-input rank(-", x.rank(), ") <= split_dim < input rank (", x.rank(), "), but got ", given);
  if (x.dim(int(axis)) % count != 0) {
    return invalidArgument("Number of ways to split should evenly divide the split dimension, but got split_dim ", axis, " (size = ", x.dim(int(axis)),
                           ") and num_split ", count);
  }
  return splitInto(c, x, axis, std::vector<int64_t>(size_t(count), x.dim(int(axis)) / count));
}

Grads splitGradient(GradContext& c) {
  return std::vector{Output{}, py::concatTensors(c.b(), c.grads(), c.input(0))};
}

Status splitVShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const int count = c.outputCount();
  const auto axis = c.constantInt(2);
  const Tensor* lengths = c.constant(1);
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (!axis || !in.hasRank()) {
    for (int i = 0; i < count; ++i) c.setOutput(i, in.hasRank() ? Shape::unknownOfRank(in.rank()) : Shape::unknown());
    return {};
  }
  if (*axis < -in.rank() || *axis >= in.rank()) {
    return invalidArgument("Dimension size, given by scalar input ", *axis, " must be in range [-", in.rank(), ", ", in.rank(), ")");
  }
  const int at = int(*axis < 0 ? *axis + in.rank() : *axis);
  Shape out = in;
  out.setDim(at, Shape::kUnknownDim);
  if (!lengths) {
    for (int i = 0; i < count; ++i) c.setOutput(i, count == 1 ? in : out);
    return {};
  }
  if (lengths->elements() != count) return invalidArgument("Length of size_splits should be equal to num_outputs");
  int open = -1;
  int64_t sum = 0;
  for (int i = 0; i < count; ++i) {
    const int64_t n = lengths->asInt(i);
    if (n == -1) {
      if (open >= 0) return invalidArgument("size_splits can only have one -1");
      open = i;
    } else {
      sum += n;
    }
  }
  if (in.dim(at) >= 0) {
    if (open >= 0 ? sum > in.dim(at) : sum != in.dim(at)) {
      return invalidArgument("can't split axis of size ", in.dim(at), " into pieces of size [", [&] {
        std::string text;
        for (int i = 0; i < count; ++i) text += (i ? "," : "") + std::to_string(lengths->asInt(i));
        return text;
      }(), "]");
    }
  }
  for (int i = 0; i < count; ++i) {
    const int64_t n = lengths->asInt(i);
    out.setDim(at, n != -1 ? n : in.dim(at) >= 0 ? in.dim(at) - sum : Shape::kUnknownDim);
    c.setOutput(i, out);
  }
  return {};
}

Status runSplitV(KernelContext& c) {
  const Tensor &x = c.input(0), &sizes = c.input(1), &axisTensor = c.input(2);
  const int64_t count = c.outputCount();
  if (axisTensor.elements() != 1) return invalidArgument("split_dim_tensor must have exactly one element.");
  const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
  if (sizes.rank() != 1 || sizes.elements() != count) return invalidArgument("size of the split_tensor must be 1-D and have the same elements as outputs got ", sizes.rank(), " -D and ", sizes.elements(), " elements");
  if (axis < 0 || axis >= x.rank()) return invalidArgument("-input rank(-", x.rank(), ") <= split_dim < input rank (", x.rank(), "), but got ", given);
  std::vector<int64_t> lengths;
  int open = -1;
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    lengths.push_back(sizes.asInt(i));
    if (lengths.back() == -1) {
      if (open >= 0) return invalidArgument("There can only be one -1 in the input.");
      open = int(i);
    } else {
      sum += lengths.back();
    }
  }
  const int64_t total = x.dim(int(axis));
  if (open >= 0 ? sum > total : sum != total) {
    return invalidArgument("Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of the "
                           "input along split_dim if not fully specified.  Got: ", sum);
  }
  if (open >= 0) lengths[size_t(open)] = total - sum;
  for (int64_t n : lengths) {
    if (n < 0) return invalidArgument("Split size at index ", 0, " must be >= 0. Got: ", n);
  }
  return splitInto(c, x, axis, lengths);
}

Grads splitVGradient(GradContext& c) {
  return std::vector{py::concatTensors(c.b(), c.grads(), c.input(2)), Output{}, Output{}};
}

KernelFactory concatKernel(bool axisFirst) {
  return [axisFirst](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    return std::unique_ptr<Kernel>(std::make_unique<ConcatKernel>(init, axisFirst));
  };
}

}  // namespace

void registerJoining(OpRegistry& ops) {
  ops.add("Concat")
      .category("Arrays")
      .summary("Tensors joined along an axis.")
      .input("concat_dim: int32", "The axis; negative ones count from the last.")
      .input("values: N * T", "Tensors whose shapes differ along that axis only.")
      .output("output: T", "The joined tensor.")
      .attr("N: int >= 2", "How many tensors.")
      .attr("T: type", "Type of the elements.")
      .shape(concatShape(true))
      .gradient(concatGradient(true))
      .cpu({}, concatKernel(true));
  ops.add("ConcatV2")
      .category("Arrays")
      .summary("Tensors joined along an axis.")
      .input("values: N * T", "Tensors whose shapes differ along that axis only.")
      .input("axis: Tidx", "The axis; negative ones count from the last.")
      .output("output: T", "The joined tensor.")
      .attr("N: int >= 2", "How many tensors.")
      .attr("T: type", "Type of the elements.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the axis.")
      .shape(concatShape(false))
      .gradient(concatGradient(false))
      .cpu({}, concatKernel(false));
  ops.add("Pack")
      .category("Arrays")
      .summary("Tensors of one shape stacked along a new axis.")
      .input("values: N * T", "The tensors.")
      .output("output: T", "The stack.")
      .attr("N: int >= 1", "How many tensors.")
      .attr("T: type", "Type of the elements.")
      .attr("axis: int = 0", "Where the new axis goes; negative positions count from behind the last.")
      .shape(packShape)
      .gradient(packGradient)
      .cpu({}, kernelOf<PackKernel>());
  ops.add("Unpack")
      .category("Arrays")
      .summary("The slices of a tensor along an axis, each as a tensor of its own.")
      .input("value: T", "The tensor to take apart.")
      .output("output: num * T", "Its slices.")
      .attr("num: int >= 0", "How many slices: the length of the axis.")
      .attr("T: type", "Type of the elements.")
      .attr("axis: int = 0", "The axis; negative ones count from the last.")
      .shape(unpackShape)
      .gradient(unpackGradient)
      .cpu({}, kernelOf<UnpackKernel>());
  ops.add("Split")
      .category("Arrays")
      .summary("A tensor cut along an axis into pieces of one length.")
      .input("split_dim: int32", "The axis; negative ones count from the last.")
      .input("value: T", "The tensor to cut.")
      .output("output: num_split * T", "The pieces.")
      .attr("num_split: int >= 1", "How many pieces; divides the length of the axis.")
      .attr("T: type", "Type of the elements.")
      .shape(splitShape)
      .gradient(splitGradient)
      .cpu({}, simpleKernel(runSplit));
  ops.add("SplitV")
      .category("Arrays")
      .summary("A tensor cut along an axis into pieces of given lengths.")
      .input("value: T", "The tensor to cut.")
      .input("size_splits: Tlen", "Lengths of the pieces; one may be -1 and gets what is left.")
      .input("split_dim: int32", "The axis; negative ones count from the last.")
      .output("output: num_split * T", "The pieces.")
      .attr("num_split: int >= 1", "How many pieces.")
      .attr("T: type", "Type of the elements.")
      .attr("Tlen: {int32, int64} = DT_INT64", "Type of the lengths.")
      .shape(splitVShape)
      .gradient(splitVGradient)
      .cpu({}, simpleKernel(runSplitV));
}

}  // namespace weft
