#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "ops/grad_ops.h"
#include "ops/rearranging.h"
#include "ops/registry.h"
#include "ops/tensor_text.h"

// Rows moved along their axis or divided into parts: ReverseSequence, Roll, DynamicPartition; also conversion of flat indices to coordinates.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// ReverseSequence.

Status reverseSequenceShape(ShapeContext& c) {
  const Shape &in = c.input(0), &lengths = c.input(1);
  WEFT_TRY(c.requireRank(lengths, 1));
  if (!in.hasRank()) return {};
  const int64_t seq = c.attrs().integer("seq_dim"), batch = c.attrs().integer("batch_dim");
  if (seq >= in.rank()) return invalidArgument("seq_dim must be < input rank: ", seq, " vs. ", in.rank());
  if (batch >= in.rank()) return invalidArgument("batch_dim must be < input rank: ", batch, " vs. ", in.rank());
  if (batch < 0) return invalidArgument("batch_dim must be >= 0: ", batch);
  Shape out = in;
  if (lengths.hasRank()) {
    WEFT_LET(const int64_t n, c.mergeDims(in.dim(int(batch)), lengths.dim(0)));
    out.setDim(int(batch), n);
  }
  c.setOutput(0, std::move(out));
  return {};
}

Status runReverseSequence(KernelContext& c) {
  WEFT_TRY(checkReverseSequence(c));
  const Tensor &in = c.input(0), &lengths = c.input(1);
  const int64_t seq = c.node().attrs.integer("seq_dim"), batch = c.node().attrs.integer("batch_dim");
  for (int64_t i = 0; i < lengths.elements(); ++i) {
    if (lengths.asInt(i) < 0 || lengths.asInt(i) > in.dim(int(seq))) return wrongSequenceLength(lengths, i, seq);
  }
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const auto strides = cpu::denseStrides(in.shape());
  const int64_t n = in.dim(int(seq)), step = strides[size_t(seq)], batchStep = strides[size_t(batch)], batches = in.dim(int(batch));
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S* x = static_cast<const S*>(in.raw());
    S* y = static_cast<S*>(out->mutableRaw());
    // In chunks in which only the position along the sequence changes, or, if that is every element, in whole sequences.
    const int64_t run = std::min(step, batchStep), piece = run == 1 && step == 1 ? n : run, pieces = in.elements() / piece;
    parallelFor(pieces, std::max<int64_t>(1, 16384 / piece), [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t i = p * piece, at = i / step % n, length = lengths.asInt(i / batchStep % batches);
        if (piece != run) {
          std::reverse_copy(x + i, x + i + length, y + i);
          std::copy_n(x + i + length, n - length, y + i + length);
        } else {
          std::copy_n(x + (at < length ? i + (length - 1 - 2 * at) * step : i), run, y + i);
        }
      }
    });
  });
  return {};
}

Grads reverseSequenceGradient(GradContext& c) {
  AttrMap attrs;
  attrs.set("seq_dim", c.attrs().integer("seq_dim"));
  attrs.set("batch_dim", c.attrs().integer("batch_dim"));
  return std::vector{c.b().op("ReverseSequence", {c.grad(), c.input(1)}, attrs), Output{}};
}

// Roll.

Status rollShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRankAtMost(c.input(1), 1));
  WEFT_TRY(c.requireRankAtMost(c.input(2), 1));
  WEFT_TRY(c.merge(c.input(1), c.input(2)).status());
  c.setOutput(0, c.input(0));
  return {};
}

Status runRoll(KernelContext& c) {
  WEFT_LET(const std::vector<int64_t> by, rollShifts(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  if (in.elements() == 0) return {};
  const auto strides = cpu::denseStrides(in.shape());
  const int last = in.rank() - 1;
  const int64_t row = in.dim(last), moved = by[size_t(last)];
  cpu::withStorage(in.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S* x = static_cast<const S*>(in.raw());
    S* y = static_cast<S*>(out->mutableRaw());
    for (int64_t r = 0; r < in.elements() / row; ++r) {
      int64_t to = 0;
      for (int64_t rest = r, d = last - 1; d >= 0; --d) {
        const int64_t n = in.dim(int(d));
        to += (rest % n + by[size_t(d)]) % n * strides[size_t(d)];
        rest /= n;
      }
      std::copy_n(x + r * row, row - moved, y + to + moved);
      std::copy_n(x + r * row + row - moved, moved, y + to);
    }
  });
  return {};
}

Grads rollGradient(GradContext& c) {
  const Output back = py::neg(c.b(), c.input(1));
  return std::vector{c.b().op("Roll", {c.grad(), back, c.input(2)}), Output{}, Output{}};
}

// DynamicPartition.

Status partitionShape(ShapeContext& c) {
  const Shape &data = c.input(0), &parts = c.input(1);
  if (!data.hasRank() || !parts.hasRank()) return {};
  if (data.rank() < parts.rank()) return invalidArgument("Shape must be at least rank ", parts.rank(), " but is rank ", data.rank());
  for (int d = 0; d < parts.rank(); ++d) WEFT_TRY(c.mergeDims(data.dim(d), parts.dim(d)));
  Shape out{Shape::kUnknownDim};
  out.append(data.slice(parts.rank()));
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, out);
  return {};
}

Status runPartition(KernelContext& c) {
  const Tensor &data = c.input(0), &parts = c.input(1);
  const int count = c.outputCount();
  WEFT_LET(const std::vector<int64_t> sizes, partitionSizes(c, parts));
  const int32_t* p = parts.data<int32_t>();
  const Shape tail = data.shape().slice(parts.rank());
  const int64_t row = tail.elements();
  std::vector<Tensor*> outs;
  for (int k = 0; k < count; ++k) {
    Shape shape{sizes[size_t(k)]};
    shape.append(tail);
    WEFT_LET(Tensor* out, c.allocate(k, shape));
    outs.push_back(out);
  }
  cpu::withStorage(data.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S* x = static_cast<const S*>(data.raw());
    std::vector<S*> next;
    for (Tensor* t : outs) next.push_back(static_cast<S*>(t->mutableRaw()));
    if (row == 1) {
      for (int64_t i = 0; i < parts.elements(); ++i) *next[size_t(p[i])]++ = x[i];
      return;
    }
    for (int64_t i = 0; i < parts.elements(); ++i) next[size_t(p[i])] = std::copy_n(x + i * row, row, next[size_t(p[i])]);
  });
  return {};
}

Grads partitionGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int64_t count = c.attrs().integer("num_partitions");
  const Output prefix = py::shape(b, c.input(1));
  const Output numbers = py::reshape(b, py::range(b, 0, py::reduceProd(b, prefix)), prefix);
  const int parts = b.node("DynamicPartition", {numbers, c.input(1)}, {{"num_partitions", count}});
  std::vector<Output> inputs;
  for (int i = 0; i < int(count); ++i) inputs.push_back(Output{parts, i});
  for (int i = 0; i < int(count); ++i) inputs.push_back(c.grad(i));
  const Output joined = b.op("DynamicStitch", inputs, {{"N", count}});
  return std::vector{py::reshape(b, joined, py::shape(b, c.input(0))), Output{}};
}

// UnravelIndex.

Status unravelShape(ShapeContext& c) {
  const Shape &indices = c.input(0), &dims = c.input(1);
  WEFT_TRY(c.requireRank(dims, 1));
  const int64_t rank = dims.hasRank() ? dims.dim(0) : Shape::kUnknownDim;
  if (!indices.hasRank()) return {};
  if (indices.rank() == 0) c.setOutput(0, Shape{rank});
  else c.setOutput(0, Shape{rank, indices.elements()});
  return {};
}

template <typename T>
Status unravel(const Tensor& indices, const Tensor& dims, Tensor& out) {
  const int64_t n = indices.elements(), rank = dims.elements();
  const T* d = dims.data<T>();
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = indices.data<T>()[i];
    const int64_t index = rest;
    for (int64_t k = rank - 1; k >= 0; --k) {
      out.mutableData<T>()[k * n + i] = T(rest % d[k]);
      rest /= d[k];
    }
    if (rest != 0 || index < 0) return invalidArgument("index is out of bound as with dims");
  }
  return {};
}
Status runUnravel(KernelContext& c) {
  const Tensor &indices = c.input(0), &dims = c.input(1);
  if (indices.rank() > 1) return invalidArgument("The indices can only be scalar or vector, got \"", indices.shape().toString(), "\"");
  if (dims.rank() != 1) return invalidArgument("The indices can only be 1-D, got \"", dims.shape().toString(), "\"");
  int64_t product = 1;
  for (int64_t k = 0; k < dims.elements(); ++k) {
    if (dims.asInt(k) <= 0) return invalidArgument("Input dims cannot contain a dim of zero, but dims contains zero at index ", k);
    const bool over =
        __builtin_mul_overflow(product, dims.asInt(k), &product) || (dims.dtype() == DType::Int32 && product > std::numeric_limits<int32_t>::max());
    if (over) return invalidArgument("Input dims product is causing integer overflow: ", dims.toString(8));
  }
  WEFT_LET(Tensor* out, c.allocate(0, indices.rank() == 0 ? Shape{dims.elements()} : Shape{dims.elements(), indices.elements()}));
  return indices.dtype() == DType::Int64 ? unravel<int64_t>(indices, dims, *out) : unravel<int32_t>(indices, dims, *out);
}

}  // namespace

Status checkReverseSequence(KernelContext& c) {
  const Tensor &in = c.input(0), &lengths = c.input(1);
  const int64_t seq = c.node().attrs.integer("seq_dim"), batch = c.node().attrs.integer("batch_dim");
  if (lengths.rank() != 1) return invalidArgument("seq_lens input must be 1-dim, not ", lengths.rank());
  if (batch == seq) return invalidArgument("batch_dim == seq_dim == ", seq);
  if (seq < 0 || seq >= in.rank()) return invalidArgument("seq_dim must be < input.dims()( ", seq, " vs. ", in.rank(), ")");
  if (batch < 0 || batch >= in.rank()) return invalidArgument("batch_dim must be < input.dims()( ", batch, " vs. ", in.rank(), ")");
  if (lengths.elements() != in.dim(int(batch)))
    return invalidArgument("len(seq_lens) != input.dims(", batch, "), (", lengths.elements(), " vs. ", in.dim(int(batch)),
                           "): Length of seq_lengths must be that of the batch");
  return {};
}

Error wrongSequenceLength(const Tensor& lengths, int64_t i, int64_t seqDim) {
  if (lengths.asInt(i) < 0) return invalidArgument("seq_lens(", i, ") < 0");
  return invalidArgument("seq_lens(", i, ") > input.dims(", seqDim, ")");
}

Result<std::vector<int64_t>> rollShifts(KernelContext& c) {
  const Tensor &in = c.input(0), &shift = c.input(1), &axis = c.input(2);
  if (in.rank() < 1) return invalidArgument("input must be 1-D or higher");
  if (shift.rank() > 1) return invalidArgument("shift must be a scalar or a 1-D vector. Found: ", shift.shape().toString());
  if (axis.rank() > 1) return invalidArgument("axis must be a scalar or a 1-D vector. Found: ", axis.shape().toString());
  if (!(shift.shape() == axis.shape())) return invalidArgument("shift and axis must have the same size");
  std::vector<int64_t> by(size_t(in.rank()), 0);
  for (int64_t i = 0; i < shift.elements(); ++i) {
    int64_t d = axis.asInt(i);
    if (d < 0) d += in.rank();
    if (d < 0 || d >= in.rank()) return invalidArgument("axis ", d, " is out of range");
    const int64_t n = std::max<int64_t>(in.dim(int(d)), 1);
    by[size_t(d)] = ((by[size_t(d)] + shift.asInt(i) % n) % n + n) % n;
  }
  return by;
}

Result<std::vector<int64_t>> partitionSizes(KernelContext& c, const Tensor& parts) {
  const Tensor& data = c.input(0);
  const int count = c.outputCount();
  bool starts = data.rank() >= parts.rank();
  for (int d = 0; starts && d < parts.rank(); ++d) starts = data.dim(d) == parts.dim(d);
  if (!starts)
    return invalidArgument("data.shape must start with partitions.shape, got data.shape = ", data.shape().toString(),
                           ", partitions.shape = ", parts.shape().toString());
  const int32_t* p = parts.data<int32_t>();
  std::vector<int64_t> sizes(size_t(count), 0);
  for (int64_t i = 0; i < parts.elements(); ++i) {
    if (p[i] < 0 || p[i] >= count) return invalidArgument("partitions", indexPosition(parts.shape(), i), " = ", p[i], " is not in [0, ", count, ")");
    ++sizes[size_t(p[i])];
  }
  return sizes;
}

void registerRearranging(OpRegistry& ops) {
  ops.add("ReverseSequence")
      .category("Arrays")
      .keywords("rnn backward")
      .summary("Reverses the first seq_lengths[i] elements of each sequence.")
      .input("input: T", "Sequences, along seq_dim.")
      .input("seq_lengths: Tlen", "Length of each sequence; a vector. Elements beyond it stay in place.")
      .output("output: T", "The partially reversed sequences.")
      .attr("seq_dim: int", "Dimension along which to reverse.")
      .attr("batch_dim: int = 0", "Dimension along which the sequences are stacked.")
      .attr("T: type", "Type of the elements.")
      .attr("Tlen: {int32, int64} = DT_INT64", "Type of the lengths.")
      .shape(reverseSequenceShape)
      .gradient(reverseSequenceGradient)
      .cpu({}, simpleKernel(runReverseSequence));
  ops.add("Roll")
      .category("Arrays")
      .summary("Rolls a tensor along axes: elements shifted out at one end re-enter at the other.")
      .input("input: T", "A tensor of rank 1 or more.")
      .input("shift: Tshift", "Shift towards higher indices; a scalar, or one value per axis.")
      .input("axis: Taxis", "Axes to roll along; a scalar or a vector.")
      .output("output: T", "The rolled tensor.")
      .attr("T: type", "Type of the elements.")
      .attr("Tshift: {int32, int64}")
      .attr("Taxis: {int32, int64}")
      .shape(rollShape)
      .gradient(rollGradient)
      .cpu({}, simpleKernel(runRoll));
  ops.add("DynamicPartition")
      .category("Arrays")
      .summary("Partitions the rows of a tensor into several tensors by partition index.")
      .input("data: T", "The rows.")
      .input("partitions: int32", "Partition index of each row; its shape is a prefix of the shape of `data`.")
      .output("outputs: num_partitions * T", "The rows of each partition, in their original order.")
      .attr("num_partitions: int >= 1", "Number of partitions.")
      .attr("T: type", "Type of the elements.")
      .shape(partitionShape)
      .gradient(partitionGradient)
      .cpu({}, simpleKernel(runPartition));
  ops.add("UnravelIndex")
      .category("Arrays")
      .summary("Converts flat (row-major) indices to coordinates.")
      .input("indices: Tidx", "Flat indices; a scalar or a vector.")
      .input("dims: Tidx", "Shape of the array; a vector.")
      .output("output: Tidx", "[rank, n]: one row per dimension of the array.")
      .attr("Tidx: {int32, int64} = DT_INT32", "Type of the numbers.")
      .shape(unravelShape)
      .noGradient("The result is an index.")
      .cpu({}, simpleKernel(runUnravel))
      .gradientIsError = true;
}

}  // namespace weft
