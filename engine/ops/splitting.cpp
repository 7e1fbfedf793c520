#include <algorithm>

#include "device/cpu/dtypes.h"
#include "device/moves.h"
#include "ops/grad_ops.h"
#include "ops/pieces.h"
#include "ops/registry.h"

// Splitting tensors along an axis: Unpack, Split, SplitV.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

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
    std::vector<Pieces> pieces;
    pieces.reserve(size_t(num_));
    for (int i = 0; i < num_; ++i) {
      if (!c.outputWanted(i)) continue;
      WEFT_LET(Tensor* out, c.allocate(i, shape));
      pieces.push_back({cpu::offsetBy(x.raw(), i * a.after, size), a.after * num_, out->mutableRaw(), a.after, a.after});
    }
    return movePieces(c, x, pieces, a.before);
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

/// Outputs pieces with the given `lengths` along `axis`.
Status splitInto(KernelContext& c, const Tensor& x, int64_t axis, const std::vector<int64_t>& lengths) {
  const Around a = around(x.shape(), axis);
  const int64_t total = x.dim(int(axis));
  const size_t size = cpu::storageSize(x.dtype());
  std::vector<Pieces> pieces;
  pieces.reserve(lengths.size());
  int64_t at = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    Shape shape = x.shape();
    shape.setDim(int(axis), lengths[i]);
    const bool aligned = cpu::isPlain(x.dtype()) && axis == 0 && at * a.after * int64_t(size) % 64 == 0;
    if (aligned && lengths[i] > 0) {
      c.setOutput(int(i), x.rows(at, at + lengths[i]));
    } else if (c.outputWanted(int(i))) {
      WEFT_LET(Tensor* out, c.allocate(int(i), shape));
      pieces.push_back({cpu::offsetBy(x.raw(), at * a.after, size), total * a.after, out->mutableRaw(), lengths[i] * a.after, lengths[i] * a.after});
    }
    at += lengths[i];
  }
  return movePieces(c, x, pieces, a.before);
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

Grads splitGradient(GradContext& c) { return std::vector{Output{}, py::concatTensors(c.b(), c.grads(), c.input(0))}; }

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
      return invalidArgument(
          "can't split axis of size ", in.dim(at), " into pieces of size [",
          [&] {
            std::string text;
            for (int i = 0; i < count; ++i) text += (i ? "," : "") + std::to_string(lengths->asInt(i));
            return text;
          }(),
          "]");
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
  if (sizes.rank() != 1 || sizes.elements() != count)
    return invalidArgument("size of the split_tensor must be 1-D and have the same elements as outputs got ", sizes.rank(), " -D and ", sizes.elements(),
                           " elements");
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
    return invalidArgument(
        "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of the "
        "input along split_dim if not fully specified.  Got: ",
        sum);
  }
  if (open >= 0) lengths[size_t(open)] = total - sum;
  for (int64_t n : lengths) {
    if (n < 0) return invalidArgument("Split size at index ", 0, " must be >= 0. Got: ", n);
  }
  return splitInto(c, x, axis, lengths);
}

Grads splitVGradient(GradContext& c) { return std::vector{py::concatTensors(c.b(), c.grads(), c.input(2)), Output{}, Output{}}; }

}  // namespace

void registerSplitting(OpRegistry& ops) {
  ops.add("Unpack")
      .category("Arrays")
      .summary("Unstacks a tensor along an axis into tensors of one rank less.")
      .input("value: T", "Tensor to unstack.")
      .output("output: num * T", "The slices along the axis.")
      .attr("num: int >= 0", "Number of slices: the length of the axis.")
      .attr("T: type", "Type of the elements.")
      .attr("axis: int = 0", "The axis; negative values count from the end.")
      .shape(unpackShape)
      .gradient(unpackGradient)
      .cpu({}, kernelOf<UnpackKernel>());
  ops.add("Split")
      .category("Arrays")
      .summary("Splits a tensor along an axis into equal pieces.")
      .input("split_dim: int32", "The axis; negative values count from the end.")
      .input("value: T", "Tensor to split.")
      .output("output: num_split * T", "The pieces.")
      .attr("num_split: int >= 1", "Number of pieces; must divide the length of the axis.")
      .attr("T: type", "Type of the elements.")
      .shape(splitShape)
      .gradient(splitGradient)
      .cpu({}, simpleKernel(runSplit));
  ops.add("SplitV")
      .category("Arrays")
      .summary("Splits a tensor along an axis into pieces of given sizes.")
      .input("value: T", "Tensor to split.")
      .input("size_splits: Tlen", "Sizes of the pieces; one may be -1 and takes the rest.")
      .input("split_dim: int32", "The axis; negative values count from the end.")
      .output("output: num_split * T", "The pieces.")
      .attr("num_split: int >= 1", "Number of pieces.")
      .attr("T: type", "Type of the elements.")
      .attr("Tlen: {int32, int64} = DT_INT64", "Type of the lengths.")
      .shape(splitVShape)
      .gradient(splitVGradient)
      .cpu({}, simpleKernel(runSplitV));
  passNan(ops, NanPath::Spread, "Split SplitV Unpack");
}

}  // namespace weft
